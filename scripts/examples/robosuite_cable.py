"""A Panda of robosuite picks a cable up from the table, by the friction of its gripper.

Needs robosuite and MuJoCo 3.3.7, in a virtual environment of their own; the script says what to
type if they are missing.
"""

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import strand
import strand.robosuite
from strand.draw.picture import SIZE, parse_size
from strand.draw.rod_render import save_png

try:
    import robosuite
except ImportError as error:
    if error.name != "robosuite":
        raise
    sys.exit(f"this example needs robosuite: {strand.robosuite.INSTALL}")

LENGTH, SEGMENTS, RADIUS = 0.5, 40, 0.006  # m, 1, m
ASIDE = 0.15  # m: from the cube in the middle of the table
LOW, LIFT = 0.012, 0.25  # m: of the grip above the table, which the fingers touch at 0.010
OPEN, SHUT = -1.0, 1.0
# Height of the grip above the table (m), gripper, seconds.
PHASES = (
    (0.1, OPEN, 2.5),
    (LOW, OPEN, 2.0),
    (LOW, SHUT, 1.0),
    (LIFT, SHUT, 2.5),
    (LIFT, SHUT, 4.0),
)
STRIDE = 0.05  # m: of the hand in a control period, for an action of 1


def make(pictures: bool = False) -> Any:
    """The environment with its cable on the table."""
    env = robosuite.make(
        "Lift",
        robots="Panda",
        use_camera_obs=False,
        has_offscreen_renderer=pictures,
        renderer="mujoco",  # with the default, "mjviewer", pictures after a reset may be noise
        ignore_done=True,
        seed=0,
    )
    cable = strand.Cable(
        strand.straight(LENGTH, SEGMENTS), EI=5e-3, GJ=4e-3, radius=RADIUS, density=1200.0
    )
    top = env.table_full_size[2] / 2
    strand.robosuite.add_cable(env, cable, "table", pos=(-LENGTH / 2, ASIDE, top + 1.05 * RADIUS))
    return env


def held(env: Any) -> np.ndarray:
    """The middle of the cable from the grip (m, world axes)."""
    data = strand.robosuite.simulation(env).data
    middle = data.site(f"cable_node{SEGMENTS // 2}").xpos
    return middle - data.site("gripper0_right_grip_site").xpos


def lift(env: Any) -> dict[str, float]:
    """Resets the environment and moves the hand. Returns figures in m, but `warnings`.

    resting: height of the cable's lower side over the table before the hand comes (< 0: overlap)
    lifted: the same after the motion, for the lowest node
    slipped: displacement of the cable in the grip while it is lifted
    crept: displacement in the last phase, in which the hand is still
    """
    seen = env.reset()
    figures, places = {}, []
    table = env.table_offset[2]
    for height, gripper, seconds in PHASES:
        goal = np.array((0.0, ASIDE, table + height))
        for _ in range(round(seconds * env.control_freq)):
            way = np.clip((goal - seen["robot0_eef_pos"]) / STRIDE, -1, 1)
            seen, *_ = env.step([*way, 0.0, 0.0, 0.0, gripper])
        places.append(held(env))
        lowest = strand.profile(*strand.robosuite.simulation(env)).nodes[:, 2].min()
        figures.setdefault("resting", float(lowest - table - RADIUS))
    figures["lifted"] = float(lowest - table - RADIUS)
    figures["slipped"] = float(np.linalg.norm(places[3] - places[2]))
    figures["crept"] = float(np.linalg.norm(places[4] - places[3]))
    return figures | {"warnings": int(strand.robosuite.simulation(env).data.warning.number.sum())}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--frame", type=Path, metavar="FILE.png", help="write the last picture")
    parser.add_argument(
        "--size", type=parse_size, default=SIZE, metavar="WxH", help="of the picture (pixels)"
    )
    options = parser.parse_args()
    env = make(pictures=options.frame is not None)
    start = time.perf_counter()
    found = lift(env)
    wall = time.perf_counter() - start
    print(
        f"rested {1e6 * -found['resting']:.0f} um deep in the table; its lowest node was lifted by"
        f" {1e3 * found['lifted']:.0f} mm; slipped by {1e3 * found['slipped']:.2f} mm in the grip,"
        f" crept by {1e3 * found['crept']:.2f} mm in {PHASES[-1][-1]:g} s;"
        f" {sum(phase[-1] for phase in PHASES) / wall:.1f} times real time"
    )
    if options.frame:
        width, height = options.size
        save_png(options.frame, env.sim.render(width, height, camera_name="sideview")[::-1])
    env.close()
    if found["warnings"]:
        sys.exit(f"MuJoCo has warned {found['warnings']} times")


if __name__ == "__main__":
    main()
