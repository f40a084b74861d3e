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

    nodes: number of points along the cable; a cable with another number of nodes is interpolated
    between them, as the lengths of some scenes vary. Default: all of them.
    """

    def __init__(
        self, model: mujoco.MjModel, data: mujoco.MjData, task: Task, nodes: int | None = None
    ) -> None:
        self._model, self._data, self._bodies = model, data, task.bodies
        self._sites = _node_sites(model)
        self.nodes = nodes or len(self._sites)
        self._hands = [Hand.find(model, name) for name in _hands(model)]
        self._goal = np.zeros((0, 0)) if task.goal is None else task.goal(model, data).copy()

    def read(self) -> Observation:
        """The observation of the present state. Places in `data` are brought up to date."""
        # mj_step ends with new positions, but places and velocities of the time step before.
        mujoco.mj_kinematics(self._model, self._data)
        mujoco.mj_comPos(self._model, self._data)
        mujoco.mj_comVel(self._model, self._data)
        parts = {
            "cable": self._along(self._data.site_xpos[self._sites]),
            "cable_velocity": self._along(self._node_velocities()),
            "motors": self._motors(),
            "hands": np.array([self._hand(hand) for hand in self._hands]),
            "bodies": np.array([self._body(name) for name in self._bodies]),
            "goal": self._goal,
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
        """Values (n, 3) at the nodes, at `nodes` points evenly along them."""
        if len(values) == self.nodes:
            return values
        wanted = np.linspace(0, len(values) - 1, self.nodes)
        return np.column_stack([np.interp(wanted, np.arange(len(values)), v) for v in values.T])

    def _node_velocities(self) -> np.ndarray:
        kind = mujoco.mjtObj.mjOBJ_SITE
        return np.array([self._velocity(kind, site)[3:] for site in self._sites])

    def _velocity(self, kind: mujoco.mjtObj, index: int) -> np.ndarray:
        """Angular velocity (rad/s), then velocity (m/s), in world axes."""
        found = np.zeros(6)
        mujoco.mj_objectVelocity(self._model, self._data, kind, index, found, 0)
        return found

    def _motors(self) -> np.ndarray:
        data = self._data
        return np.column_stack([data.actuator_length, data.actuator_velocity, data.actuator_force])

    def _hand(self, hand: Hand) -> list[float]:
        yaw, closed = hand.yaw(self._data), self._data.joint(f"{hand.name}_left").qpos[0]
        return [*hand.place(self._data), np.cos(yaw), np.sin(yaw), gripper.OPEN - closed]

    def _body(self, name: str) -> np.ndarray:
        body = self._data.body(name)
        velocity = self._velocity(mujoco.mjtObj.mjOBJ_XBODY, body.id)
        return np.concatenate([body.xpos, body.xquat, velocity[3:], velocity[:3]])


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
