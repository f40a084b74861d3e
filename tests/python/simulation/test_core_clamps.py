"""Clamps as units: they fix a node and a direction, move and turn, and hide their parts."""

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from strand import StrandError, meshes, straight
from strand.scene import file as scene_file
from strand.simulation import Network, Simulation

LENGTH, SEGMENTS = 1.0, 20
WEIGHTLESS = {"gravity": (0, 0, 0), "dt": 5e-3}


def cantilever(end: str = "start", **options):
    network = Network()
    rod = network.rod(straight(LENGTH, SEGMENTS), young=1e7, radius=0.01, density=1000)
    network.clamp(rod, end)
    return Simulation(network, **options), rod


def over(duration: float, values) -> object:
    """A function that rises linearly from 0 to `values` in `duration` (s), then is constant."""
    return lambda t: min(t / duration, 1.0) * np.asarray(values, float)


def test_a_clamp_fixes_its_node_and_supports_the_weight() -> None:
    simulation, rod = cantilever()
    simulation.solve()
    assert simulation.positions[0].tolist() == [0, 0, 0]
    weight = 1000 * np.pi * 0.01**2 * LENGTH * 9.81
    np.testing.assert_allclose(simulation.reactions.sum(axis=0), (0, 0, weight), atol=1e-6)
    np.testing.assert_allclose(  # includes the half edge lumped at the node
        simulation.reactions[rod.nodes[0]], (0, 0, weight), rtol=1e-6, atol=1e-6
    )


@pytest.mark.parametrize("end", ["start", "end"])
def test_a_clamp_supports_moments(end: str) -> None:
    simulation, rod = cantilever(end)
    free, held = rod.nodes[-1 if end == "start" else 0], rod.nodes[0 if end == "start" else -1]
    simulation.load_node(free, (0, 0.02, 0))
    simulation.load_spin(rod.edges[-1 if end == "start" else 0], 0.01)
    simulation.solve()
    where, mass = simulation.positions, 1000 * np.pi * 0.01**2 * LENGTH / SEGMENTS
    weight = np.full(SEGMENTS + 1, mass * 9.81)
    weight[[0, -1]] /= 2
    loads = np.column_stack([0 * weight, 0 * weight, -weight])
    loads[free, 1] += 0.02
    edge = where[rod.nodes[-1]] - where[rod.nodes[-2]]
    if end == "end":
        edge = where[rod.nodes[1]] - where[rod.nodes[0]]
    moment = np.cross(where - where[held], loads).sum(axis=0) + 0.01 * edge / np.linalg.norm(edge)
    np.testing.assert_allclose(simulation.clamp_moments[held], -moment, rtol=1e-5, atol=1e-6)
    assert np.abs(np.delete(simulation.clamp_moments, held, axis=0)).max() == 0


@pytest.mark.parametrize("end", ["start", "end"])
def test_a_clamp_moves_with_its_node(end: str) -> None:
    simulation, rod = cantilever(end, **WEIGHTLESS)
    before = simulation.positions
    held = rod.nodes[0 if end == "start" else -1]
    simulation.move_node(held, over(0.5, (-0.06, 0.02, 0.05)))  # past its ghost node
    simulation.run(0.5)
    simulation.solve()
    moved = [[-0.06, 0.02, 0.05]] * (SEGMENTS + 1)
    np.testing.assert_allclose(simulation.positions - before, moved, atol=1e-8)
    simulation.move_node(held, lambda t: (0.04, 0, 0))  # and from there, in one jump
    simulation.run(0.1)
    np.testing.assert_allclose(simulation.positions[held] - before[held], (-0.02, 0.02, 0.05))


@pytest.mark.parametrize("end", ["start", "end"])
@pytest.mark.parametrize(
    "turn", [(0, 0.0, 2.4), (0.0, -1.0, 0.0), (0.7, 0, 0), (1.0, 0.8, -1.5), (7.0, 0, 0)]
)
def test_a_clamp_turns_as_a_rigid_body(end: str, turn) -> None:
    simulation, rod = cantilever(end, viscosity=2.0, **WEIGHTLESS)
    before, m1 = simulation.positions, simulation.directors
    simulation.turn_clamp(rod, end, over(1.0, turn))
    simulation.run(1.0)
    simulation.solve()
    rotation, pivot = Rotation.from_rotvec(turn), before[0 if end == "start" else -1]
    expected = pivot + rotation.apply(before - pivot)
    np.testing.assert_allclose(simulation.positions, expected, atol=1e-7)
    np.testing.assert_allclose(simulation.directors, rotation.apply(m1), atol=1e-6)


def test_too_sharp_a_turn_is_rejected() -> None:
    simulation, rod = cantilever(**WEIGHTLESS)
    simulation.turn_clamp(rod, "start", lambda t: (0, 0, np.pi))
    with pytest.raises(StrandError, match="turn: got 180 degrees in a step, allowed: less than"):
        simulation.step()
    other, rod = cantilever(**WEIGHTLESS)
    with pytest.raises(
        StrandError, match="end: got 'end' of rod 0, allowed: ends that are clamped"
    ):
        other.turn_clamp(rod, "end", lambda t: (0, 0, 1))


def test_a_clamped_side_of_a_shell_moves_with_its_nodes() -> None:
    network = Network()
    vertices, triangles = meshes.strip(length=0.1, width=0.04, size=0.01)
    sheet = network.shell(vertices, triangles, young=1e7, thickness=1e-3, density=1200)
    held = np.flatnonzero(vertices[:, 0] < 1e-9)
    network.clamp_shell(sheet, [e for e in sheet.rim if np.isin(sheet.edge_nodes[e], held).all()])
    simulation = Simulation(network, **WEIGHTLESS)
    before = simulation.positions
    assert len(before) == len(vertices)
    simulation.move_node(held, over(0.2, (0.0, 0.0, 0.05)))
    simulation.run(0.2)
    simulation.solve()
    np.testing.assert_allclose(
        simulation.positions - before, [[0, 0, 0.05]] * len(before), atol=1e-8
    )


def test_ghost_nodes_of_clamps_are_hidden(tmp_path: Path) -> None:
    network = Network()
    first = network.rod(straight(LENGTH, 4), young=1e7, radius=0.01, density=1000)
    network.clamp(first, "start")
    second = network.rod(
        straight(LENGTH, 4) + np.array([0, 1, 0]), young=1e7, radius=0.01, density=1000
    )
    network.clamp(second, "end")
    simulation = Simulation(network)
    assert (first.nodes, second.nodes) == ([0, 1, 2, 3, 4], [5, 6, 7, 8, 9])
    assert len(simulation.positions) == 10 and len(simulation.directors) == 8
    with simulation.record(tmp_path / "a.npz", series=("reaction", "velocity")):
        simulation.run(0.01)
    recorded = np.load(tmp_path / "a.npz")
    assert recorded["positions"].shape[1:] == (10, 3)
    np.testing.assert_array_equal(recorded["positions"][-1], simulation.positions)
    with pytest.raises(StrandError, match="node: got '10', allowed: 0 to 9"):
        simulation.fix_node(10)
    with pytest.raises(StrandError, match="another part after a simulation"):
        network.rod(straight(1.0, 3), young=1e7, radius=0.01, density=1000)


def test_wrong_clamps_are_rejected() -> None:
    network = Network()
    angle = np.linspace(0, 2 * np.pi, 9)[:-1]
    ring = network.rod(
        np.column_stack([np.cos(angle), np.sin(angle), 0 * angle]),
        young=1e7, radius=0.01, density=1000, closed=True,
    )  # fmt: skip
    with pytest.raises(StrandError, match="clamp: got 'a closed rod', allowed: rods with ends"):
        network.clamp(ring, "start")
    rod = network.rod(straight(1.0, 3) + np.array([0, 0, 1]), young=1e7, radius=0.01, density=1000)
    network.clamp(rod, "end")
    with pytest.raises(StrandError, match="clamp: got the end again, allowed: each end once"):
        network.clamp(rod, "end")


def test_clamps_move_and_turn_in_files() -> None:
    text = """
[simulation]
dt = 0.005
gravity = [0, 0, 0]
viscosity = 2.0
[[rod]]
name = "a"
young = 1e7
radius = 0.01
density = 1000.0
shape = { type = "straight", length = 1.0, segments = 20 }
[[clamp]]
rod = "a"
end = "start"
[[move]]
rod = "a"
nodes = 0
velocity = [0, 0, 0.1]
[[turn_clamp]]
rod = "a"
end = "start"
rate = [0, 0, 0.5]
"""
    simulation = scene_file.from_toml(text, Path()).simulation
    simulation.run(2.0)
    simulation.solve()
    at, tip = simulation.positions[0], simulation.positions[-1]
    np.testing.assert_allclose(at, (0, 0, 0.2), atol=1e-9)
    np.testing.assert_allclose(tip - at, (np.cos(1.0), np.sin(1.0), 0), atol=1e-7)
