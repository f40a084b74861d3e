"""A hand lays a cable in a U on a table: it puts one node after another down, then takes up those
that are farthest from where they should be."""

import dataclasses
from typing import ClassVar

import mujoco
import numpy as np

import strand
from strand_studies.manipulation import grasping, gripper
from strand_studies.manipulation.gripper import Hand
from strand_studies.manipulation.scene import Range, Scene, View
from strand_studies.manipulation.script import Script, Stage

RADIUS, SEGMENTS = 0.004, 64  # m, 1
ARM, TURN = 0.25, 0.10  # m: length of the U's first arm; radius of its half circle
HIGH, GRIP = 0.04, 12.0  # m, N
FIRST = (0.41, 0.55, 0.67, 0.78)  # m: arclengths at which the cable is put down in turn
GOOD = 0.006  # m: the hand stops when no node is farther off
HASTEN = 1.9  #: of the hand
TOLERANCE = 0.01  # m: largest distance of a node from its place in the U


@dataclasses.dataclass
class Lay(Scene):
    duration: ClassVar[float] = 20.0
    view: ClassVar[View] = View((0.3, 0.0, 0.0), 0.95, 90, -48)

    EI: Range = Range(1e-4, 4e-4)  #: N m^2
    twist_ratio: Range = Range(0.6, 1.0)  #: GJ / EI
    friction: Range = Range(0.5, 0.8)
    length: Range = Range(0.79, 0.83)  #: m
    x: Range = Range(-0.03, 0.03)  #: m: of the start, from its place in the U
    y: Range = Range(-0.03, 0.03)  #: m
    yaw: Range = Range(-0.1, 0.1)  #: rad

    def build(self, rng: np.random.Generator | None = None) -> mujoco.MjSpec:
        drawn = self.draw(rng)
        spec = self.stage()
        _mark(spec)
        gripper.add_hand(spec, "hand", (0.1, 0.0, 0.12))
        cable = strand.Cable(
            strand.straight(drawn["length"], SEGMENTS),
            EI=drawn["EI"],
            GJ=drawn["EI"] * drawn["twist_ratio"],
            radius=RADIUS,
            density=1400.0,
            friction=drawn["friction"],
            loss_time=0.05,
            rgba=(0.15, 0.35, 0.75, 1),
            skin=True,
        )
        turn = [np.cos(drawn["yaw"] / 2), 0, 0, np.sin(drawn["yaw"] / 2)]
        strand.attach(spec, cable, pos=(drawn["x"], drawn["y"] - TURN, RADIUS), quat=turn)
        return spec

    def controller(self, model: mujoco.MjModel, data: mujoco.MjData) -> "_Laying":
        return _Laying(self, model, data)

    def success(self, model: mujoco.MjModel, data: mujoco.MjData) -> bool:
        """Every node is within TOLERANCE of its place in the U, and the hand is open."""
        released = data.ctrl[model.actuator("hand_grip").id] <= 0
        return bool(released and self.measure(model, data)["farthest"] < TOLERANCE)

    def measure(self, model: mujoco.MjModel, data: mujoco.MjData) -> dict[str, float]:
        """farthest, mean: distance (m) of the nodes from their places in the U."""
        apart = _apart(model, data)
        return {"farthest": float(apart.max()), "mean": float(apart.mean())}


class _Laying:
    """Puts the nodes at FIRST down, one after the other, then those that are farthest off."""

    def __init__(self, scene: Lay, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        self._model, self._period = model, scene.control_period
        self._hand = Hand.find(model, "hand")
        self._length = float(strand.profile(model, data).node_arclength[-1])
        first = [round(place / self._length * SEGMENTS) for place in FIRST]
        stages = [stage for node in first for stage in _lay(self._hand, node, self._length)]
        self._script = Script(model, data, stages, self._period)

    def act(self, data: mujoco.MjData) -> np.ndarray:
        if self._script.ended(data):
            apart = _apart(self._model, data)[2:-2]  # fingers need some cable
            stages = _lay(self._hand, int(apart.argmax()) + 2, self._length)
            takes = sum(stage.seconds for stage in stages)
            if apart.max() > GOOD and data.time + takes <= Lay.duration:
                self._script = Script(self._model, data, stages, self._period)
        return self._script.act(data)


def _apart(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    """Distance (m) of each node from its place in the U."""
    cable = strand.profile(model, data)
    places = np.array([[*shape(s)[0], RADIUS] for s in cable.node_arclength])
    return np.linalg.norm(cable.nodes - places, axis=1)


def shape(s: float) -> tuple[np.ndarray, float]:
    """Place (m) on the table, and direction (rad), of the U at the arclength s (m)."""
    angle = float(np.clip((s - ARM) / TURN, 0, np.pi))
    before, behind = min(s, ARM), max(s - ARM - np.pi * TURN, 0.0)
    x = before + TURN * np.sin(angle) - behind
    return np.array([x, -TURN * np.cos(angle)]), angle


def _lay(hand: Hand, node: int, length: float) -> list[Stage]:
    """Takes a node and puts it where it belongs."""
    site, low = f"cable_node{node}", grasping.on_table()
    place, yaw = shape(node * length / SEGMENTS)
    return [
        *grasping.take(hand, site, HIGH, low, GRIP, HASTEN),
        *grasping.put(hand, site, place, yaw, (HIGH, low), HASTEN, turn=np.pi / 2),
    ]


def _mark(spec: mujoco.MjSpec) -> None:
    """Paints the U on the table."""
    for s in np.linspace(0.0, 2 * ARM + np.pi * TURN, 60):
        spec.worldbody.add_geom(
            type=mujoco.mjtGeom.mjGEOM_CYLINDER,
            size=[0.003, 0.0002, 0],
            pos=[*shape(s)[0], 0.0002],
            contype=0,
            conaffinity=0,
            rgba=(0.80, 0.16, 0.12, 1),
        )
