"""Writes a cable on a flex as MJCF."""

from collections.abc import Iterable
from xml.etree import ElementTree

import numpy as np

from strand.flex.rod import FlexRod

EDGE_STRAIN = 1e-4  #: of the first edge of a hanging cable; that of the default solref is far above
GRAVITY = 9.81  #: m/s^2, by which edges are stiff at least
GHOST = 1e-3  #: of a link's length: the short edge that is held where an end is clamped
TINY = 1e-14  #: kg, kg m^2: MuJoCo refuses bodies that move and weigh less than 1e-15
SLIDES = ("1 0 0", "0 1 0", "0 0 1")


def write(cable, rod: FlexRod, comment: str) -> str:
    """A model of one cable, at rest as drawn, without a plugin.

    Where the direction at an end node is held (clamp "node"), a ghost edge goes before it, with
    both its nodes held. A flex gives a vertex between edges l0 and l1 the stiffness
    2 EI / (l0 + l1): with l0 << l1 that is 2 EI / l1, the half link of a clamp at the node itself,
    as the chain has it.
    """
    root = ElementTree.Element("mujoco", model="Strand")
    root.append(ElementTree.Comment(f"strand: {comment}"))
    # The tolerance that MuJoCo's manual gives for ropes on a flex.
    _add(root, "option", integrator="discrete", timestep=rod.timestep, tolerance=1e-6,
         gravity=rod.gravity)  # fmt: skip
    world = _add(root, "worldbody")
    layout = _Layout(cable, rod)
    for side in ("start", "end"):
        _holder(world, cable, rod, side)
    for k in range(len(rod.nodes)):
        _node(world, cable, rod, layout, k)
    for edge in range(len(layout.vertices) - 1):
        _twist(world, layout, edge)
    _flex(root, cable, rod, layout)
    return _text(root)


class _Layout:
    """Vertices of the flex in order, ghosts among them, and the bodies that they are on."""

    def __init__(self, cable, rod: FlexRod) -> None:
        last = len(rod.nodes) - 1
        self.name = f"{cable.prefix}rod"
        self.held: dict[int, str] = {}  #: nodes that are fixed, and the body that holds them
        before, after = [], []  # ghosts
        for side, node, inner, ghosts in (("start", 0, 1, before), ("end", last, last - 1, after)):
            kind = getattr(cable, side)
            if kind == "free":
                continue
            holder = f"{cable.prefix}hold_{side}"
            self.held[node] = holder
            if kind == "fixed" and cable.clamp == "link":
                self.held[inner] = holder
            elif kind == "fixed":
                ghosts.append(
                    (holder, rod.nodes[node] + GHOST * (rod.nodes[node] - rod.nodes[inner]))
                )
        #: (body, place in the body's frame), (vertices,)
        self.vertices = [*before, *(self._on_body(cable, rod, k) for k in range(last + 1)), *after]
        self.spin = [None] * len(before) + list(rod.spin_inertia) + [None] * len(after)
        if cable.clamp == "link":
            for side, edge in (("start", 0), ("end", -1)):
                if getattr(cable, side) == "fixed":
                    self.spin[edge] = None

    def _on_body(self, cable, rod: FlexRod, k: int) -> tuple[str, np.ndarray]:
        # Bodies that hold are at the origin, so that a place in them is a place in the world.
        if k in self.held:
            return self.held[k], rod.nodes[k]
        return f"{cable.prefix}node{k}", np.zeros(3)

    def twist_name(self, edge: int) -> str:
        """Of an edge's twist joint: MuJoCo finds them by these names."""
        last = edge == len(self.vertices) - 2
        return f"{self.name}_twist" if last else f"{self.name}_twist_{edge}"


def _holder(world, cable, rod: FlexRod, side: str) -> None:
    """A body that does not move, with the nodes that an end is held by."""
    if getattr(cable, side) == "free":
        return
    last = len(rod.nodes) - 1
    link = getattr(cable, side) == "fixed" and cable.clamp == "link"
    nodes = {"start": [0, 1], "end": [last, last - 1]}[side][: 2 if link else 1]
    mass = rod.node_mass[nodes]
    centre = mass @ rod.nodes[nodes] / mass.sum()
    body = _add(world, "body", name=f"{cable.prefix}hold_{side}")
    spread = mass @ np.square(rod.nodes[nodes] - centre).sum(axis=1)
    inertia = max(float(spread), TINY)
    _add(body, "inertial", pos=centre, mass=mass.sum(), diaginertia=[inertia] * 3)
    for k in nodes:
        _sites(body, cable, rod, k, rod.nodes[k])


def _node(world, cable, rod: FlexRod, layout: _Layout, k: int) -> None:
    if k in layout.held:
        return
    body = _add(world, "body", name=f"{cable.prefix}node{k}", pos=rod.nodes[k])
    # It slides and does not turn: its inertia is never felt.
    inertia = max(float(rod.node_mass[k] * cable.radius**2), TINY)
    _add(body, "inertial", pos=np.zeros(3), mass=rod.node_mass[k], diaginertia=[inertia] * 3)
    for axis in SLIDES:
        _add(body, "joint", type="slide", axis=axis)
    _sites(body, cable, rod, k, np.zeros(3))


def _sites(body, cable, rod: FlexRod, k: int, place: np.ndarray) -> None:
    """The sites that the chain has at its nodes, too."""
    _add(body, "site", name=f"{cable.prefix}node{k}", pos=place, group=4)
    for side, node in (("start", 0), ("end", len(rod.nodes) - 1)):
        if k == node:
            _add(body, "site", name=f"{cable.prefix}site_{side}", pos=place, group=4)


def _twist(world, layout: _Layout, edge: int) -> None:
    """The body and hinge that carry an edge's own spin; an edge that is held has none."""
    if layout.spin[edge] is None:
        return
    name = layout.twist_name(edge)
    body = _add(world, "body", name=name)
    inertia = max(float(layout.spin[edge]), TINY)
    _add(body, "inertial", pos=np.zeros(3), mass=TINY, diaginertia=[inertia] * 3)
    _add(body, "joint", name=name, type="hinge", axis=SLIDES[0])


def _flex(root, cable, rod: FlexRod, layout: _Layout) -> None:
    bodies, places = zip(*layout.vertices, strict=True)
    edges = [[k, k + 1] for k in range(len(bodies) - 1)]
    flex = _add(
        _add(root, "deformable"),
        "flex",
        name=layout.name,
        dim=1,
        radius=cable.radius,
        rgba=cable.rgba,
        group=cable.group or 0,
        body=" ".join(bodies),
        vertex=np.ravel(places),
        element=np.ravel(edges),
    )
    touches = cable.collide
    _add(
        flex,
        "contact",
        contype=cable.contype if touches else 0,
        conaffinity=cable.conaffinity if touches else 0,
        condim=cable.condim,
        friction=np.atleast_1d(cable.friction),
        margin=cable.margin,
        selfcollide="auto" if rod.self_contact else "none",
    )
    moment = np.pi / 4 * cable.radius**4  # of the full circle that MuJoCo takes the section for
    _add(
        flex,
        "elasticity",
        young=rod.EI / moment,
        shear=rod.GJ / (2 * moment),
        damping=rod.loss_time,
    )
    _add(_add(root, "equality"), "flex", flex=layout.name, solref=(_edge_time(rod), 1))


def _edge_time(rod: FlexRod) -> float:
    """Time constant (s) t of the edges' constraints, far below the time step.

    They act in accelerations: where the whole cable of n nodes hangs on one edge, its node would
    accelerate by n g, which stretches the edge by t^2 n g. `discrete` solves constraints in
    discrete time and stays stable with it.
    """
    gravity = max(float(np.linalg.norm(rod.gravity)), GRAVITY)
    length = float(rod.link_length.min())
    return np.sqrt(EDGE_STRAIN * length / (len(rod.nodes) * gravity))


def _add(parent, tag: str, **attributes):
    """An element below `parent`; numbers and arrays are written with all their digits."""
    texts = {name: _written(value) for name, value in attributes.items()}
    return ElementTree.SubElement(parent, tag, texts)


def _written(value) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Iterable):
        return " ".join(_written(item) for item in value)
    number = float(value)
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)


def _text(root) -> str:
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode") + "\n"
