"""Makes the picture at the top of the README: two cables in a MuJoCo scene, coloured by stress.

MUJOCO_GL=egl .venv/bin/python scripts/figures/hero.py [FILE.png] [--size 1200x700]
"""

import argparse
from pathlib import Path

import mujoco
import numpy as np
from PIL import Image

import strand
from strand.draw.picture import parse_size
from strand.draw.stage import camera
from strand_studies.demo import hanging

FILE = Path(__file__).parents[2] / "assets" / "images" / "hero.png"
SIZE = (1200, 700)  # pixels
COLORS = 256  # of the palette, to keep the file small

LENGTH, SEGMENTS, RADIUS = 1.75, 160, 0.013  # m, 1, m
EI, GJ = 0.25, 0.20  # N m^2
TURNS, SLACK = 10, 0.66  # whole turns, so that the chuck ends upright; m
PLACE = (0.30, -0.92, 0.40)  # m: of the twisted cable's start
TURNING, APPROACH, REST = 3.5, 2.5, 1.5  # s
PUSH = 4.0  # N: on the middle link, so that it coils there
STRESS = (1.5e6, 6.0e6)  # Pa


def twisted_cable() -> strand.Cable:
    """A cable whose far end is turned and pushed until it buckles and coils."""
    return strand.Cable(
        nodes=strand.straight(LENGTH, SEGMENTS),
        EI=EI,
        GJ=GJ,
        radius=RADIUS,
        start="fixed",
        end="mocap",
        root="middle",
        integrator="discrete",
        damping=0.5,
        friction=0.2,
        timestep=hanging.TIMESTEP,
        keys={"color": STRESS},
    )


def build() -> mujoco.MjModel:
    spec = hanging.make_spec(integrator="discrete")
    spec.visual.map.shadowclip = 2.0
    place = spec.worldbody.add_frame(pos=PLACE)
    added = mujoco.MjSpec.from_string(strand.generate(twisted_cable()))
    spec.attach(added, prefix="twisted_", frame=place)
    _add_chuck(spec.worldbody.add_body(pos=PLACE), 0.0)
    _add_chuck(spec.body("twisted_cable_end"), LENGTH / SEGMENTS)
    return spec.compile()


def overlap(model: mujoco.MjModel, data: mujoco.MjData) -> float:
    """The largest depth (m) of the twisted cable's contact with itself."""
    names = [model.body(model.geom_bodyid[k]).name for k in range(model.ngeom)]
    coil = {k for k, name in enumerate(names) if name.startswith("twisted_")}
    depths = [-each.dist for each in data.contact if coil >= {*each.geom.tolist()}]
    return float(max(depths, default=0.0))


def _add_chuck(body: mujoco.MjsBody, x: float) -> None:
    """Adds a chuck around the cable's end at x (m), without collisions."""
    quat = (np.sqrt(0.5), 0, np.sqrt(0.5), 0)
    side = 1 if x > 0 else -1
    looks = (
        ((0.028, 0.02), side * 0.02, (0.93, 0.46, 0.13, 1)),
        ((0.040, 0.04), side * 0.08, (0.17, 0.19, 0.22, 1)),
    )
    for size, offset, rgba in looks:
        body.add_geom(
            type=mujoco.mjtGeom.mjGEOM_CYLINDER,
            size=[*size, 0],
            pos=[x + offset, 0, 0],
            quat=quat,
            rgba=rgba,
            contype=0,
            conaffinity=0,
        )
    body.add_geom(
        type=mujoco.mjtGeom.mjGEOM_BOX,
        size=[0.018, 0.018, PLACE[2] / 2],
        pos=[x + side * 0.08, 0, -PLACE[2] / 2],
        rgba=(0.30, 0.33, 0.37, 1),
        contype=0,
        conaffinity=0,
    )


def drive(model: mujoco.MjModel, data: mujoco.MjData, start: np.ndarray) -> None:
    """Turns the end, then moves it from `start` (m) towards the other end."""
    end = model.body("twisted_cable_end").mocapid[0]
    middle = model.body(f"twisted_cable_link{SEGMENTS // 2}").id
    angle = 2 * np.pi * TURNS * min(1.0, data.time / TURNING)
    data.mocap_quat[end] = [np.cos(angle / 2), np.sin(angle / 2), 0, 0]
    done = np.clip((data.time - TURNING) / APPROACH, 0, 1)
    data.mocap_pos[end] = start - [SLACK * done, 0, 0]
    data.xfrc_applied[middle, 2] = -PUSH if 0 < done < 0.5 else 0.0
    hanging.drive(data)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", nargs="?", type=Path, default=FILE)
    parser.add_argument("--size", type=parse_size, default=SIZE, metavar="WxH")
    options = parser.parse_args()
    model = build()
    data = mujoco.MjData(model)
    start = data.mocap_pos[model.body("twisted_cable_end").mocapid[0]].copy()
    while data.time < TURNING + APPROACH + REST:
        drive(model, data, start)
        mujoco.mj_step(model, data, nstep=2)
    view = camera((0.80, -0.35, 0.45), 2.3, 108, -21)
    pixels = strand.render(model, data, size=options.size, camera=view, labels=False)
    file = options.file
    file.parent.mkdir(parents=True, exist_ok=True)
    picture = Image.fromarray(pixels).quantize(COLORS, kmeans=3, dither=Image.Dither.NONE)
    picture.save(file, optimize=True)
    print(
        f"{file}: {file.stat().st_size / 1000:.0f} kB, warnings: {data.warning.number.sum()}, "
        f"coil: overlap {1e3 * overlap(model, data):.2f} mm (radius {1e3 * RADIUS:g} mm)"
    )


if __name__ == "__main__":
    main()
