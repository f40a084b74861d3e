"""MuJoCo's flag `sleep`: a cable at rest sleeps, and wakes for what acts on it."""

from typing import NamedTuple

import mujoco
import numpy as np
import pytest
from support.engine import BEST, needs_sleep

import strand
from strand import Cable

pytestmark = needs_sleep
RADIUS = 5e-3  # m
SCENE = """
<mujoco><option timestep="0.002"><flag sleep="enable"/></option>
<worldbody>
  <geom name="floor" type="plane" size="3 3 .1"/>
  <body name="ball" pos="0 0 .04"><freejoint/><geom type="sphere" size=".03" mass=".1"/></body>
</worldbody></mujoco>"""
AWAY = [0, 2, 0.03]  # m: where the ball waits, on the floor


class Scene(NamedTuple):
    model: mujoco.MjModel
    data: mujoco.MjData

    def ball(self) -> np.ndarray:
        """Its position, writable."""
        return self.data.joint(self.model.body_jntadr[self.model.body("ball").id]).qpos[:3]

    def asleep(self) -> bool:
        """Whether all of the cable sleeps."""
        ball = self.model.body_treeid[self.model.body("ball").id]
        return bool((np.delete(self.data.tree_asleep, ball) >= 0).all())

    def steps(self, number: int) -> None:
        mujoco.mj_step(self.model, self.data, number)
        assert not self.data.warning.number.any()


@pytest.fixture(params=["free", "fixed"])
def scene(request: pytest.FixtureRequest) -> Scene:
    """A cable that fell on the floor from its height, or from the wall, and fell asleep."""
    spec = mujoco.MjSpec.from_string(SCENE)
    spec.option.integrator = BEST
    pos = (-0.5, 0, 2 * RADIUS if request.param == "free" else 0.1)
    options = dict(EI=1e-2, GJ=8e-3, radius=RADIUS, density=1200, start=request.param)
    strand.attach(spec, Cable(strand.straight(1.0, 20), pos=pos, **options))
    model = spec.compile()
    scene = Scene(model, mujoco.MjData(model))
    scene.ball()[:] = AWAY
    scene.steps(3000)
    assert scene.asleep()
    return scene


def test_it_sleeps_where_it_would_rest(scene: Scene) -> None:
    scene.model.opt.enableflags = 0
    awake = Scene(scene.model, mujoco.MjData(scene.model))
    awake.ball()[:] = AWAY
    awake.steps(5000)
    assert not awake.asleep()
    moved = np.abs(awake.data.xpos - scene.data.xpos).max()
    assert 0 < moved < 0.2 * RADIUS
    energies = [strand.energy(scene.model, data) for data in (awake.data, scene.data)]
    assert energies[0] == pytest.approx(energies[1], rel=0.05, abs=1e-7)


def test_a_ball_that_drops_on_it_wakes_it(scene: Scene) -> None:
    scene.ball()[:] = [0.3, 0, 0.2]
    scene.steps(120)
    assert not scene.asleep()


def test_it_wakes_when_its_natural_curvature_changes(scene: Scene) -> None:
    before = scene.data.xpos.copy()
    strand.set_material(scene.model, scene.data, curvature=[0, 3])
    scene.steps(500)
    assert np.abs(scene.data.xpos - before).max() > 5 * RADIUS
    assert strand.material(scene.model, scene.data).curvature == (0, 3)
