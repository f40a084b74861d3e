"""The experiments of cosseratbench with Strand's solvers and the others that are installed."""

import importlib.util
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from strand.draw.report import Report
from strand.errors import StrandError
from strand_studies.bench.arguments import check_choices

if TYPE_CHECKING:
    from cosseratbench.experiment import Experiment
    from cosseratbench.solver import Solver

OWN = ("strand-mujoco", "strand-core")  #: Strand's solvers
Progress = Callable[[str], None]


def run(
    experiments: Sequence[str] | None = None,
    solvers: Sequence[str] | None = None,
    segments: Sequence[int] | None = None,
    progress: Progress | None = None,
) -> Report:
    """One row per experiment, solver and number of elements.

    experiments, solvers: names. Default: all experiments; Strand's solvers and all others that are
        installed.
    segments: numbers of elements of each rod. Default: that of the experiment.

    wall_s: of the run without setup, as cosseratbench measures it. Metrics are cosseratbench's.
    Judged: Strand's runs do not break down. Raises StrandError for an unknown name, and if
    cosseratbench is not installed.
    """
    _require()
    from cosseratbench import registry

    known = registry.names(registry.EXPERIMENTS)
    names = known if experiments is None else list(experiments)
    check_choices("experiments", names, known)
    if segments is not None and (not segments or min(segments) < 2):
        raise StrandError(f"segments: got {segments}, allowed: whole numbers >= 2")
    chosen = _solvers(solvers)
    say = progress or (lambda doing: None)
    rows = []
    for name in names:
        experiment = registry.load_experiment(name)
        for count in segments or [experiment.n_elements]:
            for solver in chosen:
                say(f"{name}, {solver}, {count} elements")
                rows.append(_row(experiment, solver, count))
    note = "Metrics are defined by cosseratbench; errors are relative to theory where it has one."
    judged = f"outcome of {' and '.join(OWN)}: completed, or outside the model"
    return Report("cosserat", "The experiments of cosseratbench", rows, note=note, judged=judged)


def _require() -> None:
    if importlib.util.find_spec("cosseratbench") is None:
        raise StrandError('cosseratbench: not installed; pip install "strand[bench]" installs it')


def _solvers(given: Sequence[str] | None) -> list[str]:
    """The names of the solvers to run: those given, or all that can be loaded."""
    from cosseratbench import registry

    others = [name for name in registry.names(registry.SOLVERS) if name not in OWN]
    if given is not None:
        check_choices("solvers", given, [*OWN, *others])
        return list(given)
    return [*OWN, *filter(_is_installed, others)]


def _is_installed(name: str) -> bool:
    try:
        _load(name)
    except ImportError:
        return False
    return True


def _load(name: str) -> "Solver":
    """A solver by name. Strand's own are found without their entry points, too."""
    from cosseratbench import registry

    if name == "strand-mujoco":
        from strand_studies.bench.cosserat.plugin import StrandMuJoCo

        return StrandMuJoCo()
    if name == "strand-core":
        from strand_studies.bench.cosserat.core import StrandCore

        return StrandCore()
    return registry.load_solver(name)


def _row(experiment: "Experiment", solver: str, count: int) -> dict[str, Any]:
    wall, metrics, outcome, passed = _outcome(experiment, solver, count)
    return {
        "experiment": experiment.name,
        "solver": solver,
        "segments": count,
        "wall_s": wall,
        **{name: metrics.get(name) for name in experiment.metrics},
        "outcome": outcome,
        "passed": passed if solver in OWN else None,
    }


def _outcome(
    experiment: "Experiment", solver: str, count: int
) -> tuple[float | None, dict[str, float], str, bool | None]:
    """Wall time (s), finite metrics, the outcome in words, and whether the run held."""
    from cosseratbench.experiment import run as run_one

    try:
        if solver == "mujoco" and not _has_cables():
            return None, {}, "unsupported: needs MuJoCo before 4, which has its own cable", None
        result = run_one(experiment, _load(solver), n_elements=count)
    except ImportError as error:
        return None, {}, f"not installed: {error.name}", None
    except Exception as error:  # of any solver: reported, and the others go on
        return None, {}, f"failed: {type(error).__name__}: {_first_line(error)}", False
    if result.missing:
        return None, {}, f"unsupported: needs {', '.join(result.missing)}", None
    if result.failure:
        at = "" if result.diverged_at is None else f" at {result.diverged_at:.3g} s"
        return result.wall_time, {}, f"diverged{at}: {_first_line(result.failure)}", False
    finite = {name: value for name, value in result.metrics.items() if np.isfinite(value)}
    return result.wall_time, finite, "completed", True


def _has_cables() -> bool:
    """Whether the installed MuJoCo has the composite and the plugin that cosseratbench uses."""
    import mujoco

    return int(mujoco.__version__.split(".")[0]) < 4


def _first_line(what: object) -> str:
    return (str(what).splitlines() or [""])[0]
