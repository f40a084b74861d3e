"""Strand: cables, wires and rods for robotics, as a plugin of MuJoCo.

Importing this package registers the engine plugin `strand.cable` with the MuJoCo of this process.
"""

from strand import adapter as _adapter
from strand._strand import __version__
from strand.errors import StrandError

_loaded = _adapter.load()
mujoco_version: str = _loaded.mujoco_version


def adapter_path() -> str:
    """The path of the adapter library that is loaded, the one built for `mujoco_version`."""
    return str(_adapter.path(mujoco_version))


__all__ = ["StrandError", "__version__", "adapter_path", "mujoco_version"]
