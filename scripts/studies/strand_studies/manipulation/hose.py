"""A mobile base drags a hose from its outlet around a pillar."""

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

OUTER, INNER, SEGMENTS = 0.012, 0.009, 96  # m, m, 1
OUTLET = (-0.85, -0.40)  # m
PILLAR, THICK = (0.55, 0.0), 0.14  # m: place and radius
TIED = 0.16  # m: from the middle of the base back to the hose
WAY = ((0.10, -0.62), (0.62, -0.60), (1.05, -0.30), (1.10, 0.20), (0.75, 0.58), (0.15, 0.66))  # m
LATEST = 14.0  # s: when the base is there
ARRIVED, STRONGEST = 0.03, 150.0  # m, N: of the base along each axis (N m about the vertical)
ROUND = np.pi / 2  # rad: least angle of the hose about the pillar


@dataclasses.dataclass
class Hose(ManyWorlds):
    duration: ClassVar[float] = 15.0
    view: ClassVar[View] = View((0.15, -0.35, 0.0), 3.3, 90, -50)
    stiffness_ranges: ClassVar[tuple[str, ...]] = ("young",)

    young: Range = Range(2e6, 6e6)  #: Pa
    friction: Range = Range(0.3, 0.6)
    density: Range = Range(1000.0, 1400.0)  #: kg/m^3
    spare: Range = Range(0.0, 0.12)  #: m: by which each arm of its bight is longer
    weight: Range = Range(8.0, 15.0)  #: kg: of the base
    segments: int = SEGMENTS  #: number of the hose's links

    def build(self, rng: np.random.Generator | None = None) -> mujoco.MjSpec:
        drawn = self.draw(rng)
        spec = self.stage(_world(drawn["weight"]))
        for axis, stiffness in (("x", 20_000.0), ("y", 20_000.0), ("yaw", 2_000.0)):
            add_servo(spec, f"base_{axis}", stiffness, fastest=2.0, strongest=STRONGEST)
        cable = strand.Cable(
            _laid(drawn["spare"], self.segments),
            section="tube",
            radius=OUTER,
            inner_radius=INNER,
            young=drawn["young"],
            poisson=0.45,
            density=drawn["density"],
            friction=drawn["friction"],
            rest="straight",
            loss_time=0.05,
            start="fixed",
            end="weld",
            end_to="base",
            rgba=(0.13, 0.45, 0.28, 1),
            skin=True,
        )
        strand.attach(spec, cable)
        return spec

    def controller(self, model: mujoco.MjModel, data: mujoco.MjData) -> Script:
        return Script(model, data, _drive(), self.control_period)

    def done(self, figures: Figures) -> np.ndarray:
        """The base is there, and the hose lies around the pillar, outside it."""
        return (
            (figures["to_go"] < ARRIVED)
            & (figures["around"] > ROUND)
            & (figures["clearance"] > -0.2 * OUTER)
        )

    def figures(self, model: mujoco.MjModel, data: State, cable: CableShape) -> Figures:
        """to_go: of the base to its goal (m). around: angle of the hose about the pillar, from the
        outlet to the base (rad). clearance: from the pillar (m)."""
        apart = cable.nodes[..., :2] - np.array(PILLAR)
        angle = np.unwrap(np.arctan2(apart[..., 1], apart[..., 0]), axis=-1)
        base = data.xpos[..., model.body("base").id, :2]
        return {
            "to_go": np.linalg.norm(base - WAY[-1], axis=-1),
            "around": angle[..., -1] - angle[..., 0],
            "clearance": np.linalg.norm(apart, axis=-1).min(axis=-1) - THICK - OUTER,
        }

    def stiffness(self, values: Mapping[str, Any]) -> tuple[Any, Any]:
        return values["young"], values["young"]

    def coarse(self) -> "Hose":
        return dataclasses.replace(self, segments=SEGMENTS // 4)


def _laid(spare: float, segments: int) -> np.ndarray:
    """Nodes (m) of the hose on the floor: a long bight between the outlet and the base.

    It widens below, as a hose that is let go comes to rest there, or it would spring aside.
    """
    tied = WAY[0][0] - TIED
    bight = [
        (-0.64, -0.50),
        (-0.58, -0.73),
        (-0.61, -0.97),
        (-0.66, -1.20),
        (-0.67, -1.45),
        (-0.54, -1.63),
        (-0.33, -1.57),
        (-0.31, -1.34),
        (-0.41, -1.12),
        (-0.44, -0.88),
        (-0.29, -0.70),
    ]
    top, low = WAY[0][1], min(y for _, y in bight)
    longer = 1 + (spare - 0.06) / (top - low)
    flat = [(x, top + (y - top) * longer) if y < top else (x, y) for x, y in bight]
    ways = [OUTLET, (-0.77, -0.42), *flat, (tied - 0.08, top - 0.01), (tied, top)]
    return strand.spline([(x, y, OUTER) for x, y in ways], segments)


def _drive() -> list[Stage]:
    """Along a smooth line through WAY, with the base turned along it, at an even speed."""
    line = strand.spline([(x, y, 0) for x, y in WAY], 48)[:, :2]
    along = np.gradient(line, axis=0)
    yaw = np.unwrap(np.arctan2(along[:, 1], along[:, 0]))
    part = np.linspace(0, 1, len(line))
    evenly = part**2 * (3 - 2 * part)  # of the way: starts and stops smoothly
    places = np.arange(len(line)) / (len(line) - 1)
    points = [np.interp(evenly, places, values) for values in (*line.T, yaw)]
    stages = [Stage(0.5)]
    seconds = (LATEST - 0.5) / (len(line) - 1)
    for x, y, turn in np.transpose(points)[1:]:
        goal = {"base_x": x - WAY[0][0], "base_y": y - WAY[0][1], "base_yaw": turn - yaw[0]}
        stages.append(Stage(seconds, goal, even=True))
    return stages


def _world(weight: float) -> str:
    x, y = WAY[0]
    show = 'contype="0" conaffinity="0" mass="0"'
    wheels = "".join(
        f'<geom type="cylinder" size=".04 .015" pos="{a} {b} .04" zaxis="0 1 0" {show} '
        'rgba=".17 .19 .22 1"/>'
        for a in (-0.09, 0.09)
        for b in (-0.11, 0.11)
    )
    return f"""
<mujoco>
  <worldbody>
    <geom type="box" size=".03 .08 .06" pos="{OUTLET[0] - 0.03} {OUTLET[1]} .06" {show}
          rgba=".45 .48 .52 1"/>
    <geom type="cylinder" size="{THICK} .2" pos="{PILLAR[0]} {PILLAR[1]} .2"
          rgba=".80 .58 .36 1"/>
    <body name="base" pos="{x} {y} 0">
      <joint name="base_x" type="slide" axis="1 0 0"/>
      <joint name="base_y" type="slide" axis="0 1 0"/>
      <joint name="base_yaw" axis="0 0 1"/>
      <geom type="box" size=".15 .1 .04" pos="0 0 .09" mass="{weight}" rgba=".93 .46 .13 1"
            contype="0" conaffinity="0"/>
      <geom type="cylinder" size=".05 .03" pos=".05 0 .16" rgba=".93 .93 .91 1" {show}/>
      <geom type="capsule" size=".01" fromto="-.13 0 .07 {-TIED} 0 {OUTER}" rgba=".17 .19 .22 1"
            {show}/>
      {wheels}
    </body>
  </worldbody>
</mujoco>
"""
