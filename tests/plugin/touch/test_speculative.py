"""MuJoCo's flag `speculative`: fast cables do not pass through thin things."""

import mujoco
import numpy as np
import pytest
from support.engine import DISCRETE, needs_speculation
from support.touch import start, steps

import strand
from strand import Cable

RADIUS, BAR = 4e-3, 3e-3  # m
SCENE = """<mujoco>
<option timestep="0.002" gravity="0 0 0" integrator="{}"><flag speculative="enable"/></option>
<worldbody><geom type="capsule" fromto="0 -.5 0 0 .5 0" size="{}"/></worldbody></mujoco>"""


@needs_speculation
@pytest.mark.parametrize("integrator", [DISCRETE, "implicitfast", "Euler"])
@pytest.mark.parametrize("speed", [3.0, 6.0])  # m/s; without the flag it passes above 2.5 m/s
def test_a_cable_thrown_at_a_bar_is_caught(integrator: str, speed: float) -> None:
    spec = mujoco.MjSpec.from_string(SCENE.format(integrator, BAR))
    cable = Cable(strand.straight(0.6, 24), EI=5e-3, GJ=5e-3, radius=RADIUS, density=1200)
    strand.attach(spec, cable, pos=(-0.31, 0, 0.2))
    model, data = start(spec)
    free = model.jnt_dofadr[model.jnt_type == mujoco.mjtJoint.mjJNT_FREE]
    data.qvel[free + 2] = -speed
    for _ in steps(model, 0.5 / speed):
        mujoco.mj_step(model, data)
    assert not data.warning.number.any()
    nodes = strand.profile(model, data).nodes
    middle = nodes[np.abs(nodes[:, 0]) < 0.05]
    assert middle[:, 2].max() > 0.5 * (RADIUS + BAR)  # it lies over the bar
    assert nodes[[0, -1], 2].max() < -0.1
