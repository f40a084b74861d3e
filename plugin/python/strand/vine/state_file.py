"""Writes the states of a robot as CSV, in the layout and units of the published data."""

import io
import os

import numpy as np

from strand.io.files import write_text
from strand.vine.robot import Trajectory

MM = 1e3  #: per m


def write_states(path: str | os.PathLike, trajectory: Trajectory) -> None:
    """Writes the states of a trajectory, one row per step.

    Columns: step, time (s), x, y (mm) and heading (rad) of every body, then their rates. Bodies are
    numbered from 1 at the base; columns of bodies that do not exist yet are empty.
    """
    most = max(len(q) for q in trajectory.q)
    names = [f"{name}{k}" for k in range(1, most + 1) for name in ("x", "y", "th")]
    names += [f"{name}{k}" for k in range(1, most + 1) for name in ("vx", "vy", "w")]
    text = io.StringIO()
    text.write(",".join(["step", "t_s", *names]) + "\n")
    for step, time in enumerate(trajectory.time):
        row = [*_numbers(trajectory.q[step], most), *_numbers(trajectory.v[step], most)]
        text.write(f"{step},{time:.9g},{','.join(row)}\n")
    write_text(path, text.getvalue())


def _numbers(bodies: np.ndarray, most: int) -> list[str]:
    numbers = (bodies * [MM, MM, 1]).ravel().tolist()
    return [f"{number:.13g}" for number in numbers] + [""] * (3 * (most - len(bodies)))
