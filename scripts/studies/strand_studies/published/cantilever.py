"""Cantilever swinging in its first mode (DisMech, Table II a1 and a2), with two kinds of clamp.

Theory for the same clamp: if the first edge is locked, nodes 0 and 1 are fixed, and the first
joint, at node 1, represents the half edges on both of its sides. So the rod bends from the middle
of the locked edge on: it is a beam of length L - l/2 (l: edge length), whose period is shorter by
1 - (1 - l/2L)^2 = .5 % at 200 edges. `Network.clamp` puts a joint of half an edge at s = 0, so that
the length is L. Implicit midpoint turns an angular frequency w into (2/dt) atan(w dt/2), which
lengthens the period by the factor 1 + (w dt)^2/12 and does not change the amplitude. The initial
velocities are the first mode of the whole length; the shorter beam responds with the projection on
its own first mode.

The paper's agreement at dt = .5 s is the sum of two errors: -.5 % of the clamp and +.5 % of the
time step.
"""

from dataclasses import replace

import numpy as np
from scipy.integrate import trapezoid

from strand.draw.report import Report
from strand.simulation import Network, Simulation
from strand_studies.bench.table2.cases import (
    CANTILEVER_LENGTH,
    CASES,
    TIP_VELOCITY,
    Case,
    first_mode,
)
from strand_studies.published.figures import PUBLISHED, Progress, figure, follow, sinusoid
from strand_studies.published.frames import Frames
from strand_studies.validation.vibration import BETA_L

CLAMPS = ("locked edge", "exact clamp")

#: dt (s) of a1, and how far off Euler-Bernoulli (length L, dt 0) the original's period is (%).
STEPS = {0.5: 0.016, 0.05: -0.493}
MAGNIFIED = 20.0  # in pictures, since the tip moves by less than the beam's thickness
ACCURACY = 1e-3  # of period and amplitude, against theory for the same clamp and time step


def run(full: bool = False, progress: Progress = None, frames: Frames | None = None) -> Report:
    """Runs two materials with two time steps and two clamps."""
    frames = frames or Frames()
    results = []
    for name in ("a1", "a2"):
        case = CASES[name]
        for dt, error in STEPS.items():
            # a2 swings ten times as fast as a1, so it takes a tenth of the step.
            dt = dt if name == "a1" else dt / 10
            for clamp in CLAMPS:
                if progress:
                    progress(f"{name}, dt {dt:g} s, {clamp}")
                shorter = replace(case, duration=case.duration if full else 0.4 * case.duration)
                original = error if name == "a1" and clamp == "locked edge" else None
                results += compare(shorter, dt, clamp, original, frames)
    return Report("cantilever", "Cantilever", results)


def compare(
    case: Case, dt: float, clamp: str, original: float | None, frames: Frames
) -> list[dict]:
    """Period and amplitude of one run beside theory."""
    simulation, tip = build(case, dt, clamp)
    length, whole_period = CANTILEVER_LENGTH, period(case, CANTILEVER_LENGTH)
    if clamp == "locked edge":
        length -= 0.5 * np.linalg.norm(case.nodes[1] - case.nodes[0])
    rate = 2 * np.pi / period(case, length)
    watch = None
    if case.name == "a1" and dt == min(STEPS) and clamp == CLAMPS[-1]:  # others look the same
        frames.stage("cantilever", magnified=MAGNIFIED)
        frames.take("cantilever", simulation)
        watch = frames.at("cantilever", whole_period * np.arange(1, 5) / 4)
    heights = follow(simulation, case.duration, tip, watch)[:, 2]
    found, amplitude = sinusoid(heights, dt, whole_period)
    at = f"{case.name}, dt {dt:g} s, {clamp}"
    wanted = 2 * np.pi / rate * (1 + (rate * dt) ** 2 / 12)
    source = "Euler-Bernoulli and (w dt)^2/12"
    reach = tip_velocity(case, length) / rate
    rows = [
        figure(f"{at}: period", found, "s", wanted, source, ACCURACY * wanted),
        figure(f"{at}: amplitude", amplitude, "m", reach, "Euler-Bernoulli", ACCURACY * reach),
    ]
    error = 100 * (found / whole_period - 1)
    words = f"{at}: period, off Euler-Bernoulli"
    return [*rows, figure(words, error, "%", original, "DisMech" if original else "")]


def build(case: Case, dt: float, clamp: str) -> tuple[Simulation, int]:
    """The beam with its velocities, and its last node."""
    network = Network()
    rod = network.rod(case.nodes, young=case.young, radius=case.radius, density=case.density)
    if clamp != "locked edge":
        network.clamp(rod, "start")
    simulation = Simulation(
        network, dt=dt, method="midpoint", gravity=(0, 0, 0), plane="xz", **PUBLISHED
    )
    if clamp == "locked edge":
        simulation.fix_edge(rod.edges[0])
    else:
        simulation.fix_node(rod.nodes[0])
    velocities = np.zeros_like(simulation.positions)
    velocities[rod.nodes] = case.velocities
    simulation.set_velocities(velocities)
    return simulation, rod.nodes[-1]


def period(case: Case, length: float) -> float:
    """2 pi sqrt(rho A / EI) (L / beta)^2 of the first mode, s."""
    speed = np.sqrt(case.young / case.density) * case.radius / 2  # sqrt(EI / rho A), m^2/s
    return 2 * np.pi / speed * (length / BETA_L[0]) ** 2


def tip_velocity(case: Case, length: float) -> float:
    """Tip velocity (m/s) of the first mode of the beam's last `length` m.

    It is the projection of the initial velocities, which are the first mode of the whole length.
    """
    start = CANTILEVER_LENGTH - length
    places = np.linspace(0, 1, 20001)
    mode = first_mode(places)
    given = TIP_VELOCITY * first_mode((start + length * places) / CANTILEVER_LENGTH)
    given[start + length * places < 2 * start] = 0  # the locked edge does not move
    return trapezoid(mode * given, places) / trapezoid(mode**2, places)
