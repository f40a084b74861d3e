"""Arguments of Simulation, rods and shells, which are keys of a scene's tables, too."""

import dataclasses
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from strand.errors import StrandError
from strand.io.options import (
    FLAG,
    GRAVITY,
    INTEGER,
    NEEDED,
    REALS,
    Kind,
    choice,
    count,
    key,
    non_negative,
    number,
    numbers,
    optional,
    positive,
    read,
    vector,
)


@dataclasses.dataclass(kw_only=True)
class SimulationTable:
    """How it is stepped; arguments of strand.simulation.Simulation."""

    duration: float | None = key(None, "of the run; --duration goes first", optional(positive("s")))
    dt: float = key(1e-3, "the longest step", positive("s"))
    method: str = key(
        "bdf2",
        "bdf2 and backward_euler damp what is fast, midpoint keeps energy; the others are explicit",
        choice("bdf2", "midpoint", "backward_euler", "symplectic_euler", "verlet"),
    )
    gravity: list[float] = key(GRAVITY, "along x, y, z", vector(3, "m/s^2"))
    medium_density: float = key(0.0, "of what the rods float in", number("(kg/m^3)"))
    viscosity: float = key(0.0, "of what drags at the rods", number("(Pa s)"))
    plane: str | None = key(None, "the motion's, if it has one", optional(choice("yz", "xz", "xy")))
    twist: bool = key(True, "false: rods have no twisting", FLAG)
    curvature: str = key("angle", "measure of curvature", choice("angle", "tangent"))
    average: str = key(
        "energies", "what is averaged over a joint's two edges", choice("energies", "curvatures")
    )
    rest_straight: bool = key(False, "rods are straight at rest, not as drawn", FLAG)
    tolerance: float = key(
        1e-7, "what a further Newton step would change, of all change", positive("1")
    )
    max_iterations: int = key(50, "Newton steps of one step", count(1, 10**9))
    least_dt: float = key(1e-9, "shortest step where longer ones fail", positive("s"))
    equilibrium: bool = key(False, "find the equilibrium before the motion begins", FLAG)


# Rayleigh's alpha and beta, of rods and shells.
MASS_DAMPING = "force -a m v against all motion, per mass and speed", non_negative("1/s")
MATERIAL_DAMPING = (
    "stress E (strain + b strain rate): viscosity over young, as Kelvin and Voigt",
    non_negative("s"),
)


@dataclasses.dataclass(kw_only=True)
class RodMaterial:
    """What a rod is made of, with circular section unless said otherwise."""

    radius: float = key(NEEDED, "of the section", positive("m"))
    young: float | None = key(None, "Young's modulus; or EI and GJ", optional(positive("Pa")))
    density: float | None = key(
        None, "mass per volume; or mass_per_length", optional(non_negative("kg/m^3"))
    )
    poisson: float | None = key(
        None, "Poisson's ratio, else 0.5, or shear", optional(number("> -1 and <= 0.5"))
    )
    shear: float | None = key(None, "shear modulus", optional(positive("Pa")))
    area: float | None = key(None, "else that of a circle", optional(positive("m^2")))
    second_moments: list[float] | None = key(
        None, "bending about m1 and m2, else a circle's", optional(vector(2, "m^4"))
    )
    torsion_constant: float | None = key(None, "else a circle's", optional(positive("m^4")))
    EI: list[float] | None = key(
        None,
        "bending stiffness (about m1 and m2: two)",
        optional(numbers(1, 2, "one number or two > 0 (N m^2)")),
    )
    GJ: float | None = key(None, "twisting stiffness", optional(positive("N m^2")))
    EA: float | None = key(
        None, "stretching stiffness, else young's or 4 EI / radius^2", optional(positive("N"))
    )
    mass_per_length: float | None = key(None, "of the rod", optional(non_negative("kg/m")))
    mass_damping: float = key(0.0, *MASS_DAMPING)
    material_damping: float = key(0.0, *MATERIAL_DAMPING)


@dataclasses.dataclass(kw_only=True)
class ShellMaterial:
    """What a shell is made of."""

    young: float = key(NEEDED, "Young's modulus", positive("Pa"))
    poisson: float = key(0.3, "Poisson's ratio", number("> -1 and <= 0.5"))
    thickness: float = key(NEEDED, "of the sheet", positive("m"))
    density: float = key(NEEDED, "mass per volume", non_negative("kg/m^3"))
    bending: str = key(
        "mid_edge",
        "by normals at the edges' middles, or by the edges' angles",
        choice("hinge", "mid_edge"),
    )
    membrane: str = key(
        "continuum",
        "stretching: of young and poisson on any mesh, or springs along the edges, as published",
        choice("continuum", "springs"),
    )
    mass_damping: float = key(0.0, *MASS_DAMPING)
    material_damping: float = key(0.0, *MATERIAL_DAMPING)


def check_poisson(poisson: float) -> None:
    if not -1 < poisson <= 0.5:
        raise StrandError(f"poisson: got '{poisson}', allowed: -1 < poisson <= 0.5")


def spread(name: str, value: ArrayLike, shape: tuple[int, ...]) -> np.ndarray:
    """Numbers of that shape, or fewer that are repeated to fill it. Raises StrandError."""
    kind = Kind(f"numbers that fill shape {shape}", lambda given: np.broadcast_to(given, shape))
    return read(name, read(name, value, REALS), kind)


def indices(name: str, one_or_more: Iterable[int] | ArrayLike) -> list[int]:
    """Integers, given as one or as several. Raises StrandError."""
    if isinstance(one_or_more, np.ndarray):
        one_or_more = one_or_more.tolist()
    if isinstance(one_or_more, Iterable) and not isinstance(one_or_more, str):
        return [read(name, each, INTEGER) for each in one_or_more]
    return [read(name, one_or_more, INTEGER)]


def check(table: type[Any], arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments that are keys of a table, as in a scene's file. Raises StrandError."""
    fields = [field for field in dataclasses.fields(table) if field.name in arguments]
    return {
        field.name: read(field.name, arguments[field.name], field.metadata["option"])
        for field in fields
    }
