"""Differences between MuJoCo versions that affect this package.

plugin/mujoco/adapter/mujoco_versions.h lists the differences for the adapters.
"""

import mujoco
import numpy as np

from strand.errors import StrandError

#: MuJoCo has the integrator `discrete` from 3.13 on.
HAS_DISCRETE = hasattr(mujoco.mjtIntegrator, "mjINT_DISCRETE")

#: The flag (mjtEnableBit) of speculative contacts, from 4.0 on; 0 before.
SPECULATIVE = int(getattr(mujoco.mjtEnableBit, "mjENBL_SPECULATIVE", 0))

#: The integrator that solves constraints and damping best; the generator chooses the same one.
BEST_INTEGRATOR = "discrete" if HAS_DISCRETE else "Euler"


def discrete(what: str) -> mujoco.mjtIntegrator:
    """The integrator `discrete`, which `what` needs. Raises StrandError if MuJoCo lacks it."""
    if not HAS_DISCRETE:
        raise StrandError(
            f"{what}: got MuJoCo {mujoco.mj_versionString()}, "
            "allowed: MuJoCo 3.13 or newer, which has the integrator discrete"
        )
    return mujoco.mjtIntegrator.mjINT_DISCRETE


def is_discrete(option: mujoco.MjOption) -> bool:
    return HAS_DISCRETE and option.integrator == mujoco.mjtIntegrator.mjINT_DISCRETE


def full_mass_matrix(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    """The dense mass matrix, shape (nv, nv); kg, kg m and kg m^2."""
    full = np.zeros((model.nv, model.nv))
    if hasattr(data, "qM"):  # older versions take the sparse matrix as an argument
        mujoco.mj_fullM(model, full, data.qM)
    else:
        mujoco.mj_fullM(model, data, full)
    return full
