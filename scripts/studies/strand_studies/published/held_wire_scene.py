"""The arm Denso VS-060 and a clamp that hold a wire, in MuJoCo, brought to rest."""

import dataclasses

import mujoco
import numpy as np

import strand
from strand import robots
from strand.draw.stage import set_stage
from strand.mujoco_versions import discrete
from strand_studies import relax
from strand_studies.published.held_wire_data import (
    CLAMP,
    LENGTH,
    RADIUS,
    READY,
    HeldPose,
    Wire,
)

LINKS = 50  # of the wire between its holders, as in the paper
TIMESTEP, DAMPING_RATIO = 0.002, 0.3  # s, 1: of the wire's first mode
MOVING, TURNING = 4.0, 6.0  # s: of the arm, and for each turn of the clamp
TIME_LIMIT = 120.0  # s: to come to rest
GRIP = "arm_grip"

_HOLDER = f"""
<mujoco>
  <option timestep="{TIMESTEP}"/>
  <worldbody>
    <body name="clamp" pos="{CLAMP[0]} {CLAMP[1]} {CLAMP[2]}">
      <joint name="turn" axis="1 0 0" damping="1" armature=".05"/>
      <geom type="box" size=".008 .004 .016" pos=".009 0 0" mass=".1" rgba=".93 .46 .13 1"
            contype="0" conaffinity="0"/>
    </body>
    <geom type="cylinder" size=".006 .142" pos="{CLAMP[0] + 0.013} 0 .142" rgba=".22 .25 .29 1"
          contype="0" conaffinity="0"/>
  </worldbody>
  <actuator><position name="turn" joint="turn" kp="1000" kv="20"/></actuator>
</mujoco>
"""


@dataclasses.dataclass(frozen=True)
class Holding:
    """How the wire is held and modelled.

    inside: a link of the wire lies inside each holder, as in the paper, so that the wire is
    clamped half a link before and after its ends; False: clamped exactly at its ends.
    curvature: the measure for which the wire's EI was identified.
    """

    inside: bool = True
    curvature: str = "tangent"
    lighter: float = 1.0  #: divides the mass per length
    EI: float | None = None  #: N m^2, instead of the wire's; GJ in the same ratio


@dataclasses.dataclass(frozen=True, eq=False)
class Held:
    """A wire at rest."""

    model: mujoco.MjModel
    data: mujoco.MjData
    nodes: np.ndarray  #: m, (51, 3), from the clamp on
    twist: float  #: rad
    hand_off: float  #: m: distance of the grip from its pose
    hand_turned: float  #: rad: angle between them
    seconds: float  #: s of simulated time until rest, after the clamp has stopped


def scene(wire: Wire, holding: Holding, stage: bool = False) -> mujoco.MjModel:
    """The arm at (0, 0, 0), the clamp, and the straight wire between them."""
    spec = mujoco.MjSpec.from_string(_HOLDER)
    spec.option.integrator = discrete("held_wire")
    if stage:
        set_stage(spec)
    arm = mujoco.MjSpec.from_file(str(robots.VS060))
    link = LENGTH / LINKS if holding.inside else 0.0
    grip = arm.site("grip")
    back = np.empty(3)
    mujoco.mju_rotVecQuat(back, np.array([-link, 0.0, 0.0]), grip.quat)
    arm.body("hand").add_site(name="hold", pos=grip.pos + back, quat=grip.quat, size=[0.001] * 3)
    spec.attach(arm, prefix="arm_", frame=spec.worldbody.add_frame())
    EI = holding.EI or wire.EI
    cable = strand.Cable(
        strand.straight(LENGTH + 2 * link, LINKS + 2 * holding.inside),
        prefix="wire_",
        EI=EI,
        GJ=wire.GJ * EI / wire.EI,
        radius=RADIUS,
        density=wire.line_density / holding.lighter / (np.pi * RADIUS**2),
        normal=(0, 1, 0),
        curvature=holding.curvature,
        damping_ratio=DAMPING_RATIO,
        start="weld",
        start_to="arm_hold",
        end="fixed",
        clamp="link" if holding.inside else "node",
        rgba=(0.1, 0.1, 0.1, 1) if wire.name == "black" else (0.95, 0.95, 0.95, 1),
        skin=True,
    )
    strand.attach(spec, cable, "clamp", pos=(READY[0] - CLAMP[0] - link, 0, 0))
    return spec.compile()


def hold(wire: Wire, pose: HeldPose, holding: Holding | None = None, stage: bool = False) -> Held:
    """The arm takes the straight wire to the pose, the clamp turns, and all comes to rest."""
    holding = holding or Holding()
    model = scene(wire, holding, stage)
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, model.key("arm_ready").id)
    ready = robots.reach(model, GRIP, READY, (1, 0, 0, 0), start=data.qpos)
    motion = robots.follow(
        model, GRIP, [pose.pos], pose.quat, start=ready.qpos, seconds=MOVING, joints=ready.joints
    )
    data.qpos[:] = ready.qpos
    servos = [model.actuator(name).id for name in motion.joints]
    while data.time < motion.duration:
        data.ctrl[servos] = motion.at(data.time)
        relax.step(model, data, 1)
    data.ctrl[servos] = motion.at(motion.duration)
    _turn(model, data, np.radians(pose.clamp_turn))
    begin = data.time
    relax.settle(model, data, time_limit=TIME_LIMIT)
    return _at_rest(model, data, pose, holding, data.time - begin)


def _turn(model: mujoco.MjModel, data: mujoco.MjData, angle: float) -> None:
    """Turns the clamp by an angle (rad), slowly."""
    begin, duration = data.time, TURNING * abs(angle) / (2 * np.pi)
    while data.time < begin + duration:
        s = (data.time - begin) / duration
        data.actuator("turn").ctrl = angle * s * s * (3 - 2 * s)
        relax.step(model, data, 1)
    data.actuator("turn").ctrl = angle


def _at_rest(
    model: mujoco.MjModel, data: mujoco.MjData, pose: HeldPose, holding: Holding, seconds: float
) -> Held:
    profile = strand.profile(model, data)
    nodes = profile.nodes[1:-1] if holding.inside else profile.nodes
    quat, turned = np.empty(4), np.empty(3)
    mujoco.mju_mat2Quat(quat, data.site(GRIP).xmat)
    mujoco.mju_subQuat(turned, quat, pose.quat)
    return Held(
        model,
        data,
        nodes[::-1],
        float(profile.twist.sum()),
        float(np.linalg.norm(data.site(GRIP).xpos - pose.pos)),
        float(np.linalg.norm(turned)),
        seconds,
    )
