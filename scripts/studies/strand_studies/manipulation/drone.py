"""A quadrotor on a tether takes off, climbs, and flies to a place, against the tether's weight."""

import dataclasses
from typing import ClassVar

import mujoco
import numpy as np

import strand
from strand_studies.manipulation import overlap
from strand_studies.manipulation.scene import Range, Scene, View
from strand_studies.manipulation.script import smooth

RADIUS, SEGMENTS = 0.003, 64  # m, 1
ANCHOR = (-0.9, 0.0)  # m
STANDS, HOOK = 0.10, -0.05  # m: height of the drone's middle on the floor; of the hook below it
ARM, DRAG, STRONGEST = 0.11, 0.016, 7.0  # m; m: torque over thrust of a rotor; N: of a rotor
CLIMB, TRAVEL, BEGIN = 3.5, 4.0, 0.5  # s: how long it climbs and travels; when it takes off
NEAR, SLOW, UPRIGHT = 0.05, 0.05, 0.1  # m: from the goal; m/s; rad: tilt of a drone that hovers
STIFF, DAMPED, LEARNT = 6.0, 4.5, 2.0  # 1/s^2, 1/s, 1/s^3: of the place
TURN, SPIN = 4.0, 0.35  # N m, N m s: of the attitude
STEEPEST = 0.5  # of gravity: largest sideways acceleration that is asked for
GRAVITY = 9.81  # m/s^2


@dataclasses.dataclass
class Drone(Scene):
    duration: ClassVar[float] = 12.0
    view: ClassVar[View] = View((-0.2, 0.0, 0.6), 2.6, 65, -18)
    control_period: ClassVar[float] = 0.01

    EI: Range = Range(5e-5, 3e-4)  #: N m^2
    twist_ratio: Range = Range(0.6, 1.0)  #: GJ / EI
    density: Range = Range(1000.0, 2000.0)  #: kg/m^3: of the tether
    friction: Range = Range(0.3, 0.7)
    bight: Range = Range(0.45, 0.55)  #: m: of the tether on the floor, so that its length varies
    mass: Range = Range(0.8, 1.1)  #: kg: of the drone's body
    x: Range = Range(0.0, 0.4)  #: m: of the goal
    y: Range = Range(-0.4, 0.4)  #: m
    z: Range = Range(0.9, 1.3)  #: m

    def build(self, rng: np.random.Generator | None = None) -> mujoco.MjSpec:
        drawn = self.draw(rng)
        spec = self.stage(_world(drawn["mass"], (drawn["x"], drawn["y"], drawn["z"])))
        for k in range(4):
            rotor = spec.add_actuator(
                name=f"rotor{k}", target=f"rotor{k}", trntype=mujoco.mjtTrn.mjTRN_SITE
            )
            rotor.set_to_motor()
            rotor.gear = [0, 0, 1, 0, 0, DRAG * (-1) ** k]
            rotor.ctrlrange, rotor.ctrllimited = [0, STRONGEST], True
        cable = strand.Cable(
            _laid(drawn["bight"]),
            EI=drawn["EI"],
            GJ=drawn["EI"] * drawn["twist_ratio"],
            radius=RADIUS,
            density=drawn["density"],
            friction=drawn["friction"],
            rest="straight",
            loss_time=0.05,
            start="ball",
            end="pin",
            end_to="drone",
            rgba=(0.80, 0.16, 0.12, 1),
            skin=True,
        )
        strand.attach(spec, cable)
        return spec

    def controller(self, model: mujoco.MjModel, data: mujoco.MjData) -> "_Pilot":
        return _Pilot(model, data, self.control_period)

    def success(self, model: mujoco.MjModel, data: mujoco.MjData) -> bool:
        """The drone hovers at its goal, with the tether on its hook, not through anything."""
        figures = self.measure(model, data)
        return bool(
            figures["off_goal"] < NEAR
            and figures["speed"] < SLOW
            and figures["tilt"] < UPRIGHT
            and figures["off_hook"] < RADIUS
            and overlap.deepest(model, data) < 1
        )

    def measure(self, model: mujoco.MjModel, data: mujoco.MjData) -> dict[str, float]:
        """off_goal: of the drone (m). speed (m/s). tilt: of its axis (rad). off_hook: of the end of
        the tether (m). tension: of the tether at the drone (N). thrust: of all rotors (N)."""
        cable, drone = strand.profile(model, data), data.body("drone")
        upright = float(np.clip(drone.xmat[8], -1, 1))
        hook = drone.xpos + HOOK * drone.xmat.reshape(3, 3)[:, 2]
        return {
            "off_goal": float(np.linalg.norm(drone.xpos - data.site("goal").xpos)),
            "speed": float(np.linalg.norm(data.joint("drone").qvel[:3])),
            "tilt": float(np.arccos(upright)),
            "off_hook": float(np.linalg.norm(cable.nodes[-1] - hook)),
            "tension": float(cable.tension[-1]),
            "thrust": float(data.actuator_force.sum()),
        }


class _Pilot:
    """Follows a smooth line to the goal: the place asks for a force, that for an attitude.

    The integral of the place's error carries what the pilot does not know: the tether.
    """

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, period: float) -> None:
        self._mass = float(model.body("drone").mass[0])
        self._period, self._missing = period, np.zeros(3)
        self._from, self._to = data.body("drone").xpos.copy(), data.site("goal").xpos.copy()
        rotors = [model.site(f"rotor{k}") for k in range(4)]
        self._mixer = np.linalg.inv(
            [
                np.ones(4),
                [rotor.pos[1] for rotor in rotors],
                [-rotor.pos[0] for rotor in rotors],
                [DRAG * (-1) ** k for k in range(4)],
            ]
        )

    def act(self, data: mujoco.MjData) -> np.ndarray:
        if data.time < BEGIN:
            return np.zeros(4)
        climbed = smooth((data.time - BEGIN) / CLIMB)
        moved = smooth((data.time - BEGIN - CLIMB) / TRAVEL)
        wanted = self._from + (self._to - self._from) * [moved, moved, climbed]
        error = wanted - data.body("drone").xpos
        self._missing += error * self._period
        push = STIFF * error + LEARNT * self._missing - DAMPED * data.joint("drone").qvel[:3]
        push[:2] = np.clip(push[:2], -STEEPEST * GRAVITY, STEEPEST * GRAVITY)
        return self._thrusts(data, self._mass * np.add(push, (0, 0, GRAVITY)))

    def _thrusts(self, data: mujoco.MjData, force: np.ndarray) -> np.ndarray:
        """Thrusts (N) that turn the drone's axis into a force (N), with its x axis ahead."""
        now = data.body("drone").xmat.reshape(3, 3)
        axis = force / np.linalg.norm(force)
        side = np.cross(axis, [1.0, 0, 0])
        side /= np.linalg.norm(side)
        off = np.stack([np.cross(side, axis), side, axis]) @ now
        turn = np.array([off[2, 1] - off[1, 2], off[0, 2] - off[2, 0], off[1, 0] - off[0, 1]]) / 2
        torque = -TURN * turn - SPIN * data.joint("drone").qvel[3:]
        thrusts = self._mixer @ [force @ now[:, 2], *torque]
        return np.clip(thrusts, 0, STRONGEST)


def _laid(bight: float) -> np.ndarray:
    """Nodes (m) of the tether on the floor, from the anchor to the hook of the drone."""
    flat = [
        ANCHOR,
        (-0.75, 0.0),
        (-0.6, 0.1 - bight),
        (-0.48, -bight),
        (-0.36, 0.1 - bight),
        (-0.34, bight - 0.1),
        (-0.25, bight),
        (-0.16, bight - 0.1),
        (-0.15, 0.05),
        (-0.07, 0.0),
    ]
    nodes = strand.spline([*((x, y, RADIUS) for x, y in flat), (0, 0, STANDS + HOOK)], SEGMENTS)
    nodes[:, 2] = np.maximum(nodes[:, 2], RADIUS)  # the spline swings below the floor
    return nodes


def _world(mass: float, goal: tuple[float, float, float]) -> str:
    corners = [(ARM, ARM), (-ARM, ARM), (-ARM, -ARM), (ARM, -ARM)]
    rotors = "".join(
        f"""<geom type="cylinder" size=".07 .004" pos="{x} {y} .015" mass=".02"
              rgba=".75 .78 .81 .8"/>
            <geom type="capsule" size=".006" fromto="0 0 0 {x} {y} 0" mass=".02"
              rgba=".2 .22 .25 1"/>
            <geom type="capsule" size=".005" mass=".01" rgba=".2 .22 .25 1"
              fromto="{0.7 * x} {0.7 * y} 0 {0.8 * x} {0.8 * y} {0.005 - STANDS}"/>
            <site name="rotor{k}" pos="{x} {y} .015" size=".005"/>"""
        for k, (x, y) in enumerate(corners)
    )
    return f"""
<mujoco>
  <worldbody>
    <geom type="cylinder" size=".05 .012" pos="{ANCHOR[0] - 0.05} {ANCHOR[1]} .012" contype="0"
          conaffinity="0" rgba=".45 .48 .52 1"/>
    <site name="goal" pos="{goal[0]} {goal[1]} {goal[2]}" size=".03" rgba=".2 .7 .3 .5"/>
    <body name="drone" pos="0 0 {STANDS}">
      <freejoint name="drone"/>
      <geom type="ellipsoid" size=".07 .05 .03" mass="{mass}" rgba=".93 .46 .13 1"/>
      <geom type="capsule" size=".005" fromto="0 0 0 0 0 {HOOK}" contype="0" conaffinity="0"
            mass=".005" rgba=".2 .22 .25 1"/>
      {rotors}
    </body>
  </worldbody>
</mujoco>
"""
