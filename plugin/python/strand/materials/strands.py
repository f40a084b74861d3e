"""Cables stranded of round wires: stiffness, and the curvatures at which the wires slip.

The model of K. O. Papailiou, On the bending stiffness of transmission line conductors, IEEE
Transactions on Power Delivery 12 (1997) 1576-1588 (compared with others by A. Cardou and
C. Jolicoeur, Applied Mechanics Reviews 50 (1997) 1-14). A wire of section A and second moment I
lies at radius r with the lay angle b to the cable's axis, and f is the angle around the axis from
the neutral axis. While it sticks, bending to the curvature k changes its tension by
    Z(f) = E A k r sin(f) cos(b)^2,
and it adds E I cos(b) + E A (r sin(f))^2 cos(b)^3 to the bending stiffness. Friction can hold no
more than what it adds to the tension T along the wire from the neutral axis,
    dZ/ds = mu (2 p + (T + Z) sin(b)^2 / r),  ds = r df / sin(b),
where (T + Z) sin(b)^2 / r is how the wire presses on the layer below, and p how the layers above
press on the wire, both per length of wire, so that
    Z(f) = (T + 2 p r / sin(b)^2) (exp(mu sin(b) f) - 1),
Papailiou's equation for p = 0. So the wire at f is an elastic-slip element, whose curvature of slip
is that at which the two Z are the same.
"""

import dataclasses
import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from strand.errors import StrandError
from strand.io.options import Kind, non_negative, positive, read, within

MOST_ELEMENTS = 8  # of strand.Cable for one strand
_ANGLES = 48  # at which a layer's wires are summed
_LAY_ANGLE = "a number > 0, < pi/4 (rad), or one for each layer around the first wire"
_LAY_LENGTH = "a number > 0 (m), or one for each layer around the first wire, angle < pi/4"


@dataclasses.dataclass(frozen=True)
class Layer:
    """Equal wires at the same distance from the axis of a strand."""

    count: int
    distance: float  #: m, of the wires' centres from the axis
    lay_angle: float  #: rad, between wires and axis; 0: the wire on the axis


@dataclasses.dataclass(frozen=True, eq=False)
class Stranded:
    """A cable stranded of round wires, as strand.Cable(nodes, **stranded.arguments)."""

    layers: tuple[Layer, ...]  #: from the inside
    EI_stick: float  #: N m^2, as long as no wire slips
    EI_slip: float  #: N m^2, added by further bending when all wires slip
    GJ: float  #: N m^2, of wires that slide
    radius: float  #: m
    density: float  #: kg/m^3, of the full circle of this radius
    mass_per_length: float  #: kg/m
    slip_stiffness: np.ndarray  #: N m^2, (wires,): lost when the wires at one angle slip
    slip_curvature: np.ndarray  #: 1/m, (wires,): at which they do
    elements: tuple[tuple[float, float], ...]  #: shares of EI_stick, and curvatures (1/m) of slip

    @property
    def arguments(self) -> dict[str, Any]:
        """Arguments of strand.Cable: EI, GJ, radius, density and, if wires stick, bend_elements."""
        values: dict[str, Any] = {"EI": self.EI_stick, "GJ": self.GJ}
        values |= {"radius": self.radius, "density": self.density}
        if self.elements:
            values["bend_elements"] = [number for pair in self.elements for number in pair]
        else:
            values["EI"] = self.EI_slip  # nothing sticks
        return values

    def moment(self, curvature: float | Sequence[float] | np.ndarray) -> np.ndarray:
        """Moment (N m) of all wires at curvatures >= 0 (1/m) of the first loading.

        By Masing's rule, unloading and every later turn is this curve, twice as large.
        """
        bent = np.asarray(curvature, dtype=float)
        sticking = np.minimum(bent[..., None], self.slip_curvature) @ self.slip_stiffness
        return self.EI_slip * bent + sticking


def stranded(
    layers: Sequence[int],
    wire_radius: float,
    *,
    young: float,
    poisson: float,
    density: float,
    lay_angle: float | Sequence[float] | None = None,
    lay_length: float | Sequence[float] | None = None,
    friction: float = 0.0,
    tension: float = 0.0,
    clamping: float = 0.0,
) -> Stranded:
    """A strand of equal round wires in layers, by Papailiou's model (equations: strands.py).

    layers: numbers of wires from the inside, e.g. (1, 6, 12). A first layer of several wires has
    no core; each other layer lies one wire's diameter further out.
    wire_radius: m. young, poisson, density: of the wires' metal (Pa, 1, kg/m^3).
    lay_angle: between wires and axis (rad), or lay_length: of one turn (m); one of the two, unless
    there is one wire only. One number, or one for each layer around the first wire.
    friction: coefficient of friction between wires (default 0).
    tension: N, of the cable, shared by the wires as E A cos(lay angle)^2 (default 0).
    clamping: N/m, how a jacket presses on the outermost layer: pressure times circumference
    (default 0).

    EI_slip = sum of E I cos(b), EI_stick = EI_slip + sum of E A r^2 cos(b)^3 / 2,
    GJ = sum of G J cos(b). The moment is the mean over a lay, since a wire takes all angles around
    the axis, and so the same in all directions of bending. It is merged to at most 8 elements with
    the total share and the limiting moment of all wires and, in between, the smallest relative
    error of the moment. Without friction, or with neither tension nor clamping, nothing sticks.

    Assumed: a curvature that varies little over a lay, a tension that does not change (follow it
    with strand.set_material(strength=...): without clamping, curvatures of slip are proportional
    to it), contact that is rigid until it slips, and the friction of the outer side of the bend on
    the inner side, too, where it is smaller by a factor of about exp(-mu sin(b) f).
    Left out: contact between neighbours in a layer, pressure by bending, Poisson's contraction,
    the stretch of helical wires in torsion and friction in torsion.

    Raises StrandError, which names the field, its value and the allowed values.
    """
    a = read("wire_radius", wire_radius, positive("m"))
    E, nu = read("young", young, positive("Pa")), read("poisson", poisson, _POISSON)
    rho = read("density", density, positive("kg/m^3"))
    mu = read("friction", friction, non_negative("coefficient of friction"))
    pull = read("tension", tension, non_negative("N"))
    press = read("clamping", clamping, non_negative("N/m"))
    of = _layers(read("layers", layers, _COUNTS), a, lay_angle, lay_length)
    area, second = math.pi * a**2, math.pi * a**4 / 4
    own = E * second * sum(one.count * math.cos(one.lay_angle) for one in of)
    stiffness, limit = _slipping(of, E * area, mu, pull, press)
    steiner = sum(
        one.count * E * area * one.distance**2 * math.cos(one.lay_angle) ** 3 / 2 for one in of
    )
    mass = rho * area * sum(one.count / math.cos(one.lay_angle) for one in of)
    radius = of[-1].distance + a
    return Stranded(
        layers=of,
        EI_stick=own + steiner,
        EI_slip=own,
        GJ=own / (1 + nu),  # G J = E I / (1 + nu) of each wire
        radius=radius,
        density=mass / (math.pi * radius**2),
        mass_per_length=mass,
        slip_stiffness=stiffness,
        slip_curvature=limit,
        elements=_merged(stiffness / (own + steiner), limit, own / (own + steiner)),
    )


def _read_counts(value: Any) -> list[int]:
    counts = list(value)
    whole = all(isinstance(n, (int, np.integer)) and not isinstance(n, bool) for n in counts)
    if isinstance(value, str) or not whole or not counts:
        raise TypeError
    if counts[0] < 1 or any(n < 3 for n in counts[1:]):
        raise ValueError
    return [int(n) for n in counts]


_COUNTS = Kind(
    "whole numbers of wires from the inside, the first >= 1, the others >= 3, that fit side by "
    "side",
    _read_counts,
)
_POISSON = within("a number > -1, <= 0.5", lambda nu: -1 < nu <= 0.5)


def _layers(counts: list[int], a: float, lay_angle: Any, lay_length: Any) -> tuple[Layer, ...]:
    """The layers of wires of radius a. Raises StrandError if they do not fit, or have no lay."""
    first = 0.0 if counts[0] == 1 else a / math.sin(math.pi / counts[0])
    distances = [first + 2 * a * k for k in range(len(counts))]
    for n, r in zip(counts[1:], distances[1:], strict=True):
        if n * math.asin(a / r) > math.pi * (1 + 1e-9):
            raise StrandError(f"layers: got {tuple(counts)}, allowed: {_COUNTS.allowed}")
    helical = distances[1:] if counts[0] == 1 else distances
    angles = _lay_angles(helical, lay_angle, lay_length)
    if counts[0] == 1:
        angles = [0.0, *angles]
    return tuple(map(Layer, counts, distances, angles))


def _lay_angles(distances: list[float], lay_angle: Any, lay_length: Any) -> list[float]:
    """Lay angles (rad) of layers at these distances from the axis."""

    def numbers(value: Any) -> list[float]:
        one = isinstance(value, (int, float, np.number)) or np.ndim(value) == 0
        each = [value] * len(distances) if one else list(value)
        if len(each) != len(distances):
            raise ValueError
        return [positive("").read(item) for item in each]

    def angle(value: Any) -> list[float]:
        found = numbers(value)
        if any(b >= math.pi / 4 for b in found):
            raise ValueError
        return found

    def length(value: Any) -> list[float]:
        turns = zip(distances, numbers(value), strict=True)
        return angle([math.atan(2 * math.pi * r / turn) for r, turn in turns])

    if lay_angle is not None and lay_length is not None:
        raise StrandError(f"lay_length: got {lay_length!r} and lay_angle, allowed: one of them")
    if lay_length is not None:
        return read("lay_length", lay_length, Kind(_LAY_LENGTH, length))
    if lay_angle is None and not distances:
        return []
    return read("lay_angle", lay_angle, Kind(_LAY_ANGLE, angle))


def _slipping(
    layers: tuple[Layer, ...], EA: float, mu: float, tension: float, clamping: float
) -> tuple[np.ndarray, np.ndarray]:
    """Stiffness (N m^2) and curvature of slip (1/m) of the wires at each angle, (wires,)."""
    stretched = sum(one.count * math.cos(one.lay_angle) ** 3 for one in layers)
    node, weight = np.polynomial.legendre.leggauss(_ANGLES)
    f, weight = math.pi / 4 * (node + 1), weight / 2  # from the neutral axis to the outermost place
    stiffness, curvature = [], []
    pressure = clamping  # N/m, on the layer, of all wires together
    for one in reversed(layers):
        if one.distance == 0:
            continue
        r, sine, cosine = one.distance, math.sin(one.lay_angle), math.cos(one.lay_angle)
        pull = tension * cosine**2 / stretched
        held = pull + 2 * pressure * cosine / one.count * r / sine**2
        if mu * held > 0:
            limit = held * np.expm1(mu * sine * f)
            stiffness.append(one.count * weight * EA * (r * np.sin(f)) ** 2 * cosine**3)
            curvature.append(limit / (EA * r * np.sin(f) * cosine**2))
        pressure += one.count * pull * sine**2 / (r * cosine)
    if not stiffness:
        return np.zeros(0), np.zeros(0)
    return np.concatenate(stiffness), np.concatenate(curvature)


def _merged(
    share: np.ndarray, curvature: np.ndarray, rest: float
) -> tuple[tuple[float, float], ...]:
    """At most MOST_ELEMENTS elements, of neighbours in curvature, with the same total share and
    limiting moment, for the smallest largest error of the moment, relative to the moment.

    Merged elements slip at their mean curvature, which is where the error of the group is largest;
    beyond its curvatures it has none, so that groups can be judged one by one.
    rest: share of the stiffness that never slips.
    """
    if not len(share):
        return ()
    order = np.argsort(curvature, kind="stable")
    share, curvature = share[order], curvature[order]
    sums = np.concatenate([[0.0], np.cumsum(share)])
    moments = np.concatenate([[0.0], np.cumsum(share * curvature)])
    begin, end = np.triu_indices(len(sums), 1)  # groups [begin, end)
    mean = (moments[end] - moments[begin]) / (sums[end] - sums[begin])
    slipped = np.searchsorted(curvature, mean)
    error = (sums[slipped] - sums[begin]) * mean - (moments[slipped] - moments[begin])
    error /= (rest + sums[-1] - sums[slipped]) * mean + moments[slipped]
    cost = np.full((len(sums), len(sums)), np.inf)
    cost[begin, end] = error
    # worst[j]: the smallest largest error of the first j in so many groups.
    worst, cuts = cost[0], []
    for _ in range(min(MOST_ELEMENTS, len(share)) - 1):
        larger = np.maximum(worst[:, None], cost)
        cuts.append(larger.argmin(axis=0))
        worst = larger.min(axis=0)
    bounds = [len(share)]
    for cut in reversed(cuts):
        bounds.append(int(cut[bounds[-1]]))
    bounds = [0, *reversed(bounds)]
    groups = itertools.pairwise(bounds)
    means = [(sums[j] - sums[i], moments[j] - moments[i]) for i, j in groups if j > i]
    return tuple((float(s), float(m / s)) for s, m in means)
