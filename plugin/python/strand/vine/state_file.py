"""Writes the states of a robot: in SI units, or in the layout and units of the published data."""

import io
import os

import numpy as np

from strand.io.files import write_bytes, write_text
from strand.vine.robot import Trajectory

MM = 1e3  #: per m
_COLUMNS = (
    "x (m)",
    "y (m)",
    "heading (rad)",
    "velocity_x (m/s)",
    "velocity_y (m/s)",
    "rate (rad/s)",
)


def write_samples(path: str | os.PathLike, trajectory: Trajectory) -> None:
    """Writes the states of a trajectory, in SI units, to a .csv or .npz file.

    CSV: one row per state: time, then x, y, heading, velocity and rate of every body, with units in
    the header. NPZ: `time` (n,), `q` and `v` (n, bodies, 3), as Trajectory. Bodies are numbered
    from 0 at the base; those that do not exist yet have empty columns, or NaN.
    """
    most = max(len(q) for q in trajectory.q)
    q, v = (np.full((len(trajectory.q), most, 3), np.nan) for _ in range(2))
    for filled, states in ((q, trajectory.q), (v, trajectory.v)):
        for row, bodies in zip(filled, states, strict=True):
            row[: len(bodies)] = bodies
    if os.fspath(path).lower().endswith(".npz"):
        data = io.BytesIO()
        np.savez_compressed(data, time=trajectory.time, q=q, v=v)
        write_bytes(path, data.getvalue())
        return
    names = [f"body_{k}_{name}" for k in range(most) for name in _COLUMNS]
    text = io.StringIO()
    text.write(",".join(["time (s)", *names]) + "\n")
    for time, positions, rates in zip(trajectory.time, q, v, strict=True):
        numbers = np.hstack([positions, rates]).ravel().tolist()
        cells = ["" if np.isnan(number) else f"{number:.13g}" for number in numbers]
        text.write(f"{time:.9g},{','.join(cells)}\n")
    write_text(path, text.getvalue())


def write_states(path: str | os.PathLike, trajectory: Trajectory) -> None:
    """Writes the states of a trajectory as the published data, one row per step.

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
