"""What examples share: figures beside a reference, the motion of a node, Newton's iterations."""

from collections.abc import Callable
from typing import Any

import numpy as np

from strand.simulation import Simulation

#: The papers' measure of curvature, 2 tan(phi / 2), averaged over the two edges' frames.
PUBLISHED = {"curvature": "tangent", "average": "curvatures"}
#: The same measure with energies averaged instead: a round rod's bending does not see its twist.
ENERGIES = {"curvature": "tangent", "average": "energies"}
#: The papers' canopies and wings: hinges, and springs for a membrane.
PUBLISHED_SHELL = {"bending": "hinge", "membrane": "springs"}

Progress = Callable[[str], None] | None


def figure(
    name: str,
    value: float,
    unit: str,
    reference: float | None = None,
    source: str = "",
    tolerance: float | None = None,
) -> dict[str, Any]:
    """One figure; `tolerance` is in its unit. Without one, or without a reference, none judges."""
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
    """Runs for `duration` (s); the node's positions from the start on, (steps + 1, 3), m."""
    return trace(simulation, duration, node, watch)[0]


def trace(
    simulation: Simulation, duration: float, node: int, watch: Callable | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """As `follow`; and Newton's iterations in every step, (steps,)."""
    path, iterations = [simulation.positions[node]], []
    for _ in range(round(duration / simulation.dt)):
        iterations.append(simulation.step().iterations)
        path.append(simulation.positions[node])
        if watch is not None:
            watch(simulation)
    return np.array(path), np.array(iterations)


def histogram(iterations: np.ndarray) -> str:
    """How many steps took how many iterations: "3 x 17, 4 x 283"."""
    counts = zip(*np.unique(iterations, return_counts=True), strict=True)
    return ", ".join(f"{count} x {steps}" for count, steps in counts)


def quadratic(name: str, tight: np.ndarray, tighter: np.ndarray) -> dict[str, Any]:
    """What four more digits of the residual cost: one iteration per step, if so much.

    `tight`, `tighter`: iterations with either tolerance. Where convergence is linear, by half each
    time, it would be 13.
    """
    more = tighter.mean() - tight.mean()
    return figure(f"{name}: iterations for four digits", more, "1", 0.0, "quadratic", 1.0)


def sinusoid(values: np.ndarray, dt: float, period: float) -> tuple[float, float]:
    """Period (s) and amplitude of a sinusoid about zero, by least squares from a first guess."""
    from scipy.optimize import curve_fit

    def wave(time, amplitude, rate, phase):
        return amplitude * np.sin(rate * time + phase)

    guess = (np.abs(values).max(), 2 * np.pi / period, 0.0)
    (amplitude, rate, _), _ = curve_fit(wave, dt * np.arange(len(values)), values, guess)
    return 2 * np.pi / rate, abs(amplitude)


def frequencies(values: np.ndarray, dt: float, least: float = 0.2) -> np.ndarray:
    """Hz, ascending: the spectrum's peaks (Hann window) of at least that part of the highest."""
    from scipy.signal import find_peaks

    padded = 16 * len(values)
    moving = (values - values.mean()) * np.hanning(len(values))
    spectrum = np.abs(np.fft.rfft(moving, padded))
    peaks, _ = find_peaks(spectrum, height=least * spectrum.max())
    return peaks / (padded * dt)


def limit_of_halvings(coarse: float, middle: float, fine: float) -> float:
    """What values at sizes h, h/2 and h/4 tend to, whatever the order (Aitken's extrapolation)."""
    return fine - (fine - middle) ** 2 / (fine - 2 * middle + coarse)
