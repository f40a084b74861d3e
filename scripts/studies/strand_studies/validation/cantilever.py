"""Cantilever under its own weight against the heavy elastica: checks the mass and the clamp."""

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
    """Lets a rod with each number of links sag under its own weight, q L^3 / EI = 5."""
    theory = tip_deflection(weight=WEIGHT)
    density = WEIGHT * EI / (LENGTH**3 * GRAVITY * np.pi * RADIUS**2)

    def measure(_: None, n: int) -> list[dict]:
        found = ClampedRod(n, curvature, density, GRAVITY).hang()
        return [{"segments": n, "curvature": curvature, **compare(found, theory, n)}]

    results = convergence.sweep({"": None}, segments, measure, progress)
    note = "reference: the heavy elastica's differential equation"
    return convergence.report("cantilever", "Heavy elastica", results, ("curvature",), _draw, note)


def _draw(figure, results: list[dict]) -> None:
    axes = figure.subplots()
    convergence.draw(axes, results, "curvature")
    axes.set(title="Heavy elastica", ylabel="relative error of the sag")
