"""All sides of Table II in one run: run times, their ratios to Strand's, and accuracies.

Ratios are of CPU times, which other load changes least; every side runs on one core. DisMech's time
is the figure quoted in cases.py. Judged: that Strand is faster by the factors in BARS, and that its
tip moves correctly (`_is_accurate`).

A cantilever's period has two errors that nearly cancel in Strand and DisMech: the midpoint rule
makes it longer by (omega dt)^2 / 12, 0.51 %, and a locked first edge, which shortens the beam,
makes it shorter by 0.50 %. PyElastica, whose steps are short, has about the second only (-0.40 %).
"""

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from strand.draw.plotting import COLORS
from strand.draw.report import Report
from strand_studies.bench import table2
from strand_studies.bench.arguments import check_choices
from strand_studies.bench.table2.cases import CASES, Case
from strand_studies.bench.table2.figures import exact_kinetic_energy, exact_period

PEERS = ("strand", "pyelastica", "dismech")
#: Least ratio of each peer's time to Strand's, and the cases in which it is judged.
BARS = {"dismech": 15.0, "pyelastica": 380.0}
JUDGED = {"dismech": ("a1", "a2", "b1", "b2", "c"), "pyelastica": ("a1", "a2", "b2")}
#: Tolerances of a cantilever's period, by theory, and of the path of a helix's tip, by PyElastica.
PERIOD_TOLERANCE, WAY_TOLERANCE = 0.01, 0.1
KINETIC_TOLERANCE = 2e-3  #: of the kinetic energy of the rod on the floor, by theory

_COLUMNS = ("case", "peer", "timestep", "seconds", "cpu_seconds", "ratio", "bar", "step_us")
_COLUMNS += ("newton_per_step", "newton_us", "callback_cost", "period_error", "kinetic_error")
_COLUMNS += ("tip_low", "tip_high", "passed")

Progress = Callable[[str], None]


def run(
    cases: Sequence[str] = tuple(CASES),
    repeats: int = 3,
    peers: Sequence[str] = PEERS,
    whole: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Runs the cases. whole: run PyElastica to the end (minutes), which gives its accuracy, too.

    Raises StrandError for an unknown case or peer.
    """
    check_choices("case", cases, tuple(CASES))
    check_choices("peers", peers, PEERS)
    say = progress or (lambda doing: None)
    rows = []
    for name in cases:
        case = CASES[name]
        say(f"case {name}")
        rows += _compare(case, _sides(case, peers, whole), repeats, "dismech" in peers)
    note = (
        "ratio: cpu_seconds to Strand's; dismech: seconds that the original took on a machine like"
        " this; period_error: to Euler-Bernoulli's beam; kinetic_error: to a block on the floor"
    )
    judged = (
        f"ratio >= bar; of Strand |period_error| <= {PERIOD_TOLERANCE:g}, |kinetic_error| <= "
        f"{KINETIC_TOLERANCE:g}, a helix's way to {WAY_TOLERANCE:g} of PyElastica's"
    )
    title = "DisMech's Table II"
    return Report("table2", title, rows, lambda figure: draw(figure, rows), note, judged=judged)


def _sides(case: Case, peers: Sequence[str], whole: bool) -> dict[str, table2.Side]:
    sides: dict[str, table2.Side] = {}
    if "strand" in peers:
        sides["strand"] = table2.measure_strand
    if "pyelastica" in peers:
        budget = math.inf if whole else table2.BUDGET
        sides["pyelastica"] = functools.partial(table2.measure_peer, budget=budget)
    return sides


def _compare(
    case: Case, sides: dict[str, table2.Side], repeats: int, quote: bool
) -> list[dict[str, Any]]:
    found = {row["peer"]: row for row in table2.measure(case, sides, repeats)}
    if quote:
        seconds = case.dismech_seconds
        quoted = {"case": case.name, "peer": "dismech", "timestep": case.timestep}
        found["dismech"] = quoted | {"seconds": seconds, "cpu_seconds": seconds}
    ours = found.get("strand")
    return [_row(case, row, ours, found.get("pyelastica")) for row in found.values()]


def _row(case: Case, found: dict, ours: dict | None, peer: dict | None) -> dict[str, Any]:
    row = dict.fromkeys(_COLUMNS) | {name: found[name] for name in _COLUMNS if name in found}
    row["period_error"] = _error(found.get("tip_period"), exact_period(case))
    row["kinetic_error"] = _error(found.get("kinetic_energy"), exact_kinetic_energy(case))
    if found["peer"] == "strand":
        row["callback_cost"] = found["callback_cpu_seconds"] / found["cpu_seconds"] - 1
        row["passed"] = _is_accurate(case, found, peer)
    elif ours is not None:
        row["ratio"] = found["cpu_seconds"] / ours["cpu_seconds"]
        if case.name in JUDGED[found["peer"]]:
            row["bar"] = BARS[found["peer"]]
            row["passed"] = bool(row["ratio"] >= row["bar"])
    return row


def _error(found: float | None, exact: float | None) -> float | None:
    return None if exact is None or found is None else found / exact - 1


def _is_accurate(case: Case, ours: dict, peer: dict | None) -> bool | None:
    """Whether the tip moves correctly, and that of a cantilever at least as well as PyElastica's.

    None without a reference: for a helix if PyElastica did not run to the end.
    """
    if case.friction is not None:
        error = _error(ours["kinetic_energy"], exact_kinetic_energy(case))
        return bool(abs(error) <= KINETIC_TOLERANCE)
    exact = exact_period(case)
    error = _error(ours.get("tip_period"), exact)
    theirs = None if peer is None else _error(peer.get("tip_period"), exact)
    if error is not None:
        return bool(abs(error) <= min(PERIOD_TOLERANCE, abs(theirs or np.inf)))
    if peer is None or peer["tip_low"] is None:
        return None
    misses = [abs(ours[name] - peer[name]) for name in ("tip_low", "tip_high")]
    return bool(max(misses) <= WAY_TOLERANCE * (peer["tip_high"] - peer["tip_low"]))


def draw(figure: Any, rows: list[dict]) -> None:
    """Draws the run times of the cases, one bar per side, each with its ratio to Strand's."""
    names = list(dict.fromkeys(row["case"] for row in rows))
    axes = figure.subplots()
    for k, peer in enumerate(PEERS):
        mine = [row for row in rows if row["peer"] == peer]
        places = np.array([names.index(row["case"]) for row in mine]) + 0.27 * (k - 1)
        heights = [row["cpu_seconds"] for row in mine]
        label = "dismech (quoted)" if peer == "dismech" else peer
        axes.bar(places, heights, width=0.25, color=COLORS[k], label=label)
        for place, row in zip(places, mine, strict=True):
            ratio = row["ratio"]
            text = f"{row['cpu_seconds']:.2g} s" if ratio is None else f"{ratio:.3g}x"
            axes.text(place, row["cpu_seconds"], text, ha="center", va="bottom", fontsize=8)
    axes.set_xticks(range(len(names)), names)
    axes.set(yscale="log", xlabel="case", ylabel="run time of the motion (s)")
    low, high = axes.get_ylim()
    axes.set_ylim(low, 5 * high)
    axes.legend(loc="upper left", ncols=3)
