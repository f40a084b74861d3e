"""Two-finger grippers on gantries.

A gantry moves its hand along x, y and z and turns it about the vertical. Its servos take
velocities; the motor of the fingers takes the closing force of each finger (N; negative: opens).

Hands hold by friction. With welds as well, a hand that closes on one of the announced nodes of a
cable is welded to it until it opens.
"""

import dataclasses
from collections.abc import Sequence

import mujoco
import numpy as np

from strand_studies.manipulation import servo

AXES = ("x", "y", "z", "yaw")
STIFFNESS = (10_000.0, 10_000.0, 10_000.0, 40.0)  # N/m, N m/rad
FASTEST = (1.0, 1.0, 1.0, 4.0)  #: m/s, rad/s
OPEN = 0.02  #: m: largest distance of a finger's pad from the middle
STRONGEST = 40.0  #: N: of each finger
PAD = (0.006, 0.004, 0.02)  #: m: half sizes of a finger: along the cable, closing, height
TIP = 0.007  #: m: from the site "grip" down to the end of the fingers
WELD_REACH = 0.008  #: m: a closing hand is welded to a node that is as near as this
_ORANGE, _DARK, _LIGHT = (0.93, 0.46, 0.13, 1), (0.20, 0.22, 0.25, 1), (0.90, 0.90, 0.88, 1)
_HOLD = "_holds_"


@dataclasses.dataclass(frozen=True)
class Hand:
    """A gripper by its name, which goes before the names of its actuators and of the site "grip".

    The site lies between the finger tips, with x along the held cable and the fingers to its sides.
    The joints and targets of the actuators are relative to `start`, so that all of them begin at 0.
    """

    name: str
    start: tuple[float, float, float, float]  #: x, y, z (m) of the site, and yaw (rad)

    @classmethod
    def find(cls, model: mujoco.MjModel, name: str) -> "Hand":
        turn = model.body(f"{name}_palm").quat
        yaw = 2 * np.arctan2(turn[3], turn[0])
        return cls(name, (*model.body(f"{name}_gantry").pos.tolist(), float(yaw)))

    def at(
        self,
        place: Sequence[float] | np.ndarray | None = None,
        yaw: float | None = None,
        grip: float | None = None,
    ) -> dict[str, float]:
        """Targets of the actuators for a place (m) of the site, its yaw (rad), a force (N)."""
        targets = {} if place is None else dict(zip(AXES, map(float, place), strict=False))
        if yaw is not None:
            targets["yaw"] = float(yaw)
        found = {
            f"{self.name}_{axis}": value - self.start[AXES.index(axis)]
            for axis, value in targets.items()
        }
        return found if grip is None else found | {f"{self.name}_grip": grip}

    def place(self, data: mujoco.MjData) -> np.ndarray:
        """Place (m) of the site "grip"."""
        return data.site(f"{self.name}_grip").xpos.copy()

    def yaw(self, data: mujoco.MjData) -> float:
        """Yaw (rad), with full turns."""
        return self.start[3] + float(data.joint(f"{self.name}_yaw").qpos[0])

    def finger_force(self, model: mujoco.MjModel, data: mujoco.MjData) -> float:
        """Sum (N) of the normal forces between the fingers and anything else."""
        fingers = {model.geom(f"{self.name}_{side}").id for side in ("left", "right")}
        total, wrench = 0.0, np.zeros(6)
        for k in range(data.ncon):
            if fingers & set(data.contact.geom[k].tolist()):
                mujoco.mj_contactForce(model, data, k, wrench)
                total += float(wrench[0])
        return total


def add_hand(
    spec: mujoco.MjSpec,
    name: str,
    place: Sequence[float],
    yaw: float = 0.0,
    nodes: Sequence[str] = (),
) -> Hand:
    """Adds a gripper whose site "grip" starts at `place` (m) with `yaw` (rad), with open fingers.

    nodes: sites of a cable to which the hand is welded where it closes on one of them. Add the hand
    before the cable; the sites may be added later.
    """
    gantry = spec.worldbody.add_body(name=f"{name}_gantry", pos=place, gravcomp=1)
    gantry.explicitinertial, gantry.mass, gantry.inertia = True, 0.5, [1e-3] * 3
    for axis, along in zip(AXES[:3], np.eye(3), strict=True):
        gantry.add_joint(name=f"{name}_{axis}", type=mujoco.mjtJoint.mjJNT_SLIDE, axis=along)
    turn = [np.cos(yaw / 2), 0, 0, np.sin(yaw / 2)]
    palm = gantry.add_body(name=f"{name}_palm", quat=turn, gravcomp=1)
    palm.add_joint(name=f"{name}_yaw", type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0, 0, 1])
    _add_palm(palm)
    palm.add_site(name=f"{name}_grip", size=[0.001] * 3)
    _add_fingers(spec, palm, name)
    _add_actuators(spec, name)
    for node in nodes:
        _add_weld(spec, name, node)
    return Hand(name, (*map(float, place), float(yaw)))


def _add_palm(palm: mujoco.MjsBody) -> None:
    """A housing above the fingers, and its shaft."""
    top = 2 * PAD[2] - TIP
    palm.add_geom(
        type=mujoco.mjtGeom.mjGEOM_BOX,
        size=[0.016, 0.034, 0.01],
        pos=[0, 0, top + 0.01],
        mass=0.6,
        rgba=_ORANGE,
    )
    palm.add_geom(
        type=mujoco.mjtGeom.mjGEOM_CYLINDER,
        size=[0.014, 0.04, 0],
        pos=[0, 0, top + 0.06],
        mass=0.3,
        rgba=_LIGHT,
    )


def _add_fingers(spec: mujoco.MjSpec, palm: mujoco.MjsBody, name: str) -> None:
    """Two fingers, of which one follows the other, so that the middle stays where it is."""
    for side, sign in (("left", 1.0), ("right", -1.0)):
        finger = palm.add_body(name=f"{name}_{side}", gravcomp=1)
        finger.add_joint(
            name=f"{name}_{side}",
            type=mujoco.mjtJoint.mjJNT_SLIDE,
            axis=[0, -sign, 0],
            range=[0, OPEN],
            limited=True,
            damping=[20.0, 0, 0],
        )
        finger.add_geom(
            name=f"{name}_{side}",
            type=mujoco.mjtGeom.mjGEOM_BOX,
            size=PAD,
            pos=[0, sign * (OPEN + PAD[1]), PAD[2] - TIP],
            mass=0.05,
            rgba=_DARK,
            solref=[2 * spec.option.timestep, 1],  # closed fingers do not sink into each other
            solimp=[0.95, 0.99, 0.001, 0.5, 2],
        )
    follow = spec.add_equality(
        name=f"{name}_fingers",
        type=mujoco.mjtEq.mjEQ_JOINT,
        objtype=mujoco.mjtObj.mjOBJ_JOINT,
        name1=f"{name}_left",
        name2=f"{name}_right",
        solref=[2 * spec.option.timestep, 1],
    )
    follow.data[:5] = [0, 1, 0, 0, 0]


def _add_actuators(spec: mujoco.MjSpec, name: str) -> None:
    for axis, stiffness, fastest in zip(AXES, STIFFNESS, FASTEST, strict=True):
        servo.add_servo(spec, f"{name}_{axis}", stiffness, fastest)
    motor = spec.add_actuator(
        name=f"{name}_grip", target=f"{name}_left", trntype=mujoco.mjtTrn.mjTRN_JOINT
    )
    motor.set_to_motor()
    motor.gear[0] = 2.0  # one motor closes both fingers
    motor.ctrlrange, motor.ctrllimited = [-STRONGEST, STRONGEST], True


def _add_weld(spec: mujoco.MjSpec, name: str, node: str) -> None:
    spec.add_equality(
        name=f"{name}{_HOLD}{node}",
        type=mujoco.mjtEq.mjEQ_WELD,
        objtype=mujoco.mjtObj.mjOBJ_SITE,
        name1=f"{name}_grip",
        name2=node,
        active=False,
        solref=[2 * spec.option.timestep, 1],
        solimp=[0.999, 0.9999, 0.001, 0.5, 2],
    )


def update_welds(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Welds closing hands to announced nodes within their reach, and releases opening hands."""
    for k in range(model.neq):
        hand, hold, node = model.equality(k).name.partition(_HOLD)
        if not hold:
            continue
        closing = data.ctrl[model.actuator(f"{hand}_grip").id] > 0
        apart = data.site(f"{hand}_grip").xpos - data.site(node).xpos
        data.eq_active[k] = closing and (data.eq_active[k] or np.linalg.norm(apart) < WELD_REACH)
