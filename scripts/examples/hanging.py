"""A cable between two posts: it falls into its catenary, and the posts carry its weight."""

import mujoco
import numpy as np
from _stage import Run, main, scene

import strand

SCENE = """
<mujoco>
  <worldbody>
    <geom type="box" size=".02 .02 .4" pos="-.53 0 .4" rgba=".80 .58 .36 1"/>
    <body name="right">
      <geom type="box" size=".02 .02 .4" pos=".53 0 .4" rgba=".80 .58 .36 1"/>
    </body>
  </worldbody>
</mujoco>
"""
# The initial shape is asymmetric, so that the cable swings into place.
NODES = strand.spline([(-0.5, 0, 0.78), (-0.2, 0, 0.35), (0.5, 0, 0.78)], 40)
CABLE = strand.Cable(
    NODES,
    EI=1e-3,
    GJ=8e-4,
    radius=0.006,
    density=1200.0,
    rest="straight",
    loss_time=1.0,
    start="ball",
    end="pin",
    end_to="right",
)
SECONDS, CAMERA = 6.0, ((0, 0, 0.42), 1.55, 65, -10)


def build() -> mujoco.MjModel:
    spec = scene(SCENE)
    strand.attach(spec, CABLE)
    return spec.compile()


def weight() -> float:
    """Weight of the cable, N."""
    length = np.linalg.norm(np.diff(NODES, axis=0), axis=1).sum()
    return CABLE.density * np.pi * CABLE.radius**2 * length * 9.81


def report(run: Run) -> str:
    cable = strand.profile(run.model, run.data)
    lift = cable.start_force[2] + cable.end_force[2]
    least = cable.tension.min()
    return f"the posts carry {lift:.4f} N of {weight():.4f} N; least tension {least:.4f} N"


if __name__ == "__main__":
    main()
