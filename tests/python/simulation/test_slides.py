"""Nodes and clamps that slide: guides along any direction, planes of symmetry."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from strand import StrandError, meshes
from strand.scene import file as scene_file
from strand.simulation import Network, Simulation
from strand.simulation.network import Rod

YOUNG, RADIUS, LENGTH = 1e9, 5e-3, 1.0
EI, EA = YOUNG * np.pi * RADIUS**4 / 4, YOUNG * np.pi * RADIUS**2
WEIGHTLESS = {"gravity": (0, 0, 0)}
TURNED = [np.eye(3), Rotation.from_euler("xyz", [0.4, -1.1, 2.0]).as_matrix()]


def rod_between_clamps(turn: np.ndarray, edges: int = 20, **options) -> Simulation:
    network = Network()
    line = np.linspace(0, LENGTH, edges + 1)[:, None] * turn[:, 0]
    rod = network.rod(line, young=YOUNG, radius=RADIUS, density=1000)
    network.clamp(rod, "start")
    network.clamp(rod, "end")
    return Simulation(network, **WEIGHTLESS | options)


@pytest.mark.parametrize("turn", TURNED, ids=["axes", "turned"])
def test_a_clamp_that_slides_keeps_its_direction(turn: np.ndarray) -> None:
    simulation, force = rod_between_clamps(turn), 0.05
    start = simulation.positions
    (guide,) = simulation.slide_node(20, across=turn[:, 1])
    simulation.load_node(20, force * turn[:, 2])
    simulation.solve()
    moved = (simulation.positions - start) @ turn
    deflection = force * LENGTH**3 / (12 * EI)
    assert moved[20, 2] == pytest.approx(deflection, rel=6e-3)
    assert moved[10, 2] == pytest.approx(deflection / 2, rel=6e-3)
    assert moved[20, 1] == pytest.approx(0, abs=1e-9) and -1e-3 < moved[20, 0] < 0
    moment = simulation.clamp_moments[20] @ turn
    assert abs(moment[1]) == pytest.approx(force * LENGTH / 2, rel=5e-3)
    np.testing.assert_allclose(guide.force, 0, atol=1e-7 * force)  # as far as it has converged
    np.testing.assert_allclose(simulation.reactions[0] @ turn[:, 2], -force, rtol=1e-6)


@pytest.mark.parametrize("angle", [0.3, 0.8, np.pi / 2])
def test_an_inclined_guide_supports_forces_across_it(angle: float) -> None:
    network = Network()
    line = np.linspace(0, LENGTH, 41)[:, None] * [1.0, 0, 0]
    rod = network.rod(line, young=1e6, radius=0.05, density=1000)
    network.clamp(rod, "start")
    simulation = Simulation(network, **WEIGHTLESS)
    along = np.array([np.cos(angle), 0, np.sin(angle)])
    (guide,) = simulation.slide_node(40, along=along)
    area = np.pi * 0.05**2
    stretch, bend = 1e6 * area / LENGTH, 3e6 * area * 0.05**2 / 4 / LENGTH**3
    stiffness = stretch * along[0] ** 2 + bend * along[2] ** 2
    load = np.array([0, 0, 1e-5 * stiffness])
    simulation.load_node(40, load)
    simulation.solve()
    way = (simulation.positions[40] - [LENGTH, 0, 0]) @ along
    assert way == pytest.approx(load @ along / stiffness, rel=5e-3)
    spring = np.array([stretch * along[0], 0, bend * along[2]]) * way
    np.testing.assert_allclose(guide.force, spring - load, atol=0.01 * np.abs(load).max())
    assert abs(guide.force @ along) < 1e-9


# A ring pulled apart by F: its diameter grows by (pi / 4 - 2 / pi) F R^3 / EI (Timoshenko).
@pytest.mark.parametrize("turn", TURNED, ids=["axes", "turned"])
def test_a_quarter_of_a_ring_between_planes_of_symmetry(turn: np.ndarray) -> None:
    angle = np.linspace(0, np.pi / 2, 41)
    arc = np.column_stack([np.cos(angle), np.sin(angle), 0 * angle])
    network = Network()
    rod = network.rod(arc @ turn.T, young=YOUNG, radius=RADIUS, density=1000)
    network.clamp(rod, "start")
    network.clamp(rod, "end")
    simulation = Simulation(network, **WEIGHTLESS)
    simulation.slide_node(0, along=turn[:, 0])
    simulation.slide_node(40, along=turn[:, 1])
    force = 1e-3 * EI
    simulation.load_node(0, force / 2 * turn[:, 0])
    simulation.solve()
    moved = (simulation.positions - arc @ turn.T) @ turn
    assert 2 * moved[0, 0] == pytest.approx((np.pi / 4 - 2 / np.pi) * force / EI, rel=3e-3)
    assert -2 * moved[40, 1] == pytest.approx((2 / np.pi - 0.5) * force / EI, rel=3e-3)


@pytest.mark.parametrize("bending", ["mid_edge", "hinge"])
@pytest.mark.parametrize("turn", TURNED, ids=["axes", "turned"])
def test_half_a_strip_with_a_plane_of_symmetry(bending: str, turn: np.ndarray) -> None:
    """With fixed ends and a uniform load, the half behaves like the whole."""
    middle = []
    for part in (1.0, 0.5):
        rows = [0.5] if part == 1 else []
        vertices, triangles = meshes.strip(part, 0.25, 0.0625, "equilateral", rows)
        network = Network()
        sheet = network.shell(
            vertices @ turn.T,
            triangles,
            young=1e9,
            poisson=0.3,
            thickness=0.01,
            density=1000,
            bending=bending,
        )
        at = [np.flatnonzero(np.abs(vertices[:, 0] - x) < 1e-9) for x in (0.0, 0.5, 1.0)]
        ends = at[0] if part == 0.5 else np.concatenate([at[0], at[2]])
        rim = [e for e in sheet.rim if np.isin(sheet.edge_nodes[e], at[1]).all()]
        if part == 0.5:
            network.clamp_shell(sheet, rim)
        simulation = Simulation(network, gravity=-0.2 * turn[:, 2])
        simulation.fix_node(ends)
        if part == 0.5:
            simulation.slide_node(at[1], across=turn[:, 0])
        simulation.solve()
        moved = (simulation.positions - vertices @ turn.T) @ turn
        middle.append(moved[at[1]][np.argsort(vertices[at[1], 1])])
    assert abs(middle[0][:, 2].mean()) > 1e-4
    np.testing.assert_allclose(middle[1], middle[0], atol=2e-3 * np.abs(middle[0]).max())


def test_a_free_clamp_falls_and_does_not_turn() -> None:
    network = Network()
    rod = network.rod(
        np.linspace(0, 1, 11)[:, None] * [0.6, 0, 0.8], young=1e6, radius=0.01, density=1000
    )
    network.clamp(rod, "start")
    simulation = Simulation(network, dt=1e-3)
    simulation.release_node(0)
    simulation.run(0.5)
    np.testing.assert_allclose(simulation.velocities, [[0, 0, -9.81 * 0.5]] * 11, atol=1e-6)
    first = simulation.positions[1] - simulation.positions[0]
    np.testing.assert_allclose(first / np.linalg.norm(first), [0.6, 0, 0.8], atol=1e-9)


def test_a_sliding_clamp_can_be_turned() -> None:
    simulation = rod_between_clamps(np.eye(3))
    simulation.slide_node(20, across=(0, 1, 0))
    simulation.turn_clamp(Rod(0, simulation.network), "end", lambda t: (0, -min(t, 0.1) * 3, 0))
    for _ in range(100):
        simulation.step()
    simulation.run(0.1)
    simulation.solve()
    last = simulation.positions[20] - simulation.positions[19]
    # Free to slide, the rod bends to a circle that turns by .3 over its length.
    assert np.arctan2(last[2], last[0]) == pytest.approx(0.3 * (1 - 0.5 / 20), rel=0.01)
    assert simulation.positions[20, 2] == pytest.approx(0.15, rel=0.02)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "slide_node: got both or none of along and across"),
        ({"along": (1, 0, 0), "across": (0, 1, 0)}, "slide_node: got both or none"),
        ({"along": (0, 0, 0)}, r"along: got '\(0, 0, 0\)', allowed: a direction"),
        ({"across": (1, 0)}, "across: got"),
        ({"across": (1, float("nan"), 0)}, "across: got"),
    ],
)
def test_bad_guides_are_rejected(given: dict, words: str) -> None:
    with pytest.raises(StrandError, match=words):
        rod_between_clamps(np.eye(3)).slide_node(20, **given)


def test_a_scene_has_guides() -> None:
    text = """
[simulation]
duration = 0.1
gravity = [0, 0, 0]
[[rod]]
name = "a"
young = 1e9
radius = 0.005
density = 1000.0
shape = { type = "straight", length = 1.0, segments = 20 }
[[clamp]]
rod = "a"
end = "start"
[[fix]]
rod = "a"
nodes = 20
across = [1, 0, 1]
"""
    simulation = scene_file.from_toml(text).simulation
    simulation.load_node(20, (1.0, 0, 0.0))
    simulation.solve()
    moved = simulation.positions[20] - [1.0, 0, 0]
    assert abs(moved @ [1, 0, 1]) < 1e-6 < moved[0]
    both = text.replace("across = [1, 0, 1]", "across = [1, 0, 1]\nalong = [1, 0, 0]")
    with pytest.raises(StrandError, match="both or none of along and across"):
        scene_file.from_toml(both)
