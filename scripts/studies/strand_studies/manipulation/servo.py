"""Motors that take a velocity and integrate it to the target of a stiff spring (`intvelocity`), so
that the target moves evenly between two control steps."""

import mujoco


def add_servo(
    spec: mujoco.MjSpec,
    joint: str,
    stiffness: float,
    fastest: float,
    farthest: float = 10.0,
    strongest: float | None = None,
) -> None:
    """Adds a critically damped motor to a joint, with the joint's name.

    stiffness: N/m or N m/rad. fastest, farthest: largest velocity (m/s or rad/s), and distance (m
    or rad) of the target from the joint's zero. strongest: N or N m; unlimited by default.
    """
    motor = spec.add_actuator(name=joint, target=joint, trntype=mujoco.mjtTrn.mjTRN_JOINT)
    motor.set_to_intvelocity(kp=stiffness, dampratio=1.0)
    motor.ctrlrange, motor.ctrllimited = [-fastest, fastest], True
    motor.actrange, motor.actlimited = [-farthest, farthest], True
    if strongest is not None:
        motor.forcerange, motor.forcelimited = [-strongest, strongest], True
