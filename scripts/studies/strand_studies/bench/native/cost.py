"""Cost of a time step, for a rope in the air, held by an arm of six hinges, and on a floor.

Each peer has its own MuJoCo: on the floor much of the difference to the cable is due to the engines
(run Strand with MuJoCo 3.17 to compare both in one engine).
"""

from collections.abc import Callable, Sequence

import numpy as np

from strand_studies.bench.native.carrier import Carrier
from strand_studies.bench.native.models import ONE_TREE, Rope
from strand_studies.bench.timing import median_interval, time_rounds

LINK_LENGTH = 0.02  #: m
YOUNG = 5e6  #: Pa
RELAXATION, TIMESTEP = 0.01, 0.002  #: s; every peer is stable with these
FORCE = (0.0, 0.05, 0.0)  #: N, sideways at the end, so that the rope is not straight
KICK = 0.05  #: s, duration of the force
COAST = 0.5  #: s, until the rope on the floor is at rest
LONGEST_TREE = 200  #: links of ropes in one tree, whose cost grows with their cube
BLOCK = 0.01  #: s, approximate duration of one measurement

SCENES = ("air", "arm", "floor")


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
    if segments > LONGEST_TREE:
        carriers = [carrier for carrier in carriers if carrier.name not in (ONE_TREE, "cable")]
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
    """Brings the rope to the state in which steps are timed. Returns its number of contacts."""
    on_floor = scene == "floor"
    rope = Rope(
        segments,
        LINK_LENGTH,
        YOUNG,
        RELAXATION,
        TIMESTEP,
        gravity=9.81 if on_floor else 0.0,
        held=scene == "arm",
        floor=on_floor,
        arm=scene == "arm",
    )
    last = carrier.load(rope)
    coast = COAST if on_floor else 0.0
    return carrier.ask("kick", body=last, force=FORCE, duration=KICK, coast=coast)["contacts"]


def _interleave(carriers: Sequence[Carrier], repeats: int) -> np.ndarray:
    """Seconds of a step, shape (repeats, peers)."""
    counts = []
    for carrier in carriers:
        once = carrier.ask("clock", steps=1)["seconds"]
        counts.append(int(np.clip(BLOCK / once, 1, 200)))

    def clock(peer: int) -> float:
        return carriers[peer].ask("clock", steps=counts[peer])["seconds"] / counts[peer]

    return time_rounds(clock, len(carriers), repeats)
