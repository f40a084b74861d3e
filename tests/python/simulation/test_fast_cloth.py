"""Cloths that land at speed in long steps: each step has more pairs in reach than are looked at."""

from pathlib import Path

import numpy as np
from support.checkpoints import assert_continues_bitwise

from strand import meshes
from strand.simulation import Network, Simulation, obstacles

SIDE, THICKNESS, BALL = 0.3, 1e-3, 0.08  #: m


def landing() -> Simulation:
    """A sheet that flies at 8 m/s, .1 m per step, onto a ball on a floor."""
    network = Network()
    vertices, triangles = meshes.strip(SIDE, SIDE, 0.04)
    middle = vertices.mean(axis=0)
    network.shell(
        vertices - middle + np.array([0, 0, 2 * BALL + 0.05]),
        triangles,
        young=1e6,
        thickness=THICKNESS,
        density=300.0,
    )
    simulation = Simulation(network, dt=1.2e-2)
    simulation.add_floor(0.0, friction=0.3)
    simulation.add_obstacles([obstacles.sphere((0, 0, BALL), BALL)], friction=0.3)
    simulation.add_contact(friction=0.3)
    simulation.set_velocities(np.tile([0, 0, -8.0], (len(vertices), 1)))
    return simulation


def test_it_lands_and_continues_bitwise_from_its_checkpoint(tmp_path: Path) -> None:
    whole, _ = assert_continues_bitwise(landing, tmp_path, duration=0.096)
    heights = whole.positions[:, 2]
    assert heights.min() > 0.4 * THICKNESS
    apart = np.linalg.norm(whole.positions - [0, 0, BALL], axis=1) - BALL
    assert apart.min() > 0.4 * THICKNESS
    assert whole.kinetic_energy < 0.5 * landing().kinetic_energy
