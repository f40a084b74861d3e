"""Shells in scenes of `strand simulate`: what files describe, choose, and drive."""

from pathlib import Path

import numpy as np
import openpyxl
import pytest
from support.shell_scenes import (
    ATTACHED,
    CLAMPED,
    HEAD,
    HELD,
    MANTA,
    MATERIAL,
    MESH,
    MID_EDGE,
    ROD,
    SHELL,
    SPINE,
    WEIGHTLESS,
    make,
)
from typer.testing import CliRunner

from strand import meshes
from strand.cli import app
from strand.io import text_geometry
from strand.io.text_geometry import TextGeometry
from strand.scene import file as scene_file
from strand.simulation import Network, Shell, Simulation


def strip() -> tuple[np.ndarray, np.ndarray]:
    return meshes.strip(length=0.1, width=0.02, size=0.005)


@pytest.mark.parametrize("bending", ["hinge", "mid_edge"])
def test_a_file_makes_what_python_makes(bending: str) -> None:
    described = make(f'{HEAD}{SHELL}poisson = 0.2\nbending = "{bending}"\n{CLAMPED}')
    network = Network()
    vertices, triangles = strip()
    options = {"young": 1e9, "poisson": 0.2, "thickness": 1e-3, "density": 1000.0}
    shell = network.shell(vertices, triangles, **options, bending=bending)
    at_start = np.flatnonzero(vertices[:, 0] == 0)
    ends = np.isin(shell.edge_nodes, at_start).all(axis=1)
    network.clamp_shell(shell, np.flatnonzero(ends))
    hand_made = Simulation(network, dt=0.005, gravity=(0, 0, -9.81))
    hand_made.fix_node(np.array(shell.nodes)[at_start])
    for simulation in (described, hand_made):
        simulation.run(0.05)
    np.testing.assert_array_equal(described.positions, hand_made.positions)
    assert described.positions[shell.nodes, 2].min() < -1e-3


def test_a_clamped_strip_sags_as_a_beam() -> None:
    simulation = make(HEAD + MID_EDGE + CLAMPED)
    simulation.solve()
    nodes = simulation.network.core.shell(0).node
    sag = 1000 * 9.81 * 1e-3 * 0.1**4 / (8 * 1e9 * 1e-3**3 / 12)  # q L^4 / 8 EI, 1 m wide
    at_end = np.isclose(strip()[0][:, 0], 0.1)
    found = -simulation.positions[nodes][at_end, 2]
    np.testing.assert_allclose(found, sag, rtol=0.02)


def test_meshes_come_from_files_and_are_placed(tmp_path: Path) -> None:
    text_geometry.write(tmp_path / "sheet.txt", TextGeometry(strip()[0], triangles=strip()[1]))
    placed = "pos = [0, 0, 1]\nquat = [1, 0, 0, 1]\n"
    text = SHELL.replace(MESH, 'file = "sheet.txt"\n') + placed
    simulation = make(text, tmp_path)
    x, y, _ = strip()[0].T
    np.testing.assert_allclose(
        simulation.positions, np.column_stack([-y, x, np.ones(len(x))]), atol=1e-15
    )
    np.testing.assert_array_equal(simulation.positions, make(SHELL + placed).positions)


@pytest.mark.parametrize(
    ("mesh", "count"),
    [
        ('type = "hexagon", side = 1.0, divisions = 2', 24),
        ('type = "manta", divisions = 3', 18),
        ('type = "hemisphere", radius = 0.1, divisions = 1', 40),
        ('type = "strip", length = 1, width = 0.5, size = 0.5, family = "right_isosceles"', 4),
    ],
)
def test_every_mesh(mesh: str, count: int) -> None:
    simulation = make(SHELL.replace(MESH, f"mesh = {{ {mesh} }}\n"))
    assert len(simulation.network.triangles) == count


@pytest.mark.parametrize(("joint", "ribs"), [("rigid", 3), ("hinged", 0), ("published", 5)])
def test_rods_are_attached(joint: str, ribs: int) -> None:
    (corner,) = np.flatnonzero((strip()[0] == [0.1, 0, 0]).all(axis=1))
    text = ATTACHED + f'vertex = {corner}\njoint = "{joint}"\n'
    network = make(text).network
    assert network.core.rod(0).node[0] == network.core.shell(0).node[corner]
    triangles = (strip()[1] == corner).any(axis=1).sum()
    assert triangles == 2 and len(network.core.ribs) == ribs


def parachute(folder: Path, more: str = "") -> Simulation:
    text_geometry.write(folder / "parachute.txt", meshes.parachute(divisions=2, rope_edges=3))
    text = f'{HEAD}[geometry]\nfile = "parachute.txt"\npos = [0, 0, 5]\n{more}'
    text += "[geometry.rod]\nyoung = 1e7\nradius = 1e-3\ndensity = 1500\n"
    text += f'[geometry.shell]\n{MATERIAL}bending = "mid_edge"\n'
    return make(text + '[[load]]\nrod = "rod 3"\nnodes = 0\nforce = [0, 0, -1]\n', folder)


def test_a_file_of_rods_and_triangles_is_a_network(tmp_path: Path) -> None:
    simulation = parachute(tmp_path)
    core = simulation.network.core
    assert [len(core.rod(k).edge) for k in range(6)] == [3] * 6
    assert len(simulation.network.triangles) == 24 and core.shell(0).mid_edge
    assert simulation.positions[:, 2].max() == 5
    payload = core.rod(0).node[0]
    simulation.run(0.02)
    assert simulation.velocities[payload, 2] < -0.02 * 9.81 * 2  # also pulled down by the force
    assert parachute(tmp_path, 'joint = "hinged"\n').network.core.ribs == []


def test_regions_select_elements_inside() -> None:
    vertices = strip()[0]
    count = (vertices[:, 0] > 0.0949).sum()
    load = '[[load]]\nshell = "sheet"\nx = [0.095, inf]\nforce = [0, 0, 1e-4]\n'
    simulation = make(WEIGHTLESS + SHELL + CLAMPED + load)
    simulation.solve()
    np.testing.assert_allclose(simulation.reactions[:, 2].sum(), -count * 1e-4, rtol=1e-6)
    moving = make(
        SHELL
        + '[[velocity]]\nshell = "sheet"\nx = [0.04, 0.06]\ny = [0, 0]\nvelocity = [0, 0, 1]\n'
        + '[[move]]\nshell = "sheet"\nnodes = [0, 1, 2, 3]\nx = [0, 0.006]\nvelocity = [0, 0, 2]\n'
    )
    inside = (np.abs(vertices[:, 0] - 0.05) < 0.0101) & (vertices[:, 1] == 0)
    np.testing.assert_array_equal(moving.velocities[:, 2], inside)
    assert 1 < inside.sum() < 8
    moving.run(0.01)
    assert vertices[:4, 0].tolist() == pytest.approx([0, 0.005, 0.01, 0.015])
    np.testing.assert_allclose(moving.positions[:2, 2], 0.02)
    assert np.abs(moving.positions[2:4, 2] - 0.02).min() > 1e-4


def test_regions_tolerate_rounding() -> None:
    assert 0.2 + 0.1 > 0.3
    far_end = HELD.replace("[0, 0]", "[0.3, 0.3]")
    simulation = make(HEAD + SHELL + "pos = [0.2, 0, 0]\n" + far_end)
    simulation.run(0.02)
    held = simulation.positions[:, 2] == 0
    np.testing.assert_array_equal(held, np.isclose(strip()[0][:, 0], 0.1))


def test_regions_select_from_rods_as_well() -> None:
    fix = '[[fix]]\nrod = "a"\nx = [0, 0.02]\nspins = "all"\n[[fix]]\nrod = "a"\nx = [0.1, 0.1]\n'
    simulation = make(HEAD + ROD + fix)
    start = simulation.positions
    simulation.run(0.02)
    np.testing.assert_array_equal(simulation.positions[5], start[5])
    assert (simulation.positions[:5, 2] < 0).all() and simulation.angles[0] == 0


def test_edges_are_held_with_their_normals() -> None:
    edges = '[[fix]]\nshell = "sheet"\nx = [0, 0.006]\nedges = "all"\n'
    held, nodes_alone = (
        make(HEAD + MID_EDGE + text) for text in (edges, edges.replace('edges = "all"', ""))
    )
    for simulation in (held, nodes_alone):
        start = simulation.core.q
        simulation.run(0.05)
        shell = simulation.network.core.shell(0)
        ends = simulation.positions[np.array(simulation.network.core.mesh_edge_nodes())]
        inside = np.flatnonzero((ends[..., 0] <= 0.006).all(axis=1))
        turned = [simulation.rotation_dof(shell.edge[k]) for k in inside]
        still = simulation.core.q[turned] == start[turned]
        assert still.all() if simulation is held else not still.any()
    assert held.positions[:, 2].min() > nodes_alone.positions[:, 2].min()


def spine(simulation: Simulation, drawn: np.ndarray | None = None) -> np.ndarray:
    """Natural angles along the line x = 0 of the rest shape, from the back; all others are 0."""
    drawn = simulation.positions if drawn is None else drawn
    ends = drawn[np.array(simulation.network.core.mesh_edge_nodes())]
    on = np.flatnonzero((ends[..., 0] == 0).all(axis=1))
    along = on[np.argsort(ends[on, :, 1].mean(axis=1))]
    assert len(along) == 4
    angles = simulation.natural_angles
    assert not np.delete(angles, along).any()
    return angles[along]


def test_natural_angles_are_constant_or_driven(tmp_path: Path) -> None:
    np.testing.assert_array_equal(spine(make(f"{MANTA}{SPINE}angle = 0.2")), [0.2] * 4)
    each = make(f"{MANTA}{SPINE}angle = [0.1, 0.2, 0.3, 0.4]")
    np.testing.assert_array_equal(spine(each), [0.1, 0.2, 0.3, 0.4])
    (tmp_path / "flap.csv").write_text("0 0 0 0 0\n0.1 0.1 0.2 0.3 0.4\n")
    driven = make(f'{MANTA}{SPINE}file = "flap.csv"', tmp_path)
    drawn = driven.positions
    driven.run(0.05)
    np.testing.assert_allclose(spine(driven, drawn), [0.05, 0.1, 0.15, 0.2], atol=1e-12)
    assert np.abs(driven.positions - drawn).max() > 1e-3


def test_all_angles_are_those_of_the_folds() -> None:
    simulation = make(f'{MANTA}[[natural_angle]]\nshell = "sheet"\nangle = 0.1')
    expected = np.full(len(simulation.natural_angles), 0.1)
    expected[Shell(0, simulation.network.core).rim] = 0
    np.testing.assert_array_equal(simulation.natural_angles, expected)


def test_groups_of_folds_use_columns_of_one_table(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (("time", "tail", "head"), (0.0, 0.1, 0.3), (1.0, 0.2, 0.4)):
        book.active.append(row)
    book.save(tmp_path / "flap.xlsx")
    group = f'{SPINE}file = "flap.xlsx"\n'
    text = MANTA + f'{group}columns = ["tail"]\ny = [-1, 0.01]\n'
    text += f'{group}columns = ["head"]\ny = [-0.01, 1]\nbetween = "step"\n'
    vertices, _ = meshes.manta(4)
    behind = np.sort(vertices[vertices[:, 0] == 0, 1])[1:] < 0.01
    assert 0 < behind.sum() < 4
    simulation = make(text, tmp_path)
    found = spine(simulation)
    np.testing.assert_array_equal(found[behind], 0.1)
    assert set(found[~behind].tolist()) <= {0.0, 0.3} and 0.3 in found
    simulation.run(0.5)
    assert {0.15, 0.3} <= {round(angle, 9) for angle in simulation.natural_angles.tolist()}


def test_a_folded_strip_takes_its_natural_angle() -> None:
    square = 'mesh = { type = "strip", length = 0.02, width = 0.01, size = 0.01, rows = [0.01], '
    text = SHELL.replace(MESH, square + 'family = "right_isosceles" }\n')
    text += HELD + '[[fix]]\nshell = "sheet"\nx = [0, 0.01]\n'
    text += '[[natural_angle]]\nshell = "sheet"\nx = [0.01, 0.01]\nangle = 0.5\n'
    simulation = make(WEIGHTLESS + "max_iterations = 200\n" + text)
    simulation.solve()
    free = simulation.positions[np.isclose(simulation.positions[:, 0], 0.02, atol=2e-3)]
    assert len(free) == 2
    np.testing.assert_allclose(free[:, 0], 0.01 + 0.01 * np.cos(0.5), rtol=1e-6)
    np.testing.assert_allclose(free[:, 2], 0.01 * np.sin(0.5), rtol=1e-6)


def test_edges_of_shells_have_a_natural_length() -> None:
    longer = '[[rest_length]]\nshell = "sheet"\nedges = [0, 1, 2]\nlength = 6e-3\n'
    simulation = make('[simulation]\nplane = "xy"\n' + SHELL + HELD + longer)
    simulation.solve()
    ends = simulation.positions[np.array(simulation.network.core.mesh_edge_nodes())[:3]]
    assert (np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1) > 5.05e-3).any()


def test_runs_are_recorded(tmp_path: Path) -> None:
    scene = tmp_path / "scene.toml"
    scene.write_text(HEAD + SHELL + CLAMPED + '[output]\nfile = "run.npz"\nevery = 0.025\n')
    result = CliRunner().invoke(app, ["simulate", str(scene)])
    assert result.exit_code == 0, result.output
    simulation = make(HEAD + SHELL + CLAMPED)
    simulation.run(0.05)
    with np.load(tmp_path / "run.npz") as found:
        assert found["positions"].shape == (3, len(simulation.positions), 3)
        np.testing.assert_array_equal(found["positions"][-1], simulation.positions)
        np.testing.assert_array_equal(found["velocity"][-1], simulation.velocities)


def test_python_scenes_drive_angles_by_functions(tmp_path: Path) -> None:
    scene, end = tmp_path / "scene.py", tmp_path / "end.npz"
    scene.write_text(
        "import numpy as np\nfrom strand import meshes\n"
        "from strand.simulation import Network, Simulation\n"
        "def make():\n    network = Network()\n"
        "    vertices, triangles = meshes.manta(4)\n"
        "    shell = network.shell(vertices, triangles, young=1e9, thickness=1e-3, density=1e3)\n"
        "    on = (vertices[shell.edge_nodes][..., 0] == 0).all(axis=1)\n"
        "    spine = np.array(shell.edges)[on]\n"
        "    simulation = Simulation(network, gravity=(0, 0, 0))\n"
        "    flap = lambda time: simulation.set_natural_angle(spine, np.sin(40 * time))\n"
        "    simulation.drive(flap)\n    return simulation\n"
    )
    arguments = ["simulate", str(scene), "--duration", "0.01", "--checkpoint", str(end)]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    simulation = scene_file.load(scene).simulation
    simulation.load(end)
    assert np.abs(simulation.positions[:, 2]).max() > 1e-4
    simulation.run(0.001)
    assert np.unique(simulation.natural_angles) == pytest.approx([0, np.sin(40 * 0.011)])
