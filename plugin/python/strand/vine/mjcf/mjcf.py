"""A growing robot as MJCF: nested hinges and slides, growth by equality constraints.

    telescoping  pair i: body a_i on hinge_i, b_i on slide_i, whose position is the extension s
    tip          pair i: body segment_i on hinge_i and slide_i, its frame at its distal end; lock_i
                 fixes the hinge while the segment is collapsed

grow_i keeps slide_i at the commanded extension. Constraints are as exact as MuJoCo permits. A
constraint with residual r and rate r' gets the reference acceleration -b r' - k r, and is softened
by an impedance d. The integrator `discrete` evaluates r and r' at the end of the step, the others
at its start.

  growth   k = 1 / dt^2, b = 1 / dt; or (discrete) k so large that b does not matter. The residual
           is zero after one step. (MuJoCo has no rate of a command: with the usual time constant tc
           a slide lags by 2 tc times its rate, and the lags of the pairs add up.)
  contact  b such that the approach speed is halved in every step, k = 1 / (16 dt)^2, so that
           penetration is removed slowly. Stiffer springs make the robot rebound at every impact,
           and its speed after an impact determines its path to the next one.
  d        .9999, the largest possible value, from the first touch on: at .99 impacts rebound.
"""

import xml.etree.ElementTree as ET

import numpy as np
from numpy.typing import ArrayLike

from strand.vine.mjcf import obstacles
from strand.vine.mjcf.chain import Chain
from strand.vine.mjcf.obstacles import text, turn

IMPEDANCE = 0.9999  #: mjMAXIMP
_SOLIMP = text((IMPEDANCE, IMPEDANCE, 0.001, 0.5, 2))
_OBSTACLE_RGBA = "0.45 0.5 0.55 1"
_HEIGHT = 4  # of obstacles, in diameters of the robot

#: Fraction of its mass that a segment has while it is collapsed.
LEAST_MASS = 1e-3
#: Fraction of a segment that must be deployed before its hinge is released.
RELEASE = 1 / 16


def growth_solref(dt: float, discrete: bool) -> tuple[float, float]:
    """-k and -b of growth constraints, scaled as MuJoCo expects them (it divides by d)."""
    if discrete:
        return -1000 * (IMPEDANCE / dt) ** 2, 0.0
    return -((IMPEDANCE / dt) ** 2), -IMPEDANCE / dt


def contact_solref(dt: float, discrete: bool) -> tuple[float, float]:
    """-k and -b of contacts, scaled as those of growth."""
    return -((IMPEDANCE / (16 * dt)) ** 2), -IMPEDANCE / (dt if discrete else 2 * dt)


def write(chain: Chain, options: bool = True) -> str:
    """The robot as MJCF text. options: with simulation options; False for use in a scene."""
    writer = _Writer(chain)
    if options:
        writer.set_options()
    return writer.text()


class _Writer:
    def __init__(self, chain: Chain) -> None:
        self._step = chain.timestep, chain.integrator == "discrete"
        self._chain, self._root = chain, ET.Element("mujoco", model=f"{chain.prefix}robot")
        ET.SubElement(self._root, "compiler", angle="radian", autolimits="true")
        self._asset = ET.SubElement(self._root, "asset")
        self._world = ET.SubElement(self._root, "worldbody")
        self._equality = ET.SubElement(self._root, "equality")

    def set_options(self) -> None:
        chain, option = self._chain, ET.SubElement(self._root, "option")
        option.set("integrator", chain.integrator)
        option.set("timestep", text(chain.timestep))
        option.set("gravity", text(chain.gravity))
        option.set("tolerance", "1e-10")
        if chain.friction > 0:
            option.set("cone", "elliptic")

    def text(self) -> str:
        chain = self._chain
        plane = self._body(self._world, "plane", chain.pos, chain.quat)
        for k, obstacle in enumerate(chain.obstacles):
            name = f"{chain.prefix}obstacle{k}"
            geom = obstacles.write(obstacle, plane, self._asset, name, _HEIGHT * chain.diameter)
            geom.set("rgba", _OBSTACLE_RGBA)
            geom.set("mass", "0")
        body = self._body(plane, "base", (*chain.base, 0.0), turn(chain.base_heading))
        add = self._add_segment if chain.growth == "tip" else self._add_pair
        for pair in range(chain.pairs):
            body = add(body, pair)
        tip = 0.0 if chain.growth == "tip" else chain.half_length[-1]
        ET.SubElement(body, "site", name=f"{chain.prefix}tip", pos=text((tip, 0, 0)), group="5")
        ET.indent(self._root)
        return ET.tostring(self._root, encoding="unicode") + "\n"

    def _body(
        self, parent: ET.Element, name: str, pos: ArrayLike, quat: ArrayLike = (1, 0, 0, 0)
    ) -> ET.Element:
        body = ET.SubElement(parent, "body", name=self._chain.prefix + name, pos=text(pos))
        body.set("quat", text(quat))
        return body

    def _add_pair(self, parent: ET.Element, pair: int) -> ET.Element:
        chain = self._chain
        half, extension = chain.half_length[pair], chain.extension[pair]
        before = chain.half_length[pair - 1] if pair else 0.0
        a = self._body(parent, f"a{pair}", (before, 0, 0), turn(chain.start_angle[pair]))
        self._inertial(a, half, chain.mass[pair], chain.inertia[pair])
        self._hinge(a, pair)
        b = self._body(a, f"b{pair}", (half + extension, 0, 0))
        self._inertial(b, 0, chain.mass[pair], chain.inertia[pair])
        self._slide(b, pair)
        self._capsule(a, f"inner{pair}", (0, 2 * half))
        self._capsule(b, f"outer{pair}", (half - extension, half))
        self._sphere(b, pair, half)
        return b

    def _add_segment(self, parent: ET.Element, pair: int) -> ET.Element:
        chain = self._chain
        segment, extension = 4 * chain.half_length[pair], chain.extension[pair]
        cos, sin = np.cos(chain.start_angle[pair]), np.sin(chain.start_angle[pair])
        place = (extension * cos, extension * sin, 0)
        body = self._body(parent, f"segment{pair}", place, turn(chain.start_angle[pair]))
        mass = 2 * chain.mass[pair]
        inertia = 2 * (chain.inertia[pair] + chain.mass[pair] * chain.half_length[pair] ** 2)
        body.set("user", text((segment, mass, inertia)))
        part = max(extension / segment, LEAST_MASS)
        # The centre is never at the origin, where MuJoCo would treat the inertia as fixed.
        centre = -max(extension, LEAST_MASS * segment) / 2
        self._inertial(body, centre, part * mass, part * inertia)
        self._hinge(body, pair, -extension)
        self._slide(body, pair)
        self._capsule(body, f"outer{pair}", (-extension, 0), alive=extension > 0)
        self._sphere(body, pair, 0, alive=extension > 0 or pair == 0)
        lock = self._hold("lock", "hinge", pair, RELEASE * segment > extension)
        lock.set("polycoef", text((self._lock_angle(pair), 0, 0, 0, 0)))
        return body

    def _lock_angle(self, pair: int) -> float:
        """Angle of a lock relative to the start: collapsed segments are at their natural angle."""
        return self._chain.natural_angle[pair] - self._chain.start_angle[pair]

    def _inertial(self, body: ET.Element, centre: float, mass: float, inertia: float) -> None:
        # About the axis: the inertia of a thin tube, limited to the inertia given.
        axial = min(inertia, mass * (self._chain.diameter / 2) ** 2)
        element = ET.SubElement(body, "inertial", pos=text((centre, 0, 0)), mass=text(mass))
        element.set("diaginertia", text((axial, inertia, inertia)))

    def _hinge(self, body: ET.Element, pair: int, anchor: float = 0.0) -> None:
        chain = self._chain
        joint = ET.SubElement(body, "joint", name=f"{chain.prefix}hinge{pair}", axis="0 0 1")
        joint.set("pos", text((anchor, 0, 0)))
        joint.set("stiffness", text(chain.stiffness[pair]))
        joint.set("damping", text(chain.damping[pair]))
        joint.set("springref", text(chain.natural_angle[pair]))
        joint.set("ref", text(chain.start_angle[pair]))

    def _slide(self, body: ET.Element, pair: int) -> None:
        joint = ET.SubElement(body, "joint", name=f"{self._chain.prefix}slide{pair}", type="slide")
        joint.set("axis", "1 0 0")
        joint.set("ref", text(self._chain.extension[pair]))
        self._hold("grow", "slide", pair, True)

    def _hold(self, kind: str, joint: str, pair: int, active: bool) -> ET.Element:
        prefix = self._chain.prefix
        element = ET.SubElement(self._equality, "joint", name=f"{prefix}{kind}{pair}")
        element.set("joint1", f"{prefix}{joint}{pair}")
        element.set("polycoef", "0 0 0 0 0")
        element.set("active", str(bool(active)).lower())
        element.set("solref", text(growth_solref(*self._step)))
        element.set("solimp", _SOLIMP)
        return element

    def _capsule(
        self, body: ET.Element, name: str, ends: tuple[float, float], alive: bool = True
    ) -> None:
        """Adds a capsule along the body's x axis, whose length the controller updates."""
        chain = self._chain
        touches = chain.shape == "capsule"
        if not touches and not chain.visible:
            return
        half = max(ends[1] - ends[0], 1e-6 * chain.diameter) / 2
        geom = self._geom(body, name, touches and alive)
        geom.set("type", "capsule")
        geom.set("size", text((chain.diameter / 2, half)))
        geom.set("pos", text((sum(ends) / 2, 0, 0)))
        geom.set("quat", text((np.sqrt(0.5), 0, np.sqrt(0.5), 0)))

    def _sphere(self, body: ET.Element, pair: int, place: float, alive: bool = True) -> None:
        chain = self._chain
        if chain.shape != "sphere":
            return
        geom = self._geom(body, f"end{pair}", alive)
        geom.set("type", "sphere")
        geom.set("size", text(chain.diameter / 2))
        geom.set("pos", text((place, 0, 0)))

    def _geom(self, body: ET.Element, name: str, touches: bool) -> ET.Element:
        chain = self._chain
        geom = ET.SubElement(body, "geom", name=chain.prefix + name, rgba=text(chain.rgba))
        geom.set("mass", "0")
        geom.set("contype", str(chain.contype if touches else 0))
        geom.set("conaffinity", str(chain.conaffinity if touches else 0))
        geom.set("priority", "1")  # its contact parameters override those of the other geom
        geom.set("condim", "3" if chain.friction > 0 else "1")
        geom.set("friction", text((chain.friction, 0, 0)))
        geom.set("solref", text(contact_solref(*self._step)))
        geom.set("solimp", _SOLIMP)
        return geom
