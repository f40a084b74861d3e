"""Warnings when a cable is bent or pulled more than it may be."""

import dataclasses
import warnings
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import mujoco
import numpy as np

from strand.draw.heat import with_unit
from strand.errors import StrandError
from strand.io.options import count, instance, optional, positive, read
from strand.materials.bending import BendingReader
from strand.readout.profile import profile
from strand.readout.readout import check_pair, instances, read_all, read_index


@dataclasses.dataclass(frozen=True)
class Limits:
    """What a cable may bear. Raises StrandError if a number is not > 0, or if none is given."""

    min_bend_radius: float | None = None  #: m, of its centre line
    max_tension: float | None = None  #: N

    def __post_init__(self) -> None:
        read("min_bend_radius", self.min_bend_radius, optional(positive("m")))
        read("max_tension", self.max_tension, optional(positive("N")))
        if self.min_bend_radius is None and self.max_tension is None:
            raise StrandError("limits: got none, allowed: min_bend_radius or max_tension, or both")


class LimitWarning(UserWarning):
    """A cable is bent or pulled more than it may be."""


class Excess(NamedTuple):
    """Where a cable was first bent or pulled more than it may be: the worst place at that time of
    neighbouring joints, or nodes."""

    cable: str  #: name or index of its instance
    limit: str  #: "min_bend_radius" or "max_tension"
    value: float  #: m or N
    allowed: float  #: m or N
    arclength: float  #: m
    time: float  #: s

    def __str__(self) -> str:
        place = f"at {self.arclength:.3g} m, {self.time:.3g} s"
        if self.limit == "min_bend_radius":
            what, unit, sign = "bends to", "m", ">="
        else:
            what, unit, sign = "is pulled with", "N", "<="
        value, allowed = with_unit(self.value, unit), with_unit(self.allowed, unit)
        return f"cable {self.cable!r} {what} {value} {place}; allowed: {sign} {allowed}"


class _Watched:
    """A cable and its limits."""

    def __init__(
        self, model: mujoco.MjModel, data: mujoco.MjData, cable: str | int, limits: Limits
    ) -> None:
        self._model, self._data, self._limits = model, data, limits
        self._reader = BendingReader(model, data, cable)
        index = self._reader.cable
        self._name = instances(model)[index] or f"{index}"
        self.reset()

    def reset(self) -> None:
        self._known: dict[str, np.ndarray] = {}  # by limit: joints or nodes that were beyond it

    def new_excesses(self) -> Iterator[Excess]:
        limits = self._limits
        if limits.min_bend_radius is not None:
            bent = np.linalg.norm(self._reader.read().curvature, axis=1)
            radius = np.divide(1, bent, out=np.full(len(bent), np.inf), where=bent > 0)
            beyond = radius < limits.min_bend_radius
            place = self._reader.arclength
            yield from self._new("min_bend_radius", beyond, bent, radius, place)
        if limits.max_tension is not None:
            found = profile(self._model, self._data, self._reader.cable)
            tension, place = found.tension, found.node_arclength
            if np.isnan(tension).all():
                got = f"a cable {self._name!r} on which a force acts that MuJoCo does not report"
                raise StrandError(f"max_tension: got {got}, allowed: one whose tension is known")
            yield from self._new(
                "max_tension", tension > limits.max_tension, tension, tension, place
            )

    def _new(
        self,
        limit: str,
        beyond: np.ndarray,
        size: np.ndarray,
        value: np.ndarray,
        place: np.ndarray,
    ) -> Iterator[Excess]:
        """Excesses in runs of places that do not touch earlier ones."""
        known = self._known.setdefault(limit, np.zeros(len(beyond), bool))
        padded = np.concatenate([[False], beyond, [False]])
        for first, end in np.flatnonzero(padded[1:] != padded[:-1]).reshape(-1, 2).tolist():
            is_new = not known[max(first - 1, 0) : end + 1].any()
            known[first:end] = True
            if is_new:
                worst = first + int(size[first:end].argmax())
                numbers = float(value[worst]), getattr(self._limits, limit), float(place[worst])
                yield Excess(self._name, limit, *numbers, self._data.time)


class Watch:
    """Checks cables against their limits, as made by strand.materials.watch."""

    def __init__(self, cables: list[_Watched], every: int) -> None:
        self._cables, self._every, self._calls = cables, every, 0
        self.excesses: list[Excess] = []  #: all until now

    def check(self) -> None:
        """Warns (LimitWarning) of each part of a cable beyond a limit that has not been warned of.

        Call it after each mj_step. Parts that touch an earlier one belong to it, so that a bend
        that travels along a cable is one part. Bends are those of the kinematics in `data`; for
        tensions strand.profile is read, which costs as much as some 20 steps: see `every`.
        """
        if self._calls % self._every == 0:
            for cable in self._cables:
                for excess in cable.new_excesses():
                    self.excesses.append(excess)
                    warnings.warn(str(excess), LimitWarning, stacklevel=2)
        self._calls += 1

    def reset(self) -> None:
        """Forgets what has been warned of."""
        self._calls = 0
        self.excesses.clear()
        for cable in self._cables:
            cable.reset()


def watch(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    limits: Limits | Mapping[str | int, Limits],
    *,
    every: int = 1,
) -> Watch:
    """Watches a simulation for cables beyond their limits; call check() of the result in its loop.

    limits: of all cables of the model, or for each by its name or index. every: calls of check()
    between two checks (default 1).

    Raises StrandError if an argument is invalid or the model has no such cable.
    """
    check_pair(model, data)
    kind = instance(Limits, "a strand.materials.Limits, or one for each cable")
    if not isinstance(limits, Mapping):
        cables = list(read_all(model, data, read_index))
        limits = dict.fromkeys(cables, read("limits", limits, kind))
    read_limits = {cable: read(f"limits[{cable!r}]", one, kind) for cable, one in limits.items()}
    if not read_limits:
        raise StrandError("limits: got no cable, allowed: one or more")
    every = read("every", every, count(1))
    return Watch([_Watched(model, data, *item) for item in read_limits.items()], every)
