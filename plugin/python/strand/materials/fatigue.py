"""Fatigue of cables: the damage by bending and twisting to and fro, and where they break first.

Cycles are counted by rainflow (rainflow.py), and their damage is added up by Miner's rule
(M. A. Miner, Cumulative damage in fatigue, J. Appl. Mech. 12, A159-A164, 1945): a cycle after which
the material breaks if it comes N times does 1 / N. The mean of a cycle is not taken into account.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from strand.errors import StrandError
from strand.io.options import REALS, count, non_negative, optional, positive, read
from strand.materials.bending import BendingReader
from strand.materials.rainflow import Counted, RainflowCounter
from strand.readout.link_values import LinkValues


class SNCurve:
    """How many cycles of an amplitude a material endures (S-N curve, Woehler curve).

    points: pairs of amplitude and cycles to failure, from the largest amplitude to the smallest:
        2 or more. In between both logarithms are linear, and beyond by the first and last slope.
    endurance: cycles of a smaller amplitude do no damage (default 0: all do).

    An amplitude is half a range: of the strain of the outermost fibre (1), of the shear strain (1),
    of the curvature (1/m) or of the twist rate (rad/m). Raises StrandError, which names the entry,
    if a number is not > 0, or if the table does not fall.
    """

    def __init__(self, points: "SNTable", endurance: float = 0.0, field: str = "sn") -> None:
        self.endurance = read(f"{field}.endurance", endurance, non_negative("as the amplitudes"))
        table = _table(points, field)
        self.points = [(amplitude, cycles) for amplitude, cycles in table.tolist()]
        self._amplitude, self._cycles = np.log(table[::-1].T)  # the amplitudes rise

    def cycles(self, amplitude: ArrayLike) -> np.ndarray:
        """Cycles to failure at amplitudes >= 0, of the same shape; inf: no damage."""
        given = np.asarray(amplitude, dtype=float)
        harmless = (given < self.endurance) | (given == 0)
        x, y = self._amplitude, self._cycles
        logarithm = np.log(np.where(harmless, 1.0, given))
        piece = np.clip(np.searchsorted(x, logarithm) - 1, 0, len(x) - 2)
        slope = (y[piece + 1] - y[piece]) / (x[piece + 1] - x[piece])
        with np.errstate(over="ignore"):  # of tiny amplitudes: inf
            found = np.exp(y[piece] + slope * (logarithm - x[piece]))
        return np.where(harmless, np.inf, found)


#: Amplitudes and cycles to failure.
SNTable: TypeAlias = Sequence[tuple[float, float]] | np.ndarray


def _table(points: SNTable, field: str) -> np.ndarray:
    table = read(field, points, REALS)
    if table.ndim != 2 or table.shape[1] != 2 or len(table) < 2:
        raise StrandError(f"{field}: got {points!r}, allowed: 2 or more pairs (amplitude, cycles)")
    for k, entry in enumerate(table):
        got = f"{field}[{k}]: got ({entry[0]:g}, {entry[1]:g})"
        if not (np.isfinite(entry).all() and (entry > 0).all()):
            raise StrandError(f"{got}, allowed: two numbers > 0 (amplitude, cycles)")
        if k and not (entry[0] < table[k - 1, 0] and entry[1] > table[k - 1, 1]):
            before = f"({table[k - 1, 0]:g}, {table[k - 1, 1]:g})"
            allowed = f"a smaller amplitude and more cycles than in {field}[{k - 1}], {before}"
            raise StrandError(f"{got}: S-N table not falling, allowed: {allowed}")
    return table


class FatigueCount:
    """Counts cycles at the joints of a cable, from its bending, given one instant after the other.

    joints: their number. sn: SNCurve, or its pairs. radius: of the fibres in which strain is
    counted, usually the cable's or a wire's (m): then the amplitudes of `sn` are strains; without
    one they are curvatures (1/m), and of torsion twist rates (rad/m). torsion: SNCurve or pairs of
    the shear strain r times twist rate (default: twisting does no damage).
    fibres: their number around the section, even: the worst one of each joint counts. The true
    worst one is between two of them, with up to 1 / cos(pi / fibres) times the strain.
    least: cycles of smaller amplitude are not counted (default 0: all are).
    """

    def __init__(
        self,
        joints: int,
        sn: SNCurve | SNTable,
        *,
        radius: float | None = None,
        torsion: SNCurve | SNTable | None = None,
        fibres: int = 16,
        least: float = 0.0,
    ) -> None:
        self.joints = read("joints", joints, count(1))
        self._curve = _curve(sn, "sn")
        self._torsion = None if torsion is None else _curve(torsion, "torsion")
        radius = read("radius", radius, optional(positive("m")))
        self._scale = 1.0 if radius is None else radius
        self._least = read("least", least, non_negative("as the amplitudes"))
        if read("fibres", fibres, count(2, 1024)) % 2:
            raise StrandError(f"fibres: got {fibres!r}, allowed: an even number, 2 to 1024")
        # Opposite fibres have opposite strains, hence the same cycles.
        angles = 2 * np.pi / fibres * np.arange(fibres // 2)
        self._directions = np.column_stack([np.sin(angles), -np.cos(angles)])
        self._rows = len(angles) + (torsion is not None)
        self.reset()

    def reset(self) -> None:
        """Forgets all cycles."""
        self._counter = RainflowCounter(self._rows * self.joints)
        self._damage, self._cycles = np.zeros((2, self._rows, self.joints))  # of closed cycles

    def add(self, curvature: np.ndarray, twist_rate: np.ndarray | None = None) -> None:
        """Adds an instant: curvature about the section's two axes (1/m, (joints, 2)), and, for
        damage by torsion, twist rate (rad/m, (joints,))."""
        if not np.isfinite(curvature).all():
            raise StrandError("curvature: got a number that is not finite, allowed: finite ones")
        values = self._scale * (self._directions @ curvature.T)
        if self._torsion is not None:
            twisted = np.zeros(self.joints) if twist_rate is None else self._scale * twist_rate
            values = np.vstack([values, twisted])
        found = self._counter.add(values.ravel())
        if len(found.series):
            damage, cycles = self._sums(found)
            self._damage += damage
            self._cycles += cycles

    @property
    def damage(self) -> np.ndarray:
        """Miner's sum of each joint until now, (joints,): it breaks at 1. Swings that have not come
        back count as half cycles. Damages by bending, in the worst fibre, and torsion are added."""
        return self._worst(self._damage + self._sums(self._counter.rest())[0])

    @property
    def cycles(self) -> np.ndarray:
        """Cycles of bending until now, at the worst fibre of each joint, (joints,)."""
        more_damage, more_cycles = self._sums(self._counter.rest())
        damage, cycles = self._damage + more_damage, self._cycles + more_cycles
        bent = slice(len(self._directions))
        worst = np.lexsort((cycles[bent], damage[bent]), axis=0)[-1]
        return cycles[worst, np.arange(self.joints)]

    @property
    def damage_per_repeat(self) -> np.ndarray:
        """What each joint's damage grows by if all until now is repeated again and again,
        (joints,)."""
        return self._worst(self._damage + self._sums(self._counter.repeated())[0])

    def state(self) -> dict[str, np.ndarray]:
        """All that has been counted, as arrays, e.g. for numpy.savez."""
        counted = {"damage": self._damage.copy(), "cycles": self._cycles.copy()}
        return counted | {name: one.copy() for name, one in self._counter.state().items()}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        """Goes on from a state(), e.g. from numpy.load. Raises StrandError, and changes nothing,
        if it is not one of as many joints and fibres."""
        series = (self._rows * self.joints,)
        shapes = dict.fromkeys(("damage", "cycles"), self._damage.shape)
        shapes |= dict.fromkeys(("size", "last", "way"), series)
        for name, shape in shapes.items():
            got = np.shape(state[name]) if name in state else "nothing"
            if got != shape:
                raise StrandError(f"state[{name!r}]: got {got}, allowed: an array {shape}")
        if "points" not in state or np.ndim(state["points"]) != 2:
            raise StrandError("state['points']: got another array, allowed: that of state()")
        self._counter.restore(dict(state))
        self._damage, self._cycles = (np.array(state[name], float) for name in ("damage", "cycles"))

    def _sums(self, found: Counted) -> tuple[np.ndarray, np.ndarray]:
        """Damage and number of cycles, (rows, joints) each."""
        series, amplitude = found.series, found.ranges / 2
        counts = np.where(amplitude >= self._least, found.counts, 0.0)
        cycles_to_failure = self._curve.cycles(amplitude)
        if self._torsion is not None:
            twisted = series >= len(self._directions) * self.joints
            cycles_to_failure[twisted] = self._torsion.cycles(amplitude[twisted])
        shape, size = self._damage.shape, self._damage.size
        sums = (np.bincount(series, counts / n, size) for n in (cycles_to_failure, 1.0))
        damage, cycles = (each.reshape(shape) for each in sums)
        return damage, cycles

    def _worst(self, damage: np.ndarray) -> np.ndarray:
        bent = len(self._directions)
        return damage[:bent].max(axis=0) + damage[bent:].sum(axis=0)


def _curve(given: SNCurve | SNTable, field: str) -> SNCurve:
    return given if isinstance(given, SNCurve) else SNCurve(given, field=field)


def damage(
    curvature: ArrayLike,
    sn: SNCurve | SNTable,
    *,
    twist_rate: ArrayLike | None = None,
    **options: Any,
) -> np.ndarray:
    """Miner's sum of each joint, (joints,), of a recording: it breaks at 1.

    curvature: about the section's two axes (1/m, (frames, joints, 2)), as strand.materials.bending
        gives it. twist_rate: (rad/m, (frames, joints)), for damage by torsion. sn and the other
        arguments as for FatigueMonitor: radius, torsion, fibres, least.

    Raises StrandError if an argument is invalid.
    """
    bent = read("curvature", curvature, REALS)
    if bent.ndim != 3 or bent.shape[2] != 2 or not bent.size or not np.isfinite(bent).all():
        got, allowed = f"an array {bent.shape}", "finite numbers of shape (frames, joints, 2)"
        raise StrandError(f"curvature: got {got}, allowed: {allowed}")
    twisted = np.zeros(bent.shape[:2])
    if twist_rate is not None:
        twisted = read("twist_rate", twist_rate, REALS)
    if twisted.shape != bent.shape[:2] or not np.isfinite(twisted).all():
        got, allowed = f"an array {twisted.shape}", f"finite numbers of shape {bent.shape[:2]}"
        raise StrandError(f"twist_rate: got {got}, allowed: {allowed}")
    counted = FatigueCount(bent.shape[1], sn, **options)
    for one in zip(bent, twisted, strict=True):
        counted.add(*one)
    return counted.damage


class Life(NamedTuple):
    """Until a cable breaks."""

    repeats: float  #: of all that has been counted, until the first joint breaks; inf: never
    joint: int  #: which breaks first; -1: none
    arclength: float  #: m: of this joint; NaN: none


class FatigueMonitor(FatigueCount):
    """Counts the cycles of a cable in a simulation, and adds up their damage.

        monitor = FatigueMonitor(model, data, sn=[(0.01, 1e3), (0.001, 1e6)], radius=0.002)
        for _ in range(10_000):
            mujoco.mj_step(model, data)
            monitor.update()
        monitor.damage, monitor.life()

    cable: name or index of its plugin instance (default 0). sn: SNCurve, or pairs of amplitude and
    cycles to failure, from the largest amplitude to the smallest. radius: of the fibres in which
    strain is counted, usually the cable's or a wire's (m): then the amplitudes of `sn` are strains;
    without one they are curvatures (1/m), and of torsion twist rates (rad/m). torsion: SNCurve or
    pairs of the shear strain, radius times twist rate (default: twisting does no damage).
    fibres: their number around the section, even: the worst one of each joint counts (default 16).
    least: cycles of smaller amplitude are not counted (default 0: all are).
    every: updates between two readings (default 1). Fewer readings miss peaks: a sine that is read
        n times per period loses at most 1 - cos(pi / n) of its amplitude.

    Raises StrandError if an argument is invalid or the model has no such cable.
    """

    def __init__(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        cable: str | int = 0,
        *,
        sn: SNCurve | SNTable,
        radius: float | None = None,
        torsion: SNCurve | SNTable | None = None,
        fibres: int = 16,
        least: float = 0.0,
        every: int = 1,
    ) -> None:
        self._reader = BendingReader(model, data, cable)
        self._every = read("every", every, count(1))
        options: dict[str, Any] = {"radius": radius, "torsion": torsion, "fibres": fibres}
        super().__init__(len(self._reader.span), sn, least=least, **options)

    def update(self) -> None:
        """Reads the cable. Call it after each mj_step; it reads the kinematics of the step's
        start."""
        if self._updates % self._every == 0:
            self.add(*self._reader.read())
        self._updates += 1

    def reset(self) -> None:
        """Forgets all cycles, e.g. those before a motion is periodic."""
        super().reset()
        self._updates = 0

    @property
    def arclength(self) -> np.ndarray:
        """Of the joints (m), (joints,)."""
        return self._reader.arclength

    def life(self) -> Life:
        """When and where the cable breaks if all until now is repeated again and again."""
        damage = self.damage_per_repeat
        joint = int(damage.argmax())
        if damage[joint] == 0:
            return Life(np.inf, -1, np.nan)
        return Life(float(1 / damage[joint]), joint, float(self.arclength[joint]))

    def link_values(self, repeats: float | None = None) -> LinkValues:
        """The damage of links, as colours: strand.render(..., color=monitor.link_values()), or as
        it grows, strand.view(..., color=monitor.link_values).

        repeats: of all until now (default: none, the damage until now).
        """
        damage = self.damage
        if repeats is not None:
            damage = self.damage_per_repeat * read("repeats", repeats, non_negative("1"))
        return LinkValues("damage", "", {self._reader.cable: self._reader.at_links(damage)})

    def state(self) -> dict[str, np.ndarray]:
        """All that has been counted, as arrays: numpy.savez("fatigue.npz", **monitor.state())."""
        return super().state() | {"updates": np.array(self._updates)}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        """Goes on from a state(), or numpy.load of its file. Raises StrandError, and changes
        nothing, if it is not one of as many joints and fibres."""
        if "updates" not in state or np.shape(state["updates"]) != ():
            raise StrandError("state['updates']: got nothing, allowed: that of state()")
        super().restore(state)
        self._updates = int(state["updates"])
