"""Natural (stress-free) shapes of rods, which can be changed during a simulation."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from strand.errors import StrandError, checked
from strand.simulation.addressing import Addressing
from strand.simulation.arguments import indices, spread

NO_TWIST = (
    "allowed: with rods that are naturally straight and have the same EI about m1 and m2; other"
    " rods need moments that turn their material directors"
)


class Actuation(Addressing):
    """The part of a Simulation that changes natural shapes."""

    _twists: bool  #: False: rods do not twist
    _fed: set[int]  #: joints of rods that are fed, which must stay straight
    _smooth: (
        str  #: measure of curvature with terms of higher order, which need straight rods; or ""
    )

    def set_natural_curvature(self, joints: Sequence[int], curvature: ArrayLike) -> None:
        """Sets natural integrated curvatures of joints.

        joints: indices. curvature: about m1 and m2 (n x 2, or 2 for all; rad), in the frame of the
        joint's first edge. If that edge points against the joint's direction, its frame is
        (-t, m1, -m2). In the frame of the second edge the values are turned by the initial twist of
        the joint.
        """
        places = indices("joints", joints)
        rows = spread("curvature", curvature, (len(places), 2))
        if self._smooth:
            raise StrandError(
                f"curvature: got {self._smooth!r} in a simulation that sets natural "
                "curvatures, allowed: angle or tangent"
            )
        self._check_not_fed("curvature", places)
        if not self._twists and np.any(rows):
            raise StrandError(f"curvature: got some in a simulation with twist=False, {NO_TWIST}")
        checked(self.core.set_natural_curvature, places, rows)

    def set_natural_twist(self, joints: Sequence[int], twist: ArrayLike) -> None:
        """Sets the natural twist of joints (rad, one number or one per joint)."""
        places = indices("joints", joints)
        values = spread("twist", twist, (len(places),))
        self._check_not_fed("twist", places)
        checked(self.core.set_natural_twist, places, values)

    def set_rest_length(self, edges: Sequence[int], length: ArrayLike) -> None:
        """Sets the natural length of edges (m, one number or one per edge)."""
        places = [self._edge(each) for each in indices("edges", edges)]
        values = spread("length", length, (len(places),))
        checked(self.core.set_rest_length, places, values)

    def _check_not_fed(self, name: str, joints: Sequence[int]) -> None:
        if self._fed.intersection(joints):
            raise StrandError(
                f"{name}: got some for joints of a rod that is fed, allowed: for other joints,"
                " since its part behind the mouth is straight"
            )
