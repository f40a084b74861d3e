"""Arguments of Simulation, rods and shells, which are also keys of scene tables."""

import dataclasses
import warnings
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

EXPLICIT = "symplectic_euler", "verlet"  #: methods
CENTRED = "midpoint", "verlet"  #: methods that evaluate forces in the middle of a step


@dataclasses.dataclass(kw_only=True)
class SimulationTable:
    """Time stepping and environment; arguments of strand.simulation.Simulation."""

    duration: float | None = key(
        None, "of the run; --duration takes precedence", optional(positive("s"))
    )
    dt: float = key(1e-3, "the longest step", positive("s"))
    method: str = key(
        "bdf2",
        "bdf2, backward_euler damp fast motion, midpoint conserves energy; the others are explicit",
        choice("bdf2", "midpoint", "backward_euler", "symplectic_euler", "verlet"),
    )
    gravity: list[float] = key(GRAVITY, "along x, y, z", vector(3, "m/s^2"))
    medium_density: float = key(0.0, "of the medium around the rods", number("(kg/m^3)"))
    viscosity: float = key(0.0, "drag on rods per length and speed", number("(Pa s)"))
    plane: str | None = key(
        None, "restricts the motion to a plane", optional(choice("yz", "xz", "xy"))
    )
    twist: bool = key(True, "false: rods do not twist", FLAG)
    curvature: str = key(
        "angle", "measure of curvature", choice("angle", "tangent", "smooth4", "smooth")
    )
    average: str = key(
        "middle",
        "the frame in which joints bend, or what is averaged over their two edges",
        choice("middle", "energies", "curvatures"),
    )
    junctions: str = key(
        "hub", "how three or more connected edges are joined", choice("hub", "pairs")
    )
    rest_straight: bool = key(False, "rods are straight at rest, whatever their nodes", FLAG)
    tolerance: float = key(
        1e-7,
        "converged: a further Newton iteration would change less than this fraction of the change",
        positive("1"),
    )
    max_iterations: int = key(50, "most Newton iterations in a step", count(1, 10**9))
    least_dt: float = key(1e-9, "shortest step, if longer ones do not converge", positive("s"))
    equilibrium: bool = key(False, "find the equilibrium before the motion begins", FLAG)


# Rayleigh's alpha and beta, for rods and shells.
MASS_DAMPING = "a in the force -a m v against all motion", non_negative("1/s")
MATERIAL_DAMPING = (
    "b in the stress E (strain + b strain rate): viscosity over young (Kelvin-Voigt)",
    non_negative("s"),
)


@dataclasses.dataclass(kw_only=True)
class RodMaterial:
    """Material and section of a rod. The section is a circle by default."""

    radius: float = key(NEEDED, "of the section", positive("m"))
    young: float | None = key(None, "Young's modulus; or EI and GJ", optional(positive("Pa")))
    density: float | None = key(
        None, "mass per volume; or mass_per_length", optional(non_negative("kg/m^3"))
    )
    poisson: float | None = key(
        None, "Poisson's ratio; left out: 0.5, or from shear", optional(number("> -1 and <= 0.5"))
    )
    shear: float | None = key(None, "shear modulus", optional(positive("Pa")))
    area: float | None = key(
        None, "of the section; left out: a circle's", optional(positive("m^2"))
    )
    second_moments: list[float] | None = key(
        None, "for bending about m1 and m2; left out: a circle's", optional(vector(2, "m^4"))
    )
    torsion_constant: float | None = key(None, "left out: a circle's", optional(positive("m^4")))
    EI: list[float] | None = key(
        None,
        "bending stiffness; two: about m1 and m2",
        optional(numbers(1, 2, "one number or two > 0 (N m^2)")),
    )
    GJ: float | None = key(None, "twisting stiffness", optional(positive("N m^2")))
    EA: float | None = key(
        None,
        "stretching stiffness; left out: from young, or 4 EI / radius^2",
        optional(positive("N")),
    )
    mass_per_length: float | None = key(None, "instead of density", optional(non_negative("kg/m")))
    mass_damping: float = key(0.0, *MASS_DAMPING)
    material_damping: float = key(0.0, *MATERIAL_DAMPING)
    yield_stress: float | None = key(
        None, "stress at which a circular section yields", optional(positive("Pa"))
    )
    hardening: list[float] | None = key(
        None,
        "plastic moduli, kinematic and isotropic, as fractions of young",
        optional(numbers(1, 2, "1 or 2 numbers >= 0")),
    )


@dataclasses.dataclass(kw_only=True)
class ShellMaterial:
    """Material and thickness of a shell."""

    young: float = key(NEEDED, "Young's modulus", positive("Pa"))
    poisson: float = key(0.3, "Poisson's ratio", number("> -1 and <= 0.5"))
    thickness: float = key(NEEDED, "of the sheet", positive("m"))
    density: float = key(NEEDED, "mass per volume", non_negative("kg/m^3"))
    bending: str = key(
        "mid_edge",
        "mid_edge: by normals at the middles of edges; hinge: by the angles at edges",
        choice("hinge", "mid_edge"),
    )
    membrane: str = key(
        "continuum",
        "continuum: triangles of constant strain; springs: along the edges, as in the papers",
        choice("continuum", "springs"),
    )
    mass_damping: float = key(0.0, *MASS_DAMPING)
    material_damping: float = key(0.0, *MATERIAL_DAMPING)


def check_poisson(poisson: float) -> None:
    if not -1 < poisson <= 0.5:
        raise StrandError(f"poisson: got '{poisson}', allowed: -1 < poisson <= 0.5")


def spread(name: str, value: ArrayLike, shape: tuple[int, ...]) -> np.ndarray:
    """Numbers broadcast to `shape`. Raises StrandError if they cannot be.

    One number is no vector: it does not fill a shape that ends with 3.
    """

    def fill(given: np.ndarray) -> np.ndarray:
        if given.ndim == 0 and shape[-1] == 3:
            raise ValueError
        return np.broadcast_to(given, shape)

    kind = Kind(f"numbers that fill shape {shape}", fill)
    return read(name, read(name, value, REALS), kind)


def warn_of_positions(moved: np.ndarray, start: np.ndarray) -> None:
    """Warns where displacements (m) equal the positions from which they count, `start` (m)."""
    if np.any(start) and np.allclose(moved, start, rtol=1e-6, atol=0):
        place = ", ".join(f"{x:g}" for x in np.atleast_2d(start)[0])
        warnings.warn(
            f"path: begins with ({place}) m, which is the position itself; a path returns"
            " displacements from there, which begin at zero",
            stacklevel=3,
        )


def node_positions(name: str, value: ArrayLike) -> np.ndarray:
    """Points (n x 3, m). Raises StrandError, which names them, if the shape differs."""
    points = read(name, value, REALS)
    if points.ndim != 2 or points.shape[1] != 3:
        raise StrandError(f"{name}: got shape {points.shape}, allowed: (n, 3)")
    return points


def _triangles(value: ArrayLike) -> np.ndarray:
    corners = np.asarray(value)
    if corners.ndim != 2 or corners.shape[1] != 3 or not np.issubdtype(corners.dtype, np.integer):
        raise ValueError
    return corners


CORNERS = Kind("integers of shape (n, 3)", _triangles)


def default_normal(direction: np.ndarray) -> np.ndarray:
    """A horizontal direction orthogonal to an edge: z x t, or y if the edge is vertical."""
    across = np.cross((0, 0, 1), direction)
    upright = np.linalg.norm(across) < 1e-9 * np.linalg.norm(direction)
    return np.array([0.0, 1.0, 0.0]) if upright else across


def indices(name: str, one_or_more: Iterable[int] | ArrayLike) -> list[int]:
    """A list of integers, from one or several. Raises StrandError for other values."""
    if isinstance(one_or_more, np.ndarray):
        one_or_more = one_or_more.tolist()
    if isinstance(one_or_more, Iterable) and not isinstance(one_or_more, str):
        return [read(name, each, INTEGER) for each in one_or_more]
    return [read(name, one_or_more, INTEGER)]


def check(table: type[Any], arguments: dict[str, Any]) -> dict[str, Any]:
    """Checks the arguments that are keys of `table`, as in scene files, and returns them.

    Raises StrandError if a value is invalid.
    """
    fields = [field for field in dataclasses.fields(table) if field.name in arguments]
    return {
        field.name: read(field.name, arguments[field.name], field.metadata["option"])
        for field in fields
    }
