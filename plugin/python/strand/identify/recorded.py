"""Recorded shapes of a cable: points along it, in CSV files."""

import csv
import dataclasses
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from strand.errors import StrandError, reason
from strand.identify.held_cable import polyline_length
from strand.io.options import LIST, TEXT, choice, instance, read

UNITS = {"m": 1.0, "dm": 0.1, "cm": 0.01, "mm": 1e-3, "in": 0.0254, "ft": 0.3048}  # m
LENGTHS = 0.01, 100.0  #: m, of recorded cables; other lengths mean that the unit is wrong
LEAST_POINTS = 5
_LOCAL = 0.05  #: of the length: a loop that is shorter is noise
_COORDINATE = re.compile(r"([xyz])(?:_(\w+))?", re.IGNORECASE)


@dataclasses.dataclass(frozen=True)
class Trial:
    """Points along a cable in one recording, in order, from one end of the span to the other.

    points: (n, 2): x and up; or (n, 3): x, y and up (m).
    """

    name: str
    points: np.ndarray

    @property
    def planar(self) -> bool:
        return self.points.shape[1] == 2

    @property
    def length(self) -> float:
        """Length of the polyline through the points (m)."""
        return polyline_length(self.points)

    @property
    def in_space(self) -> np.ndarray:
        """The points (n, 3), with y = 0 for those in a plane."""
        if not self.planar:
            return self.points
        return np.column_stack([self.points[:, 0], 0 * self.points[:, 0], self.points[:, 1]])


def read_trials(
    path: str | os.PathLike,
    *,
    columns: Sequence[str] | None = None,
    unit: str | None = None,
    up: str | None = None,
    trial: str = "trial",
    where: dict[str, str] | None = None,
) -> list[Trial]:
    """Reads recorded shapes from a CSV file whose first row names the columns.

    columns: names of the two or three columns of coordinates, any order. Default: those named x, y
        and z, alone or followed by _ and words, as in x_mm or y_down_m.
    unit: m, dm, cm, mm, in or ft. Default: the last word of the columns' names, else m.
    up: which coordinate points up, and its sign: +y, -y, +z, ... Default: a column named "down" or
        "up", else + and the last coordinate.
    trial: column that numbers the recordings; a file without it is one recording.
    where: values of other columns that rows must have, for files with several cables.

    Rows are in order along the cable. Raises StrandError, which names file, field and value.
    """
    if not isinstance(path, str | os.PathLike):
        raise StrandError(f"file: got {type(path).__name__}, allowed: a path")
    path, trial = Path(path), read("trial", trial, TEXT)
    where = read("where", {} if where is None else where, instance(dict, "a dict of texts"))
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = list(csv.DictReader(file, skipinitialspace=True))
    except (OSError, ValueError, csv.Error) as error:
        allowed = f"a readable CSV file ({reason(error)})"
        raise StrandError(f"file: got {str(path)!r}, allowed: {allowed}") from None
    try:
        if not rows:
            raise StrandError("rows: got none, allowed: a row of names and a row per point")
        names = [name for name in rows[0] if name is not None]
        axes = _axes(names, columns)
        factor = UNITS[_unit(axes, unit)]
        turn = _upright(axes, up)
        chosen = _chosen(rows, names, trial, where)
        return [
            checked_trial(name, factor * _numbers(group, axes) @ turn)
            for name, group in chosen.items()
        ]
    except StrandError as error:
        raise StrandError(f"{path}: {error}") from None


def checked_trial(name: str, points: np.ndarray) -> Trial:
    """A trial of points (n, 2 or 3) (m). Raises StrandError if they cannot be a cable."""
    where = f"trial {name}: " if name else ""
    points = np.asarray(points, dtype=float)
    if points.ndim != 2 or points.shape[1] not in (2, 3):
        raise StrandError(f"{where}points: got shape {points.shape}, allowed: (n, 2) or (n, 3)")
    if len(points) < LEAST_POINTS:
        raise StrandError(f"{where}points: got {len(points)}, allowed: {LEAST_POINTS} or more")
    if not np.isfinite(points).all():
        wrong = float(points[~np.isfinite(points)][0])
        raise StrandError(f"{where}points: got {wrong!r}, allowed: finite numbers (m)")
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    for k in np.flatnonzero(steps == 0)[:1]:
        raise StrandError(
            f"{where}points: got points {k} and {k + 1} at the same place, allowed: different ones"
        )
    if not LENGTHS[0] <= steps.sum() <= LENGTHS[1]:
        raise StrandError(
            f"{where}length: got {steps.sum():.4g} m along the points, allowed: {LENGTHS[0]:g} to "
            f"{LENGTHS[1]:g} m; is the unit right?"
        )
    if points.shape[1] == 2 and (crossing := _crossing(points)):
        one, other = crossing
        raise StrandError(
            f"{where}points: got a line that crosses itself after points {one} and {other}, "
            "allowed: points in order along a cable that does not cross itself"
        )
    return Trial(name, points)


def check_length(trials: Sequence[Trial], length: float) -> None:
    """Raises StrandError if a recording is not about as long as the cable."""
    for trial in trials:
        if not 0.8 < trial.length / length < 1.25:
            where = f"trial {trial.name}: " if trial.name else ""
            raise StrandError(
                f"{where}length: got {trial.length:.4g} m along the points, allowed: "
                f"{0.8 * length:.4g} to {1.25 * length:.4g} m, as the cable is {length:g} m long; "
                "is the unit right?"
            )


def _axes(names: list[str], columns: Sequence[str] | None) -> list[str]:
    """Names of the columns of coordinates, in the order x, y, z, or as given."""
    if columns is not None:
        columns = read("columns", columns, LIST)
        for name in columns:
            if name not in names:
                raise StrandError(f"columns: got {name!r}, allowed: {', '.join(names)}")
        if len(columns) not in (2, 3) or len(set(columns)) != len(columns):
            raise StrandError(f"columns: got {', '.join(columns)}, allowed: two or three names")
        return list(columns)
    found = {m[1].lower(): name for name in names if (m := _COORDINATE.fullmatch(name.strip()))}
    if not 2 <= len(found) <= 3:
        got = ", ".join(names)
        raise StrandError(f"columns: got {got}, allowed: two or three named x, y, z (or choose)")
    return [found[axis] for axis in sorted(found)]


def _unit(axes: list[str], unit: str | None) -> str:
    if unit is not None:
        return read("unit", unit, choice(*UNITS))
    words = {name.rpartition("_")[2] for name in axes} & UNITS.keys()
    if len(words) > 1:
        raise StrandError(f"unit: got columns in {', '.join(sorted(words))}, allowed: one unit")
    return words.pop() if words else "m"


def _upright(axes: list[str], up: str | None) -> np.ndarray:
    """The matrix (d, d) by which rows of coordinates become x, (y,) up."""
    letters = [m[1].lower() if (m := _COORDINATE.fullmatch(name)) else name for name in axes]
    if up is not None:
        allowed = [sign + letter for letter in letters for sign in "+-"]
        read("up", up, TEXT)
        up = read("up", up if up[:1] in ("+", "-") else f"+{up}", choice(*allowed))
        sign, axis = (1 if up[0] == "+" else -1), letters.index(up[1:])
    else:
        down = [k for k, name in enumerate(axes) if "down" in name.lower()]
        upward = [k for k, name in enumerate(axes) if "up" in name.lower().split("_")]
        axis = (down or upward or [len(axes) - 1])[0]
        sign = -1 if down else 1
    others = [k for k in range(len(axes)) if k != axis]
    turn = np.zeros((len(axes), len(axes)))
    for place, k in enumerate([*others, axis]):
        turn[k, place] = 1
    turn[axis, -1] = sign
    if len(axes) == 3 and np.linalg.det(turn) < 0:
        turn[others[-1], 1] *= -1  # no mirror image: a cable's twist has a sign
    return turn


def _chosen(
    rows: list[dict[str, str]], names: list[str], trial: str, where: Mapping[str, str]
) -> dict[str, list[tuple[int, dict[str, str]]]]:
    """Rows and their numbers, by trial."""
    for name in where:
        if name not in names:
            raise StrandError(f"where: got the column {name!r}, allowed: {', '.join(names)}")
    numbered = [
        (number, row)
        for number, row in enumerate(rows, start=2)
        if all(row[name] == value for name, value in where.items())
    ]
    if not numbered:
        wanted = ", ".join(f"{name}={value}" for name, value in where.items())
        raise StrandError(f"where: got {wanted}, which no row has, allowed: values of the file")
    for name in names:
        values = sorted({row[name] or "" for _, row in numbered})
        if name != trial and len(values) > 1 and not any(_is_number(value) for value in values):
            shown = ", ".join(values[:5])
            raise StrandError(f"where: got rows with {name} = {shown}, allowed: choose one")
    groups: dict[str, list[tuple[int, dict[str, str]]]] = {}
    for number, row in numbered:
        groups.setdefault(row[trial] if trial in names else "", []).append((number, row))
    return groups


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _numbers(group: list[tuple[int, dict[str, str]]], axes: list[str]) -> np.ndarray:
    values = []
    for number, row in group:
        for name in axes:
            cell = row[name]
            if cell is None or not _is_number(cell) or not np.isfinite(float(cell)):
                got = "nothing" if not cell else repr(cell)
                raise StrandError(f"row {number}, {name}: got {got}, allowed: a finite number")
            values.append(float(cell))
    return np.array(values).reshape(-1, len(axes))


def _crossing(points: np.ndarray) -> tuple[int, int] | None:
    """The first two links (their first points) of a planar polyline that cross, if any.

    Crossings that enclose a short loop are left out: they are noise.
    """
    a, d = points[:-1], np.diff(points, axis=0)
    apart = a[None] - a[:, None]

    def cross(u: np.ndarray, v: np.ndarray) -> np.ndarray:
        return u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]

    turn = cross(d[:, None], d[None])
    with np.errstate(divide="ignore", invalid="ignore"):
        along, across = cross(apart, d[None]) / turn, cross(apart, d[:, None]) / turn
    inside = (along > 0) & (along < 1) & (across > 0) & (across < 1)
    sizes = np.linalg.norm(d, axis=1)
    begin = np.cumsum(sizes) - sizes
    with np.errstate(invalid="ignore"):
        loop = begin[None] + across * sizes[None] - begin[:, None] - along * sizes[:, None]
        pairs = np.argwhere(inside & (loop > _LOCAL * sizes.sum()))
    return (int(pairs[0][0]), int(pairs[0][1])) if len(pairs) else None
