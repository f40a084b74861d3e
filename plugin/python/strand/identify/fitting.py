"""Any parameters of a cable, fitted so that its simulation matches recorded data."""

import dataclasses
import importlib
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy

from strand.cable.cable import Cable
from strand.errors import StrandError
from strand.identify.fit_simulation import relative, simulated
from strand.identify.fit_spec import FitSpec, changed, load
from strand.identify.held_cable import polyline_length
from strand.identify.interval import Estimate, of_residuals
from strand.io.options import instance, read
from strand.simulation import SolverError

if TYPE_CHECKING:
    from strand.draw.report import Report

_STEP = 1e-3  #: of differences, as a part of the range of a parameter
_TOLERANCE = 1e-8
_POPULATION = 8  #: of differential evolution, per parameter
_NO_EFFECT = 1e-9  #: change over the range of a parameter, in lengths of the cable: rounding errors
_FAILED = 10.0  #: residual, in lengths of the cable, where a simulation fails


@dataclasses.dataclass(frozen=True)
class Fit:
    """Fitted parameters of a cable. SI units."""

    parameters: dict[str, Estimate]
    at_limit: list[str]  #: names of parameters at a limit of the search
    undetermined: list[str]  #: names of those whose interval contains all that was searched
    cable: Cable  #: with the fitted values
    columns: tuple[str, ...]  #: of the data
    place_name: str  #: "node" or "time (s)"
    places: np.ndarray  #: (rows,)
    measured: np.ndarray  #: (rows, columns) (m)
    simulated: np.ndarray  #: (rows, columns) (m)
    evaluations: int
    method: str

    @property
    def residuals(self) -> np.ndarray:
        return self.simulated - self.measured

    @property
    def rms(self) -> float:
        """Root mean square of the residuals (m)."""
        return float(np.sqrt(np.mean(self.residuals**2)))

    def report(self) -> "Report":
        """Rows for tables and JSON, and the plot."""
        from strand.identify.report import fit_report

        return fit_report(self)

    def plot(self, path: str | os.PathLike) -> None:
        """Writes recorded and simulated values as PNG."""
        self.report().plot(path)


def fit(spec: FitSpec | str | os.PathLike, progress: Callable[[str], None] | None = None) -> Fit:
    """Fits the parameters that a TOML file names (`strand identify fit --example FILE`).

    spec: the file's path, or a FitSpec. progress: called with a text before each simulation.

    All searches end with least squares, whose residuals give the intervals. Raises StrandError if
    the file is invalid, or if the cable cannot be simulated at any of the values that are tried.
    """
    given = load(Path(spec)) if isinstance(spec, str | os.PathLike) else spec
    read("spec", given, instance(FitSpec, "the path of a TOML file, or a FitSpec"))
    problem = _Problem(given, progress)
    start = np.array(
        [
            0.5 if parameter.start is None else parameter.to_unit(parameter.start)
            for parameter in given.parameters
        ]
    )
    if given.search.method == "differential_evolution":
        start = _evolve(problem)
    elif given.search.method == "optuna":
        start = _optuna(problem)
    found = scipy.optimize.least_squares(
        problem.residuals,
        start,
        problem.jacobian,
        bounds=(0.0, 1.0),
        x_scale="jac",
        xtol=_TOLERANCE,
        ftol=_TOLERANCE,
    )
    if not problem.succeeded:
        raise StrandError(
            f"parameter: got no values for which the cable can be simulated ({problem.failure}), "
            "allowed: other limits"
        )
    return problem.result(found.x)


class _Problem:
    """Residuals as a function of the parameters, each on a scale from 0 to 1."""

    def __init__(self, spec: FitSpec, progress: Callable[[str], None] | None) -> None:
        self.spec, self._progress = spec, progress
        self.measured = relative(spec, spec.table.values[:, 1:])
        self.length = polyline_length(spec.cable.nodes)
        self.evaluations, self.succeeded, self.failure = 0, False, ""

    def values(self, places: np.ndarray) -> dict[str, float]:
        pairs = zip(self.spec.parameters, places, strict=True)
        return {parameter.name: parameter.from_unit(float(place)) for parameter, place in pairs}

    def simulate(self, places: np.ndarray) -> np.ndarray:
        self.evaluations += 1
        values = self.values(places)
        if self._progress:
            shown = ", ".join(f"{name} {value:.5g}" for name, value in values.items())
            self._progress(f"simulation {self.evaluations}: {shown}")
        return simulated(self.spec, changed(self.spec.cable, values))

    def residuals(self, places: np.ndarray) -> np.ndarray:
        """Differences (rows times columns,) in lengths of the cable."""
        try:
            found = (self.simulate(places) - self.measured).ravel() / self.length
        except SolverError as error:
            self.failure = str(error)
            return np.full(self.measured.size, _FAILED)
        if not np.isfinite(found).all():
            self.failure = "positions that are not finite"
            return np.full(self.measured.size, _FAILED)
        self.succeeded = True
        return found

    def jacobian(self, places: np.ndarray) -> np.ndarray:
        columns, here = [], self.residuals(places)
        for step in _STEP * np.eye(len(places)):
            ahead = places + step
            if (ahead > 1).any():
                step = -step
            columns.append((self.residuals(places + step) - here) / step.sum())
        return np.array(columns).T

    def effects(self, places: np.ndarray) -> np.ndarray:
        """The Jacobian by central differences, which show whether two parameters have one effect.

        At a limit of the search the differences are one-sided.
        """
        columns = []
        for step in _STEP * np.eye(len(places)):
            behind, ahead = np.maximum(places - step, 0), np.minimum(places + step, 1)
            change = self.residuals(ahead) - self.residuals(behind)
            columns.append(change / (ahead - behind).sum())
        found = np.array(columns).T
        found[:, np.abs(found).max(axis=0) < _NO_EFFECT] = 0.0
        return found

    def cost(self, places: np.ndarray) -> float:
        return float((self.residuals(np.asarray(places)) ** 2).sum())

    def result(self, places: np.ndarray) -> Fit:
        spec = self.spec
        values, jacobian = self.values(places), self.effects(places)
        found = self.simulate(places)
        differences = (found - self.measured) / self.length
        rows = of_residuals(places, jacobian, differences.ravel(), differences.shape[1])
        undetermined = (rows[:, 0] <= 0) & (rows[:, 1] >= 1)
        rows[undetermined] = -np.inf, np.inf  # nothing was tried outside the limits
        return Fit(
            parameters=self._estimates(values, rows),
            at_limit=[
                parameter.name
                for parameter, place in zip(spec.parameters, places, strict=True)
                if min(place, 1 - place) < 1e-6
            ],
            undetermined=[
                parameter.name
                for parameter, unknown in zip(spec.parameters, undetermined, strict=True)
                if unknown
            ],
            cable=changed(spec.cable, values),
            columns=spec.table.columns[1:],
            place_name="node" if spec.data.quantity == "nodes" else "time (s)",
            places=spec.table.values[:, 0],
            measured=self.measured,
            simulated=found,
            evaluations=self.evaluations,
            method=spec.search.method,
        )

    def _estimates(self, values: Mapping[str, float], rows: np.ndarray) -> dict[str, Estimate]:
        triples = zip(self.spec.parameters, values.values(), rows, strict=True)
        return {
            parameter.name: Estimate(value, *(parameter.from_unit(float(end)) for end in row))
            for parameter, value, row in triples
        }


def _evolve(problem: _Problem) -> np.ndarray:
    search, size = problem.spec.search, len(problem.spec.parameters)
    generations = max(1, search.trials // (_POPULATION * size) - 1)
    found = scipy.optimize.differential_evolution(
        problem.cost,
        [(0.0, 1.0)] * size,
        maxiter=generations,
        popsize=_POPULATION,
        polish=False,
        rng=search.seed,
    )
    return np.asarray(found.x)


def _optuna(problem: _Problem) -> np.ndarray:
    try:
        optuna: Any = importlib.import_module("optuna")
    except ImportError:
        allowed = "least_squares, differential_evolution, or pip install optuna"
        raise StrandError(f"method: got 'optuna', not installed, allowed: {allowed}") from None
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    names = [parameter.name for parameter in problem.spec.parameters]

    def objective(trial: Any) -> float:
        return problem.cost(np.array([trial.suggest_float(name, 0.0, 1.0) for name in names]))

    search = problem.spec.search
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=search.seed))
    study.optimize(objective, n_trials=search.trials)
    return np.array([study.best_params[name] for name in names])
