"""A coil spring carries a weight, which bounces at the frequency of the spring formula."""

import mujoco
import numpy as np
from _stage import Run, main, scene

import strand

WIRE, RADIUS, PITCH, TURNS = 0.0015, 0.035, 0.022, 4  # m (wire's radius, coil's, per turn); 1
YOUNG, SHEAR, DENSITY = 206e9, 79e9, 7850.0  # Pa, Pa, kg/m^3: spring steel
LINKS = 16  # per turn: they make it stiffer than the formula by 0.06 (10 / LINKS)^2
MASS, TOP = 1.0, 0.36  # kg, m
SCENE = f"""
<mujoco>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <geom type="box" size=".10 .05 .01" pos="0 0 {TOP + 0.01}" rgba=".80 .58 .36 1"/>
    <geom type="box" size=".012 .012 {TOP / 2}" pos=".11 0 {TOP / 2}" rgba=".80 .58 .36 1"/>
    <body name="weight" pos="0 0 {TOP - PITCH * TURNS}">
      <joint name="guide" type="slide" axis="0 0 1"/>
      <geom type="cylinder" size=".032 .025" pos="0 0 -.028" mass="{MASS}" rgba=".2 .22 .25 1"/>
    </body>
  </worldbody>
  <sensor><jointpos joint="guide"/></sensor>
</mujoco>
"""
SECONDS, CAMERA = 4.0, ((0.03, 0, 0.19), 0.62, 75, -12)


def build() -> mujoco.MjModel:
    spec = scene(SCENE)
    cable = strand.Cable(
        strand.helix(RADIUS, PITCH, -TURNS, LINKS * TURNS) * (1, 1, -1),
        young=YOUNG,
        shear=SHEAR,
        radius=WIRE,
        density=DENSITY,
        start="fixed",
        end="weld",
        end_to="weight",
        collide=False,
        rgba=(0.55, 0.58, 0.62, 1),
        skin=True,
    )
    strand.attach(spec, cable, pos=(0, 0, TOP))
    return spec.compile()


def formula() -> float:
    """Frequency (Hz) of the weight and a third of the wire on a coil of small pitch.

    k = GJ / (2 pi R^3 turns).
    """
    GJ = SHEAR * np.pi * WIRE**4 / 2
    wire = DENSITY * np.pi * WIRE**2 * 2 * np.pi * RADIUS * TURNS
    stiffness = GJ / (2 * np.pi * RADIUS**3 * TURNS)
    return float(np.sqrt(stiffness / (MASS + wire / 3)) / (2 * np.pi))


def frequency(run: Run) -> float:
    """Frequency (Hz) of the weight, from the times at which it passes its mean height upwards."""
    place = run.sensors[:, 0] - run.sensors[:, 0].mean()
    k = np.flatnonzero((place[:-1] < 0) & (place[1:] >= 0))
    crossing = run.times[k] - place[k] * (run.times[k + 1] - run.times[k]) / (
        place[k + 1] - place[k]
    )
    return float((len(crossing) - 1) / (crossing[-1] - crossing[0]))


def report(run: Run) -> str:
    return f"{frequency(run):.3f} Hz, by the formula {formula():.3f} Hz"


if __name__ == "__main__":
    main()
