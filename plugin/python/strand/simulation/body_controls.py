"""What a simulation does with rigid bodies."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from strand import _strand
from strand.errors import checked
from strand.io.options import FUNCTION, choice, read, vector
from strand.simulation.addressing import Addressing
from strand.simulation.arguments import spread
from strand.simulation.body import Body, rotation_matrix


class BodyControls(Addressing):
    """The part of a Simulation that is about rigid bodies."""

    _drives: list[Callable[[float], None]]
    _set_loads: Callable[[list[int], ArrayLike], None]
    _torques: _strand.BodyTorque | None = None  #: in the core; none before the first

    def pose(self, body: Body) -> tuple[np.ndarray, np.ndarray]:
        """Its centre of mass (m), and the rotation matrix that takes its shape's axes there."""
        self.network._my_body(body)
        return body.pose(self.core.positions())

    def body_velocity(self, body: Body) -> tuple[np.ndarray, np.ndarray]:
        """Of its centre of mass (m/s), and its angular velocity (rad/s, axes of the world)."""
        arms, speeds = self._carriers(body)
        momentum = np.cross(arms, speeds).sum(axis=0)
        inertia = (arms**2).sum() * np.eye(3) - arms.T @ arms
        return speeds.mean(axis=0), np.linalg.solve(inertia, momentum)

    def set_body_velocity(
        self,
        body: Body,
        velocity: ArrayLike = (0.0, 0.0, 0.0),
        angular_velocity: ArrayLike = (0.0, 0.0, 0.0),
    ) -> None:
        """Of its centre of mass (m/s), and its angular velocity (rad/s, axes of the world).

        Nodes of rods that are attached to it go with it.
        """
        speed = np.array(read("velocity", velocity, vector(3, "m/s")))
        spin = np.array(read("angular_velocity", angular_velocity, vector(3, "rad/s")))
        centre, _ = self.pose(body)
        nodes = body.carriers + self.network.core.body(body.index).tied
        values = self.core.velocity
        at = self._node_dofs[nodes][:, None] + np.arange(3)
        values[at] = speed + np.cross(spin, self.core.positions()[nodes] - centre)
        checked(self.core.set_velocity, values)

    def load_body(self, body: Body, force: ArrayLike) -> None:
        """A constant force (N) at its centre of mass; replaces an earlier one."""
        self.network._my_body(body)
        share = np.array(read("force", force, vector(3, "N"))) / 4
        self._set_loads(self._dofs(body.carriers, "xyz"), np.tile(share, 4))

    def load_body_torque(self, body: Body, torque: ArrayLike, axes: str = "world") -> None:
        """A constant couple (N m) on a body; replaces an earlier one.

        axes: "world", or "body": along the axes of its shape, which turn with it.
        """
        index = self.network._my_body(body)
        couple = np.array(read("torque", torque, vector(3, "N m")))
        own = read("axes", axes, choice("world", "body")) == "body"
        if self._torques is None:
            self._torques = self.core.add_body_torque()
        checked(self._torques.set, index, np.zeros(3) if own else couple, couple * own)

    def fix_body(self, body: Body) -> None:
        """Holds a body where it is."""
        self.network._my_body(body)
        self._lock(self._dofs(body.carriers + body.points, "xyz"))

    def move_body(self, body: Body, path: Callable[[float], tuple[ArrayLike, ArrayLike]]) -> None:
        """Drives a body along `path(t)`: displacement (m) of its centre of mass and rotation vector
        (rad, axes of the world) from where it is now."""
        self.fix_body(body)
        read("path", path, FUNCTION)
        centre, _ = self.pose(body)
        nodes = body.carriers + body.points
        dofs, arms = self._dofs(nodes, "xyz"), self.core.positions()[nodes] - centre

        def drive(time: float) -> None:
            moved, turned = path(time)
            shift = spread("path", moved, (3,))
            rotation = rotation_matrix(spread("path", turned, (3,)))
            checked(self.core.drive, dofs, (centre + shift + arms @ rotation.T).ravel())

        self._drives.append(drive)

    def _carriers(self, body: Body) -> tuple[np.ndarray, np.ndarray]:
        """Places (m, about their mean) and velocities of the carriers."""
        self.network._my_body(body)
        places = self.core.positions()[body.carriers]
        at = self._node_dofs[body.carriers][:, None] + np.arange(3)
        return places - places.mean(axis=0), self.core.velocity[at]
