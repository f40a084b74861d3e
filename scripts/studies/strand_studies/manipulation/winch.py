"""A winch pulls a rope over a pulley, winds it on its drum, and so lifts a load.

The drum moves along its axis as it turns, so that one turn lies beside the other.
"""

import dataclasses
from collections.abc import Mapping
from typing import Any, ClassVar

import mujoco
import numpy as np

import strand
from strand_studies.manipulation.many_worlds import CableShape, Figures, ManyWorlds, State
from strand_studies.manipulation.scene import Range, View
from strand_studies.manipulation.script import Script, Stage
from strand_studies.manipulation.servo import add_servo

RADIUS, LINK = 0.003, 0.018  # m
DRUM, PULLEY = 0.04, 0.08  # m: radii
LOW, HIGH = 0.12, 1.15  # m: heights of the axles
TURNS, WOUND = 3.0, 1.0  # turns that the drum makes, that are on it at the start
PITCH = 3.2 * RADIUS  # m: from one turn to the next
ABOVE = 0.2  # m: height of the rope's lower end at the start
LAYER = 0.35 * RADIUS  # m: by which a wound rope may be off the drum's surface
CREEP = 0.02  # of the wound length, by which the load may rise less


@dataclasses.dataclass
class Winch(ManyWorlds):
    duration: ClassVar[float] = 10.0
    view: ClassVar[View] = View((0.05, 0.0, 0.6), 1.7, 65, -8)
    stiffness_ranges: ClassVar[tuple[str, ...]] = ("EI", "twist_ratio")

    EI: Range = Range(2e-4, 1e-3)  #: N m^2
    twist_ratio: Range = Range(0.6, 1.0)  #: GJ / EI
    friction: Range = Range(0.3, 0.7)
    mass: Range = Range(0.5, 2.0)  #: kg: of the load
    hanging: Range = Range(-0.03, 0.03)  #: m: by which the rope is longer
    link: float = LINK  #: m: length of the rope's links

    def build(self, rng: np.random.Generator | None = None) -> mujoco.MjSpec:
        drawn = self.draw(rng)
        nodes = _way(ABOVE - drawn["hanging"], self.link)
        spec = self.stage(_world(nodes[-1], drawn["mass"], self.link))
        _add_drum(spec)
        cable = strand.Cable(
            nodes,
            EI=drawn["EI"],
            GJ=drawn["EI"] * drawn["twist_ratio"],
            radius=RADIUS,
            density=1100.0,
            friction=drawn["friction"],
            rest="straight",
            loss_time=0.02,
            start="weld",
            start_to="drum",
            end="pin",
            end_to="load",
            rgba=(0.15, 0.35, 0.75, 1),
            skin=True,
        )
        strand.attach(spec, cable)
        return spec

    def controller(self, model: mujoco.MjModel, data: mujoco.MjData) -> Script:
        stages = [Stage(1.0), Stage(7.5, {"drum": -2 * np.pi * TURNS}), Stage(1.0)]
        return Script(model, data, stages, self.control_period)

    def done(self, figures: Figures) -> np.ndarray:
        """The drum has made its turns, they lie in one layer, and the load has risen by them."""
        wound = figures["wound"]
        return (
            (figures["turns"] > TURNS - 0.02)
            & (figures["off_drum"] < LAYER)
            & (np.abs(figures["lift"] - wound) < CREEP * np.abs(wound))
        )

    def figures(self, model: mujoco.MjModel, data: State, cable: CableShape) -> Figures:
        """turns: of the drum. wound: length of rope (m) of these turns. lift: of the load (m).
        off_drum: largest distance (m) of the links' middles on the drum from where they lie on it.
        """
        per_turn, load = _per_turn(self.link), model.body("load").id
        turns = -data.qpos[..., model.joint("drum").qposadr[0]] / (2 * np.pi)
        axle = data.xpos[..., None, model.body("drum").id, :]
        middle = (cable.nodes[..., 1:, :] + cable.nodes[..., :-1, :]) / 2 - axle
        away = np.hypot(middle[..., 0], middle[..., 2]) - DRUM - RADIUS
        wound = (WOUND + turns - 0.25) * per_turn - self.link
        on_drum = cable.link_arclength < np.expand_dims(wound, -1)
        return {
            "turns": turns,
            "wound": turns * per_turn,
            "lift": data.xpos[..., load, 2] - model.body_pos[load, 2],
            "off_drum": np.where(on_drum, np.abs(away), 0.0).max(axis=-1),
        }

    def stiffness(self, values: Mapping[str, Any]) -> tuple[Any, Any]:
        return values["EI"], values["EI"] * values["twist_ratio"]

    def coarse(self) -> "Winch":
        return dataclasses.replace(self, link=2 * LINK)


def _outside(radius: float, link: float) -> float:
    """Radius (m) of the nodes of links whose middles touch a drum."""
    return float(np.hypot(radius + RADIUS, link / 2))


def _per_turn(link: float) -> float:
    """Length of rope (m) on one turn of the drum: links that touch it with their middles."""
    return float(2 * np.pi * link / (2 * np.arctan2(link / 2, DRUM + RADIUS)))


def _way(low: float, link: float) -> np.ndarray:
    """Nodes (m): wound on the drum, up to the pulley, over it, down to the height `low`."""
    drum, pulley = _outside(DRUM, link), _outside(PULLEY, link)
    step = 2 * np.arctan2(link / 2, DRUM + RADIUS)
    turned = np.arange(round(2 * np.pi * WOUND / step), 0, -1) * step
    coil = np.stack([-drum * np.cos(turned), 0 * turned, LOW - drum * np.sin(turned)], axis=1)
    coil[:, 1] = -PITCH * turned / (2 * np.pi)
    up = HIGH - LOW
    rest = up + np.pi * pulley + HIGH - low
    s = np.linspace(0, rest, round(rest / link) + 1)
    angle = np.clip((s - up) / pulley, 0, np.pi)
    below = np.maximum(s - up - np.pi * pulley, 0)
    x = -drum + pulley * (1 - np.cos(angle))
    z = LOW + np.minimum(s, up) + pulley * np.sin(angle) - below
    return np.concatenate([coil, np.stack([x, 0 * s, z], axis=1)])


def _world(end: np.ndarray, mass: float, link: float) -> str:
    """The pulley between two flanges on a post, and the load at the rope's lower end."""
    x = _outside(PULLEY, link) - _outside(DRUM, link)
    solid = f'type="cylinder" zaxis="0 1 0" rgba="{_ORANGE}"'
    show = 'contype="0" conaffinity="0" mass="0"'
    return f"""
<mujoco>
  <worldbody>
    <geom type="box" size=".015 .01 {HIGH / 2}" pos="{x} .05 {HIGH / 2}" rgba="{_GREY}" {show}/>
    <geom type="box" size=".06 .08 .02" pos="0 0 .02" rgba="{_GREY}" {show}/>
    <body name="pulley" pos="{x} 0 {HIGH}">
      <joint name="pulley" axis="0 1 0" damping="1e-4"/>
      <geom {solid} size="{PULLEY} .012" mass=".2"/>
      <geom {solid} size="{PULLEY + 0.01} .003" pos="0 .015 0" mass=".02"/>
      <geom {solid} size="{PULLEY + 0.01} .003" pos="0 -.015 0" mass=".02"/>
      <geom type="box" size=".09 .004 .01" pos="0 -.02 0" rgba=".17 .19 .22 1" {show}/>
    </body>
    <body name="load" pos="{end[0]} {end[1]} {end[2]}">
      <freejoint/>
      <geom type="cylinder" size=".04 .05" pos="0 0 -.06" mass="{mass}" rgba=".2 .22 .25 1"/>
      <geom type="capsule" size=".004" fromto="0 0 0 0 0 -.012" rgba="{_ORANGE}" {show}/>
    </body>
  </worldbody>
</mujoco>
"""


_ORANGE, _GREY = ".93 .46 .13 1", ".45 .48 .52 1"


def _add_drum(spec: mujoco.MjSpec) -> None:
    """A drum that moves by PITCH along its axis with each turn, with its motor."""
    drum = spec.worldbody.add_body(name="drum", pos=[0, 0, LOW])
    drum.add_joint(name="shift", type=mujoco.mjtJoint.mjJNT_SLIDE, axis=[0, 1, 0])
    drum.add_joint(name="drum", type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0, 1, 0])
    turn = [np.sqrt(0.5), np.sqrt(0.5), 0, 0]
    long = PITCH * (TURNS + WOUND) / 2 + 0.01
    cylinder, middle = mujoco.mjtGeom.mjGEOM_CYLINDER, PITCH * (TURNS - WOUND) / 2
    drum.add_geom(
        type=cylinder,
        size=[DRUM, long, 0],
        pos=[0, middle, 0],
        quat=turn,
        mass=1.0,
        rgba=(0.93, 0.46, 0.13, 1),
    )
    for side in (-1, 1):
        drum.add_geom(
            type=cylinder,
            size=[DRUM + 0.015, 0.003, 0],
            pos=[0, middle + side * (long + 0.003), 0],
            quat=turn,
            mass=0.05,
            contype=0,
            conaffinity=0,
            rgba=(0.2, 0.22, 0.25, 1),
        )
    screw = spec.add_equality(
        name="screw",
        type=mujoco.mjtEq.mjEQ_JOINT,
        objtype=mujoco.mjtObj.mjOBJ_JOINT,
        name1="shift",
        name2="drum",
        solref=[2 * spec.option.timestep, 1],
    )
    screw.data[:5] = [0, PITCH / (2 * np.pi), 0, 0, 0]
    add_servo(spec, "drum", stiffness=500.0, fastest=10.0, farthest=100.0)
