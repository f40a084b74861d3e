"""Joint angles of an arm for a pose of a site, within the joints' limits (with `mink`)."""

import dataclasses
from collections.abc import Sequence
from types import ModuleType

import mujoco
import numpy as np

from strand.errors import StrandError
from strand.io import options
from strand.robots.arm import Arm, find_arm, start_of

LEVER = 0.3  # m: a rad of the hand's turn counts as much as this displacement
STEP = 0.4  # rad or m: the most that a joint moves in an iteration
STALLED = 1e-10  # rad or m: an iteration that moves no joint further than this is the last
ITERATIONS = 200
DAMPING = 1e-9  # of the QP, which is singular where the arm is


@dataclasses.dataclass(frozen=True, eq=False)
class Reached:
    """Joint angles at which an arm holds a site in a pose."""

    joints: tuple[str, ...]  #: names
    angles: np.ndarray  #: rad (slides: m), (joints,)
    qpos: np.ndarray  #: of the whole model, (nq,): as at the start but for the arm's joints
    position_error: float  #: m
    angle_error: float  #: rad; 0 if no orientation was asked for
    iterations: int


def reach(
    model: mujoco.MjModel,
    site: str,
    pos: Sequence[float],
    quat: Sequence[float] | None = None,
    *,
    start: Sequence[float] | np.ndarray | None = None,
    joints: Sequence[str] | None = None,
    position_tolerance: float = 1e-6,
    angle_tolerance: float = 1e-5,
    attempts: int = 20,
) -> Reached:
    """Joint angles that bring a site to a pose, each within its limits.

    model: the arm, alone or in a scene; what is not between the world and the site stays as it is.
    site: name of a site on the arm's hand.
    pos, quat: the pose in world axes (m; w x y z). Without quat any orientation will do.
    start: qpos (nq,) to start from (default: qpos0); of several solutions a near one is found.
    joints: names of the joints that may move (default: all hinges and slides that move the site).
    position_tolerance, angle_tolerance: largest remaining errors (m, rad).
    attempts: starts that are tried, after the first one random ones within the limits, always the
        same ones. With 1 the solution is the one that continues `start`.

    Raises StrandError if an argument is invalid or if no attempt reaches the pose; it then names
    the remaining distance and angle. Raises ImportError if mink is not installed.
    """
    arm = find_arm(model, site, joints)
    goal = read_pose(pos, quat)
    first = arm.clipped(start_of(model, start))
    position_tolerance = options.read(
        "position_tolerance", position_tolerance, options.positive("m")
    )
    angle_tolerance = options.read("angle_tolerance", angle_tolerance, options.positive("rad"))
    attempts = options.read("attempts", attempts, options.count(1))
    solver, random = Solver(arm), np.random.default_rng(0)
    nearest: Reached | None = None
    for attempt in range(attempts):
        qpos = first.copy()
        if attempt:
            qpos[arm.qpos] = random.uniform(*arm.range.T)
        found = solver.solve(qpos, goal)
        if found.position_error <= position_tolerance and found.angle_error <= angle_tolerance:
            return found
        if nearest is None or _distance(found) < _distance(nearest):
            nearest = found
    assert nearest is not None
    raise _out_of_reach(arm, goal, nearest)


@dataclasses.dataclass(frozen=True, eq=False)
class Pose:
    """A pose in world axes."""

    pos: np.ndarray  #: m, (3,)
    quat: np.ndarray | None  #: w x y z, unit length; None: any orientation


def read_pose(pos: Sequence[float], quat: Sequence[float] | None) -> Pose:
    """The pose, checked. Raises StrandError."""
    place = np.array(options.read("pos", pos, options.vector(3, "m")))
    if quat is None:
        return Pose(place, None)
    turn = np.array(options.read("quat", quat, options.vector(4, "w x y z, not all zero")))
    if not np.linalg.norm(turn) > 0:
        raise StrandError(f"quat: got {quat!r}, allowed: four numbers, not all zero")
    return Pose(place, turn / np.linalg.norm(turn))


class Solver:
    """Gauss-Newton steps of an arm towards a pose, with the joints' limits as constraints."""

    def __init__(self, arm: Arm) -> None:
        self.arm = arm
        self.mink = import_mink()
        self.configuration = self.mink.Configuration(arm.model)
        slower = self.mink.VelocityLimit(arm.model, dict.fromkeys(arm.names, STEP))
        self.limits = [self.mink.ConfigurationLimit(arm.model), slower]

    def solve(self, qpos: np.ndarray, goal: Pose) -> Reached:
        """The nearest pose that the iteration finds from `qpos` on."""
        task = self._task(goal)
        self.configuration.update(qpos)
        iterations, step = 0, np.full(self.arm.model.nv, np.inf)
        while iterations < ITERATIONS and np.abs(step).max() > STALLED:
            step = self._step(task)
            self.configuration.integrate_inplace(step, 1.0)
            iterations += 1
        qpos = self.arm.clipped(self.configuration.q)
        self.configuration.update(qpos)
        errors = self._errors(goal)
        return Reached(self.arm.names, qpos[self.arm.qpos], qpos, *errors, iterations)

    def _task(self, goal: Pose) -> object:
        name, lever = self.arm.model.site(self.arm.site).name, 0.0 if goal.quat is None else LEVER
        task = self.mink.FrameTask(name, "site", position_cost=1.0, orientation_cost=lever)
        quat = np.array([1.0, 0, 0, 0]) if goal.quat is None else goal.quat
        task.set_target(self.mink.SE3(np.concatenate([quat, goal.pos])))
        return task

    def _step(self, task: object) -> np.ndarray:
        """Motion of all degrees of freedom, (nv,): zero but for the arm's."""
        import qpsolvers

        whole = self.mink.build_ik(self.configuration, [task], 1.0, DAMPING, self.limits)
        dofs = self.arm.dofs
        rows = np.any(whole.G[:, dofs] != 0, axis=1)  # limits of the arm's joints
        problem = qpsolvers.Problem(
            whole.P[np.ix_(dofs, dofs)], whole.q[dofs], whole.G[np.ix_(rows, dofs)], whole.h[rows]
        )
        solution = qpsolvers.solve_problem(problem, solver="daqp")
        step = np.zeros(self.arm.model.nv)
        if solution.found:
            step[dofs] = solution.x
        return step

    def _errors(self, goal: Pose) -> tuple[float, float]:
        """Distance (m) and angle (rad) between the site and its goal."""
        data = self.configuration.data
        apart = float(np.linalg.norm(data.site_xpos[self.arm.site] - goal.pos))
        if goal.quat is None:
            return apart, 0.0
        quat, turn = np.empty(4), np.empty(3)
        mujoco.mju_mat2Quat(quat, data.site_xmat[self.arm.site])
        mujoco.mju_subQuat(turn, quat, goal.quat)
        return apart, float(np.linalg.norm(turn))


def import_mink() -> ModuleType:
    """The module mink. Raises ImportError, which says what to install, if it is missing."""
    try:
        import mink
        import qpsolvers
    except ImportError as error:
        if error.name not in ("mink", "qpsolvers"):
            raise
        raise ImportError(
            "strand.robots needs mink, which is not installed: "
            'pip install "qpsolvers[daqp]" && pip install --no-deps mink',
            name=error.name,
        ) from None
    if "daqp" not in qpsolvers.available_solvers:
        raise ImportError("strand.robots needs daqp: pip install daqp", name="daqp")
    return mink


def _distance(found: Reached) -> float:
    return found.position_error + LEVER * found.angle_error


def _out_of_reach(arm: Arm, goal: Pose, nearest: Reached) -> StrandError:
    site = arm.model.site(arm.site).name
    asked = f"pos {np.round(goal.pos, 6).tolist()}"
    missed = f"{1e3 * nearest.position_error:.3g} mm"
    if goal.quat is not None:
        asked += f", quat {np.round(goal.quat, 6).tolist()}"
        missed += f" and {np.degrees(nearest.angle_error):.3g} degrees"
    stopped = arm.at_limits(nearest.qpos)
    limits = f", with {', '.join(stopped)} at a limit" if stopped else ""
    return StrandError(
        f"pose: got {asked}, allowed: a pose that {site!r} reaches within the limits of the joints"
        f" (the nearest one found is {missed} away{limits})"
    )
