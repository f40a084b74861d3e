"""Robots that grow at the tip, in MuJoCo: deployed skin does not move, mass follows the length."""

import dataclasses

import mujoco
import numpy as np
import pytest
from support.engine import DISCRETE, needs_discrete

from strand import vine
from strand.vine.mjcf import VineController, VineRobot, attach

SEGMENT, COUNT = 0.015, 40
MATERIAL = vine.Material(EI=0.01, bending_damping=2e-4, mass_per_length=0.1)
CHAIN = vine.uniform_chain(MATERIAL, SEGMENT * COUNT, COUNT)
DISC = vine.circle((0.33, 0.025), 0.06)
ROBOT = VineRobot.from_chain(CHAIN, growth="tip", start_length=0.2)


def load(robot: VineRobot):
    model = mujoco.MjModel.from_xml_string(robot.to_mjcf())
    data = mujoco.MjData(model)
    return model, data, VineController(model, data)


def ends(model, data) -> np.ndarray:
    """Distal ends of all segments (n, 3), m."""
    mujoco.mj_kinematics(model, data)
    return data.xpos[[model.body(f"vine_segment{k}").id for k in range(COUNT)]].copy()


@pytest.mark.parametrize("integrator", [DISCRETE, "Euler"])
@pytest.mark.parametrize("curl", [0.0, 0.05])
def test_deployed_skin_does_not_move(integrator: str, curl: float) -> None:
    robot = dataclasses.replace(ROBOT, integrator=integrator, natural_angle=curl)
    model, data, controller = load(robot)
    controller.set_growth(0.1)
    before = ends(model, data)
    deployed = int(0.2 / SEGMENT)
    moved = error = 0.0
    for _ in range(1700):
        controller.step()
        now = ends(model, data)
        moved = max(moved, np.linalg.norm(now - before, axis=1)[:deployed].max())
        error = max(error, abs(controller.length - controller.commanded_length))
    assert error < 1e-5
    assert controller.length == pytest.approx(0.2 + 0.34, abs=1e-5)
    # When curled, the sudden start of the tip (0.1 m/s) makes the robot swing a little.
    assert moved < (1e-5 if curl == 0 else 1e-3)
    assert np.ptp(now[-3:], axis=0).max() < 1e-6  # collapsed at the tip
    settled = controller.angles[: int(controller.length / SEGMENT)]
    np.testing.assert_allclose(settled, curl, atol=2e-3)


def test_the_mass_is_that_of_the_deployed_length() -> None:
    model, data, controller = load(ROBOT)
    base = model.body("vine_base").id
    spare = 0.1 * SEGMENT * COUNT * 1e-3
    for rate in (0.1, -0.15):
        controller.set_growth(rate)
        controller.step(700)
        assert model.body_mass.sum() == pytest.approx(0.1 * controller.length, abs=1.1 * spare)
        assert model.body_subtreemass[base] == pytest.approx(model.body_mass.sum())
    mujoco.mj_forward(model, data)
    assert data.subtree_com[base, 0] == pytest.approx(controller.length / 2, rel=0.01)


def test_it_stops_at_both_ends_and_grows_again() -> None:
    _, data, controller = load(dataclasses.replace(ROBOT, natural_angle=0.02))
    controller.set_growth(1.0)
    controller.step(500)
    assert controller.at_limit
    assert controller.length == pytest.approx(SEGMENT * COUNT, abs=1e-5)
    controller.retract(1.0)
    controller.step(400)
    assert controller.at_limit and controller.length == pytest.approx(0, abs=1e-5)
    controller.set_growth(0.5)
    controller.step(500)
    assert controller.length == pytest.approx(0.5, abs=1e-4)
    assert np.isfinite(data.qpos).all() and not sum(item.number for item in data.warning)


@pytest.mark.parametrize("shape", ["sphere", "capsule"])
def test_it_bends_around_an_obstacle_and_retracts(shape: str) -> None:
    robot = dataclasses.replace(ROBOT, shape=shape, obstacles=[DISC])
    model, data, controller = load(robot)
    controller.set_growth(0.1)
    depth = 0.0
    for _ in range(1700):
        controller.step()
        depth = min(depth, data.contact.dist.min(initial=0.0))
    assert data.ncon > 0 and depth > -0.5e-3
    points = ends(model, data)
    distance = np.hypot(points[:, 0] - 0.33, points[:, 1] - 0.025)
    assert distance.min() > 0.06 + 0.012 - 0.5e-3
    assert points[-1, 1] < -0.05
    controller.retract(0.2)
    controller.step(1750)
    assert controller.length == pytest.approx(0, abs=1e-3) or controller.at_limit


@needs_discrete
@pytest.mark.parametrize(("shape", "segments"), [("sphere", False), ("capsule", True)])
def test_it_moves_like_the_exact_solution(shape: str, segments: bool) -> None:
    """Growing past the disc and back: the mean difference of the tip is 0.02 mm. The exact solver
    splits and merges pairs where segments are deployed and collapse here."""
    dt, rate = 0.002, 0.1
    chain = vine.uniform_chain(MATERIAL, 13 * SEGMENT, 13, capacity=COUNT)
    tip = {"growth": "tip", "material": MATERIAL, "segment": SEGMENT}
    exact = vine.Robot(chain, [DISC], dt=dt, segment_contact=segments, **tip)
    robot = dataclasses.replace(ROBOT, start_length=13 * SEGMENT, obstacles=[DISC], shape=shape)
    model, data, controller = load(robot)
    away = []
    for speed, steps in ((rate, 1725), (-rate, 1000)):
        controller.set_growth(speed)
        for _ in range(steps):
            assert exact.step(speed).ok
            controller.step()
            mujoco.mj_kinematics(model, data)
            away.append(np.linalg.norm(controller.tip[:2] - exact.tip))
    assert exact.length == pytest.approx(controller.length, abs=1e-6)
    assert np.mean(away) < 0.05e-3 and np.max(away) < 1.5e-3


def test_capsules_touch_only_objects_within_reach() -> None:
    """Geoms grow and shrink with their segments, including their broad-phase boxes."""
    model, _, controller = load(dataclasses.replace(ROBOT, shape="capsule"))
    controller.set_growth(0.1)
    controller.step(40)
    last = int(controller.length / SEGMENT)
    assert model.geom(f"vine_outer{last}").size[1] == pytest.approx(
        (controller.length - last * SEGMENT) / 2, abs=1e-5
    )
    assert model.geom(f"vine_outer{last}").contype[0] == 2
    assert model.geom(f"vine_outer{last + 1}").contype[0] == 0


def test_steering_turns_segments_that_grow_later() -> None:
    _, _, controller = load(dataclasses.replace(ROBOT, start_length=None))
    controller.steer(np.where(np.arange(COUNT) < 20, 0.0, 0.1))
    controller.set_growth(0.2)
    controller.step(1400)
    np.testing.assert_allclose(controller.angles[:20], 0, atol=0.01)
    np.testing.assert_allclose(controller.angles[20:35], 0.1, atol=0.01)


def test_attached_to_a_moving_body() -> None:
    spec = mujoco.MjSpec.from_string(
        '<mujoco><option gravity="0 0 0"/><worldbody><body name="cart"><joint name="rail" '
        'type="slide" axis="1 0 0"/><geom size="0.05" mass="10"/></body></worldbody></mujoco>'
    )
    attach(spec, ROBOT, "cart", pos=(0.1, 0, 0))
    model = spec.compile()
    data = mujoco.MjData(model)
    controller = VineController(model, data)
    data.joint("rail").qvel = 0.1
    controller.set_growth(0.1)
    controller.step(1000)
    mujoco.mj_kinematics(model, data)
    rail = data.joint("rail").qpos[0]
    assert controller.tip[0] == pytest.approx(rail + 0.1 + 0.4, abs=1e-4)
    assert model.body_subtreemass[model.body("cart").id] == pytest.approx(10 + 0.04, abs=1e-3)
