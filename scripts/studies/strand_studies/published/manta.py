"""A manta ray swims: hinges along its back flap in a travelling wave (MAT-DiSMech, stingRay).

A free shell under water. Its natural angles jump at the start: those of the leading hinges begin at
their minimum. Amplitude and frequency are those of the authors' file, found by replaying it; the
paper says 3.4 Hz, and the code's default amplitude is pi / 2. Coordinates are rounded to a
micrometre, as in their file. With their stop rule the file is matched to 1e-11 m at each of 5000
steps. That rule is loose: tight solutions differ from the file by at most 3e-4 m until 1 s,
1.4e-3 m until 3 s and 4.1e-3 m until 5 s. Tolerances of 1e-6 and 1e-10 differ by 5e-7 m.

The distance it swims depends on the step, too: with shorter steps backward Euler damps less of the
vibration that the jump excites.
"""

import numpy as np

from strand import meshes
from strand.draw.report import Report
from strand.simulation import Network, Shell, Simulation
from strand_studies.published.figures import (
    PUBLISHED_SHELL,
    Progress,
    figure,
    histogram,
    quadratic,
    trace,
)
from strand_studies.published.frames import Frames

DIVISIONS = 10
SKIN = {"young": 6e9, "thickness": 1e-3, "density": 1057.0, "poisson": 0.3, **PUBLISHED_SHELL}
WATER, DRAG, GRAVITY = 1000.0, 0.5, 9.81  # kg/m^3, 1, m/s^2
AMPLITUDE, FREQUENCY = 2 * np.pi / 3, 3.384  # rad, Hz
FRONT = (0.0, 0.5, 0.0)  # m, position of the node whose path is compared
DT, REDUCED, DURATION = 1e-3, 1.0, 5.0  # s
TOLERANCE, TIGHTER = 1e-6, 1e-10
SAME_RULE, CONVERGED, SYMMETRY = 1e-6, 2e-6, 1e-9  # m
LOOSE = {1.0: 3e-4, 3.0: 1.4e-3, 5.0: 4.2e-3}  # m, tolerance of tight solutions by time (s)
PARTS = (2, 4)  # divisors of the step, with `full`

#: (y, z) of the front node (m) by time (s), in the authors' file.
PUBLISHED_PATH = {
    0.1: (0.502299, 0.099222),
    0.2: (0.518432, 0.034557),
    0.5: (0.589319, 0.078321),
    1.0: (0.809075, 0.178347),
    2.0: (1.468274, 0.188177),
    3.0: (2.498786, 0.294965),
    4.0: (3.909048, 0.319094),
    5.0: (5.612974, 0.338101),
}


def run(
    full: bool = False,
    progress: Progress = None,
    frames: Frames | None = None,
    compat: bool = False,
) -> Report:
    """Runs 1 s; `full`: 5 s, and shorter steps, too."""
    progress = progress or (lambda doing: None)
    duration = DURATION if full else REDUCED
    progress("as published")
    path, iterations = swim(duration, compat, frames=frames or Frames())
    results = _beside_the_file(path, compat)
    note = f"Newton iterations x number of steps: {histogram(iterations)}"
    if not compat:
        progress("with a tighter tolerance")
        tighter, more = swim(duration, tolerance=TIGHTER)
        change = np.abs(tighter - path).max()
        name = f"front: change by a tolerance of {TIGHTER:g}"
        results.append(figure(name, change, "m", 0.0, "converged", CONVERGED))
        results.append(quadratic("manta", iterations, more))
        note += f"; with a tolerance of {TIGHTER:g}: {histogram(more)}"
    for part in PARTS if full and not compat else ():
        progress(f"dt / {part}")
        y = swim(REDUCED, part=part)[0][-1, 1]
        wanted = (PUBLISHED_PATH[REDUCED][0], "MAT-DiSMech, longer steps")
        results.append(figure(f"dt {DT / part:g} s, {REDUCED:g} s: front y", y, "m", *wanted))
    return Report("manta", "Manta ray", results, note=note)


def _beside_the_file(path: np.ndarray, compat: bool) -> list[dict]:
    rows = []
    for time, published in PUBLISHED_PATH.items():
        step = round(time / DT)
        if step >= len(path):
            break
        loose = next(within for until, within in LOOSE.items() if time <= until)
        for axis, value, wanted in zip("yz", path[step, 1:], published, strict=True):
            beside = (wanted, "MAT-DiSMech", SAME_RULE if compat else loose)
            rows.append(figure(f"{time:g} s: front {axis}", value, "m", *beside))
    aside = np.abs(path[:, 0]).max()
    return [*rows, figure("front: aside", aside, "m", 0.0, "symmetry", SYMMETRY)]


def swim(
    duration: float,
    compat: bool = False,
    part: int = 1,
    tolerance: float = TOLERANCE,
    frames: Frames | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """The front node's positions, (steps + 1, 3), m, and the Newton iterations of every step."""
    simulation, shell = build(compat, part, tolerance)
    places = simulation.positions[shell.nodes]
    front = shell.nodes[int(np.argmin(np.linalg.norm(places - FRONT, axis=1)))]
    if frames is None:
        return trace(simulation, duration, front)
    frames.stage("manta", azimuth=30, elevation=-25)
    frames.take("manta", simulation)
    watch = frames.at("manta", (0.1, 0.2, 0.5, 1.0, 2.0, 5.0))
    return trace(simulation, duration, front, watch)


def build(
    compat: bool = False, part: int = 1, tolerance: float = TOLERANCE
) -> tuple[Simulation, Shell]:
    """The manta with driven hinges, and `part` steps for each published one."""
    vertices, triangles = meshes.manta(DIVISIONS)
    vertices = np.round(vertices, 6)
    network = Network()
    shell = network.shell(vertices, triangles, **SKIN)
    simulation = Simulation(
        network,
        dt=DT / part,
        method="backward_euler",
        gravity=(0, 0, -GRAVITY),
        medium_density=WATER,
        tolerance=tolerance,
        compat="mat_dismech" if compat else None,
    )
    simulation.add_aerodynamic_drag(WATER, DRAG)
    hinges = back(shell, vertices)

    def flap(time: float) -> None:
        start = time - simulation.dt
        simulation.set_natural_angle(hinges, natural_angles(start, len(hinges)))

    simulation.drive(flap)
    return simulation, shell


def back(shell: Shell, vertices: np.ndarray) -> list[int]:
    """The edges along x = 0, from the trailing to the leading one."""
    ends = vertices[shell.edge_nodes]
    along = np.flatnonzero((ends[:, :, 0] == 0).all(axis=1))
    order = np.argsort(ends[along, :, 1].sum(axis=1))
    return [shell.edges[edge] for edge in along[order]]


def natural_angles(time: float, hinges: int) -> np.ndarray:
    """Natural angles (rad) of the hinges, from the trailing to the leading one.

    The phase spans half a wave; wings are never above flat.
    """
    phase = np.linspace(0, np.pi, hinges)
    return AMPLITUDE / 2 * (np.cos(2 * np.pi * FREQUENCY * time + phase) - 1)
