"""A wire harness: two branches run through clips from a Y, and plugs pull on them."""

import itertools

import mujoco
import numpy as np
from _stage import Run, main, scene

import strand

TOP, SPLIT, FORK = 0.62, 0.40, 0.22  # m: heights of the socket, the junction, the lower clips
WIDE, LOW = 0.08, 0.10  # m: place of the lower clips to the side, height of the plugs
RADIUS, DENSITY, PLUG = 0.003, 1500.0, 0.06  # m, kg/m^3, kg
INNER, WALL, CORNERS = 0.008, 0.003, 10  # m, m, 1: of a clip
BOARD = 0.025  # m: distance of the board
FRICTION = 0.01
GRAVITY = 9.81
SCENE = f"""
<mujoco>
  <worldbody>
    <geom type="box" size=".24 .01 .36" pos="0 {BOARD + 0.01} .36" rgba=".80 .58 .36 1"/>
    <geom type="box" size=".02 .03 .012" pos="0 0 {TOP + 0.016}" rgba=".2 .22 .25 1"/>
    <body name="plug_left" pos="{-WIDE} 0 {LOW - 0.02}"><freejoint/>
      <geom type="box" size=".012 .008 .02" mass="{PLUG}" rgba=".93 .46 .13 1"/></body>
    <body name="plug_right" pos="{WIDE} 0 {LOW - 0.02}"><freejoint/>
      <geom type="box" size=".012 .008 .02" mass="{PLUG}" rgba=".93 .46 .13 1"/></body>
  </worldbody>
</mujoco>
"""
SIDES = {"left": -1.0, "right": 1.0}
MATERIAL = {
    "EI": 4e-4,
    "GJ": 4e-4,
    "radius": RADIUS,
    "density": DENSITY,
    "friction": FRICTION,
    "rest": "straight",
    "loss_time": 0.2,
    "rgba": (0.15, 0.35, 0.65, 1),
    "skin": True,
}
SECONDS, CAMERA = 4.0, ((0, 0, 0.35), 1.15, 82, -6)


def add_clip(spec: mujoco.MjSpec, place: np.ndarray, along: np.ndarray) -> None:
    """A ring of capsules around the direction `along`, on a post of the board."""
    along = along / np.linalg.norm(along)
    across = np.cross(along, [0, 1.0, 0])
    angles = np.linspace(0, 2 * np.pi, CORNERS + 1)[:, None]
    ring = place + (INNER + WALL) * (np.cos(angles) * across + np.sin(angles) * [0, 1.0, 0])
    capsule, dark = mujoco.mjtGeom.mjGEOM_CAPSULE, (0.17, 0.19, 0.22, 1)
    post = place[:, None] + [[0, 0], [INNER + WALL, BOARD], [0, 0]]
    for begin, end in [*itertools.pairwise(ring), post.T]:
        spec.worldbody.add_geom(type=capsule, size=[WALL, 0, 0], fromto=[*begin, *end], rgba=dark)


def branch(name: str) -> strand.Branch:
    """From the junction through its clip to its plug."""
    side = SIDES[name] * WIDE
    middle = (side / 2, (SPLIT + FORK) / 2)
    places = [
        (0, SPLIT),
        middle,
        (side, FORK),
        (side, FORK - 0.04),
        (side, LOW + 0.04),
        (side, LOW),
    ]
    wire = strand.Cable(
        strand.spline([(x, 0, z) for x, z in places], 40),
        end="weld",
        end_to=f"plug_{name}",
        **MATERIAL,
    )
    return strand.Branch(wire, name, TOP - SPLIT)


def build() -> mujoco.MjModel:
    spec = scene(SCENE)
    for height in (0.56, 0.46):
        add_clip(spec, np.array([0, 0, height]), np.array([0, 0, 1.0]))
    for side in SIDES.values():
        add_clip(spec, np.array([side * WIDE, 0, FORK]), np.array([side * 0.2, 0, -1.0]))
    trunk = strand.Cable(
        strand.points([(0, 0, z) for z in np.linspace(TOP, SPLIT, 21)]),
        start="fixed",
        branches=[branch(name) for name in SIDES],
        **MATERIAL,
    )
    strand.attach(spec, trunk)
    return spec.compile()


def pulls(run: Run) -> dict[str, tuple[float, float]]:
    """Force (N) of each branch and of the trunk on the junction, and what statics gives.

    A wire that slides without friction pulls at its upper end with the weight of its plug and of
    as much wire as hangs down from there to the plug. The trunk carries both pulls.
    """
    line = DENSITY * np.pi * RADIUS**2 * GRAVITY  # N/m
    found, both = {}, np.zeros(3)
    for name in SIDES:
        wire = strand.profile(run.model, run.data, f"cable_{name}_rod")
        pull = float(np.linalg.norm(wire.start_force))
        expected = PLUG * GRAVITY + line * (wire.nodes[0, 2] - wire.nodes[-1, 2])
        both += expected * wire.start_force / pull
        found[name] = pull, expected
    trunk = strand.profile(run.model, run.data, "cable_rod")
    found["trunk"] = float(np.linalg.norm(trunk.end_force)), float(np.linalg.norm(both))
    return found


def report(run: Run) -> str:
    texts = [f"{name} {one:.3f} N ({two:.3f} N)" for name, (one, two) in pulls(run).items()]
    return "pull on the junction (by statics): " + ", ".join(texts)


if __name__ == "__main__":
    main()
