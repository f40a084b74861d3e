"""Forces in cables that robots move: those of the last step, whatever moves them and integrates."""

import mujoco
import numpy as np
import pytest
from support.engine import DISCRETE

import strand
from strand import Cable

STEP = 2e-3  # s
SERVOS = {
    "position": '<position joint="z" kp="20000" kv="2000"/>',
    "velocity": '<velocity joint="z" kv="2000"/>',
    "motor": '<motor joint="z"/>',
}


def command(servo: str, time: float) -> float:
    """An acceleration of 2 m/s^2 and a swing, for the servo."""
    if servo == "position":
        return time**2 + 0.01 * np.sin(30 * time)
    if servo == "velocity":
        return 2 * time + 0.3 * np.cos(30 * time)
    return 6.0 + 2 * np.sin(30 * time)


def hand(servo: str, integrator: str, damping: float, **options: object) -> mujoco.MjModel:
    """A hand on a vertical slide joint that carries a hanging cable of 1 m."""
    spec = mujoco.MjSpec.from_string(f"""<mujoco>
      <option integrator="{integrator}" timestep="{STEP}"/><worldbody>
        <body name="hand" pos="0 0 2">
          <joint name="z" type="slide" axis="0 0 1" damping="{damping}"/>
          <geom type="box" size=".02 .02 .02" mass=".5" contype="0" conaffinity="0"/></body>
      </worldbody><actuator>{SERVOS[servo]}</actuator></mujoco>""")
    nodes = np.linspace([0, 0, 0], [0, 0, -1], 31)
    cable = Cable(nodes, EI=0.01, GJ=0.01, radius=0.004, density=1200, start="fixed", **options)
    strand.attach(spec, cable, body="hand")
    return spec.compile()


def momentum(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    """Momentum of all links (kg m/s)."""
    links = [b for b in range(model.nbody) if "link" in model.body(b).name]
    jacobian, sum_of = np.zeros((3, model.nv)), np.zeros(3)
    scratch = mujoco.MjData(model)
    scratch.qpos[:] = data.qpos
    mujoco.mj_kinematics(model, scratch)
    mujoco.mj_comPos(model, scratch)
    for link in links:
        mujoco.mj_jacBodyCom(model, scratch, jacobian, None, link)
        sum_of += model.body_mass[link] * (jacobian @ data.qvel)
    return sum_of


@pytest.mark.parametrize("pieces", ["none", 5])
@pytest.mark.parametrize("damping", [0.0, 300.0])
@pytest.mark.parametrize("integrator", [DISCRETE, "implicitfast", "implicit", "Euler"])
@pytest.mark.parametrize("servo", list(SERVOS))
def test_the_force_of_a_hand_changes_the_momentum_of_its_cable(
    servo: str, integrator: str, damping: float, pieces: object
) -> None:
    if servo != "motor" and integrator == "Euler":
        pytest.skip("Euler does not bear such a servo")
    model = hand(servo, integrator, damping, pieces=pieces)
    data = mujoco.MjData(model)
    mass = sum(model.body_mass[b] for b in range(model.nbody) if "link" in model.body(b).name)
    for step in range(150):
        data.ctrl[0] = command(servo, step * STEP)
        before = momentum(model, data)
        mujoco.mj_step(model, data)
        if step % 30 == 29:
            change = (momentum(model, data) - before) / STEP
            expected = change + mass * np.array([0, 0, 9.81])
            found = strand.profile(model, data).start_force
            assert found == pytest.approx(expected, rel=1e-3, abs=1e-4)
