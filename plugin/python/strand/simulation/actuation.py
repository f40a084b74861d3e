"""Natural shapes of a simulation's rods, to be changed as it runs."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from strand.errors import StrandError, checked
from strand.simulation.addressing import Addressing
from strand.simulation.arguments import indices, spread

NO_TWIST = (
    "allowed: with rods that are straight by nature and bend alike about m1 and m2; the others'"
    " material directors would be held from outside, by moments that nothing gives"
)


class Actuation(Addressing):
    """The part of a Simulation that actuates."""

    _twists: bool  #: False: rods without twisting

    def set_natural_curvature(self, joints: Sequence[int], curvature: ArrayLike) -> None:
        """Natural integrated curvatures of joints about m1 and m2 (n x 2 or 2, rad).

        As seen from the joint's first edge, along the joint: where the edge points against it, from
        (-t, m1, -m2). The second edge sees them turned by the twist that the joint is drawn with.
        """
        places = indices("joints", joints)
        rows = spread("curvature", curvature, (len(places), 2))
        if not self._twists and np.any(rows):
            raise StrandError(f"curvature: got some in a simulation with twist=False, {NO_TWIST}")
        checked(self.core.set_natural_curvature, places, rows)

    def set_natural_twist(self, joints: Sequence[int], twist: ArrayLike) -> None:
        """Natural twist of joints (rad)."""
        places = indices("joints", joints)
        values = spread("twist", twist, (len(places),))
        checked(self.core.set_natural_twist, places, values)

    def set_rest_length(self, edges: Sequence[int], length: ArrayLike) -> None:
        """Natural length of edges (m)."""
        places = indices("edges", edges)
        values = spread("length", length, (len(places),))
        checked(self.core.set_rest_length, places, values)
