"""Welds that Strand writes: how far they yield, how far they lag, and how they are released."""

import mujoco
import numpy as np
import pytest
from support.touch import RUBBER, UPRIGHT, each_recipe, push, scene, start, steps

import strand


@each_recipe
@pytest.mark.parametrize("radius", (0.003, 0.006))
def test_a_weld_hardly_yields(integrator: str, timestep: float, radius: float) -> None:
    spec = scene(integrator, timestep, '<body name="hand" pos="0 0 1"/>')
    cable = strand.Cable(
        strand.straight(1.0, 40),
        radius=radius,
        start="weld",
        start_to="hand",
        max_tension=50,
        **RUBBER,
    )
    strand.attach(spec, cable, pos=(0, 0, 1), quat=UPRIGHT)
    model, data = start(spec)
    gaps, mean = [], 0.0
    for force in (0.0, 20.0):
        for _ in steps(model, 0.5):
            push(model, data, "cable_site_end", "cable_link39", np.array([0, 0, -force]))
            mujoco.mj_step(model, data)
            gap = data.site("cable_clamp_start").xpos[2] - data.site("cable_hold_start").xpos[2]
            mean = 0.99 * mean + 0.01 * gap
        gaps.append(mean)
    compliance = abs(gaps[1] - gaps[0]) / 20
    assert compliance < (1.3e-6 if integrator == "discrete" else 1e-5)


@each_recipe
def test_mocap_ends_follow(integrator: str, timestep: float) -> None:
    cable = strand.Cable(
        strand.straight(1.0, 40),
        radius=0.003,
        start="mocap",
        integrator=integrator,
        timestep=timestep,
        **RUBBER,
    )
    model = mujoco.MjModel.from_xml_string(cable.to_mjcf())
    data = mujoco.MjData(model)
    lag = 0.0
    for _ in steps(model, 0.5):
        data.mocap_pos[0, 1] += 0.3 * timestep
        mujoco.mj_step(model, data)
        gap = data.site("cable_clamp_start").xpos - data.site("cable_hold_start").xpos
        lag = max(lag, float(np.linalg.norm(gap)))
    assert lag < 1e-3


@each_recipe
def test_an_end_is_released_by_its_name(integrator: str, timestep: float) -> None:
    spec = scene(integrator, timestep, '<body name="hand" pos="0 0 1"/>')
    ends = {"start": "weld", "start_to": "hand", "end": "mocap"}
    strand.attach(spec, strand.Cable(strand.straight(0.5, 20), radius=0.004, **RUBBER, **ends))
    model, data = start(spec)
    mujoco.mj_step(model, data, 20)
    for side in ("start", "end"):
        data.eq_active[model.equality(f"cable_hold_{side}").id] = 0
    height = data.site("cable_node10").xpos[2]
    seconds = 0.3
    for _ in steps(model, seconds):
        mujoco.mj_step(model, data)
    assert data.subtree_com[model.body("cable_link10").rootid[0], 2] < height - 0.35
