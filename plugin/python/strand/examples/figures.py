"""What examples share: figures beside a reference, and the motion of a node."""

from collections.abc import Callable
from typing import Any

import numpy as np

from strand.simulation import Simulation

#: The papers' measure of curvature, 2 tan(phi / 2), averaged over the two edges' frames.
PUBLISHED = {"curvature": "tangent", "average": "curvatures"}
#: The same measure with energies averaged instead: a round rod's bending does not see its twist.
ENERGIES = {"curvature": "tangent", "average": "energies"}

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
    path = [simulation.positions[node]]

    def each(simulation: Simulation) -> None:
        path.append(simulation.positions[node])
        if watch is not None:
            watch(simulation)

    simulation.run(duration, each)
    return np.array(path)


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
