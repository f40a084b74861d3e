"""The points of a sweep: a grid, random draws, or a search."""

import hashlib
import itertools
import json
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from strand.errors import StrandError
from strand.sweep.parameters import Parameter, Value
from strand.sweep.worker import Outcome

_MOST = 1_000_000  #: points


@dataclass(frozen=True)
class Point:
    """A point of a sweep."""

    index: int
    parameters: dict[str, Value]
    key: str  #: hash of spec, index and parameters

    @classmethod
    def of(cls, digest: str, index: int, parameters: dict[str, Value]) -> "Point":
        text = json.dumps([digest, index, parameters], sort_keys=True)
        return cls(index, parameters, hashlib.sha256(text.encode()).hexdigest()[:32])


class Plan(Protocol):
    """Chooses the points in batches; a batch may depend on the outcomes of those before it."""

    total: int  #: number of points; of a search: at most

    def batch(self) -> list[Point]:
        """The next points; none: the sweep is complete."""

    def tell(self, points: Sequence[Point], outcomes: Mapping[int, Outcome]) -> None:
        """Takes the outcomes of a batch, by index."""


class Listed:
    """All combinations of the grid's values, each with every random draw."""

    def __init__(self, digest: str, parameters: Sequence[Parameter], count: int, seed: int) -> None:
        drawn = [each for each in parameters if each.is_drawn]
        listed = [each for each in parameters if not each.is_drawn]
        count = count if drawn else 1
        self.total = count * math.prod(len(each.values) for each in listed)
        if self.total > _MOST:
            raise StrandError(f"parameters: got {self.total} points, allowed: at most {_MOST}")
        generator = np.random.default_rng(seed)
        draws = {each.name: each.draw(generator, count) for each in drawn}
        nodes = itertools.product(*(each.values for each in listed))
        self._points = []
        for index, (node, k) in enumerate(itertools.product(nodes, range(count))):
            values = dict(zip((each.name for each in listed), node, strict=True))
            values |= {name: column[k] for name, column in draws.items()}
            ordered = {each.name: values[each.name] for each in parameters}
            self._points.append(Point.of(digest, index, ordered))

    def batch(self) -> list[Point]:
        points, self._points = self._points, []
        return points

    def tell(self, points: Sequence[Point], outcomes: Mapping[int, Outcome]) -> None:
        """Does nothing: all points are known from the start."""


class Search:
    """CMA-ES (N. Hansen, The CMA evolution strategy: a tutorial, arXiv:1604.00772).

    Parameters are searched between 0 and 1, from the middle; those with loguniform limits by their
    logarithm. Generations are asked and told in order, so that a search depends on its seed alone,
    and one that was killed is repeated up to where it was with the recorded outcomes.
    """

    def __init__(
        self,
        digest: str,
        parameters: Sequence[Parameter],
        *,
        minimise: str,
        evaluations: int,
        population: int | None,
        sigma: float,
        seed: int,
    ) -> None:
        self._digest, self._parameters, self._minimise = digest, parameters, minimise
        size = len(parameters)
        self._optimiser = _cma()(
            mean=np.full(size, 0.5),
            sigma=sigma,
            bounds=np.tile([0.0, 1.0], (size, 1)),
            population_size=population,
            seed=seed,
        )
        self.total = evaluations
        self._next = 0
        self._asked: list[np.ndarray] = []

    def batch(self) -> list[Point]:
        size = self._optimiser.population_size
        full = self._next > 0 and self._next + size > self.total
        if full or (self._next > 0 and self._optimiser.should_stop()):
            return []
        self._asked = [self._optimiser.ask() for _ in range(size)]
        points = []
        for parts in self._asked:
            values: dict[str, Value] = {
                each.name: each.at(float(part))
                for each, part in zip(self._parameters, parts, strict=True)
            }
            points.append(Point.of(self._digest, self._next, values))
            self._next += 1
        return points

    def tell(self, points: Sequence[Point], outcomes: Mapping[int, Outcome]) -> None:
        """A failed point counts as worse than all others."""
        values = []
        for point in points:
            results = outcomes[point.index].results
            if results and self._minimise not in results:
                known = ", ".join(results)
                raise StrandError(f"cmaes.minimise: got {self._minimise!r}, allowed: {known}")
            values.append(results.get(self._minimise, math.inf))
        if not any(map(math.isfinite, values)):
            first = outcomes[points[0].index]
            raise StrandError(
                f"cmaes: got a generation in which all {len(points)} points failed, allowed: "
                f"limits between which some succeed (first: {first.reason or 'inf'})"
            )
        capped = [min(value, sys.float_info.max) for value in values]
        self._optimiser.tell(list(zip(self._asked, capped, strict=True)))


def _cma() -> type:
    try:
        from cmaes import CMA
    except ImportError:
        raise StrandError(
            "cmaes: got a search, allowed: with cmaes installed only (pip install 'strand[sweep]')"
        ) from None
    return CMA
