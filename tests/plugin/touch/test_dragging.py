"""A cable that is dragged along the floor pulls with its friction, and its links do not hop.

With contacts that are firm at the surface (d = .95) MuJoCo's friction, which is associated, throws
sliding links up, and the hand that holds the end feels 2.7 times the friction at .1 m/s.
"""

import mujoco
import numpy as np
import pytest
from support.engine import needs_discrete
from support.touch import FLOOR, RUBBER, STICKY, each_recipe, scene, start, steps

import strand

FRICTION, LENGTH = 0.5, 1.0
RAMP, FIRST, END = 0.3, 1.0, 2.0  #: s: the hand's start, and when forces are averaged


def dragging_force(integrator: str, timestep: float, speed: float, **cable: float) -> float:
    """Mean force along the cable, in multiples of its friction mu m g, while a hand pulls it."""
    links = int(cable.pop("links", 40))
    spec = scene(integrator, timestep, FLOOR, option=STICKY)
    rope = strand.Cable(
        strand.straight(LENGTH, links), friction=FRICTION, start="mocap", **RUBBER, **cable
    )
    strand.attach(spec, rope, pos=(0, 0, cable["radius"]))
    model, data = start(spec)
    hold, along = model.equality("cable_hold_start").id, []
    for _ in steps(model, END):
        data.mocap_pos[0, 0] -= speed * timestep * min(1, data.time / RAMP)
        mujoco.mj_step(model, data)
        if data.time > FIRST:
            along.append(data.efc_force[: data.ne][data.efc_id[: data.ne] == hold][0])
    assert data.warning.number.sum() == 0
    return abs(np.mean(along)) / (FRICTION * 9.81 * model.body_mass.sum())


@each_recipe
@pytest.mark.parametrize(("radius", "links"), [(0.004, 40), (0.004, 20), (0.01, 40)])
def test_a_dragged_cable_pulls_with_its_friction(
    integrator: str, timestep: float, radius: float, links: int
) -> None:
    for speed in (0.02, 0.1):
        force = dragging_force(integrator, timestep, speed, radius=radius, links=links)
        assert force == pytest.approx(1, abs=0.05)


@needs_discrete
@pytest.mark.parametrize("timestep", (0.001, 0.002))
def test_dragging_a_thin_cable(timestep: float) -> None:
    for radius in (1e-4, 5e-4):
        force = dragging_force("discrete", timestep, 0.1, radius=radius)
        assert force == pytest.approx(1, abs=0.05)


@needs_discrete
@pytest.mark.parametrize("timestep", (0.001, 0.002))
def test_fast_dragging(timestep: float) -> None:
    force = dragging_force("discrete", timestep, 0.5, radius=0.004)
    assert force == pytest.approx(1, abs=0.12)
