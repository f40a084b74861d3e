"""A cable between the hands of two six-axis arms, which bend it and turn it."""

import mujoco
import numpy as np
from _stage import GRIP, Run, add_arm, main, ramp, scene

import strand

BETWEEN = 1.7  # m, from base to base
SECONDS, CAMERA = 8.0, ((0, 0, 0.47), 2.0, 75, -14)


def build() -> mujoco.MjModel:
    spec = scene()
    add_arm(spec, "left_", (-BETWEEN / 2, 0, 0))
    add_arm(spec, "right_", (BETWEEN / 2, 0, 0), turn=np.pi)
    cable = strand.Cable(
        strand.straight(BETWEEN - 2 * GRIP[0], 40),
        EI=0.05,
        GJ=0.04,
        radius=0.008,
        loss_time=0.02,
        start="weld",
        start_to="left_hand",
        end="weld",
        end_to="right_hand",
        rgba=(0.80, 0.16, 0.12, 1),
        skin=True,
    )
    strand.attach(spec, cable, pos=(GRIP[0] - BETWEEN / 2, 0, GRIP[2]))
    return spec.compile()


def drive(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """The hands move together and tilt up, then the right one turns about its axis."""
    closer, turn = ramp(data.time, 0.5, 3.5), ramp(data.time, 4.0, 7.0)
    for side in ("left_", "right_"):
        data.actuator(side + "shoulder").ctrl = 0.5 * closer
        data.actuator(side + "elbow").ctrl = -0.5 * closer
        data.actuator(side + "pitch").ctrl = -0.5 * closer
    data.actuator("right_spin").ctrl = np.pi / 2 * turn


def slip(run: Run) -> float:
    """The largest distance (m) between an end of the cable and its hand."""
    ends = (("cable_site_start", "left_grip"), ("cable_site_end", "right_grip"))
    return max(
        float(np.linalg.norm(run.data.site(a).xpos - run.data.site(b).xpos)) for a, b in ends
    )


def report(run: Run) -> str:
    cable = strand.profile(run.model, run.data)
    force, moment = np.linalg.norm(cable.end_force), np.linalg.norm(cable.end_moment)
    return (
        f"right hand: {force:.2f} N, {moment:.3f} N m, twist {np.degrees(cable.twist.sum()):.0f}"
        f" degrees; ends {1e3 * slip(run):.2f} mm off"
    )


if __name__ == "__main__":
    main()
