"""A thin cable that falls on a ball and rolls off it.

In one tree such a cable gains energy without bound: MuJoCo holds the velocities of the links during
a step, and an arm of half a metre hangs on a root that rolls by a tenth of a radian in it.
"""

import mujoco
import pytest
from support.engine import HAS_SPECULATION, needs_firm_constraints
from support.touch import RUBBER, STICKY, deepest, each_recipe, scene, start, steps

import strand

pytestmark = [pytest.mark.slow, needs_firm_constraints]

BALL, RADIUS = 0.2, 0.002  #: m


@each_recipe
@pytest.mark.parametrize("aside", [0.001, 0.01])
def test_a_cable_rolls_off_a_ball(integrator: str, timestep: float, aside: float) -> None:
    spec = scene(integrator, timestep, f'<geom type="sphere" size="{BALL}"/>', option=STICKY)
    cable = strand.Cable(strand.straight(1.0, 100), radius=RADIUS, **RUBBER)
    strand.attach(spec, cable, pos=(-0.5, aside, BALL + 0.06))
    model, data = start(spec)
    model.opt.enableflags |= int(mujoco.mjtEnableBit.mjENBL_ENERGY)

    def energy() -> float:
        mujoco.mj_forward(model, data)
        return float(data.energy.sum()) + strand.energy(model, data)

    before, weight = energy(), 9.81 * model.body_mass.sum()
    depth = 0.0
    for step in steps(model, 1.5):
        mujoco.mj_step(model, data)
        depth = max(depth, deepest(model, data))
        if step % 50 == 0:
            assert energy() < before + 0.02 * weight
    assert data.warning.number.sum() == 0
    # It hits the ball with 1 to 2 m/s, and at last at 4.
    assert depth < (2 * RADIUS if HAS_SPECULATION else BALL / 10)
