"""Strand beside MuJoCo's own ropes: the cable of MuJoCo 3.17 and the 1D flex of MuJoCo 4.

Every peer runs in its own process, with its own version of MuJoCo (../environments.py), by the
recipe of its manual (models.py). Strand's process uses this Python.
"""

import contextlib
from collections.abc import Callable, Sequence

from strand.draw.report import Report
from strand_studies.bench.arguments import check_choices, check_repeats, check_sizes
from strand_studies.bench.native import accuracy, cost, stability
from strand_studies.bench.native.carrier import Carrier
from strand_studies.bench.native.models import ONE_TREE
from strand_studies.bench.native.plots import draw

PEERS = ("strand", "cable", "flex")
CASES = ("accuracy", "cost", "stability")

ACCURACY_SEGMENTS = (10, 20, 40)
COST_SEGMENTS = (25, 50, 100)

Progress = Callable[[str], None]


def run(
    segments: Sequence[int] | None = None,
    repeats: int = 31,
    cases: Sequence[str] = CASES,
    peers: Sequence[str] = PEERS,
    progress: Progress | None = None,
) -> Report:
    """Runs the cases for each peer.

    accuracy: sag of a cantilever under its own weight. cost: time of a step (medians of `repeats`
    rounds), without contact, on an arm and on a floor. stability: largest stable step of a falling
    cantilever, always of 50 links. Judged: that Strand's error of the sag falls with `segments`.
    Raises StrandError for numbers of segments outside 3 to 480, an unknown case or peer.
    """
    if segments is not None:
        check_sizes(segments)
    check_repeats(repeats)
    check_choices("cases", cases, CASES)
    check_choices("peers", peers, PEERS)
    say = progress or (lambda doing: None)
    rows, curves = [], []
    with contextlib.ExitStack() as stack:
        carriers = _start(stack, peers, "cost" in cases, say)
        compared = [carrier for carrier in carriers if carrier.name != ONE_TREE]
        if "accuracy" in cases:
            rows += accuracy.run(compared, sorted(segments or ACCURACY_SEGMENTS), say)
        if "cost" in cases:
            rows += cost.run(carriers, segments or COST_SEGMENTS, repeats, say)
        if "stability" in cases:
            found, curves = stability.run(compared, say)
            rows += found
    versions = [f"{carrier.name}: MuJoCo {carrier.version}" for carrier in compared]
    note = f"{', '.join(versions)}; errors and stretch are fractions"
    title = "Strand beside MuJoCo's own"
    judged = "that Strand's error of the sag falls as segments grow"
    return Report(
        "native", title, rows, lambda figure: draw(figure, rows, curves), note, judged=judged
    )


def _start(
    stack: contextlib.ExitStack, peers: Sequence[str], one_tree: bool, say: Progress
) -> list[Carrier]:
    names = [name for name in PEERS if name in peers]
    if one_tree and "strand" in names:
        names.insert(1, ONE_TREE)
    carriers = []
    for name in names:
        say(f"environment of {name} (made and kept the first time)")
        carriers.append(stack.enter_context(contextlib.closing(Carrier(name))))
    return carriers
