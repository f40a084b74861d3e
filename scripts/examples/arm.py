"""A six-axis arm drags a cable of 100 links over the floor: how fast is that?"""

import mujoco
import numpy as np
from _stage import GRIP, Run, add_arm, main, scene

import strand

SEGMENTS, RADIUS = 100, 0.006  # 1, m
SECONDS, CAMERA = 30.0, ((0.7, 0.0, 0.25), 1.9, 120, -20)


def build() -> mujoco.MjModel:
    spec = scene()
    add_arm(spec, "arm_", (0, 0, 0))
    # From the hand down to the floor and along it.
    way = [GRIP, (0.62, 0, 0.56), (0.75, 0, 0.2), (0.95, 0, 0.03), (1.1, 0, 0.01), (1.5, 0, 0.01)]
    cable = strand.Cable(
        strand.spline(way, SEGMENTS),
        EI=2e-3,
        GJ=1.6e-3,
        radius=RADIUS,
        density=1200.0,
        rest="straight",
        loss_time=0.05,
        start="weld",
        start_to="arm_hand",
        self_contact=False,
        rgba=(0.80, 0.16, 0.12, 1),
        skin=True,
    )
    strand.attach(spec, cable)
    return spec.compile()


def drive(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """The hand goes to and fro, up and down, and turns."""
    swing = min(1.0, data.time / 2)
    data.actuator("arm_yaw").ctrl = 0.8 * swing * np.sin(0.8 * data.time)
    data.actuator("arm_shoulder").ctrl = 0.25 * swing * np.sin(1.3 * data.time)
    data.actuator("arm_elbow").ctrl = -0.25 * swing * np.sin(1.3 * data.time)
    data.actuator("arm_spin").ctrl = 0.8 * swing * np.sin(0.5 * data.time)


def slip(run: Run) -> float:
    """m: between the cable's start and the hand."""
    apart = run.data.site("cable_site_start").xpos - run.data.site("arm_grip").xpos
    return float(np.linalg.norm(apart))


def report(run: Run) -> str:
    h = 1e3 * run.model.opt.timestep
    return (
        f"{SEGMENTS} links, steps of {h:g} ms, {run.data.ncon} contacts, {run.warnings} warnings;"
        f" weld {1e3 * slip(run):.2f} mm off"
    )


if __name__ == "__main__":
    main()
