"""Many worlds at once: cables on MuJoCo Warp beside MuJoCo in C and beside MuJoCo's flex in Warp.

A rope that is held at one end falls from the horizontal. It has a step of 2 ms and no contacts.
"""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from strand.draw.report import Report
from strand.errors import StrandError
from strand_studies.bench import warp_sides
from strand_studies.bench.arguments import check_choices, check_repeats, check_sizes
from strand_studies.bench.timing import median_interval

PEERS = ("strand", "flex", "c")
CPU_WORLDS, CPU_LINKS = (1, 16, 64), (20, 40)
GPU_WORLDS, GPU_LINKS = tuple(2**k for k in range(14)), (20, 40, 80)
CHECKED = 50  #: steps after which the motion is compared with C
FARTHEST = 1e-3  #: of the length: how far nodes may be from those in C after them
BLOCK = 0.3  #: s, approximate duration of one measurement

Progress = Callable[[str], None]


class Case(NamedTuple):
    """What is measured: links of the rope, worlds, and who simulates them."""

    links: int
    worlds: int
    peer: str


def run(
    worlds: Sequence[int] | None = None,
    links: Sequence[int] | None = None,
    peers: Sequence[str] = PEERS,
    repeats: int = 5,
    progress: Progress | None = None,
) -> Report:
    """World-steps per second, and memory per world, of every peer.

    worlds, links: default: 1, 16, 64 and 20, 40 on a processor; 1 to 8192 and 20, 40, 80 on a GPU.
    peers: strand: cables of strand.cable with strand.warp; flex: the same cable on MuJoCo's 1D
        flex, in Warp; c: strand.cable with MuJoCo in C, on all cores.

    On a GPU a step is captured as a CUDA graph. Raises StrandError if an argument is invalid, or if
    Warp or MuJoCo Warp are not installed.
    """
    device = warp_sides.device()
    worlds = worlds or (GPU_WORLDS if device.is_cuda else CPU_WORLDS)
    links = links or (GPU_LINKS if device.is_cuda else CPU_LINKS)
    check_sizes(links)
    check_repeats(repeats)
    check_choices("peers", peers, PEERS)
    for count in worlds:
        if count < 1:
            raise StrandError(f"worlds: got {count}, allowed: 1 or more")
    rows: list[dict[str, Any]] = []
    refused: list[str] = []
    for case in _cases(worlds, links, peers):
        if progress:
            progress(f"{case.links} links, {case.worlds} worlds, {case.peer}")
        try:
            rows.append(_row(case, repeats))
        except StrandError as error:
            refused.append(f"Not run: {case.peer} with {case.links} links: {error}.")
    _add_ratios(rows)
    return Report(
        "warp",
        f"Many worlds on MuJoCo Warp, on {warp_sides.words(device)}",
        rows,
        lambda figure: _draw(figure, rows),
        "\n".join([_note(device), *dict.fromkeys(refused)]),
        judged=f"off <= {FARTHEST:g}",
        reported={},
    )


def _note(device: Any) -> str:
    kind = (
        "a step is captured as a CUDA graph"
        if device.is_cuda
        else "this is Warp's CPU device, which is far slower than a GPU"
    )
    return (
        f"rate: steps of worlds per second, {kind}; c: MuJoCo in C on {_cores()} cores; times_c:"
        " rate over that of c with as many links; mujoco_kB, strand_kB: memory per world of"
        f" mujoco_warp.Data and of Strand; off: farthest node from C after {CHECKED} steps, over"
        " the length."
    )


def _cores() -> int:
    return len(os.sched_getaffinity(0))


def _cases(worlds: Sequence[int], links: Sequence[int], peers: Sequence[str]) -> Iterator[Case]:
    """In C the rate hardly depends on the number of worlds: there is one case per length."""
    for n in links:
        if "c" in peers:
            yield Case(n, 4 * _cores(), "c")
        for peer in (peer for peer in PEERS if peer in peers and peer != "c"):
            for count in worlds:
                yield Case(n, count, peer)


def _row(case: Case, repeats: int) -> dict[str, Any]:
    side = warp_sides.make(case.peer, case.links, case.worlds, _cores())
    side.step(CHECKED)
    off = side.distance(CHECKED)
    start = time.perf_counter()
    side.step(1)
    count = int(np.clip(BLOCK / (time.perf_counter() - start), 1, 500))
    seconds = np.empty(repeats)
    for turn in range(repeats):
        start = time.perf_counter()
        side.step(count)
        seconds[turn] = time.perf_counter() - start
    rate = median_interval(case.worlds * count / seconds)
    return {
        "links": case.links,
        "worlds": case.worlds,
        "peer": case.peer,
        "rate": rate.value,
        "low": rate.low,
        "high": rate.high,
        "times_c": None,
        "mujoco_kB": _thousands(side.memory[0]),
        "strand_kB": _thousands(side.memory[1]),
        "off": off,
        "passed": bool(off <= FARTHEST),
    }


def _thousands(number: float | None) -> float | None:
    return None if number is None else number / 1000


def _add_ratios(rows: list[dict[str, Any]]) -> None:
    in_c = {row["links"]: row["rate"] for row in rows if row["peer"] == "c"}
    for row in rows:
        if row["links"] in in_c:
            row["times_c"] = row["rate"] / in_c[row["links"]]


def _draw(figure: Any, rows: list[dict[str, Any]]) -> None:
    axes = figure.subplots()
    for peer in PEERS:
        for n in dict.fromkeys(row["links"] for row in rows):
            found = [row for row in rows if (row["peer"], row["links"]) == (peer, n)]
            if peer == "c" and found:
                axes.axhline(found[0]["rate"], lw=1, color="black", label=f"c, {n} links")
            elif found:
                counts = [row["worlds"] for row in found]
                rates = [row["rate"] for row in found]
                axes.loglog(counts, rates, "o-", label=f"{peer}, {n} links")
    axes.set(xlabel="worlds", ylabel="steps of worlds per second")
    axes.legend()
