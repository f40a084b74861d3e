"""A hand lays a cable through four clips on a board: it takes the cable behind the next clip, where
its fingers have room beside the clips, carries it over, presses it in, and goes on."""

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
ROOM = 0.003  # m: between the fingers and the clips
FARTHER = 4  # nodes: how much farther behind a clip the hand may take the cable, to have room
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
        held = {node for k in range(len(CLIPS)) for node in _behind(k, drawn["length"])}
        welds = [f"cable_node{node}" for node in sorted(held)] if self.grasp == "weld" else []
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

    def controller(self, model: mujoco.MjModel, data: mujoco.MjData) -> "_Routing":
        return _Routing(self, model, data)

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


class _Routing:
    """Lays the cable into one clip after the other."""

    def __init__(self, scene: Routing, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        self._model, self._period = model, scene.control_period
        self._hand = Hand.find(model, "hand")
        self._length = float(strand.profile(model, data).node_arclength[-1])
        self._left = list(range(len(CLIPS)))
        self._script = Script(model, data, [], self._period)

    def act(self, data: mujoco.MjData) -> np.ndarray:
        if self._left and self._script.ended(data):
            k = self._left.pop(0)
            node = _with_room(data, k, self._length)
            stages = _lay(self._hand, k, node, self._length)
            self._script = Script(self._model, data, stages, self._period)
        return self._script.act(data)


_BOARD = """
<mujoco>
  <worldbody>
    <geom type="box" size=".42 .24 .0004" pos=".36 -.04 0" rgba=".80 .58 .36 1" contype="0"
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


def _way(k: int) -> float:
    """Length (m) of the cable from its start to clip k."""
    places = np.array([(0.0, 0.0), *CLIPS])
    return float(np.linalg.norm(np.diff(places, axis=0), axis=1)[: k + 1].sum())


def _behind(k: int, length: float) -> range:
    """The nodes behind clip k at which the hand may take the cable, the nearest first."""
    nearest = int(np.ceil((_way(k) + BEHIND) / (length / SEGMENTS)))
    return range(nearest, min(nearest + FARTHER, SEGMENTS - 1) + 1)


def _target(k: int, node: int, length: float) -> np.ndarray:
    """The place (m) on the board at which a node is put down behind clip k.

    It is in line with the clip and the one before, as far as the cable reaches: a cable with slack
    could arch over the clip.
    """
    before, clip = np.array([(0.0, 0.0), *CLIPS])[k : k + 2]
    straight = (clip - before) / np.linalg.norm(clip - before)
    return clip + (node * length / SEGMENTS - _way(k)) * straight


def _with_room(data: mujoco.MjData, k: int, length: float) -> int:
    """The first node behind clip k where the fingers have room; if none has, the roomiest."""
    nodes, free = _behind(k, length), []
    for node in nodes:
        site = f"cable_node{node}"
        free.append(_room(data.site(site).xpos[:2], grasping.heading(data, site)))
        if free[-1] > ROOM:
            return node
    return nodes[int(np.argmax(free))]


def _room(place: np.ndarray, yaw: float) -> float:
    """Distance (m) between the nearest clip and fingers that close from both sides of a cable."""
    aside = (gripper.OPEN + gripper.PAD[1]) * np.array([-np.sin(yaw), np.cos(yaw)])
    clips = np.array(CLIPS)
    across = np.array([(-np.sin(turn), np.cos(turn)) for turn in directions()])
    reach = GAP + WALL + FLARE  # of a clip to either side of its middle
    thick = np.hypot(*gripper.PAD[:2]) + LONG
    apart = place + np.linspace(-1, 1, 17)[:, None, None] * aside - clips
    along = np.clip((apart * across).sum(axis=-1), -reach, reach)
    return float(np.linalg.norm(apart - along[..., None] * across, axis=-1).min() - thick)


def _lay(hand: Hand, k: int, node: int, length: float) -> list[Stage]:
    """Takes a node behind clip k, puts it down behind the clip, and presses the cable down before
    the clip."""
    target = _target(k, node, length)
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
