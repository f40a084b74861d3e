"""Shells in scenes of `strand simulate`: what files describe, choose, drive and refuse."""

from pathlib import Path

import numpy as np
import openpyxl
import pytest
from typer.testing import CliRunner

from strand import StrandError, meshes, text_geometry
from strand.cli import app
from strand.simulation import Network, Simulation, scene_file
from strand.text_geometry import TextGeometry

MATERIAL = "young = 1e9\nthickness = 1e-3\ndensity = 1000.0\n"
MESH = 'mesh = { type = "strip", length = 0.1, width = 0.02, size = 0.005 }\n'
SHELL = f'[[shell]]\nname = "sheet"\n{MATERIAL}{MESH}'
MID_EDGE = SHELL + 'poisson = 0.0\nbending = "mid_edge"\n'
ROD = """\
[[rod]]
name = "a"
young = 1e6
radius = 1e-3
density = 1000.0
shape = { type = "straight", length = 0.1, segments = 5 }
"""
HEAD = "[simulation]\ndt = 0.005\ngravity = [0, 0, -9.81]\nduration = 0.05\n"
HELD = '[[fix]]\nshell = "sheet"\nx = [0, 0]\n'
CLAMPED = '[[clamp]]\nshell = "sheet"\nx = [0, 0]\n' + HELD


def make(text: str, folder: Path = Path()) -> Simulation:
    return scene_file.from_toml(text, folder).simulation


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
    held = make(HEAD + SHELL + placed + HELD)
    np.testing.assert_array_equal(simulation.positions, held.positions)
    held.run(0.05)  # by the side that lies along x = 0 now, but for rounding
    np.testing.assert_array_equal(held.positions[:, 2] == 1, y == 0)


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


ATTACHED = (
    ROD + "pos = [0.1, 0, 0]\n" + SHELL + '[[attach]]\nrod = "a"\nnode = 0\nshell = "sheet"\n'
)


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
    assert simulation.velocities[payload, 2] < -0.02 * 9.81 * 2  # pulled down by the force, too
    assert parachute(tmp_path, 'joint = "hinged"\n').network.core.ribs == []


def test_regions_choose_what_lies_inside() -> None:
    vertices = strip()[0]
    count = (vertices[:, 0] > 0.0949).sum()
    load = '[[load]]\nshell = "sheet"\nx = [0.095, inf]\nforce = [0, 0, 1e-4]\n'
    simulation = make("[simulation]\n" + SHELL + CLAMPED + load)
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


def test_regions_choose_of_rods_as_well() -> None:
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


MANTA = SHELL.replace(MESH, 'mesh = { type = "manta", divisions = 4 }\n')
SPINE = '[[natural_angle]]\nshell = "sheet"\nx = [0, 0]\norder = "y"\n'


def spine(simulation: Simulation, drawn: np.ndarray | None = None) -> np.ndarray:
    """Natural angles along the line x = 0 of what is drawn, from behind; all others are 0."""
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
    inner = np.array(simulation.network.core.mesh_edge_wings())[:, 1] >= 0
    np.testing.assert_array_equal(simulation.natural_angles, 0.1 * inner)


def test_groups_of_folds_take_columns_of_one_table(tmp_path: Path) -> None:
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
    simulation = make("[simulation]\nmax_iterations = 200\n" + text)
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
        "    simulation = Simulation(network)\n"
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


BAD = [
    (SHELL + SHELL, "shell[1].name: got 'sheet' again, allowed: each name once"),
    (SHELL + "radius = 1", "shell[0].radius: got a key that is not known, allowed: name, mesh"),
    (SHELL.replace("young = 1e9", ""), "shell[0].young: got nothing, allowed: a number > 0"),
    (SHELL.replace("1e-3", "0"), "shell[0].thickness: got 0, allowed: a number > 0 (m)"),
    (SHELL + "poisson = 0.7", "shell[0].poisson: got '0.7', allowed: -1 < poisson <= 0.5"),
    (SHELL + 'bending = "dkt"', "shell[0].bending: got 'dkt', allowed: hinge, mid_edge"),
    (SHELL + 'file = "a.txt"', "shell[0]: got both, allowed: one of mesh and file"),
    (SHELL.replace(MESH, ""), "shell[0]: got none, allowed: one of mesh and file"),
    (SHELL.replace(MESH, 'mesh = "strip"'), "shell[0].mesh: got 'strip', allowed: a table [shell"),
    (SHELL.replace("strip", "disc"), "shell[0].mesh.type: got 'disc', allowed: strip, hexagon"),
    (SHELL.replace("size", "side"), "shell[0].mesh.side: got a key that is not known, allowed"),
    (SHELL.replace(", size = 0.005", ""), "shell[0].mesh.size: got nothing, allowed: a value"),
    (SHELL.replace("0.005", "-1"), "shell[0].mesh.size: got -1, allowed: a number > 0 (m)"),
    (SHELL + "quat = [0, 0, 0, 0]", "shell[0].quat: got [0.0, 0.0, 0.0, 0.0], allowed: four"),
    (SHELL.replace(MESH, 'file = "no.txt"'), "shell[0].file: got 'no.txt', allowed: a readable"),
    (SHELL + "[[fix]]\nnodes = 0", "fix[0]: got none, allowed: one of rod and shell"),
    (
        ROD + SHELL + '[[fix]]\nrod = "a"\nshell = "sheet"\nnodes = 0',
        "fix[0]: got both, allowed: one of rod and shell",
    ),
    (SHELL + '[[fix]]\nrod = "a"\nnodes = 0', "fix[0].rod: got 'a', allowed: none, as there is"),
    (SHELL + '[[fix]]\nshell = "a"\nnodes = 0', "fix[0].shell: got 'a', allowed: sheet"),
    (SHELL + '[[fix]]\nshell = "sheet"', "fix[0]: got none, allowed: nodes, edges or spins, or a"),
    (
        SHELL + '[[fix]]\nshell = "sheet"\nx = [1, 0]',
        "fix[0].x: got [1, 0], allowed: two numbers, from the lower to the higher (m)",
    ),
    (
        SHELL + '[[fix]]\nshell = "sheet"\nx = [2, 3]\nz = [0, 0]',
        "fix[0].nodes: got none of 'sheet' within x = [2.0, 3.0], z = [0.0, 0.0] (m), allowed: one",
    ),
    (
        SHELL + '[[fix]]\nshell = "sheet"\nspins = 0',
        "fix[0].edge: got '0', allowed: edges of shells with mid-edge normals",
    ),
    (
        SHELL + '[[fix]]\nshell = "sheet"\nedges = "some"',
        "fix[0].edges: got 'some', allowed: an index, a list of them (-1 is the last), or \"all",
    ),
    (
        SHELL + '[[move]]\nshell = "sheet"\nvelocity = [0, 0, 1]',
        "move[0]: got none, allowed: nodes",
    ),
    (
        SHELL + HELD + '[[move]]\nshell = "sheet"\ny = [0, 0]\nvelocity = [0, 0, 1]',
        "move[0].nodes: got what fix[0] holds, allowed: nodes that nothing else holds or drives",
    ),
    (
        SHELL + '[[load]]\nshell = "sheet"\nedges = 0\nmoment = 1',
        "load[0].edges: got some, allowed: none with shell",
    ),
    (
        SHELL + '[[clamp]]\nshell = "sheet"\nend = "start"',
        "clamp[0].end: got 'start', allowed: none with shell",
    ),
    (SHELL + '[[clamp]]\nshell = "sheet"\nedges = 1', "clamp[0].edge: got '1', allowed: edges of"),
    (
        SHELL + '[[clamp]]\nshell = "sheet"\nx = [0.05, 0.06]\ny = [0.01, 0.01]',
        "clamp[0].edges: got none of 'sheet' within x = [0.05, 0.06], y = [0.01, 0.01] (m), allow",
    ),
    (ROD + '[[clamp]]\nrod = "a"', "clamp[0].end: got nothing, allowed: start, end"),
    (
        ROD + '[[clamp]]\nrod = "a"\nend = "start"\nx = [0, 1]',
        "clamp[0].x: got [0.0, 1.0], allowed: none with rod",
    ),
    (ATTACHED + "vertex = 999", "attach[0].vertex: got '999', allowed: 0 to "),
    (ATTACHED + "vertex = 0", "attach[0].node: got '0.1"),
    (ATTACHED.replace("node = 0", "node = 6") + "vertex = 0", "attach[0].node: got '6', allowed"),
    (ATTACHED + 'vertex = 0\njoint = "glued"', "attach[0].joint: got 'glued', allowed: rigid, hi"),
    (ATTACHED.replace('"a"', '"b"', 1) + "vertex = 0", "attach[0].rod: got 'a', allowed: b"),
    (SPINE + SHELL.replace("sheet", "b"), "natural_angle[0].shell: got 'sheet', allowed: b"),
    (MANTA + SPINE, "natural_angle[0]: got none, allowed: one of angle and file"),
    (MANTA + SPINE + "angle = [1, 2]", "natural_angle[0].angle: got 2, allowed: 1 or 4 numbers"),
    (MANTA + SPINE + "angle = 4", "natural_angle[0].natural_angle: got '4"),
    (
        MANTA + SPINE.replace('"y"', '"w"') + "angle = 1",
        "natural_angle[0].order: got 'w', allowed: x, y, z",
    ),
    (
        SHELL + '[[natural_angle]]\nshell = "sheet"\nedges = 0\nx = [1, 1]\nangle = 1',
        "natural_angle[0].edges: got none of 'sheet' within x = [1.0, 1.0] (m), allowed: one or",
    ),
    (
        SHELL + '[[natural_angle]]\nshell = "sheet"\nx = [0, 0]\nangle = 1',
        "natural_angle[0].edges: got none of 'sheet' within x = [0.0, 0.0] (m), allowed: one or",
    ),
    ('[geometry]\nfile = "no.txt"', "geometry.file: got 'no.txt', allowed: a readable file"),
    ("[geometry]", "geometry.file: got nothing, allowed: a text"),
    ('[geometry]\nfile = "a"\nrod = 1', "geometry.rod: got 1, allowed: a table [geometry.rod]"),
]


@pytest.mark.parametrize(("text", "words"), BAD)
def test_bad_files_name_table_key_and_value(text: str, words: str) -> None:
    with pytest.raises(StrandError) as caught:
        make(text)
    assert str(caught.value).startswith(words)


GEOMETRY = '[geometry]\nfile = "a.txt"\n'
RODS, SHELLS = (
    "*Nodes\n0 0 0\n1 0 0\n*Edges\n1 2\n",
    "*Nodes\n0 0 0\n1 0 0\n0 1 0\n*Triangles\n1 2 3\n",
)


@pytest.mark.parametrize(
    ("content", "text", "words"),
    [
        (RODS, GEOMETRY, "geometry.rod: got nothing, allowed: a material, for the edges"),
        (SHELLS, GEOMETRY, "geometry.shell: got nothing, allowed: a material, for the triangles"),
        (
            RODS,
            GEOMETRY + "[geometry.rod]\nyoung = 1e6\nradius = 1e-3",
            "geometry.rod.density: got nothing, allowed: a number, >= 0 (kg/m^3)",
        ),
        (
            RODS,
            GEOMETRY + "[geometry.rod]\nname = 'a'",
            "geometry.rod.name: got a key that is not known, allowed: young, radius",
        ),
        (
            SHELLS + "1 2 4\n",
            SHELL.replace(MESH, 'file = "a.txt"\n'),
            "shell[0].file: {path}, line 7, Triangles, k: got '4', allowed: nodes from 1 to 3",
        ),
        (
            RODS,
            SHELL.replace(MESH, 'file = "a.txt"\n'),
            "shell[0].file: got 1 edges of rods, allowed: triangles alone, or a table [geometry]",
        ),
        (
            "time a b\n0 0 0\n",
            f'{MANTA}{SPINE}file = "a.txt"',
            "natural_angle[0].file: got 2 columns beside the time, allowed: 1 or 4 numbers",
        ),
        (
            "time a b\n0 0 0\n",
            f'{MANTA}{SPINE}file = "a.txt"\ncolumns = ["c"]',
            "natural_angle[0].columns: got 'c', allowed: a, b",
        ),
        (
            "time a b\n0 0 0\n",
            f'{MANTA}{SPINE}file = "a.txt"\ncolumns = []',
            "natural_angle[0].columns: got [], allowed: a list of texts",
        ),
    ],
)
def test_bad_files_beside_the_scene(tmp_path: Path, content: str, text: str, words: str) -> None:
    (tmp_path / "a.txt").write_text(content)
    with pytest.raises(StrandError) as caught:
        make(text, tmp_path)
    assert str(caught.value).startswith(words.format(path=tmp_path / "a.txt"))
