"""Turning a link between the ends of a cable meets the cable's torsion, with default settings."""

import mujoco
import numpy as np
import pytest
from support.touch import UPRIGHT, each_recipe, scene, start, steps

import strand

pytestmark = pytest.mark.slow

EI, GJ, LENGTH, LINKS = 2e-2, 1.6e-2, 1.0, 41
MIDDLE = "cable_link20"


def cable(**fields) -> strand.Cable:
    ends = {"start": "fixed", "end": "fixed"} | fields
    return strand.Cable(strand.straight(LENGTH, LINKS), EI=EI, GJ=GJ, radius=0.005, **ends)


@each_recipe
def test_a_middle_link_that_is_rolled(integrator: str, timestep: float) -> None:
    """The link is welded to a mocap body and rolled by pi: GJ theta / (L / 2) on each side."""
    grip = f'<body name="grip" mocap="true" pos="{LENGTH / 2} 0 0"/>'
    spec = scene(integrator, timestep, grip, "0 0 0")
    strand.attach(spec, cable(loss_time=0.01))
    weld = spec.add_equality(name="weld", type=mujoco.mjtEq.mjEQ_WELD)
    weld.objtype, weld.name1, weld.name2 = mujoco.mjtObj.mjOBJ_BODY, "grip", MIDDLE
    weld.solref[0], weld.solimp[:2], weld.data[10] = 2 * timestep, 0.9999, 10
    model, data = start(spec)
    for k in steps(model, 4.0):
        angle = np.pi * min(1.0, k * timestep / 2.0)
        data.mocap_quat[0] = [np.cos(angle / 2), np.sin(angle / 2), 0, 0]
        mujoco.mj_step(model, data)
    profile = strand.profile(model, data)
    expected = 2 * GJ * np.pi / LENGTH
    assert np.abs(profile.torque) == pytest.approx(expected, rel=0.01)
    assert strand.energy(model, data) == pytest.approx(expected * np.pi, rel=0.01)


@each_recipe
def test_a_mass_on_the_side_of_a_link(integrator: str, timestep: float) -> None:
    """The mass turns the middle by m g a / (4 GJ / L) and does not tip over."""
    spec = scene(integrator, timestep)
    strand.attach(spec, cable(loss_time=0.02))
    arm, mass = 0.03, 0.02
    weight = spec.body(MIDDLE).add_body(pos=[LENGTH / LINKS / 2, arm, 0])
    weight.add_geom(
        type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[0.002, 0, 0], mass=mass, contype=0, conaffinity=0
    )
    model, data = start(spec)
    mujoco.mj_step(model, data, len(steps(model, 6.0)))
    turn = np.arctan2(*data.body(MIDDLE).xmat.reshape(3, 3)[[2, 1], 1])
    expected = -mass * 9.81 * arm / (4 * GJ / LENGTH)
    assert turn == pytest.approx(expected, rel=0.02)


@each_recipe
def test_a_branch_is_supported_by_torsion(integrator: str, timestep: float) -> None:
    """A second cable, welded across the first's middle, twists it instead of drooping freely."""
    spec = scene(integrator, timestep)
    strand.attach(spec, cable(loss_time=0.02))
    branch = strand.Cable(
        strand.straight(0.1, 5), EI=EI, GJ=GJ, radius=0.003, prefix="branch_", start="fixed"
    )
    strand.attach(
        spec, branch, MIDDLE, (LENGTH / LINKS / 2, 0, 0), quat=(np.sqrt(0.5), 0, 0, np.sqrt(0.5))
    )
    model, data = start(spec)
    mujoco.mj_step(model, data, len(steps(model, 6.0)))
    across = data.body(MIDDLE).xmat.reshape(3, 3)[2, 1]
    mass = model.body("branch_link0").subtreemass[0]
    turn = -mass * 9.81 * 0.05 / (4 * GJ / LENGTH)
    assert np.arcsin(across) == pytest.approx(turn, rel=0.05)


@each_recipe
def test_fingers_that_roll_the_cable(integrator: str, timestep: float) -> None:
    """Two plates that move in opposite directions roll the cable and feel its torsion."""
    radius = 0.005
    plates = "".join(
        f"""<body name="{name}" pos="{LENGTH / 2} 0 {side * (radius + 0.004)}">
          <joint name="{name}_slide" type="slide" axis="0 1 0" damping="10"/>
          <joint name="{name}_press" type="slide" axis="0 0 {-side}" damping="5"/>
          <geom type="box" size=".01 .06 .004" mass=".2"/></body>"""
        for name, side in (("upper", 1), ("lower", -1))
    )
    spec = scene(integrator, timestep, plates, "0 0 0", 'cone="elliptic" impratio="20"')
    strand.attach(spec, cable(loss_time=0.01))
    for name in ("upper", "lower"):
        for kind in ("slide", "press"):
            joint = f"{name}_{kind}"
            actuator = spec.add_actuator(
                name=joint, target=joint, trntype=mujoco.mjtTrn.mjTRN_JOINT
            )
            if kind == "slide":
                actuator.set_to_position(kp=3000, kv=50)
    model, data = start(spec)
    way = 0.004  # more would slip: mu N r < 2 GJ theta / L
    for k in steps(model, 3.0):
        data.actuator("upper_press").ctrl = data.actuator("lower_press").ctrl = 10
        moved = way * np.clip((k * timestep - 0.5) / 1.5, 0, 1)
        data.actuator("upper_slide").ctrl, data.actuator("lower_slide").ctrl = moved, -moved
        mujoco.mj_step(model, data)
    travel = (data.joint("upper_slide").qpos[0] - data.joint("lower_slide").qpos[0]) / 2
    torque = 2 * GJ * (travel / radius) / LENGTH
    profile = strand.profile(model, data)
    assert np.abs(profile.torque[[5, 30]]) == pytest.approx(torque, rel=0.03)
    assert np.abs(data.actuator("upper_slide").force[0]) == pytest.approx(torque / radius, rel=0.1)


@each_recipe
def test_a_tendon_on_a_site_turns_the_link(integrator: str, timestep: float) -> None:
    """An external torque on a middle link: theta = tau / (4 GJ / L)."""
    spec = scene(integrator, timestep, gravity="0 0 0")
    strand.attach(spec, cable(loss_time=0.02))
    model, data = start(spec)
    data.body(MIDDLE).xfrc_applied[3] = 0.02
    mujoco.mj_step(model, data, len(steps(model, 6.0)))
    turn = np.arctan2(*data.body(MIDDLE).xmat.reshape(3, 3)[[2, 1], 1])
    assert turn == pytest.approx(0.02 / (4 * GJ / LENGTH), rel=0.01)


@each_recipe
def test_a_hanging_cable_that_is_spun_at_its_free_end(integrator: str, timestep: float) -> None:
    spec = scene(integrator, timestep)
    strand.attach(spec, cable(end="free", loss_time=0.02), pos=(0, 0, 2), quat=UPRIGHT)
    model, data = start(spec)
    data.body(f"cable_link{LINKS - 1}").xfrc_applied[5] = 0.02
    mujoco.mj_step(model, data, len(steps(model, 6.0)))
    assert abs(strand.readout(model, data).twist) == pytest.approx(0.02 * LENGTH / GJ, rel=0.02)
