"""Greenhill's critical moment of a twisted straight rod with pinned ends, under tension T.

Ends: ball joints, the far one on a support that slides along the axis and carries T. A dead axial
couple M, fixed in space, acts on the last link, its opposite on the first one; `rest_twist` gives
the rod the twist at which it carries M while straight. Moment balance of a neighbouring state,
w = y + i z: EI w'' - i M w' - T w = 0 with w = 0 at the ends, whence (Greenhill 1883; Timoshenko &
Gere, 2.21)

    M^2 / (4 EI^2) = T / EI + (pi / L)^2.

Axial couples are no conservative load (the stiffness is not symmetric), but these pinned ends lose
stability by divergence all the same: the eigenvalues stay real. So M is critical where the
stiffness of the straight state, by finite differences of MuJoCo's forces, is first singular.
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
    # Joints lie from the first link's middle to the last one's.
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
    """Finds the critical moment for compression, no force and tension."""
    results = []
    for tension in TENSIONS:
        for n in segments or convergence.SIZES:
            if progress:
                progress(f"T = {tension:g} Euler loads, n = {n}")
            found = critical_moment(tension, n, curvature)
            case = {"tension": tension, "segments": n, "curvature": curvature}
            scaled = np.array([found, theory(tension)]) * LENGTH / EI
            results.append(case | convergence.compare(*scaled, n))
    orders = convergence.slopes(results, "tension", "curvature")
    note = "tension: T L² / (π² EI); found and theory: M L / EI"
    return Report(
        "greenhill",
        "Greenhill's moment",
        results + orders,
        lambda fig: _draw(fig, results),
        note,
        judged=convergence.JUDGED,
    )


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
