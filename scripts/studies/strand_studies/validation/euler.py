"""Euler's critical loads of a straight rod with four kinds of supports.

A dead compressive force acts at the free end, or on a support that slides along the axis. The
critical force is the least one at which the stiffness of the straight state, by finite differences
of MuJoCo's forces (linearized.py), is singular. Clamps fix the direction at the node.
Theory: P = factor EI / L^2 (Timoshenko & Gere, Theory of Elastic Stability, 2.1).
"""

import numpy as np

from strand.draw.report import Report
from strand_studies import relax
from strand_studies.validation import column, convergence
from strand_studies.validation.linearized import critical_load

#: Supports: (start, end) of the cable, the site where the force acts, P L^2 / EI by theory.
SUPPORTS = {
    "cantilever": ("fixed", "free", column.END, np.pi**2 / 4),
    "pinned": ("ball", "pin", column.SLIDER, np.pi**2),
    "clamped-pinned": ("fixed", "pin", column.SLIDER, 4.4934094579**2),  # tan x = x
    "clamped": ("fixed", "weld", column.SLIDER, 4 * np.pi**2),
}
UNIT = column.EI / column.LENGTH**2  # N


def critical_force(support: str, segments: int, curvature: str) -> float:
    """Critical compressive force (N)."""
    start, end, site, _ = SUPPORTS[support]
    model = column.column(segments, curvature, start, end)

    def stiffness(force: float) -> np.ndarray:
        loads = {site: (-force * column.X, column.NOTHING)}
        return column.bending(model, loads).stiffness

    return critical_load(stiffness, UNIT)


def run(
    segments: list[int] | None = None,
    curvature: str = "angle",
    progress: relax.Progress = None,
) -> Report:
    """Finds the critical force for each support and number of links."""

    def measure(support: str, n: int) -> list[dict]:
        found = critical_force(support, n, curvature) / UNIT
        case = {"support": support, "segments": n, "curvature": curvature}
        return [case | convergence.compare(found, SUPPORTS[support][3], n)]

    values = {support: support for support in SUPPORTS}
    results = convergence.sweep(values, segments, measure, progress)
    keys, note = ("support", "curvature"), "found and theory: P L² / EI"
    return convergence.report("euler", "Euler's critical loads", results, keys, _draw, note)


def _draw(figure, results: list[dict]) -> None:
    left, right = figure.subplots(1, 2)
    for support, cases in convergence.series(results, "support"):
        sizes = [case["segments"] for case in cases]
        shares = [case["found"] / case["theory"] for case in cases]
        left.plot(
            sizes, shares, "o-", label=f"{support['support']}: {cases[0]['theory']:.4f} EI/L²"
        )
    left.axhline(1, color="black", lw=1, label="theory")
    left.set(xlabel="links n", ylabel="critical force / theory", title="Euler's critical loads")
    left.legend(fontsize="small")
    convergence.draw(right, results, "support")
