"""Every validation, one after the other, as one report."""

import importlib

from strand.draw.report import Report
from strand_studies import relax
from strand_studies.validation import NAMES


def run(curvature: str = "angle", progress: relax.Progress = None) -> Report:
    """Runs all validations with their own defaults; every result names its validation."""
    reports = []
    for name in NAMES:
        if name == "all":
            continue

        def say(doing: str, name: str = name) -> None:
            if progress:
                progress(f"{name}: {doing}")

        module = importlib.import_module(f"strand_studies.validation.{name}")
        reports.append(module.run(curvature=curvature, progress=say))
    return together(reports)


def together(reports: list[Report]) -> Report:
    """Merges reports into one: each result names its validation; the plots are stacked."""
    results = [{"validation": one.name, **case} for one in reports for case in one.results]

    def draw(figure) -> None:
        rows = figure.subfigures(len(reports), 1, squeeze=False)[:, 0]
        for part, one in zip(rows, reports, strict=True):
            one.draw(part)

    width, height = reports[0].size
    size = (width, height * len(reports))
    note = "units and references: strand validate NAME"
    judged = "as said by: strand validate NAME"
    return Report("all", "All validations", results, draw, note, size, judged)
