"""Cantilever under its own weight against the heavy elastica: mass and clamp are right."""

import numpy as np

from strand.draw.report import Report
from strand_studies import relax
from strand_studies.beam import tip_deflection
from strand_studies.validation import convergence
from strand_studies.validation.clamped import EI, LENGTH, RADIUS, ClampedRod, compare

GRAVITY = 9.81  # m/s^2
WEIGHT = 5.0  # q L^3 / EI


def run(
    segments: list[int] | None = None,
    curvature: str = "angle",
    progress: relax.Progress = None,
) -> Report:
    """Lets a rod of each number of links sag by q L^3 / EI = 5."""
    theory = tip_deflection(weight=WEIGHT)
    density = WEIGHT * EI / (LENGTH**3 * GRAVITY * np.pi * RADIUS**2)
    results = []
    for n in segments or convergence.SIZES:
        if progress:
            progress(f"n = {n}")
        found = ClampedRod(n, curvature, density, GRAVITY).hang()
        results.append({"segments": n, "curvature": curvature, **compare(found, theory, n)})
    orders = convergence.slopes(results, "curvature")
    note = "reference: the heavy elastica's differential equation"
    return Report(
        "cantilever",
        "Heavy elastica",
        results + orders,
        lambda fig: _draw(fig, results),
        note,
        judged=convergence.JUDGED,
    )


def _draw(figure, results: list[dict]) -> None:
    axes = figure.subplots()
    convergence.draw(axes, results, "curvature")
    axes.set(title="Heavy elastica", ylabel="relative error of the sag")
