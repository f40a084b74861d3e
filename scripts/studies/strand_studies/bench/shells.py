"""Shells and networks of rods and shells beside dismech-python, at its steps and tighter tolerance.

Its seconds (CPU) were measured on a machine like this one, with its authors' stop rule (1e-4 N,
1e-2 m/s). Strand's steps end when a further iteration would change the step by 1e-7 of itself. Both
sides use backward Euler.
"""

import time
from collections.abc import Callable, Sequence

import numpy as np

from strand import meshes
from strand.cable.shapes import straight
from strand.draw.report import Report
from strand.errors import StrandError
from strand.simulation import Network, Simulation
from strand_studies.published import manta, parachute
from strand_studies.published.figures import histogram

YOUNG, DENSITY, THICKNESS, POISSON = 200e6, 1200.0, 1e-3, 0.5  #: of the sheets: Pa, kg/m^3, m, 1
LENGTH, WIDTH, CLAMPED = 0.1, 0.02165, 0.01  #: m
GRAVITY = 9.81  #: m/s^2
LEAST_RATIO = 25

Progress = Callable[[str], None]


def sheet(bending: str) -> Simulation:
    """A falling cantilever sheet with 40 edges along its length: 446 nodes, 800 triangles."""
    network = Network()
    vertices, triangles = meshes.strip(LENGTH, WIDTH, LENGTH / 40, rows=(CLAMPED,))
    shell = network.shell(
        vertices,
        triangles,
        young=YOUNG,
        thickness=THICKNESS,
        density=DENSITY,
        poisson=POISSON,
        bending=bending,
        membrane="springs",
    )
    simulation = _simulation(network)
    held = np.flatnonzero(vertices[:, 0] <= CLAMPED + 1e-9)
    simulation.fix_node(held)
    if bending == "mid_edge":
        inside = np.isin(shell.edge_nodes, held).all(axis=1)
        simulation.fix_rotation(np.array(shell.edges)[inside].tolist())
    return simulation


def rod() -> Simulation:
    """A falling cantilever rod with a strip's section, 51 nodes, 2 MPa."""
    network = Network()
    b, h = 0.02, 1e-3
    beam = network.rod(
        straight(LENGTH, 50),
        young=2e6,
        radius=h,
        density=DENSITY,
        poisson=POISSON,
        area=b * h,
        second_moments=(b * h**3 / 12, h * b**3 / 12),
        torsion_constant=b * h**3 / 6,
        normal=(0, 0, 1),
    )
    simulation = _simulation(network)
    simulation.fix_edge(beam.edges[:5])
    return simulation


def _simulation(network: Network) -> Simulation:
    return Simulation(network, dt=1e-2, method="backward_euler", gravity=(0, 0, -GRAVITY))


#: By case: description, function that makes it, number of steps, dismech-python's seconds.
CASES: dict[str, tuple[str, Callable[[], Simulation], int, float]] = {
    "hinge": ("sheet, hinges", lambda: sheet("hinge"), 100, 36.0),
    "mid_edge": ("sheet, mid-edge normals", lambda: sheet("mid_edge"), 100, 69.0),
    "parachute": ("parachute", lambda: parachute.build(compat=False)[0], 300, 27.7),
    "manta": ("manta ray", lambda: manta.build(compat=False)[0], 5000, 204.0),
    "rod": ("rod of 51 nodes", rod, 100, 0.69),
}


def run(cases: Sequence[str], repeats: int = 3, progress: Progress | None = None) -> Report:
    """One row per case. iterations: Newton iterations and the number of steps that took as many.

    Judged: that each case is LEAST_RATIO times as fast as in dismech-python.
    """
    if unknown := sorted(set(cases) - set(CASES)):
        raise StrandError(f"case: got '{unknown[0]}', allowed: {' | '.join(CASES)}")
    if repeats < 1:
        raise StrandError(f"repeats: got {repeats}, allowed: 1 or more")
    say = progress or (lambda doing: None)
    rows = []
    for case in dict.fromkeys(cases):
        name, make, steps, peer = CASES[case]
        say(name)
        cpu, counts = min((_clock(make(), steps) for _ in range(repeats)), key=lambda pair: pair[0])
        rows.append(
            {
                "case": case,
                "what": name,
                "steps": steps,
                "iterations": histogram(counts),
                "strand_s": cpu,
                "dismech_python_s": peer,
                "ratio": peer / cpu,
                "passed": bool(peer / cpu >= LEAST_RATIO),
            }
        )
    note = "dismech-python's seconds are quoted; times are the processor's"
    judged = f"ratio of the seconds >= {LEAST_RATIO:g}"
    return Report("shells", "Rods and shells beside dismech-python", rows, note=note, judged=judged)


def _clock(simulation: Simulation, steps: int) -> tuple[float, list[int]]:
    counts = []
    begin = time.process_time()
    for _ in range(steps):
        counts.append(simulation.step().iterations)
    return time.process_time() - begin, counts
