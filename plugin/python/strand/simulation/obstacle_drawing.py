"""Obstacles of a simulation as the renderer draws them."""

from collections.abc import Sequence
from typing import Any

import mujoco
import numpy as np

from strand import rod_render
from strand.simulation.obstacles import Obstacle

_HOLLOW = (0.62, 0.64, 0.68, 0.25)  # RGBA: the rods inside are to be seen
_REACH = 2.0  # half a wall's width, in diagonals of the box about all rods


def drawn(shapes: Sequence[Obstacle], positions: np.ndarray) -> dict[str, Any]:
    """Options of `rod_render.RodPainter`: the highest level floor, and all other obstacles.

    `positions`, shape (..., 3), are where the rods get to (m).
    """
    floors = [shape.geometry["point"][2] for shape in shapes if _is_floor(shape)]
    others = [_convert(shape, positions) for shape in shapes if not _is_floor(shape)]
    return {"floor": max(floors, default=None), "obstacles": others}


def _is_floor(shape: Obstacle) -> bool:
    normal = shape.geometry.get("normal")
    return normal is not None and normal[2] > 0 and not normal[:2].any()


def _convert(shape: Obstacle, positions: np.ndarray) -> rod_render.Obstacle:
    geometry = shape.geometry
    quat = np.array([1.0, 0, 0, 0])
    if shape.kind == "plane":
        size, pos = _wall(geometry["point"], geometry["normal"], positions)
        mujoco.mju_quatZ2Vec(quat, geometry["normal"])
    elif shape.kind in ("capsule", "cylinder"):
        along = geometry["b"] - geometry["a"]
        size = [geometry["radius"], np.linalg.norm(along) / 2]
        pos = (geometry["a"] + geometry["b"]) / 2
        mujoco.mju_quatZ2Vec(quat, along)
    elif shape.kind == "box":
        size, pos = geometry["half_extents"], geometry["centre"]
        mujoco.mju_mat2Quat(quat, geometry["rotation"].ravel())
    else:
        size, pos = [geometry["radius"]], geometry["centre"]
    color = {"rgba": _HOLLOW} if geometry.get("hollow") else {}
    return rod_render.Obstacle(shape.kind, size, pos, quat, **color)


def _wall(
    point: np.ndarray, normal: np.ndarray, positions: np.ndarray
) -> tuple[list[float], np.ndarray]:
    """Half lengths (m) and the middle of the part of a plane that is drawn: next to the rods."""
    places = positions.reshape(-1, 3)
    lower, upper = places.min(axis=0), places.max(axis=0)
    centre, normal = (lower + upper) / 2, normal / np.linalg.norm(normal)
    reach = _REACH * np.linalg.norm(upper - lower)
    return [reach, reach], centre - normal * (normal @ (centre - point))
