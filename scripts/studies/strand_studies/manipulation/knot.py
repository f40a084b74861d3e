"""Two hands tie an overhand knot: a loop lies on the table; one hand lifts the strand that closes
it, the other pushes the tail through below, takes it on the other side, and both pull."""

import dataclasses
from typing import ClassVar

import mujoco
import numpy as np

import strand
from strand_studies.manipulation import grasping, gripper, overlap
from strand_studies.manipulation.gripper import Hand
from strand_studies.manipulation.scene import Range, Scene, View
from strand_studies.manipulation.script import Script, Stage, Targets
from strand_studies.published.knot import determinant, knotted

RADIUS, SEGMENTS = 0.004, 112  # m, 1
PLACES = (  # m: a loop whose tail lies over its start and comes back
    (-0.30, 0.0),
    (-0.15, 0.0),
    (0.0, 0.0),
    (0.13, 0.0),
    (0.21, 0.03),
    (0.25, 0.10),
    (0.20, 0.18),
    (0.11, 0.20),
    (0.03, 0.16),
    (0.0, 0.09),
    (0.0, 0.0),
    (0.0, -0.09),
    (0.065, -0.165),
    (0.13, -0.11),
    (0.13, -0.02),
)
CROSSING = 10  # the place that lies over the third one
LIFTED, TAIL, TIP, END = 0.355, 0.1, 0.02, 0.03  # m along the cable: from its start, and its ends
LIFT, HIGH, PUSH = 0.065, 0.07, 0.09  # m
GRIP = 15.0  # N
SPARE = 0.26  # m: length of the cable in the knot, at the end
SMALL, APART = 0.14, 0.9  # m: largest size of a tied knot, least distance of the ends outside it
PULLED = 0.1  # N: least tension of a knot that is pulled


@dataclasses.dataclass
class Knot(Scene):
    duration: ClassVar[float] = 15.0
    view: ClassVar[View] = View((0.24, 0.03, 0.0), 1.3, 90, -48)

    EI: Range = Range(5e-5, 1.5e-4)  #: N m^2
    twist_ratio: Range = Range(0.6, 1.0)  #: GJ / EI
    friction: Range = Range(0.4, 0.7)
    size: Range = Range(0.97, 1.03)  #: of the loop and of the length, by their nominal values
    x: Range = Range(-0.02, 0.02)  #: m: of the loop
    y: Range = Range(-0.02, 0.02)  #: m

    def build(self, rng: np.random.Generator | None = None) -> mujoco.MjSpec:
        drawn = self.draw(rng)
        spec = self.stage()
        gripper.add_hand(spec, "left", (0.0, 0.1, 0.12))
        gripper.add_hand(spec, "right", (0.14, -0.1, 0.12), yaw=np.pi / 2)
        cable = strand.Cable(
            _loop(drawn["size"]),
            EI=drawn["EI"],
            GJ=drawn["EI"] * drawn["twist_ratio"],
            radius=RADIUS,
            density=1000.0,
            friction=drawn["friction"],
            rest="straight",
            loss_time=0.05,
            rgba=(0.85, 0.55, 0.20, 1),
            skin=True,
        )
        strand.attach(spec, cable, pos=(drawn["x"], drawn["y"], RADIUS))
        return spec

    def controller(self, model: mujoco.MjModel, data: mujoco.MjData) -> Script:
        left, right = Hand.find(model, "left"), Hand.find(model, "right")
        length = float(strand.profile(model, data).node_arclength[-1])
        stages = [*_thread(left, right, length), *_tighten(left, right, length)]
        return Script(model, data, stages, self.control_period)

    def success(self, model: mujoco.MjModel, data: mujoco.MjData) -> bool:
        """The cable has a small overhand knot (determinant 3), which the hands pull taut, and has
        not passed through itself or a hand."""
        figures = self.measure(model, data)
        return bool(
            figures["determinant"] == 3
            and figures["knot_size"] < SMALL
            and figures["apart"] > APART
            and figures["tension"] > PULLED
            and overlap.deepest(model, data) < 1
        )

    def measure(self, model: mujoco.MjModel, data: mujoco.MjData) -> dict[str, float]:
        """determinant: of the knot; 1: none, 3: overhand. knot_size: its largest dimension (m), 0
        without a knot. apart: of the ends (m). tension: between the left hand and the knot (N).

        The determinant takes the ends as joined far away, so it tells something only when they lie
        outside the knot."""
        cable = strand.profile(model, data)
        crossed = determinant(cable.nodes)
        size = np.ptp(knotted(cable.nodes), axis=0).max() if crossed > 1 else 0.0
        return {
            "determinant": float(crossed),
            "knot_size": float(size),
            "apart": float(np.linalg.norm(cable.nodes[-1] - cable.nodes[0])),
            "tension": float(cable.tension[SEGMENTS // 8]),
        }


def _loop(size: float) -> np.ndarray:
    """Nodes (m) of the loop on the table, in the height of the cable's axis."""
    places = np.array([(*place, 0.0) for place in PLACES]) * size
    places[CROSSING, 2] = 2.2 * RADIUS
    nodes = strand.spline(places, SEGMENTS)
    nodes[:, 2] = np.maximum(nodes[:, 2], 0)  # the spline swings below the table
    return nodes


def _site(s: float, length: float) -> str:
    """The node at the arclength s (m)."""
    return f"cable_node{round(s / length * SEGMENTS)}"


def _thread(left: Hand, right: Hand, length: float) -> list[Stage]:
    """The left hand lifts the strand, the right one pushes the tail under it and takes its tip."""
    lifted, tail, tip = (_site(s, length) for s in (LIFTED, length - TAIL, length - TIP))
    low = grasping.on_table()

    def both(height: float) -> grasping.Look:
        above = grasping.above(left, lifted, height), grasping.above(right, tail, height)
        return lambda data: {**above[0](data), **above[1](data)}

    def push(data: mujoco.MjData) -> Targets:
        return right.at(np.add(right.place(data), (0, PUSH, 0)), yaw=np.pi / 2)

    return [
        Stage(1.0, both(HIGH)),
        Stage(0.5, both(low)),
        Stage(0.2, {**left.at(grip=GRIP), **right.at(grip=GRIP)}),
        Stage(0.7, _up(left, LIFT)),
        Stage(1.2, push),
        Stage(0.2, right.at(grip=grasping.OPENING)),
        Stage(0.4, _up(right, 2 * HIGH)),
        Stage(0.6, grasping.above(right, tip, 2 * HIGH)),
        Stage(0.6, grasping.above(right, tip, low)),
        Stage(0.2, right.at(grip=GRIP)),
        Stage(0.6, _up(left, low)),
        Stage(0.2, left.at(grip=grasping.OPENING)),
        Stage(0.3, _up(left, HIGH)),
    ]


def _tighten(left: Hand, right: Hand, length: float) -> list[Stage]:
    """The left hand takes the start, and both pull apart."""
    end = _site(END, length)

    def aside(data: mujoco.MjData) -> Targets:
        moved = right.at(np.add(right.place(data), (0.12, 0.06, 0.03)))
        return {**moved, **grasping.above(left, end, HIGH)(data)}

    def pull(data: mujoco.MjData) -> Targets:
        start = left.place(data) - (0.06, 0, 0)
        reach = length - END - TIP - SPARE
        taut = right.at([start[0] + reach, start[1], 0.03], yaw=0.0)
        return {**left.at([*start[:2], 0.03], yaw=0.0), **taut}

    return [
        Stage(1.0, aside),
        Stage(0.5, grasping.above(left, end, grasping.on_table())),
        Stage(0.2, left.at(grip=GRIP)),
        Stage(5.0, pull),
    ]


def _up(hand: Hand, height: float) -> grasping.Look:
    return lambda data: hand.at([*hand.place(data)[:2], height])
