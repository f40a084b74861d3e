"""A soft rope that is lowered onto the floor coils up on itself."""

import mujoco
import numpy as np
import pytest
from support.engine import needs_quadratic_damping
from support.touch import FLOOR, STICKY, UPRIGHT, each_recipe, scene, start, steps

import strand

pytestmark = pytest.mark.slow

LENGTH, RADIUS = 1.5, 0.0025
YOUNG, DENSITY = 1e6, 1000.0
BENDING = YOUNG * np.pi / 4 * RADIUS**4  #: N m^2
WEIGHT = DENSITY * 9.81 * np.pi * RADIUS**2  #: N/m
SPEED, STOPS = 0.4, 0.15  #: m/s, and the height (m) above the floor at which the upper end stops
TAIL = 0.3  #: m of rope below the upper end that do not belong to the pile


def footprint(data: mujoco.MjData, links: int) -> float:
    """The largest distance (m) of a node of the pile from the middle of the pile."""
    piled = range(round(links * TAIL / LENGTH), links + 1)
    nodes = np.array([data.site(f"cable_node{k}").xpos[:2] for k in piled])
    return np.linalg.norm(nodes - nodes.mean(axis=0), axis=1).max()


@needs_quadratic_damping
@each_recipe
@pytest.mark.parametrize("links", [80, 40])
def test_a_rope_piles_up_where_it_is_lowered(integrator: str, timestep: float, links: int) -> None:
    """The process is chaotic; the core's pile of 80 edges reaches 0.15 m. Joints with too much loss
    lay the rope in long folds, up to 0.38 m."""
    spec = scene(integrator, timestep, FLOOR.replace("/>", ' friction=".3"/>'), option=STICKY)
    s = np.linspace(0, 1, links + 1)
    nodes = strand.straight(LENGTH, links)
    nodes[:, 1:] = 1.5e-3 * np.stack([np.sin(np.pi * s), np.sin(2 * np.pi * s)], axis=1)
    rope = strand.Cable(
        nodes,
        young=YOUNG,
        shear=YOUNG / 3,
        density=DENSITY,
        radius=RADIUS,
        friction=0.3,
        rest="straight",
        start="mocap",
    )
    top = LENGTH + 0.02
    recipe = strand.attach(spec, rope, pos=(0, 0, top), quat=UPRIGHT)
    assert recipe.recommended_links == np.ceil(2 * LENGTH / (BENDING / WEIGHT) ** (1 / 3)) == 56
    assert ("56 links or more" in str(recipe)) == (links < 56)
    model, data = start(spec)
    for _ in steps(model, (top - STOPS) / SPEED + 1.0):
        data.mocap_pos[0, 2] = max(top - SPEED * data.time, STOPS)
        mujoco.mj_step(model, data)
    assert data.warning.number.sum() == 0
    mujoco.mj_kinematics(model, data)
    assert 0.1 < footprint(data, links) < 0.23
