"""Soft rods that are thrown on a floor, with steps so long that Newton's method meets saddles."""

import re

import numpy as np
import pytest

import strand
from strand.simulation import Network, Simulation, SolverError


def thrown(seed: int) -> Simulation:
    """A helix, an arc or a straight rod of some kPa above a floor with friction."""
    random = np.random.default_rng(seed)
    length, segments = 10 ** random.uniform(-0.7, 0.1), int(random.integers(8, 30))
    radius = length * 10 ** random.uniform(-2.6, -1.5)
    shape = random.choice(["helix", "arc", "straight"])
    if shape == "helix":
        nodes = strand.helix(length / 8, length / 6, 1.5, segments)
    elif shape == "arc":
        nodes = strand.arc(length, random.uniform(2, 6), segments)
    else:
        nodes = strand.straight(length, segments)
    turn, _ = np.linalg.qr(random.normal(size=(3, 3)))
    nodes = nodes @ turn
    nodes[:, 2] += 1.5 * radius + random.uniform(0, 0.3) - nodes[:, 2].min()
    network = Network()
    rod = network.rod(
        nodes,
        young=10 ** random.uniform(3, 5),
        radius=radius,
        density=10 ** random.uniform(2.5, 3.7),
    )
    sim = Simulation(network, dt=10 ** random.uniform(-1.7, -1))
    sim.add_floor(friction=random.choice([0.1, 0.5, 1.0]), restitution=random.choice([0.5, 1.0]))
    velocities = np.zeros_like(sim.positions)
    velocities[rod.nodes] = random.normal(size=3) * random.choice([0, 2.0, 5.0])
    sim.set_velocities(velocities)
    return sim


CRUSHED = 14  # hits the floor faster than waves travel in it
NAMED = r"rod 0, edge \d+ crushed to \S+ of its length"


@pytest.mark.filterwarnings("ignore:restitution")
@pytest.mark.parametrize("seed", range(40))
def test_every_step_balances_and_makes_no_energy(seed: int) -> None:
    """The residual is a fraction of the largest force of a step."""
    sim = thrown(seed)
    start = sim.kinetic_energy + sim.potential_energy
    try:
        while sim.time < 1.0:
            assert sim.step().residual < 0.01
            assert sim.kinetic_energy + sim.potential_energy < 1.01 * start
    except SolverError as error:
        assert re.search(NAMED, str(error))


@pytest.mark.filterwarnings("ignore:restitution")
def test_a_rod_that_is_crushed_is_named() -> None:
    sim = thrown(CRUSHED)
    with pytest.raises(SolverError, match=NAMED):
        sim.run(1.0)
