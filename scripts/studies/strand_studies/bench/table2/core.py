"""Strand's side of Table II: the implicit core, with each case's own method."""

import time
from typing import Any

import numpy as np

from strand.simulation import Network, Simulation
from strand_studies.bench.table2.cases import POISSON, Case
from strand_studies.bench.table2.figures import tip_figures


def make_simulation(case: Case) -> Simulation:
    """The case at its start.

    As in the original, the first edge is locked, the cantilevers move in a plane, and the helices
    use the original's curvature measure.
    """
    network = Network()
    rod = network.rod(
        case.nodes, young=case.young, radius=case.radius, density=case.density, poisson=POISSON
    )
    plane = case.velocities is not None or case.friction is not None
    options = {"plane": "xz"} if plane else {"curvature": "tangent", "average": "curvatures"}
    gravity = (0, 0, -case.gravity)
    simulation = Simulation(
        network, dt=case.timestep, method=case.method, gravity=gravity, **options
    )
    if case.clamped:
        simulation.fix_edge(rod.edges[0])
    if case.velocities is not None:
        simulation.set_velocities(case.velocities)
    if case.friction is not None:
        simulation.add_floor(
            friction=case.friction,
            law="regularised",
            rolling=False,
            slip_tolerance=case.slip_tolerance,
            tolerance=case.contact_tolerance,
        )
        simulation.solve()  # equilibrium of the rod on the floor
        share = case.push / len(rod.edges) / 2  # each node of an edge gets half of its share
        simulation.load_node(rod.nodes[1:-1], (2 * share, 0, 0))
        simulation.load_node([rod.nodes[0], rod.nodes[-1]], (share, 0, 0))
    return simulation


def measure_strand(case: Case) -> dict[str, Any]:
    """Two runs of Strand over the case's whole duration; only the stepping is timed.

    seconds, cpu_seconds: of `simulation.run(duration)`. callback_cpu_seconds: of the second run,
    which records the tip after every step, in Python, for tip_*, and at the end the kinetic_energy.
    newton_per_step, newton_us: Newton steps per time step, and the CPU time of one.
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
    figures = tip_figures(np.array(times), np.array(heights))
    figures["kinetic_energy"] = simulation.kinetic_energy
    return time.process_time() - start, figures
