"""Sag of a heavy cantilever against the heavy elastica."""

from collections.abc import Callable, Sequence

import numpy as np

from strand_studies.beam import tip_deflection
from strand_studies.bench.native.carrier import Carrier
from strand_studies.bench.native.models import Rope

LENGTH = 1.0  #: m, beyond the clamp
YOUNG = 1e9  #: Pa
RELAXATION, TIMESTEP = 0.5, 0.005  #: s; overdamped
TIME_LIMIT = 200.0  #: s


def run(
    carriers: Sequence[Carrier], segments: Sequence[int], say: Callable[[str], None]
) -> list[dict]:
    """One row per peer and number of links: error of the tip's sag over the sag, and over L."""
    rows = []
    for carrier in carriers:
        errors: list[float] = []
        for n in segments:
            say(f"accuracy, {carrier.name}, {n} segments")
            sag, reference = _sag(carrier, n)
            errors.append(sag / reference - 1)
            rows.append(
                {
                    "case": "accuracy",
                    "peer": carrier.name,
                    "segments": n,
                    "sag": sag,
                    "reference": reference,
                    "sag_error": errors[-1],
                    "sag_error_L": (sag - reference) / LENGTH,
                    "passed": _falls(errors) if carrier.name == "strand" else None,
                }
            )
    return rows


def _sag(carrier: Carrier, segments: int) -> tuple[float, float]:
    """The tip's sag and its value by theory (m).

    All peers fix the whole first link, which clamps the rope at the link's middle. So links have
    the length L / (n - 1/2), for a free length L beyond the clamp.
    """
    rope = Rope(segments, LENGTH / (segments - 0.5), YOUNG, RELAXATION, TIMESTEP)
    carrier.load(rope)
    nodes = np.array(carrier.ask("settle", time_limit=TIME_LIMIT)["nodes"])
    weight = rope.mass_per_length * rope.gravity * LENGTH**3 / rope.EI
    return float(nodes[0, 2] - nodes[-1, 2]), LENGTH * tip_deflection(weight=weight)[0]


def _falls(errors: list[float]) -> bool | None:
    """Whether the last error is the smallest so far; None for the first one."""
    if len(errors) < 2:
        return None
    return bool(abs(errors[-1]) < min(abs(error) for error in errors[:-1]))
