"""Cantilever under its own weight against the heavy elastica: mass and clamp are right."""

import numpy as np

from strand.validation import relax
from strand.validation.beam import tip_deflection
from strand.validation.clamped import EI, LENGTH, RADIUS, ClampedRod, compare
from strand.validation.report import Report

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
    for n in segments or [10, 20, 40, 80]:
        if progress:
            progress(f"n = {n}")
        found = ClampedRod(n, curvature, density, GRAVITY).hang()
        results.append({"segments": n, "curvature": curvature, **compare(found, theory, n)})
    note = "reference: the heavy elastica's differential equation"
    return Report("cantilever", "Heavy elastica", results, lambda fig: _draw(fig, results), note)


def _draw(figure, results: list[dict]) -> None:
    axes = figure.subplots()
    sizes = [case["segments"] for case in results]
    axes.loglog(sizes, [case["error"] for case in results], "o-", label="Strand")
    guide = results[0]["error"] * (sizes[0] / np.array(sizes, dtype=float)) ** 2
    axes.loglog(sizes, guide, color="black", lw=1, ls="--", label="second order")
    axes.set(xlabel="links n", ylabel="relative error of the sag", title="Heavy elastica")
    axes.legend()
