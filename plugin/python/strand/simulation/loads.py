"""What acts on a simulation from outside: weight, loads, fluids, forces of the user's."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from strand import _strand
from strand.errors import checked
from strand.io.options import FUNCTION, finite, read, vector
from strand.simulation.addressing import Addressing
from strand.simulation.compat import MatDismech


class Loads(Addressing):
    """The part of a Simulation that loads it."""

    _gravity: _strand.Gravity
    _compat: MatDismech | None  #: the published code that it solves like
    _loads: _strand.NodalLoad | None = None  #: in the core; none before the first
    _load_values: np.ndarray  #: per degree of freedom (N, N m)

    def set_gravity(self, gravity: ArrayLike) -> None:
        """m/s^2."""
        self._gravity.set(np.array(read("gravity", gravity, vector(3, "m/s^2"))))

    def load_node(self, node: int | Iterable[int], force: ArrayLike) -> None:
        """A constant force (N) on each of the nodes; replaces an earlier one."""
        dofs = self._dofs(node, "xyz")
        self._set_loads(dofs, np.tile(read("force", force, vector(3, "N")), len(dofs) // 3))

    def load_spin(self, edge: int | Iterable[int], moment: float) -> None:
        """A constant moment (N m) about each of the edges; replaces an earlier one."""
        self._set_loads(self.spin_dofs(edge), read("moment", moment, finite("N m")))

    def add_force(
        self, nodes: Sequence[int], function: Callable[..., Any], conservative: bool = False
    ) -> None:
        """A force of your own on the nodes.

        `function(x, v, t, dv_dx)` gets their positions and velocities (flat, 3 per node), the time
        and dv/dx (1/s), and returns (potential, force, jacobian): J (0 if there is none), N, and
        the derivative of the force by x, with v moving along at dv_dx. `conservative`: the force is
        minus the gradient of the potential.
        """
        force = read("function", function, FUNCTION)
        checked(self.core.add_force, self._dofs(nodes, "xyz"), conservative, force)

    def add_aerodynamic_drag(
        self,
        density: float,
        coefficient: float,
        flow: ArrayLike = (0.0, 0.0, 0.0),
    ) -> None:
        """Pressure of a fluid on all shells: its density (kg/m^3), C_D, its velocity (m/s)."""
        velocity = np.array(read("flow", flow, vector(3, "m/s")))
        twice = self._compat is not None  # the derivative, as MAT-DiSMech's code has it
        checked(self.core.add_aerodynamic_drag, density, coefficient, velocity, twice)

    def add_resistive_drag(
        self, tangential: float, normal: float, flow: ArrayLike = (0.0, 0.0, 0.0)
    ) -> None:
        """Resistive force theory on all rods: drag per length and speed along and across (Pa s)."""
        velocity = np.array(read("flow", flow, vector(3, "m/s")))
        checked(self.core.add_resistive_drag, tangential, normal, velocity)

    def add_mass(self, node: int, mass: float) -> None:
        """A point mass (kg). It has no weight of its own: see `load_node`."""
        checked(self.core.add_mass, node, mass)

    def _set_loads(self, dofs: list[int], values: ArrayLike) -> None:
        if self._loads is None:
            self._loads = self.core.add_load()
        self._load_values[dofs] = values
        checked(self._loads.set, self._load_values)
