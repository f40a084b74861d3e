"""Files with cables that are fed: the viewer feeds them."""

from pathlib import Path

import mujoco
import numpy as np
import pytest
from support.display import ON_XVFB

import strand
from strand.viewer.opening import of_cable, open_file

pytestmark = ON_XVFB

ROPE = strand.Cable(
    strand.straight(2.0, 20), EI=0.01, GJ=0.01, radius=0.004, density=1500, start="feed", fed=0.5
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A rope that falls out of a crane."""
    spec = mujoco.MjSpec.from_string("""
    <mujoco>
      <option integrator="discrete" timestep="0.002"/>
      <worldbody>
        <body name="crane" pos="0 0 10" euler="0 90 0"> <geom type="box" size=".1 .1 .1"/> </body>
      </worldbody>
    </mujoco>""")
    strand.attach(spec, ROPE, body="crane")
    path = tmp_path / "crane.xml"
    path.write_text(spec.to_xml())
    return path


def fed_by_hand(file: Path, steps: int) -> mujoco.MjData:
    model = mujoco.MjModel.from_xml_path(str(file))
    data = mujoco.MjData(model)
    feeder = strand.Feeder(model, data)
    for _ in range(steps):
        mujoco.mj_step(model, data)
        feeder.update()
    return data


@pytest.mark.parametrize("resets", [False, True])
def test_steps_in_the_window_are_those_with_a_feeder(file: Path, resets: bool) -> None:
    opened = open_file(file)
    feed = opened.before_steps()
    assert feed is not None
    for step in range(150):
        if resets and step == 50:
            mujoco.mj_resetData(opened.model, opened.data)
        feed()
        mujoco.mj_step(opened.model, opened.data)
    opened.feeders[0].update()
    expected = fed_by_hand(file, 100 if resets else 150)
    assert opened.feeders[0].length > 0.55
    np.testing.assert_array_equal(opened.data.qpos, expected.qpos)


def test_the_window_feeds(file: Path) -> None:
    """As a chain slides off a table: what is inside moves along, so that l'' = g l / L."""
    opened = open_file(file)
    strand.view(opened, frames=18, size=(64, 48))
    assert opened.data.time == pytest.approx(0.3, abs=0.02)
    length = 0.5 * np.cosh(opened.data.time * np.sqrt(9.81 / 2))
    assert opened.feeders[0].length == pytest.approx(length, rel=0.005)


def test_what_is_inside_is_not_drawn(file: Path) -> None:
    for opened in (open_file(file), of_cable(ROPE)):
        geoms = opened.model.geom_bodyid
        links = [opened.model.body(f"cable_link{k}").id for k in range(10)]
        assert not opened.model.geom_rgba[np.isin(geoms, links), 3].any()
