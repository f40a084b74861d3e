"""A hand that moves in circles lowers a rope to the floor, where it falls in coils."""

import mujoco
import numpy as np
from _stage import Run, main, scene

import strand

LENGTH, RADIUS, SEGMENTS = 2.6, 0.009, 70  # m, m, 1
SPEED, LEFT = 0.35, 0.3  # m/s: of the hand downwards; m: length of rope left when it stops
CIRCLE, TURN = 0.09, 1.6  # m, s: of the hand's circles, each as long as the rope lowered in it
SECONDS, CAMERA = 7.5, ((-0.02, 0, 0.13), 0.85, 100, -25)


def build() -> mujoco.MjModel:
    spec = scene()
    cable = strand.Cable(
        strand.straight(LENGTH, SEGMENTS),
        EI=1e-3,
        GJ=1e-3,
        radius=RADIUS,
        density=1000.0,
        quat=(np.sqrt(0.5), 0, np.sqrt(0.5), 0),  # straight down
        start="mocap",
        loss_time=0.05,
        friction=1.0,
        rgba=(0.85, 0.68, 0.36, 1),
        skin=True,
    )
    strand.attach(spec, cable, pos=(CIRCLE, 0, LENGTH + 2 * RADIUS))
    spec.body("cable_start").add_geom(
        type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[0.02, 0, 0], rgba=(0.93, 0.46, 0.13, 1)
    )
    return spec.compile()


def drive(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """The hand turns with its circles, since otherwise every coil would leave a turn of twist."""
    now = min(data.time, (LENGTH - LEFT) / SPEED)
    angle = 2 * np.pi * now / TURN
    data.mocap_pos[0, :2] = CIRCLE * np.cos(angle), CIRCLE * np.sin(angle)
    data.mocap_pos[0, 2] = LENGTH + 2 * RADIUS - SPEED * now
    turn = np.array([np.cos(angle / 2), 0, 0, np.sin(angle / 2)])
    mujoco.mju_mulQuat(data.mocap_quat[0], turn, model.body("cable_start").quat)


def coils(cable: strand.Profile) -> float:
    """Turns of the rope's direction about the vertical, over the part that lies on the floor."""
    lying = cable.nodes[:-1, 2] < 6 * RADIUS
    heading = np.unwrap(np.arctan2(cable.tangents[lying, 1], cable.tangents[lying, 0]))
    return abs(heading[-1] - heading[0]) / (2 * np.pi)


def report(run: Run) -> str:
    cable = strand.profile(run.model, run.data)
    lowest = 1e3 * (cable.nodes[:, 2].min() - RADIUS)
    return f"{coils(cable):.1f} coils; {run.data.ncon} contacts; lowest {lowest:+.2f} mm"


if __name__ == "__main__":
    main()
