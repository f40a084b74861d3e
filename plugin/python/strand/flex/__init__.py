"""A cable on MuJoCo 4's 1D flex: nodes with three slides and a twist hinge per edge, no plugin.

`check` rejects cables that a flex cannot represent. `rod` takes mass, stiffness, damping and time
step from the chain that the generator makes of the same description, so that each has a single
formula. `layout` assigns nodes to bodies and names them. `mjcf` writes bodies, joints and a
`<flex>`. strand.legacy converts old cables to a flex with the same layout and writer.
"""

from typing import TYPE_CHECKING

from strand.flex.check import check
from strand.flex.mjcf import write
from strand.flex.rod import from_chain, recipe

if TYPE_CHECKING:
    from strand.cable.cable import Cable

__all__ = ["generate"]


def generate(cable: "Cable") -> tuple[str, str]:
    """MJCF text and recipe of a strand.Cable. Raises StrandError, which names the invalid field."""
    check(cable)
    rod = from_chain(cable)
    text = recipe(cable, rod)
    return write(cable, rod, text), text
