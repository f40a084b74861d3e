"""Whether a cable touches itself."""

import numpy as np

_NEAR_CLAMP = 2  #: links at each clamp that may be near those at the other clamp


class SelfContact:
    """Distances of the links of a cable from each other.

    Pairs that are close along the cable are ignored, and those of links at one clamp with links at
    the other, which the device holds apart.

    count: number of links. spacing, diameter: of links and of the cable, in the same unit.
    """

    def __init__(self, count: int, spacing: float, diameter: float) -> None:
        apart = 2 + int(np.ceil(diameter / spacing))
        first, second = np.triu_indices(count, apart)
        at_clamps = (first < _NEAR_CLAMP) & (second >= count - _NEAR_CLAMP)
        self._first, self._second = first[~at_clamps], second[~at_clamps]
        self._diameter = diameter

    def touches(self, nodes: np.ndarray) -> bool:
        """True if axes of links are closer than the diameter. nodes: (count + 1, 3)."""
        a, b = nodes[:-1][self._first], nodes[:-1][self._second]
        links = np.diff(nodes, axis=0)
        middles = nodes[:-1] + links / 2
        # Links are short: only pairs with near middles need the distance of segments.
        reach = self._diameter + np.linalg.norm(links, axis=1).max()
        between = np.linalg.norm(middles[self._first] - middles[self._second], axis=1)
        near = between < reach
        if not near.any():
            return False
        u, v = links[self._first][near], links[self._second][near]
        return bool((segment_distances(a[near], u, b[near], v) < self._diameter).any())


def segment_distances(a: np.ndarray, u: np.ndarray, b: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Distances (n,) of the segments a to a + u from b to b + v, each (n, 3).

    The least of the distances of the four ends from the other segment and, where the nearest points
    of the lines are inside both segments, of the lines.
    """
    apart = a - b
    uu, uv, vv = (u * u).sum(-1), (u * v).sum(-1), (v * v).sum(-1)
    ua, va = (u * apart).sum(-1), (v * apart).sum(-1)
    crossing = uu * vv - uv * uv
    with np.errstate(divide="ignore", invalid="ignore"):
        along, across = (uv * va - vv * ua) / crossing, (uu * va - uv * ua) / crossing
    inside = (along > 0) & (along < 1) & (across > 0) & (across < 1)
    lines = np.where(inside, along, 0.0)[:, None] * u - np.where(inside, across, 0.0)[:, None] * v
    best = np.where(inside, np.linalg.norm(apart + lines, axis=-1), np.inf)
    for point, begin, direction, square in (
        (a, b, v, vv), (a + u, b, v, vv), (b, a, u, uu), (b + v, a, u, uu),
    ):  # fmt: skip
        part = np.clip(((point - begin) * direction).sum(-1) / square, 0, 1)
        nearest = begin + part[:, None] * direction
        best = np.minimum(best, np.linalg.norm(point - nearest, axis=-1))
    return best
