"""Saves and loads the complete state of a simulation, of which a keyframe is only a part."""

import io
import os
import zipfile
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from strand.errors import StrandError, reason
from strand.io.files import write_bytes
from strand.readout.joints import stabilize_all
from strand.readout.readout import check_pair, instances

_SPEC = mujoco.mjtState.mjSTATE_INTEGRATION
_SIZES = ("nq", "nv", "na", "nbody", "nmocap", "npluginstate")


def save_state(path: str | os.PathLike, model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Writes the complete state of a simulation (mjSTATE_INTEGRATION) as .npz, atomically.

    Unlike a keyframe it contains the number of full turns of twist, which is part of the plugin's
    state and not of qpos.
    """
    check_pair(model, data)
    buffer = io.BytesIO()
    np.savez(buffer, state=_state(model, data), **_signature(model))
    write_bytes(path, buffer.getvalue())


def load_state(path: str | os.PathLike, model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Loads a state from `save_state` into `data` and runs mj_forward.

    Readouts are then current, and the simulation continues bitwise equal. What stabilises cables
    that strand.set_material has made stiffer is raised in `model`, as that function does. Raises
    StrandError, and leaves both unchanged, if the file cannot be read or belongs to a model of
    other sizes or cables.
    """
    check_pair(model, data)
    saved = _read(path)
    for field, here in _signature(model).items():
        there = saved.get(field)
        if there is None or not np.array_equal(there, here):
            raise StrandError(f"{field} of {str(path)!r}: got {_text(there)}, allowed: {here} here")
    state, size = saved.get("state"), mujoco.mj_stateSize(model, _SPEC)
    if state is None or state.dtype != np.float64 or state.shape != (size,):
        shape = None if state is None else f"{state.dtype} of shape {state.shape}"
        raise StrandError(
            f"state of {str(path)!r}: got {shape}, allowed: float64 of shape ({size},), as in "
            f"MuJoCo {mujoco.mj_versionString()} for this model"
        )
    mujoco.mj_setState(model, data, state, _SPEC)
    stabilize_all(model, data)
    mujoco.mj_forward(model, data)
    # mj_forward has changed the warm start of the constraint solver.
    mujoco.mj_setState(model, data, state, _SPEC)


def _state(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    state = np.empty(mujoco.mj_stateSize(model, _SPEC))
    mujoco.mj_getState(model, data, state, _SPEC)
    return state


def _signature(model: mujoco.MjModel) -> dict[str, Any]:
    """Properties of a model that must agree to load its state; MuJoCo's version may differ."""
    return {name: getattr(model, name) for name in _SIZES} | {"cables": instances(model)}


def _read(path: str | os.PathLike) -> dict[str, np.ndarray]:
    try:
        with np.load(io.BytesIO(Path(path).read_bytes()), allow_pickle=False) as archive:
            return dict(archive)
    except (OSError, ValueError, EOFError, AttributeError, TypeError, zipfile.BadZipFile) as error:
        raise StrandError(
            f"state file: got {str(path)!r}, allowed: a file of strand.save_state ({reason(error)})"
        ) from None


def _text(value: np.ndarray | None) -> object:
    return "nothing" if value is None else value.tolist()
