"""Scenes with shells that are rejected: messages name table, key, value and what is allowed."""

from pathlib import Path

import pytest
from support.shell_scenes import ATTACHED, HELD, MANTA, MESH, ROD, SHELL, SPINE, make

from strand import StrandError

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
    (
        SHELL + '[[fix]]\nshell = "sheet"',
        "fix[0]: got no nodes, allowed: nodes, edges or spins, or a",
    ),
    (
        SHELL + '[[fix]]\nshell = "sheet"\nx = [1, 0]',
        "fix[0].x: got [1, 0], allowed: two numbers, the lower and the higher (m)",
    ),
    (
        SHELL + '[[fix]]\nshell = "sheet"\nx = [2, 3]\nz = [0, 0]',
        "fix[0].nodes: got none of 'sheet' within x = [2.0, 3.0], z = [0.0, 0.0] (m), allowed: one",
    ),
    (
        SHELL + 'bending = "hinge"\n[[fix]]\nshell = "sheet"\nspins = 0',
        "fix[0].edge: got '0', allowed: edges of shells with mid-edge normals",
    ),
    (
        SHELL + '[[fix]]\nshell = "sheet"\nedges = "some"',
        "fix[0].edges: got 'some', allowed: an index, a list of them (-1 is the last), or \"all",
    ),
    (
        SHELL + '[[move]]\nshell = "sheet"\nvelocity = [0, 0, 1]',
        "move[0]: got no nodes, allowed: nodes",
    ),
    (
        SHELL + HELD + '[[move]]\nshell = "sheet"\ny = [0, 0]\nvelocity = [0, 0, 1]',
        "move[0].nodes: got nodes fixed or driven by fix[0], allowed: nodes that no other table",
    ),
    (
        SHELL + '[[load]]\nshell = "sheet"\nedges = 0\nmoment = 1',
        "load[0].edges: not allowed together with `shell`",
    ),
    (
        SHELL + '[[clamp]]\nshell = "sheet"\nend = "start"',
        "clamp[0].end: not allowed together with `shell`",
    ),
    (SHELL + '[[clamp]]\nshell = "sheet"\nedges = 1', "clamp[0].edge: got '1', allowed: edges of"),
    (
        SHELL + '[[clamp]]\nshell = "sheet"\nx = [0.05, 0.06]\ny = [0.01, 0.01]',
        "clamp[0].edges: got none of 'sheet' within x = [0.05, 0.06], y = [0.01, 0.01] (m), allow",
    ),
    (ROD + '[[clamp]]\nrod = "a"', "clamp[0].end: got nothing, allowed: start, end"),
    (
        ROD + '[[clamp]]\nrod = "a"\nend = "start"\nx = [0, 1]',
        "clamp[0].x: not allowed together with `rod`",
    ),
    (ATTACHED + "vertex = 999", "attach[0].vertex: got '999', allowed: 0 to "),
    (ATTACHED + "vertex = 0", "attach[0].node: got 'rod 0, node 0"),
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
        (RODS, GEOMETRY, "geometry.rod: got nothing, allowed: a material for the edges"),
        (SHELLS, GEOMETRY, "geometry.shell: got nothing, allowed: a material for the triangles"),
        (
            RODS,
            GEOMETRY + "[geometry.rod]\nyoung = 1e6\nradius = 1e-3",
            "geometry.rod.density: got nothing, allowed: a number >= 0 (kg/m^3)",
        ),
        (
            RODS,
            GEOMETRY + "[geometry.rod]\nname = 'a'",
            "geometry.rod.name: got a key that is not known, allowed: radius, young, density",
        ),
        (
            SHELLS + "1 2 4\n",
            SHELL.replace(MESH, 'file = "a.txt"\n'),
            "shell[0].file: {path}, line 7, Triangles, k: got '4', allowed: nodes from 1 to 3",
        ),
        (
            RODS,
            SHELL.replace(MESH, 'file = "a.txt"\n'),
            "shell[0].file: got 1 edges of rods, allowed: triangles only, or a table [geometry]",
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
