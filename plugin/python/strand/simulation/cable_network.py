"""Cables and their branches as networks of the core."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from strand import _strand
from strand.cable.cable import Cable
from strand.errors import StrandError, checked
from strand.simulation.bodies import sphere
from strand.simulation.body import Body
from strand.simulation.network import Network, Rod
from strand.simulation.section import Section
from strand.simulation.simulation import Simulation
from strand.simulation.slip import Slip, moduli, pairs

#: Mass of a junction's body, relative to that of a link at it: too small to be seen in motion.
_MASS = 1e-3
#: Stiffness of a junction's body (J), relative to EI / l of a link at it: it yields by 1e-4 rad
#: where a joint bends by 1 rad.
_STIFFNESS = 1e4
_HELD = ("fixed", "mocap", "ball")


@dataclass
class CableNetwork:
    """A network that represents a cable with its branches.

    The cable and each branch is one rod, or several where branches divide it: all rods at a
    junction are attached to a small rigid body there.
    """

    cable: Cable
    network: Network = field(default_factory=Network)
    rods: dict[str, list[Rod]] = field(default_factory=dict)  #: by branch; "": the cable itself
    #: indices of the nodes in the network, in the order of the cable or branch
    nodes: dict[str, list[int]] = field(default_factory=dict)
    junctions: dict[tuple[str, int], Body] = field(default_factory=dict)  #: by branch and node

    def simulation(self, **options: Any) -> Simulation:
        """A simulation of the network, with the ends held as the cable says.

        options: arguments of Simulation. Default: gravity, curvature (see core_curvature) and rest
            shape of the cable. curvature="smooth", which cables in MuJoCo have from 12 links on,
            needs rods that are straight at rest and round.
        """
        cable = self.cable
        given: dict[str, Any] = {
            "gravity": cable.gravity,
            "curvature": core_curvature(cable),
            "rest_straight": cable.rest == "straight",
        }
        simulation = Simulation(self.network, **(given | options))
        for name, one in _all(cable):
            rods, last = self.rods[name], len(one.nodes) - 1
            ends = ((one.start, rods[0], 0, 0), (one.end, rods[-1], -1, last))
            for kind, rod, place, node in ends:
                if kind in ("fixed", "mocap") and one.clamp == "link":
                    simulation.fix_edge(rod.edges[place])
                elif kind in _HELD and (name, node) in self.junctions:
                    simulation.fix_node(self.junctions[name, node].carriers)
                elif kind in _HELD:
                    simulation.fix_node(rod.nodes[place])
        return simulation


def core_curvature(cable: Cable) -> str:
    """The core's measure of curvature for a cable: "angle" for "auto", since smooth curvature costs
    the core several times as much and serves round rods that are straight at rest alone."""
    return "angle" if cable.curvature == "auto" else cable.curvature


def cable_network(cable: Cable) -> CableNetwork:
    """The network of the core that a cable with its branches describes.

    Links become edges, which can stretch, with the stiffness and mass of the cable; `loss_time`
    becomes material damping. Ends that a mocap body holds are fixed.

    Raises StrandError if the description contains what the core does not have: ends held by bodies
    of a scene, rest_twist, other damping, or a branch with another curvature or rest.
    """
    _check(cable)
    network = CableNetwork(cable)
    builder = _Builder(network)
    for arm in builder.arms:
        builder.add(arm)
    return network


def _all(cable: Cable) -> Iterator[tuple[str, Cable]]:
    """The cable itself and its branches, with their names."""
    yield "", cable
    yield from ((branch.name, branch.cable) for branch in cable.branches)


def _check(cable: Cable) -> None:
    for name, one in _all(cable):
        where = f"branch {name}: " if name else ""
        for side in ("start", "end"):
            if (kind := getattr(one, side)) not in ("free", *_HELD):
                allowed = ", ".join(("free", *_HELD))
                raise StrandError(f"{where}{side}: got {kind!r}, allowed in the core: {allowed}")
        plain: dict[str, Any] = {"rest_twist": 0, "damping": None, "damping_ratio": None}
        if name:
            plain |= {"curvature": cable.curvature, "rest": cable.rest}
        for key, value in plain.items():
            if (got := getattr(one, key)) != value:
                raise StrandError(f"{where}{key}: got {got!r}, allowed in the core: {value!r}")


class _Builder:
    """Adds the rods of a cable to its network."""

    def __init__(self, built: CableNetwork) -> None:
        self.built = built
        self.arms = checked(_strand.cable_arms, built.cable.description())
        self.described = dict(_all(built.cable))

    def add(self, arm: _strand.CableArm) -> None:
        """Adds one rod, or one for each part between junctions."""
        links, closed = len(arm.links), self.described[arm.name].closed
        limits = list(arm.junctions)
        if closed and limits:
            limits.append(limits[0] + links)  # from the first junction around to it
        elif not closed:
            limits = [0, *limits, links]
        rods = self.built.rods.setdefault(arm.name, [])
        sections = _sections(arm, self.described[arm.name])
        self.built.nodes[arm.name] = [-1] * len(arm.nodes)
        if not limits:
            rods.append(self._rod(arm, sections, list(range(links)), closed=True))
        count = links if closed else links + 1
        for begin, end in itertools.pairwise(limits):
            rods.append(self._rod(arm, sections, [node % count for node in range(begin, end + 1)]))
            self._attach(arm, rods[-1], 0, begin % count, arm.joint_after(begin % count))
            self._attach(arm, rods[-1], -1, end % count, arm.joint_before(end % count))

    def _rod(
        self,
        arm: _strand.CableArm,
        sections: list[Section],
        nodes: list[int],
        closed: bool = False,
    ) -> Rod:
        """The part of an arm between these nodes. `sections`: of all links of the arm."""
        edges = nodes if closed else nodes[:-1]
        rod = self.built.network.rod_of_sections(
            arm.nodes[nodes], [sections[edge] for edge in edges], arm.normals[edges[0]], closed
        )
        for node, index in zip(nodes, rod.nodes, strict=True):
            self.built.nodes[arm.name][node] = index
        if self.described[arm.name].closed:
            self.built.nodes[arm.name][-1] = self.built.nodes[arm.name][0]
        inner = nodes[1:] + nodes[:1] if closed else nodes[1:-1]
        EI, GJ = arm.joint_stiffness
        for joint, node in zip(rod.joints, inner, strict=True):
            place = arm.joint_before(node or len(arm.links))  # node 0 of a ring is its last
            self.built.network.set_joint_stiffness(joint, tuple(EI[place]), GJ[place])
        return rod

    def _attach(self, arm: _strand.CableArm, rod: Rod, end: int, node: int, joint: int) -> None:
        """Attaches an end of a part of an arm to what holds it, by that joint of the arm."""
        network = self.built.network
        on, at = arm.name, node
        if arm.on >= 0 and node == 0:
            on, at = self.arms[arm.on].name, arm.node
        if not any((self.arms[a.on].name, a.node) == (on, at) for a in self.arms if a.on >= 0):
            if self._clamped(on, at):
                network.clamp(rod, "end" if end else "start")
            return
        body = self._junction(arm, on, at, node)
        hinged = arm.hinged and node == 0
        joints = network.attach_to_body(rod, end, body, "ball" if hinged else "rigid")
        EI, GJ = arm.joint_stiffness
        for new in joints:
            network.set_joint_stiffness(new, tuple(EI[joint]), GJ[joint])

    def _clamped(self, on: str, node: int) -> bool:
        """True if a clamp holds that node of an arm."""
        one = self.described[on]
        kind = {0: one.start, len(one.nodes) - 1: one.end}.get(node, "free")
        return kind in ("fixed", "mocap") and one.clamp == "node" and not one.closed

    def _junction(self, arm: _strand.CableArm, on: str, at: int, node: int) -> Body:
        """The body of the junction at a node of an arm, which is made when first needed."""
        if (on, at) not in self.built.junctions:
            link = min(node, len(arm.links) - 1)
            length, mass, _, _, _, radius = arm.links[link]
            self.built.junctions[on, at] = self.built.network.body(
                sphere(radius),
                mass=_MASS * mass,
                position=arm.nodes[node],
                stiffness=_STIFFNESS * arm.link_stiffness[0][link].max() / length,
            )
        return self.built.junctions[on, at]


def _slip(cable: Cable, outline: _strand.Section) -> Slip | None:
    """Where a link leaves elasticity."""
    if not (cable.yield_stress or cable.bend_elements or cable.twist_elements):
        return None
    return Slip(
        outline,
        cable.yield_stress,
        pairs(cable.bend_elements),
        pairs(cable.twist_elements),
        moduli(cable.hardening),
    )


def _sections(arm: _strand.CableArm, cable: Cable) -> list[Section]:
    """The section of each link."""
    sections = []
    EI, GJ = arm.link_stiffness
    rows = zip(arm.links, EI, GJ, arm.sections, strict=True)
    for (length, mass, inertia, area, second_moment, radius), bend, twist, outline in rows:
        EA = bend[0] / second_moment * area
        sections.append(
            Section(
                stiffness=(EA, *bend, twist),
                mass_per_length=mass / length,
                spin_inertia_per_length=inertia / length,
                area=area,
                radius=radius,
                damping=(0.0, cable.loss_time or 0.0),
                slip=_slip(cable, outline),
            )
        )
    return sections
