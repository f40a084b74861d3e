"""Parameters of an old cable as a 1D flex of MuJoCo 4, and its layout in the model."""

import dataclasses
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from strand.flex.check import STRAIGHT, turn
from strand.flex.layout import Layout, NodeBody
from strand.flex.mjcf import GRAVITY
from strand.flex.rod import FlexRod, apart, spin_inertia
from strand.legacy.bodies import Expansion, site_attributes
from strand.legacy.composite import LegacyCable
from strand.legacy.defaults import Defaults
from strand.legacy.elasticity import Moduli, Section
from strand.legacy.xml_source import Element

if TYPE_CHECKING:
    import mujoco

#: EI and GJ of a cable without stiffness, as a fraction of weight times length squared. They scale
#: its damping, and bend it over a thousandth of its length.
SOFTEST = 1e-6
CONTACT = ("contype", "conaffinity", "condim", "priority", "friction", "solmix", "solref", "solimp",
           "margin", "gap")  # fmt: skip
LOOK = ("rgba", "material")
_UNEVEN = 1e-3  # relative difference of lengths from which it is reported


@dataclasses.dataclass(frozen=True)
class FlexCable:
    """A cable and its flex, which the new text contains."""

    expansion: Expansion
    rod: FlexRod
    layout: Layout
    held: int  #: number of nodes at its start that are fixed to its carrier

    @property
    def end_body(self) -> str:
        """Name of the last node's body. The old cable had no body with its origin there."""
        return self.layout.bodies[-1].name


def check(cable: LegacyCable) -> None:
    """Raises StrandError if a flex cannot represent the cable."""
    element = cable.element
    if cable.geom["type"] == "box":
        _reject(element, "type of the cable's geom", "'box'", "capsule, cylinder")
    if cable.links < 2:
        _reject(element, "count", "1 link", "2 links or more: a single link cannot bend")
    angle = turn(cable.vertices.astype(float))
    if angle > STRAIGHT:
        _reject(element, "shape", f"a curve that turns by {angle:.3g} rad per joint",
                "a straight line")  # fmt: skip
    limits = numbers_of(cable, "range")
    if len(limits) == 2 and limits[0] < limits[1]:
        _reject(element, "range of the cable's joints", repr(cable.joint["range"]),
                "none: a flex has no bending limits")  # fmt: skip
    if cable.initial == "ball" and any(numbers_of(cable, "stiffness")):
        _reject(element, "stiffness of the cable's joints", repr(cable.joint["stiffness"]),
                "0 with initial ball: the end of a flex is clamped, or free to turn")  # fmt: skip


def _reject(element: Element, field: str, value: str, allowed: str) -> NoReturn:
    element.reject(field, value, f"{allowed} (with the flex backend)")


def numbers_of(cable: LegacyCable, name: str) -> list[float]:
    """Numbers of an attribute of the cable's joints."""
    return [float(word) for word in cable.joint.get(name, "").split()]


def make(
    expansion: Expansion,
    moduli: Moduli,
    defaults: Defaults,
    model: "mujoco.MjModel",
    data: "mujoco.MjData",
) -> FlexCable:
    """Makes the flex of a cable.

    model, data: compiled at qpos0 with every link as a separate child of the body that carries the
    cable.
    """
    cable = expansion.cable
    links = [model.body(cable.link_name("B", k)).id for k in range(cable.links)]
    rod = _rod(expansion, moduli, model, links)
    held = {"none": 2, "ball": 1, "free": 0}[cable.initial]
    return FlexCable(expansion, rod, _layout(expansion, rod, held, defaults, model, data), held)


def _rod(
    expansion: Expansion, moduli: Moduli, model: "mujoco.MjModel", links: list[int]
) -> FlexRod:
    cable = expansion.cable
    nodes = cable.vertices + np.array(cable.offset)
    length = float(np.mean([link.length for link in expansion.links]))
    masses = model.body_mass[links]
    gravity = max(float(np.linalg.norm(model.opt.gravity)), GRAVITY)
    softest = SOFTEST * masses.sum() * gravity * (length * cable.links) ** 2
    (bending, _), twisting = Section(radius=cable.size[0]).stiffness(moduli)
    # A spring of a ball joint resists bending and twisting equally.
    spring, damping = (sum(numbers_of(cable, name)) for name in ("stiffness", "damping"))
    EI = max(bending + spring * length, softest)
    GJ = max(twisting + spring * length, softest)
    margin = float(cable.geom.get("margin", "0"))
    return FlexRod(
        nodes=nodes,
        radius=cable.size[0],
        link_mass=masses,
        spin_inertia=spin_inertia(model, links),
        EI=EI,
        GJ=GJ,
        loss_time=damping * length / EI,
        timestep=model.opt.timestep,
        gravity=model.opt.gravity,
        self_contact=touches(cable) and apart(nodes, cable.size[0], margin),
    )


def touches(cable: LegacyCable) -> bool:
    """True if links collide with each other."""
    return bool(int(cable.geom.get("contype", "1")) & int(cable.geom.get("conaffinity", "1")))


def _layout(
    expansion: Expansion,
    rod: FlexRod,
    held: int,
    defaults: Defaults,
    model: "mujoco.MjModel",
    data: "mujoco.MjData",
) -> Layout:
    cable = expansion.cable
    first = model.body(cable.link_name("B", 0)).id
    quat = expansion.links[0].quat
    turned = None if quat == (1.0, 0.0, 0.0, 0.0) else np.array(quat)
    names = [cable.link_name("B", k) for k in range(cable.links)] + [f"{cable.prefix}B_end"]
    bodies = [
        NodeBody(name, rod.nodes[k], {k: np.zeros(3)}, slides=k >= held, quat=turned)
        for k, name in enumerate(names)
    ]
    spin: list[float | None] = list(rod.spin_inertia)
    if held == 2:
        spin[0] = None
    holder = _holder(model, first)
    vertices = [(name, np.zeros(3)) for name in names]
    # Both vertices of a fixed edge must be on the same body.
    for k in range(held):
        vertices[k] = (model.body(holder).name, _place(model, data, first, holder, rod, k))
    site = site_attributes(cable, 0.0, defaults)
    ends = {0: "first", cable.links: "last"}
    return Layout(
        name=f"{cable.prefix}rod",
        bodies=bodies,
        vertices=vertices,
        spin=spin,
        sites={k: [{"name": f"{cable.prefix}S_{end}"} | site] for k, end in ends.items()},
    )


def _holder(model: "mujoco.MjModel", first: int) -> int:
    """The body to which fixed vertices belong.

    MuJoCo lets a flex collide with every geom, except those of the bodies of its vertices. The old
    links did not collide with the geoms of a moving body that carried them.
    """
    carrier = model.body_parentid[first]
    return carrier if model.body_weldid[carrier] else first


def _place(
    model: "mujoco.MjModel",
    data: "mujoco.MjData",
    first: int,
    holder: int,
    rod: FlexRod,
    node: int,
) -> np.ndarray:
    """Position of a node of a straight cable in the frame of the body to which it is fixed (m)."""
    along = np.array([np.linalg.norm(rod.nodes[node] - rod.nodes[0]), 0.0, 0.0])
    place = data.xpos[first] + data.xmat[first].reshape(3, 3) @ along
    return data.xmat[holder].reshape(3, 3).T @ (place - data.xpos[holder])


def losses(flexed: FlexCable, moduli: Moduli) -> list[str]:
    """What a cable loses by the conversion, one text per item."""
    cable, lost = flexed.expansion.cable, []
    spring = sum(numbers_of(cable, "stiffness"))
    for key, value in (("bend", moduli.bend), ("twist", moduli.twist)):
        if value == 0 and spring == 0:
            lost.append(f"{key} 0: replaced by 1e-6 of weight times length squared (N m^2)")
    if moduli.vmax:
        lost.append("vmax: a flex has no stress colours")
    for name in ("armature", "frictionloss"):
        if any(numbers_of(cable, name)):
            lost.append(f"{name} of the joints: a flex has none")
    if cable.initial == "ball" and any(numbers_of(cable, "damping")):
        lost.append("damping of the first joint: a flex turns freely about the fixed node")
    if cable.initial == "free" and spring:
        lost.append("stiffness of the first joint, which is free: a flex has none there")
    for name in ("adhesion", "surfacevel"):
        if any(float(word) for word in cable.geom.get(name, "").split()):
            lost.append(f"{name} of the geoms: a flex has none")
    if cable.geom["type"] == "cylinder":
        lost.append("the flat ends of cylinders: a flex collides as capsules do")
    lengths = flexed.rod.link_length
    if np.ptp(lengths) > _UNEVEN * lengths.max():
        lost.append(
            "stiffness by the length of the previous link: it now depends on both links' lengths"
        )
    if touches(cable) and not flexed.rod.self_contact:
        lost.append("self-contact: links are shorter than the cable's diameter")
    return [f"{cable.element.where()}: {text}" for text in lost]
