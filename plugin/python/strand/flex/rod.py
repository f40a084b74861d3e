"""Parameters of a cable on a flex, read from the chain of the same description."""

import dataclasses
from typing import TYPE_CHECKING

import mujoco
import numpy as np

from strand import _strand
from strand.flex.check import check_uniform

if TYPE_CHECKING:
    from strand.cable.cable import Cable


@dataclasses.dataclass(frozen=True, eq=False)
class FlexRod:
    """n links between n + 1 nodes, at rest in their initial shape. SI units, axes of the body to
    which the cable is attached."""

    nodes: np.ndarray  #: m, (n + 1, 3)
    radius: float  #: m
    link_mass: np.ndarray  #: kg, (n,)
    spin_inertia: np.ndarray  #: kg m^2, (n,): about the axes of the links
    EI: float  #: N m^2
    GJ: float  #: N m^2
    loss_time: float  #: s, viscous to elastic stiffness
    timestep: float  #: s
    gravity: np.ndarray  #: m/s^2, (3,)
    #: False if links that are not neighbours overlap, since a flex cannot exclude pairs
    self_contact: bool

    @property
    def node_mass(self) -> np.ndarray:
        """Mass of the nodes (kg), (n + 1,): half of each adjacent link.

        End nodes have half a link. flexcomp distributes the mass evenly, which makes the ends of a
        cable too heavy by half a link.
        """
        mass = np.zeros(len(self.nodes))
        mass[:-1] += self.link_mass / 2
        mass[1:] += self.link_mass / 2
        return mass

    @property
    def link_length(self) -> np.ndarray:
        """Lengths of the links (m), (n,)."""
        return np.linalg.norm(np.diff(self.nodes, axis=0), axis=1)


def from_chain(cable: "Cable", *, means: bool = False) -> FlexRod:
    """The parameters of a strand.Cable. Raises StrandError, which names the invalid field.

    means: those of a cable that is not uniform have the mean radius and stiffness, for its scales
        alone (default False: it is refused).
    """
    if not means:
        check_uniform(cable)
    # The only numerical damping that the recipe for `discrete` adds to joints is for soft cables.
    chain = dataclasses.replace(
        cable, integrator="discrete", twist="auto", skin=False, pieces="none"
    )
    model = mujoco.MjModel.from_xml_string(chain.to_mjcf())
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    count = len(cable.nodes) - 1
    radius = float(np.mean(cable.radius))
    links = [model.body(f"{cable.prefix}link{k}").id for k in range(count)]
    nodes = np.array([data.site(f"{cable.prefix}node{k}").xpos for k in range(count + 1)])
    EI, GJ = (of.mean(axis=0) for of in _strand.joint_stiffnesses(chain.description()))
    return FlexRod(
        nodes=nodes,
        radius=radius,
        link_mass=model.body_mass[links],
        spin_inertia=spin_inertia(model, links),
        EI=EI[0],
        GJ=float(GJ),
        loss_time=_loss_time(model, links, nodes, EI[0]),
        timestep=model.opt.timestep,
        gravity=model.opt.gravity.copy(),
        self_contact=(cable.collide and cable.self_contact and apart(nodes, radius, cable.margin)),
    )


def spin_inertia(model: mujoco.MjModel, links: list[int]) -> np.ndarray:
    """Moments of inertia of bodies about their x axes (kg m^2), (n,)."""
    turn = np.zeros(9)
    inertia = []
    for link in links:
        mujoco.mju_quat2Mat(turn, model.body_iquat[link])
        inertia.append(np.square(turn[:3]) @ model.body_inertia[link])
    return np.array(inertia)


def apart(nodes: np.ndarray, radius: float, margin: float) -> bool:
    """True if links of a straight cable that are not neighbours cannot touch each other."""
    shortest = np.linalg.norm(np.diff(nodes, axis=0), axis=1).min()
    return bool(shortest > 2 * radius + margin)


def _loss_time(model: mujoco.MjModel, links: list[int], nodes: np.ndarray, EI: float) -> float:
    """The mean loss time (s) of the joints, whose damping is loss_time EI / l."""
    spans = np.linalg.norm(np.diff(nodes, axis=0), axis=1)
    spans = (spans[:-1] + spans[1:]) / 2
    times = []
    for k, span in enumerate(spans):
        # The joint between two links belongs to the link that is the child of the other.
        child = links[k + 1] if model.body_parentid[links[k + 1]] == links[k] else links[k]
        joints = range(
            model.body_jntadr[child], model.body_jntadr[child] + model.body_jntnum[child]
        )
        ball = [j for j in joints if model.jnt_type[j] == mujoco.mjtJoint.mjJNT_BALL]
        if ball:
            times.append(model.dof_damping[model.jnt_dofadr[ball[0]]] * span / EI)
    return float(np.mean(times))


def recipe(cable: "Cable", rod: FlexRod) -> str:
    """A text that describes what was chosen."""
    lost = cable.collide and cable.self_contact and not rod.self_contact
    return (
        "flex: no root, independent nodes; twist dynamic; curvature 2 tan(phi/2)/l; "
        f"integrator discrete, step {rod.timestep * 1e3:g} ms; edge lengths kept by constraints; "
        f"loss time {rod.loss_time:.3g} s in bending and twisting"
        + ("; no self-contact: links are shorter than the cable's diameter" if lost else "")
    )
