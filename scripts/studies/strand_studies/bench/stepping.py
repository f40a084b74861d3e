"""Methods of implicit time stepping: accuracy, damping, cost, and stability.

One cantilever swings in its first mode for five periods. Another one falls from the horizontal and
keeps swinging, at steps that do not resolve its stretching vibration.
"""

import time
from collections.abc import Callable, Sequence

import numpy as np

from strand.cable.shapes import straight
from strand.draw.report import Report
from strand.errors import StrandError
from strand.simulation import Network, Simulation, SolverError
from strand_studies.bench.table2.cases import first_mode
from strand_studies.published.figures import sinusoid
from strand_studies.validation.vibration import BETA_L

YOUNG, RADIUS, DENSITY, LENGTH, SEGMENTS = 1e7, 0.01, 1000.0, 1.0, 40  #: Pa, m, kg/m^3, m, 1
METHODS = ("bdf2", "backward_euler", "midpoint")
PERIODS, AMPLITUDE, FINEST = 5, 0.05, 1600  #: 1, of the length, steps a period
FALL, LONGEST = 5.0, 5e-3  #: s of motion, s per step
ORDER, MADE = 1.8, 1e-3  #: least order of bdf2's error; largest gain, of the energy supplied

Progress = Callable[[str], None]


def _cantilever(method: str, dt: float, gravity: float) -> tuple[Simulation, int]:
    network = Network()
    rod = network.rod(straight(LENGTH, SEGMENTS), young=YOUNG, radius=RADIUS, density=DENSITY)
    network.clamp(rod, "start")
    simulation = Simulation(network, dt=dt, method=method, gravity=(0, 0, -gravity))
    return simulation, rod.nodes[-1]


def _swing(method: str, steps: int) -> tuple[float, float, float]:
    """Period (s), remaining fraction of the energy, and CPU seconds per step.

    steps: per period.
    """
    rate = BETA_L[0] ** 2 * np.sqrt(YOUNG * RADIUS**2 / (4 * DENSITY * LENGTH**4))
    dt = 2 * np.pi / rate / steps
    simulation, tip = _cantilever(method, dt, 0.0)
    velocities = np.zeros_like(simulation.positions)
    velocities[:, 2] = AMPLITUDE * LENGTH * rate * first_mode(simulation.positions[:, 0] / LENGTH)
    simulation.set_velocities(velocities)
    first, heights = simulation.kinetic_energy, [0.0]
    begin = time.process_time()
    for _ in range(PERIODS * steps):
        simulation.step()
        heights.append(simulation.positions[tip, 2])
    cpu = time.process_time() - begin
    left = simulation.kinetic_energy + simulation.potential_energy
    period = sinusoid(np.array(heights), dt, 2 * np.pi / rate)[0]
    return period, left / first, cpu / (PERIODS * steps)


def _fall(method: str) -> dict:
    simulation, _ = _cantilever(method, LONGEST, 9.81)
    row = {"case": "fall", "method": method, "steps": round(FALL / LONGEST)}
    try:
        simulation.run(FALL)
        row["ends"] = "swings"
    except SolverError as error:
        row["ends"] = f"at {simulation.time:.2g} s: {str(error).split(' at ')[0]}"
    row["made"] = simulation.energy_made / simulation.core.energy_supplied
    row["passed"] = bool(row["made"] < MADE) if method != "midpoint" else None
    return row


def run(steps: Sequence[int] = (50, 100, 200), progress: Progress | None = None) -> Report:
    """One row per method and number of steps per period, and one per method for the fall.

    period_error: relative to the midpoint rule with FINEST steps per period. kept: fraction of the
    energy after five periods. cost: of a step, relative to backward Euler. made: energy created by
    time stepping, as a fraction of the energy supplied; negative: damped. Judged: the order of
    bdf2's error, and that methods with damping create no energy.
    """
    if len(steps) < 2 or min(steps) < 10:
        raise StrandError(f"steps: got {list(steps)}, allowed: two numbers or more, each >= 10")
    say = progress or (lambda doing: None)
    say("reference")
    exact = _swing("midpoint", FINEST)[0]
    rows, found = [], {}
    for count in steps:
        for method in METHODS:
            say(f"{method}, {count} steps a period")
            found[method, count] = _swing(method, count)
        for method in METHODS:
            period, kept, cpu = found[method, count]
            rows.append(
                {
                    "case": "swing",
                    "method": method,
                    "steps": count,
                    "period_error": period / exact - 1,
                    "kept": kept,
                    "step_us": 1e6 * cpu,
                    "cost": cpu / found["backward_euler", count][2],
                    "passed": None,
                }
            )
    errors = [abs(found["bdf2", count][0] / exact - 1) for count in steps[-2:]]
    order = np.log(errors[0] / errors[1]) / np.log(steps[-1] / steps[-2])
    rows.append({"case": "order", "method": "bdf2", "order": order, "passed": bool(order > ORDER)})
    for method in METHODS:
        say(f"{method}, fall")
        rows.append(_fall(method))
    judged = f"order > {ORDER:g} of bdf2; made < {MADE:g} of what damps"
    note = f"steps: a period (swing), in all (fall, {LONGEST:g} s each); step_us: of the processor"
    return Report("stepping", "Methods of time stepping", rows, note=note, judged=judged)
