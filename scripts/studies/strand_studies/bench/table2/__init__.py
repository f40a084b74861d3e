"""Strand beside PyElastica 1.0.0 in the five experiments of DisMech's Table II (cases.py).

A side is a function that measures one case once, in a process or a state of its own; `measure` runs
the sides by turns, so that what else the machine does meets all of them alike. Strand's is
`measure_strand`, PyElastica's `measure_peer`; comparison.py puts them side by side.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from strand.errors import StrandError
from strand_studies.bench.peer_process import ask
from strand_studies.bench.table2.cases import CASES, Case
from strand_studies.bench.table2.core import measure_strand
from strand_studies.bench.table2.figures import TIP_FIGURES, tip_figures

__all__ = ["CASES", "Case", "Side", "measure", "measure_peer", "measure_strand", "tip_figures"]

BUDGET = 3.0  #: s of run time that one measurement takes, about

#: One measurement of a case: at least "seconds", those of the case's whole duration.
Side = Callable[[Case], dict[str, Any]]

_SCRIPT = Path(__file__).with_name("peer.py")


def measure(case: Case, sides: Mapping[str, Side], repeats: int) -> list[dict[str, Any]]:
    """One row per side: its run of the least "seconds", with the median of them all.

    Runs the sides one after the other, `repeats` times over.
    """
    if repeats < 1:
        raise StrandError(f"repeats: got {repeats}, allowed: at least 1")
    runs: dict[str, list[dict]] = {name: [] for name in sides}
    for _ in range(repeats):
        for name, side in sides.items():
            runs[name].append(side(case))
    rows = []
    for name, found in runs.items():
        best = min(found, key=lambda run: run["seconds"])
        median = float(np.median([run["seconds"] for run in found]))
        row = {"case": case.name, "peer": name, **best}
        rows.append(row | {"median_seconds": median, "repeats": repeats})
    return rows


def measure_peer(case: Case, budget: float = BUDGET) -> dict[str, Any]:
    """One run of PyElastica, in a process of its own; makes its environment the first time.

    Clocks steps after all is compiled, for `budget` s (infinite: for the whole duration), and
    extrapolates (cpu_)seconds where "whole" is false: the cost of a step does not change.
    Where it is true, there are kinetic_energy (J, at the end) and, of a clamped rod, tip_* too.
    diverged_at: s of motion until coordinates were no numbers any more, None if they remained.
    """
    if not budget > 0:
        raise StrandError(f"budget: got {budget}, allowed: more than 0 s")
    steps = round(case.duration / case.peer_timestep)
    answer = ask("pyelastica", _SCRIPT, _request(case, steps, budget))
    taken = answer["steps"]
    whole = taken == steps and answer["diverged_at"] is None
    per_step = answer["seconds"] / taken
    found = {"version": answer["versions"]["pyelastica"], "timestep": case.peer_timestep}
    found |= {"steps": steps, "steps_measured": taken, "whole": whole}
    found |= {"step_us": 1e6 * per_step, "seconds": per_step * steps}
    found |= {"cpu_seconds": answer["cpu_seconds"] / taken * steps}
    found["diverged_at"] = answer["diverged_at"]
    found["kinetic_energy"] = answer["kinetic_energy"] if whole else None
    if whole and case.clamped:
        return found | tip_figures(np.array(answer["times"]), np.array(answer["tip_z"]))
    return found | dict.fromkeys(TIP_FIGURES)


def _request(case: Case, steps: int, budget: float) -> dict[str, Any]:
    names = ("radius", "young", "shear_modulus", "density", "gravity", "clamped", "friction")
    request = {name: getattr(case, name) for name in (*names, "push")}
    velocities = None if case.velocities is None else case.velocities.tolist()
    request |= {"nodes": case.nodes.tolist(), "velocities": velocities}
    return request | {"timestep": case.peer_timestep, "steps": steps, "budget": budget}
