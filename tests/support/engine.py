"""What the MuJoCo that the tests run with has; tests that need more of it say so."""

import mujoco
import pytest

from strand.mujoco_versions import BEST_INTEGRATOR, HAS_DISCRETE

needs_discrete = pytest.mark.skipif(
    not HAS_DISCRETE, reason=f"MuJoCo {mujoco.mj_versionString()} has no integrator discrete"
)
_VERSION = tuple(map(int, mujoco.mj_versionString().split(".")))
#: Shadows of older versions also fall on the flat shapes that cast them.
needs_clean_shadows = pytest.mark.skipif(
    _VERSION < (3, 17, 0), reason=f"shadows of MuJoCo {mujoco.mj_versionString()} are spotted"
)
#: Before 3.7 MuJoCo's connect and weld leave out the acceleration that velocities make (dJ/dt v):
#: what swings hard draws them apart by millimetres.
needs_firm_constraints = pytest.mark.skipif(
    _VERSION < (3, 7, 0),
    reason=f"constraints of MuJoCo {mujoco.mj_versionString()} give way to what swings",
)
needs_decoders = pytest.mark.skipif(
    _VERSION < (3, 17, 0), reason=f"MuJoCo {mujoco.mj_versionString()} has no decoders"
)
#: Of a test's parameters.
DISCRETE = pytest.param("discrete", marks=needs_discrete)
#: As an mjSpec's or mjModel's option takes it.
BEST = getattr(mujoco.mjtIntegrator, f"mjINT_{BEST_INTEGRATOR.upper()}")
