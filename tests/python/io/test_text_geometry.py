"""Text geometry in Python: round trips, shapes, rejected input, and the published files."""

import os
from pathlib import Path

import numpy as np
import pytest

from strand import StrandError
from strand.io import text_geometry
from strand.io.text_geometry import TextGeometry

DATA = os.environ.get("STRAND_DATA")

NODES = np.array([[1 / 3, -1e-300, 0.1], [1e22, 5e-324, -0.0], [0.0, 1.0, 2.0], [3.0, 3.0, 3.0]])


def test_written_files_read_back_exactly(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    text_geometry.write(path, TextGeometry(NODES, [[0, 3], [3, 2]], [[0, 1, 2], [2, 1, 3]]))
    found = text_geometry.read(path)
    assert found.nodes.tobytes() == NODES.tobytes()
    np.testing.assert_array_equal(found.edges, [[0, 3], [3, 2]])
    np.testing.assert_array_equal(found.triangles, [[0, 1, 2], [2, 1, 3]])
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]


def test_elements_may_be_missing(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    text_geometry.write(path, TextGeometry(NODES))
    assert path.read_text().count("*") == 1
    found = text_geometry.read(path)
    assert found.nodes.shape == (4, 3)
    assert found.edges.shape == (0, 2)
    assert found.triangles.shape == (0, 3)


def test_files_count_nodes_from_one(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"*Nodes # m\r\n0 0 0\r\n1, 0, 0\r\n*Edges\r\n2, 1\r\n")
    np.testing.assert_array_equal(text_geometry.read(path).edges, [[1, 0]])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("*Nodes\n0, 0, 0\n0, x, 1", "line 3, Nodes, y: got 'x', allowed: a finite number"),
        ("*Nodes\n0, 0, 0\n*Edges\n1, 0", "line 4, Edges, j: got '0', allowed: integers from 1"),
        ("*Nodes\n0, 0, 0\n*Edges\n1, 2", "line 4, Edges, j: got '2', allowed: nodes from 1 to 1"),
        ("*Nodes\n0, 0", "line 2, Nodes: got '0, 0', allowed: 3 numbers"),
        ("*Faces", "line 1, section: got '*Faces', allowed: *Nodes | *Edges | *Triangles"),
    ],
)
def test_errors_name_file_line_and_field(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "a.txt"
    path.write_text(text)
    with pytest.raises(StrandError) as caught:
        text_geometry.read(path)
    assert str(caught.value).startswith(f"{path}, {message}")


def test_missing_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(StrandError, match=r"file: got '.*none.txt', allowed: a readable file"):
        text_geometry.read(tmp_path / "none.txt")


@pytest.mark.parametrize(
    ("arrays", "field"),
    [
        ({"nodes": [[0, 0], [1, 1]]}, "nodes"),
        ({"nodes": "none"}, "nodes"),
        ({"edges": [[0, 1, 2]]}, "edges"),
        ({"edges": [[0.0, 1.0]]}, "edges"),
        ({"edges": [[0, 2**40]]}, "edges"),
        ({"triangles": [0, 1, 2]}, "triangles"),
        ({"triangles": [[True, False, True]]}, "triangles"),
    ],
)
def test_arrays_have_their_shapes(arrays: dict, field: str) -> None:
    with pytest.raises(StrandError, match=f"^{field}: got .*, allowed: an array of"):
        TextGeometry(**({"nodes": NODES} | arrays))


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"nodes": np.where(NODES == 2, np.nan, NODES)}, "node 2, z: got 'nan'"),
        ({"edges": [[0, 1], [1, 4]]}, "edge 1, j: got '4', allowed: nodes from 0 to 3"),
        ({"triangles": [[1, 2, 1]]}, "triangle 0, k: got '1', allowed: a node other than i"),
        ({"nodes": np.empty((0, 3))}, "nodes: got 'none'"),
    ],
)
def test_files_that_could_not_be_read_are_not_written(
    tmp_path: Path, arrays: dict, message: str
) -> None:
    path = tmp_path / "a.txt"
    with pytest.raises(StrandError) as caught:
        text_geometry.write(path, TextGeometry(**({"nodes": NODES} | arrays)))
    assert str(caught.value).startswith(message)
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not DATA, reason="STRAND_DATA is not set")
def test_published_files_survive_a_round_trip(tmp_path: Path) -> None:
    files = sorted(Path(DATA, "rod_shell").rglob("*.txt"))
    assert len(files) >= 60
    for file in files:
        original = text_geometry.read(file)
        text_geometry.write(tmp_path / "copy.txt", original)
        copy = text_geometry.read(tmp_path / "copy.txt")
        for name in ("nodes", "edges", "triangles"):
            np.testing.assert_array_equal(getattr(copy, name), getattr(original, name), str(file))
