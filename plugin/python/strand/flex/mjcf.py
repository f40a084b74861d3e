"""Writes a cable on a flex as MJCF: a complete model, or parts for another model."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import numpy as np

from strand.flex import layout as layouts
from strand.flex.layout import Layout, NodeBody
from strand.flex.rod import FlexRod

if TYPE_CHECKING:
    from strand.cable.cable import Cable

EDGE_STRAIN = 1e-4  #: of the first edge of a hanging cable; far larger with the default solref
GRAVITY = 9.81  #: m/s^2, the least gravity for which edges are made stiff
TINY = 1e-14  #: kg, kg m^2: MuJoCo rejects moving bodies with less than 1e-15
SLIDES = ("1 0 0", "0 1 0", "0 0 1")
INTEGRATOR = "discrete"
TOLERANCE = 1e-6  #: of the solver, as in MuJoCo's manual for ropes on a flex


def write(cable: "Cable", rod: FlexRod, comment: str) -> str:
    """A model of one strand.Cable, at rest in its initial shape, without a plugin."""
    layout = layouts.of_cable(cable, rod)
    root = ElementTree.Element("mujoco", model="Strand")
    root.append(ElementTree.Comment(f"strand: {comment}"))
    _add(root, "option", integrator=INTEGRATOR, timestep=rod.timestep, tolerance=TOLERANCE,
         gravity=rod.gravity)  # fmt: skip
    world = _add(root, "worldbody")
    world.extend([*node_bodies(layout, rod), *twist_bodies(layout)])
    touches = cable.collide
    contact = {
        "contype": cable.contype if touches else 0,
        "conaffinity": cable.conaffinity if touches else 0,
        "condim": cable.condim,
        "friction": np.atleast_1d(cable.friction),
        "margin": cable.margin,
    }
    look = {"rgba": cable.rgba, "group": cable.group or 0}
    _add(root, "deformable").append(flex(layout, rod, look, contact))
    _add(root, "equality").append(edges_kept(layout, rod))
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def node_bodies(layout: Layout, rod: FlexRod) -> list[ElementTree.Element]:
    """The bodies of the nodes, children of the body to which the cable is attached."""
    return [_node_body(layout, rod, body) for body in layout.bodies]


def _node_body(layout: Layout, rod: FlexRod, body: NodeBody) -> ElementTree.Element:
    pose = {"pos": body.pos} | ({} if body.quat is None else {"quat": body.quat})
    element = _element("body", name=body.name, **pose)
    places = np.array(list(body.places.values()))
    masses = rod.node_mass[list(body.places)]
    mass = masses.sum()
    centre = masses @ places / mass
    # The inertia has no effect, since bodies that slide do not turn.
    spread = masses @ np.square(places - centre).sum(axis=1) + mass * rod.radius**2
    inertia = max(float(spread), TINY)
    _add(element, "inertial", pos=centre, mass=mass, diaginertia=[inertia] * 3)
    for axis in SLIDES if body.slides else ():
        _add(element, "joint", type="slide", axis=axis)
    for node, place in body.places.items():
        for site in layout.sites.get(node, ()):
            _add(element, "site", **({"pos": place} | site))
    return element


def twist_bodies(layout: Layout) -> list[ElementTree.Element]:
    """The bodies and hinges for the spins of the edges; fixed edges have none.

    They must be children of the world: MuJoCo uses their angles as those of the edges, in world
    axes.
    """
    bodies = []
    for edge, spin in enumerate(layout.spin):
        if spin is None:
            continue
        name = layout.twist_name(edge)
        body = _element("body", name=name)
        inertia = max(float(spin), TINY)
        _add(body, "inertial", pos=np.zeros(3), mass=TINY, diaginertia=[inertia] * 3)
        _add(body, "joint", name=name, type="hinge", axis=SLIDES[0])
        bodies.append(body)
    return bodies


def flex(
    layout: Layout, rod: FlexRod, look: dict[str, Any], contact: dict[str, Any]
) -> ElementTree.Element:
    """The element <flex>. look: rgba, group, material; contact: attributes of its <contact>."""
    bodies, places = zip(*layout.vertices, strict=True)
    edges = [[k, k + 1] for k in range(len(bodies) - 1)]
    element = _element(
        "flex",
        name=layout.name,
        dim=1,
        radius=rod.radius,
        **look,
        body=" ".join(bodies),
        vertex=np.ravel(places),
        element=np.ravel(edges),
    )
    _add(element, "contact", **contact, selfcollide="auto" if rod.self_contact else "none")
    moment = np.pi / 4 * rod.radius**4  # of a solid circle, which MuJoCo assumes as the section
    _add(
        element,
        "elasticity",
        young=rod.EI / moment,
        shear=rod.GJ / (2 * moment),
        damping=rod.loss_time,
    )
    return element


def edges_kept(layout: Layout, rod: FlexRod) -> ElementTree.Element:
    """The equality that keeps the lengths of the edges."""
    return _element("flex", flex=layout.name, solref=(edge_time(rod), 1))


def edge_time(rod: FlexRod) -> float:
    """Time constant t (s) of the edges' constraints, far below the time step.

    Constraints prescribe accelerations: the node of an edge that supports the whole cable of n
    nodes would accelerate by n g, so that the edge stretches by t^2 n g. The integrator `discrete`
    solves constraints in discrete time and is stable with this time constant.
    """
    gravity = max(float(np.linalg.norm(rod.gravity)), GRAVITY)
    return np.sqrt(EDGE_STRAIN * rod.link_length.min() / (len(rod.nodes) * gravity))


def _element(tag: str, **attributes: Any) -> ElementTree.Element:
    """An element whose numbers and arrays are written without rounding."""
    return ElementTree.Element(tag, {name: _written(value) for name, value in attributes.items()})


def _add(parent: ElementTree.Element, tag: str, **attributes: Any) -> ElementTree.Element:
    parent.append(_element(tag, **attributes))
    return parent[-1]


def _written(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Iterable):
        return " ".join(_written(item) for item in value)
    number = float(value)
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
