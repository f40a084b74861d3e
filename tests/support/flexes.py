"""Frequencies of cables as chains and on flexes."""

import mujoco
import numpy as np

from strand_studies.validation.linearized import Linearized


def frequencies(model: mujoco.MjModel, spin: bool) -> np.ndarray:
    """Angular frequencies (rad/s) of bending (each occurs in both planes) or of twisting."""
    kind = model.jnt_type[model.dof_jntid]
    spins = kind == mujoco.mjtJoint.mjJNT_HINGE
    if not model.nflex:
        spins = np.arange(model.nv) % 3 == 0  # only the ball joints' x axes, along the links
    return Linearized(model, None, spins if spin else ~spins).modes()[0]
