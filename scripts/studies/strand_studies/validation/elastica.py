"""Cantilever under a tip load against the elastica, P L^2 / EI = 1, 2, 5, 10."""

import numpy as np

from strand.draw.report import Report
from strand_studies import relax
from strand_studies.beam import tip_deflection
from strand_studies.validation import convergence
from strand_studies.validation.clamped import EI, LENGTH, ClampedRod, compare

LOADS = (1.0, 2.0, 5.0, 10.0)  # P L^2 / EI
DENSITY = 1000.0  # kg/m^3; no gravity here


def run(
    segments: list[int] | None = None,
    curvature: str = "angle",
    loads: tuple[float, ...] = LOADS,
    progress: relax.Progress = None,
) -> Report:
    """Applies each tip load to a rod with each number of links."""
    theory = {load: tip_deflection(tip_load=load) for load in loads}

    def measure(load: float, n: int) -> list[dict]:
        rod = ClampedRod(n, curvature, DENSITY, gravity=0.0)
        found = rod.hang(load * EI / LENGTH**2)
        case = {"load": load, "segments": n, "curvature": curvature}
        return [case | compare(found, theory[load], n)]

    values = {f"load {load:g}": load for load in loads}
    results = convergence.sweep(values, segments, measure, progress)
    note = "reference: the elastica's differential equation"
    keys = ("load", "curvature")
    return convergence.report("elastica", "Tip-loaded elastica", results, keys, _draw, note)


def _draw(figure, results: list[dict]) -> None:
    left, right = figure.subplots(1, 2)
    loads = np.linspace(0.05, max(case["load"] for case in results), 40)
    theory = np.array([tip_deflection(tip_load=load) for load in loads])
    left.plot(loads, theory[:, 0], color="black", label="theory, w / L")
    left.plot(loads, theory[:, 1], color="black", ls="--", label="theory, u / L")
    finest = max(case["segments"] for case in results)
    best = [case for case in results if case["segments"] == finest]
    for key, mark in (("w", "o"), ("u", "s")):
        values = [case[key] for case in best]
        left.plot([case["load"] for case in best], values, mark, label=f"{key} / L, n = {finest}")
    left.set(xlabel="P L² / EI", ylabel="tip deflection", title="Tip-loaded elastica")
    left.legend()
    convergence.draw(right, results, "load", unit="P L² / EI = ")
