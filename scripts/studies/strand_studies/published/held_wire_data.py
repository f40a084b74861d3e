"""The held wires as recorded: the scene, the real points, the peer's simulation, and the errors.

The data are those of the authors' repository (qj25/adapteddlo_muj, MIT licence, Copyright (c) 2024
qjchen). The third wire, red, is not among them.
"""

import csv
import dataclasses
import os
from pathlib import Path

import numpy as np
from scipy.optimize import brentq
from scipy.spatial.transform import Rotation

from strand.errors import StrandError, reason

LENGTH, RADIUS, POINTS = 0.4, 0.003, 11  # m, m, 1
CLAMP, READY = (0.785, 0.0, 0.3), (0.385, 0.0, 0.3)  # m: the ends of the straight wire


@dataclasses.dataclass(frozen=True)
class Wire:
    """A wire with the stiffness that the authors identified (their `adapt`)."""

    name: str
    EI: float  #: N m^2
    GJ: float  #: N m^2
    line_density: float  #: kg/m
    least_EI: float  #: N m^2: the smallest of the five trials
    most_EI: float  #: N m^2


@dataclasses.dataclass(frozen=True)
class HeldPose:
    """A pose of the hand, and the turn of the clamp."""

    pos: tuple[float, float, float]  #: m
    turned: tuple[float, float, float]  #: degrees: rotation vector in the frame of the tool
    clamp_turn: float  #: degrees about x

    @property
    def rotation(self) -> Rotation:
        """Of the site "grip", whose axes are the world's when the arm is ready."""
        return _TOOL * Rotation.from_rotvec(self.turned, degrees=True) * _TOOL.inv()

    @property
    def quat(self) -> np.ndarray:
        """The same as a quaternion (w x y z)."""
        return self.rotation.as_quat(scalar_first=True)

    def moved(self, pos: np.ndarray, quat: np.ndarray) -> "HeldPose":
        """The same turn of the clamp with another pose (m; w x y z) of the grip."""
        tool = _TOOL.inv() * Rotation.from_quat(quat, scalar_first=True) * _TOOL
        return HeldPose(tuple(pos), tuple(tool.as_rotvec(degrees=True)), self.clamp_turn)


_TOOL = Rotation.from_euler("y", 90, degrees=True)  # of the tool, whose axis is its z, when ready

WIRES = (
    Wire("white", 1.2166296e-4, 1.0015808e-4, 0.0174, 1.1415896e-4, 1.2716112e-4),
    Wire("black", 1.1964507e-3, 1.7491080e-3, 0.079 / 2.98, 9.4505393e-4, 1.4311439e-3),
)
POSES = (
    HeldPose((0.55, -0.1, 0.15), (30, -40, 0), 360),
    HeldPose((0.445, 0.0, 0.3), (0, 0, 0), -720),
    HeldPose((0.55, 0.1, 0.4), (50, 10, 0), 360),
    HeldPose((0.55, 0.1, 0.4), (50, 20, -10), -720),
)


@dataclasses.dataclass(frozen=True, eq=False)
class Recording:
    """Points by wire and pose, and the robot's joint angles."""

    real: dict[tuple[str, int], np.ndarray]  #: m, (11, 3): x right, y depth, z up
    peer: dict[tuple[str, int], np.ndarray]  #: m, (51, 3): world axes, from the clamp on
    sent: dict[str, np.ndarray]  #: rad, (6,), sent to the robot, by pose ("init": the first)


def folder_of(data: Path | None) -> Path | None:
    """The given directory, else wires/ in the one that STRAND_DATA names, else None."""
    directory = os.environ.get("STRAND_DATA")
    return data or (Path(directory) / "wires" if directory else None)


def read(folder: Path) -> Recording:
    """Reads poses3d_real.csv, poses3d_sim_of_peer.csv and robot_joint_angles.csv.

    Raises StrandError if a file cannot be read or lacks a column.
    """
    real = _rows(folder / "poses3d_real.csv")
    peer = _rows(folder / "poses3d_sim_of_peer.csv")
    robot = _rows(folder / "robot_joint_angles.csv")
    try:
        ours = [row for row in peer if (row["set"], row["model"]) == ("plugin", "adapt")]
        angles = ("j1", "j2", "j3", "j4", "j5", "flange")
        return Recording(
            _points(real, ("x_m", "y_depth_m", "z_up_m")),
            _points(ours, ("x_m", "y_m", "z_m")),
            {
                row["pose"]: np.array([float(row[name]) for name in angles])
                for row in robot
                if row["source"].startswith("excel")
            },
        )
    except (KeyError, ValueError) as error:
        raise StrandError(
            f"{folder}: got files without {error}, allowed: the recorded ones"
        ) from None


def _rows(path: Path) -> list[dict[str, str]]:
    try:
        with path.open(newline="") as file:
            return list(csv.DictReader(file))
    except OSError as error:
        raise StrandError(
            f"data: got '{path}', allowed: a readable file ({reason(error)})"
        ) from None


def _points(rows: list[dict], columns: tuple[str, ...]) -> dict[tuple[str, int], np.ndarray]:
    found: dict[tuple[str, int], list] = {}
    for row in rows:
        where = found.setdefault((row["wire"], int(row["pose"])), [])
        where.append([float(row[name]) for name in columns])
    return {key: np.array(points) for key, points in found.items()}


@dataclasses.dataclass(frozen=True, eq=False)
class Errors:
    """Distances between a simulated wire and the real points."""

    scaled: float  #: mean distance over the length, real points rotated and scaled
    moved: float  #: mean distance over the length, real points only moved to the same start
    squares: float  #: m^2: the paper's Eq. (5), the mean squared distance, rotated and scaled
    simulated: np.ndarray  #: m, (11, 3): camera axes, from the clamp on
    fitted: np.ndarray  #: m, (11, 3): the real points, rotated and scaled


def compare(nodes: np.ndarray, real: np.ndarray) -> Errors:
    """Errors of simulated nodes (n, 3), from the clamp on, world axes, beside real points (11, 3).

    As the authors' script: 11 points at equal distances along the nodes; the pose of the camera is
    not known, so the real points are rotated until the line between their ends is that of the
    simulated ones, scaled along it to its length, and across it until they are as long as the wire.
    """
    length = length_of(nodes)
    simulated = resampled(nodes)
    simulated = (simulated - simulated[0]) * [-1, -1, 1]  # the camera looks along -y
    real = real - real[0]
    fitted = _fitted(real, simulated[-1], length)
    apart = np.linalg.norm(simulated - fitted, axis=1)
    moved = np.linalg.norm(simulated - real, axis=1)
    return Errors(
        float(apart.mean() / length),
        float(moved.mean() / length),
        float(np.mean(apart**2)),
        simulated,
        fitted,
    )


def apart(nodes: np.ndarray, others: np.ndarray) -> float:
    """Mean distance of two simulated wires over the length, without moving them."""
    off = np.linalg.norm(resampled(nodes) - resampled(others), axis=1)
    return float(off.mean() / length_of(others))


def length_of(points: np.ndarray) -> float:
    return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())


def resampled(points: np.ndarray) -> np.ndarray:
    """POINTS points at equal distances along a polyline."""
    along = np.cumsum(np.concatenate([[0.0], np.linalg.norm(np.diff(points, axis=0), axis=1)]))
    places = np.linspace(0, along[-1], POINTS)
    return np.column_stack([np.interp(places, along, column) for column in points.T])


def _fitted(real: np.ndarray, ends: np.ndarray, length: float) -> np.ndarray:
    """Real points from the origin on, rotated and scaled onto the vector between the ends."""
    axis = ends / np.linalg.norm(ends)
    span = np.linalg.norm(real[-1])
    across = np.cross(real[-1] / span, axis)
    angle = np.arctan2(np.linalg.norm(across), real[-1] @ axis / span)
    turn = Rotation.from_rotvec(angle * across / max(np.linalg.norm(across), 1e-300))
    turned = turn.apply(real)
    along = np.outer(turned @ axis, axis)
    beside = turned - along
    along *= np.linalg.norm(ends) / span
    factor = brentq(lambda scale: length_of(along + scale * beside) - length, 1e-3, 1e3)
    return along + factor * beside
