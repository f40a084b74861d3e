"""Checkpoints: a saved state and a description of its scene."""

import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from strand import _strand
from strand.errors import StrandError, reason
from strand.simulation.network import Network

_SCENE = "scene: "  # prefix, in the file, of the names of arrays that describe the scene
#: The state of the time stepping, by name and type.
OF_STEPPER = {
    "next_dt": float,
    "usual_iterations": int,
    "second_step_credit": int,
    "saddle_shift": float,
}
TENDONS = "points of tendons (tendon, edge, node, place)"  #: one row per point
_NEEDED = {"time", "memory", "dt_before", *OF_STEPPER}


#: Arguments of a Simulation that must be the same when a checkpoint is loaded.
_OPTIONS = (
    "method",
    "gravity",
    "medium_density",
    "viscosity",
    "plane",
    "twist",
    "curvature",
    "average",
    "junctions",
    "rest_straight",
)


def scene(network: Network, core: _strand.System, options: Mapping[str, Any]) -> dict[str, Any]:
    """Description of a scene: the initial network, its materials, and options of a simulation."""
    return {
        "nodes": core.positions(),
        "edges": network.core.edge_nodes(),
        "triangles": network.triangles,
        "rod material (EA, EI, EI, GJ, kg/m, kg m, damping)": network.material(),
        "shell material (young, poisson, thickness, density, damping)": network.shell_material(),
        "membranes": network.membranes,
        "body material (kg, J)": network.body_material(),
        TENDONS: np.zeros((0, 6)),
        **{name: str(options[name]) for name in _OPTIONS},
        **_slips(network),
    }


def _slips(network: Network) -> dict[str, Any]:
    """What rods that yield add to the description."""
    slips = [(edge, slip) for edge, slip in enumerate(network.slips()) if slip is not None]
    numbers = [x for edge, slip in slips for x in (edge, *slip.row)]
    return {"edge, yield stress (Pa), hardening, elements": numbers} if slips else {}


def of_scene(scene: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """The arrays of a checkpoint file that describe the scene."""
    return {_SCENE + name: np.asarray(value) for name, value in scene.items()}


def read(path: str | Path) -> dict[str, Any]:
    """The content of a checkpoint. Raises StrandError if the file is not one, or is truncated."""
    try:
        with np.load(path) as saved:
            state = {name: saved[name] for name in saved.files}
    except (OSError, ValueError, TypeError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        allowed = f"a file of Simulation.save ({reason(error)})"
        raise StrandError(f"path: got '{path}', allowed: {allowed}") from None
    if missing := _NEEDED - state.keys():
        raise StrandError(f"{path}: got no {min(missing)}, allowed: files of Simulation.save")
    return state | {name: float(state[name]) for name in ("time", "dt_before")}


def compare(path: str | Path, state: dict[str, Any], scene: Mapping[str, Any]) -> None:
    """Compares a checkpoint with a scene and removes the scene's arrays from `state`.

    Raises StrandError, which names the first quantity that differs.
    """
    described = of_scene(scene)
    for name in state:
        if name.startswith(_SCENE) and name not in described:
            other = f"{name.removeprefix(_SCENE)} ({state[name]})"
            raise StrandError(f"{path}: got another scene's state: with {other}, allowed: without")
    for name, value in described.items():
        short = name.removeprefix(_SCENE)
        if name not in state:
            other = f"without {short}, allowed: with {value}, as this scene"
            raise StrandError(f"{path}: got another scene's state: {other}")
        saved = state.pop(name)
        if saved.shape != value.shape:
            counts = f"{_count(saved)} {short}, allowed: {_count(value)}, as this scene has"
            raise StrandError(f"{path}: got another scene's state: {counts}")
        if np.array_equal(saved, value):
            continue
        place = tuple(int(i) for i in np.argwhere(saved != value)[0])
        where = f" of {list(place)}" if place else ""
        raise StrandError(
            f"{path}: got another scene's state: {short}{where} {saved[place]},"
            f" allowed: {value[place]}, as this scene has"
        )


def _count(array: np.ndarray) -> int:
    return len(array) if array.ndim else 1
