"""The tables of scene files and their keys: one dataclass per table."""

import dataclasses
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from strand.cable.shapes import SHAPES
from strand.draw.picture import parse_size
from strand.io import toml_file
from strand.io.options import (
    FLAG,
    INTEGER,
    NEEDED,
    TEXT,
    Kind,
    choice,
    key,
    number,
    optional,
    positive,
    vector,
)
from strand.scene import body as scene_body
from strand.scene import contact as scene_contact
from strand.scene.body import AttachToBodyTable, BodyTable
from strand.scene.contact import ContactTable, FloorTable, ObstaclesTable
from strand.scene.feed import FeedTable
from strand.scene.keys import (
    INDICES,
    ROWS,
    OfPart,
    Placed,
    Timed,
    kinds_schema,
    schema_lines,
)
from strand.scene.obstacle_mesh import ObstacleMeshTable
from strand.scene.place import PlaceTable
from strand.scene.shell import (
    MESHES,
    AttachTable,
    GeometryTable,
    NaturalAngleTable,
    PressureTable,
    ShellTable,
)
from strand.scene.tendon import TendonPointTable, TendonTable
from strand.simulation.arguments import RodMaterial, ShellMaterial, SimulationTable
from strand.simulation.recording import SERIES


def _names(value: Any) -> list[str]:
    if not isinstance(value, list):
        raise TypeError
    return [choice(*SERIES).read(each) for each in value]


def _size(value: Any) -> str:
    parse_size(TEXT.read(value))
    return value


def _file(suffix: str) -> Kind[str | None]:
    return optional(Kind(f"a path that ends in {suffix}", _ending(suffix)))


def _ending(suffix: str) -> Callable[[Any], str]:
    def checked_ending(value: Any) -> str:
        if not TEXT.read(value).lower().endswith(suffix):
            raise ValueError
        return value

    return checked_ending


_PAIR = Kind("two texts", lambda value: [TEXT.read(each) for each in _pair(value)])
_INDEX_PAIR = Kind("two integers", lambda value: [INTEGER.read(each) for each in _pair(value)])


def _pair(value: Any) -> list[Any]:
    if not isinstance(value, list) or len(value) != 2:
        raise TypeError
    return value


def _rod() -> Any:
    return key(NEEDED, "the rod's name", TEXT)


@dataclasses.dataclass(kw_only=True)
class RodTable(Placed, RodMaterial):
    """An elastic rod. Its section is a circle by default."""

    name: str = key(NEEDED, "name for other tables", TEXT)
    shape: dict[str, Any] = key(
        NEEDED,
        "a table [rod.shape]: type and its keys",
        Kind("a table", lambda value: toml_file.table("", value)),
    )
    normal: list[float] | None = key(
        None,
        "m1 of the first edge, made orthogonal; left out: horizontal",
        optional(vector(3, "1")),
    )
    closed: bool = key(False, "true: the last node is joined to the first", FLAG)


@dataclasses.dataclass(kw_only=True)
class ConnectTable:
    """Merges a node of one rod with a node of another (or of the same) rod."""

    rods: list[str] = key(NEEDED, "names of the two rods", _PAIR)
    nodes: list[int] = key(NEEDED, "the node of each, both at the same position", _INDEX_PAIR)
    EI: float | None = key(
        None,
        "bending stiffness there; EI = 0, GJ = 0: a ball joint",
        optional(number(">= 0 (N m^2)")),
    )
    GJ: float | None = key(None, "twisting stiffness there", optional(number(">= 0 (N m^2)")))


@dataclasses.dataclass(kw_only=True)
class ClampTable(OfPart):
    """Fixes the direction at a rod's end or across a shell's rim, accurate to second order.

    The nodes are fixed, too, unless [[fix]] or [[move]] names them.
    """

    end: str | None = key(None, "for a rod: its end", optional(choice("start", "end")))
    edges: list[int] | str | None = key(
        None, "for a shell: edges of its rim; left out: all of these", INDICES
    )


@dataclasses.dataclass(kw_only=True)
class FixTable(OfPart):
    """Fixes nodes, edges (both nodes and the spin) or spins of edges; one or more of the three.

    The spins of a shell are the rotations of mid-edge normals about their edges. A table with a
    region only fixes the nodes in it.
    """

    nodes: list[int] | str | None = key(None, "nodes", INDICES)
    axes: str = key("xyz", "directions in which nodes are fixed", TEXT)
    along: list[float] | None = key(
        None, "line along which nodes slide, instead of axes", optional(vector(3, "1"))
    )
    across: list[float] | None = key(
        None, "normal of the plane in which nodes slide, instead of axes", optional(vector(3, "1"))
    )
    edges: list[int] | str | None = key(None, "edges", INDICES)
    spins: list[int] | str | None = key(None, "edges of which only the spin is fixed", INDICES)


@dataclasses.dataclass(kw_only=True)
class LoadTable(Timed, OfPart):
    """A force on each of the nodes, or a moment about the axis of each of the edges of a rod.

    A table with a region only acts on the nodes in it.
    """

    nodes: list[int] | str | None = key(None, "nodes", INDICES)
    force: list[float] | None = key(None, "constant", optional(vector(3, "N")))
    edges: list[int] | str | None = key(None, "edges", INDICES)
    moment: float | None = key(None, "constant", optional(number("(N m)")))


@dataclasses.dataclass(kw_only=True)
class VelocityTable(OfPart):
    """Initial velocity of nodes."""

    nodes: list[int] | str | None = key(None, "nodes; left out: all", INDICES)
    velocity: list[float] = key(NEEDED, "of each", vector(3, "m/s"))


@dataclasses.dataclass(kw_only=True)
class MoveTable(Timed, OfPart):
    """Drives nodes with a velocity, or by a table of three displacements (m) against time.

    A table with a region only drives the nodes in it.
    """

    nodes: list[int] | str | None = key(None, "nodes", INDICES)
    velocity: list[float] | None = key(None, "constant", optional(vector(3, "m/s")))


@dataclasses.dataclass(kw_only=True)
class TurnTable(Timed):
    """Drives the spin of edges with a rate, or by a table of an angle (rad) against time."""

    rod: str = _rod()
    edges: list[int] | str = key(NEEDED, "edges", INDICES)
    rate: float | None = key(None, "constant", optional(number("(rad/s)")))


@dataclasses.dataclass(kw_only=True)
class TurnClampTable(Timed):
    """Turns a rod's clamp about its node with a rate, or by a table of the three components of a
    rotation vector (rad, axis times angle in global axes) against time."""

    rod: str = _rod()
    end: str = key(NEEDED, "of the rod", choice("start", "end"))
    rate: list[float] | None = key(None, "constant", optional(vector(3, "rad/s")))


@dataclasses.dataclass(kw_only=True)
class NaturalCurvatureTable(Timed):
    """Natural integrated curvatures of joints about m1 and m2. A file has two columns, or two per
    joint."""

    rod: str = _rod()
    joints: list[int] | str | None = key(None, "joints; left out: all", INDICES)
    curvature: np.ndarray | None = key(None, "constant (rad): two, or two each", ROWS)


@dataclasses.dataclass(kw_only=True)
class NaturalTwistTable(Timed):
    """Natural twist of joints. A file has one column, or one per joint."""

    rod: str = _rod()
    joints: list[int] | str | None = key(None, "joints; left out: all", INDICES)
    twist: np.ndarray | None = key(None, "constant (rad): one, or one each", ROWS)


@dataclasses.dataclass(kw_only=True)
class RestLengthTable(Timed, OfPart):
    """Natural length of edges. A file has one column, or one per edge."""

    edges: list[int] | str | None = key(None, "edges; left out: all", INDICES)
    length: np.ndarray | None = key(None, "constant (m): one, or one each", ROWS)


@dataclasses.dataclass(kw_only=True)
class OutputTable:
    """Output files; command options take precedence. Paths are relative to the scene file."""

    file: str | None = key(None, ".csv, .npz or .pvd (ParaView)", optional(TEXT))
    every: float | None = key(
        None,
        "between samples, rounded to whole steps; left out: each step",
        optional(positive("s")),
    )
    series: list[str] = key(
        ("velocity",),
        "recorded in addition to positions and directors",
        Kind(f"some of {', '.join(SERIES)}", _names),
    )
    picture: str | None = key(None, "of the final state", _file(".png"))
    film: str | None = key(None, "of the run, in real time: frames at whole steps", _file(".mp4"))
    size: str = key("1280x960", "of picture and film (pixels)", Kind("WIDTHxHEIGHT", _size))
    fps: float = key(30.0, "pictures of the film per second", positive("1/s"))
    checkpoint: str | None = key(None, "to restart from (--restart)", _file(".npz"))
    flush: float = key(
        30.0, "wall-clock time between updates of file and checkpoint", positive("s")
    )


#: Tables that may occur once, and tables that may occur several times, by name.
ONCE: dict[str, type[Any]] = {
    "simulation": SimulationTable,
    "output": OutputTable,
    "floor": FloorTable,
    "contact": ContactTable,
    "geometry": GeometryTable,
}
OFTEN: dict[str, type[Any]] = {
    "rod": RodTable,
    "shell": ShellTable,
    "body": BodyTable,
    "connect": ConnectTable,
    "attach": AttachTable,
    "attach_to_body": AttachToBodyTable,
    "clamp": ClampTable,
    "place": PlaceTable,
    "fix": FixTable,
    "load": LoadTable,
    "velocity": VelocityTable,
    "move": MoveTable,
    "turn": TurnTable,
    "turn_clamp": TurnClampTable,
    "feed": FeedTable,
    "natural_curvature": NaturalCurvatureTable,
    "natural_twist": NaturalTwistTable,
    "natural_angle": NaturalAngleTable,
    "rest_length": RestLengthTable,
    "pressure": PressureTable,
    "tendon": TendonTable,
    "obstacles": ObstaclesTable,
    "obstacle_mesh": ObstacleMeshTable,
}


def schema() -> str:
    """All tables and keys of scenes, with meanings, allowed values and defaults."""
    lines = ["# Tables and keys of a scene's TOML file. SI units, angles in rad."]
    for name, kind in (ONCE | OFTEN).items():
        head = f"[{name}]" if name in ONCE else f"[[{name}]]"
        lines += ["", head, *(f"# {line}" for line in _documentation(kind)), *schema_lines(kind)]
        for inner, keys in _inner_tables(name).items():
            lines += ["", inner, *keys]
    return "\n".join(lines) + "\n"


def _documentation(kind: type[Any]) -> list[str]:
    return [line for line in (inspect.getdoc(kind) or "").splitlines() if line]


def _inner_tables(name: str) -> dict[str, list[str]]:
    """The lines of a schema for the tables within a table."""
    if name == "rod":
        closed = "  A ring without overlap is closed unless closed = false."
        return {"[rod.shape]": [*toml_file.shape_schema(SHAPES), closed]}
    if name == "shell":
        return {"[shell.mesh]": toml_file.shape_schema(MESHES)}
    if name == "body":
        return {"[body.shape]": kinds_schema(scene_body.SHAPES)}
    if name == "geometry":
        return {
            "[geometry.rod]": schema_lines(RodMaterial),
            "[geometry.shell]": schema_lines(ShellMaterial),
        }
    if name == "tendon":
        return {"[[tendon.points]]": schema_lines(TendonPointTable)}
    if name == "obstacles":
        return {
            "[[obstacles.shapes]]": kinds_schema(scene_contact.SHAPES),
            "[obstacles.shapes.move]": scene_contact.move_schema(),
        }
    return {}
