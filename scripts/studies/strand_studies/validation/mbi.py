"""Michell's instability: a twisted closed ring leaves its plane at theta_c = 2 pi sqrt(3) EI/GJ.

The ring has one extra link, which lies on the first one; both are clamped and turned against each
other. Below theta_c a small disturbance out of the plane decays, above it grows: theta_c is where
the growth rate crosses zero (Michell 1889; Goriely 2006).
"""

import mujoco
import numpy as np

from strand.cable.cable import Cable
from strand.cable.shapes import ring
from strand.draw.report import Report
from strand.errors import StrandError
from strand_studies import relax

RADIUS, EI = 1.0, 1.0  # m, N m^2
# theta_c does not depend on the time step, as the disturbance neither grows nor decays there.
TIMESTEP, RELAXATION, PUSH_TIME = 0.04, 1.0, 1.0  # s
COARSE, FINE = (
    (20.0, 60.0),
    (50.0, 100.0),
)  # s: interval in which growth is measured; by then other modes have decayed
PUSH = 1e-4  # N: keeps the disturbance far below the wire's radius
TOLERANCE = {"angle": 0.005, "tangent": 0.02, "smooth4": 0.0005, "smooth": 0.0005}  # of theta_c
BRACKET = 0.005  # of theta_c: half the width over which the growth rate is interpolated


def theory(gj_over_ei: float) -> float:
    """Critical end rotation (rad)."""
    return 2 * np.pi * np.sqrt(3) / gj_over_ei


def growth_rate(
    gj_over_ei: float, theta: float, segments: int, curvature: str, watch: tuple[float, float]
) -> float:
    """Growth rate (1/s) of a small disturbance out of the plane at end rotation theta (rad)."""
    link_length = 2 * np.pi * RADIUS / segments
    cable = Cable(
        pieces="none",
        nodes=ring(RADIUS, segments, overlap=1),
        EI=EI,
        GJ=gj_over_ei * EI,
        radius=0.02,
        start="fixed",
        end="fixed",
        clamp="link",
        gravity=(0, 0, 0),
        collide=False,
        damping=relax.joint_damping(EI, link_length, RELAXATION),
        integrator="discrete",
        timestep=TIMESTEP,
        curvature=curvature,
        keys={"rest": "straight", "rest_twist": theta},
    )
    model = mujoco.MjModel.from_xml_string(cable.to_mjcf())
    data = mujoco.MjData(model)
    times, heights = [], []
    while data.time < watch[1]:
        data.xfrc_applied[model.nbody // 2, 2] = PUSH if data.time < PUSH_TIME else 0.0
        relax.step(model, data, 5)
        times.append(data.time)
        heights.append(data.xpos[1:, 2].copy())
    # The change of shape grows or decays at the mode's rate, whatever the initial shape.
    change = np.linalg.norm(np.diff(heights, axis=0), axis=1)
    watched = np.array(times[1:]) > watch[0]
    return float(np.polyfit(np.array(times[1:])[watched], np.log(change[watched]), 1)[0])


def critical_rotation(gj_over_ei: float, segments: int, curvature: str) -> float:
    """End rotation (rad) at which the growth rate crosses zero."""

    def rate(theta: float, watch: tuple[float, float]) -> float:
        return growth_rate(gj_over_ei, theta, segments, curvature, watch)

    # Coarse: step until the sign changes; the theory only gives the starting value.
    step = 0.03 * theory(gj_over_ei)
    low = 0.97 * theory(gj_over_ei)
    low_rate = rate(low, COARSE)
    for _ in range(20):
        high = low + (step if low_rate < 0 else -step)
        high_rate = rate(high, COARSE)
        if (high_rate < 0) != (low_rate < 0):
            break
        low, low_rate = high, high_rate
    else:
        raise StrandError(f"mbi: no instability found near {low:.3f} rad")
    guess = _crossing(low, low_rate, high, high_rate)
    # Fine: the rate is nearly linear in theta^2 close to the crossing.
    low, high = guess * (1 - BRACKET), guess * (1 + BRACKET)
    return _crossing(low, rate(low, FINE), high, rate(high, FINE))


def _crossing(a: float, rate_a: float, b: float, rate_b: float) -> float:
    return float(np.sqrt((a**2 * rate_b - b**2 * rate_a) / (rate_b - rate_a)))


def run(
    ratios: list[float] | None = None,
    segments: int = 50,
    curvature: str = "angle",
    progress: relax.Progress = None,
) -> Report:
    """Finds theta_c for each ratio GJ/EI (default: 11 values from 0.5 to 1.25)."""
    ratios = ratios or list(np.linspace(0.5, 1.25, 11))
    if min(ratios) <= 0:
        raise StrandError(f"ratios: got {min(ratios)}, allowed: numbers > 0")
    results = []
    for ratio in ratios:
        if progress:
            progress(f"GJ/EI = {ratio:.3f}")
        found, expected = critical_rotation(ratio, segments, curvature), theory(ratio)
        results.append(
            {
                "gj_over_ei": float(ratio),
                "segments": segments,
                "curvature": curvature,
                "theta_c": found,
                "theory": expected,
                "relative_error": found / expected - 1,
                "tolerance": TOLERANCE[curvature],
                "passed": bool(abs(found / expected - 1) <= TOLERANCE[curvature]),
            }
        )
    note = (
        "theory: theta_c = 2 pi sqrt(3) EI/GJ; the paper's ||theta - theta_c||/N (not an RMS): "
        f"{paper_error(results):.4f} rad"
    )
    return Report(
        "mbi",
        "Michell's ring",
        results,
        lambda fig: _draw(fig, results),
        note,
        judged="|relative_error| <= tolerance, of theta_c against theory",
    )


def paper_error(results: list[dict]) -> float:
    """The paper's figure ||theta - theta_c||_2 / (number of cases) (rad); it is not an RMS."""
    difference = [case["theta_c"] - case["theory"] for case in results]
    return float(np.linalg.norm(difference)) / len(results)


def _draw(figure, results: list[dict]) -> None:
    left, right = figure.subplots(1, 2)
    ratios = np.array([case["gj_over_ei"] for case in results])
    line = np.linspace(ratios.min() * 0.95, ratios.max() * 1.05, 200)
    left.plot(line, theory(line), color="black", label="2π√3 EI/GJ")
    left.plot(ratios, [case["theta_c"] for case in results], "o", label="Strand")
    left.set(xlabel="GJ / EI", ylabel="critical rotation (rad)", title="Michell's ring")
    left.legend()
    right.plot(ratios, [100 * case["relative_error"] for case in results], "o-")
    right.axhline(0, color="black", lw=1)
    right.set(xlabel="GJ / EI", ylabel="deviation from theory (%)")
