"""What a time step costs, for a free rope in the air and for one that lies on a floor.

Each peer has its own MuJoCo: on the floor much of the difference to the cable is that of the
engines (run Strand with MuJoCo 3.17 to compare in one).
"""

import random
from collections.abc import Callable, Sequence

import numpy as np

from strand_studies.bench.native.carrier import Carrier
from strand_studies.bench.native.models import Rope
from strand_studies.bench.timing import median_interval

LINK_LENGTH = 0.02  #: m
YOUNG = 5e6  #: Pa
RELAXATION, TIMESTEP = 0.01, 0.002  #: s; every peer is stable with these
FORCE = (0.0, 0.05, 0.0)  #: N, sideways at the end: so that the rope is not straight
KICK = 0.05  #: s, that long
COAST = 0.5  #: s, until the rope on the floor lies still
BLOCK = 0.01  #: s, about what one measurement takes

SCENES = ("air", "floor")


def run(
    carriers: Sequence[Carrier],
    segments: Sequence[int],
    repeats: int,
    say: Callable[[str], None],
) -> list[dict]:
    """One row per scene, number of links and peer: a step's time and its ratio to Strand's."""
    rows = []
    for scene in SCENES:
        for n in segments:
            say(f"cost, {scene}, {n} segments")
            rows += _measure(carriers, scene, n, repeats)
    return rows


def _measure(carriers: Sequence[Carrier], scene: str, segments: int, repeats: int) -> list[dict]:
    contacts = [_prepare(carrier, scene, segments) for carrier in carriers]
    times = _interleave(carriers, repeats)
    names = [carrier.name for carrier in carriers]
    base = times[:, names.index("strand")] if "strand" in names else None
    rows = []
    for index, name in enumerate(names):
        row = {"case": "cost", "scene": scene, "segments": segments, "peer": name}
        row |= {"contacts": contacts[index], "step_us": 1e6 * float(np.median(times[:, index]))}
        row |= {"ratio": None, "low": None, "high": None, "passed": None}
        if base is not None:
            ratio = median_interval(times[:, index] / base)
            row |= {"ratio": ratio.value, "low": ratio.low, "high": ratio.high}
        rows.append(row)
    return rows


def _prepare(carrier: Carrier, scene: str, segments: int) -> int:
    """Brings the rope to where its steps are clocked: the number of contacts there."""
    on_floor = scene == "floor"
    rope = Rope(
        segments,
        LINK_LENGTH,
        YOUNG,
        RELAXATION,
        TIMESTEP,
        gravity=9.81 if on_floor else 0.0,
        held=False,
        floor=on_floor,
    )
    last = carrier.load(rope)
    coast = COAST if on_floor else 0.0
    return carrier.ask("kick", body=last, force=FORCE, duration=KICK, coast=coast)["contacts"]


def _interleave(carriers: Sequence[Carrier], repeats: int) -> np.ndarray:
    """Seconds of a step, shape (repeats, peers), each round in an order of its own.

    The peers of a round follow each other directly, so that what else the machine does meets all
    of them alike.
    """
    counts = []
    for carrier in carriers:
        once = carrier.ask("clock", steps=1)["seconds"]
        counts.append(int(np.clip(BLOCK / once, 1, 200)))
    order = random.Random(0)
    times = np.empty((repeats, len(carriers)))
    for turn in times:
        for index in order.sample(range(len(carriers)), len(carriers)):
            seconds = carriers[index].ask("clock", steps=counts[index])["seconds"]
            turn[index] = seconds / counts[index]
    return times
