"""Two fingers close on a cable and lift it by friction alone."""

import mujoco
import numpy as np
from _stage import Run, main, ramp, scene

import strand

RADIUS, LENGTH, LIFT = 0.01, 0.9, 0.35  # m
SEGMENTS, HELD = 40, 18  # links; the node between the fingers
PALM = 0.11  # m: height at the start
GRIP = 15.0  # N: of each finger
FINGER = 'type="box" size=".012 .008 .05" friction="1" solref=".004 1" rgba=".22 .25 .29 1"'
SCENE = f"""
<mujoco>
  <option cone="elliptic" impratio="10"/>
  <worldbody>
    <body name="palm" pos="0 0 {PALM}">
      <joint name="lift" type="slide" axis="0 0 1" damping="20"/>
      <geom type="box" size=".025 .06 .015" mass=".5" rgba=".93 .46 .13 1"/>
      <geom type="cylinder" size=".025 .06" pos="0 0 .08" mass=".5" rgba=".93 .93 .91 1"/>
      <body pos="0 .04 -.06">
        <joint name="left" type="slide" axis="0 -1 0" damping="5"/>
        <geom {FINGER} mass=".1"/>
      </body>
      <body pos="0 -.04 -.06">
        <joint name="right" type="slide" axis="0 1 0" damping="5"/>
        <geom {FINGER} mass=".1"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <position name="lift" joint="lift" kp="3000" dampratio="1"/>
    <motor name="left" joint="left"/>
    <motor name="right" joint="right"/>
  </actuator>
</mujoco>
"""
SECONDS, CAMERA = 5.0, ((0.02, 0, 0.31), 0.95, 38, -14)


def build() -> mujoco.MjModel:
    spec = scene(SCENE)
    cable = strand.Cable(
        strand.straight(LENGTH, SEGMENTS),
        EI=2e-2,
        GJ=2e-2,
        radius=RADIUS,
        density=1200.0,
        loss_time=0.05,
        friction=0.8,
        condim=4,
        rgba=(0.15, 0.35, 0.75, 1),
        skin=True,
    )
    strand.attach(spec, cable, pos=(-HELD / SEGMENTS * LENGTH, 0, 1.1 * RADIUS))
    return spec.compile()


def drive(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    data.actuator("left").ctrl = data.actuator("right").ctrl = GRIP * ramp(data.time, 0.2, 0.8)
    data.actuator("lift").ctrl = LIFT * ramp(data.time, 1.0, 3.0)


def slip(run: Run) -> float:
    """Displacement (m) of the cable in the fingers."""
    apart = run.data.site(f"cable_node{HELD}").xpos - run.data.body("palm").xpos
    return float(np.linalg.norm(apart - (0, 0, 1.1 * RADIUS - PALM)))


def report(run: Run) -> str:
    cable = strand.profile(run.model, run.data)
    return (
        f"lifted by {1e3 * run.data.joint('lift').qpos[0]:.0f} mm, slipped by"
        f" {1e3 * slip(run):.2f} mm; lowest end at {1e3 * cable.nodes[:, 2].min():.0f} mm"
    )


if __name__ == "__main__":
    main()
