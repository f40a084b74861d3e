"""What a replay shows: shapes and surfaces, with their poses in every frame."""

import dataclasses
from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np

from strand.replay.shapes import Mesh

_LOOKS = 30  # frames from which the bounds are found, evenly spaced


@dataclasses.dataclass(frozen=True)
class Instances:
    """Copies of one mesh. An array with one frame (T = 1) holds for all frames.

    mesh: vertices (V, 3; m) and triangles (F, 3). positions: (T, N, 3; m). quats: (T, N, 4), w x y
    z. scales: along the mesh's axes (T, N, 3). rgba: (T, N, 4), 0 to 1.
    """

    name: str
    mesh: Mesh
    positions: np.ndarray
    quats: np.ndarray
    scales: np.ndarray
    rgba: np.ndarray

    def points(self) -> np.ndarray:
        """Corners of the copies' boxes in several frames (K, 3; m)."""
        low, high = self.mesh[0].min(axis=0), self.mesh[0].max(axis=0)
        corners = np.stack(np.meshgrid(*zip(low, high, strict=True)), axis=-1).reshape(-1, 3)
        moving = self.positions, self.quats, self.scales
        looks = _looks(max(map(len, moving)))
        positions, quats, scales = (
            some[np.minimum(looks, len(some) - 1)].astype(float) for some in moving
        )
        shaped = scales[..., None, :] * corners
        return (positions[..., None, :] + turned(quats[..., None, :], shaped)).reshape(-1, 3)


@dataclasses.dataclass(frozen=True)
class Surface:
    """Triangles (F, 3) whose vertices (T, V, 3; m) move; one frame holds for all. rgba: (4,)."""

    name: str
    vertices: np.ndarray
    triangles: np.ndarray
    rgba: np.ndarray

    def points(self) -> np.ndarray:
        return self.vertices[_looks(len(self.vertices))].reshape(-1, 3)


@dataclasses.dataclass(frozen=True)
class Skin:
    """A mesh that is bent by bones. Its vertices are given for the bones' first poses.

    mesh: vertices (V, 3; m) and triangles (F, 3). rgba: (4,). first: poses of the bones (B, 7; m
    and w x y z) at which the mesh is as given. weights: of the bones (V, B); four of each vertex at
    most are not 0. poses: of the bones (T, B, 7).
    """

    name: str
    mesh: Mesh
    rgba: np.ndarray
    first: np.ndarray
    weights: np.ndarray
    poses: np.ndarray

    def points(self) -> np.ndarray:
        return self.poses[_looks(len(self.poses)), :, :3].reshape(-1, 3)


@dataclasses.dataclass(frozen=True)
class Ground:
    """A plane, which need not be seen as a whole.

    size: of its sides (m); 0: it has no border. poses: (T, 7; m and w x y z); one frame holds for
    all. rgba: (4,).
    """

    name: str
    size: tuple[float, float]
    poses: np.ndarray
    rgba: np.ndarray

    def points(self) -> np.ndarray:
        return np.zeros((0, 3))


Part: TypeAlias = Instances | Surface | Skin | Ground


def row(frames: np.ndarray, k: int) -> np.ndarray:
    """Frame k of an array, of which one frame holds for all."""
    return frames[min(k, len(frames) - 1)]


def still(frames: np.ndarray) -> np.ndarray:
    """The array, or its first frame alone if all frames are equal."""
    return frames[:1] if (frames == frames[:1]).all() else frames


def tubes(
    name: str,
    points: np.ndarray,
    links: np.ndarray,
    radius: np.ndarray,
    rgba: np.ndarray,
    pieces: tuple[Mesh, Mesh],
) -> Iterator[Instances]:
    """Rods: cylinders along links, and balls at their ends.

    points: (T, P, 3; m). links: pairs of points (L, 2). radius: (L,) (m). rgba: (T, L, 4) or (1, L,
    4). pieces: a ball of radius 1, and a cylinder of radius and length 1 along z.
    """
    if not len(links):
        return
    ball, cylinder = pieces
    ends, first = np.unique(links.ravel(), return_index=True)
    thick = np.zeros(points.shape[1])
    np.maximum.at(thick, links.ravel(), np.repeat(radius, 2))
    wide = np.repeat(thick[ends, None], 3, axis=1)
    level = np.tile([1.0, 0, 0, 0], (1, len(ends), 1))
    yield _copies(f"{name}_joints", ball, points[:, ends], level, wide[None], rgba[:, first // 2])
    start, end = (points[:, links[:, k]].astype(float) for k in (0, 1))
    along = end - start
    length = np.linalg.norm(along, axis=-1)
    round_ = np.broadcast_to(radius, length.shape)
    scales = np.stack([round_, round_, length], axis=-1)
    yield _copies(name, cylinder, (start + end) / 2, from_z(along, length), scales, rgba)


def _copies(
    name: str,
    mesh: Mesh,
    positions: np.ndarray,
    quats: np.ndarray,
    scales: np.ndarray,
    rgba: np.ndarray,
) -> Instances:
    where, turn, wide, look = (
        still(some.astype(np.float32)) for some in (positions, quats, scales, rgba)
    )
    return Instances(name, mesh, where, turn, wide, look)


def from_z(along: np.ndarray, length: np.ndarray) -> np.ndarray:
    """Quaternions (..., 4) that turn z into vectors (..., 3) of these lengths (...)."""
    safe = np.where(length > 0, length, 1.0)[..., None]
    axis = np.where(length[..., None] > 0, along / safe, [0, 0, 1.0])
    quats = np.stack(
        [1 + axis[..., 2], -axis[..., 1], axis[..., 0], np.zeros(axis.shape[:-1])], axis=-1
    )
    size = np.linalg.norm(quats, axis=-1, keepdims=True)
    return np.where(size > 1e-6, quats / np.maximum(size, 1e-6), [0, 1.0, 0, 0])


def turned(quats: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Vectors (..., 3), rotated by quaternions (..., 4)."""
    real, axis = quats[..., :1], quats[..., 1:]
    across = 2 * np.cross(axis, vectors)
    return vectors + real * across + np.cross(axis, across)


def _looks(frames: int) -> Any:
    return np.unique(np.linspace(0, frames - 1, min(frames, _LOOKS)).round().astype(int))
