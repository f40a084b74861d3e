"""Greenhill's critical moment of a twisted straight rod with pinned ends, under tension T.

Both ends are ball joints; the far one sits on a support that slides along the axis and carries T.
A dead axial couple M, fixed in space, acts on the last link, and its opposite on the first one;
`rest_twist` gives the rod the twist at which it carries M while straight. The moment balance of a
neighbouring state w = y + i z is EI w'' - i M w' - T w = 0 with w = 0 at the ends. Hence
(Greenhill 1883; Timoshenko & Gere, 2.21)

    M^2 / (4 EI^2) = T / EI + (pi / L)^2.

Axial couples are not a conservative load (the stiffness is not symmetric), but with these pinned
ends stability is still lost by divergence: the eigenvalues stay real. So the critical moment is the
least one at which the stiffness of the straight state, by finite differences of MuJoCo's forces, is
singular.
"""

import numpy as np

from strand.draw.report import Report
from strand_studies import relax
from strand_studies.validation import column, convergence
from strand_studies.validation.column import EI, GJ, LENGTH, NOTHING, X
from strand_studies.validation.linearized import Linearized, critical_load

TENSIONS = (-0.5, 0.0, 1.0)  # T L^2 / (pi^2 EI): -1 is Euler's critical load
EULER = np.pi**2 * EI / LENGTH**2  # N


def theory(tension: float) -> float:
    """Critical moment (N m) at T = `tension` Euler loads."""
    return 2 * EI * np.sqrt(tension * EULER / EI + (np.pi / LENGTH) ** 2)


def twisted_rod(tension: float, moment: float, segments: int, curvature: str) -> Linearized:
    """The straight rod under T = `tension` Euler loads and a moment (N m)."""
    # The twist acts between the middles of the first and the last link.
    twisted_length = LENGTH * (segments - 1) / segments
    model = column.column(
        segments, curvature, "ball", "pin", rest_twist=-moment * twisted_length / GJ
    )
    loads = {
        column.SLIDER: (tension * EULER * X, NOTHING),
        column.START: (NOTHING, -moment * X),
        column.END: (NOTHING, moment * X),
    }
    return column.bending(model, loads)


def critical_moment(tension: float, segments: int, curvature: str) -> float:
    """Critical moment (N m) at T = `tension` Euler loads."""
    return critical_load(
        lambda moment: twisted_rod(tension, moment, segments, curvature).stiffness, EI / LENGTH
    )


def run(
    segments: list[int] | None = None,
    curvature: str = "angle",
    progress: relax.Progress = None,
) -> Report:
    """Finds the critical moment under compression, without axial force, and under tension."""

    def measure(tension: float, n: int) -> list[dict]:
        found = critical_moment(tension, n, curvature)
        case = {"tension": tension, "segments": n, "curvature": curvature}
        scaled = np.array([found, theory(tension)]) * LENGTH / EI
        return [case | convergence.compare(*scaled, n)]

    values = {f"T = {tension:g} Euler loads": tension for tension in TENSIONS}
    results = convergence.sweep(values, segments, measure, progress)
    note = "tension: T L² / (π² EI); found and theory: M L / EI"
    keys = ("tension", "curvature")
    return convergence.report("greenhill", "Greenhill's moment", results, keys, _draw, note)


def _draw(figure, results: list[dict]) -> None:
    left, right = figure.subplots(1, 2)
    line = np.linspace(-1, 1.2, 200)
    left.plot(line, [theory(t) * LENGTH / EI for t in line], color="black", label="Greenhill")
    finest = max(case["segments"] for case in results)
    best = [case for case in results if case["segments"] == finest]
    left.plot(
        [case["tension"] for case in best],
        [case["found"] for case in best],
        "o",
        label=f"Strand, n = {finest}",
    )
    left.set(xlabel="T L² / (π² EI)", ylabel="critical M L / EI", title="Greenhill's moment")
    left.legend()
    convergence.draw(right, results, "tension", unit="T L² / (π² EI) = ")
