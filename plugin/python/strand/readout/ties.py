"""Forces and moments of connect and weld constraints on the bodies that they join."""

from collections.abc import Iterator
from typing import NamedTuple

import mujoco
import numpy as np


class Tie(NamedTuple):
    """An active connect or weld constraint. Its wrench acts on body 0, the opposite on body 1."""

    bodies: tuple[int, int]
    points: tuple[np.ndarray, np.ndarray]  #: m, world: points of application on both bodies
    force: np.ndarray  #: N, world
    moment: np.ndarray  #: N m, world

    def wrench(self, side: int, point: np.ndarray) -> np.ndarray:
        """The wrench (6,) on body `side`: moment about `point`, then force."""
        sign = 1 - 2 * side
        lever = np.empty(3)
        mujoco.mju_cross(lever, self.points[side] - point, self.force)
        return sign * np.concatenate([self.moment + lever, self.force])


def active_ties(model: mujoco.MjModel, data: mujoco.MjData) -> Iterator[Tie]:
    """The active connect and weld constraints."""
    weld = mujoco.mjtEq.mjEQ_WELD
    rows = np.flatnonzero(data.efc_type[: data.ne] == mujoco.mjtConstraint.mjCNSTR_EQUALITY)
    ids, first = np.unique(data.efc_id[rows], return_index=True)
    for index, row in zip(ids, rows[first], strict=True):
        kind = mujoco.mjtEq(model.eq_type[index])
        if kind not in (mujoco.mjtEq.mjEQ_CONNECT, weld):
            continue
        places = _places(model, data, index)
        moment = np.zeros(3)
        if kind == weld:
            moment = _weld_moment(model, index, places, data.efc_force[row + 3 : row + 6])
        bodies, points, _ = zip(*places, strict=True)
        yield Tie(bodies, points, data.efc_force[row : row + 3].copy(), moment)


def _places(model: mujoco.MjModel, data: mujoco.MjData, index: int) -> list[tuple]:
    """Body, point and orientation (quaternion) of each side of a connect or weld."""
    places = []
    by_site = mujoco.mjtObj(model.eq_objtype[index]) == mujoco.mjtObj.mjOBJ_SITE
    numbers = model.eq_data[index]
    is_weld = mujoco.mjtEq(model.eq_type[index]) == mujoco.mjtEq.mjEQ_WELD
    for side, thing in enumerate((model.eq_obj1id[index], model.eq_obj2id[index])):
        turn, orientation = np.array([1.0, 0, 0, 0]), np.empty(4)
        if by_site:
            body, point = model.site_bodyid[thing], data.site_xpos[thing].copy()
            turn = model.site_quat[thing]
        else:
            # A weld stores the anchor in body 2 first, then the pose of body 2 relative to body 1.
            offset = numbers[3:6] if is_weld != bool(side) else numbers[0:3]
            body = thing
            point = data.xpos[body] + data.xmat[body].reshape(3, 3) @ offset
            if is_weld and side == 0:
                turn = numbers[6:10]
        mujoco.mju_mulQuat(orientation, data.xquat[body], turn)
        places.append((int(body), point, orientation))
    return places


def _weld_moment(
    model: mujoco.MjModel, index: int, places: list[tuple], force: np.ndarray
) -> np.ndarray:
    """The moment on body 1, from the weld's three rotational multipliers.

    Their residual is s vec(p* q), with the orientations q and p and s = torquescale. A rotation of
    body 1 by w changes it by s vec(p* w q) / 2.
    """
    (_, _, q), (_, _, p) = places
    inverse, half, change = np.empty(4), np.empty(4), np.empty(4)
    mujoco.mju_negQuat(inverse, p)
    moment = np.empty(3)
    for axis in range(3):
        mujoco.mju_mulQuatAxis(half, inverse, np.eye(3)[axis])
        mujoco.mju_mulQuat(change, half, q)
        moment[axis] = model.eq_data[index][10] / 2 * (change[1:] @ force)
    return moment
