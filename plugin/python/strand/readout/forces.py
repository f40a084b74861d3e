"""Forces between the links of a cable, and between a cable and its supports.

They follow from Newton's second law for rigid links: MuJoCo's joint reactions (cfrc_int, the force
and moment on a body from its parent) contain the load of the whole subtree, and links that are
joined outside the tree are tied by connect or weld constraints with known forces. A wrench is 6
numbers, moment (N m) before force (N), world axes.
"""

import copy
from typing import NamedTuple

import mujoco
import numpy as np

from strand import adapter
from strand._strand import RodProfile
from strand.readout.readout import read_all
from strand.readout.ties import Tie, active_ties


class Forces(NamedTuple):
    """Forces in a cable of n links."""

    nodes: np.ndarray  #: N, (n + 1, 3): force on the part before the node from the part after it
    start: np.ndarray  #: (6,): wrench on the cable from the support at its start, about node 0
    end: np.ndarray  #: (6,): wrench from the support at its end, about the last node


def as_stepped(model: mujoco.MjModel, data: mujoco.MjData) -> mujoco.MjData | None:
    """A copy of `data` with the forces and accelerations of the last mj_step, at the kinematics
    from which they result; None unless the model has mocap bodies or actuators and the state has
    not changed since that step.

    A mocap body has no velocity, and controls are those of the step: at the state after it both
    have stopped, and would exert the force of that stop, often ten times the one of the step.
    """
    if (model.nmocap == 0 and model.nu == 0) or not _is_one_step_behind(model, data):
        return None
    stepped = copy.copy(data)
    stepped.qacc[:] = _acceleration(model, data)
    return stepped


def _acceleration(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    """The acceleration in the last mj_step, from the forces in `data`.

    What implicit integrators damp is missing in data.qacc.
    """
    integrators = mujoco.mjtIntegrator
    integrate = {
        integrators.mjINT_EULER: mujoco.mj_Euler,
        integrators.mjINT_IMPLICIT: mujoco.mj_implicit,
        integrators.mjINT_IMPLICITFAST: mujoco.mj_implicit,
    }.get(model.opt.integrator)
    if integrate is None:
        return data.qacc
    again = copy.copy(data)
    integrate(model, again)
    return (again.qvel - data.qvel) / model.opt.timestep


def _is_one_step_behind(model: mujoco.MjModel, data: mujoco.MjData) -> bool:
    """True if the kinematics in `data` are those before a step to its state.

    All integrators but RK4 advance positions by the new velocities.
    """
    if not data.qvel.any():
        return False
    behind = copy.copy(data)
    mujoco.mj_integratePos(model, behind.qpos, behind.qvel, -model.opt.timestep)
    mujoco.mj_kinematics(model, behind)
    rounding = 1e-9 * max(1.0, np.abs(data.xpos).max())
    return bool(np.abs(behind.xpos - data.xpos).max() < rounding)


def rod_forces(
    model: mujoco.MjModel, data: mujoco.MjData, rod: RodProfile, nodes: np.ndarray
) -> Forces:
    """The forces in a cable.

    data: a copy, after mj_forward or mj_step. It is changed: external forces, constraint forces
    and the results of mj_rnePostConstraint are overwritten. nodes: (n + 1, 3), m.
    """
    owner = _owners(model, rod)
    if _has_unreported_forces(model, owner):
        return Forces(np.full_like(nodes, np.nan), np.full(6, np.nan), np.full(6, np.nan))
    ties = list(active_ties(model, data))
    _add_unreported_forces(model, data, ties)
    mujoco.mj_rnePostConstraint(model, data)
    return _Cut(model, data, rod, nodes, owner, ties).forces()


def _owners(model: mujoco.MjModel, rod: RodProfile) -> np.ndarray:
    """For every body the index of the link that it is or descends from, or -1."""
    owner = np.full(model.nbody, -1)
    link = {body: k for bodies in (rod.body, rod.far_body) for k, body in enumerate(bodies)}
    for body in range(1, model.nbody):
        owner[body] = link.get(body, owner[model.body_parentid[body]])
    return owner


def _has_unreported_forces(model: mujoco.MjModel, owner: np.ndarray) -> bool:
    """True if the cable may be subject to a force that MuJoCo does not report: that of a fluid, a
    spatial tendon, an actuator on a body or site, or a flex."""
    if model.opt.density > 0 or model.opt.viscosity > 0 or model.nflex > 0:
        return True
    on_cable = set(np.flatnonzero(owner >= 0).tolist())
    wrap, transmission = mujoco.mjtWrap, mujoco.mjtTrn
    bodies = []
    for kind, index in zip(map(wrap, model.wrap_type), model.wrap_objid, strict=True):
        if kind == wrap.mjWRAP_SITE:
            bodies.append(model.site_bodyid[index])
        elif kind in (wrap.mjWRAP_SPHERE, wrap.mjWRAP_CYLINDER):
            bodies.append(model.geom_bodyid[index])
    kinds = map(transmission, model.actuator_trntype)
    for kind, indices in zip(kinds, model.actuator_trnid, strict=True):
        if kind in (transmission.mjTRN_SITE, transmission.mjTRN_SLIDERCRANK):
            bodies.extend(model.site_bodyid[indices[indices >= 0]])
        elif kind == transmission.mjTRN_BODY:
            return True  # adhesion acts on everything that the body touches
    return not on_cable.isdisjoint(int(body) for body in bodies)


def _add_unreported_forces(model: mujoco.MjModel, data: mujoco.MjData, ties: list[Tie]) -> None:
    """Adds to xfrc_applied the forces that mj_rnePostConstraint does not count as external.

    These are gravity compensation; the couples of every cable, so that a joint reaction contains
    only the action of the parent itself on the child; and the ties, since some versions of MuJoCo
    interpret the rotational multipliers of a weld as a moment in world axes.
    """
    external = data.xfrc_applied
    if _has_passive_forces(model):
        for rod in read_all(model, data, adapter.load().profile):
            moments = np.reshape(rod.moment, (-1, 3))
            before, after = np.transpose(rod.joint_body)
            np.add.at(external[:, 3:6], after, moments)
            np.subtract.at(external[:, 3:6], before, moments)
        external[:, :3] += _compensation(model)
    for tie in ties:
        for side, body in enumerate(tie.bodies):
            wrench = tie.wrench(side, data.xipos[body])
            external[body] += *wrench[3:], *wrench[:3]
    data.efc_force[: data.ne] = 0


def _compensation(model: mujoco.MjModel) -> np.ndarray:
    """Forces (N) of gravity compensation at the bodies' centres of mass, (nbody, 3)."""
    no_gravity = model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_GRAVITY
    if not model.ngravcomp or no_gravity or not _has_passive_forces(model):
        return np.zeros((model.nbody, 3))
    return -np.outer(model.body_gravcomp * model.body_mass, model.opt.gravity)


def _has_passive_forces(model: mujoco.MjModel) -> bool:
    both = mujoco.mjtDisableBit.mjDSBL_SPRING | mujoco.mjtDisableBit.mjDSBL_DAMPER
    return model.opt.disableflags & both != both


class _Cut:
    """A cable cut into its links."""

    def __init__(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        rod: RodProfile,
        nodes: np.ndarray,
        owner: np.ndarray,
        ties: list[Tie],
    ) -> None:
        self.model, self.data, self.rod, self.nodes = model, data, rod, nodes
        self.owner = owner
        self.ties: dict[tuple[int, int], list[tuple[Tie, int]]] = {}
        for tie in ties:
            one, other = (int(owner[body]) for body in tie.bodies)
            between = min(one, other), max(one, other)
            self.ties.setdefault(between, []).append((tie, one))
        links = {*rod.body, *rod.far_body}
        self.junctions = {body for pair in rod.joint_body for body in pair} - links
        self.parent_link = owner[model.body_parentid[rod.body]]
        self.far_parent_link = owner[model.body_parentid[rod.far_body]]

    def forces(self) -> Forces:
        n = len(self.rod.body)
        nodes = np.zeros((n + 1, 3))
        for k in range(1, n):
            nodes[k] = self._on_next(k - 1, k)
        start, end = np.full((2, 6), np.nan)
        if self.rod.closed:
            nodes[0] = nodes[n] = self._on_next(n - 1, 0)
        else:
            start, end = self._held(0, 1, self.nodes[0]), self._held(n - 1, n - 2, self.nodes[n])
            nodes[0], nodes[n] = start[3:], -end[3:]
        return Forces(-nodes, start, end)

    def _on_next(self, k: int, after: int) -> np.ndarray:
        """Force (N) of link k on link `after`."""
        force = self._tied(k, after, np.zeros(3))[3:]
        if self.parent_link[after] == k:
            return force + self.data.cfrc_int[self.rod.body[after], 3:]
        if self.far_parent_link[k] == after:
            return force - self.data.cfrc_int[self._root_before(k), 3:]
        return force

    def _root_before(self, k: int) -> int:
        """The root of the subtree with link k and the junction after it, if there is one, whose
        parent is the next link."""
        body = self.rod.far_body[k]
        parent = int(self.model.body_parentid[body])
        return parent if parent in self.junctions else body

    def _tied(self, k: int, other: int, point: np.ndarray) -> np.ndarray:
        """Wrench (6,) on link `other` from the ties between links k and `other`."""
        total = np.zeros(6)
        for tie, one in self.ties.get((min(k, other), max(k, other)), ()):
            total += tie.wrench(0 if one == other else 1, point)
        return total

    def _held(self, k: int, neighbour: int, point: np.ndarray) -> np.ndarray:
        """Wrench (6,) on the end link k from everything except its neighbour and its weight, of
        which gravity compensation is a part."""
        body = self.rod.body[k]
        # The half of a neighbour that is cut that lies in the tree of link k.
        beside = (self.rod.body if k < neighbour else self.rod.far_body)[neighbour]
        external = self.data.cfrc_ext[body].copy()
        if self.parent_link[k] != neighbour:
            external += self.data.cfrc_int[body]
        for child in np.flatnonzero(self.model.body_parentid == body):
            if child != body and not self._leads_to(int(child), beside):
                external -= self.data.cfrc_int[child]
        # MuJoCo's wrenches are about the centre of mass of the tree.
        centre = self.data.subtree_com[self.model.body_rootid[body]]
        external[:3] += np.cross(centre - point, external[3:])
        lift = _compensation(self.model)[body]
        external -= *np.cross(self.data.xipos[body] - point, lift), *lift
        if _has_passive_forces(self.model):
            external[:3] -= self._couple(k, neighbour)
        return external - self._tied(neighbour, k, point)

    def _leads_to(self, child: int, body: int) -> bool:
        while body > child:
            body = self.model.body_parentid[body]
        return body == child

    def _couple(self, k: int, neighbour: int) -> np.ndarray:
        """Moment (N m) on the end link k from the joint between it and its neighbour."""
        moments = np.reshape(self.rod.moment, (-1, 3))
        before, after = zip(*self.rod.joint_body, strict=True)
        if k < neighbour:
            return -moments[before.index(self.rod.far_body[k])]
        return moments[after.index(self.rod.body[k])]
