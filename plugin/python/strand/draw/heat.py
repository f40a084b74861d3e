"""The scale of colours by which rods show a quantity: blue, green, yellow, red."""

import dataclasses

import numpy as np
from numpy.typing import ArrayLike

from strand._strand import heat_colors, node_curvatures

_PREFIXES = ("n", "µ", "m", "", "k", "M", "G")


@dataclasses.dataclass(frozen=True)
class HeatScale:
    """The range of a quantity, from blue to red, in its unit."""

    name: str
    unit: str
    least: float
    most: float

    def colors(self, values: ArrayLike) -> np.ndarray:
        """RGBA of values (n,), float32 (n, 4). Those beyond the range get the colour of its end."""
        given = np.asarray(values, dtype=float)
        wide = self.most - self.least
        heat = (given - self.least) / wide if wide > 0 else np.zeros(len(given))
        return np.array(heat_colors(heat.tolist()), np.float32).reshape(-1, 4)

    def ends(self) -> tuple[str, str]:
        """The range as texts."""
        return with_unit(self.least, self.unit), with_unit(self.most, self.unit)


def with_unit(value: float, unit: str) -> str:
    """A number with three digits and a prefix of its unit: 0.0042, "N m" -> "4.2 mN m".

    No unit and units like 1/m get no prefix.
    """
    rounded = float(f"{value:.3g}")
    if not unit:
        return f"{rounded:g}"
    thousands = 0
    if rounded and not unit.startswith("1/"):
        thousands = int(np.clip(np.log10(abs(rounded)) // 3, -3, 3))
    return f"{float(f'{rounded / 1000.0**thousands:.3g}'):g} {_PREFIXES[thousands + 3]}{unit}"


def edge_curvature(positions: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """The larger curvature (1/m) at the two nodes of each edge, (E,).

    positions: of the nodes (N, 3; m). edges: indices of nodes (E, 2). The curvature at a node
    between two edges is the angle between them by their mean length; it is zero at ends, where more
    edges meet, and at edges of no length.
    """
    return np.array(node_curvatures(positions, edges))[edges].max(axis=1)
