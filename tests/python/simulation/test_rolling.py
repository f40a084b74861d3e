"""Friction acts on the surface of rods: they roll, and stick to each other."""

import numpy as np
import pytest

from strand import meshes
from strand.simulation import Network, Simulation, obstacles

RADIUS, LENGTH, GRAVITY = 0.005, 0.1, 9.81


def across(network: Network, normal: np.ndarray, height: float, edges: int = 10, **options):
    """A stiff rod along y, whose axis is at `height` over a slope through the origin."""
    nodes = np.zeros((edges + 1, 3)) + height * normal
    nodes[:, 1] = np.linspace(-LENGTH / 2, LENGTH / 2, edges + 1)
    return network.rod(nodes, young=1e9, radius=RADIUS, density=1000, **options)


def slope(angle: float) -> tuple[np.ndarray, np.ndarray]:
    """The normal of the slope and its downward direction."""
    sine, cosine = np.sin(angle), np.cos(angle)
    return np.array([sine, 0, cosine]), np.array([cosine, 0, -sine])


def acceleration(simulation: Simulation, nodes: list[int], down: np.ndarray) -> float:
    """Acceleration down the slope, once the rod rests on it."""
    simulation.run(0.1)
    before = simulation.velocities[nodes].mean(axis=0) @ down
    simulation.run(0.2)
    return (simulation.velocities[nodes].mean(axis=0) @ down - before) / 0.2


# A cylinder rolls with a = g sin(alpha) / (1 + 1/2) if mu > tan(alpha) / 3, else it slides.
@pytest.mark.parametrize("law", ["anchored", "regularised"])
@pytest.mark.parametrize(("angle", "mu"), [(0.1, 0.5), (0.3, 0.11), (0.3, 0.09), (0.6, 0.1)])
@pytest.mark.parametrize("edges", [3, 10])
def test_a_rod_rolls_down_a_slope(angle: float, mu: float, law: str, edges: int) -> None:
    normal, down = slope(angle)
    network = Network()
    rod = across(network, normal, RADIUS, edges)
    simulation = Simulation(network)
    simulation.add_obstacles([obstacles.plane((0, 0, 0), normal)], friction=mu, law=law)
    rolls = GRAVITY * np.sin(angle) / 1.5
    slides = GRAVITY * (np.sin(angle) - mu * np.cos(angle))
    assert acceleration(simulation, rod.nodes, down) == pytest.approx(max(rolls, slides), rel=1e-3)
    speed = simulation.velocities.mean(axis=0) @ down
    spin = simulation.core.velocity[simulation.spin_dofs(rod.edges)] * RADIUS
    if rolls > slides:
        np.testing.assert_allclose(spin, speed, rtol=0.01)
    else:
        assert (spin < 0.95 * speed).all()


def test_friction_on_the_axis_prevents_rolling() -> None:
    normal, down = slope(0.3)
    network = Network()
    rod = across(network, normal, RADIUS)
    simulation = Simulation(network)
    plane = obstacles.plane((0, 0, 0), normal)
    simulation.add_obstacles([plane], friction=0.5, rolling=False)
    assert abs(acceleration(simulation, rod.nodes, down)) < 1e-6


# On a round obstacle the edges are in contact; in a tilted trough of two bars the rod rolls on
# both.
def test_a_rod_rolls_on_bars() -> None:
    normal, down = slope(0.2)
    side = np.array([0.0, 0.03, 0.0])
    bars = [
        obstacles.capsule(
            -0.1 * down + s * side - 0.004 * normal, 0.4 * down + s * side - 0.004 * normal, 0.004
        )
        for s in (-1, 1)
    ]
    network = Network()
    rod = across(network, normal, RADIUS, 9)
    simulation = Simulation(network)
    simulation.add_obstacles(bars, friction=0.5)
    expected = GRAVITY * np.sin(0.2) / 1.5
    assert acceleration(simulation, rod.nodes, down) == pytest.approx(expected, rel=2e-3)


# It also rolls on fixed rods, and on a fixed sheet, where the sheet's surface gives the lever arm.
@pytest.mark.parametrize("kind", ["rods", "sheet"])
def test_a_rod_rolls_on_rods_and_sheets(kind: str) -> None:
    normal, down = slope(0.2)
    network = Network()
    if kind == "rods":
        held = []
        for y in (-0.031, 0.03):
            line = np.linspace(-0.1, 0.4, 14)[:, None] * down + (0, y, 0) - 0.003 * normal
            held += network.rod(line, young=1e9, radius=0.003, density=1000).nodes
        height = RADIUS
    else:
        vertices, triangles = meshes.strip(0.5, 0.12, 0.05)
        placed = np.outer(vertices[:, 0] - 0.1, down) + (vertices[:, 1:2] - 0.06) * (0, 1, 0)
        sheet = {"young": 1e8, "thickness": 4e-4, "density": 1000}
        held = network.shell(placed, triangles, **sheet).nodes
        height = RADIUS + 2e-4
    rod = across(network, normal, height + 1e-5, 9)
    simulation = Simulation(network)
    simulation.fix_node(held)
    simulation.add_contact(friction=0.5, tolerance=2e-4)
    expected = GRAVITY * np.sin(0.2) / 1.5
    assert acceleration(simulation, rod.nodes, down) == pytest.approx(expected, rel=0.01)


def on_rails(angle: float, mu: float, law: str | None) -> tuple[Simulation, list[int], np.ndarray]:
    """A rod that cannot spin, on two fixed rods down a slope."""
    normal, down = slope(angle)
    network = Network()
    held = []
    for y in (-0.031, 0.03):
        line = np.linspace(-0.1, 0.4, 14)[:, None] * down + (0, y, 0) - 0.003 * normal
        held += network.rod(line, young=1e9, radius=0.003, density=1000).edges
    rod = across(network, normal, RADIUS + 1e-5, 9)
    simulation = Simulation(network)
    simulation.fix_edge(held)
    simulation.fix_spin(rod.edges)
    simulation.add_contact(friction=mu, law=law, tolerance=3e-4)
    return simulation, rod.nodes, down


# Rods stick to each other without creep, and slide at mu.
def test_rods_stick_to_rods() -> None:
    angle = 0.3
    simulation, nodes, down = on_rails(angle, 1.05 * np.tan(angle), None)
    simulation.run(0.3)
    start = simulation.positions[nodes] @ down
    simulation.run(0.7)
    assert np.abs(simulation.positions[nodes] @ down - start).max() < 1e-7
    simulation, nodes, down = on_rails(angle, 0.5 * np.tan(angle), None)
    expected = 0.5 * GRAVITY * np.sin(angle)
    assert acceleration(simulation, nodes, down) == pytest.approx(expected, rel=0.01)
    simulation, nodes, down = on_rails(angle, 1.05 * np.tan(angle), "regularised")
    simulation.run(0.3)
    start = simulation.positions[nodes] @ down
    simulation.run(0.7)
    assert (simulation.positions[nodes] @ down - start > 1e-5).all()  # it creeps


# Sticking contacts are part of the state.
def test_sticking_continues_after_a_restart(tmp_path) -> None:
    straight, _, _ = on_rails(0.3, 0.4, None)
    straight.run(0.3)
    straight.save(tmp_path / "state.npz")
    again, _, _ = on_rails(0.3, 0.4, None)
    again.load(tmp_path / "state.npz")
    straight.run(0.1)
    again.run(0.1)
    np.testing.assert_array_equal(again.core.q, straight.core.q)
