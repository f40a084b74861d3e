"""A cable over a pulley: a motor turns the wheel, friction alone lifts the heavier weight."""

import mujoco
import numpy as np
from _stage import Run, main, ramp, scene

import strand

RADIUS, AXLE, DROP = 0.11, 0.9, 0.4  # m: of the wheel; height of its axle; of the hanging parts
STEP = 0.002  # s: the wheel's contact is as stiff as it allows; with soft contact the cable creeps
THICK = 0.006  # m: radius of the cable
HEAVY, LIGHT = 0.5, 0.25  # kg
SCENE = f"""
<mujoco>
  <option cone="elliptic" impratio="20"/>
  <default>
    <default class="show"><geom contype="0" conaffinity="0" density="0"/></default>
  </default>
  <worldbody>
    <geom class="show" type="box" size=".02 .01 .46" pos="0 .05 .46" rgba=".3 .33 .37 1"/>
    <body name="wheel" pos="0 0 {AXLE}">
      <joint name="wheel" axis="0 1 0"/>
      <geom type="cylinder" size="{RADIUS} .015" zaxis="0 1 0" density="1500" friction="0.6"
            solref="{2 * STEP} 1" rgba=".93 .46 .13 1"/>
      <geom type="cylinder" size="{RADIUS + 0.007} .003" pos="0 .018 0" zaxis="0 1 0"
            rgba=".93 .46 .13 1"/>
      <geom type="cylinder" size="{RADIUS + 0.007} .003" pos="0 -.018 0" zaxis="0 1 0"
            rgba=".93 .46 .13 1"/>
      <geom class="show" type="box" size=".08 .004 .01" pos="0 -.02 0" rgba=".17 .19 .22 1"/>
    </body>
    <body name="heavy" pos="{-RADIUS - THICK} 0 {AXLE - DROP}">
      <freejoint/>
      <geom type="cylinder" size=".035 .05" pos="0 0 -.05" mass="{HEAVY}" rgba=".2 .22 .25 1"/>
    </body>
    <body name="light" pos="{RADIUS + THICK} 0 {AXLE - DROP}">
      <freejoint/>
      <geom type="cylinder" size=".025 .04" pos="0 0 -.04" mass="{LIGHT}" rgba=".6 .63 .67 1"/>
    </body>
  </worldbody>
  <actuator><velocity name="motor" joint="wheel" kv="5"/></actuator>
  <sensor><framepos objtype="body" objname="heavy"/></sensor>
</mujoco>
"""
SPEED = 0.6  # rad/s
SECONDS, CAMERA = 5.0, ((0, 0, 0.5), 1.45, 66, -10)


def over_the_wheel(segments: int) -> np.ndarray:
    """Nodes (m): up on the left, half a turn over the wheel, down on the right."""
    r = RADIUS + THICK
    place = np.linspace(0, 2 * DROP + np.pi * r, segments + 1)
    angle = np.clip((place - DROP) / r, 0, np.pi)
    below = np.maximum(DROP - place, 0) + np.maximum(place - DROP - np.pi * r, 0)
    return np.stack([-r * np.cos(angle), 0 * place, r * np.sin(angle) - below], axis=1)


def build() -> mujoco.MjModel:
    spec = scene(SCENE, timestep=STEP)
    cable = strand.Cable(
        over_the_wheel(60),
        EI=2e-4,
        GJ=2e-4,
        radius=THICK,
        rest="straight",
        loss_time=0.05,
        start="pin",
        start_to="heavy",
        end="pin",
        end_to="light",
        self_contact=False,
    )
    strand.attach(spec, cable, pos=(0, 0, AXLE))
    return spec.compile()


def drive(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    data.actuator("motor").ctrl = SPEED * ramp(data.time, 0.5, 1.0)


def report(run: Run) -> str:
    cable = strand.profile(run.model, run.data)
    rim = RADIUS * run.data.joint("wheel").qpos[0]
    rise = run.sensors[-1, 2] - run.sensors[0, 2]
    return (
        f"tension {cable.tension[0]:.2f} N and {cable.tension[-1]:.2f} N; the rim went"
        f" {1e3 * rim:.0f} mm, the weight rose {1e3 * rise:.0f} mm"
    )


if __name__ == "__main__":
    main()
