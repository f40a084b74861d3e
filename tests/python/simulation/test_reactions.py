"""Reactions are forces of supports: in motion, too, all other nodes have none."""

import numpy as np
import pytest

from strand import straight
from strand.simulation import Network, Rod, Simulation

WEIGHT = 1000 * np.pi * 0.01**2 * 9.81


def of_rod(**options) -> tuple[Simulation, Rod]:
    network = Network()
    rod = network.rod(straight(1.0, 20), young=1e7, radius=0.01, density=1000)
    return Simulation(network, **options), rod


def momentum(simulation: Simulation) -> np.ndarray:
    masses = np.full(21, 1000 * np.pi * 0.01**2 / 20)
    masses[[0, -1]] /= 2
    return masses @ simulation.velocities


def test_a_swinging_rod_pulls_at_its_support_alone() -> None:
    simulation, rod = of_rod(dt=1e-3)
    simulation.fix_node(rod.nodes[0])
    simulation.run(0.2)
    before = momentum(simulation)
    simulation.step()
    reactions = simulation.reactions
    simulation.step()
    assert not reactions[1:].any()
    expected = (momentum(simulation) - before) / 2e-3 + [0, 0, WEIGHT]
    np.testing.assert_allclose(reactions[0], expected, rtol=0, atol=0.01 * WEIGHT)
    assert np.linalg.norm(expected - [0, 0, WEIGHT]) > 0.2 * WEIGHT


def test_nothing_supports_a_falling_rod() -> None:
    simulation, _ = of_rod(dt=1e-3)
    simulation.run(0.05)
    assert not simulation.reactions.any()


@pytest.mark.parametrize("across", [(0, 0, 1), (1, 0, 2)], ids=["axis", "inclined"])
def test_guides_are_supports(across: tuple[float, ...]) -> None:
    simulation, rod = of_rod(dt=1e-2)
    simulation.fix_node(rod.nodes[0])
    simulation.fix_node(rod.nodes[10], "z")
    (guide,) = simulation.slide_node(rod.nodes[-1], across=across)
    simulation.solve()
    reactions = simulation.reactions
    np.testing.assert_allclose(reactions[-1], guide.force, atol=1e-12)
    np.testing.assert_allclose(reactions.sum(axis=0), [0, 0, WEIGHT], atol=1e-5)
    assert not np.delete(reactions, [0, 10, 20], axis=0).any() and not reactions[10, :2].any()


def test_a_clamp_pulls_before_the_first_step() -> None:
    network = Network()
    rod = network.rod(straight(1.0, 20), young=1e7, radius=0.01, density=1000)
    network.clamp(rod, "start")
    simulation = Simulation(network, gravity=(0, 0, 0))
    simulation.place(rod, 1.01 * simulation.positions)
    tension = 1e7 * np.pi * 0.01**2 * 0.01
    np.testing.assert_allclose(simulation.reactions[0], [-tension, 0, 0], rtol=1e-9)


def test_a_placed_guide_leads_through_the_new_position() -> None:
    """It pulled the node back to the line through the old one."""
    simulation, rod = of_rod(dt=1e-3, gravity=(0, 0, 0))
    simulation.fix_node(rod.nodes[0])
    (guide,) = simulation.slide_node(rod.nodes[-1], along=(1, 1, 0))
    simulation.place(rod, simulation.positions + np.linspace(0, 1, 21)[:, None] * (0.1, 0, 0))
    assert guide.force == pytest.approx([0, 0, 0], abs=1e-9)
    simulation.solve()
    assert guide.force == pytest.approx([0, 0, 0], abs=1e-6)
    # The unstretched rod ends where a circle about its start meets the line through (1.1, 0).
    x, y, _ = simulation.positions[-1]
    assert x - y == pytest.approx(1.1, abs=1e-6) and np.hypot(x, y) == pytest.approx(1, abs=1e-6)
