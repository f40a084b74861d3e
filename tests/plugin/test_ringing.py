"""Where loads act on a point, the wide stencils of smooth curvature must not ring.

The moment has a kink there. Ringing would be waves of the curvature beside it.
"""

import mujoco
import numpy as np
import pytest
from support import cables
from support.engine import needs_discrete
from support.touch import STICKY, scene, start

import strand

MEASURES = ("angle", "smooth4", "smooth")


@needs_discrete
@pytest.mark.parametrize("measure", MEASURES)
def test_a_load_on_a_point(measure: str) -> None:
    """A cantilever loaded at its middle: the moment falls linearly to the load and is zero
    beyond."""
    EI, length, links, force = 0.02, 0.5, 40, 0.01
    options = {"EI": EI, "GJ": EI, "radius": 0.004, "gravity": (0, 0, 0), "loss_time": 0.5}
    cable = strand.Cable(
        strand.straight(length, links), start="fixed", collide=False, curvature=measure, **options
    )
    model, data = cables.load(cable)
    data.body("cable_link20").xfrc_applied[2] = force
    cables.settle(model, data, seconds=60, speed=1e-6)
    curvature = strand.profile(model, data).curvature  # at the nodes, the clamped one included
    arm = length / links * np.maximum(20.5 - np.arange(links), 0)
    expected = force * arm / EI
    assert np.abs(curvature - expected).max() < 0.005 * expected[0]


@needs_discrete
@pytest.mark.parametrize("measure", MEASURES)
def test_a_sharp_edge(measure: str) -> None:
    """A cable that hangs over the edge of a table, behind which it bends within a few links: from
    its largest value the curvature falls to either side without another wave."""
    table = '<geom type="box" size=".25 .2 .1" pos="-.25 0 -.1"/>'
    spec = scene("discrete", 0.002, table, option=STICKY)
    nodes = strand.straight(0.6, 60) + np.array([-0.453, 0, 0.004])
    rope = {"EI": 2e-4, "GJ": 2e-4, "radius": 0.004, "loss_time": 0.1, "friction": [1.0]}
    strand.attach(spec, strand.Cable(nodes, curvature=measure, **rope))
    model, data = start(spec)
    mujoco.mj_step(model, data, 5000)
    assert np.abs(data.qvel).max() < 2e-3
    curvature = strand.profile(model, data).curvature_binormal[:, 1]
    peak = int(curvature.argmax())
    assert curvature[peak] > 10
    assert (np.diff(curvature[peak - 9 : peak + 1]) > 0).all()  # before it the rope lifts off
    assert (np.diff(curvature[peak:]) < 0).all()
