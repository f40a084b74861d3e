"""Shared by the examples: figures beside a reference, the motion of a node, Newton iterations."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from strand.simulation import Simulation

#: The papers' measure of curvature, 2 tan(phi / 2), averaged over the two edges' frames, and their
#: joints between all pairs of connected edges.
PUBLISHED = {"curvature": "tangent", "average": "curvatures", "junctions": "pairs"}
#: The same with energies averaged instead: a round rod's bending is independent of twist.
ENERGIES = {**PUBLISHED, "average": "energies"}
#: The papers' canopies and wings: hinges, and a membrane of springs.
PUBLISHED_SHELL = {"bending": "hinge", "membrane": "springs"}
#: The papers' friction: Coulomb's law regularised in the slip velocity, acting on the rods' axes.
PUBLISHED_FRICTION = {"law": "regularised", "rolling": False}

Progress = Callable[[str], None] | None


def figure(
    name: str,
    value: float,
    unit: str,
    reference: float | None = None,
    source: str = "",
    tolerance: float | None = None,
) -> dict[str, Any]:
    """One figure. tolerance: in its unit. Without it, or without a reference, it is not judged."""
    judged = reference is not None and tolerance is not None
    return {
        "figure": name,
        "value": float(value),
        "unit": unit,
        "reference": reference,
        "source": source,
        "tolerance": tolerance,
        "passed": bool(abs(value - reference) <= tolerance) if judged else None,
    }


def follow(
    simulation: Simulation, duration: float, node: int, watch: Callable | None = None
) -> np.ndarray:
    """Runs for `duration` (s). The node's positions, from the start on: (steps + 1, 3), m."""
    return trace(simulation, duration, node, watch)[0]


def trace(
    simulation: Simulation, duration: float, node: int, watch: Callable | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """As `follow`, and the Newton iterations of every step, (steps,)."""
    path, iterations = [simulation.positions[node]], []
    for _ in range(round(duration / simulation.dt)):
        iterations.append(simulation.step().iterations)
        path.append(simulation.positions[node])
        if watch is not None:
            watch(simulation)
    return np.array(path), np.array(iterations)


def histogram(iterations: Sequence[int] | np.ndarray) -> str:
    """Newton iterations and the number of steps that took as many: "3 x 17, 4 x 283"."""
    counts = zip(*np.unique(iterations, return_counts=True), strict=True)
    return ", ".join(f"{count} x {steps}" for count, steps in counts)


def quadratic(name: str, tight: np.ndarray, tighter: np.ndarray) -> dict[str, Any]:
    """Additional iterations per step for four more digits of the residual: at most one.

    tight, tighter: iterations per step with either tolerance. Linear convergence by a factor of two
    would take 13.
    """
    more = tighter.mean() - tight.mean()
    return figure(f"{name}: iterations for four digits", more, "1", 0.0, "quadratic", 1.0)


def sinusoid(values: np.ndarray, dt: float, period: float) -> tuple[float, float]:
    """Period (s) and amplitude of a sinusoid about zero, fitted by least squares.

    dt: time (s) between values. period: first guess (s).
    """
    from scipy.optimize import curve_fit

    def wave(time, amplitude, rate, phase):
        return amplitude * np.sin(rate * time + phase)

    guess = (np.abs(values).max(), 2 * np.pi / period, 0.0)
    (amplitude, rate, _), _ = curve_fit(wave, dt * np.arange(len(values)), values, guess)
    return 2 * np.pi / rate, abs(amplitude)


def frequencies(values: np.ndarray, dt: float, least: float = 0.2) -> np.ndarray:
    """Peaks (Hz, ascending) of the spectrum (Hann window), at least `least` times the highest."""
    from scipy.signal import find_peaks

    padded = 16 * len(values)
    moving = (values - values.mean()) * np.hanning(len(values))
    spectrum = np.abs(np.fft.rfft(moving, padded))
    peaks, _ = find_peaks(spectrum, height=least * spectrum.max())
    return peaks / (padded * dt)


def limit_of_halvings(coarse: float, middle: float, fine: float) -> float:
    """Limit of values at sizes h, h/2 and h/4, for any order (Aitken's extrapolation)."""
    return fine - (fine - middle) ** 2 / (fine - 2 * middle + coarse)
