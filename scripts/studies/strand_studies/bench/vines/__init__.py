"""A step of a growing robot beside OSQP on the same quadratic programs, and its cost by bodies.

The robot is the published one that grows against a circle (strand.vine.published). OSQP's seconds
are those of its calls, without assembling the program; Strand's are those of whole steps. Both are
called from Python, and CPU time counts; own_us is OSQP's time by its own clock. OSQP's tolerance is
the largest of TOLERANCES with which the robot is nowhere off by more than NEAR mm.
"""

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from strand.draw.report import Report
from strand.errors import StrandError
from strand.vine import Robot, published
from strand_studies.bench.peer_process import ask
from strand_studies.bench.timing import power

MM = 1e3  #: per m
NEAR = 1e-3  #: mm
TOLERANCES = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10)
LEAST_RATIO = {"warm": 15, "cold": 40}
SIZES = (30, 100, 300, 1000, 2000)  #: bodies
MOST_US, SLOPE_LIMIT = 50, 1.1  #: us at 30 bodies; power of the bodies

Progress = Callable[[str], None]

_SCRIPT = Path(__file__).with_name("peer.py")


def run(
    bodies: int = 30,
    sizes: Sequence[int] = SIZES,
    repeats: int = 5,
    peer: bool = True,
    progress: Progress | None = None,
) -> Report:
    """Rows: Strand at each size; OSQP with `bodies` bodies, warm-started and cold."""
    if repeats < 1:
        raise StrandError(f"repeats: got {repeats}, allowed: 1 or more")
    if len(set(sizes)) < 2:
        raise StrandError(f"sizes: got {len(set(sizes))}, allowed: two or more")
    say = progress or (lambda doing: None)
    rows = []
    for size in sorted({bodies, *sizes}):
        say(f"{size} bodies")
        for mode in ("single_qp", "converged"):
            rows.append(measure(size, mode, repeats))
    judge(rows)
    if peer:
        ours = next(row for row in rows if (row["bodies"], row["side"]) == (bodies, "single_qp"))
        for start in LEAST_RATIO:
            say(f"OSQP, {start}")
            rows.append(beside(bodies, start, ours["step_us"]))
    slopes = ", ".join(f"{mode} {exponent(rows, mode):.3f}" for mode in ("single_qp", "converged"))
    note = f"power of the bodies: {slopes} (limit {SLOPE_LIMIT})"
    judged = (
        f"power of the bodies <= {SLOPE_LIMIT}, in the last row of each side; step_us < {MOST_US:g}"
        f" with 30 bodies; off_mm <= {NEAR:g} and ratio to OSQP >= "
        + ", ".join(f"{least:g} ({start})" for start, least in LEAST_RATIO.items())
    )
    return Report("vine", "A step of a growing robot", rows, note=note, judged=judged)


def measure(bodies: int, mode: str, repeats: int) -> dict:
    """The fastest of `repeats` published runs."""
    seconds = min(_clock(published.runtime(bodies, mode == "single_qp")) for _ in range(repeats))
    step_us = 1e6 * seconds / published.RUNTIME_STEPS
    empty = dict.fromkeys(("own_us", "tolerance", "off_mm", "ratio", "passed"))
    return {"side": mode, "bodies": bodies, "step_us": step_us} | empty


def _clock(robot: Robot) -> float:
    begin = time.process_time()
    for _ in range(published.RUNTIME_STEPS):
        robot.step(published.RUNTIME_RATE)
    return time.process_time() - begin


def exponent(rows: Sequence[dict], mode: str) -> float:
    """p of a step's cost ~ bodies^p, fitted."""
    return power([row for row in rows if row["side"] == mode], "bodies", "step_us")


def judge(rows: list[dict]) -> None:
    for mode in ("single_qp", "converged"):
        chosen = [row for row in rows if row["side"] == mode]
        chosen[-1]["passed"] = exponent(rows, mode) <= SLOPE_LIMIT
        for row in chosen:
            if row["bodies"] == 30:
                row["passed"] = row["step_us"] < MOST_US


def beside(bodies: int, start: str, step_us: float) -> dict:
    """OSQP at the largest tolerance with which it follows the exact solution."""
    robot = published.runtime(bodies, compat=True)
    request = _request(robot, bodies) | {"warm": start == "warm"}
    trajectory = robot.run(published.RUNTIME_STEPS, published.RUNTIME_RATE)
    exact = MM * np.array(trajectory.q)[1:, :, :2]
    for eps in TOLERANCES:
        answer = ask("osqp", _SCRIPT, request | {"eps": eps})
        off = float(np.abs(np.array(answer["positions"]) - exact).max())
        if off <= NEAR:
            break
    theirs = 1e6 * answer["seconds"] / published.RUNTIME_STEPS
    return {
        "side": f"OSQP {answer['versions']['osqp']}, {start}",
        "bodies": bodies,
        "step_us": theirs,
        "own_us": 1e6 * answer["own_seconds"] / published.RUNTIME_STEPS,
        "tolerance": eps,
        "off_mm": off,
        "ratio": theirs / step_us,
        "passed": bool(off <= NEAR and theirs / step_us >= LEAST_RATIO[start]),
    }


def _request(robot: Robot, bodies: int) -> dict:
    """The robot of published.runtime in the units of the published program, mm."""
    pairs = bodies // 2
    circle = robot.obstacles[0]
    return {
        "pairs": pairs,
        "half_length": 100 / pairs,
        "dt": robot.dt,
        "rates": [MM * published.RUNTIME_RATE / pairs] * pairs,
        "mass": 1e-3,
        "inertia": 200.0,
        "stiffness": 5e5,
        "damping": 30.0,
        "circle": (MM * circle.centre).tolist(),
        "radius": MM * (circle.radius + robot.diameter / 2),
        "q": (robot.q * [MM, MM, 1]).ravel().tolist(),
        "steps": published.RUNTIME_STEPS,
    }
