"""External actions on a simulation: weight, loads, fluids, user-defined forces."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from strand import _strand
from strand.errors import checked
from strand.io.options import FUNCTION, INTEGER, finite, read, vector
from strand.simulation.addressing import Addressing
from strand.simulation.compat import MatDismech


class Loads(Addressing):
    """The part of a Simulation that applies loads."""

    _gravity: _strand.Gravity
    _compat: MatDismech | None  #: the published code that it solves like
    _loads: _strand.NodalLoad | None = None  #: the core's loads; None until the first is set
    _load_values: np.ndarray  #: per degree of freedom (N, N m)

    def set_gravity(self, gravity: ArrayLike) -> None:
        """Sets the gravity (3, m/s^2)."""
        self._gravity.set(np.array(read("gravity", gravity, vector(3, "m/s^2"))))

    def load_node(self, node: int | Iterable[int], force: ArrayLike) -> None:
        """Sets a constant force (3, N) on each of the nodes; replaces an earlier one."""
        dofs = self._dofs(node, "xyz")
        self._set_loads(dofs, np.tile(read("force", force, vector(3, "N")), len(dofs) // 3))

    def load_spin(self, edge: int | Iterable[int], moment: float) -> None:
        """Sets a constant moment (N m) about the axis of each edge; replaces an earlier one."""
        self._set_loads(self.spin_dofs(edge), read("moment", moment, finite("N m")))

    def add_force(
        self, nodes: Sequence[int], function: Callable[..., Any], conservative: bool = False
    ) -> None:
        """Adds a user-defined force on nodes.

        nodes: indices, n of them.
        function: called as function(x, v, t, dv_dx) with positions x (3 n, m), velocities v (3 n,
            m/s), the time t (s), and the derivative dv_dx of the velocities by the positions in the
            time stepping (1/s). Returns (potential, force, jacobian): J, 0 if there is none; N,
            3 n; and the total derivative of the force by x, in which v depends on x through dv_dx
            (N/m, 3 n x 3 n).
        conservative: the force is minus the gradient of the potential (default False).
        """
        force = read("function", function, FUNCTION)
        checked(self.core.add_force, self._dofs(nodes, "xyz"), conservative, force)

    def add_aerodynamic_drag(
        self,
        density: float,
        coefficient: float,
        flow: ArrayLike = (0.0, 0.0, 0.0),
    ) -> None:
        """Adds the drag pressure of a fluid on all shells.

        density: of the fluid (kg/m^3). coefficient: C_D. flow: velocity of the fluid (3, m/s)."""
        velocity = np.array(read("flow", flow, vector(3, "m/s")))
        twice = self._compat is not None  # the derivative, as MAT-DiSMech's code has it
        checked(self.core.add_aerodynamic_drag, density, coefficient, velocity, twice)

    def add_resistive_drag(
        self, tangential: float, normal: float, flow: ArrayLike = (0.0, 0.0, 0.0)
    ) -> None:
        """Adds the drag of resistive force theory on all rods.

        tangential, normal: drag per length and speed along and across the rod (Pa s). flow:
        velocity of the fluid (3, m/s; default 0).
        """
        velocity = np.array(read("flow", flow, vector(3, "m/s")))
        checked(self.core.add_resistive_drag, tangential, normal, velocity)

    def add_mass(self, node: int, mass: float, *, weight: bool = True) -> None:
        """Adds a point mass (kg) to a node.

        weight: whether gravity acts on it, as on everything else (default); False for inertia
        alone, such as that of a fluid that moves along.
        """
        place = self._nodes(read("node", node, INTEGER))[0]
        checked(self.core.add_mass, place, mass)
        if weight:
            self._gravity.add_mass(self.node_dofs(place, "x")[0], mass)

    def _set_loads(self, dofs: list[int], values: ArrayLike) -> None:
        if self._loads is None:
            self._loads = self.core.add_load()
        self._load_values[dofs] = values
        checked(self._loads.set, self._load_values)
