"""The planar chain of a growing robot in reduced coordinates: headings and extensions of pairs.

Pair i = 0 ... L - 1 has two bodies a, b (numbers 2 i and 2 i + 1) of half length d_i and one
heading th_i; their centres are at the distance s_i. With e = (cos th, sin th) and
n = (-sin th, cos th) the centre of body k is

    X_k = base + sum_j l_kj(s) e_j,    l_kj linear in s ("levers"),

so that pins and prismatic joints hold by construction. It is the chain of model/vine/chain.h, with
the same symbols.

Source: N. Jitosho, N. Agharese, A. Okamura, Z. Manchester, "A Dynamics Simulator for Soft Growing
Robots", ICRA 2021, eqs. 1 to 5.
"""

import dataclasses
import functools

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eigh

from strand.errors import StrandError


@dataclasses.dataclass(frozen=True)
class VineModel:
    """Known parameters of a robot, for a fit. SI units.

    pairs: number L of pairs.
    half_length: d, half the length of each body (m): one number, or one per pair.
    mass: of each body (kg): one number, or one per pair.
    inertia: of each body about its centre (kg m^2): one number, or one per pair.
    dt: time step (s).
    base_heading: heading of the base at rest (rad; default 0).
    base: position of the first pin (2, m; default the origin).
    diameter: of the robot (m; default 0). Contact points keep half of it away from obstacles.

    Raises StrandError, which names the field, its value and the allowed range.
    """

    pairs: int  #: L
    half_length: float | np.ndarray  #: d (m)
    mass: float | np.ndarray  #: kg
    inertia: float | np.ndarray  #: kg m^2
    dt: float  #: s
    base_heading: float = 0.0  #: rad
    base: tuple[float, float] = (0.0, 0.0)  #: m
    diameter: float = 0.0  #: m

    def __post_init__(self) -> None:
        if not isinstance(self.pairs, int | np.integer) or self.pairs < 1:
            raise StrandError(f"pairs: got {self.pairs!r}, allowed: whole numbers >= 1")
        for name in ("half_length", "mass", "inertia"):
            values = numbers(name, getattr(self, name), (self.pairs,), above=0)
            object.__setattr__(self, name, values)
        numbers("dt", self.dt, (), above=0)
        numbers("base_heading", self.base_heading, ())
        numbers("diameter", self.diameter, (), least=0)
        object.__setattr__(self, "base", numbers("base", self.base, (2,)))

    @property
    def bodies(self) -> int:
        return 2 * self.pairs

    @functools.cached_property
    def extension_levers(self) -> np.ndarray:
        """dl_kj / ds_j (bodies, pairs): 1 for bodies beyond pair j and for body b of pair j."""
        body = np.arange(self.bodies)[:, np.newaxis]
        return (body > 2 * np.arange(self.pairs)).astype(float)

    @functools.cached_property
    def fixed_levers(self) -> np.ndarray:
        """l_kj without extensions (bodies, pairs) (m): 2 d_j beyond pair j, d_j within it."""
        pair = np.arange(self.bodies)[:, np.newaxis] // 2
        return np.where(pair > np.arange(self.pairs), 2.0, pair == np.arange(self.pairs)) * (
            self.half_length
        )

    @functools.cached_property
    def body_of_pair(self) -> np.ndarray:
        """(bodies, pairs): 1 if the body belongs to the pair, else 0."""
        return np.repeat(np.eye(self.pairs), 2, axis=0)

    @functools.cached_property
    def bending(self) -> np.ndarray:
        """(pairs, pairs): the joint angles are bending @ headings - (base_heading, 0, ...)."""
        return np.eye(self.pairs) - np.eye(self.pairs, k=-1)

    def joint_angles(self, headings: np.ndarray) -> np.ndarray:
        """Joint angles phi (..., pairs) (rad), from headings (..., pairs) (rad)."""
        angles = headings @ self.bending.T
        angles[..., 0] -= self.base_heading
        return angles

    def levers(self, extensions: np.ndarray) -> np.ndarray:
        """l_kj (..., bodies, pairs) (m), from extensions (..., pairs) (m)."""
        return self.fixed_levers + self.extension_levers * extensions[..., np.newaxis, :]

    def distal_levers(self, extensions: np.ndarray) -> np.ndarray:
        """Levers of the bodies' distal ends (m), (..., bodies, pairs)."""
        return self.levers(extensions) + self.body_of_pair * self.half_length

    def distal_ends(self, headings: np.ndarray, extensions: np.ndarray) -> np.ndarray:
        """Distal ends of all bodies (m), (..., bodies, 2)."""
        return self.base + self.distal_levers(extensions) @ axes(headings)

    def tip(self, headings: np.ndarray, extensions: np.ndarray) -> np.ndarray:
        """Position of the tip (..., 2) (m)."""
        return self.distal_ends(headings, extensions)[..., -1, :]

    def explicit_limit(self, headings: np.ndarray, extensions: np.ndarray) -> float:
        """Upper limit of dt (dt K + 2 C) for which explicit bending is stable in this
        configuration (N m s^2).

        For a mode with mu = w^2 / K the characteristic polynomial of the step is
        z^2 - (2 - a - b) z + 1 - b, with a = dt^2 K mu and b = dt C mu. Its roots are in the unit
        circle if a + 2 b < 4.
        """
        lever = self.levers(extensions)
        across = normals(headings)
        body_mass = np.repeat(self.mass, 2)
        mass = np.einsum("k,ki,kj,ic,jc->ij", body_mass, lever, lever, across, across)
        mass += 2 * np.diag(self.inertia)
        return 4 / float(eigh(self.bending.T @ self.bending, mass, eigvals_only=True)[-1])

    def poses(self, headings: np.ndarray, extensions: np.ndarray) -> np.ndarray:
        """x, y (m) and heading (rad) of all bodies, (..., bodies, 3)."""
        centres = self.base + self.levers(extensions) @ axes(headings)
        return np.concatenate([centres, np.repeat(headings, 2, axis=-1)[..., np.newaxis]], axis=-1)


def axes(headings: np.ndarray) -> np.ndarray:
    """e = (cos th, sin th), (..., pairs, 2)."""
    return np.stack([np.cos(headings), np.sin(headings)], axis=-1)


def normals(headings: np.ndarray) -> np.ndarray:
    """n = de / dth = (-sin th, cos th), (..., pairs, 2)."""
    return np.stack([-np.sin(headings), np.cos(headings)], axis=-1)


def numbers(
    name: str,
    value: ArrayLike,
    shape: tuple[int, ...],
    *,
    above: float | None = None,
    least: float | None = None,
) -> np.ndarray:
    """Finite numbers, broadcast to `shape`. Raises StrandError with field, value and range."""
    allowed = "finite numbers" if shape else "a finite number"
    if above is not None:
        allowed += f" > {above:g}"
    if least is not None:
        allowed += f" >= {least:g}"
    try:
        values = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise StrandError(f"{name}: got {value!r}, allowed: {allowed}") from None
    wrong = ~np.isfinite(values)
    if above is not None:
        wrong |= ~(values > above)
    if least is not None:
        wrong |= ~(values >= least)
    if wrong.any():
        raise StrandError(f"{name}: got {float(values[wrong][0])!r}, allowed: {allowed}")
    try:
        return np.array(np.broadcast_to(values, shape))
    except ValueError:
        raise StrandError(
            f"{name}: got an array of shape {values.shape}, allowed: {shape}"
        ) from None
