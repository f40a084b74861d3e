"""Reads a cable along its length: shape, curvature, twist, forces and moments."""

import copy
import dataclasses
from typing import NamedTuple

import mujoco
import numpy as np

from strand import adapter
from strand._strand import RodProfile, von_mises_stress
from strand.errors import StrandError
from strand.readout.forces import Forces, as_stepped, rod_forces
from strand.readout.readout import check_pair, look_up, readout


class SectionStress(NamedTuple):
    """Stresses of bending and torsion in the sections at the joints."""

    bending: np.ndarray  #: Pa, (joints,)
    torsion: np.ndarray  #: Pa, (joints,)
    area: np.ndarray  #: m^2, (joints,)


@dataclasses.dataclass(frozen=True, eq=False)
class Profile:
    """A cable of n links along its length, SI units, world axes.

    Forces and moments at a point act on the part before it, from the part after it, so that
    tension, torque and EI times curvature are positive. Joints are between links, at nodes
    1 .. n - 1; also at a clamped end (plugin keys clamp_start, clamp_end); and, as the last one,
    where a closed cable closes. Where branches start, there are two joints: before and after the
    branches. The force at that node is that after them.

    The support of an end is everything that acts on the end link, except gravity and the next link:
    the body to which it is fixed, welds, contacts, applied forces, bodies attached to it. At a free
    end start_force, start_moment or end_force, end_moment are zero.

    MuJoCo reports the forces of fluids, flexes, spatial tendons, and actuators on sites and bodies
    as joint torques only. If one of them may act on the cable, the fields of force are NaN. Those
    of the ends are NaN if the cable is closed.

    Stresses are the largest in the section at the joint; if the adjacent links differ, in the
    weaker one. Reading them raises StrandError if the model does not determine a link's section.
    """

    nodes: np.ndarray  #: m, (n + 1, 3)
    node_arclength: np.ndarray  #: m, (n + 1,)
    tangents: np.ndarray  #: unit vectors along the links, (n, 3)
    link_arclength: np.ndarray  #: m, (n,): of the middles of the links
    joint_node: np.ndarray  #: (joints,): index of the node at which each joint lies
    joint_arclength: np.ndarray  #: m, (joints,)
    joint_span: np.ndarray  #: m, (joints,): Voronoi length of the joint
    joint_tangents: np.ndarray  #: mean of the adjacent tangents, (joints, 3), not unit vectors
    curvature_binormal: np.ndarray  #: 1/m, (joints, 3): the curvature times the unit binormal
    twist: np.ndarray  #: rad, (joints,): including full turns
    #: 1/m, (joints, 2): permanent set of the curvature, about the y and z axes of the links
    set_curvature: np.ndarray
    set_twist_rate: np.ndarray  #: rad/m, (joints,): permanent set of the twist
    moment: np.ndarray  #: N m, (joints, 3): of bending and twisting, without damping
    force: np.ndarray  #: N, (n + 1, 3): at the nodes
    start_force: np.ndarray  #: N, (3,): on the cable, from the support at its start
    start_moment: np.ndarray  #: N m, (3,): from the support at its start, about the first node
    end_force: np.ndarray  #: N, (3,): on the cable, from the support at its end
    end_moment: np.ndarray  #: N m, (3,): from the support at its end, about the last node
    energy: float  #: J, bending + twisting
    closed: bool
    section_stress: SectionStress | str  #: or the reason why the sections are unknown

    @property
    def curvature(self) -> np.ndarray:
        """Curvature (1/m), (joints,), >= 0."""
        return np.linalg.norm(self.curvature_binormal, axis=1)

    @property
    def twist_rate(self) -> np.ndarray:
        """Twist per length (rad/m), (joints,)."""
        return self.twist / self.joint_span

    @property
    def smallest_bend_radius(self) -> float:
        """1 / the largest curvature along the cable (m); inf if the cable is straight."""
        largest = self.curvature.max()
        return float(1 / largest) if largest > 0 else np.inf

    @property
    def torque(self) -> np.ndarray:
        """Component of the moment along the cable (N m), (joints,)."""
        return np.einsum("ij,ij->i", self.moment, self.joint_tangents)

    @property
    def bending_moment(self) -> np.ndarray:
        """Component of the moment orthogonal to the cable (N m), (joints, 3)."""
        square = np.einsum("ij,ij->i", self.joint_tangents, self.joint_tangents)
        return self.moment - (self.torque / square)[:, None] * self.joint_tangents

    @property
    def tension(self) -> np.ndarray:
        """Component of the force along the cable at the nodes (N), (n + 1,); > 0: tension."""
        before = np.concatenate([self.tangents[-1 if self.closed else 0][None], self.tangents])
        after = np.concatenate([self.tangents, self.tangents[0 if self.closed else -1][None]])
        along = before + after
        along /= np.linalg.norm(along, axis=1, keepdims=True)
        return np.einsum("ij,ij->i", self.force, along)

    @property
    def bending_stress(self) -> np.ndarray:
        """Bending stress at the outer fibre (Pa), (joints,), >= 0."""
        return self._known_section().bending

    @property
    def torsion_stress(self) -> np.ndarray:
        """Largest shear stress due to the torque (Pa), (joints,), >= 0."""
        return self._known_section().torsion

    @property
    def axial_stress(self) -> np.ndarray:
        """Tension over area (Pa), (joints,); > 0: tension. NaN where the tension is NaN."""
        return self.tension[self.joint_node] / self._known_section().area

    @property
    def von_mises_stress(self) -> np.ndarray:
        """Von Mises stress of bending, tension and torque (Pa), (joints,). NaN where the tension
        is NaN.

        It is exact for circles and tubes, and an upper bound for boxes and ellipses, whose largest
        shear stress may not be at their outer fibre.
        """
        stresses = zip(self.bending_stress, self.torsion_stress, self.axial_stress, strict=True)
        return np.array([von_mises_stress(*stress) for stress in stresses])

    def _known_section(self) -> SectionStress:
        if isinstance(self.section_stress, str):
            raise StrandError(self.section_stress)
        return self.section_stress


def profile(model: mujoco.MjModel, data: mujoco.MjData, cable: str | int = 0) -> Profile:
    """Reads a cable along its length, at the state in `data`.

    cable: name or index of its plugin instance (default 0).

    `data` is not changed: mj_forward runs on a copy, so that only the state in `data` needs to be
    current. The forces of a moving cable include its acceleration at that instant. In a model with
    mocap bodies or actuators, forces (not moments) are those of the last mj_step if the state has
    not changed since, because MuJoCo sees what was moved for a step stop after it.

    Raises StrandError if the model has no such cable.
    """
    check_pair(model, data)
    solved = copy.copy(data)
    mujoco.mj_forward(model, solved)
    rod = look_up(model, solved, cable, adapter.load().profile)
    lengths = np.array(rod.length)
    tangents = solved.xmat[rod.body].reshape(-1, 3, 3)[:, :, 0]
    nodes = rod_nodes(rod, solved)
    node_arclength = np.concatenate([[0.0], np.cumsum(lengths)])
    energy = readout(model, solved, cable).energy
    forces = _forces_of_step(model, data, cable) or rod_forces(model, solved, rod, nodes)
    return Profile(
        nodes=nodes,
        node_arclength=node_arclength,
        tangents=tangents,
        link_arclength=(node_arclength[1:] + node_arclength[:-1]) / 2,
        joint_node=np.array(rod.node),
        joint_arclength=np.array(rod.arclength),
        joint_span=np.array(rod.span),
        joint_tangents=_joint_tangents(rod, tangents),
        curvature_binormal=np.reshape(rod.curvature, (-1, 3)),
        twist=np.array(rod.twist),
        set_curvature=np.reshape(rod.set, (-1, 3))[:, :2],
        set_twist_rate=np.reshape(rod.set, (-1, 3))[:, 2],
        moment=-np.reshape(rod.moment, (-1, 3)),
        force=forces.nodes,
        start_force=forces.start[3:],
        start_moment=forces.start[:3],
        end_force=forces.end[3:],
        end_moment=forces.end[:3],
        energy=energy,
        closed=rod.closed,
        section_stress=rod.no_section
        or SectionStress(*map(np.array, (rod.bending_stress, rod.torsion_stress, rod.area))),
    )


def _forces_of_step(model: mujoco.MjModel, data: mujoco.MjData, cable: str | int) -> Forces | None:
    """The forces in a cable in the last mj_step, if they are the ones to read."""
    stepped = as_stepped(model, data)
    if stepped is None:
        return None
    rod = look_up(model, stepped, cable, adapter.load().profile)
    return rod_forces(model, stepped, rod, rod_nodes(rod, stepped))


def rod_nodes(rod: RodProfile, data: mujoco.MjData) -> np.ndarray:
    """Nodes (n + 1, 3; m) at the kinematics in `data`."""
    last = rod.body[-1]
    end = data.xpos[last] + rod.length[-1] * data.xmat[last].reshape(3, 3)[:, 0]
    return np.vstack([data.xpos[rod.body], end])


def _joint_tangents(rod: RodProfile, tangents: np.ndarray) -> np.ndarray:
    # Not normalised, so that the moment's component along it is the torque, as along both tangents.
    return tangents[np.array(rod.joint_link)].mean(axis=1)
