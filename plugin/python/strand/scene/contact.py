"""Contact in scene files: its tables, and the contacts and obstacles that these describe."""

import dataclasses
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from strand.errors import StrandError
from strand.io import toml_file
from strand.io.options import (
    FLAG,
    NEEDED,
    Kind,
    choice,
    finite,
    key,
    non_negative,
    optional,
    positive,
    vector,
)
from strand.scene import values as scene_values
from strand.scene.keys import Timed, named, read_keys, read_kind, rotation, schema_lines
from strand.simulation import obstacles
from strand.simulation.contact import RESTITUTION
from strand.simulation.simulation import Simulation


@dataclasses.dataclass(kw_only=True)
class _Options:
    """Options of all kinds of contact."""

    friction: float = key(0.0, "Coulomb coefficient", non_negative("1"))
    tolerance: float | None = key(
        None,
        "gap where forces begin; left out: a tenth of the smallest radius",
        optional(positive("m")),
    )
    stiffness: float | None = key(
        None,
        "of the penalty; left out: from the weight, doubled where penetration is too deep",
        optional(positive("N/m")),
    )
    slip_tolerance: float | None = key(
        None,
        "speed below which regularised friction creeps; left out: 1e-3",
        optional(positive("m/s")),
    )
    law: str | None = key(
        None,
        "of friction: anchored sticks; regularised (default with slip_tolerance), as in the papers",
        optional(choice("anchored", "regularised")),
    )
    tangential_stiffness: float | None = key(
        None,
        "of anchored sticking; left out: the stiffness, against obstacles 20 times that",
        optional(positive("N/m")),
    )
    rolling: bool = key(
        True, "friction turns rods; false: it acts on their axis, as in published codes", FLAG
    )
    restitution: float = key(
        1.0,
        "ratio of separation to approach speed; 1: no loss but damping by the time stepping",
        RESTITUTION,
    )


@dataclasses.dataclass(kw_only=True)
class ContactTable(_Options):
    """Contact of rods, shells and bodies with each other and themselves; the table may be empty."""

    smooth: bool | None = key(
        None,
        "rods touch as curves; false: as straight edges; left out: true without friction, unless "
        "links are too long for curves",
        optional(FLAG),
    )


@dataclasses.dataclass(kw_only=True)
class _ObstacleOptions(_Options):
    node_radius: float | None = key(
        None, "of the nodes; left out: the rods' radius", optional(non_negative("m"))
    )
    nodes_alone: bool = key(
        False, "true: edges and faces pass through obstacles, as in published codes", FLAG
    )


@dataclasses.dataclass(kw_only=True)
class FloorTable(_ObstacleOptions):
    """A horizontal floor; the table may be empty."""

    height: float = key(0.0, "its z", finite("m"))


@dataclasses.dataclass(kw_only=True)
class ObstaclesTable(_ObstacleOptions):
    """Rigid obstacles with the same options of contact."""

    shapes: list[dict[str, Any]] = key(
        NEEDED,
        "tables [[obstacles.shapes]]: type and its keys",
        Kind("one table [[obstacles.shapes]] or more", lambda value: _shapes(value)),
    )


def _shapes(value: Any) -> list[dict[str, Any]]:
    if not value:
        raise ValueError
    return toml_file.tables("", value)


@dataclasses.dataclass(kw_only=True)
class _MoveShape(Timed):
    """Drives the shape with a velocity and a rate of rotation about its middle (a plane: its
    point), or by a table against time: three displacements (m), optionally followed by three
    components of a rotation vector (rad)."""

    velocity: list[float] | None = key(None, "constant", optional(vector(3, "m/s")))
    rate: list[float] | None = key(None, "constant", optional(vector(3, "rad/s")))


@dataclasses.dataclass(kw_only=True)
class _Shape:
    velocity: list[float] = key(
        (0.0, 0.0, 0.0), "of the surface, like a conveyor belt's", vector(3, "m/s")
    )
    move: dict[str, Any] | None = key(
        None,
        "a table [obstacles.shapes.move] that drives the shape",
        optional(Kind("a table", lambda value: toml_file.table("", value))),
    )


@dataclasses.dataclass(kw_only=True)
class _Plane(_Shape):
    """The half-space behind a plane."""

    point: list[float] = key(NEEDED, "of the plane", vector(3, "m"))
    normal: list[float] = key(NEEDED, "towards the free side, of any length", vector(3, "1"))


@dataclasses.dataclass(kw_only=True)
class _Sphere(_Shape):
    """A ball."""

    centre: list[float] = key(NEEDED, "its centre", vector(3, "m"))
    radius: float = key(NEEDED, "its radius", positive("m"))
    hollow: bool = key(False, "true: a cavity with the rods inside", FLAG)


@dataclasses.dataclass(kw_only=True)
class _Capsule(_Shape):
    """All points within a radius of a segment."""

    a: list[float] = key(NEEDED, "one end of the segment", vector(3, "m"))
    b: list[float] = key(NEEDED, "the other", vector(3, "m"))
    radius: float = key(NEEDED, "about the segment", positive("m"))
    hollow: bool = key(False, "true: a pipe with round ends and the rods inside", FLAG)


@dataclasses.dataclass(kw_only=True)
class _Cylinder(_Shape):
    """All points within a radius of a segment, between its ends."""

    a: list[float] = key(NEEDED, "the centre of one flat end", vector(3, "m"))
    b: list[float] = key(NEEDED, "the centre of the other", vector(3, "m"))
    radius: float = key(NEEDED, "about the segment", positive("m"))
    hollow: bool = key(False, "true: a can with the rods inside", FLAG)


@dataclasses.dataclass(kw_only=True)
class _Box(_Shape):
    """A box."""

    centre: list[float] = key(NEEDED, "its centre", vector(3, "m"))
    half_extents: list[float] = key(NEEDED, "half of each side, > 0", vector(3, "m"))
    quat: list[float] = key(
        (1.0, 0.0, 0.0, 0.0), "its rotation (w x y z)", vector(4, "not all zero")
    )


SHAPES: dict[str, tuple[type[Any], Callable[..., obstacles.Obstacle]]] = {
    "plane": (_Plane, obstacles.plane),
    "sphere": (_Sphere, obstacles.sphere),
    "capsule": (_Capsule, obstacles.capsule),
    "cylinder": (_Cylinder, obstacles.cylinder),
    "box": (_Box, obstacles.box),
}


def add_floor(simulation: Simulation, table: FloorTable) -> None:
    simulation.add_floor(table.height, **_options(table, "height"))


def add_obstacles(simulation: Simulation, table: ObstaclesTable, folder: Path) -> None:
    shapes = [_shape(f"shapes[{k}]", content, folder) for k, content in enumerate(table.shapes)]
    simulation.add_obstacles(shapes, **_options(table, "shapes"))


def add_contact(simulation: Simulation, table: ContactTable) -> None:
    simulation.add_contact(**_options(table))


def _options(table: _Options, *beside: str) -> dict[str, Any]:
    """The given options as arguments of the simulation's methods, without the keys `beside`."""
    options = dataclasses.asdict(table)
    return {name: options[name] for name in options.keys() - beside if options[name] is not None}


def _shape(where: str, content: dict[str, Any], folder: Path) -> obstacles.Obstacle:
    make, geometry = read_kind(where, content, SHAPES)
    velocity, move = geometry.pop("velocity"), geometry.pop("move")
    if "quat" in geometry:
        geometry["rotation"] = rotation(where, geometry.pop("quat"))
    with named(where):
        shape = make(**geometry)
    shape.velocity = velocity
    if move is not None:
        shape.move(driven_path(f"{where}.move", move, folder))
    return shape


def driven_path(
    where: str, content: dict[str, Any], folder: Path
) -> Callable[[float], tuple[np.ndarray, np.ndarray]]:
    """The path that a table [obstacles.shapes.move] describes, of an obstacle or a rigid body."""
    table = read_keys(where, content, _MoveShape)
    if table.velocity is None and table.rate is not None and table.file is None:
        table.velocity = [0.0, 0.0, 0.0]
    if table.rate is not None and table.file is not None:
        raise StrandError(f"{where}.rate: not allowed together with `file`")
    if table.between == "step":
        raise StrandError(
            f"{where}.between: got 'step', allowed: linear, since obstacles and bodies cannot jump"
        )
    way = scene_values.function(where, table, folder, "velocity", 3, 6, rate=True)
    turn = np.array(table.rate or (0.0, 0.0, 0.0))

    def path(time: float) -> tuple[np.ndarray, np.ndarray]:
        moved = way(time)
        return moved[:3], moved[3:] if len(moved) > 3 else time * turn

    return path


def move_schema() -> list[str]:
    """Lines of a schema: the meaning of a shape's table `move`, and its keys."""
    words = (inspect.getdoc(_MoveShape) or "").splitlines()
    return [*(f"# {line}" for line in words), *schema_lines(_MoveShape)]
