"""The first view of a replay: it shows everything that moves or stands there, except planes."""

import dataclasses
from collections.abc import Sequence

import numpy as np

from strand.draw.lens import Lens
from strand.replay.parts import Part

_MARGIN = 1.1  # factor of the distance at which everything just fits
_WINDOW = (1400, 1000)  # pixels: in windows that are not narrower, everything is seen


@dataclasses.dataclass(frozen=True)
class Angles:
    """From where it is looked: degrees, as MuJoCo's free camera. fovy: of the picture's height."""

    azimuth: float = 125.0
    elevation: float = -22.0
    fovy: float = 45.0


@dataclasses.dataclass(frozen=True)
class Sight:
    """A camera, and the size of what it sees. Lengths in m."""

    position: np.ndarray
    look_at: np.ndarray
    fov: float  #: rad
    size: float  #: diagonal of the box around everything

    @property
    def scale(self) -> float:
        """A power of ten that makes everything about 1 in size, as the light and mouse need."""
        return float(10.0 ** -np.round(np.log10(self.size)))


def sight(parts: Sequence[Part], angles: Angles) -> Sight:
    """The camera that shows all parts in all frames."""
    points = np.vstack([np.zeros((0, 3)), *(part.points() for part in parts)])
    if not len(points):
        points = np.array([[-0.5] * 3, [0.5] * 3])
    low, high = points.min(axis=0), points.max(axis=0)
    size = max(float(np.linalg.norm(high - low)), 1e-6)
    turn, rise = np.radians([angles.azimuth, angles.elevation])
    forward = np.array([np.cos(turn) * np.cos(rise), np.sin(turn) * np.cos(rise), np.sin(rise)])
    lens = Lens(angles.azimuth, angles.elevation, angles.fovy, _WINDOW)
    look_at = lens.middle(points)
    distance = max(_MARGIN * lens.distance(points, look_at), 0.1 * size)
    return Sight(look_at - distance * forward, look_at, np.radians(angles.fovy), size)
