"""The energy of a model with cables."""

import mujoco
import numpy as np
import pytest

import strand

RUBBER = {"radius": 0.005, "young": 5e6, "poisson": 0.4, "density": 1100.0}
SPRING = """<body name="pendulum" pos="0 1 1"><joint axis="0 1 0" stiffness=".3" springref="20"/>
  <geom type="capsule" fromto="0 0 0 .2 0 0" size=".01"/></body>"""
CABLES = {
    "straight": strand.Cable(strand.straight(0.5, 20), start="fixed", **RUBBER),
    "curved": strand.Cable(strand.arc(0.5, 2.0, 20), start="fixed", **RUBBER),
    "clamped": strand.Cable(strand.arc(0.5, 2.0, 20), start="mocap", rest="straight", **RUBBER),
    "flat": strand.Cable(
        strand.straight(0.5, 20),
        start="fixed",
        **({k: v for k, v in RUBBER.items() if k != "radius"}),
        section="box",
        width=0.01,
        height=0.003,
    ),
    "branched": strand.Cable(
        strand.straight(0.5, 20),
        start="fixed",
        branches=[
            strand.Branch(strand.Cable(strand.straight(0.3, 12), **RUBBER), "a", 0.2, angle=1)
        ],
        **RUBBER,
    ),
}


def swung(cable: strand.Cable) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """A model with a cable and a body of its own on a spring, after a while."""
    spec = mujoco.MjSpec.from_string(f"<mujoco><worldbody>{SPRING}</worldbody></mujoco>")
    strand.attach(spec, cable, pos=(0, 0, 1))
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 100)
    mujoco.mj_forward(model, data)
    return model, data


@pytest.mark.parametrize("kind", CABLES)
def test_mechanical_energy_is_the_sum_of_its_parts(kind: str) -> None:
    model, data = swung(CABLES[kind])
    before = data.energy.copy()
    found = strand.mechanical_energy(model, data)
    assert (data.energy == before).all()
    motion = 0.5 * model.dof_armature @ data.qvel**2
    for body in range(1, model.nbody):
        velocity = np.zeros(6)  # of the centre of mass, in principal axes
        mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_BODY, body, velocity, 1)
        motion += 0.5 * model.body_inertia[body] @ velocity[:3] ** 2
        motion += 0.5 * model.body_mass[body] * velocity[3:] @ velocity[3:]
    height = -model.body_mass @ (data.xipos @ model.opt.gravity)
    spring = 0.5 * 0.3 * (data.joint(0).qpos[0] - np.radians(20)) ** 2
    parts = motion + height + spring + strand.energy(model, data)
    assert found == pytest.approx(parts, rel=1e-9)


def test_it_never_grows_while_a_cable_swings() -> None:
    cable = strand.Cable(strand.straight(0.5, 20), start="fixed", pieces="none", **RUBBER)
    spec = mujoco.MjSpec.from_string('<mujoco><option timestep=".0005"/><worldbody/></mujoco>')
    strand.attach(spec, cable, pos=(0, 0, 1))
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    energies = [strand.mechanical_energy(model, data)]
    for _ in range(20):
        mujoco.mj_step(model, data, 50)
        mujoco.mj_forward(model, data)
        energies.append(strand.mechanical_energy(model, data))
        assert energies[-1] < energies[0] * (1 + 1e-4)
    assert energies[-1] > 0.97 * energies[0]


def test_a_model_without_cables_is_refused() -> None:
    model = mujoco.MjModel.from_xml_string("<mujoco/>")
    with pytest.raises(strand.StrandError, match="without a cable"):
        strand.mechanical_energy(model, mujoco.MjData(model))
