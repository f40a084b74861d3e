"""Features of the MuJoCo that runs the tests; tests that need more are marked accordingly."""

import mujoco
import pytest

from strand.flex.check import supported
from strand.mujoco_versions import BEST_INTEGRATOR, HAS_DISCRETE, SPECULATIVE

needs_discrete = pytest.mark.skipif(
    not HAS_DISCRETE, reason=f"MuJoCo {mujoco.mj_versionString()} has no integrator discrete"
)
_VERSION = tuple(map(int, mujoco.mj_versionString().split(".")))
needs_flex = pytest.mark.skipif(
    not supported(), reason=f"MuJoCo {mujoco.mj_versionString()} has no flex that is a rod"
)
#: In older versions shadows also fall on the flat shapes that cast them.
needs_clean_shadows = pytest.mark.skipif(
    _VERSION < (3, 17, 0), reason=f"shadows of MuJoCo {mujoco.mj_versionString()} are spotted"
)
#: Before 3.7, MuJoCo's connect and weld omit the acceleration due to velocities (dJ/dt v): fast
#: swinging pulls them apart by millimetres.
HAS_FIRM_CONSTRAINTS = _VERSION >= (3, 7, 0)
needs_firm_constraints = pytest.mark.skipif(
    not HAS_FIRM_CONSTRAINTS,
    reason=f"constraints of MuJoCo {mujoco.mj_versionString()} yield to fast swinging",
)
needs_pieces = pytest.mark.skipif(
    not HAS_FIRM_CONSTRAINTS,
    reason=f"cables of MuJoCo {mujoco.mj_versionString()} are one tree, without cuts that give way",
)
#: Least mass (kg) and inertia (kg m^2) of bodies: what XML of older versions does not write as 0.
LEAST_INERTIAL = 1e-12 if _VERSION < (4, 0, 0) else 1e-14
#: Damping is a polynomial of the speed.
HAS_QUADRATIC_DAMPING = hasattr(mujoco.MjModel, "dof_dampingpoly")
needs_quadratic_damping = pytest.mark.skipif(
    not HAS_QUADRATIC_DAMPING,
    reason=f"MuJoCo {mujoco.mj_versionString()} can only damp linearly, which lays ropes in folds",
)
#: Contacts of two boxes have their whole depth (in older versions half of it).
needs_deep_boxes = pytest.mark.skipif(
    _VERSION < (3, 11, 0), reason=f"boxes of MuJoCo {mujoco.mj_versionString()} touch half as deep"
)
needs_decoders = pytest.mark.skipif(
    _VERSION < (3, 11, 0), reason=f"MuJoCo {mujoco.mj_versionString()} has no decoders"
)
#: True if what a decoder says of a file is MuJoCo's error; in older versions it is a warning.
DECODERS_GIVE_REASONS = _VERSION >= (3, 17, 0)
needs_sleep = pytest.mark.skipif(
    not hasattr(mujoco.mjtEnableBit, "mjENBL_SLEEP"),
    reason=f"MuJoCo {mujoco.mj_versionString()} has no sleep",
)
HAS_SPECULATION = SPECULATIVE != 0
needs_speculation = pytest.mark.skipif(
    not HAS_SPECULATION,
    reason=f"MuJoCo {mujoco.mj_versionString()} has no speculative contacts",
)
#: The integrator `discrete` as a test parameter.
DISCRETE = pytest.param("discrete", marks=needs_discrete)


def numbered(integrator: str) -> mujoco.mjtIntegrator:
    """An integrator as an option of mjSpec or mjModel."""
    return getattr(mujoco.mjtIntegrator, f"mjINT_{integrator.upper()}")


#: The best integrator of this version.
BEST = numbered(BEST_INTEGRATOR)
