"""Strand's side of Table II: the implicit core, with the implicit midpoint rule."""

import time
from typing import Any

import numpy as np

from strand.bench.table2.cases import POISSON, Case
from strand.bench.table2.figures import tip_figures
from strand.errors import StrandError
from strand.simulation import Network, Simulation


def make_simulation(case: Case) -> Simulation:
    """The case at its start.

    As the original has it: the first edge is held, the cantilevers move in a plane, and the helices
    have the original's measure of curvature.
    """
    if case.friction is not None:
        raise StrandError(
            f"case: got {case.name!r}, allowed: cases without a floor, as Strand's side of "
            "one is not there yet"
        )
    network = Network()
    rod = network.rod(
        case.nodes, young=case.young, radius=case.radius, density=case.density, poisson=POISSON
    )
    swings = case.velocities is not None
    options = {"plane": "xz"} if swings else {"curvature": "tangent", "average": "curvatures"}
    gravity = (0, 0, -case.gravity)
    simulation = Simulation(
        network, dt=case.timestep, method="midpoint", gravity=gravity, **options
    )
    simulation.fix_edge(rod.edges[0])
    if swings:
        simulation.set_velocities(case.velocities)
    return simulation


def measure_strand(case: Case) -> dict[str, Any]:
    """Two runs of Strand over the case's whole duration, of which the stepping alone is clocked.

    seconds, cpu_seconds: of `simulation.run(duration)`. callback_cpu_seconds: of the second run,
    which looks at the tip after every step, in Python, for tip_*. newton_per_step, newton_us: how
    many Newton steps a step takes, and what one costs (cpu).
    """
    simulation = make_simulation(case)
    start, cpu_start = time.perf_counter(), time.process_time()
    report = simulation.run(case.duration)
    cpu = time.process_time() - cpu_start
    seconds = time.perf_counter() - start
    steps = round(case.duration / case.timestep)
    callback_cpu, figures = _look_at_tip(make_simulation(case), case.duration)
    return {
        "timestep": case.timestep,
        "steps": steps,
        "whole": True,
        "seconds": seconds,
        "cpu_seconds": cpu,
        "step_us": 1e6 * cpu / steps,
        "newton_per_step": report.iterations / steps,
        "newton_us": 1e6 * cpu / report.iterations,
        "halved_steps": report.rejections,
        "callback_cpu_seconds": callback_cpu,
        **figures,
    }


def _look_at_tip(simulation: Simulation, duration: float) -> tuple[float, dict]:
    times, heights = [simulation.time], [simulation.positions[-1, 2]]

    def look(simulation: Simulation) -> None:
        times.append(simulation.time)
        heights.append(simulation.positions[-1, 2])

    start = time.process_time()
    simulation.run(duration, look)
    return time.process_time() - start, tip_figures(np.array(times), np.array(heights))
