"""Strand: cables, wires and rods for robotics, as a plugin of MuJoCo.

Importing this package registers the engine plugin `strand.cable` with the MuJoCo of this process,
and in MuJoCo 4 the name of its old one, `mujoco.elasticity.cable`.
"""

import sys as _sys

from strand import adapter as _adapter
from strand._strand import __version__
from strand.errors import StrandError

try:
    _loaded = _adapter.load()
except ImportError as _error:
    if _adapter.runs_as_module():
        _sys.exit(f"strand: {_error}")
    raise
mujoco_version: str = _loaded.mujoco_version

from strand.cable.cable import Cable, Stretch  # noqa: E402
from strand.cable.cable_file import load_cable  # noqa: E402
from strand.cable.generation import attach, generate  # noqa: E402
from strand.cable.shapes import arc, helix, points, ring, spline, straight  # noqa: E402
from strand.legacy import load_model  # noqa: E402
from strand.readout.profile import Profile, profile  # noqa: E402
from strand.readout.profile_plot import plot  # noqa: E402
from strand.readout.readout import Readout, energy, readout  # noqa: E402
from strand.readout.state import load_state, save_state  # noqa: E402


def adapter_path() -> str:
    """The path of the adapter library that is loaded, the one built for `mujoco_version`."""
    return str(_adapter.path(mujoco_version))


__all__ = [
    "Cable",
    "Profile",
    "Readout",
    "StrandError",
    "Stretch",
    "__version__",
    "adapter_path",
    "arc",
    "attach",
    "energy",
    "generate",
    "helix",
    "load_cable",
    "load_model",
    "load_state",
    "mujoco_version",
    "plot",
    "points",
    "profile",
    "readout",
    "ring",
    "save_state",
    "spline",
    "straight",
]
