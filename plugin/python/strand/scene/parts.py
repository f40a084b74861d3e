"""The rods and shells of a scene by name, and the elements that its tables select."""

import dataclasses
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from strand.errors import StrandError
from strand.scene.keys import ALL, OfPart, Region
from strand.simulation.rod import Rod
from strand.simulation.shell import Shell

_Made = TypeVar("_Made", Rod, Shell, Rod | Shell, covariant=True)

_TOLERANCE = 1e-9  # m, of a region's border, for rounding in the rotation of shapes


@dataclasses.dataclass(frozen=True, eq=False)
class Part(Generic[_Made]):
    """A rod or a shell, and the initial positions of its nodes (N x 3, m)."""

    name: str
    made: _Made
    drawn: np.ndarray

    @property
    def is_rod(self) -> bool:
        return isinstance(self.made, Rod)

    @property
    def spins(self) -> bool:
        """True if its edges have a spin: those of rods, and of shells with mid-edge normals."""
        return isinstance(self.made, Rod) or self.made.mid_edge

    def indices(self, key: str) -> np.ndarray:
        """Indices in the network of its nodes, edges or joints. The key "spins" means edges."""
        return np.array(getattr(self.made, "edges" if key == "spins" else key), dtype=int)

    def ends(self, key: str) -> np.ndarray:
        """Positions in `drawn` of the nodes of each node (n x 1) or edge (n x 2)."""
        count = len(self.drawn)
        if key == "nodes":
            return np.arange(count)[:, np.newaxis]
        if isinstance(self.made, Rod):
            return (np.arange(len(self.made.edges))[:, np.newaxis] + [0, 1]) % count
        nodes = self.indices("nodes")
        by_index = np.argsort(nodes)
        return by_index[np.searchsorted(nodes, self.made.edge_nodes, sorter=by_index)]


class Parts:
    """All of a scene's rods and shells."""

    def __init__(self) -> None:
        self._of_kind: dict[str, dict[str, Part[Any]]] = {"rod": {}, "shell": {}}

    def __len__(self) -> int:
        return sum(map(len, self._of_kind.values()))

    def add(self, where: str, name: str, made: Rod | Shell, drawn: np.ndarray) -> None:
        known = self._of_kind["rod" if isinstance(made, Rod) else "shell"]
        if name in known:
            raise StrandError(f"{where}.name: got '{name}' again, allowed: each name once")
        known[name] = Part(name, made, drawn)

    def rod(self, where: str, name: str, key: str = "rod") -> Part[Rod]:
        return self._named("rod", f"{where}.{key}", name)

    def shell(self, where: str, name: str) -> Part[Shell]:
        return self._named("shell", f"{where}.shell", name)

    def _named(self, kind: str, where: str, name: str) -> Part[Any]:
        known = self._of_kind[kind]
        if name not in known:
            allowed = ", ".join(known) or f"none, as there is no {kind}"
            raise StrandError(f"{where}: got '{name}', allowed: {allowed}")
        return known[name]

    def of(self, where: str, table: Any) -> Part[Rod] | Part[Shell]:
        """The rod or the shell that a table names."""
        if (table.rod is None) == (table.shell is None):
            got = "none" if table.rod is None else "both"
            raise StrandError(f"{where}: got {got}, allowed: one of rod and shell")
        if table.shell is None:
            return self.rod(where, table.rod)
        return self.shell(where, table.shell)


def given_keys(table: OfPart, *keys: str) -> list[str]:
    """The keys that a table gives; "nodes" if it gives a region only."""
    given = [key for key in keys if getattr(table, key) is not None]
    return given or (["nodes"] if _region(table) else [])


def chosen(
    where: str, table: Any, part: Part[Any], key: str, among: ArrayLike | None = None
) -> np.ndarray:
    """The nodes, edges or joints of a part that a table's key and region select, as positions in
    `part.indices(key)`.

    A key that is left out or "all" selects all, or all in `among`. Raises StrandError if none is
    selected.
    """
    count = len(part.indices(key))
    given = getattr(table, key)
    if given is None or given == ALL:
        places = np.asarray(range(count) if among is None else among, dtype=int)
    else:
        for place in given:
            if not -count <= place < count:
                raise StrandError(f"{where}.{key}: got {place}, allowed: {-count} to {count - 1}")
        places = np.array(given) % count
    region = _region(table)
    for axis, (low, high) in region.items():
        along = part.drawn[part.ends(key)[places], "xyz".index(axis)]
        inside = (along >= low - _TOLERANCE) & (along <= high + _TOLERANCE)
        places = places[inside.all(axis=1)]
    if not places.size:
        within = ", ".join(f"{axis} = {limits}" for axis, limits in region.items())
        raise StrandError(
            f"{where}.{key}: got none of '{part.name}'{within and f' within {within} (m)'}, "
            "allowed: one or more"
        )
    return places


def _region(table: Any) -> dict[str, list[float]]:
    """The ranges of a table's region, by axis; tables of joints have no region."""
    if not isinstance(table, Region):
        return {}
    return {axis: limits for axis in "xyz" if (limits := getattr(table, axis)) is not None}
