"""The same rope as MJCF for each side of the comparison, by the recipe of its manual."""

import dataclasses
from collections.abc import Callable
from typing import NamedTuple
from xml.etree import ElementTree

import mujoco
import numpy as np

import strand
from strand_studies.beam import second_moment
from strand_studies.relax import joint_damping


@dataclasses.dataclass(frozen=True)
class Rope:
    """A round rope along x, straight at rest. SI units."""

    segments: int
    link_length: float  #: m
    young: float  #: Pa
    relaxation: float  #: s, damping divided by stiffness (Rayleigh damping)
    timestep: float  #: s
    radius: float = 0.003  #: m
    density: float = 1100.0  #: kg/m^3
    gravity: float = 9.81  #: m/s^2
    held: bool = True  #: True: the first link is fixed to the world; False: the rope is free
    floor: bool = False  #: True: the rope lies on a plane and touches nothing else
    arm: bool = False  #: True: a jointed arm, not the world, holds the first link

    @property
    def shear(self) -> float:
        """Shear modulus of an incompressible material, Pa."""
        return self.young / 3

    @property
    def EI(self) -> float:
        """Bending stiffness, N m^2."""
        return self.young * second_moment(self.radius)

    @property
    def GJ(self) -> float:
        """Torsional stiffness, N m^2."""
        return self.shear * 2 * second_moment(self.radius)

    @property
    def mass_per_length(self) -> float:
        """Mass per length, kg/m."""
        return self.density * np.pi * self.radius**2

    @property
    def length(self) -> float:
        """Length of all links, m."""
        return self.segments * self.link_length

    @property
    def damping(self) -> float:
        """Damping of each joint of a chain, N m s/rad."""
        return joint_damping(self.EI, self.link_length, self.relaxation)


class Scene(NamedTuple):
    """A model, its links along the rope (empty for a flex), and the body at the rope's end."""

    mjcf: str
    links: list[str]
    last: str


def strand_cable(rope: Rope, root: str = "auto", pieces: str | int = "auto") -> Scene:
    """Strand's generator: chain of capsules, each link with the mass of its cylinder."""
    nodes = strand.straight(rope.length, rope.segments) + np.array([0, 0, rope.radius])
    cable = strand.Cable(
        nodes=nodes,
        EI=rope.EI,
        GJ=rope.GJ,
        radius=rope.radius,
        density=rope.density,
        prefix="rope_",
        root=root,
        pieces=pieces,
        start="fixed" if rope.held else "free",
        clamp="link",
        damping=rope.damping,
        timestep=rope.timestep,
        gravity=(0, 0, -rope.gravity),
        collide=rope.floor,
    )
    mjcf = ElementTree.fromstring(_on_arm(cable, rope) if rope.arm else strand.generate(cable))
    if rope.floor:
        for geom in mjcf.iter("geom"):
            geom.set("contype", "0")
        mjcf.find("worldbody").append(ElementTree.fromstring(_FLOOR))
    links = [f"rope_link{k}" for k in range(rope.segments)]
    return Scene(ElementTree.tostring(mjcf, encoding="unicode"), links, links[-1])


def _on_arm(cable: strand.Cable, rope: Rope) -> str:
    world = f"<worldbody>{_arm('')}</worldbody>"
    spec = mujoco.MjSpec.from_string(f"<mujoco>{_option(rope, 'discrete')}{world}</mujoco>")
    strand.attach(spec, cable, "hand", pos=(_BONE, 0, 0))
    spec.compile()
    return spec.to_xml()


def native_cable(rope: Rope) -> Scene:
    """MuJoCo 3's composite cable with the plugin mujoco.elasticity.cable."""
    composite = f"""
    <composite type="cable" prefix="" curve="s" count="{rope.segments + 1} 1 1"
        size="{rope.length!r}" offset="0 0 {rope.radius}"
        initial="{"none" if rope.held else "free"}">
      <plugin plugin="mujoco.elasticity.cable">
        <config key="twist" value="{rope.shear!r}"/>
        <config key="bend" value="{rope.young!r}"/>
        <config key="vmax" value="0"/>
      </plugin>
      <joint kind="main" damping="{rope.damping!r}"/>
      <geom type="capsule" size="{rope.radius}" density="{rope.density}" {_touches(rope)}/>
    </composite>"""
    mjcf = f"""<mujoco>
  <extension><plugin plugin="mujoco.elasticity.cable"/></extension>
  {_option(rope, "implicitfast")}
  <worldbody>{_surroundings(rope, composite)}</worldbody>
</mujoco>"""
    links = ["B_first", *(f"B_{k}" for k in range(1, rope.segments - 1)), "B_last"]
    return Scene(mjcf, links, links[-1])


def flex(rope: Rope) -> Scene:
    """MuJoCo 4's 1D flex with elasticity; constraints keep the length of its edges."""
    # The manual recommends this tolerance and a separate solref for the edges, since the default is
    # far too soft. The grid is centred on its position.
    flexcomp = f"""
    <flexcomp name="rope" type="grid" dim="1" count="{rope.segments + 1} 1 1"
        spacing="{rope.link_length!r} 1 1" pos="{rope.length / 2!r} 0 {rope.radius}"
        radius="{rope.radius}" mass="{rope.mass_per_length * rope.length!r}">
      <contact {_touches(rope)} selfcollide="none"/>
      <edge equality="true" solref="{EDGE_TIME} 1"/>
      <elasticity young="{rope.young!r}" shear="{rope.shear!r}" damping="{rope.relaxation}"/>
      {'<pin id="0 1"/>' if rope.held else ""}
    </flexcomp>"""
    mjcf = f"""<mujoco>
  {_option(rope, "discrete", tolerance=1e-6)}
  <worldbody>{_surroundings(rope, flexcomp)}</worldbody>
</mujoco>"""
    return Scene(mjcf, [], f"rope_{rope.segments}")


EDGE_TIME = 0.0002  #: s, time constant of the constraints of a flex's edges

_AXES = ("0 0 1", "0 1 0", "0 1 0", "1 0 0", "0 1 0", "1 0 0")  #: of an arm's hinges
_BONE = 0.1  #: m, length of an arm's links
_FLOOR = '<geom name="floor" type="plane" size="0 0 1" contype="1" conaffinity="0"/>'


def _surroundings(rope: Rope, element: str) -> str:
    """The rope's element on its floor, on an arm or alone."""
    if rope.arm:
        return _arm(element)
    return _FLOOR + element if rope.floor else element


def _arm(held: str) -> str:
    """An arm of six hinges along x, whose last link, the body "hand" at the origin, holds the
    element."""
    before = -_BONE * len(_AXES)
    bodies = [
        f'<body name="{"hand" if k == len(_AXES) - 1 else f"arm{k}"}" '
        f'pos="{before if k == 0 else 0} 0 0"><joint axis="{axis}" damping=".1"/>'
        f'<geom type="capsule" fromto="0 0 0 {_BONE} 0 0" size=".03" contype="0" conaffinity="0"/>'
        f'<frame pos="{_BONE} 0 0">'
        for k, axis in enumerate(_AXES)
    ]
    return "".join(bodies) + held + "</frame></body>" * len(_AXES)


def _option(rope: Rope, integrator: str, tolerance: float = 1e-8) -> str:
    """The element <option>. The default tolerance is MuJoCo's."""
    return (
        f'<option timestep="{rope.timestep!r}" integrator="{integrator}" tolerance="{tolerance}"'
        f' gravity="0 0 {-rope.gravity}"/>'
    )


def _touches(rope: Rope) -> str:
    return f'contype="0" conaffinity="{int(rope.floor)}"'


ONE_TREE = "strand (one tree)"  #: Strand's chain in one tree, rooted at its middle

MAKERS: dict[str, Callable[[Rope], Scene]] = {
    "strand": strand_cable,
    ONE_TREE: lambda rope: strand_cable(rope, root="middle", pieces="none"),
    "cable": native_cable,
    "flex": flex,
}
