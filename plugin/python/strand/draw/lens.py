"""Where a camera of a given direction stands, so that its picture shows everything."""

import numpy as np


class Lens:
    """The direction of a camera, and the part of its picture in which things are to be.

    azimuth, elevation: as in MuJoCo (degrees). fovy: vertical opening angle (degrees). size: of the
    picture, width and height (pixels). free: parts of the height at the bottom and at the top in
    which nothing is to be, each < 0.5 (default none).
    """

    def __init__(
        self,
        azimuth: float,
        elevation: float,
        fovy: float,
        size: tuple[int, int],
        free: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        turn, rise, half = np.radians([azimuth, elevation, fovy / 2])
        right = np.array([np.sin(turn), -np.cos(turn), 0])
        self._forward = np.array([-right[1], right[0], 0]) * np.cos(rise)
        self._forward[2] = np.sin(rise)
        up = np.cross(right, self._forward)
        wide = np.tan(half) * size[0] / size[1]
        below, above = np.tan(half) * (1 - 2 * np.array(free))
        # Distances of opposite borders from the picture's centre at unit distance; direction.
        self._sides = [(wide, wide, right), (below, above, up)]

    def middle(self, points: np.ndarray, room: float = 0.0) -> np.ndarray:
        """The point (m) to look at so that balls, as for `distance`, are nearest to the camera and
        equally far from opposite borders.

        With the camera's direction f, the direction a of a side of the picture, and the distances
        l and h of its borders, a point p is between the borders of a camera at c if
        -l f (p - c) <= a (p - c) <= h f (p - c). With the least B of a p + l f p and the largest A
        of a p - h f p, c is as near as possible if -f c = (A - B) / (h + l), and between the
        borders of the other side if 2 a c = A + B - (h - l) (-f c).
        """
        extremes = [self._extremes(points, side, room) for side in (0, 1)]
        widths = [low + high for low, high, _ in self._sides]
        back = max(
            (most - least) / width for (least, most), width in zip(extremes, widths, strict=True)
        )
        centre = (points.min(axis=0) + points.max(axis=0)) / 2
        lookat = (centre @ self._forward) * self._forward
        for (low, high, across), (least, most) in zip(self._sides, extremes, strict=True):
            lookat = lookat + (most + least - (high - low) * back) / 2 * across
        return lookat

    def distance(self, points: np.ndarray, lookat: np.ndarray, room: float = 0.0) -> float:
        """The distance (m) from the point looked at from which balls of radius `room` (m; default
        0) at points (n, 3; m) just fit."""
        needed = []
        for side, (low, high, across) in enumerate(self._sides):
            least, most = self._extremes(points, side, room)
            place = lookat @ across
            needed += [(most - place) / high, (place - least) / low]
        return float(max(needed) + lookat @ self._forward)

    def _extremes(self, points: np.ndarray, side: int, room: float) -> tuple[float, float]:
        """B and A, as in `middle`."""
        low, high, across = self._sides[side]
        place, depth = points @ across, points @ self._forward
        least = (place + low * depth).min() - room * np.hypot(1, low)
        return least, (place - high * depth).max() + room * np.hypot(1, high)
