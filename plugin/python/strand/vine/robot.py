"""Robots and what stands in their way: arrays in and out of the solver in model/vine/."""

import dataclasses
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from strand import _strand
from strand.errors import StrandError, checked
from strand.io.options import FLAG, LIST, REALS, TEXT, count, instance, number, optional, read

Obstacle: TypeAlias = _strand.PlanarObstacle
Report: TypeAlias = _strand.VineReport
Chain: TypeAlias = _strand.VineChain


def circle(centre: ArrayLike, radius: float) -> Obstacle:
    """A solid disc (m)."""
    return checked(_strand.planar_circle, _point("centre", centre), radius)


def polygon(vertices: ArrayLike) -> Obstacle:
    """A solid convex polygon; vertices (m) as rows, in either sense of rotation."""
    rows = read("vertices", vertices, REALS)
    if rows.ndim != 2 or rows.shape[1] != 2:
        raise StrandError(f"vertices: got shape {rows.shape}, allowed: rows of 2")
    return checked(_strand.planar_polygon, rows)


def box(corner: ArrayLike, size: ArrayLike) -> Obstacle:
    """A box with sides along the axes, from its lower left corner (m)."""
    return checked(_strand.planar_box, _point("corner", corner), _point("size", size))


def rotated_box(centre: ArrayLike, angle: float, length: float, width: float) -> Obstacle:
    """A box about its centre (m), its length turned by `angle` (rad) from +x."""
    return checked(_strand.planar_rotated_box, _point("centre", centre), angle, length, width)


@dataclasses.dataclass
class Material:
    """What a robot is made of, per length: chains of any number of segments bend alike."""

    EI: float  #: bending stiffness (N m^2)
    bending_damping: float = 0.0  #: couple per rate of curvature (N m^2 s)
    mass_per_length: float = 0.05  #: kg/m
    curvature: float = 0.0  #: natural (1/m): where it grows to by itself

    def core(self) -> _strand.VineMaterial:
        material = _strand.VineMaterial()
        for name, unit in (
            ("EI", "N m^2"),
            ("bending_damping", "N m^2 s"),
            ("mass_per_length", "kg/m"),
            ("curvature", "1/m"),
        ):
            setattr(material, name, read(name, getattr(self, name), number(f"({unit})")))
        return material


def chain(
    pairs: int,
    half_length: ArrayLike,
    mass: ArrayLike,
    inertia: ArrayLike,
    stiffness: ArrayLike,
    damping: ArrayLike,
    natural_angle: ArrayLike = 0.0,
    base: ArrayLike = (0.0, 0.0),
    heading: float = 0.0,
) -> Chain:
    """A chain from numbers of its bodies and joints, as published: one per pair, or one for all.

    half_length: from a body's centre to its end (m); mass (kg) and inertia (kg m^2) of each of a
    pair's two bodies; stiffness (N m), damping (N m s), natural angle (rad) of its proximal joint.
    """
    made = Chain()
    made.pairs = pairs = read("pairs", pairs, count(1, most=10_000_000))
    made.half_length = _per_pair("half_length", half_length, pairs)
    made.mass = _per_pair("mass", mass, pairs)
    made.inertia = _per_pair("inertia", inertia, pairs)
    made.stiffness = _per_pair("stiffness", stiffness, pairs)
    made.damping = _per_pair("damping", damping, pairs)
    made.natural_angle = _per_pair("natural_angle", natural_angle, pairs)
    made.base = _point("base", base)
    made.base_heading = read("heading", heading, number("(rad)"))
    return made


def uniform_chain(
    material: Material,
    length: float,
    segments: int,
    diameter: float = 0.024,
    capacity: int = 0,
    base: ArrayLike = (0.0, 0.0),
    heading: float = 0.0,
) -> Chain:
    """A chain of a material, clamped at its base; capacity: room for segments to grow."""
    return checked(
        _strand.uniform_vine_chain,
        read("material", material, _MATERIAL).core(),
        diameter,
        length,
        segments,
        capacity,
        _point("base", base),
        heading,
    )


@dataclasses.dataclass
class Trajectory:
    """States after every step, the start first; lists, as bodies may come and go."""

    time: np.ndarray  #: s, (n,)
    q: list[np.ndarray]  #: x, y (m), heading (rad) of every body, (bodies, 3)
    v: list[np.ndarray]
    lines: list[np.ndarray]  #: as Robot.line
    contacts: list[np.ndarray]  #: as Robot.contacts
    reports: list[Report]  #: of the steps: one fewer, unless the last one failed


class Robot:
    """A robot among obstacles.

    mode: "converged" (joints, lengths and gaps hold to `tolerance`, m) or "single_qp", one
    linearised quadratic program a step, as published (with implicit_bending=False and
    corner_normal="published" the published program's own step).
    growth: "telescoping" (all pairs lengthen) or "tip" (eversion: needs `material` and `segment`,
    the length of a segment, m).
    friction: Coulomb's coefficient with obstacles and with itself. gravity: m/s^2.
    self_contact: whether it touches itself; left out: in mode "converged", where it is possible.
    q, v: start, shape (bodies, 3); default: at rest, every joint at its natural angle.
    """

    def __init__(
        self,
        chain: Chain,
        obstacles: Sequence[Obstacle] = (),
        *,
        dt: float = 0.01,
        diameter: float = 0.024,
        mode: str = "converged",
        implicit_bending: bool = True,
        corner_normal: str = "gradient",
        friction: float = 0.0,
        self_contact: bool | None = None,
        gravity: ArrayLike = (0.0, 0.0),
        growth: str = "telescoping",
        material: Material | None = None,
        segment: float = 0.0,
        tolerance: float = 1e-9,
        q: ArrayLike | None = None,
        v: ArrayLike | None = None,
    ) -> None:
        options = _strand.VineOptions()
        options.dt = read("dt", dt, number("(s)"))
        options.diameter = read("diameter", diameter, number("(m)"))
        options.implicit_bending = read("implicit_bending", implicit_bending, FLAG)
        options.friction = read("friction", friction, number("(1)"))
        own = read("self_contact", self_contact, optional(FLAG))
        mode = read("mode", mode, TEXT)
        options.self_contact = str(mode) == "converged" if own is None else own
        options.gravity = _point("gravity", gravity)
        options.segment = read("segment", segment, number("(m)"))
        options.tolerance = read("tolerance", tolerance, number("(m)"))
        checked(options.set_mode, mode)
        checked(options.set_growth, read("growth", growth, TEXT))
        checked(options.set_corner_normal, read("corner_normal", corner_normal, TEXT))
        if material is not None:
            options.material = read("material", material, _MATERIAL).core()
        read("chain", chain, _CHAIN)
        self.obstacles: list[Obstacle] = read("obstacles", obstacles, LIST)
        for each in self.obstacles:
            read("obstacles", each, _OBSTACLE)
        start = chain.natural_positions() if q is None else _bodies("q", q)
        rates = np.zeros_like(start) if v is None else _bodies("v", v)
        self._base = np.asarray(chain.base)
        self.dt, self.diameter = dt, diameter
        self._core = checked(_strand.Vine, chain, start, rates, options, self.obstacles)

    def step(self, growth: ArrayLike) -> Report:
        """One step. growth (m/s): of the whole length, shared by all pairs, or a rate per pair.

        A report that is not `ok` leaves the state as it was; `describe(report)` says why.
        """
        if not isinstance(growth, float):
            rates = read("growth", growth, REALS)
            growth = float(rates) if rates.ndim == 0 else rates.tolist()
        return checked(self._core.step, growth)

    def run(self, steps: int, growth: ArrayLike = 0.0) -> Trajectory:
        """Up to `steps` steps; it ends early after a report that is not `ok`."""
        states, reports = [self._state()], []
        for _ in range(read("steps", steps, count(0))):
            reports.append(self.step(growth))
            if not reports[-1].ok:
                break
            states.append(self._state())
        time, q, v, lines, contacts = map(list, zip(*states, strict=True))
        return Trajectory(np.array(time), q, v, lines, contacts, reports)

    def _state(self) -> tuple[float, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        return self.time, self.q, self.v, self.line, self.contacts

    def describe(self, report: Report) -> str:
        """What stopped a step, and where, in words."""
        return self._core.describe(report)

    def check(self) -> Report:
        """The state's largest joint error and least gap (m)."""
        return self._core.check()

    def set_state(self, q: ArrayLike, v: ArrayLike) -> None:
        """Positions and velocities, shape (bodies, 3)."""
        checked(self._core.set_state, _bodies("q", q), _bodies("v", v))

    def steer(self, natural_angle: ArrayLike) -> None:
        """Where joints are at rest (rad), one number per pair: actuation by curvature."""
        checked(self._core.set_natural_angles, read("natural_angle", natural_angle, REALS).tolist())

    @property
    def q(self) -> np.ndarray:
        """x, y (m) and heading (rad) of every body, shape (bodies, 3)."""
        return self._core.q

    @property
    def v(self) -> np.ndarray:
        """Their rates, shape (bodies, 3)."""
        return self._core.v

    @property
    def points(self) -> np.ndarray:
        """Where contact acts: inner pins and the tip (m), shape (pairs, 2)."""
        return self._core.points

    @property
    def line(self) -> np.ndarray:
        """The centreline: the base and then `points` (m), shape (pairs + 1, 2)."""
        return np.vstack([self._base, self.points])

    @property
    def contacts(self) -> np.ndarray:
        """What pushed in the last step, one row each: point, object, impulse along the normal and
        friction impulse across it (N s), normal x and y.

        Objects are the obstacles, and after them the robot's own segments of its `line`.
        """
        return self._core.contacts

    @property
    def pairs(self) -> int:
        return self._core.pairs

    @property
    def time(self) -> float:
        """s"""
        return self._core.time

    @property
    def tip(self) -> np.ndarray:
        """m, shape (2,)"""
        return self._core.tip

    @property
    def length(self) -> float:
        """Along the centreline (m)."""
        return self._core.length

    @property
    def energy(self) -> tuple[float, float, float]:
        """Kinetic, of bending, of weight (J)."""
        return self._core.energy


_CHAIN = instance(Chain, "a chain, as of chain() or uniform_chain()")
_MATERIAL = instance(Material, "a strand.vine.Material")
_OBSTACLE = instance(Obstacle, "obstacles, as of circle(), box() and the like")


def _point(field: str, value: ArrayLike) -> np.ndarray:
    point = read(field, value, REALS)
    if point.shape != (2,):
        raise StrandError(f"{field}: got '{value!s}', allowed: 2 numbers")
    return point


def _bodies(field: str, value: ArrayLike) -> np.ndarray:
    rows = np.ascontiguousarray(read(field, value, REALS))
    if rows.ndim != 2 or rows.shape[1] != 3:
        raise StrandError(f"{field}: got shape {rows.shape}, allowed: (bodies, 3)")
    return rows


def _per_pair(field: str, value: ArrayLike, pairs: int) -> list[float]:
    numbers = read(field, value, REALS)
    if numbers.ndim == 0:
        numbers = np.full(pairs, float(numbers))
    if numbers.shape != (pairs,):
        raise StrandError(f"{field}: got shape {numbers.shape}, allowed: one number, or ({pairs},)")
    return numbers.tolist()
