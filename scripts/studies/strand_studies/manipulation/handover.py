"""One hand takes a cable and holds it out; another takes it over and puts it down in its place."""

import dataclasses
from typing import ClassVar

import mujoco
import numpy as np

import strand
from strand_studies.manipulation import grasping, gripper
from strand_studies.manipulation.gripper import Hand
from strand_studies.manipulation.scene import Range, Scene, View
from strand_studies.manipulation.script import Script, Stage, Targets

RADIUS, SEGMENTS = 0.005, 40  # m, 1
TAKEN, GIVEN = 17, 24  # nodes: of the first and of the second hand
MIDDLE = 20  # the node that is put down on the goal
HIGH = 0.16  # m: of the hands as the cable changes hands
GRIP = 12.0  # N
GOAL = (0.32, 0.05, 0.6)  # m, m, rad: where the cable's middle is put, and its direction
NEAR, ALIGNED = 0.02, 0.15  # m, rad: from the goal


@dataclasses.dataclass
class Handover(Scene):
    duration: ClassVar[float] = 10.0
    view: ClassVar[View] = View((0.0, 0.0, 0.06), 1.05, 90, -35)

    EI: Range = Range(2e-3, 1e-2)  #: N m^2
    twist_ratio: Range = Range(0.6, 1.0)  #: GJ / EI
    friction: Range = Range(0.4, 0.8)
    length: Range = Range(0.42, 0.48)  #: m
    x: Range = Range(-0.32, -0.26)  #: m: of the cable's middle at the start
    y: Range = Range(-0.06, 0.06)  #: m
    yaw: Range = Range(-0.6, 0.6)  #: rad: of the cable
    grasp: str = "friction"  #: or "weld"

    def build(self, rng: np.random.Generator | None = None) -> mujoco.MjSpec:
        drawn = self.draw(rng)
        spec = self.stage()
        _mark(spec)
        welded = self.grasp == "weld"
        gripper.add_hand(spec, "giver", (-0.2, 0, HIGH), nodes=[_site(TAKEN)] * welded)
        gripper.add_hand(spec, "taker", (0.2, 0, HIGH), nodes=[_site(GIVEN)] * welded)
        cable = strand.Cable(
            strand.straight(drawn["length"], SEGMENTS),
            EI=drawn["EI"],
            GJ=drawn["EI"] * drawn["twist_ratio"],
            radius=RADIUS,
            density=1200.0,
            friction=drawn["friction"],
            loss_time=0.05,
            rgba=(0.80, 0.16, 0.12, 1),
            skin=True,
        )
        yaw = drawn["yaw"]
        half = drawn["length"] / 2 * np.array([np.cos(yaw), np.sin(yaw)])
        place = [*((drawn["x"], drawn["y"]) - half), RADIUS]
        strand.attach(spec, cable, pos=place, quat=(np.cos(yaw / 2), 0, 0, np.sin(yaw / 2)))
        return spec

    def controller(self, model: mujoco.MjModel, data: mujoco.MjData) -> Script:
        return Script(model, data, _stages(model), self.control_period)

    def success(self, model: mujoco.MjModel, data: mujoco.MjData) -> bool:
        """The cable lies in its place, and both hands are open."""
        figures = self.measure(model, data)
        grips = [data.ctrl[model.actuator(f"{name}_grip").id] for name in ("giver", "taker")]
        return bool(
            max(grips) <= 0
            and figures["height"] < 2 * RADIUS
            and figures["off_goal"] < NEAR
            and figures["turned"] < ALIGNED
        )

    def measure(self, model: mujoco.MjModel, data: mujoco.MjData) -> dict[str, float]:
        """off_goal: of the cable's middle from its place (m). turned: from its direction (rad).
        height: of the highest node (m). giver, taker: normal forces (N) on the fingers."""
        nodes = strand.profile(model, data).nodes
        along = nodes[-1] - nodes[0]
        angle = np.arctan2(along[1], along[0])
        return {
            "off_goal": float(np.linalg.norm(nodes[MIDDLE, :2] - GOAL[:2])),
            "turned": float(abs(grasping.nearest(angle - GOAL[2], 0.0))),
            "height": float(nodes[:, 2].max()),
            "giver": Hand.find(model, "giver").finger_force(model, data),
            "taker": Hand.find(model, "taker").finger_force(model, data),
        }


def _site(node: int) -> str:
    return f"cable_node{node}"


def _stages(model: mujoco.MjModel) -> list[Stage]:
    giver, taker = Hand.find(model, "giver"), Hand.find(model, "taker")
    low = grasping.on_table()

    def hold_out(data: mujoco.MjData) -> Targets:
        turn = grasping.nearest(-grasping.heading(data, _site(TAKEN)), 0.0)
        return giver.at((-0.02, 0, HIGH), yaw=giver.yaw(data) + turn)

    def reach(data: mujoco.MjData) -> Targets:
        return grasping.above(taker, _site(GIVEN), data.site(_site(GIVEN)).xpos[2])(data)

    def carry(data: mujoco.MjData) -> Targets:
        """So that the middle of the cable, not the node that is held, is over the goal."""
        turn = grasping.nearest(GOAL[2] - grasping.heading(data, _site(GIVEN)), 0.0)
        apart = np.linalg.norm((data.site(_site(GIVEN)).xpos - data.site(_site(MIDDLE)).xpos)[:2])
        ahead = apart * np.array([np.cos(GOAL[2]), np.sin(GOAL[2])])
        return taker.at([*(GOAL[:2] + ahead), HIGH], yaw=taker.yaw(data) + turn)

    return [
        *grasping.take(giver, _site(TAKEN), 0.05, low, GRIP),
        Stage(1.2, hold_out),
        Stage(0.3),  # the cable swings out
        Stage(0.6, grasping.above(taker, _site(GIVEN), HIGH + 0.05)),
        Stage(0.5, reach),
        Stage(0.3, taker.at(grip=GRIP)),
        Stage(0.3, giver.at(grip=grasping.OPENING)),
        Stage(0.5, lambda data: giver.at(giver.place(data) + np.array([0, 0, 0.08]))),
        Stage(0.4, giver.at((-0.2, 0, HIGH + 0.08))),
        Stage(1.4, carry),
        Stage(0.9, lambda data: taker.at([*taker.place(data)[:2], low])),
        Stage(0.2, taker.at(grip=grasping.OPENING)),
        Stage(0.5, lambda data: taker.at(taker.place(data) + np.array([0, 0, 0.1]))),
    ]


def _mark(spec: mujoco.MjSpec) -> None:
    """A plate under the place where the cable is put."""
    yaw = GOAL[2] / 2
    spec.worldbody.add_geom(
        type=mujoco.mjtGeom.mjGEOM_BOX,
        size=[0.24, 0.03, 0.0004],
        pos=[*GOAL[:2], 0],
        quat=[np.cos(yaw), 0, 0, np.sin(yaw)],
        contype=0,
        conaffinity=0,
        rgba=(0.80, 0.58, 0.36, 1),
    )
