"""Cables in scenes whose integrator is RK4, as in many scenes for learning."""

import mujoco
import numpy as np
import pytest
from support.engine import needs_quadratic_damping
from support.touch import FLOOR, scene, start, steps

import strand
from strand import Cable

pytestmark = needs_quadratic_damping  # without it, nothing keeps cables from whipping with RK4
LENGTH, LINKS, RADIUS, DENSITY = 0.5, 20, 4e-3, 1200.0  # m, 1, m, kg/m^3


def attached(
    timestep: float, world: str = "", gravity: str = "0 0 -9.81", **options: object
) -> tuple[mujoco.MjModel, mujoco.MjData]:
    spec = scene("RK4", timestep, world, gravity)
    given = dict(radius=RADIUS, density=DENSITY, pos=(0, 0, 0.6), start="fixed") | options
    recipe = strand.attach(spec, Cable(strand.straight(LENGTH, LINKS), **given))
    assert recipe.integrator == "RK4"
    return start(spec)


@pytest.mark.parametrize("timestep", [0.002, 0.0005])
@pytest.mark.parametrize("EI", [1e-4, 2e-3, 1e-1, 10.0])
def test_a_cable_that_swings_and_falls_is_stable(EI: float, timestep: float) -> None:
    model, data = attached(timestep, FLOOR, EI=EI, GJ=EI)
    for _ in steps(model, 2.0):
        mujoco.mj_step(model, data)
    assert not data.warning.number.any()
    assert np.abs(data.qvel).max() < 60


@pytest.mark.parametrize("EI", [2e-3, 1e-1])
def test_a_cantilever_vibrates_at_its_frequency(EI: float) -> None:
    """Released bent by a small force; the first mode of a clamped beam, which RK4 resolves."""
    model, data = attached(0.002, gravity="0 0 0", EI=EI, GJ=EI)
    tip, mass = model.nbody - 1, DENSITY * np.pi * RADIUS**2  # kg/m
    data.xfrc_applied[tip, 2] = 0.02 * EI / LENGTH**2
    model.dof_damping[:] += 1e-2 * np.sqrt(EI * mass) * LENGTH
    for _ in steps(model, 4.0):
        mujoco.mj_step(model, data)
    data.xfrc_applied[:] = 0
    model.dof_damping[:] = 0
    data.qvel[:] = 0
    heights = []
    for _ in steps(model, 4.0):
        mujoco.mj_step(model, data)
        heights.append(data.xpos[tip, 2] - 0.6)
    crossings = np.flatnonzero(np.diff(np.signbit(heights)))
    period = 2 * model.opt.timestep * (crossings[-1] - crossings[0]) / (len(crossings) - 1)
    omega = 1.8751**2 * np.sqrt(EI / (mass * LENGTH**4))
    assert 2 * np.pi / period == pytest.approx(omega, rel=0.01)


def test_the_step_changes_a_fall_little() -> None:
    ends = []
    for timestep in (0.002, 0.001, 0.0005):
        model, data = attached(timestep, EI=2e-3, GJ=2e-3)
        for _ in steps(model, 1.0):
            mujoco.mj_step(model, data)
        mujoco.mj_kinematics(model, data)
        ends.append(strand.profile(model, data).nodes[-1])
    errors = [np.linalg.norm(end - ends[-1]) for end in ends[:-1]]
    assert errors[0] < 0.01 * LENGTH
    assert errors[1] < 0.5 * errors[0]


@pytest.mark.parametrize("young", [1e7, 1e9])  # Pa
@pytest.mark.parametrize("links", [20, 40])
def test_two_hands_hold_a_cable(young: float, links: int) -> None:
    spec, length = scene("RK4", 0.002), 0.8
    options = dict(young=young, poisson=0.35, density=DENSITY, radius=3e-3)
    cable = Cable(strand.straight(length, links), start="mocap", end="mocap", **options)
    strand.attach(spec, cable, pos=(0, 0, 1))
    model, data = start(spec)
    hand = model.body("cable_end").mocapid[0]
    for _ in steps(model, 1.5):
        reach = min(1.0, data.time)  # then the ends, which lag behind, catch up
        data.mocap_pos[hand] = [length * (1 - 0.3 * reach), 0.1 * length * reach, 1]
        mujoco.mj_step(model, data)
    assert not data.warning.number.any()
    mujoco.mj_kinematics(model, data)
    ends = strand.profile(model, data).nodes[[0, -1]]
    np.testing.assert_allclose(ends, [[0, 0, 1], data.mocap_pos[hand]], rtol=0, atol=2e-4)
