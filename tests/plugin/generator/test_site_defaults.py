"""Cables do not take orientations from the scene's defaults of sites."""

import mujoco
import numpy as np
import pytest

import strand

LENGTH = 0.3  # m
SCENE = """<mujoco>
  <default><site {0}/><default class="arm"><site {0}/></default></default>
  <worldbody><body name="hand" pos="0 0 1" childclass="arm"/></worldbody>
</mujoco>"""


@pytest.mark.parametrize("default", ['euler="0 0 90"', 'xyaxes="0 1 0 -1 0 0"', 'zaxis="1 0 0"'])
@pytest.mark.parametrize("start", ["fixed", "weld"])
def test_the_clamp_keeps_its_direction(default: str, start: str) -> None:
    spec = mujoco.MjSpec.from_string(SCENE.format(default))
    spec.option.gravity = [0, 0, 0]
    cable = strand.Cable(
        strand.straight(LENGTH, 20),
        EI=1e-2,
        GJ=1e-2,
        start=start,
        start_to="hand" if start == "weld" else "",
        pos=(0, 0, 1) if start == "weld" else (0, 0, 0),
        gravity=(0, 0, 0),
    )
    strand.attach(spec, cable, "world" if start == "weld" else "hand")
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 200)
    tip = strand.profile(model, data).nodes[-1]
    assert tip == pytest.approx(np.array([LENGTH, 0, 1]), abs=1e-4)
