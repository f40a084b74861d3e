"""Strand: cables, wires and rods for robotics, as a MuJoCo plugin and as a standalone core.

Importing this package registers the engine plugin `strand.cable` with the MuJoCo of this process.
With MuJoCo 4 it also registers the name of MuJoCo's old plugin, `mujoco.elasticity.cable`. Without
MuJoCo, functions that need it (`generate`, `readout`, ...) raise an ImportError that says what to
install; shapes, cable files, `strand.simulation`, `strand.vine` and `strand.meshes` work without.
"""

import sys as _sys
import typing as _typing

from strand import adapter as _adapter
from strand._strand import version as __version__
from strand.cable.cable import Branch, Cable, Stretch
from strand.cable.cable_file import load_cable
from strand.cable.shapes import arc, helix, points, ring, spline, straight
from strand.errors import StrandError

try:
    _loaded = _adapter.load_if_installed()
except ImportError as _error:
    if _adapter.runs_as_module():
        _sys.exit(f"strand: {_error}")
    raise

if _loaded:
    from strand.batch.rollout import rollout
    from strand.cable.generation import attach, generate
    from strand.feeding.feeder import Feeder
    from strand.legacy import load_model
    from strand.materials.change import Material, material, set_damping, set_material
    from strand.readout import pickled as _pickled
    from strand.readout.link_values import LinkValues
    from strand.readout.profile import Profile, profile
    from strand.readout.profile_plot import plot
    from strand.readout.readout import Readout, energy, mechanical_energy, readout
    from strand.readout.state import load_state, save_state
    from strand.viewer.still import render
    from strand.viewer.view import view

    _pickled.register()
    mujoco_version: str = _loaded.mujoco_version

    def adapter_path() -> str:
        """Path of the loaded adapter library, which was built for `mujoco_version`."""
        return str(_adapter.path(mujoco_version))

elif not _typing.TYPE_CHECKING:

    def __getattr__(name: str) -> _typing.NoReturn:
        if name in __all__:
            raise _adapter.mujoco_needed()
        raise AttributeError(f"module 'strand' has no attribute {name!r}")


__all__ = [
    "Branch",
    "Cable",
    "Feeder",
    "LinkValues",
    "Material",
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
    "material",
    "mechanical_energy",
    "mujoco_version",
    "plot",
    "points",
    "profile",
    "readout",
    "render",
    "ring",
    "rollout",
    "save_state",
    "set_damping",
    "set_material",
    "spline",
    "straight",
    "view",
]
