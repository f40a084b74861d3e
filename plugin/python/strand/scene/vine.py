"""Scenes of a growing robot: TOML files with a table [vine] for `strand simulate`."""

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
    TEXT,
    choice,
    count,
    finite,
    key,
    non_negative,
    number,
    optional,
    positive,
    vector,
)
from strand.scene import values as scene_values
from strand.scene.keys import Timed, named, read_keys, schema_lines
from strand.scene.tables import OutputTable
from strand.vine import robot as vine
from strand.vine.robot import Robot

OBSTACLES: toml_file.Makers = {
    "circle": vine.circle,
    "box": vine.box,
    "rotated_box": vine.rotated_box,
    "polygon": vine.polygon,
}
_MATERIAL = ("EI", "bending_damping", "mass_per_length")
_BODIES = ("mass", "inertia", "stiffness", "damping")
_MOST_SEGMENTS = 20_000


@dataclasses.dataclass(kw_only=True)
class VineTable:
    """The robot, from a material, or from parameters of its bodies and joints as in the paper."""

    length: float = key(NEEDED, "at the start", positive("m"))
    segments: int = key(NEEDED, "pairs of bodies at the start", count(1))
    diameter: float = key(0.024, "of the body", positive("m"))
    base: list[float] = key((0.0, 0.0), "position of the base", vector(2, "m"))
    heading: float = key(0.0, "of the base, from +x", finite("rad"))
    EI: float | None = key(None, "bending stiffness", optional(positive("N m^2")))
    bending_damping: float | None = key(
        None, "couple per rate of curvature", optional(non_negative("N m^2 s"))
    )
    mass_per_length: float | None = key(None, "of the body", optional(positive("kg/m")))
    mass: float | None = key(None, "of each body, as in the paper", optional(positive("kg")))
    inertia: float | None = key(None, "of each body", optional(positive("kg m^2")))
    stiffness: float | None = key(None, "of each joint", optional(non_negative("N m")))
    damping: float | None = key(None, "of each joint", optional(non_negative("N m s")))
    growth: str = key(
        "telescoping",
        "all pairs grow (with EI: EI and mass per length are kept), or only the tip",
        choice("telescoping", "tip"),
    )
    curvature: float = key(0.0, "natural curvature, with EI", finite("1/m"))


@dataclasses.dataclass(kw_only=True)
class GrowthTable(Timed):
    """The rate of growth; a file has the rate in its second column."""

    rate: float | None = key(None, "of the total length; < 0 retracts", optional(finite("m/s")))


@dataclasses.dataclass(kw_only=True)
class VineSimulationTable:
    """Time stepping and contact; arguments of strand.vine.Robot."""

    duration: float | None = key(None, "of the run; or --duration", optional(positive("s")))
    dt: float = key(0.01, "time step", positive("s"))
    mode: str = key(
        "converged", "or a single quadratic program per step", choice("converged", "single_qp")
    )
    implicit_bending: bool = key(True, "false: explicit, as published", FLAG)
    corner_normal: str = key(
        "gradient", "contact normal at corners", choice("gradient", "published")
    )
    friction: float = key(0.0, "with obstacles and with itself", number(">= 0 (1)"))
    segment_contact: bool | None = key(
        None,
        "obstacles touch segments; false: pins and tip only; left out: in mode converged",
        optional(FLAG),
    )
    self_contact: bool | None = key(
        None, "the robot touches itself; left out: in mode converged", optional(FLAG)
    )
    gravity: list[float] = key((0.0, 0.0), "along x, y", vector(2, "m/s^2"))
    tolerance: float = key(1e-9, "of joints and gaps", positive("m"))


def _of_output(name: str) -> Any:
    """A key that scenes of rods have, too."""
    field = OutputTable.__dataclass_fields__[name]
    return dataclasses.field(default=field.default, metadata=field.metadata)


@dataclasses.dataclass(kw_only=True)
class VineOutputTable:
    """Output files; command options take precedence. Paths are relative to the scene file.

    A .csv file has one row per sample, in SI units: time (s), then x, y (m), heading (rad),
    velocity (m/s) and rate (rad/s) of every body. A .npz file has the arrays time, q and v.
    """

    file: str | None = key(None, "of the states: .csv or .npz", optional(TEXT))
    every: float | None = _of_output("every")
    picture: str | None = _of_output("picture")
    film: str | None = _of_output("film")
    size: str = _of_output("size")
    fps: float = _of_output("fps")


_ONCE: dict[str, type[Any]] = {
    "vine": VineTable,
    "growth": GrowthTable,
    "simulation": VineSimulationTable,
    "output": VineOutputTable,
}
#: Keys of the output of rods and shells that have no meaning here.
_OF_RODS = ("series", "checkpoint", "flush")


@dataclasses.dataclass
class VineScene:
    """A robot, and the growth, duration and output that its file specifies."""

    robot: Robot
    rate: Callable[[float], float]  #: growth (m/s) as a function of time (s)
    duration: float | None = None  #: s
    output: OutputTable = dataclasses.field(default_factory=OutputTable)


def from_content(content: dict[str, Any], folder: Path) -> VineScene:
    """The scene that the tables of a file describe. File names in it are relative to `folder`."""
    read: dict[str, Any] = {name: kind() for name, kind in _ONCE.items() if name != "vine"}
    obstacles = []
    for name, given in content.items():
        if name in _ONCE:
            _check_keys(name, given)
            read[name] = read_keys(name, toml_file.table(name, given), _ONCE[name])
        elif name == "obstacle":
            for k, item in enumerate(toml_file.tables(name, given)):
                obstacles.append(toml_file.shape(f"obstacle[{k}]", item, makers=OBSTACLES))
        else:
            raise toml_file.unknown(name, "a table", [*_ONCE, "obstacle"])
    robot, simulation = read["vine"], read["simulation"]
    output = OutputTable(**dataclasses.asdict(read["output"]))
    rate = _rate(read["growth"], folder)
    for file in ("file", "picture", "film"):
        if (path := getattr(output, file)) is not None:
            setattr(output, file, str(folder / path))
    made = _robot(robot, simulation, obstacles, rate)
    return VineScene(made, rate, simulation.duration, output)


def _check_keys(table: str, given: Any) -> None:
    for name in _OF_RODS if table == "output" and isinstance(given, dict) else ():
        if name in given:
            allowed = "with rods and shells only"
            raise StrandError(f"output.{name}: got {given[name]!r}, allowed: {allowed}")


def _rate(table: GrowthTable, folder: Path) -> Callable[[float], float]:
    if table.rate is None and table.file is None:
        return lambda time: 0.0
    read = scene_values.function("growth", table, folder, "rate", 1)
    return lambda time: float(read(time)[0])


def _robot(
    table: VineTable,
    simulation: VineSimulationTable,
    obstacles: list[vine.Obstacle],
    rate: Callable[[float], float],
) -> Robot:
    options = dataclasses.asdict(simulation)
    duration = options.pop("duration")
    options |= {"diameter": table.diameter, "growth": table.growth}
    material = _material(table)
    segment = table.length / table.segments
    if material is None:
        if table.growth == "tip":
            raise StrandError("vine.growth: got 'tip', allowed: with EI and mass_per_length")
        chain = _bodies(table, segment)
    else:
        room = _room(table, simulation.dt, duration, rate)
        with named("vine"):
            chain = vine.uniform_chain(
                material,
                table.length,
                table.segments,
                table.diameter,
                room,
                base=table.base,
                heading=table.heading,
            )
        if table.growth == "tip":
            options |= {"material": material, "segment": segment}
    return Robot(chain, obstacles, **options)


def _material(table: VineTable) -> vine.Material | None:
    given = {name: getattr(table, name) for name in _MATERIAL}
    given = {name: value for name, value in given.items() if value is not None}
    published = [name for name in _BODIES if getattr(table, name) is not None]
    if given and published:
        raise StrandError(
            f"vine.{published[0]}: got a value beside {next(iter(given))}, allowed: either "
            f"{', '.join(_MATERIAL)} or {', '.join(_BODIES)}"
        )
    if published:
        return None
    if "EI" not in given:
        raise StrandError("vine.EI: got nothing, allowed: a number > 0 (N m^2)")
    return vine.Material(**given, curvature=table.curvature)


def _bodies(table: VineTable, segment: float) -> vine.Chain:
    for name in _BODIES:
        if getattr(table, name) is None:
            raise StrandError(f"vine.{name}: got nothing, allowed: a number, with {_BODIES[0]}")
    numbers = {name: getattr(table, name) for name in _BODIES}
    with named("vine"):
        return vine.chain(
            table.segments, segment / 4, base=table.base, heading=table.heading, **numbers
        )


def _room(
    table: VineTable, dt: float, duration: float | None, rate: Callable[[float], float]
) -> int:
    """The number of segments at the largest length."""
    if table.growth != "tip":
        return table.segments
    times = np.arange(0.0, duration or 60.0, dt)
    longest = max(np.cumsum([dt * rate(time) for time in times]).max(initial=0.0), 0.0)
    room = int((table.length + longest) / table.length * table.segments) + 2
    if room > _MOST_SEGMENTS:
        raise StrandError(f"growth: got a length of {room} segments, allowed: {_MOST_SEGMENTS}")
    return room


def schema() -> str:
    """All tables and keys of scenes of a growing robot, with meanings, allowed values, defaults."""
    lines = ["# Scenes of a growing robot, in the plane, have these tables instead."]
    for name, kind in _ONCE.items():
        documentation = filter(None, (inspect.getdoc(kind) or "").splitlines())
        lines += ["", f"[{name}]", *(f"# {line}" for line in documentation), *schema_lines(kind)]
    lines += ["", "[[obstacle]]", *toml_file.shape_schema(OBSTACLES)]
    return "\n".join(lines) + "\n"
