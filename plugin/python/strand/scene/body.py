"""Rigid bodies in scene files: their tables, and the bodies that these describe."""

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import scipy

from strand import meshes
from strand.errors import StrandError
from strand.io import toml_file
from strand.io.options import (
    FLAG,
    INTEGER,
    NEEDED,
    TEXT,
    Kind,
    choice,
    key,
    optional,
    positive,
    vector,
)
from strand.scene.contact import driven_path
from strand.scene.keys import Placed, named, read_file, read_kind, rotation
from strand.simulation import bodies
from strand.simulation.body import Body
from strand.simulation.network import Network
from strand.simulation.simulation import Simulation

_TABLE = Kind("a table", lambda value: toml_file.table("", value))
_ZERO = (0.0, 0.0, 0.0)


@dataclasses.dataclass(kw_only=True)
class BodyTable(Placed):
    """A rigid body, with a mass or a density."""

    name: str = key(NEEDED, "name for other tables", TEXT)
    shape: dict[str, Any] = key(
        NEEDED, "a table [body.shape]: type and its keys, about the centre of mass", _TABLE
    )
    mass: float | None = key(None, "of the body", optional(positive("kg")))
    density: float | None = key(None, "or its density", optional(positive("kg/m^3")))
    stiffness: float | None = key(
        None,
        "a moment M strains it by M / stiffness; left out: 1e-6 at 100 m/s^2",
        optional(positive("J")),
    )
    velocity: list[float] = key(_ZERO, "of its centre at the start", vector(3, "m/s"))
    angular_velocity: list[float] = key(_ZERO, "at the start, global axes", vector(3, "rad/s"))
    force: list[float] = key(_ZERO, "at its centre, constant", vector(3, "N"))
    torque: list[float] = key(_ZERO, "constant", vector(3, "N m"))
    torque_axes: str = key(
        "world", "axes of the torque; body: turn with the body", choice("world", "body")
    )
    fixed: bool = key(False, "true: the body does not move", FLAG)
    move: dict[str, Any] | None = key(
        None,
        "a table [body.move], as [obstacles.shapes.move], that drives the body",
        optional(_TABLE),
    )


@dataclasses.dataclass(kw_only=True)
class AttachToBodyTable:
    """Attaches a node of a rod to a body, at their initial positions."""

    rod: str = key(NEEDED, "the rod's name", TEXT)
    node: int = key(NEEDED, "of the rod; -1 is its end", INTEGER)
    body: str = key(NEEDED, "the body's name", TEXT)
    joint: str = key(
        "ball",
        "rigid, only for ends of rods: fixes direction and twist, too",
        choice("ball", "rigid"),
    )


@dataclasses.dataclass(kw_only=True)
class _Sphere:
    """A ball."""

    radius: float = key(NEEDED, "its radius", positive("m"))


@dataclasses.dataclass(kw_only=True)
class _Along:
    """Along z, with a hemisphere at each end (a cylinder: flat ends)."""

    radius: float = key(NEEDED, "about its axis", positive("m"))
    length: float = key(NEEDED, "between the ends of its axis", positive("m"))


@dataclasses.dataclass(kw_only=True)
class _Box:
    """A box."""

    size: list[float] = key(NEEDED, "its edges along x, y and z, > 0", vector(3, "m"))
    rounding: float | None = key(
        None,
        "radius of its edges in contact; left out: a twentieth of the shortest edge",
        optional(positive("m")),
    )


@dataclasses.dataclass(kw_only=True)
class _Mesh:
    """A closed mesh, positioned by its centre of mass."""

    file: str = key(NEEDED, ".stl, .obj, .ply or .off", TEXT)
    scale: float = key(1.0, "of the file; 0.001 if it is in millimetres", positive("m per unit"))
    rounding: float | None = key(
        None,
        "distance of its contact surface from the mesh; left out: a hundredth of the shortest side",
        optional(positive("m")),
    )


SHAPES: dict[str, tuple[type[Any], Callable[..., bodies.Shape]]] = {
    "sphere": (_Sphere, bodies.sphere),
    "capsule": (_Along, bodies.capsule),
    "cylinder": (_Along, bodies.cylinder),
    "box": (_Box, bodies.box),
    "mesh": (_Mesh, bodies.mesh),
}


def add_body(network: Network, where: str, table: BodyTable, folder: Path) -> Body:
    turned = scipy.spatial.transform.Rotation.from_matrix(rotation(where, table.quat)).as_rotvec()
    make, geometry = read_kind(f"{where}.shape", table.shape, SHAPES)
    if make is bodies.mesh:
        file, scale = geometry.pop("file"), geometry.pop("scale")
        geometry["vertices"], geometry["triangles"] = read_file(
            f"{where}.shape", file, folder, lambda path: meshes.read(path, scale)
        )
    with named(f"{where}.shape"):
        shape = make(**geometry)
    with named(where):
        return network.body(
            shape,
            mass=table.mass,
            density=table.density,
            stiffness=table.stiffness,
            position=table.pos,
            rotation=turned,
        )


def hold_body(
    simulation: Simulation, body: Body, where: str, table: BodyTable, folder: Path
) -> None:
    """Fixes, drives and loads a body as its table describes."""
    if table.fixed and table.move is not None:
        raise StrandError(f"{where}.move: got a table, allowed: no table if fixed = true")
    if table.fixed:
        simulation.fix_body(body)
    if table.move is not None:
        simulation.move_body(body, driven_path(f"{where}.move", table.move, folder))
    if any(table.force):
        simulation.load_body(body, table.force)
    if any(table.torque):
        simulation.load_body_torque(body, table.torque, table.torque_axes)


def set_velocity(simulation: Simulation, body: Body, table: BodyTable) -> None:
    if any((*table.velocity, *table.angular_velocity)):
        simulation.set_body_velocity(body, table.velocity, table.angular_velocity)
