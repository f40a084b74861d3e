"""A plug's cord is flexed 10,000 times: how much of its life that takes, and where it breaks first.

The clamp swings by 45 degrees to each side in two seconds, and the cord carries 20 N, as in the
flexing test of plugs (IEC 60884-1, 23.4). A sleeve protects the cord at the clamp.
"""

import copy

import mujoco
import numpy as np
from _stage import Run, main, scene

import strand
from strand import materials

HEIGHT, LENGTH, SLEEVE, LINKS = 0.44, 0.3, 0.05, 60  # m: of the clamp, cord and its sleeve; 1
CORD, LOAD = materials.get("mains_3x1"), 20 / 9.81  # kg
STIFFER = 20.0  # where the sleeve is: EI as a factor of the cord's
SWING, PERIOD, FLEXINGS = np.pi / 4, 2.0, 10_000  # rad, s, 1: a flexing is a movement to one side
SCENE = f"""
<mujoco>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <geom type="box" size=".025 .025 {HEIGHT / 2 + 0.03}" pos="0 .08 {HEIGHT / 2 + 0.03}"
          rgba=".80 .58 .36 1"/>
    <body name="clamp" pos="0 0 {HEIGHT}">
      <joint name="swing" axis="0 1 0" damping=".02" armature="1e-3"/>
      <geom type="cylinder" fromto="0 -.025 0 0 .06 0" size=".02" mass=".2" rgba=".93 .46 .13 1"/>
    </body>
    <body name="weight" pos="0 0 {HEIGHT - LENGTH}">
      <freejoint/>
      <geom type="cylinder" size=".032 .04" pos="0 0 -.04" mass="{LOAD}" rgba=".2 .22 .25 1"/>
    </body>
  </worldbody>
  <actuator><position name="swing" joint="swing" kp="60" dampratio="1"/></actuator>
</mujoco>
"""
SECONDS, CAMERA = 2.25 * PERIOD, ((0, 0.03, 0.23), 0.74, 82, -12)


def build(stiffer: float = STIFFER) -> mujoco.MjModel:
    spec = scene(SCENE)
    sleeve = strand.Stretch(0, SLEEVE, EI=stiffer * CORD.EI, radius=1.6 * CORD.radius)
    cord = strand.Cable(
        strand.straight(LENGTH, LINKS),
        material=CORD.name,
        stretches=[sleeve],
        start="fixed",
        end="weld",
        end_to="weight",
        collide=False,
        rgba=(0.15, 0.35, 0.65, 1),
    )
    strand.attach(spec, cord, "clamp", quat=(np.sqrt(0.5), 0, np.sqrt(0.5), 0))
    return spec.compile()


def drive(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    data.actuator("swing").ctrl = SWING * np.sin(2 * np.pi * data.time / PERIOD)


def flexed(run: Run) -> materials.FatigueMonitor:
    """Goes on for one period, two flexings, and counts the strain of the copper strands."""
    model, data = run.model, copy.copy(run.data)
    monitor = materials.FatigueMonitor(
        model, data, sn=CORD.fatigue, radius=CORD.strain_radius, every=5
    )
    for _ in range(round(PERIOD / model.opt.timestep)):
        drive(model, data)
        mujoco.mj_step(model, data)
        monitor.update()
    return monitor


def colors(run: Run) -> strand.LinkValues:
    """The damage of the cord by all flexings."""
    return flexed(run).link_values(repeats=FLEXINGS / 2)


def report(run: Run) -> str:
    life = flexed(run).life()
    return (
        f"{FLEXINGS:,} flexings take {FLEXINGS / (2 * life.repeats):.0%} of its life; it breaks"
        f" after {2 * life.repeats:,.0f}, {1e3 * life.arclength:.0f} mm from the clamp, where the"
        f" sleeve ends at {1e3 * SLEEVE:.0f} mm"
    )


if __name__ == "__main__":
    main()
