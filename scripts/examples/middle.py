"""A drone carries a cable by its middle."""

import mujoco
import numpy as np
from _stage import Run, main, ramp, scene

import strand

ROTOR = 'type="cylinder" size=".07 .004" rgba=".75 .78 .81 1" mass=".02"'
SCENE = f"""
<mujoco>
  <worldbody>
    <body name="drone" pos="-.6 0 .9">
      <joint name="x" type="slide" axis="1 0 0"/>
      <joint name="z" type="slide" axis="0 0 1"/>
      <geom type="ellipsoid" size=".07 .05 .03" rgba=".93 .46 .13 1" mass=".6"/>
      <geom type="capsule" fromto="-.11 -.11 0 .11 .11 0" size=".008" rgba=".2 .22 .25 1"/>
      <geom type="capsule" fromto="-.11 .11 0 .11 -.11 0" size=".008" rgba=".2 .22 .25 1"/>
      <geom {ROTOR} pos=".11 .11 .015"/>
      <geom {ROTOR} pos=".11 -.11 .015"/>
      <geom {ROTOR} pos="-.11 .11 .015"/>
      <geom {ROTOR} pos="-.11 -.11 .015"/>
      <geom type="capsule" fromto="0 0 0 0 0 -.04" size=".008" rgba=".2 .22 .25 1" contype="0"
            conaffinity="0"/>
      <site name="hook" pos="0 0 -.05"/>
    </body>
  </worldbody>
  <actuator>
    <position name="x" joint="x" kp="300" dampratio="1"/>
    <position name="z" joint="z" kp="3000" dampratio="1"/>
  </actuator>
</mujoco>
"""
LENGTH, SEGMENTS, RADIUS, DENSITY = 1.2, 40, 0.007, 1200.0  # m, 1, m, kg/m^3
WEIGHT = DENSITY * np.pi * RADIUS**2 * LENGTH * 9.81  # N
SECONDS, CAMERA = 3.0, ((0, 0, 0.68), 1.35, 60, -18)


def build() -> mujoco.MjModel:
    spec = scene(SCENE)
    cable = strand.Cable(
        strand.straight(LENGTH, SEGMENTS),
        EI=1.5e-2,
        GJ=1.5e-2,
        radius=RADIUS,
        density=DENSITY,
        loss_time=0.05,
        rgba=(0.15, 0.35, 0.65, 1),
        skin=True,
    )
    strand.attach(spec, cable, pos=(-0.6 - LENGTH / 2, 0, 0.85))
    # Every node has a site. A weld would also fix the link's direction.
    spec.add_equality(
        name="hook",
        type=mujoco.mjtEq.mjEQ_CONNECT,
        objtype=mujoco.mjtObj.mjOBJ_SITE,
        name1="hook",
        name2=f"cable_node{SEGMENTS // 2}",
        solref=[2 * spec.option.timestep, 1],
        solimp=[0.9999, 0.9999, 0.001, 0.5, 2],
    )
    return spec.compile()


def drive(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    data.actuator("x").ctrl = 1.2 * ramp(data.time, 1.5, 4.5)


def hook(run: Run) -> tuple[float, float]:
    """The force (N) of the hook on the cable, and the distance (m) between them."""
    data = run.data
    rows = data.efc_type == mujoco.mjtConstraint.mjCNSTR_EQUALITY
    rows &= data.efc_id == run.model.equality("hook").id
    apart = data.site("hook").xpos - data.site(f"cable_node{SEGMENTS // 2}").xpos
    return float(np.linalg.norm(data.efc_force[rows])), float(np.linalg.norm(apart))


def report(run: Run) -> str:
    force, apart = hook(run)
    return (
        f"the hook pulls with {force:.3f} N on a cable of {WEIGHT:.3f} N, {1e3 * apart:.2f} mm off"
    )


if __name__ == "__main__":
    main()
