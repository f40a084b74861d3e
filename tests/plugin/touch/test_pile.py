"""A soft rope that is lowered onto the floor coils up on itself."""

import mujoco
import numpy as np
import pytest
from support.touch import FLOOR, INTEGRATORS, STICKY, UPRIGHT, scene, start, steps

import strand

LENGTH, RADIUS = 1.5, 0.0025
SPEED, STOPS = 0.4, 0.15  #: m/s, and where above the floor (m) the upper end stops
TAIL = 0.3  #: m of rope below the upper end that are no part of the pile


def footprint(data: mujoco.MjData, links: int) -> float:
    """m: of the nodes in the pile, the farthest from their middle."""
    piled = range(round(links * TAIL / LENGTH), links + 1)
    nodes = np.array([data.site(f"cable_node{k}").xpos[:2] for k in piled])
    return np.linalg.norm(nodes - nodes.mean(axis=0), axis=1).max()


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_rope_piles_up_where_it_is_lowered(integrator: str) -> None:
    """Chaotic; the core's pile of 80 edges is 0.15 m wide. Stiff joints would lay it in long folds
    (0.38 m)."""
    links = 40
    spec = scene(integrator, 0.002, FLOOR.replace("/>", ' friction=".3"/>'), option=STICKY)
    s = np.linspace(0, 1, links + 1)
    nodes = strand.straight(LENGTH, links)
    nodes[:, 1:] = 1.5e-3 * np.stack([np.sin(np.pi * s), np.sin(2 * np.pi * s)], axis=1)
    rope = strand.Cable(
        nodes,
        young=1e6,
        shear=1e6 / 3,
        density=1000.0,
        radius=RADIUS,
        friction=0.3,
        rest="straight",
        start="mocap",
    )
    top = LENGTH + 0.02
    strand.attach(spec, rope, pos=(0, 0, top), quat=UPRIGHT)
    model, data = start(spec)
    for _ in steps(model, (top - STOPS) / SPEED + 1.0):
        data.mocap_pos[0, 2] = max(top - SPEED * data.time, STOPS)
        mujoco.mj_step(model, data)
    assert data.warning.number.sum() == 0
    mujoco.mj_kinematics(model, data)
    assert 0.1 < footprint(data, links) < 0.23
