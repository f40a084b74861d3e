"""Runs a scene for several seeds: a report with one row per seed."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from strand.draw.report import Report
from strand_studies.manipulation.pictures import Pictures
from strand_studies.manipulation.run import Outcome, Record, play, start
from strand_studies.manipulation.scene import Scene


def run(
    scene: Scene,
    seeds: Iterable[int],
    pictures: Pictures | None = None,
    progress: Callable[[str], None] | None = None,
) -> Report:
    """One row per seed: the figures, the overlap, the speed; the first run is recorded."""
    rows: list[dict[str, Any]] = []
    texts: list[str] = []
    record: Record | None = None
    for seed in seeds:
        if progress:
            progress(f"seed {seed}")
        model, data = start(scene, seed)
        first = Record(scene) if record is None else None
        watched = [first.watch] if first else []
        if first and pictures is not None and pictures.wanted:
            watched.append(pictures.watch)
        outcome = play(scene, model, data, watch=watched)
        record = record or first
        rows.append(_row(seed, outcome))
        texts += [f"seed {seed}: {text}" for text in outcome.texts]
    name = scene.name
    report = Report(name, f"{name}: scripted controller", rows, size=(9.0, 5.5))
    report.judged = (
        "the task is done, without warnings, faster than real time, and nothing has gone deeper "
        "into the cable than its radius"
    )
    report.note = "\n".join([_summary(rows), *texts])
    if record is not None:
        kept = record
        report.draw = lambda figure: _draw(figure, kept)
    return report


def _row(seed: int, outcome: Outcome) -> dict[str, Any]:
    done = outcome.success and outcome.warnings == 0 and outcome.overlap < 1 and outcome.speed > 1
    return {
        "seed": seed,
        **outcome.figures,
        "overlap": round(outcome.overlap, 3),
        "success": outcome.success,
        "warnings": outcome.warnings,
        "times real time": round(outcome.speed, 2),
        "passed": bool(done),
    }


def _summary(rows: list[dict[str, Any]]) -> str:
    done = sum(row["success"] for row in rows)
    speeds = [row["times real time"] for row in rows]
    return (
        f"{done} of {len(rows)} runs succeed ({100 * done / len(rows):.0f} %); "
        f"{sum(row['warnings'] for row in rows)} warnings; "
        f"{min(speeds):.1f} to {max(speeds):.1f} times real time (CPU time, one core)"
    )


def _draw(figure: Any, record: Record) -> None:
    """Each figure of the task over time, below one another."""
    times, names = np.array(record.times), list(record.figures[0])
    panels = figure.subplots(len(names), 1, sharex=True, squeeze=False)[:, 0]
    for panel, name in zip(panels, names, strict=True):
        panel.plot(times, [figures[name] for figures in record.figures])
        panel.set_ylabel(name.replace("_", " "))
    panels[-1].set_xlabel("time (s)")
