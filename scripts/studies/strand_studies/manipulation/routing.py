"""A hand lays a cable through four clips on a board: it takes the cable behind the next clip,
carries it over, presses it in, and goes on."""

import dataclasses
from typing import ClassVar

import mujoco
import numpy as np

import strand
from strand_studies.manipulation import grasping, gripper
from strand_studies.manipulation.gripper import Hand
from strand_studies.manipulation.scene import Range, Scene, View
from strand_studies.manipulation.script import Script, Stage

RADIUS, SEGMENTS = 0.004, 72  # m, 1
CLIPS = ((0.15, 0.015), (0.29, 0.055), (0.43, 0.005), (0.57, 0.03))  # m: x, y on the board
GAP, WALL, DEEP, LONG = 0.0065, 0.004, 0.018, 0.006  # m: half gap, half wall, height, half length
BEHIND, BEFORE = 0.04, 0.03  # m: from a clip to the hand that presses the cable down
SLACK = 0.003  # m: of the cable between two clips
OVER, LOW = 0.045, 0.008  # m: heights of the hand: over the clips, on the board
PRESS = 2 * RADIUS + gripper.TIP  # m: height of the hand whose closed fingers press the cable down
GRIP = 15.0  # N
FLARE = 0.010  # m: by which a clip widens above its walls


@dataclasses.dataclass
class Routing(Scene):
    duration: ClassVar[float] = 18.0
    view: ClassVar[View] = View((0.40, -0.06, 0.0), 0.85, 90, -50)

    EI: Range = Range(3e-4, 1.2e-3)  #: N m^2
    twist_ratio: Range = Range(0.6, 1.0)  #: GJ / EI
    friction: Range = Range(0.4, 0.8)
    length: Range = Range(0.84, 0.92)  #: m
    angle: Range = Range(-0.42, -0.30)  #: rad: direction of the cable on the board at the start
    grasp: str = "friction"  #: or "weld"

    def build(self, rng: np.random.Generator | None = None) -> mujoco.MjSpec:
        drawn = self.draw(rng)
        spec = self.stage(_BOARD)
        for place, yaw in zip(CLIPS, directions(), strict=True):
            _add_clip(spec, place, yaw)
        held = [_behind(k, drawn["length"])[0] for k in range(len(CLIPS))]
        welds = [f"cable_node{node}" for node in held] if self.grasp == "weld" else []
        gripper.add_hand(spec, "hand", (0.2, -0.15, 0.15), nodes=welds)
        cable = strand.Cable(
            strand.straight(drawn["length"], SEGMENTS),
            EI=drawn["EI"],
            GJ=drawn["EI"] * drawn["twist_ratio"],
            radius=RADIUS,
            density=1400.0,
            friction=drawn["friction"],
            loss_time=0.05,
            start="ball",
            rgba=(0.15, 0.35, 0.75, 1),
            skin=True,
        )
        turn = drawn["angle"] / 2
        strand.attach(spec, cable, pos=(0, 0, RADIUS), quat=(np.cos(turn), 0, 0, np.sin(turn)))
        return spec

    def controller(self, model: mujoco.MjModel, data: mujoco.MjData) -> Script:
        hand = Hand.find(model, "hand")
        length = float(strand.profile(model, data).node_arclength[-1])
        stages = [stage for k in range(len(CLIPS)) for stage in _lay(hand, k, length)]
        return Script(model, data, stages, self.control_period)

    def success(self, model: mujoco.MjModel, data: mujoco.MjData) -> bool:
        return self.measure(model, data)["clips"] == len(CLIPS)

    def measure(self, model: mujoco.MjModel, data: mujoco.MjData) -> dict[str, float]:
        """clips: number of clips that hold the cable. farthest: largest distance (m) of the cable
        from the middle of a clip."""
        nodes = strand.profile(model, data).nodes
        places = [_in_clip(nodes, *each) for each in zip(CLIPS, directions(), strict=True)]
        inside = [abs(y) < GAP and 0 < z < DEEP for y, z in places]
        farthest = max(np.hypot(y, z - RADIUS) for y, z in places)
        return {"clips": float(sum(inside)), "farthest": float(farthest)}


_BOARD = """
<mujoco>
  <worldbody>
    <geom type="box" size=".42 .24 .01" pos=".36 -.04 -.0101" rgba=".80 .58 .36 1" contype="0"
          conaffinity="0"/>
    <geom type="box" size=".012 .014 .012" pos="-.012 0 .012" rgba=".2 .22 .25 1" contype="0"
          conaffinity="0"/>
  </worldbody>
</mujoco>
"""


def directions() -> list[float]:
    """Yaw (rad) of each clip: that of the way from the clip before it to the one behind it."""
    places = np.array([(0.0, 0.0), *CLIPS])
    behind = np.vstack([places[2:], 2 * places[-1] - places[-2]])
    across = behind - places[:-1]
    return np.arctan2(across[:, 1], across[:, 0]).tolist()


def _behind(k: int, length: float) -> tuple[int, np.ndarray]:
    """The node that is pressed down behind clip k, and the place (m) on the board to which.

    The place is in line with the clip and the one before, so that a straight cable is in the clip.
    """
    places = np.array([(0.0, 0.0), *CLIPS])
    way = np.linalg.norm(np.diff(places, axis=0), axis=1).cumsum()[k]
    link = length / SEGMENTS
    node = int(np.ceil((way + BEHIND) / link))
    straight = places[k + 1] - places[k]
    return node, places[k + 1] + (node * link - way - SLACK) * straight / np.linalg.norm(straight)


def _lay(hand: Hand, k: int, length: float) -> list[Stage]:
    """Takes the cable behind clip k, puts it down behind the clip, and presses it down before."""
    node, target = _behind(k, length)
    clip = np.array(CLIPS[k])
    yaw = np.arctan2(*(target - clip)[::-1])
    site = f"cable_node{node}"
    before = [*(clip - BEFORE * np.array([np.cos(yaw), np.sin(yaw)])), PRESS]
    return [
        *grasping.take(hand, site, OVER, LOW, GRIP),
        *grasping.put(hand, site, target, yaw, (OVER, LOW)),
        Stage(0.4, hand.at([*before[:2], OVER], grip=GRIP)),
        Stage(0.3, hand.at(before)),
        Stage(0.2, hand.at([*before[:2], OVER], grip=grasping.OPENING)),
    ]


def _add_clip(spec: mujoco.MjSpec, place: tuple[float, float], yaw: float) -> None:
    """Two walls with a gap, which widens above them, on a foot."""
    box, turn = mujoco.mjtGeom.mjGEOM_BOX, [np.cos(yaw / 2), 0, 0, np.sin(yaw / 2)]
    clip = spec.worldbody.add_body(pos=[*place, 0], quat=turn)
    for side in (-1, 1):
        wall = side * (GAP + WALL)
        clip.add_geom(type=box, size=[LONG, WALL, DEEP / 2], pos=[0, wall, DEEP / 2], rgba=_DARK)
        top = side * (GAP + WALL + FLARE)
        clip.add_geom(
            type=mujoco.mjtGeom.mjGEOM_CAPSULE,
            size=[WALL / 2, 0, 0],
            fromto=[0, side * (GAP + WALL / 2), DEEP, 0, top, DEEP + FLARE],
            rgba=_DARK,
        )


_DARK = (0.17, 0.19, 0.22, 1)


def _in_clip(nodes: np.ndarray, place: tuple[float, float], yaw: float) -> tuple[float, float]:
    """Where the cable crosses the middle of a clip: to its side, above the board (m); else inf."""
    along, side = (np.cos(yaw), np.sin(yaw)), (-np.sin(yaw), np.cos(yaw))
    apart = nodes[:, :2] - place
    x, y = apart @ along, apart @ side
    hits = np.flatnonzero((x[:-1] <= 0) & (x[1:] > 0))
    if not len(hits):
        return np.inf, np.inf
    k = hits[np.abs(y[hits]).argmin()]
    part = -x[k] / (x[k + 1] - x[k])
    return tuple(float(v[k] + part * (v[k + 1] - v[k])) for v in (y, nodes[:, 2]))
