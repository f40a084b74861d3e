"""Tendons in scene files: their tables, and the tendons that these describe."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np

from strand.errors import StrandError
from strand.io.options import NEEDED, TEXT, Kind, key, non_negative, optional, positive, vector
from strand.scene import values as scene_values
from strand.scene.keys import INDICES, ROWS, Timed, named, read_keys
from strand.scene.parts import Parts, chosen
from strand.simulation.body import Body
from strand.simulation.network import Network
from strand.simulation.simulation import Simulation
from strand.simulation.tendon import Ring


def _points(value: Any) -> list[dict[str, Any]]:
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise TypeError
    return value


@dataclasses.dataclass(kw_only=True)
class TendonTable(Timed):
    """A cable without mass or friction through rings on rods, nodes and fixed points, in order.

    With a stiffness it is driven by its natural length and pulls while it is stretched; without, it
    is driven by its tension. A file has one column, the length or the tension.
    """

    points: list[dict[str, Any]] = key(
        NEEDED, "points on its path", Kind("tables, in order", _points)
    )
    tension: float | None = key(None, "constant; without stiffness", optional(non_negative("N")))
    length: float | None = key(None, "constant; with stiffness", optional(positive("m")))
    stiffness: float | None = key(None, "EA, required with a length", optional(positive("N")))


@dataclasses.dataclass(kw_only=True)
class TendonPointTable:
    """One or more points of a tendon, in order."""

    pos: list[float] | None = key(
        None, "a point fixed in space, or in a body", optional(vector(3, "m"))
    )
    body: str | None = key(None, "with pos: name of the body that it moves with", optional(TEXT))
    rod: str | None = key(None, "a rod's name, with edges or nodes", optional(TEXT))
    shell: str | None = key(None, "a shell's name, with nodes", optional(TEXT))
    edges: list[int] | str | None = key(None, "edges with a ring at the middle of each", INDICES)
    offset: np.ndarray | None = key(None, "of rings along m1 and m2 (m): two, or two each", ROWS)
    nodes: list[int] | str | None = key(None, "nodes on its path", INDICES)


#: Points of a tendon, and the nodes of the points fixed in bodies, by their index among the points.
Read = tuple[list[TendonPointTable], dict[int, int]]


def read_points(network: Network, bodies: dict[str, Body], where: str, table: TendonTable) -> Read:
    """Reads the points of a table. Adds nodes to the network for points fixed in bodies."""
    points: list[TendonPointTable] = []
    nodes: dict[int, int] = {}
    for k, content in enumerate(table.points):
        at = f"{where}.points[{k}]"
        point = read_keys(at, content, TendonPointTable)
        points.append(point)
        if point.body is None:
            continue
        if point.body not in bodies:
            allowed = ", ".join(bodies) or "none, as there is no body"
            raise StrandError(f"{at}.body: got '{point.body}', allowed: {allowed}")
        if point.pos is None:
            raise StrandError(f"{at}.pos: got nothing, allowed: 3 finite numbers (m), with body")
        nodes[k] = network.body_point(bodies[point.body], point.pos)
    return points, nodes


def add_tendon(
    simulation: Simulation, parts: Parts, read: Read, where: str, table: TendonTable, folder: Path
) -> None:
    by, other = ("tension", "length") if table.stiffness is None else ("length", "tension")
    if getattr(table, other) is not None:
        known = "no stiffness" if table.stiffness is None else "a stiffness"
        raise StrandError(
            f"{where}.{other}: got a value with {known}, allowed: {by}, or a file of it"
        )
    numbers = scene_values.function(where, table, folder, by, 1)
    path: list[Ring | int | list[float]] = []
    points, in_bodies = read
    for k, point in enumerate(points):
        through = _path(f"{where}.points[{k}]", point, parts)
        path += [in_bodies[k]] if k in in_bodies else through

    def course(time: float) -> float:
        return float(numbers(time)[0])

    drive = {by: course(0.0) if table.file is None else course}
    with named(where):
        simulation.add_tendon(path, stiffness=table.stiffness, **drive)


def _path(where: str, table: TendonPointTable, parts: Parts) -> list[Ring | int | list[float]]:
    """The points of a tendon's path that a table describes, as Simulation.add_tendon takes them."""
    given = [name for name in ("pos", "edges", "nodes") if getattr(table, name) is not None]
    if len(given) != 1:
        got = " and ".join(given) or "none"
        raise StrandError(f"{where}: got {got}, allowed: one of pos, edges and nodes")
    if given != ["edges"] and table.offset is not None:
        raise StrandError(f"{where}.offset: not allowed together with `{given[0]}`")
    if table.pos is not None:
        for name in ("rod", "shell"):
            if getattr(table, name) is not None:
                raise StrandError(f"{where}.{name}: not allowed together with `pos`")
        return [table.pos]
    part = parts.of(where, table)
    if given == ["edges"] and not part.is_rod:
        raise StrandError(f"{where}.edges: not allowed together with `shell`")
    indices = part.indices(given[0])[chosen(where, table, part, given[0])].tolist()
    if given == ["nodes"]:
        return indices
    offset = np.zeros(2) if table.offset is None else table.offset
    if offset.shape not in ((2,), (len(indices), 2)):
        raise StrandError(
            f"{where}.offset: got shape {offset.shape}, allowed: two numbers, or two for each of"
            f" {len(indices)} edges"
        )
    rows = np.broadcast_to(offset, (len(indices), 2))
    return [Ring(edge, row) for edge, row in zip(indices, rows, strict=True)]
