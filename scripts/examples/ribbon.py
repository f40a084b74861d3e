"""A flat ribbon between two clamps, one of which makes one full turn."""

import mujoco
import numpy as np
from _stage import Run, main, ramp, scene

import strand

SCENE = """
<mujoco>
  <worldbody>
    <geom type="box" size=".02 .03 .2" pos="-.32 0 .2" rgba=".80 .58 .36 1"/>
    <geom type="box" size=".02 .03 .2" pos=".34 0 .2" rgba=".80 .58 .36 1"/>
    <body name="chuck" pos=".3 0 .36">
      <joint name="turn" axis="1 0 0" damping=".01" armature="1e-4"/>
      <geom type="cylinder" size=".03 .015" zaxis="1 0 0" mass=".2" rgba=".93 .46 .13 1"/>
    </body>
  </worldbody>
  <actuator>
    <position name="turn" joint="turn" kp="5" dampratio="1"/>
  </actuator>
</mujoco>
"""
LENGTH, WIDTH, THICK = 0.6, 0.03, 0.002  # m
YOUNG, POISSON = 5e6, 0.48  # Pa, 1
SECONDS, CAMERA = 6.0, ((0.01, 0, 0.22), 0.98, 60, -20)


def build() -> mujoco.MjModel:
    spec = scene(SCENE)
    ribbon = strand.Cable(
        strand.straight(LENGTH, 50),
        section="box",
        width=WIDTH,
        height=THICK,
        young=YOUNG,
        poisson=POISSON,
        density=1100.0,
        start="fixed",
        end="weld",
        end_to="chuck",
        loss_time=0.02,
        collide=False,
        rgba=(0.20, 0.55, 0.45, 1),
        skin=True,
    )
    strand.attach(spec, ribbon, pos=(-LENGTH / 2, 0, 0.36))
    return spec.compile()


def drive(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    data.actuator("turn").ctrl = 2 * np.pi * ramp(data.time, 0.2, 4.0)


def formula() -> float:
    """Torque (N m) of one turn, with the GJ of a thin strip."""
    J = WIDTH * THICK**3 / 3 * (1 - 0.63 * THICK / WIDTH)
    return YOUNG / (2 * (1 + POISSON)) * J * 2 * np.pi / LENGTH


def report(run: Run) -> str:
    ribbon = strand.profile(run.model, run.data)
    torque = abs(ribbon.end_moment[0])
    return (
        f"{ribbon.twist.sum() / (2 * np.pi):.3f} turns of twist take {1e3 * torque:.3f} mN m,"
        f" by the formula {1e3 * formula():.3f} mN m"
    )


if __name__ == "__main__":
    main()
