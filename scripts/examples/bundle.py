"""Three cables side by side, held together by clips, lie on one another and hang."""

import itertools

import mujoco
import numpy as np
from _stage import Run, main, scene

import strand

RADIUS, LENGTH, HEIGHT = 0.008, 0.7, 0.5  # m
COLORS = {
    "red": (0.80, 0.16, 0.12, 1),
    "yellow": (0.95, 0.75, 0.10, 1),
    "blue": (0.15, 0.35, 0.65, 1),
}
SCENE = f"""
<mujoco>
  <worldbody>
    <geom type="box" size=".02 .06 {HEIGHT / 2 + 0.04}" pos="-.02 0 {HEIGHT / 2 + 0.04}"
          rgba=".80 .58 .36 1"/>
  </worldbody>
</mujoco>
"""
INNER, WALL, SIDES = 0.021, 0.004, 8  # m, m, 1: of a clip
PLACES = (0.16, 0.32)  # m: of the clips
SECONDS, CAMERA = 4.0, ((0.22, 0, 0.29), 1.02, 65, -16)


def add_clip(spec: mujoco.MjSpec, x: float) -> None:
    """A ring of capsules on a post, through which the cables run."""
    angles = np.linspace(0, 2 * np.pi, SIDES + 1)
    ring = [(x, (INNER + WALL) * np.cos(a), HEIGHT + (INNER + WALL) * np.sin(a)) for a in angles]
    capsule, dark = mujoco.mjtGeom.mjGEOM_CAPSULE, (0.17, 0.19, 0.22, 1)
    for begin, end in itertools.pairwise(ring):
        spec.worldbody.add_geom(
            type=capsule, size=[WALL, 0, 0], fromto=[*begin, *end], rgba=dark, friction=[0.3, 0, 0]
        )
    foot = (x, 0, 0, x, 0, HEIGHT - INNER - WALL)
    spec.worldbody.add_geom(type=capsule, size=[WALL, 0, 0], fromto=foot, rgba=dark)


def build() -> mujoco.MjModel:
    spec = scene(SCENE)
    for x in PLACES:
        add_clip(spec, x)
    for k, (name, color) in enumerate(COLORS.items()):
        angle = np.pi / 2 + 2 * np.pi * k / 3
        cable = strand.Cable(
            strand.straight(LENGTH, 20),
            prefix=name + "_",
            EI=3e-3,
            GJ=3e-3,
            radius=RADIUS,
            density=1500.0,
            start="fixed",
            loss_time=0.05,
            friction=0.3,
            rgba=color,
            skin=True,
        )
        apart = 1.2 * RADIUS
        strand.attach(spec, cable, pos=(0, apart * np.cos(angle), HEIGHT + apart * np.sin(angle)))
    return spec.compile()


def report(run: Run) -> str:
    model, data = run.model, run.data
    names = [model.body(model.geom(g).bodyid[0]).name.split("_")[0] for g in range(model.ngeom)]
    pairs = {frozenset((names[a], names[b])) for a, b in data.contact.geom}
    touching = sum(len(pair & COLORS.keys()) == 2 for pair in pairs)
    tips = [strand.profile(model, data, k).nodes[-1, 2] for k in range(3)]
    heights = ", ".join(f"{1e3 * z:.0f}" for z in tips)
    return f"{data.ncon} contacts, {touching} pairs of cables touch; tips at {heights} mm"


if __name__ == "__main__":
    main()
