"""The largest stable time step of a falling cantilever, and the motion error at that step."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from strand_studies.bench.native.carrier import Carrier
from strand_studies.bench.native.models import Rope

SEGMENTS, LENGTH = 50, 1.0  #: 1, m
YOUNGS = (5e6, 1e9)  #: Pa
RELAXATIONS = (0.01, 0.0)  #: s
STEPS = tuple(0.25e-3 * 2**k for k in range(8))  #: s, up to 32 ms
REFERENCE_STEP = 0.125e-3  #: s
COMMON_STEP = 1e-3  #: s, at which motion errors can be compared
DURATION, SAMPLE = 2.0, 0.032  #: s; the sample is a multiple of every step


class Curve(NamedTuple):
    """The motion error of one peer at each stable step, for the plot."""

    peer: str
    young: float
    relaxation: float
    steps: list[float]
    errors: list[float]


def run(carriers: Sequence[Carrier], say: Callable[[str], None]) -> tuple[list[dict], list[Curve]]:
    """One row per material, damping and peer: the largest stable step, with all smaller steps
    tried stable too, and the motion error at that step and at 1 ms.

    Stable: no MuJoCo warning, finite, and no link's length changed by half. The motion error is
    the rms distance of the tip's path from that of the same peer's model with 0.125 ms, over L.
    """
    rows, curves = [], []
    for young in YOUNGS:
        for relaxation in RELAXATIONS:
            for carrier in carriers:
                say(f"stability, {carrier.name}, {young:g} Pa, damping {relaxation:g} s")
                row, curve = _measure(carrier, young, relaxation)
                rows.append(row)
                curves.append(curve)
    return rows, curves


def _measure(carrier: Carrier, young: float, relaxation: float) -> tuple[dict, Curve]:
    falls = []
    for step in STEPS:
        found = _fall(carrier, young, relaxation, step)
        if not found["sound"]:
            break
        falls.append(found)
    steps = list(STEPS[: len(falls)])
    errors = _motion_errors(carrier, young, relaxation, falls) if falls else []
    row = {"case": "stability", "young": young, "relaxation": relaxation, "segments": SEGMENTS}
    row |= {
        "peer": carrier.name,
        "largest_step_ms": 1e3 * steps[-1] if steps else None,
        "motion_error": errors[-1] if errors else None,
        "error_at_1ms": dict(zip(steps, errors, strict=False)).get(COMMON_STEP),
        "stretch": falls[-1]["stretch"] if falls else None,
        "passed": None,
    }
    return row, Curve(carrier.name, young, relaxation, steps[: len(errors)], errors)


def _fall(carrier: Carrier, young: float, relaxation: float, step: float) -> dict:
    carrier.load(Rope(SEGMENTS, LENGTH / SEGMENTS, young, relaxation, step))
    return carrier.ask("fall", duration=DURATION, every=SAMPLE)


def _motion_errors(
    carrier: Carrier, young: float, relaxation: float, falls: list[dict]
) -> list[float]:
    """The motion error of each fall; empty if the peer is unstable at the reference step, too."""
    reference = _fall(carrier, young, relaxation, REFERENCE_STEP)
    if not reference["sound"]:
        return []
    path = np.array(reference["tips"])
    distances = [np.linalg.norm(np.array(found["tips"]) - path, axis=1) for found in falls]
    return [float(np.sqrt(np.mean(distance**2))) / LENGTH for distance in distances]
