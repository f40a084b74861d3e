"""Welds that Strand writes: how far they yield, how far they lag, and how they are released."""

import mujoco
import numpy as np
import pytest
from support.engine import HAS_FIRM_CONSTRAINTS, needs_firm_constraints
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
    assert compliance < (1e-6 if integrator == "discrete" else 1e-5)


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


def swinging(integrator: str, timestep: float, kind: str, hand: str, **options) -> mujoco.MjModel:
    """A curved cable that hangs from the hand of an arm."""
    spec = scene(
        integrator,
        timestep,
        f"""<body name="arm" pos="0 0 1"><joint name="arm" axis="0 1 0" damping="2" armature=".1"/>
          <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03" contype="0" conaffinity="0"/>
          <body name="hand" pos=".3 0 0">{hand}</body></body>""",
    )
    arm = spec.add_actuator(target="arm", trntype=mujoco.mjtTrn.mjTRN_JOINT)
    arm.set_to_position(kp=500, kv=20)
    cable = strand.Cable(
        strand.arc(0.5, 1.5, 25),
        start=kind,
        start_to="hand",
        collide=False,
        **({"radius": 0.003} | RUBBER | options),
    )
    strand.attach(spec, cable, "hand", (0.1, 0, 0), UPRIGHT)
    return spec.compile()


def widest(model: mujoco.MjModel, data: mujoco.MjData, seconds: float, angle: float) -> float:
    """How far (m) the hold opens while the arm swings to both sides by the angle (rad)."""
    opening = 0.0
    for _ in steps(model, seconds):
        data.ctrl[0] = angle * np.sin(2 * np.pi * data.time) * min(1, data.time)
        mujoco.mj_step(model, data)
        gap = data.site("cable_node0").xpos - data.site("cable_hold_start").xpos
        opening = max(opening, float(np.linalg.norm(gap)))
    return opening


SOLID = '<geom type="capsule" fromto="0 0 0 .1 0 0" size=".02" contype="0" conaffinity="0"/>'


@needs_firm_constraints
@each_recipe
@pytest.mark.parametrize("kind", ("weld", "pin"))
def test_a_hold_that_swings_hardly_opens(kind: str, integrator: str, timestep: float) -> None:
    model = swinging(integrator, timestep, kind, SOLID)
    data = mujoco.MjData(model)
    # What turns leaves its circle by half its centripetal acceleration in a step (softness.h).
    assert widest(model, data, 4.0, 0.4) < 60 * timestep**2


@needs_firm_constraints
@each_recipe
@pytest.mark.parametrize("damping", (0.0, 0.1, 1.0, 10.0))
def test_a_light_hand_with_a_damped_wrist(damping: float, integrator: str, timestep: float) -> None:
    """Only `discrete` solves constraints with that damping: to others the hand seems free."""
    hand = f"""<joint axis="0 0 1" damping="{damping}"/>
        <geom type="box" size=".1 .01 .005" mass=".005" contype="0" conaffinity="0"/>"""
    model = swinging(integrator, timestep, "pin", hand, radius=0.008)
    data = mujoco.MjData(model)
    assert widest(model, data, 4.0, 0.3) < 150 * timestep**2


def test_a_hold_that_starts_open_is_named(engine_warnings: list[str]) -> None:
    wrist = '<joint name="wrist" axis="0 0 1"/>' + SOLID
    model = swinging("implicitfast", 0.001, "weld", wrist)
    data = mujoco.MjData(model)
    for shift, named in ((0.005, False), (0.03, True)):
        mujoco.mj_resetData(model, data)
        data.joint("wrist").qpos = shift / 0.1
        mujoco.mj_forward(model, data)
        assert engine_warnings == []
        mujoco.mj_step(model, data)
        if not named or not HAS_FIRM_CONSTRAINTS:
            assert engine_warnings == []
            continue
        (text,) = engine_warnings
        engine_warnings.clear()
        assert text.startswith("cable 'cable_rod': equality 'cable_hold_start' starts open by ")
        assert 28 < float(text.split("open by ")[1].split()[0]) < 30.1
        assert "strand.batch.meet(model, data)" in text
