"""A six-axis arm drags a cable of 100 links over the floor, for 30 s in steps of 2 ms.

The cost of a MuJoCo step grows with the cube of the number of links in a kinematic tree. So the
cable is built from pieces, each a separate tree, welded end to start. build(pieces=1) makes a
cable of one piece.
"""

import mujoco
import numpy as np
from _stage import GRIP, Run, add_arm, main, scene

import strand

SEGMENTS, PIECES, RADIUS = 100, 4, 0.006  # 1, 1, m
# From the hand down to the floor and along it (m).
WAY = [GRIP, (0.62, 0, 0.56), (0.75, 0, 0.2), (0.95, 0, 0.03), (1.1, 0, 0.01), (1.5, 0, 0.01)]
SECONDS, CAMERA = 30.0, ((0.7, 0.0, 0.25), 1.9, 120, -20)


def build(pieces: int = PIECES) -> mujoco.MjModel:
    spec = scene()
    add_arm(spec, "arm_", (0, 0, 0))
    nodes, links = strand.spline(WAY, SEGMENTS), SEGMENTS // pieces
    for k in reversed(range(pieces)):
        first, last = k == 0, k == pieces - 1
        piece = strand.Cable(
            nodes[k * links : (k + 1) * links + 1],
            prefix=f"piece{k}_",
            EI=2e-3,
            GJ=1.6e-3,
            radius=RADIUS,
            density=1200.0,
            rest="straight",
            loss_time=0.1,
            start="weld" if first else "free",
            start_to="arm_hand" if first else "",
            end="free" if last else "weld",
            end_to="" if last else f"piece{k + 1}_link0",
            root="middle",
            self_contact=False,
            rgba=(0.80, 0.16, 0.12, 1),
            skin=True,
        )
        strand.attach(spec, piece)
    return spec.compile()


def drive(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """The hand moves sideways, up and down, and turns."""
    swing = min(1.0, data.time / 2)
    data.actuator("arm_yaw").ctrl = 0.8 * swing * np.sin(0.8 * data.time)
    data.actuator("arm_shoulder").ctrl = 0.25 * swing * np.sin(1.3 * data.time)
    data.actuator("arm_elbow").ctrl = -0.25 * swing * np.sin(1.3 * data.time)
    data.actuator("arm_spin").ctrl = 0.8 * swing * np.sin(0.5 * data.time)


def nodes(run: Run) -> np.ndarray:
    """Nodes of the whole cable, m."""
    pieces = [strand.profile(run.model, run.data, k).nodes for k in range(run.model.nplugin)]
    return np.vstack([*(piece[:-1] for piece in reversed(pieces)), pieces[0][-1:]])


def slip(run: Run) -> float:
    """The largest distance (m) between two sites that a weld holds together."""
    pairs = [("arm_grip", "piece0_site_start")]
    for k in range(1, run.model.nplugin):
        pairs.append((f"piece{k - 1}_site_end", f"piece{k}_site_start"))
    site = run.data.site
    return float(max(np.linalg.norm(site(a).xpos - site(b).xpos) for a, b in pairs))


def report(run: Run) -> str:
    pieces, step = run.model.nplugin, 1e3 * run.model.opt.timestep
    return (
        f"{SEGMENTS} links in {pieces} pieces, steps of {step:g} ms, {run.data.ncon} contacts,"
        f" {run.warnings} warnings; welds {1e3 * slip(run):.3f} mm off"
    )


if __name__ == "__main__":
    main()
