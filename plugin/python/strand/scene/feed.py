"""Fed rods in scene files."""

import dataclasses
from pathlib import Path

from strand.errors import StrandError
from strand.io.options import NEEDED, TEXT, key, number, optional, positive
from strand.scene import values as scene_values
from strand.scene.keys import Timed, named
from strand.scene.parts import Part
from strand.simulation.rod import Rod
from strand.simulation.simulation import Simulation


@dataclasses.dataclass(kw_only=True)
class FeedTable(Timed):
    """Feeds a rod out of a mouth and in: winch, pay-out, insertion. It is drawn whole and straight.

    The mouth is where the drawn rod has the first length before it. A file has one column, the
    length outside (m).
    """

    rod: str = key(NEEDED, "the rod's name", TEXT)
    length: float | None = key(None, "outside of the mouth at first", optional(positive("m")))
    speed: float = key(0.0, "of paying out, with length; < 0: of drawing in", number("(m/s)"))


def add_feed(
    simulation: Simulation, part: Part[Rod], where: str, table: FeedTable, folder: Path
) -> None:
    numbers = scene_values.function(where, table, folder, "length", 1)
    if table.file is not None and table.speed:
        raise StrandError(f"{where}.speed: not allowed together with `file`")

    def course(time: float) -> float:
        return float(numbers(time)[0]) + table.speed * time

    with named(where):
        simulation.feed(part.made, course)


def held_dofs(simulation: Simulation, rod: Rod) -> list[int]:
    """The degrees of freedom that a feed may hold: all but those of the end."""
    return simulation.node_dofs(rod.nodes[:-1]) + simulation.spin_dofs(rod.edges[:-1])
