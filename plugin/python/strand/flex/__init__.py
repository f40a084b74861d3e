"""A cable on MuJoCo 4's 1D flex: nodes with three slides and a twist hinge per edge, no plugin.

`check` refuses what a flex cannot be, `rod` takes the figures from the chain that the generator
makes of the same description (one formula for mass, stiffness, damping and step), `layout` says
which bodies carry the nodes and what they are called, `mjcf` writes them as bodies, joints and a
`<flex>`. strand.legacy puts old cables on a flex with the same layout and writer.
"""

from typing import TYPE_CHECKING

from strand.flex.check import check
from strand.flex.mjcf import write
from strand.flex.rod import from_chain, recipe

if TYPE_CHECKING:
    from strand.cable.cable import Cable

__all__ = ["generate"]


def generate(cable: "Cable") -> tuple[str, str]:
    """MJCF text and recipe of a strand.Cable. Raises StrandError that names the field at fault."""
    check(cable)
    rod = from_chain(cable)
    text = recipe(cable, rod)
    return write(cable, rod, text), text
