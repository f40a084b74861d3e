"""Many independent rods: speed-up of a pool of threads over one thread.

`Simulation.run` releases Python's global lock while it steps, so that plain threads are enough.
"""

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from strand.cable.shapes import straight
from strand.draw.report import Report
from strand.errors import StrandError
from strand.simulation import Network, Simulation

LENGTH, RADIUS, DENSITY = 1.0, 5e-3, 1000.0  #: m, m, kg/m^3
YOUNGS = (1e6, 1e8)  #: Pa, of the first and the last rod
TIMESTEP, STEPS = 2e-3, 100  #: s, 1

Progress = Callable[[str], None]


def run(
    rods: int = 32,
    nodes: int = 101,
    threads: int | None = None,
    repeats: int = 3,
    progress: Progress | None = None,
) -> Report:
    """Rods with different Young's moduli, clamped at one end, fall for 100 steps: serial, pooled.

    threads: all cores by default. Judged: that both ways give bitwise equal results.
    """
    threads = threads or len(os.sched_getaffinity(0))
    given = {"rods": rods, "nodes": nodes, "threads": threads, "repeats": repeats}
    for (name, value), least in zip(given.items(), (1, 4, 1, 1), strict=True):
        if value < least:
            raise StrandError(f"{name}: got {value}, allowed: at least {least}")
    say = progress or (lambda doing: None)
    times: dict[int, list[float]] = {count: [] for count in dict.fromkeys((1, threads))}
    ends: dict[int, np.ndarray] = {}
    for turn in range(repeats):
        for count, found in times.items():
            say(f"round {turn + 1}, {count} threads")
            seconds, ends[count] = _measure(rods, nodes, count)
            found.append(seconds)
    rows = [_row(count, found, times[1], rods, nodes) for count, found in times.items()]
    rows[-1]["passed"] = bool(np.array_equal(ends[1], ends[threads]))
    judged = "that one thread and all end bitwise alike"
    return Report(
        "batch", "Many rods", rows, lambda figure: draw(figure, rows), "medians", judged=judged
    )


def _measure(rods: int, nodes: int, threads: int) -> tuple[float, np.ndarray]:
    """Wall-clock seconds of all steps of all rods, and their nodes at the end."""
    simulations = [make_simulation(young, nodes) for young in np.geomspace(*YOUNGS, rods)]
    with ThreadPoolExecutor(threads) as pool:
        start = time.perf_counter()
        list(pool.map(lambda simulation: simulation.run(STEPS * TIMESTEP), simulations))
        seconds = time.perf_counter() - start
    return seconds, np.array([simulation.positions for simulation in simulations])


def make_simulation(young: float, nodes: int) -> Simulation:
    network = Network()
    shape = straight(LENGTH, nodes - 1)
    rod = network.rod(shape, young=young, radius=RADIUS, density=DENSITY)
    simulation = Simulation(network, dt=TIMESTEP, method="midpoint", gravity=(0, 0, -9.81))
    simulation.fix_edge(rod.edges[0])
    return simulation


def _row(
    threads: int, times: list[float], serial: list[float], rods: int, nodes: int
) -> dict[str, Any]:
    """One row. The speed-up is the median over rounds, since load affects both ways of a round."""
    seconds = float(np.median(times))
    speedup = float(np.median(np.array(serial) / np.array(times)))
    return {
        "threads": threads,
        "rods": rods,
        "nodes": nodes,
        "seconds": seconds,
        "rod_steps_per_second": rods * STEPS / seconds,
        "speedup": speedup,
        "efficiency": speedup / threads,
        "passed": None,
    }


def draw(figure: Any, rows: list[dict]) -> None:
    axes = figure.subplots()
    names = [f"{row['threads']} thread{'s' * (row['threads'] > 1)}" for row in rows]
    bars = axes.bar(names, [row["rod_steps_per_second"] for row in rows], width=0.5)
    axes.bar_label(bars, [f"{row['speedup']:.2f}x" for row in rows])
    axes.set(ylabel="steps of a rod per second")
