"""Cost of a step and memory as functions of the number of nodes.

A straight rod with edges of one length, clamped horizontally at its start, begins to fall, always
for the same few steps. It bends near the clamped end only, so that every size takes the same number
of Newton steps. Every size runs in its own process, to measure its peak memory.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from strand.cable.shapes import straight
from strand.draw.report import Report
from strand.errors import StrandError
from strand.simulation import Network, Simulation
from strand_studies.bench.timing import power

SIZES = (50, 200, 1000, 5000, 20_000, 100_000)  #: nodes
EDGE_LENGTH, RADIUS, YOUNG, DENSITY = 5e-3, 2e-3, 1e8, 1000.0  #: m, m, Pa, kg/m^3
TIMESTEP = 1e-3  #: s
WARM_UP, STEPS = 3, 10  #: steps before timing, and timed steps, each time from the same state
WORK = 400_000  #: steps times nodes of one measurement, but at least STEPS steps
#: Number of nodes from which the slope is judged: with fewer, the fixed cost of a step shows.
JUDGED_FROM = 1000
#: A nonlinear cost would have a slope of 1.5 or 2; leaving the caches adds up to 0.15.
SLOPE_LIMIT = 1.2

Progress = Callable[[str], None]


def run(sizes: Sequence[int] = SIZES, repeats: int = 3, progress: Progress | None = None) -> Report:
    """One row per number of nodes; slope: d log step / d log nodes from the row before.

    Judged: the slope over all sizes of 1000 nodes and more, at most SLOPE_LIMIT.
    """
    for nodes in sizes:
        if not 4 <= nodes <= 1_000_000:
            raise StrandError(f"nodes: got {nodes}, allowed: 4 to 1000000")
    if not len(sizes) or repeats < 1:
        raise StrandError("nodes, repeats: got none, allowed: one or more")
    say = progress or (lambda doing: None)
    rows = []
    for nodes in sorted(set(sizes)):
        say(f"{nodes} nodes")
        found = min((_measure(nodes) for _ in range(repeats)), key=lambda row: row["step_us"])
        found["slope"] = power([*rows[-1:], found], "nodes", "step_us")
        rows.append(found | {"passed": None})
    judged = [row for row in rows if row["nodes"] >= JUDGED_FROM]
    slope = power(judged, "nodes", "step_us")
    if slope is not None:
        rows[-1]["passed"] = bool(slope <= SLOPE_LIMIT)
    told = "not known" if slope is None else f"{slope:.3f} (limit {SLOPE_LIMIT})"
    note = f"slope from {JUDGED_FROM} nodes on: {told}; times are the processor's"
    judged = f"the slope from {JUDGED_FROM} nodes on, in the last row, <= {SLOPE_LIMIT}"
    return Report(
        "scaling", "Cost of a step", rows, lambda figure: draw(figure, rows), note, judged=judged
    )


def _measure(nodes: int) -> dict[str, Any]:
    """Runs `measure` in its own process. Raises StrandError if that fails."""
    code = f"from strand_studies.bench import scaling; scaling.answer({nodes})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    if done.returncode:
        said = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise StrandError(f"nodes: got {nodes}, allowed: what fits into memory ({said[-1]})")
    return json.loads(done.stdout)


def answer(nodes: int) -> None:
    """Prints the result of `measure` as JSON."""
    print(json.dumps(measure(nodes)))


def make_simulation(nodes: int) -> Simulation:
    network = Network()
    shape = straight(EDGE_LENGTH * (nodes - 1), nodes - 1)
    rod = network.rod(shape, young=YOUNG, radius=RADIUS, density=DENSITY)
    simulation = Simulation(network, dt=TIMESTEP, method="midpoint", gravity=(0, 0, -9.81))
    simulation.fix_edge(rod.edges[0])
    return simulation


def measure(nodes: int) -> dict[str, Any]:
    """Cost and memory. memory_mb: peak of the process minus its peak before the rod was made."""
    make_simulation(10).run(TIMESTEP)  # loads what is needed once, which is not the rod's memory
    before = _peak_memory()
    simulation = make_simulation(nodes)
    simulation.run(WARM_UP * TIMESTEP)
    start = simulation.core.save()
    cpu, newton, rounds = 0.0, 0, max(1, WORK // (STEPS * nodes))
    for _ in range(rounds):
        simulation.core.load(start)
        simulation.run(TIMESTEP)  # sets up the matrix again
        begin = time.process_time()
        newton += simulation.run(STEPS * TIMESTEP).iterations
        cpu += time.process_time() - begin
    steps = rounds * STEPS
    return {
        "nodes": nodes,
        "steps": steps,
        "newton_per_step": newton / steps,
        "step_us": 1e6 * cpu / steps,
        "newton_us": 1e6 * cpu / newton,
        "ns_per_node": 1e9 * cpu / newton / nodes,
        "memory_mb": (_peak_memory() - before) / 1e6,
        "bytes_per_node": (_peak_memory() - before) / nodes,
    }


def _peak_memory() -> int:
    """Peak memory in bytes. Not ru_maxrss, which a process inherits from its parent."""
    with open("/proc/self/status") as status:
        line = next(line for line in status if line.startswith("VmHWM:"))
    return 1024 * int(line.split()[1])


def draw(figure: Any, rows: list[dict]) -> None:
    cost, memory = figure.subplots(1, 2)
    nodes = np.array([row["nodes"] for row in rows])
    times = np.array([row["step_us"] for row in rows])
    cost.loglog(nodes, times, "o-", label="Strand")
    cost.loglog(nodes, times[-1] * nodes / nodes[-1], "--", color="#888888", label="in proportion")
    cost.set(xlabel="nodes", ylabel="a step (µs)")
    cost.legend()
    memory.loglog(nodes, [max(row["memory_mb"], 1e-3) for row in rows], "o-")
    memory.set(xlabel="nodes", ylabel="memory (MB)")
