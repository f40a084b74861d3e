"""Updates what depends on a growing robot's extensions: lengths of geoms, and masses."""

import copy
from collections.abc import Callable
from typing import TypeAlias

import mujoco
import numpy as np

from strand.vine.mjcf import mjcf

_BODY, _GEOM = mujoco.mjtObj.mjOBJ_BODY, mujoco.mjtObj.mjOBJ_GEOM
#: What finds the objects name0, name1, ... of a kind, and what finds one; -1: there is none.
_Ids: TypeAlias = Callable[[mujoco.mjtObj, str], np.ndarray]
_Find: TypeAlias = Callable[[mujoco.mjtObj, str], int]

_SEGMENT, _MASS, _INERTIA = range(3)  # in body_user


class _Capsules:
    """Capsules along the x axes of their bodies, between a moving and a fixed end.

    `ends` are the x of the fixed ends (m); the length follows the extension.
    """

    def __init__(self, model: mujoco.MjModel, geoms: np.ndarray, ends: np.ndarray) -> None:
        self._model, self._geoms, self._ends = model, geoms, ends
        self._bodies = model.geom_bodyid[geoms]
        # A colliding capsule is the only geom of its body, whose bounding volume tree is one box.
        self._single = model.body_bvhnum[self._bodies] == 1
        self._boxes = model.body_bvhadr[self._bodies][self._single]

    def follow(self, lengths: np.ndarray) -> None:
        model, geoms = self._model, self._geoms
        half = np.maximum(lengths, 1e-9) / 2
        model.geom_size[geoms, 1] = half
        model.geom_pos[geoms, 0] = self._ends - half
        radius = model.geom_size[geoms, 0]
        model.geom_rbound[geoms] = half + radius
        model.geom_aabb[geoms, 5] = half + radius  # along the geom's own axis
        # In the body's inertial axes, large enough for any direction of these.
        off = np.abs(model.body_ipos[self._bodies, 0] - model.geom_pos[geoms, 0])
        model.bvh_aabb[self._boxes, :3] = 0
        model.bvh_aabb[self._boxes, 3:] = (off + half + radius)[self._single, np.newaxis]


class Telescopes:
    """Pairs that telescope: the outer body's capsule extends from the end of the inner body to the
    outer body's distal end."""

    def __init__(self, model: mujoco.MjModel, ids: _Ids, find: _Find) -> None:
        self._outer: _Capsules | None = None
        inner, bodies = ids(_BODY, "a"), ids(_BODY, "b")
        self._half = model.body_ipos[inner, 0].copy()
        self.rigid_length = float(2 * self._half.sum())
        geoms: list[np.ndarray] = []
        if find(_GEOM, "outer0") >= 0:
            outer = ids(_GEOM, "outer")
            self._outer = _Capsules(model, outer, self._half)
            geoms += [outer, ids(_GEOM, "inner")]
        if find(_GEOM, "end0") >= 0:
            geoms.append(ids(_GEOM, "end"))
        self.geoms, self._bodies = np.concatenate(geoms), bodies

    def follow(self, extension: np.ndarray) -> None:
        if self._outer is not None:
            self._outer.follow(extension)


class Segments:
    """Segments of a robot that grows at its tip: each has the mass of its deployed length."""

    rigid_length = 0.0

    def __init__(self, model: mujoco.MjModel, ids: _Ids, find: _Find) -> None:
        self._model, self._bodies = model, ids(_BODY, "segment")
        user = model.body_user[self._bodies]
        self.segment = user[:, _SEGMENT].copy()
        self._mass, self._inertia = user[:, _MASS].copy(), user[:, _INERTIA].copy()
        self._capsules: _Capsules | None = None
        geoms: list[np.ndarray] = []
        if find(_GEOM, "outer0") >= 0:
            touching = ids(_GEOM, "outer")
            self._capsules = _Capsules(model, touching, np.zeros(len(touching)))
            geoms.append(touching)
        if find(_GEOM, "end0") >= 0:
            geoms.append(ids(_GEOM, "end"))
        self.geoms = np.concatenate(geoms)
        self._touching = touching = geoms[-1]
        # The first segment always collides, so that its masks are those of all segments.
        self._masks = model.geom_contype[touching[0]], model.geom_conaffinity[touching[0]]
        self._ancestors = self._chain_above(self._bodies[0])
        self._known = np.full(len(self.segment), np.nan)
        self._scale_constraints()

    def _scale_constraints(self) -> None:
        """Recomputes the mobilities (invweight0) with the full mass of all segments.

        MuJoCo scales constraints by the mobility that bodies had when the model was compiled.
        Segments that were collapsed then have almost no mass, and their constraints would remain a
        thousand times too soft.
        """
        model = copy.copy(self._model)
        model.body_mass[self._bodies] = self._mass
        model.body_inertia[self._bodies] = self._inertia[:, np.newaxis]
        mujoco.mj_setConst(model, mujoco.MjData(model))
        joints = self._model.body_jntadr[self._bodies]
        dofs = self._model.jnt_dofadr[np.concatenate([joints, joints + 1])]
        self._model.dof_invweight0[dofs] = model.dof_invweight0[dofs]
        self._model.body_invweight0[self._bodies] = model.body_invweight0[self._bodies]

    def follow(self, extension: np.ndarray) -> None:
        changed = np.flatnonzero(extension != self._known)
        if not len(changed):
            return
        self._known = extension.copy()
        model = self._model
        if self._capsules is not None:
            self._capsules.follow(extension)
        touches = extension > 0
        touches[0] = True
        for mask, kind in zip(self._masks, ("contype", "conaffinity"), strict=True):
            getattr(model, f"geom_{kind}")[self._touching] = np.where(touches, mask, 0)
            getattr(model, f"body_{kind}")[self._bodies] = np.where(touches, mask, 0)
        self._weigh(np.maximum(extension / self.segment, mjcf.LEAST_MASS))

    def _weigh(self, part: np.ndarray) -> None:
        model, bodies = self._model, self._bodies
        before = model.body_mass[bodies].sum()
        mass, inertia = part * self._mass, part * self._inertia
        # The moment of inertia about the body's axis scales with the mass.
        axial = model.body_inertia[bodies].min(axis=1) / model.body_mass[bodies] * mass
        model.body_mass[bodies] = mass
        axis = np.argmin(model.body_inertia[bodies], axis=1)
        model.body_inertia[bodies] = inertia[:, np.newaxis]
        model.body_inertia[bodies, axis] = np.minimum(axial, inertia)
        model.body_ipos[bodies, 0] = -part * self.segment / 2
        model.body_subtreemass[bodies] = np.cumsum(mass[::-1])[::-1]
        model.body_subtreemass[self._ancestors] += mass.sum() - before

    def _chain_above(self, body: int) -> np.ndarray:
        above: list[int] = []
        while body > 0:
            body = self._model.body_parentid[body]
            above.append(body)
        return np.array(above)
