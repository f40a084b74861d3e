"""The shape of a hanging cable as a function of what is unknown about it."""

import contextlib
import dataclasses
from collections.abc import Sequence

import numpy as np
import scipy

from strand.errors import StrandError
from strand.identify.held_cable import Discretisation, Ends, HeldCable, resample
from strand.identify.recorded import Trial
from strand.io.options import read, vector
from strand.simulation import SolverError

_FINE = 8  #: samples of the fitted curve per link
_WINDOW = 0.1  #: of the length: points are compared with the curve within this arclength
_FAILED = 1.0  #: residual (units of L) where no equilibrium is found


@dataclasses.dataclass(frozen=True)
class Setup:
    """How a cable is held and how heavy it is. SI units; vectors are x, (y,) up.

    mass_per_length: kg/m. gravity: m/s^2.
    hold: "loop": both ends are clamped; "cantilever": the first point is clamped, the last is free;
        "cta": both ends are clamped horizontally, `gap` apart, and point away from each other, as
        in the twisting device of the published experiments.
    length: of the cable between the clamps, or to the free end (m); None: unknown.
    start, end: places of the clamps (m); None: unknown, near the first and last points.
    start_direction, end_direction: in which the cable leaves the start clamp and enters the end
        clamp; None: unknown.
    """

    mass_per_length: float
    gravity: float = 9.81
    hold: str = "loop"
    length: float | None = None
    gap: float = 0.12
    start: Sequence[float] | None = None
    end: Sequence[float] | None = None
    start_direction: Sequence[float] | None = None
    end_direction: Sequence[float] | None = None
    GJ_over_EI: float = 1.0  #: matters for shapes that are not planar

    def stiffness_unit(self, length: float) -> float:
        """m g L^3 (N m^2)."""
        return self.mass_per_length * self.gravity * length**3


class BendModel:
    """The curve of one trial as a function of a vector of unknowns.

    The unknowns are, in this order, those of: log(EI / (m g L^3)), natural curvature times length,
    log of the length, place of the start and of the end (units of the first length), and turns of
    the clamps' directions (rad). only_EI: the first is the only one.
    """

    def __init__(
        self, trial: Trial, setup: Setup, cut: Discretisation, curved: bool, only_EI: bool
    ) -> None:
        self.trial, self.setup, self.cut, self.curved = trial, setup, cut, curved
        self.length = setup.length or trial.length
        self.points = trial.in_space / self.length
        self._axes = np.eye(3)[[0, 2]] if trial.planar else np.eye(3)
        self._ends = self._first_ends()
        self._free_places = [] if only_EI else _free_places(setup)
        self._free_turns = [] if only_EI else _free_turns(setup)
        self.evaluations = 0
        self.cable = self._make()
        self._fresh, self._turning = self.cable.state(), self.cable.turning
        self._settled, self._tangents = False, np.zeros_like(self.points)

    def _make(self) -> HeldCable:
        return HeldCable(
            self.points,
            self._ends,
            GJ_over_EI=self.setup.GJ_over_EI,
            discretisation=self.cut,
            planar=self.trial.planar,
        )

    def _first_ends(self) -> Ends:
        setup, points = self.setup, self.points
        start = self._vector("start", points[0] * self.length) / self.length
        outward = points[1] - points[0]
        if setup.hold == "cantilever":
            return Ends(start, _unit(self._vector("start_direction", outward)))
        if setup.hold == "cta":
            sign = 1.0 if points[0, 0] > points[-1, 0] else -1.0
            away = sign * np.array([1.0, 0, 0])
            return Ends(start, away, start - setup.gap / self.length * away, away)
        end = self._vector("end", points[-1] * self.length) / self.length
        inward = points[-1] - points[-2]
        return Ends(
            start,
            _unit(self._vector("start_direction", outward)),
            end,
            _unit(self._vector("end_direction", inward)),
        )

    def _vector(self, name: str, default: np.ndarray) -> np.ndarray:
        """A vector (3,) of the setup, checked."""
        given = getattr(self.setup, name)
        if given is None:
            return np.asarray(default, dtype=float)
        unit = "1" if name.endswith("direction") else "m"
        return np.array(read(name, given, vector(len(self._axes), unit))) @ self._axes

    @property
    def first(self) -> np.ndarray:
        """The unknowns to start from, for EI / (m g L^3) = 0.01."""
        dimension = len(self._axes)
        turns = (1 if self.trial.planar else 2) * len(self._free_turns)
        count = self.curved + (self.setup.length is None) + dimension * len(self._free_places)
        return np.concatenate([[np.log(1e-2)], np.zeros(count + turns)])

    def length_at(self, unknowns: np.ndarray) -> float:
        """Length of the cable (m)."""
        if self.setup.length is not None:
            return self.length
        return self.length * float(np.exp(unknowns[1 + self.curved]))

    def stiffness_at(self, unknowns: np.ndarray) -> float:
        """EI (N m^2)."""
        return float(np.exp(unknowns[0])) * self.setup.stiffness_unit(self.length_at(unknowns))

    def curvature_at(self, unknowns: np.ndarray) -> float | None:
        """Natural curvature (1/m)."""
        return unknowns[1] / self.length_at(unknowns) if self.curved else None

    def _ends_at(self, unknowns: np.ndarray, scale: float) -> Ends:
        """The clamps in units of the length, which is `scale` times the first length."""
        left = list(unknowns[1 + self.curved + (self.setup.length is None) :])
        dimension, found = len(self._axes), dataclasses.asdict(self._ends)
        for name in self._free_places:
            found[name] = found[name] + np.array(left[:dimension]) @ self._axes
            del left[:dimension]
        if self.setup.hold == "cta":
            found["end"] = found["start"] + self._ends.end - self._ends.start
        for name in self._free_turns:
            turns = 1 if self.trial.planar else 2
            found[name] = _turned(found[name], left[:turns], self.trial.planar)
            del left[:turns]
        for name in ("start", "end"):
            if found[name] is not None:
                found[name] = found[name] / scale
        return Ends(**found)

    def curve(self, unknowns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Arclengths (n,) and nodes (n, 3) of the free span, in units of the first length.

        Raises SolverError if there is no equilibrium.
        """
        self.evaluations += 1
        scale = self.length_at(unknowns) / self.length
        self.cable.move(self._ends_at(unknowns, scale))
        self.cable.set_stiffness(float(np.exp(unknowns[0])))
        if self.curved:
            self.cable.set_natural_curvature(float(unknowns[1]))
        self._find_rest()
        arclength, nodes = self.cable.span
        return arclength * scale, nodes * scale

    def _find_rest(self) -> None:
        """Moves the cable to its equilibrium, from the last one or, failing this, in time steps."""
        last, fits = self.cable.state(), False
        if self._settled:
            with contextlib.suppress(SolverError):
                fits = self.cable.rest() and self._is_same()
        for start in (last, self._fresh):
            if fits:
                break
            self.cable.restore(start)
            with contextlib.suppress(SolverError):
                fits = self.cable.settle() and self._is_same()
        if not fits:
            self.cable.restore(last)
            raise SolverError("no stable equilibrium near the points")
        self._settled = True

    def _is_same(self) -> bool:
        """False if a planar cable has one more, or less, loop than the points."""
        return not self.trial.planar or abs(self.cable.turning - self._turning) < np.pi

    def residuals(self, unknowns: np.ndarray) -> np.ndarray:
        """Vectors (n, d) from the curve to the points, in units of the first length.

        The first and last points are compared with the ends of the curve, the others with its
        nearest points, so that distances between points do not matter.
        """
        try:
            arclength, nodes = self.curve(unknowns)
        except SolverError:
            return np.full((len(self.points), len(self._axes)), _FAILED)
        fine = np.linspace(arclength[0], arclength[-1], _FINE * len(arclength))
        curve = scipy.interpolate.CubicSpline(arclength, nodes)(fine)
        nearest, self._tangents = _nearest(self.points, fine / fine[-1], curve)
        nearest[0], nearest[-1] = nodes[0], nodes[-1]
        return (self.points - nearest) @ self._axes.T

    def independent(self, vectors: np.ndarray) -> np.ndarray:
        """The components of vectors (n, d, ...) at the points that residuals can have: (m, ...).

        They are those across the curve and, at both ends, along it. To be called after
        `residuals`, for its curve.
        """
        rows = []
        for k, each in enumerate(vectors):
            frame = np.linalg.svd((self._axes @ self._tangents[k])[None])[2]
            rows.append((frame if k in (0, len(vectors) - 1) else frame[1:]) @ each)
        return np.concatenate(rows)

    @property
    def residual_count(self) -> int:
        """The number of components of residuals that are not zero by construction."""
        return (len(self.points) - 2) * (len(self._axes) - 1) + 2 * len(self._axes)


def _free_places(setup: Setup) -> list[str]:
    places = ["start"] if setup.hold in ("cta", "cantilever") else ["start", "end"]
    return [name for name in places if getattr(setup, name) is None]


def _free_turns(setup: Setup) -> list[str]:
    if setup.hold == "cta":
        return []
    held = ["start_direction"] + (["end_direction"] if setup.hold == "loop" else [])
    return [name for name in held if getattr(setup, name) is None]


def _unit(vector: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(vector)
    if not length > 0:
        raise StrandError("direction: got 0, allowed: a vector that is not 0")
    return vector / length


def _turned(direction: np.ndarray, angles: Sequence[float], planar: bool) -> np.ndarray:
    """A direction turned in the plane, or about two axes across it (rad)."""
    if planar:
        return scipy.spatial.transform.Rotation.from_rotvec([0, -angles[0], 0]).apply(direction)
    helper = np.eye(3)[np.argmin(np.abs(direction))]
    one = _unit(np.cross(direction, helper))
    other = np.cross(direction, one)
    return scipy.spatial.transform.Rotation.from_rotvec(angles[0] * one + angles[1] * other).apply(
        direction
    )


def _nearest(
    points: np.ndarray, fractions: np.ndarray, curve: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The points of the polyline `curve` nearest to each point, near its place along the cable, and
    the curve's directions there (n, 3)."""
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    place = np.concatenate([[0.0], np.cumsum(steps)]) / steps.sum()
    begin, along = curve[:-1], np.diff(curve, axis=0)
    # Segments near each point's place: first, ..., last - 1.
    first = np.searchsorted(fractions[:-1], place - _WINDOW)
    last = np.searchsorted(fractions[:-1], place + _WINDOW, side="right")
    near = first[:, None] + np.arange((last - first).max())
    beyond = near >= last[:, None]
    near[beyond] = 0
    start, way = begin[near], along[near]
    away = points[:, None] - start
    part = np.einsum("pkd,pkd->pk", away, way) / np.einsum("kd,kd->k", along, along)[near]
    candidates = start + np.clip(part, 0, 1)[..., None] * way
    apart = points[:, None] - candidates
    squared = np.einsum("pkd,pkd->pk", apart, apart)
    squared[beyond] = np.inf
    best = np.arange(len(points)), squared.argmin(axis=1)
    return candidates[best], way[best]


def same_spacing(trial: Trial, count: int) -> np.ndarray:
    """`count` points (m) at equal distances along a trial; its own if it has that many."""
    points = trial.in_space
    return points if len(points) == count else resample(points, np.linspace(0, 1, count))
