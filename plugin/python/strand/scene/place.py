"""Initial configurations of rods and shells in scene files, other than their rest shape."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np

from strand.cable.shapes import SHAPES
from strand.errors import StrandError
from strand.io import tables, toml_file
from strand.io.options import FLAG, TEXT, Kind, key, optional, vector
from strand.scene.keys import ROWS, Placed, named, placed, read_file
from strand.scene.parts import Part
from strand.scene.values import check_names
from strand.simulation.simulation import Simulation

_KEYS = ("nodes", "file", "shape")


@dataclasses.dataclass(kw_only=True)
class PlaceTable(Placed):
    """Starts a rod or shell bent, stretched or moved. Its rest shape is unchanged.

    Other parts that are joined to its nodes move with these.
    """

    rod: str | None = key(None, "a rod's name", optional(TEXT))
    shell: str | None = key(None, "or a shell's", optional(TEXT))
    nodes: np.ndarray | None = key(None, "rows x, y, z (m), one per node", ROWS)
    file: str | None = key(
        None, "or a table of them, without a first column of times: text, XLSX", optional(TEXT)
    )
    shape: dict[str, Any] | None = key(
        None,
        "or a table [place.shape], as [rod.shape]; none of the three: the rest shape",
        optional(Kind("a table", lambda value: toml_file.table("", value))),
    )
    twist: np.ndarray | None = key(None, "of a rod's edges (rad): one, or one each", ROWS)
    normal: list[float] | None = key(
        None,
        "m1 of a rod's first edge, made orthogonal; left out: by the smallest rotation",
        optional(vector(3, "1")),
    )
    turn_clamps: bool = key(True, "false: clamps keep their directions", FLAG)


def place(
    simulation: Simulation, where: str, table: PlaceTable, part: Part[Any], folder: Path
) -> None:
    """Moves the part to the configuration that the table describes."""
    nodes = placed(where, table, _nodes(where, table, part, folder))
    twist = table.twist
    if twist is not None and twist.size == 1 and part.is_rod:
        twist = np.full(len(part.made.edges), twist.item())
    with named(where):
        simulation.place(
            part.made, nodes, twist=twist, normal=table.normal, turn_clamps=table.turn_clamps
        )


def _nodes(where: str, table: PlaceTable, part: Part[Any], folder: Path) -> np.ndarray:
    """Positions of the nodes (n x 3, m), before the table's pose is applied."""
    given = [name for name in _KEYS if getattr(table, name) is not None]
    if len(given) > 1:
        raise StrandError(f"{where}: got {' and '.join(given)}, allowed: one of them, or none")
    if not given:
        return part.drawn
    if table.shape is not None:
        points = toml_file.shape(f"{where}.shape", table.shape, SHAPES)
        ring = len(points) == len(part.drawn) + 1 and np.allclose(points[0], points[-1], atol=1e-9)
        return points[:-1] if ring else points
    if table.file is not None:
        read = read_file(
            where, table.file, folder, lambda path: tables.read_table(path, time=False)
        )
        check_names(where, read)
        points = read.values
    else:
        points = np.asarray(table.nodes)
    if points.ndim != 2 or points.shape[1] != 3:
        raise StrandError(f"{where}.{given[0]}: got shape {points.shape}, allowed: (n, 3)")
    return points
