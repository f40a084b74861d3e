"""Poses, velocities, loads and drives of rigid bodies."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from strand import _strand
from strand.errors import checked
from strand.io.options import FUNCTION, Kind, choice, read, vector
from strand.simulation.addressing import Addressing
from strand.simulation.arguments import warn_of_positions
from strand.simulation.body import Body, rotation_matrix


def _moved(value: tuple[ArrayLike, ArrayLike]) -> tuple[np.ndarray, np.ndarray]:
    moved, turned = value
    return np.array(vector(3, "m").read(moved)), np.array(vector(3, "rad").read(turned))


_MOVED = Kind("a displacement (3, m) and a rotation vector (3, rad)", _moved)


class BodyControls(Addressing):
    """The part of a Simulation that handles rigid bodies."""

    _set_loads: Callable[[list[int], ArrayLike], None]
    _torques: _strand.BodyTorque | None = None  #: the core's torques; None until the first is set

    def pose(self, body: Body) -> tuple[np.ndarray, np.ndarray]:
        """A body's centre of mass (m), and the rotation matrix from its shape's axes to the
        world's."""
        self.network._body_index(body)
        return body.pose(self.core.positions())

    def body_velocity(self, body: Body) -> tuple[np.ndarray, np.ndarray]:
        """The velocity of a body's centre of mass (m/s) and its angular velocity (rad/s, world
        axes)."""
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
        """Sets the velocity of a body and of the nodes of rods that are attached to it.

        velocity: of the centre of mass (m/s; default 0). angular_velocity: rad/s, world axes
        (default 0).
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
        """Sets a constant force (3, N) at a body's centre of mass; replaces an earlier one."""
        self.network._body_index(body)
        share = np.array(read("force", force, vector(3, "N"))) / 4
        self._set_loads(self._dofs(body.carriers, "xyz"), np.tile(share, 4))

    def load_body_torque(self, body: Body, torque: ArrayLike, axes: str = "world") -> None:
        """Sets a constant couple on a body; replaces an earlier one.

        torque: N m, 3 components in the axes "world" (default) or "body", the axes of its shape,
        which turn with it.
        """
        index = self.network._body_index(body)
        couple = np.array(read("torque", torque, vector(3, "N m")))
        own = read("axes", axes, choice("world", "body")) == "body"
        if self._torques is None:
            self._torques = self.core.add_body_torque()
        fixed, along = (np.zeros(3), body.own_axes.T @ couple) if own else (couple, np.zeros(3))
        checked(self._torques.set, index, fixed, along)

    def fix_body(self, body: Body) -> None:
        """Fixes a body at its current pose. Ends its `move_body`."""
        self._lock(self._body_dofs(body))

    def release_body(self, body: Body) -> None:
        """Releases a body that was fixed or driven, with the velocity that it has."""
        self._free(self._body_dofs(body))

    def move_body(self, body: Body, path: Callable[[float], tuple[ArrayLike, ArrayLike]]) -> None:
        """Drives a body along a prescribed path.

        path: function of time (s) that returns the displacement (3, m) of the centre of mass and a
        rotation vector (3, rad, world axes), both relative to the current pose. The path ends with
        `fix_body`, `release_body` or another path.
        """
        read("path", path, FUNCTION)
        centre, _ = self.pose(body)
        warn_of_positions(read("path", path(self.core.time), _MOVED)[0], centre)
        self.fix_body(body)
        nodes = body.carriers + body.points
        arms = self.core.positions()[nodes] - centre

        def places(time: float) -> np.ndarray:
            shift, turn = read("path", path(time), _MOVED)
            return (centre + shift + arms @ rotation_matrix(turn).T).ravel()

        self._drives.lead(self._body_dofs(body), places)

    def _body_dofs(self, body: Body) -> list[int]:
        self.network._body_index(body)
        return self._dofs(body.carriers + body.points, "xyz")

    def _carriers(self, body: Body) -> tuple[np.ndarray, np.ndarray]:
        """Positions of the carriers relative to their mean (m) and their velocities (m/s)."""
        self.network._body_index(body)
        places = self.core.positions()[body.carriers]
        at = self._node_dofs[body.carriers][:, None] + np.arange(3)
        return places - places.mean(axis=0), self.core.velocity[at]
