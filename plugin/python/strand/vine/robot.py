"""Robots and obstacles: the interface to the solver in model/vine/."""

import dataclasses
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from strand import _strand
from strand.errors import StrandError, checked
from strand.io.options import (
    FLAG,
    LIST,
    REALS,
    TEXT,
    count,
    finite,
    instance,
    non_negative,
    number,
    optional,
    positive,
    read,
)

Obstacle: TypeAlias = _strand.PlanarObstacle
Report: TypeAlias = _strand.VineReport
Chain: TypeAlias = _strand.VineChain

_MOST = 10_000_000  # segments or pairs


def circle(centre: ArrayLike, radius: float) -> Obstacle:
    """A solid disc. centre: m, shape (2,). radius: m."""
    return checked(_strand.planar_circle, _point("centre", centre), radius)


def polygon(vertices: ArrayLike) -> Obstacle:
    """A solid convex polygon. vertices: m, shape (n, 2), in either sense of rotation."""
    rows = read("vertices", vertices, REALS)
    if rows.ndim != 2 or rows.shape[1] != 2:
        raise StrandError(f"vertices: got shape {rows.shape}, allowed: (n, 2)")
    return checked(_strand.planar_polygon, rows)


def box(corner: ArrayLike, size: ArrayLike) -> Obstacle:
    """A box with sides along the axes. corner: the lower left one (2, m). size: (2, m)."""
    return checked(_strand.planar_box, _point("corner", corner), _point("size", size))


def rotated_box(centre: ArrayLike, angle: float, length: float, width: float) -> Obstacle:
    """A rotated box. centre: (2, m). angle: of its length from +x (rad). length, width: m."""
    return checked(_strand.planar_rotated_box, _point("centre", centre), angle, length, width)


#: Of a Material, by name.
_PROPERTIES = {
    "EI": non_negative("N m^2"),
    "bending_damping": non_negative("N m^2 s"),
    "mass_per_length": positive("kg/m"),
    "curvature": finite("1/m"),
}


@dataclasses.dataclass
class Material:
    """Material of a robot per length, so that chains bend alike with any number of segments, and
    keep EI, damping, curvature and mass per length while they grow.

    EI: bending stiffness (N m^2).
    bending_damping: couple per rate of curvature (N m^2 s; default 0).
    mass_per_length: kg/m (default 0.05).
    curvature: natural curvature (1/m; default 0), with which the robot grows if unloaded.
    """

    EI: float  #: N m^2
    bending_damping: float = 0.0  #: N m^2 s
    mass_per_length: float = 0.05  #: kg/m
    curvature: float = 0.0  #: 1/m

    def __post_init__(self) -> None:
        self.core()

    def core(self) -> _strand.VineMaterial:
        material = _strand.VineMaterial()
        for name, kind in _PROPERTIES.items():
            setattr(material, name, read(name, getattr(self, name), kind))
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
    """A chain from the parameters of its bodies and joints, as in the paper.

    The parameters do not change when the robot telescopes: at twice its length it has twice the EI
    (joint stiffness times length of a pair) and half the mass per length.

    All but pairs, base and heading are one number per pair, or one number for all.

    pairs: number of pairs of bodies.
    half_length: from a body's centre to its end (m).
    mass, inertia: of each of a pair's two bodies (kg; kg m^2).
    stiffness, damping: of a pair's proximal joint (N m; N m s).
    natural_angle: of a pair's proximal joint (rad; default 0).
    base: position of the base (2, m; default the origin).
    heading: of the base (rad; default 0, along x).
    """
    made = Chain()
    made.pairs = pairs = read("pairs", pairs, count(1, most=_MOST))
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
    """A straight or naturally curved chain of a material, clamped at its base.

    In a Robot its pairs remain of this material as they lengthen (see Robot, growth).

    material: of the robot.
    length: m. segments: number of segments at the start.
    diameter: m (default 0.024).
    capacity: number of segments for which there is room when the robot grows at its tip (default
        0).
    base: position of the base (2, m; default the origin).
    heading: of the base (rad; default 0, along x).
    """
    return checked(
        _strand.uniform_vine_chain,
        read("material", material, _MATERIAL).core(),
        read("diameter", diameter, positive("m")),
        read("length", length, positive("m")),
        read("segments", segments, count(1, most=_MOST)),
        read("capacity", capacity, count(0, most=_MOST)),
        _point("base", base),
        read("heading", heading, finite("rad")),
    )


@dataclasses.dataclass
class Trajectory:
    """The initial state and the states after each step, in lists, since the number of bodies may
    change."""

    time: np.ndarray  #: s, (n,)
    q: list[np.ndarray]  #: x, y (m), heading (rad) of every body, (bodies, 3)
    v: list[np.ndarray]  #: rates of q, (bodies, 3)
    lines: list[np.ndarray]  #: as Robot.line
    contacts: list[np.ndarray]  #: as Robot.contacts
    reports: list[Report]  #: of the steps: n - 1, or n if the last step failed


class Robot:
    """A growing robot among obstacles.

    chain: the robot, from `chain` or `uniform_chain`.
    obstacles: from `circle`, `polygon`, `box`, `rotated_box` (default none).
    dt: time step (s; default 0.01).
    diameter: of the robot (m; default 0.024).
    mode: "converged" (default): the constraints of joints, lengths and gaps hold to `tolerance`; or
        "single_qp": one linearised quadratic program per step, as published. With
        implicit_bending=False and corner_normal="published" this is the step of the published code,
        whose robot is touched at its `points` only.
    implicit_bending: bending forces at the end of the step (default True); False: at its start.
    corner_normal: normal of contact at a corner of an obstacle: "gradient" of the distance
        (default), or "published", the normal of a face.
    friction: Coulomb coefficient with obstacles and with itself (default 0).
    segment_contact: obstacles touch the robot anywhere along its line. Default: True in mode
        "converged", else False: they touch `points` (pins and tip) only, as published, and pass
        between them if they are thinner than a segment is long.
    self_contact: the robot touches itself. Default: True in mode "converged", which alone supports
        it, else False.
    gravity: m/s^2, shape (2,) (default (0, 0)).
    growth: "telescoping" (default): all pairs lengthen; or "tip": eversion, which needs `material`
        and `segment`. When pairs lengthen, a chain from `uniform_chain` keeps its material per
        length, and its natural angles change with the length; a chain from `chain` keeps the masses
        of its bodies and the stiffnesses of its joints, as in the paper.
    material: Material of new segments, for growth "tip" (default None).
    segment: length of a segment, for growth "tip" (m; default 0).
    tolerance: of the constraints in mode "converged" (m; default 1e-9).
    q, v: initial positions x, y (m), heading (rad) and their rates, shape (bodies, 3). Default: at
        rest, every joint at its natural angle.

    Raises StrandError if an argument is invalid.
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
        segment_contact: bool | None = None,
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
        mode = read("mode", mode, TEXT)
        converged = str(mode) == "converged"
        along = read("segment_contact", segment_contact, optional(FLAG))
        options.segment_contact = converged if along is None else along
        own = read("self_contact", self_contact, optional(FLAG))
        options.self_contact = converged if own is None else own
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
        """Advances by dt.

        growth: rate of the total length (m/s), shared equally by all pairs, or one rate per pair.

        Returns a report. If its `ok` is False, the state is unchanged, and `describe(report)` gives
        the reason.
        """
        if not isinstance(growth, float):
            rates = read("growth", growth, REALS)
            growth = float(rates) if rates.ndim == 0 else rates.tolist()
        return checked(self._core.step, growth)

    def run(self, steps: int, growth: ArrayLike = 0.0) -> Trajectory:
        """Takes up to `steps` steps and returns their states.

        growth: as for `step` (m/s; default 0). Stops early at a report whose `ok` is False.
        """
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
        """Why and where a step failed, as a text."""
        return self._core.describe(report)

    def check(self) -> Report:
        """A report on the current state: its largest joint error and smallest gap (m), `least_gap`,
        of all places that obstacles can touch (see `segment_contact`)."""
        return self._core.check()

    def set_state(self, q: ArrayLike, v: ArrayLike) -> None:
        """Sets x, y (m), heading (rad) of every body, and their rates, shape (bodies, 3).

        If pairs of a material telescope, they take the lengths that the bodies' distances give.
        """
        checked(self._core.set_state, _bodies("q", q), _bodies("v", v))

    def steer(self, natural_angle: ArrayLike) -> None:
        """Sets the natural angles of the joints (rad, one per pair): actuation by curvature."""
        checked(self._core.set_natural_angles, read("natural_angle", natural_angle, REALS).tolist())

    @property
    def q(self) -> np.ndarray:
        """x, y (m) and heading (rad) of every body, shape (bodies, 3)."""
        return self._core.q

    @property
    def v(self) -> np.ndarray:
        """Rates of `q`, shape (bodies, 3)."""
        return self._core.v

    @property
    def points(self) -> np.ndarray:
        """Ends of the segments: inner pins and the tip (m), shape (pairs, 2)."""
        return self._core.points

    @property
    def line(self) -> np.ndarray:
        """The centreline: the base, then `points` (m), shape (pairs + 1, 2)."""
        return np.vstack([self._base, self.points])

    @property
    def contacts(self) -> np.ndarray:
        """Active contacts of the last step, one row each: place, object, impulse along the normal
        (N s), friction impulse across it (N s), normal x, normal y.

        place: index in `points`; between points it is not an integer: 2.25 is a quarter of the way
        from point 2 to point 3, and -0.5 is halfway from the base to point 0. object: index in
        `obstacles`; larger indices, minus the number of obstacles, are segments of the robot's own
        `line`.
        """
        return self._core.contacts

    @property
    def pairs(self) -> int:
        return self._core.pairs

    @property
    def time(self) -> float:
        """Time (s)."""
        return self._core.time

    @property
    def tip(self) -> np.ndarray:
        """Position of the tip (m), shape (2,)."""
        return self._core.tip

    @property
    def length(self) -> float:
        """Length along the centreline (m)."""
        return self._core.length

    @property
    def energy(self) -> tuple[float, float, float]:
        """Kinetic, bending and gravitational energy (J)."""
        return self._core.energy


_CHAIN = instance(Chain, "a chain, as from chain() or uniform_chain()")
_MATERIAL = instance(Material, "a strand.vine.Material")
_OBSTACLE = instance(Obstacle, "obstacles, as from circle(), box() and the like")


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
