"""How deep a cable has gone into itself or into anything else since its run began.

What goes deeper than the cable's radius may come out on the other side. The deepest overlap so far
is kept in `userdata` of mjData, which is part of the state: it is copied, saved and reset with it.
"""

import mujoco
import numpy as np


def reserve(spec: mujoco.MjSpec) -> None:
    """Gives mjData the place where the deepest overlap is kept."""
    spec.nuserdata = 1


def note(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Keeps the deepest overlap so far; call it in every control period."""
    data.userdata[0] = deepest(model, data)


def deepest(model: mujoco.MjModel, data: mujoco.MjData) -> float:
    """The deepest overlap of a contact of a cable so far, by the radius of its link."""
    so_far = float(data.userdata[0])
    geoms = np.reshape(data.contact.geom, (-1, 2))
    is_link = model.body_plugin[model.geom_bodyid[geoms]] >= 0
    radius = np.where(is_link, model.geom_size[geoms, 0], np.inf).min(axis=1)
    # Contacts that MuJoCo leaves out, as those between neighbours, do not count.
    depth = np.where(data.contact.exclude == 0, -data.contact.dist, 0.0)
    for contact in np.flatnonzero(depth / radius > so_far):
        so_far = max(so_far, _depth(model, data, *geoms[contact]) / float(radius[contact]))
    return so_far


def _depth(model: mujoco.MjModel, data: mujoco.MjData, geom: int, other: int) -> float:
    """How deep (m) two geoms overlap; the `dist` of speculative contacts does not say it."""
    return max(0.0, -mujoco.mj_geomDistance(model, data, geom, other, 0.0, None))
