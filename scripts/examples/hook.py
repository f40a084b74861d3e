"""Two fingers bend a copper wire into a hook and let go: it springs back by M / EI and stays bent.

The outer finger leads the wire around the inner one and leaves; then the inner one is drawn out.
"""

import sys

import mujoco
import numpy as np
from _stage import Run, main, play, ramp, scene

import strand
from strand import materials

WIRE = materials.get("copper_1_5_solid")
HARDENING = (0.0, 0.015)  # 1: isotropic, about that of annealed copper at a strain of 5 %
HEIGHT, LENGTH, LINKS = 0.14, 0.105, 42  # m, m, 1
INNER, OUTER = 0.012, 0.005  # m: radii of the fingers
PLACE = (0.022, 0, HEIGHT - INNER - WIRE.radius)  # m: of the inner finger
ORBIT = INNER + 2 * WIRE.radius + OUTER + 2e-4  # m: of the outer finger around it
START, STOP = np.radians(90), np.radians(-80)  # from x towards z
BENT, RELEASE, AWAY, SECONDS = 3.0, 3.5, 4.5, 7.0  # s
CAMERA = ((0.006, 0.01, 0.076), 0.25, 72, -12)
SCENE = f"""
<mujoco>
  <default><geom friction=".1"/></default>
  <worldbody>
    <geom type="box" size=".012 .03 .008" pos="-.012 .02 {HEIGHT}" rgba=".80 .58 .36 1"/>
    <geom type="box" size=".012 .01 {HEIGHT / 2 - 0.004}" pos="-.012 .04 {HEIGHT / 2 - 0.004}"
          rgba=".80 .58 .36 1"/>
    <body name="inner" mocap="true" pos="{PLACE[0]} {PLACE[1]} {PLACE[2]}">
      <geom type="cylinder" size="{INNER}" fromto="0 -.008 0 0 .035 0" rgba=".2 .22 .25 1"/>
    </body>
    <body name="outer" mocap="true" pos="{PLACE[0]} {PLACE[1]} {PLACE[2] + ORBIT}">
      <geom type="cylinder" size="{OUTER}" fromto="0 -.008 0 0 .035 0" rgba=".93 .46 .13 1"/>
    </body>
  </worldbody>
</mujoco>
"""


def build() -> mujoco.MjModel:
    spec = scene(SCENE)
    wire = strand.Cable(
        strand.straight(LENGTH, LINKS),
        material=WIRE.name,
        **WIRE.plastic,
        hardening=HARDENING,
        friction=0.1,
        start="fixed",
        rgba=(0.15, 0.35, 0.65, 1),
        skin=True,
    )
    strand.attach(spec, wire, pos=(0, 0, HEIGHT))
    return spec.compile()


def drive(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """The outer finger turns around the inner one and moves away; then the inner one leaves."""
    angle = START + (STOP - START) * ramp(data.time, 0.2, BENT)
    radius = ORBIT + 0.04 * ramp(data.time, RELEASE, AWAY)
    around = (radius * np.cos(angle), 0, radius * np.sin(angle))
    drawn = (0, 0.03 * ramp(data.time, AWAY, AWAY + 1.5), 0)
    data.mocap_pos[model.body("outer").mocapid[0]] = np.add(PLACE, around)
    data.mocap_pos[model.body("inner").mocapid[0]] = np.add(PLACE, drawn)


def first_yield() -> float:
    """Curvature (1/m) at which the outermost copper yields."""
    return WIRE.yield_stress / (WIRE.parts[0].young * WIRE.strain_radius)


def shape(run: Run) -> strand.Profile:
    return strand.profile(run.model, run.data)


def turn(rates: np.ndarray, of: strand.Profile) -> float:
    """Angle (degrees) of curvatures (1/m) about y, (joints,), over the whole wire."""
    return float(np.degrees(rates @ of.joint_span))


def held() -> strand.Profile:
    """The wire just before it is let go."""
    return shape(play(sys.modules[__name__], RELEASE))


def report(run: Run) -> str:
    before, after = held(), shape(run)
    bent, rest = before.curvature_binormal[:, 1], after.curvature_binormal[:, 1]
    lost = (before.moment - after.moment)[:, 1] / WIRE.EI
    k = lost.argmax()
    return (
        f"bent to {bent[k]:.1f} /m, let go {rest[k]:.1f} /m: springs back by"
        f" {bent[k] - rest[k]:.2f} /m, M / EI {lost[k]:.2f} /m; the hook turns by"
        f" {turn(bent, before):.1f} degrees, then {turn(rest, after):.1f}, set"
        f" {turn(after.set_curvature[:, 0], after):.1f}"
    )


if __name__ == "__main__":
    main()
