"""A soft ring drops on a peg, where it hangs and swings."""

import mujoco
import numpy as np
from _stage import Run, main, scene

import strand

SCENE = """
<mujoco>
  <worldbody>
    <geom type="box" size=".05 .02 .35" pos="0 .08 .35" rgba=".93 .93 .91 1"/>
    <geom name="peg" type="capsule" fromto="0 .06 .6  0 -.1 .6" size=".02" rgba=".80 .58 .36 1"/>
  </worldbody>
</mujoco>
"""
CABLE = strand.Cable(
    strand.ring(0.14, 40),
    closed=True,
    EI=4e-3,
    GJ=4e-3,
    radius=0.008,
    quat=(np.sqrt(0.5), np.sqrt(0.5), 0, 0),  # upright
    loss_time=0.02,
    rgba=(0.95, 0.45, 0.10, 1),
    skin=True,
)
SECONDS, CAMERA = 5.0, ((0, 0, 0.44), 0.95, 65, -10)


def build() -> mujoco.MjModel:
    spec = scene(SCENE)
    strand.attach(spec, CABLE, pos=(0.03, -0.02, 0.58))
    return spec.compile()


def report(run: Run) -> str:
    nodes = strand.profile(run.model, run.data).nodes
    gap = 1e3 * np.linalg.norm(nodes[0] - nodes[-1])
    width, height = 1e3 * np.ptp(nodes[:, 0]), 1e3 * np.ptp(nodes[:, 2])
    return f"the ring is {width:.0f} mm wide and {height:.0f} mm high, open by {gap:.2f} mm"


if __name__ == "__main__":
    main()
