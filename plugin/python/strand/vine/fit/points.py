"""Measured points along a growing robot, and their positions on a chain of bodies."""

import csv
import dataclasses
import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import least_squares

from strand.errors import StrandError
from strand.vine.fit.model import VineModel, axes, normals, numbers

COLUMNS = ("frame", "t_s", "point", "x_mm", "y_mm")


@dataclasses.dataclass(frozen=True)
class MeasuredPoints:
    """Points in the frames of a film, from the base (the first pin) to the tip.

    times: of the frames (frames,) (s), increasing.
    positions: of the points (frames, points, 2) (m).

    Raises StrandError if shapes do not match, values are not finite, or times do not increase.
    """

    times: np.ndarray  #: s
    positions: np.ndarray  #: m

    def __post_init__(self) -> None:
        times = np.array(self.times, dtype=float)
        positions = np.array(self.positions, dtype=float)
        if times.ndim != 1 or not len(times):
            raise StrandError(f"times: got shape {times.shape}, allowed: (frames,), one or more")
        if positions.ndim != 3 or positions.shape[1] < 2 or positions.shape[2] != 2:
            raise StrandError(
                f"positions: got shape {positions.shape}, allowed: (frames, 2 or more points, 2)"
            )
        if len(positions) != len(times):
            raise StrandError(f"positions: got {len(positions)} frames, allowed: {len(times)}")
        for name, values in (("times", times), ("positions", positions)):
            if not np.isfinite(values).all():
                wrong = float(values[~np.isfinite(values)][0])
                raise StrandError(f"{name}: got {wrong!r}, allowed: finite numbers")
        for k in np.flatnonzero(~(np.diff(times) > 0))[:1]:
            raise StrandError(
                f"times: got {float(times[k + 1])!r} after {float(times[k])!r}, allowed: times "
                f"that increase"
            )
        object.__setattr__(self, "times", times)
        object.__setattr__(self, "positions", positions)

    def steps(self, dt: float) -> np.ndarray:
        """The time step of each frame (frames,); 0 for the first frame.

        dt: time step (s). Raises StrandError if a frame is more than 0.01 dt off a time step.
        """
        steps = (self.times - self.times[0]) / dt
        whole = np.rint(steps)
        for k in np.flatnonzero(np.abs(steps - whole) > 0.01)[:1]:
            raise StrandError(
                f"times: got {float(self.times[k])!r} s in frame {k}, {steps[k]:.4g} time steps "
                f"after the first, allowed: whole multiples of dt = {dt:.6g} s"
            )
        return whole.astype(int)


def read_points(path: str | os.PathLike) -> MeasuredPoints:
    """Reads a CSV file with the columns frame, t_s, point, x_mm, y_mm, and converts mm to m.

    Frames and points are numbered from 0, row by row. Each frame has the same points, from 0 at the
    base. Raises StrandError, which names file, line, field, value and the allowed values.
    """
    path = Path(path)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise StrandError(
            f"file: got {str(path)!r}, allowed: a readable CSV file ({error})"
        ) from None
    try:
        return _parse(text)
    except StrandError as error:
        raise StrandError(f"{path}: {error}") from None


def _parse(text: str) -> MeasuredPoints:
    lines = ((k, line) for k, line in enumerate(text.splitlines(), start=1) if line.strip())
    number, line = next(lines, (1, ""))
    names = tuple(name.strip() for name in line.split(","))
    if names != COLUMNS:
        raise StrandError(
            f"line {number}: got the columns {', '.join(names)!r}, allowed: {', '.join(COLUMNS)}"
        )
    times: list[float] = []
    frames: list[list[tuple[float, float]]] = []
    first_size = None
    for number, line in lines:
        frame, time, point, x, y = _cells(number, line)
        if frame == len(frames):
            if len(frames) > 1 or (frames and frame):
                first_size = first_size or len(frames[0])
                _check_size(number, frames[-1], first_size)
            if times and not time > times[-1]:
                raise _wrong(number, "t_s", time, f"times that increase, more than {times[-1]!r}")
            times.append(time)
            frames.append([])
        elif frame != len(frames) - 1:
            last = f"{len(frames) - 1} or {len(frames)}" if frames else "0, the first"
            raise _wrong(number, "frame", frame, last)
        if time != times[-1]:
            raise _wrong(number, "t_s", time, f"{times[-1]!r}, as in the rest of frame {frame}")
        if point != len(frames[-1]):
            raise _wrong(number, "point", point, f"{len(frames[-1])}, the next of frame {frame}")
        frames[-1].append((x, y))
    if not frames:
        raise StrandError("rows: got none below the names, allowed: one or more frames")
    _check_size(number, frames[-1], len(frames[0]))
    return MeasuredPoints(np.array(times), 1e-3 * np.array(frames))


def _cells(number: int, line: str) -> tuple[int, float, int, float, float]:
    (cells,) = csv.reader([line])
    if len(cells) != len(COLUMNS):
        raise StrandError(f"line {number}: got {len(cells)} fields, allowed: {len(COLUMNS)}")
    values: list[float] = []
    for name, cell in zip(COLUMNS, cells, strict=True):
        whole = name in ("frame", "point")
        try:
            value: float | None = int(cell) if whole else float(cell)
        except ValueError:
            value = None
        if value is None or not abs(value) < np.inf:
            raise _wrong(number, name, cell, "a whole number" if whole else "a finite number")
        values.append(value)
    frame, time, point, x, y = values
    return int(frame), time, int(point), x, y


def _check_size(number: int, frame: list[Any], size: int) -> None:
    if len(frame) != size or size < 2:
        raise _wrong(
            number, "point", f"a frame of {len(frame)}", f"{max(size, 2)} points in every frame"
        )


def _wrong(number: int, field: str, value: object, allowed: str) -> StrandError:
    return StrandError(f"line {number}, {field}: got {value!r}, allowed: {allowed}")


def interpolation_matrix(bodies: int, points: int) -> np.ndarray:
    """The matrix A (points, bodies) that interpolates points between distal ends of bodies.

    Positions are relative to the base. Points are uniformly spaced in the number of the body, and
    linear in between: the first at the base (a row of zeros), the last at the tip, which is the
    distal end of the last body. Source: the data of Jitosho et al. 2021.
    """
    place = np.linspace(0, bodies, points)[:, np.newaxis]
    ends = np.arange(1, bodies + 1)
    return np.clip(1 - np.abs(place - ends), 0, None)


def measured_matrix(
    matrix: ArrayLike | None, model: VineModel, points: MeasuredPoints
) -> np.ndarray:
    """The given matrix (points, bodies), checked; interpolation_matrix if it is None."""
    count = points.positions.shape[1]
    if matrix is None:
        return interpolation_matrix(model.bodies, count)
    return numbers("matrix", matrix, (count, model.bodies))


def shapes_of_points(
    model: VineModel, matrix: np.ndarray, positions: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Chains through measured points: headings (rad) and extensions (m), (frames, pairs) each.

    All pairs of a frame are assumed to be equally long. This is an initial guess for fits, without
    dynamics.
    """
    polyline = np.linalg.norm(np.diff(positions, axis=1), axis=-1).sum(axis=-1)
    least = 1e-3 * np.min(model.half_length)
    extensions = np.maximum((polyline - 2 * np.sum(model.half_length)) / model.pairs, least)
    extensions = np.repeat(extensions[:, np.newaxis], model.pairs, axis=1)
    headings = np.empty_like(extensions)
    for k, frame in enumerate(positions):
        arm = matrix @ model.distal_levers(extensions[k])
        chord = frame[-1] - frame[0]
        headings[k] = least_squares(
            lambda th, arm=arm, away=model.base - frame: (arm @ axes(th) + away).ravel(),
            headings[k - 1] if k else np.full(model.pairs, np.arctan2(chord[1], chord[0])),
            lambda th, arm=arm: (arm[:, np.newaxis] * normals(th).T).reshape(-1, len(th)),
            method="lm",
        ).x
    return headings, extensions
