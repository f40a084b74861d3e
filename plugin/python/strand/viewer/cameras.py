"""Cameras as arguments: MjvCamera objects, or names of cameras of a model."""

import copy

import mujoco
import numpy as np

from strand.errors import StrandError


def camera_of(model: mujoco.MjModel, given: mujoco.MjvCamera | str) -> mujoco.MjvCamera:
    """The camera that is meant. Raises StrandError if the model does not have it."""
    kinds = mujoco.mjtCamera
    if isinstance(given, mujoco.MjvCamera):
        there = {
            int(kinds.mjCAMERA_FREE): True,
            int(kinds.mjCAMERA_TRACKING): 0 <= given.trackbodyid < model.nbody,
            int(kinds.mjCAMERA_FIXED): 0 <= given.fixedcamid < model.ncam,
        }
        if not there.get(given.type, False):
            allowed = "a free one, or one with a trackbodyid or fixedcamid of the model"
            raise StrandError(f"camera: got a camera of type {given.type}, allowed: {allowed}")
        return copy.copy(given)
    names = [model.camera(index).name for index in np.arange(model.ncam)]
    if not given or given not in names:
        known = ", ".join(filter(None, names)) or "none"
        allowed = f"a mujoco.MjvCamera, or the name of a camera of the model ({known})"
        raise StrandError(f"camera: got {given!r}, allowed: {allowed}")
    view = mujoco.MjvCamera()
    view.type, view.fixedcamid = kinds.mjCAMERA_FIXED, names.index(given)
    return view
