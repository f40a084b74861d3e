"""Motions of an arm: its hand along straight lines from pose to pose, within the joints' speeds."""

import dataclasses
from collections.abc import Sequence

import mujoco
import numpy as np

from strand.errors import StrandError
from strand.io import options
from strand.robots.arm import Arm, find_arm, start_of
from strand.robots.inverse import LEVER, Reached, reach

JUMP = 0.5  # rad or m: more than a joint may move from one waypoint to the next
PEAK = 15 / 8  # largest speed of the ramp 10 s^3 - 15 s^4 + 6 s^5 over its mean


@dataclasses.dataclass(frozen=True, eq=False)
class Motion:
    """Joint angles in time. The arm starts and stops smoothly and stops nowhere between."""

    joints: tuple[str, ...]  #: names
    times: np.ndarray  #: s, (steps,), from 0 on
    angles: np.ndarray  #: rad (slides: m), (steps, joints)
    qpos: np.ndarray  #: of the whole model at the end, (nq,)

    @property
    def duration(self) -> float:
        """s"""
        return float(self.times[-1])

    def at(self, time: float) -> np.ndarray:
        """The angles at a time (s), (joints,); those of the ends before and after the motion."""
        return np.array([np.interp(time, self.times, column) for column in self.angles.T])


def follow(
    model: mujoco.MjModel,
    site: str,
    pos: Sequence[Sequence[float]] | np.ndarray,
    quat: Sequence[float] | Sequence[Sequence[float]] | np.ndarray | None = None,
    *,
    start: Sequence[float] | np.ndarray | None = None,
    joints: Sequence[str] | None = None,
    speeds: float | Sequence[float] | None = None,
    seconds: float | None = None,
    timestep: float = 0.01,
    spacing: float = 0.01,
) -> Motion:
    """A motion that brings a site through poses, along straight lines, from its pose at `start`.

    model, site, joints: as in `reach`.
    pos: m, (poses, 3). quat: w x y z, (poses, 4), or one for all; None: the orientation that the
        site has at `start`. Orientations turn at a constant rate about a fixed axis in between.
    start: qpos (nq,) at the beginning, with the arm within its limits (default: qpos0).
    speeds: largest speed of each joint (rad/s or m/s), one for all, or from the world outwards;
        default: the first number of the joints' attribute `user`.
    seconds: duration; default: the shortest that the speeds allow.
    timestep: s, between the rows of the result. spacing: m, at most, between the waypoints at
        which the joint angles are computed; in between they are linear in each other.

    Raises StrandError if an argument is invalid, a waypoint is out of reach, the arm would have to
    jump between two waypoints, or `seconds` is too short (it names the shortest time).
    """
    arm = find_arm(model, site, joints)
    first = start_of(model, start)
    most = _speeds(arm, speeds)
    timestep = options.read("timestep", timestep, options.positive("s"))
    spacing = options.read("spacing", spacing, options.positive("m"))
    wanted = options.read("seconds", seconds, options.optional(options.positive("s")))
    begin, turn = _pose_of(arm, first)
    places, turns = _waypoints(begin, turn, *_poses(pos, quat, turn), spacing)
    angles, last = _track(arm, first, places, turns, joints)
    return _timed(arm, angles, last, most, wanted, timestep)


def _poses(pos: object, quat: object, turn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Positions (n, 3) and unit quaternions (n, 4). Raises StrandError."""
    places = options.read("pos", pos, options.REALS)
    if places.ndim != 2 or places.shape[1] != 3 or not len(places) or not np.isfinite(places).all():
        raise StrandError(
            f"pos: got shape {places.shape}, allowed: (poses, 3), one or more, finite (m)"
        )
    given = turn if quat is None else options.read("quat", quat, options.REALS)
    turns = (
        np.broadcast_to(given, (len(places), 4)) if given.ndim == 1 and len(given) == 4 else given
    )
    norms = np.linalg.norm(turns, axis=-1)
    if turns.shape != (len(places), 4) or not np.isfinite(turns).all() or not np.all(norms > 0):
        raise StrandError(
            f"quat: got shape {given.shape}, allowed: 4 finite numbers (w x y z, not all zero), "
            f"or such a row for each of the {len(places)} poses"
        )
    return places, turns / norms[:, None]


def _speeds(arm: Arm, speeds: float | Sequence[float] | None) -> np.ndarray:
    count, user = len(arm.joints), arm.model.jnt_user[arm.joints]
    if speeds is None and user.shape[1] and np.all(user[:, 0] > 0):
        return user[:, 0]
    given = np.atleast_1d(options.read("speeds", [] if speeds is None else speeds, options.REALS))
    fits = given.shape in ((1,), (count,)) and np.all(given > 0) and np.isfinite(given).all()
    if not fits:
        raise StrandError(
            f"speeds: got {speeds!r}, allowed: one number > 0 (rad/s or m/s) or {count}, for "
            f"{', '.join(arm.names)}; or none, if the joints have their speeds as attribute user"
        )
    return np.broadcast_to(given, count)


def _pose_of(arm: Arm, qpos: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Position and quaternion of the site. Raises StrandError if qpos is beyond a limit."""
    outside = np.abs(arm.clipped(qpos) - qpos)[arm.qpos]
    if outside.max() > 1e-9:
        name, worst = arm.names[outside.argmax()], arm.joints[outside.argmax()]
        low, high = arm.model.jnt_range[worst]
        value = qpos[arm.model.jnt_qposadr[worst]]
        raise StrandError(f"start: got {name} = {value:g}, allowed: {low:g} to {high:g}")
    data = mujoco.MjData(arm.model)
    data.qpos[:] = qpos
    mujoco.mj_kinematics(arm.model, data)
    quat = np.empty(4)
    mujoco.mju_mat2Quat(quat, data.site_xmat[arm.site])
    return data.site_xpos[arm.site].copy(), quat


def _waypoints(
    begin: np.ndarray, turn: np.ndarray, places: np.ndarray, turns: np.ndarray, spacing: float
) -> tuple[np.ndarray, np.ndarray]:
    """Positions and quaternions along the lines, without the first pose."""
    from scipy.spatial.transform import Rotation, Slerp

    corners = np.vstack([begin, places])
    rotations = Rotation.from_quat(np.vstack([turn, turns]), scalar_first=True)
    apart = np.linalg.norm(np.diff(corners, axis=0), axis=1)
    turned = LEVER * (rotations[:-1].inv() * rotations[1:]).magnitude()
    counts = np.maximum(1, np.ceil(np.maximum(apart, turned) / spacing)).astype(int)
    stops = np.concatenate([k + np.arange(1, count + 1) / count for k, count in enumerate(counts)])
    index = np.arange(len(corners))
    lines = np.column_stack([np.interp(stops, index, column) for column in corners.T])
    return lines, Slerp(index, rotations)(stops).as_quat(scalar_first=True)


def _track(
    arm: Arm,
    first: np.ndarray,
    places: np.ndarray,
    turns: np.ndarray,
    joints: Sequence[str] | None,
) -> tuple[np.ndarray, np.ndarray]:
    """Angles at the start and at every waypoint, each continuing the one before; the last qpos."""
    site, qpos, angles = arm.model.site(arm.site).name, first, [first[arm.qpos]]
    for k, (place, turn) in enumerate(zip(places, turns, strict=True)):
        try:
            found: Reached = reach(
                arm.model, site, place, turn, start=qpos, joints=joints, attempts=1
            )
        except StrandError as error:
            raise StrandError(f"waypoint {k + 1} of {len(places)}: {error}") from None
        moved = np.abs(found.angles - angles[-1])
        if moved.max() > JUMP:
            raise StrandError(
                f"waypoint {k + 1} of {len(places)}: {arm.names[moved.argmax()]} would jump by "
                f"{moved.max():.3g}, allowed: at most {JUMP:g} (rad or m); choose another start"
            )
        angles.append(found.angles)
        qpos = found.qpos
    return np.array(angles), qpos


def _timed(
    arm: Arm,
    angles: np.ndarray,
    last: np.ndarray,
    speeds: np.ndarray,
    wanted: float | None,
    timestep: float,
) -> Motion:
    """The waypoints in time: at each moment one joint at least is as fast as the ramp allows."""
    spans = np.max(np.abs(np.diff(angles, axis=0)) / speeds, axis=1)
    clock = np.concatenate([[0.0], np.cumsum(spans)])  # s at full speed
    shortest = PEAK * clock[-1]
    if wanted is not None and wanted < shortest:
        raise StrandError(f"seconds: got {wanted:g}, allowed: {shortest:.4g} at least")
    duration = wanted or shortest
    times = np.linspace(0.0, duration, 1 + max(1, int(np.ceil(duration / timestep))))
    s = times / duration if duration else times
    ramp = clock[-1] * s**3 * (10 - 15 * s + 6 * s**2)
    rows = np.column_stack([np.interp(ramp, clock, column) for column in angles.T])
    return Motion(arm.names, times, rows, last)
