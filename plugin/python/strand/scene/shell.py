"""Shells in scene files: their tables, and the meshes that these describe."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np

from strand import meshes
from strand.errors import StrandError
from strand.io import text_geometry, toml_file
from strand.io.options import INTEGER, NEEDED, TEXT, Kind, choice, finite, key, optional
from strand.scene.keys import INDICES, ROWS, Placed, Region, Timed, placed, read_file
from strand.simulation.arguments import ShellMaterial

#: Meshes by their names in files.
MESHES: toml_file.Makers = {
    "strip": meshes.strip,
    "hexagon": meshes.hexagon,
    "manta": meshes.manta,
    "hemisphere": meshes.hemisphere,
}

_JOINT = choice("rigid", "hinged", "published")


def _table(name: str) -> Kind[dict[str, Any] | None]:
    return optional(Kind(f"a table [{name}]", lambda value: toml_file.table("", value)))


@dataclasses.dataclass(kw_only=True)
class ShellTable(Placed, ShellMaterial):
    """An elastic shell over the triangles of a mesh or of a file."""

    name: str = key(NEEDED, "name for other tables", TEXT)
    mesh: dict[str, Any] | None = key(
        None, "a table [shell.mesh]: type and its keys", _table("shell.mesh")
    )
    file: str | None = key(None, "text geometry: *Nodes and *Triangles", optional(TEXT))


@dataclasses.dataclass(kw_only=True)
class GeometryTable(Placed):
    """Rods and shells from a file, joined at shared nodes; named "rod 0", "shell 0", ..."""

    file: str = key(NEEDED, "text geometry: *Nodes, *Edges and *Triangles", TEXT)
    rod: dict[str, Any] | None = key(None, "table [geometry.rod]: material", _table("geometry.rod"))
    shell: dict[str, Any] | None = key(
        None, "table [geometry.shell]: material", _table("geometry.shell")
    )
    joint: str = key(
        "rigid", "as in [[attach]]; hinged: also between rods, which otherwise are rigid", _JOINT
    )


@dataclasses.dataclass(kw_only=True)
class AttachTable:
    """Merges a node of a rod with a vertex of a shell."""

    rod: str = key(NEEDED, "the rod's name", TEXT)
    node: int = key(NEEDED, "its node; -1 is the last", INTEGER)
    shell: str = key(NEEDED, "the shell's name", TEXT)
    vertex: int = key(NEEDED, "its vertex, at the position of the node", INTEGER)
    joint: str = key(
        "rigid",
        "rigid: transmits moments; hinged: does not; published: as in MAT-DiSMech's code",
        _JOINT,
    )


@dataclasses.dataclass(kw_only=True)
class NaturalAngleTable(Timed, Region):
    """Natural angles of a shell's edges: 0 flat, > 0 folded towards the normals.

    A file has one column, or one per edge. Several tables may use different columns of one file.
    """

    shell: str = key(NEEDED, "the shell's name", TEXT)
    edges: list[int] | str | None = key(
        None, "edges; left out: all except those of the rim", INDICES
    )
    order: str | None = key(
        None,
        "axis along which edges are sorted; left out: as given",
        optional(choice("x", "y", "z")),
    )
    angle: np.ndarray | None = key(None, "constant (rad): one, or one each", ROWS)


@dataclasses.dataclass(kw_only=True)
class PressureTable(Timed):
    """Pressure inside a closed shell relative to the outside; > 0 inflates."""

    shell: str = key(NEEDED, "the shell's name", TEXT)
    pressure: float | None = key(None, "constant", optional(finite("Pa")))


def mesh(where: str, table: ShellTable, folder: Path) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (N x 3, m) and triangles (T x 3) of a shell at its pose."""
    if table.mesh is not None and table.file is None:
        drawn = toml_file.shape(f"{where}.mesh", table.mesh, makers=MESHES)
    elif table.file is not None and table.mesh is None:
        geometry = read_file(where, table.file, folder, text_geometry.read)
        if len(geometry.edges):
            raise StrandError(
                f"{where}.file: got {len(geometry.edges)} edges of rods, allowed: triangles only, "
                "or a table [geometry]"
            )
        drawn = geometry.nodes, geometry.triangles
    else:
        got = "none" if table.mesh is None else "both"
        raise StrandError(f"{where}: got {got}, allowed: one of mesh and file")
    return placed(where, table, drawn[0]), drawn[1]
