"""Flexes of a MuJoCo model: rods as tubes, sheets and solids as surfaces."""

from collections.abc import Iterator, Sequence

import mujoco
import numpy as np

from strand.replay import shapes
from strand.replay.looks import Looks
from strand.replay.parts import Part, Surface, still, tubes


def flex_parts(
    model: mujoco.MjModel, looks: Looks, groups: np.ndarray, frames: Sequence[np.ndarray]
) -> Iterator[Part]:
    """The flexes of these groups. frames: positions of the vertices of all flexes (V, 3; m)."""
    for k in range(model.nflex):
        rgba = looks.flex(k)
        if model.flex_group[k] not in groups or rgba[3] == 0:
            continue
        name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_FLEX, k) or "flex"
        first, count = int(model.flex_vertadr[k]), int(model.flex_vertnum[k])
        points = np.stack([one[first : first + count] for one in frames])
        if model.flex_dim[k] == 1:
            links = _cells(model.flex_elem, model.flex_elemdataadr[k], model.flex_elemnum[k], 2)
            radius = np.full(len(links), model.flex_radius[k])
            colors = np.tile(rgba, (1, len(links), 1))
            pieces = shapes.ball(len(links)), shapes.tube(len(links))
            yield from tubes(name, points, links, radius, colors, pieces)
        else:
            yield Surface(name, still(points), _triangles(model, k), rgba)


def _triangles(model: mujoco.MjModel, k: int) -> np.ndarray:
    if model.flex_dim[k] == 2:
        return _cells(model.flex_elem, model.flex_elemdataadr[k], model.flex_elemnum[k], 3)
    return _cells(model.flex_shell, model.flex_shelldataadr[k], model.flex_shellnum[k], 3)


def _cells(indices: np.ndarray, first: int, count: int, corners: int) -> np.ndarray:
    start = int(first)
    return np.array(indices[start : start + int(count) * corners]).reshape(-1, corners)
