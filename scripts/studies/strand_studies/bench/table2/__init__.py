"""Strand beside PyElastica 1.0.0 in the five experiments of DisMech's Table II (cases.py).

A side is a function that measures one case once, in its own process or state. `measure` runs the
sides in turn, so that other load affects all of them alike. Strand's side is `measure_strand`,
PyElastica's is `measure_peer`; comparison.py puts them side by side.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from strand.errors import StrandError
from strand_studies.bench.arguments import check_repeats
from strand_studies.bench.peer_process import ask
from strand_studies.bench.table2.cases import CASES, Case
from strand_studies.bench.table2.core import measure_strand
from strand_studies.bench.table2.figures import TIP_FIGURES, tip_figures

__all__ = ["CASES", "Case", "Side", "measure", "measure_peer", "measure_strand", "tip_figures"]

BUDGET = 3.0  #: s, approximate run time of one measurement

#: One measurement of a case: at least "seconds", the run time of the case's whole duration.
Side = Callable[[Case], dict[str, Any]]

_SCRIPT = Path(__file__).with_name("peer.py")


def measure(case: Case, sides: Mapping[str, Side], repeats: int) -> list[dict[str, Any]]:
    """One row per side: its fastest run by "seconds", with the median of all runs.

    Runs the sides one after the other, `repeats` times.
    """
    check_repeats(repeats)
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
    """One run of PyElastica in its own process. Creates its environment on first use.

    After compilation, times steps for `budget` s (infinite: for the whole duration). If that is not
    the whole duration ("whole" is false), (cpu_)seconds are extrapolated, since the cost of a step
    is constant. If it is, the row also has kinetic_energy (J, at the end) and, for a clamped rod,
    tip_*. diverged_at: time (s) of the motion at which coordinates became non-finite, else None.
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
