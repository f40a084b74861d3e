"""A soft arm of two limbs that follows measured curvatures (DisMech, real2sim).

Calibration: for every measured pair of mean curvatures, find the natural bending angles of the
limbs (rad in total, distributed evenly over the joints) that give this pair in equilibrium, to
2.5e-3 in the sum of both deviations. The method is the original's: gradient descent on that sum by
forward differences; the step is halved whenever the sum grows; each pair starts from the angles of
the one before.
Then the arm moves with the angles found, linearly interpolated in time, with damping.

The measured pairs are not part of the package: `--data DIR` reads DIR/target_kappas.csv (rows of
two curvatures; rows with nan are skipped) and, if it exists, DIR/solved_phis.csv with the angles
that the authors found. Without `--data` the model makes the pairs itself, from angles that vary as
widely, so that the solution is known.
"""

from pathlib import Path

import numpy as np

from strand.draw.report import Report
from strand.errors import StrandError
from strand.io.tables import read_table
from strand.simulation import Network, Rod, Simulation
from strand_studies.published.figures import PUBLISHED, Progress, figure
from strand_studies.published.frames import Frames

LIMB, NODES, RADIUS = 0.075, 25, 0.01  # m, 1, m
YOUNG, DENSITY, GRAVITY, DAMPING = 1.793e6, 1240.0, 9.8, 7.0  # Pa, kg/m^3, m/s^2, Pa s
PROBE = 6  # edges between the nodes whose angle is measured
STEP, RATE, START = 0.005, 0.1, (-0.52, 0.0)  # rad, 1, rad
TOLERANCE, MOST = 2.5e-3, 200  # of the sum of deviations; iterations
FIRST, LAST = 1.5, 11.5  # s: times of the first and the last pair
DURATION, PUBLISHED_DT, REDUCED_DT = 11.6, 1e-4, 2e-3  # s
SYNTHETIC = 169  # number of pairs, the same as measured


def run(
    full: bool = False,
    progress: Progress = None,
    frames: Frames | None = None,
    data: Path | None = None,
) -> Report:
    """Calibrates all pairs, then moves the arm; `full`: at the published step, not a longer one."""
    frames = frames or Frames()
    arm = Arm(REDUCED_DT, damping=0.0)
    targets, known, words = measured(data) if data else synthetic(arm)
    found, rows = calibrate(arm, targets, progress)
    if known is not None:
        apart = np.degrees(np.abs(found - known[: len(found)])).max()
        source = "the authors' angles" if data else "the angles they were made from"
        rows.append(figure("largest difference of an angle", apart, "deg", 0.0, source))
    if progress:
        progress("motion")
    rows += replay(targets, found, PUBLISHED_DT if full else REDUCED_DT, frames)
    return Report("real2sim", "Real to sim", rows, note=words)


class Arm:
    """Two limbs in line, clamped at the first edge, in the x-z plane."""

    def __init__(self, dt: float, damping: float) -> None:
        network = Network()
        nodes = np.zeros((NODES, 3))
        nodes[:, 0] = np.linspace(0, LIMB, NODES)
        material = {"young": YOUNG, "radius": RADIUS, "density": DENSITY}
        self.limbs = [network.rod(nodes + np.array([k * LIMB, 0, 0]), **material) for k in range(2)]
        network.connect(self.limbs[0], -1, self.limbs[1], 0)
        self.simulation = Simulation(
            network,
            dt=dt,
            method="backward_euler",
            gravity=(0, 0, -GRAVITY),
            viscosity=damping,
            plane="xz",
            **PUBLISHED,
        )
        self.simulation.fix_edge(self.limbs[0].edges[0])

    def actuate(self, angles: np.ndarray) -> None:
        """Sets the natural bending angle of each limb (rad); down is negative."""
        for limb, angle in zip(self.limbs, angles, strict=True):
            bend = 2 * np.tan(angle / (NODES - 1) / 2)
            self.simulation.set_natural_curvature(limb.joints, (-bend, 0))

    def rest(self, angles: np.ndarray) -> np.ndarray:
        """The curvatures in equilibrium with these natural angles."""
        self.actuate(angles)
        self.simulation.solve()
        return self.curvatures()

    def curvatures(self) -> np.ndarray:
        """Mean of 2 t x t' / (1 + t . t') over three points of each limb; down is negative."""
        return np.array([self._curvature(limb) for limb in self.limbs])

    def _curvature(self, limb: Rod) -> float:
        tangents = np.diff(self.simulation.positions[limb.nodes][::PROBE], axis=0)
        tangents /= np.linalg.norm(tangents, axis=1)[:, None]
        before, after = tangents[:-1], tangents[1:]
        across = before[:, 0] * after[:, 2] - before[:, 2] * after[:, 0]
        return float(np.mean(2 * across / (1 + np.sum(before * after, axis=1))))


def measured(data: Path) -> tuple[np.ndarray, np.ndarray | None, str]:
    """Targets, the authors' angles (rad; None without their file), and a note on the source.

    Raises StrandError if a file cannot be read or has the wrong columns.
    """
    path = data / "target_kappas.csv"
    try:
        targets = np.loadtxt(path, delimiter=",", ndmin=2)
    except (OSError, ValueError) as error:
        raise StrandError(f"{path}: {error}") from None
    if targets.shape[1] != 2:
        raise StrandError(f"{path}: got {targets.shape[1]} columns, allowed: 2")
    targets = targets[np.isfinite(targets).all(axis=1)]
    if not len(targets):
        raise StrandError(f"{path}: got no row of numbers, allowed: one or more")
    solved, known = data / "solved_phis.csv", None
    if solved.exists():
        table = read_table(solved)
        if len(table.columns) < 5 or len(table.values) < len(targets):
            raise StrandError(f"{solved}: got {table.values.shape}, allowed: a row per target, 5")
        known = np.radians(table.values[:, [2, 4]])
    return targets, known, f"{len(targets)} measured pairs from {path}"


def synthetic(arm: Arm) -> tuple[np.ndarray, np.ndarray, str]:
    """Targets made by the model itself, angles (rad) that vary like the measured ones, and a note.

    The targets are the curvatures in equilibrium with these angles.
    """
    phase = np.linspace(0, 4 * np.pi, SYNTHETIC)
    angles = np.column_stack([-0.55 - 0.1 * np.sin(phase), -0.15 + 0.3 * np.cos(0.7 * phase)])
    targets = np.array([arm.rest(pair) for pair in angles])
    return targets, angles, f"{SYNTHETIC} synthetic pairs, made by the model (no --data)"


def calibrate(arm: Arm, targets: np.ndarray, progress: Progress) -> tuple[np.ndarray, list[dict]]:
    """The angles found (rad), and figures of their accuracy and of the iterations."""
    angles, found, left, counts = np.array(START), [], [], []
    for k, target in enumerate(targets):
        if progress:
            progress(f"pair {k + 1} of {len(targets)}")
        angles, deviation, count = descend(arm, target, angles)
        found.append(angles)
        left.append(deviation)
        counts.append(count)
    missed = sum(deviation >= TOLERANCE for deviation in left)
    return np.array(found), [
        figure("pairs not reached", missed, f"of {len(targets)}", 0, "DisMech's tolerance", 0),
        figure("largest deviation of a pair", max(left), "1", 0.0, "target", TOLERANCE),
        figure("most iterations for a pair", max(counts), "1"),
    ]


def descend(arm: Arm, target: np.ndarray, angles: np.ndarray) -> tuple[np.ndarray, float, int]:
    """Gradient descent for one pair: angles (rad), remaining deviation, iterations."""

    def deviation(angles: np.ndarray) -> float:
        return float(np.abs(arm.rest(angles) - target).sum())

    rate, now = RATE, deviation(angles)
    for count in range(MOST):
        if now < TOLERANCE:
            return angles, now, count
        ahead = [deviation(angles + step) for step in STEP * np.eye(2)]
        angles = angles - rate * (np.array(ahead) - now) / STEP
        before, now = now, deviation(angles)
        if now > before:
            rate /= 2
    return angles, now, MOST


def replay(targets: np.ndarray, angles: np.ndarray, dt: float, frames: Frames) -> list[dict]:
    """Moves the arm with the angles found; figures of its deviation from the targets."""
    times = np.linspace(FIRST, LAST, len(targets))
    arm = Arm(dt, DAMPING)
    simulation = arm.simulation
    simulation.drive(
        lambda time: arm.actuate([np.interp(time, times, column) for column in angles.T])
    )
    arm.rest(angles[0])
    watch = frames.at("real2sim", (dt, 3, 5, 7, 9, 11))
    due, apart = list(range(len(times))), []

    def each(simulation: Simulation) -> None:
        watch(simulation)
        while due and simulation.time >= times[due[0]] - dt / 2:
            apart.append(np.abs(arm.curvatures() - targets[due.pop(0)]).sum())

    simulation.run(DURATION, each)
    at = f"moving, dt {dt:g} s:"
    return [
        figure(f"{at} mean deviation from the pairs", np.mean(apart), "1"),
        figure(f"{at} largest deviation", np.max(apart), "1"),
        figure(f"{at} tip x at the end", simulation.positions[-1, 0], "m"),
        figure(f"{at} tip z at the end", simulation.positions[-1, 2], "m"),
    ]
