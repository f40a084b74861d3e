"""Observations: what a policy sees of a scene, SI units, float32.

| part           | shape   | rows                                                               |
|----------------|---------|--------------------------------------------------------------------|
| cable          | (n, 3)  | places (m) of the cable's nodes                                    |
| cable_velocity | (n, 3)  | their velocities (m/s)                                             |
| motors         | (nu, 3) | of each actuator: way (m, rad), speed (m/s, rad/s), force (N, N m) |
| hands          | (h, 6)  | of each hand: x, y, z (m); cosine and sine of its yaw; opening (m) |
| bodies         | (b, 13) | place (m), quaternion, velocity (m/s), angular velocity (rad/s)    |
| goal           | (g, .)  | where the cable, or what it is tied to, belongs                    |

A scene without hands, bodies or a goal has no such part. All are in world axes. What the motors
tell is as old as the last time step, and zero at the start.
"""

import re

import gymnasium
import mujoco
import numpy as np

from strand.errors import StrandError
from strand_studies.learning.tasks import Task
from strand_studies.manipulation import gripper
from strand_studies.manipulation.gripper import Hand
from strand_studies.manipulation.many_worlds import State

Observation = dict[str, np.ndarray]

FARTHEST = 100.0  #: m, rad: bound of places and ways
FASTEST = 1000.0  #: m/s, rad/s: bound of velocities
STRONGEST = 1e6  #: N, N m: bound of the forces of actuators

_COLUMNS = {
    "cable": ("x", "y", "z"),
    "cable_velocity": ("vx", "vy", "vz"),
    "motors": ("way", "speed", "force"),
    "hands": ("x", "y", "z", "cos_yaw", "sin_yaw", "opening"),
    "bodies": ("x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"),
}
_BOUNDS = {
    "cable": [FARTHEST] * 3,
    "cable_velocity": [FASTEST] * 3,
    "motors": [FARTHEST, FASTEST, STRONGEST],
    "hands": [FARTHEST] * 3 + [1.0, 1.0, FARTHEST],
    "bodies": [FARTHEST] * 3 + [1.0] * 4 + [FASTEST] * 6,
}


class Observer:
    """Reads observations of one model, whose `data` is current when the observer is made.

    sites: ids of the sites at the cable's nodes. nodes: number of points along the cable; a cable
    with another number of nodes is interpolated between them, as the lengths of some scenes vary.
    Default: all of them.
    """

    def __init__(
        self, model: mujoco.MjModel, data: mujoco.MjData, task: Task, nodes: int | None = None
    ) -> None:
        self._model, self._data, self._bodies = model, data, task.bodies
        self.sites = _node_sites(model)
        self.nodes = nodes or len(self.sites)
        self._hands = [Hand.find(model, name) for name in _hands(model)]
        self._goal = np.zeros((0, 0)) if task.goal is None else task.goal(model, data).copy()

    def read(self) -> Observation:
        """The observation of the present state. Places in `data` are brought up to date."""
        # mj_step ends with new positions, but places and velocities of the time step before.
        mujoco.mj_kinematics(self._model, self._data)
        mujoco.mj_comPos(self._model, self._data)
        mujoco.mj_comVel(self._model, self._data)
        return self.read_state(self._data)

    def read_state(self, data: State) -> Observation:
        """The observation of a state whose places and velocities are up to date.

        data: an mjData; or arrays of the same names with an axis of worlds in front, which the
        observation then has, too (only without hands).
        """
        places = data.site_xpos[..., self.sites, :]
        node_velocity, _ = self._velocities(data, places, self._model.site_bodyid[self.sites])
        parts = {
            "cable": self._along(places),
            "cable_velocity": self._along(node_velocity),
            "motors": np.stack(
                [data.actuator_length, data.actuator_velocity, data.actuator_force], axis=-1
            ),
            "hands": np.array([self._hand(hand) for hand in self._hands]),
            "bodies": self._poses(data),
            "goal": np.broadcast_to(self._goal, (*places.shape[:-2], *self._goal.shape)),
        }
        return {name: values.astype(np.float32) for name, values in parts.items() if values.size}

    def names(self) -> dict[str, list[str]]:
        """A name for each number of the flattened parts, such as cable.0.x."""
        rows = {
            "motors": [self._model.actuator(k).name for k in range(self._model.nu)],
            "hands": [hand.name for hand in self._hands],
            "bodies": list(self._bodies),
        }
        named = {}
        for part, values in self.read().items():
            first = rows.get(part, range(values.shape[0]))
            second = _COLUMNS.get(part, range(values.shape[1]))
            named[part] = [f"{part}.{row}.{column}" for row in first for column in second]
        return named

    def space(self) -> gymnasium.spaces.Dict:
        """The space of the observations: what is beyond its bounds has flown apart."""
        boxes = {}
        for part, values in self.read().items():
            bound = np.array(_BOUNDS.get(part, [FARTHEST] * values.shape[1]), dtype=np.float32)
            high = np.broadcast_to(bound, values.shape)
            boxes[part] = gymnasium.spaces.Box(-high, high, dtype=np.float32)
        return gymnasium.spaces.Dict(boxes)

    def _along(self, values: np.ndarray) -> np.ndarray:
        """Values (..., n, 3) at the nodes, at `nodes` points evenly along them."""
        count = values.shape[-2]
        if count == self.nodes:
            return values
        wanted = np.linspace(0, count - 1, self.nodes)[:, None]
        before = np.minimum(wanted.astype(int), count - 2)[:, 0]
        part = wanted - before[:, None]
        return (1 - part) * values[..., before, :] + part * values[..., before + 1, :]

    def _velocities(
        self, data: State, places: np.ndarray, bodies: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Velocities (m/s) of points of bodies, and angular velocities (rad/s), in world axes.

        places: (..., points, 3), m. bodies: (points,), their bodies. cvel of mjData has the angular
        velocity and the velocity at the centre of mass of the whole tree.
        """
        spatial = data.cvel[..., bodies, :]
        turning, centre = (
            spatial[..., :3],
            data.subtree_com[..., self._model.body_rootid[bodies], :],
        )
        return spatial[..., 3:] + np.cross(turning, places - centre), turning

    def _hand(self, hand: Hand) -> list[float]:
        yaw, closed = hand.yaw(self._data), self._data.joint(f"{hand.name}_left").qpos[0]
        return [*hand.place(self._data), np.cos(yaw), np.sin(yaw), gripper.OPEN - closed]

    def _poses(self, data: State) -> np.ndarray:
        """Poses and velocities of the bodies, (..., bodies, 13)."""
        bodies = np.array([self._model.body(name).id for name in self._bodies], dtype=int)
        places = data.xpos[..., bodies, :]
        velocity, turning = self._velocities(data, places, bodies)
        return np.concatenate([places, data.xquat[..., bodies, :], velocity, turning], axis=-1)


def _node_sites(model: mujoco.MjModel) -> np.ndarray:
    """Ids of the sites at the cable's nodes, in their order along it.

    Raises StrandError if the model has none.
    """
    found = {}
    for k in range(model.nsite):
        if match := re.fullmatch(r"cable_node(\d+)", model.site(k).name):
            found[int(match[1])] = k
    if not found:
        raise StrandError(
            "scene: got a model without sites cable_node0, 1, ..., allowed: with them"
        )
    return np.array([found[node] for node in sorted(found)])


def _hands(model: mujoco.MjModel) -> list[str]:
    names = (model.site(k).name for k in range(model.nsite))
    return [name.removesuffix("_grip") for name in names if name.endswith("_grip")]
