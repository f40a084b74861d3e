"""Draws the obstacles, obstacle meshes and rigid bodies of a simulation."""

import dataclasses
import itertools
from collections.abc import Sequence
from typing import Any

import mujoco
import numpy as np

from strand.draw import rod_render
from strand.simulation.body import Body
from strand.simulation.obstacle_mesh import ObstacleMesh
from strand.simulation.obstacles import Obstacle

_HOLLOW = (0.62, 0.64, 0.68, 0.25)  # RGBA, transparent: the rods inside remain visible
_STRING = (0.85, 0.6, 0.1, 1.0)  # RGBA
_REACH = 2.0  # half a wall's width, in diagonals of the bounding box of all rods


def drawn(
    shapes: Sequence[Obstacle],
    poses: np.ndarray,
    positions: np.ndarray,
    bodies: Sequence[Body] = (),
    meshes: Sequence[rod_render.Facets | rod_render.Obstacle] = (),
) -> dict[str, Any]:
    """Options of `rod_render.RodPainter`: the highest level floor, all other obstacles, and bodies.

    poses: n x 6, as Simulation.obstacle_poses.
    positions: of the nodes over the run (..., N, 3; m); bodies are drawn at the first of them.
    meshes: as from `facets` and `strings`.
    """
    floors = [shape.geometry["point"][2] for shape in shapes if _is_floor(shape)]
    first = positions.reshape(-1, *positions.shape[-2:])[0]
    others = [*beside(shapes, poses, positions), *rigid(bodies, first), *meshes]
    return {"floor": max(floors, default=None), "obstacles": others}


def beside(
    shapes: Sequence[Obstacle], poses: np.ndarray, positions: np.ndarray
) -> list[rod_render.Obstacle]:
    """All obstacles except level floors at rest, each at its pose."""
    return [
        _convert(_moved(shape, pose), positions)
        for shape, pose in zip(shapes, poses, strict=True)
        if not _is_floor(shape)
    ]


def facets(
    meshes: Sequence[ObstacleMesh], vertices: Sequence[np.ndarray]
) -> list[rod_render.Facets]:
    """Meshes with their vertices at these positions (N x 3, m)."""
    return [
        rod_render.Facets(places, mesh.triangles)
        for mesh, places in zip(meshes, vertices, strict=True)
    ]


def rigid(bodies: Sequence[Body], positions: np.ndarray) -> list[rod_render.Obstacle]:
    """Bodies except meshes, which are drawn as shells. positions: of the nodes (N x 3, m)."""
    made = []
    for body in bodies:
        if body.surface is not None:
            continue
        centre, turned = body.pose(positions)
        quat = np.zeros(4)
        mujoco.mju_mat2Quat(quat, turned.ravel())
        made.append(rod_render.Obstacle(body.shape.kind, body.shape.size, centre, quat))
    return made


def strings(paths: Sequence[np.ndarray], radius: float) -> list[rod_render.Obstacle]:
    """Tendons along `paths` (each n x 3, m), drawn with a `radius` (m)."""
    made = []
    for path in paths:
        for first, last in itertools.pairwise(path):
            along, quat = last - first, np.array([1.0, 0, 0, 0])
            if np.linalg.norm(along) > 0:
                mujoco.mju_quatZ2Vec(quat, along)
            size = (radius, float(np.linalg.norm(along)) / 2)
            middle = (first + last) / 2
            made.append(rod_render.Obstacle("capsule", size, middle, quat, _STRING))
    return made


def _is_floor(shape: Obstacle) -> bool:
    normal = shape.geometry.get("normal")
    return shape.path is None and normal is not None and normal[2] > 0 and not normal[:2].any()


def _moved(shape: Obstacle, pose: np.ndarray) -> Obstacle:
    """The shape rotated about its middle (a plane: about its point), and shifted."""
    turn: np.ndarray = np.zeros(9)
    quat, angle = np.zeros(4), np.linalg.norm(pose[3:])
    mujoco.mju_axisAngle2Quat(quat, pose[3:] / (angle or 1.0), angle)
    mujoco.mju_quat2Mat(turn, quat)
    turn, geometry = turn.reshape(3, 3), dict(shape.geometry)
    places: list[str] = [name for name in ("point", "centre", "a", "b") if name in geometry]
    middle = np.mean([geometry[name] for name in places], axis=0)
    for name in places:
        geometry[name] = middle + turn @ (geometry[name] - middle) + pose[:3]
    for name in ("normal", "rotation"):
        if name in geometry:
            geometry[name] = turn @ geometry[name]
    return dataclasses.replace(shape, geometry=geometry)


def _convert(shape: Obstacle, positions: np.ndarray) -> rod_render.Obstacle:
    geometry = shape.geometry
    quat = np.array([1.0, 0, 0, 0])
    if shape.kind == "plane":
        size, pos = _wall(geometry["point"], geometry["normal"], positions)
        mujoco.mju_quatZ2Vec(quat, geometry["normal"])
    elif shape.kind in ("capsule", "cylinder"):
        along = geometry["b"] - geometry["a"]
        size = [geometry["radius"], float(np.linalg.norm(along)) / 2]
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
    """Half lengths (m) and the centre of the part of a plane that is drawn, next to the rods."""
    places = positions.reshape(-1, 3)
    lower, upper = places.min(axis=0), places.max(axis=0)
    centre, normal = (lower + upper) / 2, normal / np.linalg.norm(normal)
    reach = _REACH * float(np.linalg.norm(upper - lower))
    return [reach, reach], centre - normal * (normal @ (centre - point))
