"""Shapes of cables for tests: origins, frames and lengths of the links, made only with numpy."""

import dataclasses

import numpy as np
from scipy.spatial.transform import Rotation


@dataclasses.dataclass
class Shape:
    """Link k starts at origins[k]; the columns of frames[k] are its x, y and z axes."""

    origins: np.ndarray
    frames: np.ndarray
    lengths: np.ndarray

    @property
    def links(self) -> int:
        return len(self.lengths)

    def end(self) -> np.ndarray:
        return self.origins[-1] + self.lengths[-1] * self.frames[-1][:, 0]


def chained(frames: np.ndarray, lengths: np.ndarray) -> Shape:
    """Links one after the other from the origin, with the given frames."""
    steps = lengths[:, None] * frames[:, :, 0]
    origins = np.vstack([np.zeros(3), np.cumsum(steps, axis=0)[:-1]])
    return Shape(origins, frames, lengths)


def straight(links: int, length: float = 1.0) -> Shape:
    return chained(np.tile(np.eye(3), (links, 1, 1)), np.full(links, length / links))


def walk(
    links: int,
    seed: int,
    bend: float = 0.3,
    spin: float = 0.3,
    unequal: bool = False,
    length: float = 1.0,
) -> Shape:
    """A random shape: joints turn by about `bend` across the rod and `spin` along it (rad)."""
    rng = np.random.default_rng(seed)
    turns = Rotation.from_rotvec(rng.normal(size=(links, 3)) * [spin, bend, bend]).as_matrix()
    frames = [Rotation.random(rng=rng).as_matrix()]
    for turn in turns[1:]:
        frames.append(frames[-1] @ turn)
    lengths = np.full(links, length / links)
    if unequal:
        lengths = lengths * rng.uniform(0.5, 1.5, links)
    return chained(np.array(frames), lengths)


def ring(links: int, spin: float = 0.0) -> Shape:
    """A regular polygon of circumference 1 in the xy plane; `spin` (rad) is the twist per link."""
    angles = 2 * np.pi * np.arange(links) / links
    about_z = Rotation.from_rotvec([[0, 0, angle] for angle in angles])
    about_x = Rotation.from_rotvec([[spin * k, 0, 0] for k in range(links)])
    return chained((about_z * about_x).as_matrix(), np.full(links, 1 / links))
