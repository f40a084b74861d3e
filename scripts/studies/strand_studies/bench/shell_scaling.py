"""Cost of a Newton iteration as a function of the number of a shell's triangles.

A square sheet of equilateral triangles, fixed along one side, begins to fall. The sparse
factorisation of a sheet takes N^1.5 multiplications in the best ordering; all else is linear in N.
"""

import time
from collections.abc import Callable, Sequence

import numpy as np

from strand import meshes
from strand.draw.report import Report
from strand.errors import StrandError
from strand.simulation import Network, Simulation
from strand_studies.bench.timing import power

SIZES = (500, 2000, 8000, 20_000, 50_000)  #: triangles
SIDE, THICKNESS, YOUNG, DENSITY = 0.1, 1e-3, 2e9, 1200.0  #: m, m, Pa, kg/m^3
TIMESTEP, STEPS = 1e-3, 2  #: s; steps that are timed, after a first one
#: Over all sizes. Out of cache the factorisation's slope is slightly above its 1.5.
SLOPE_LIMIT = 1.6

Progress = Callable[[str], None]


def run(sizes: Sequence[int] = SIZES, progress: Progress | None = None) -> Report:
    """One row per size; slope: d log iteration / d log triangles from the row before."""
    for triangles in sizes:
        if not 50 <= triangles <= 200_000:
            raise StrandError(f"triangles: got {triangles}, allowed: 50 to 200000")
    if len(set(sizes)) < 2:
        raise StrandError(f"triangles: got {len(set(sizes))} sizes, allowed: two or more")
    say = progress or (lambda doing: None)
    rows = []
    for triangles in sorted(set(sizes)):
        say(f"{triangles} triangles")
        found = measure(triangles)
        found["slope"] = power([*rows[-1:], found], "triangles", "iteration_ms") if rows else None
        rows.append(found | {"passed": None})
    overall = power(rows, "triangles", "iteration_ms")
    rows[-1]["passed"] = bool(overall <= SLOPE_LIMIT)
    note = f"slope over all sizes: {overall:.3f} (limit {SLOPE_LIMIT}); times are the processor's"
    judged = f"the slope over all sizes, in the last row, <= {SLOPE_LIMIT}"
    title = "Cost of a Newton iteration of a shell"
    return Report("shell_scaling", title, rows, note=note, judged=judged)


def make_simulation(triangles: int) -> Simulation:
    size = np.sqrt(SIDE**2 / triangles * 4 / np.sqrt(3))
    vertices, corners = meshes.strip(SIDE, SIDE, size)
    network = Network()
    network.shell(
        vertices,
        corners,
        young=YOUNG,
        thickness=THICKNESS,
        density=DENSITY,
        bending="hinge",
        membrane="springs",
    )
    simulation = Simulation(network, dt=TIMESTEP, method="backward_euler", gravity=(0, 0, -9.81))
    simulation.fix_node(np.flatnonzero(vertices[:, 0] < 1e-9))
    return simulation


def measure(triangles: int) -> dict:
    simulation = make_simulation(triangles)
    simulation.step()  # determines the elimination order
    cpu, wall = time.process_time(), time.perf_counter()
    iterations = sum(simulation.step().iterations for _ in range(STEPS))
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return {
        "triangles": len(simulation.network.triangles),
        "unknowns": simulation.core.unknowns,
        "iterations": iterations,
        "iteration_ms": 1e3 * cpu / iterations,
        "wall_ms": 1e3 * wall / iterations,
    }
