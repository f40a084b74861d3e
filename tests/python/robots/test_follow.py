"""Motions along straight lines within the joints' speeds."""

import itertools

import mujoco
import numpy as np
import pytest

from strand import StrandError, robots

pytest.importorskip("mink")

PATH = [(0.45, 0.0, 0.3), (0.45, 0.15, 0.4)]


@pytest.fixture(scope="module")
def arm() -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_path(str(robots.VS060))


@pytest.fixture(scope="module")
def motion(arm: mujoco.MjModel) -> robots.Motion:
    return robots.follow(arm, "grip", PATH, start=arm.key("ready").qpos)


def grips(arm: mujoco.MjModel, motion: robots.Motion) -> tuple[np.ndarray, np.ndarray]:
    data, places, turns = mujoco.MjData(arm), [], []
    for angles in motion.angles:
        data.qpos[:] = angles
        mujoco.mj_kinematics(arm, data)
        places.append(data.site("grip").xpos.copy())
        turns.append(data.site("grip").xmat.copy())
    return np.array(places), np.array(turns)


def test_no_joint_is_faster_than_its_speed(arm: mujoco.MjModel, motion: robots.Motion) -> None:
    speeds = np.abs(np.diff(motion.angles, axis=0)) / np.diff(motion.times)[:, None]
    share = (speeds / arm.jnt_user[:, 0]).max()
    assert 0.9 < share <= 1 + 1e-9
    assert speeds[0].max() < 0.02 * speeds.max()  # it starts and stops smoothly
    assert speeds[-1].max() < 0.02 * speeds.max()


def test_the_hand_keeps_to_the_lines(arm: mujoco.MjModel, motion: robots.Motion) -> None:
    """Between waypoints, 10 mm apart, it leaves them by .1 mm at most."""
    places, turns = grips(arm, motion)
    corners = np.vstack([places[0], PATH])
    off = np.min([from_segment(places, *ends) for ends in itertools.pairwise(corners)], axis=0)
    assert off.max() < 1e-4
    assert places[-1] == pytest.approx(PATH[-1], abs=1e-6)
    assert np.abs(turns - turns[0]).max() < 1e-3
    assert motion.at(1e9) == pytest.approx(motion.angles[-1])
    assert motion.qpos == pytest.approx(motion.angles[-1])


def from_segment(points: np.ndarray, begin: np.ndarray, end: np.ndarray) -> np.ndarray:
    along = np.clip((points - begin) @ (end - begin) / np.sum((end - begin) ** 2), 0, 1)
    return np.linalg.norm(points - begin - np.outer(along, end - begin), axis=1)


def test_half_the_speed_takes_twice_the_time(arm: mujoco.MjModel, motion: robots.Motion) -> None:
    options = {"start": arm.key("ready").qpos}
    slow = robots.follow(arm, "grip", PATH, speeds=arm.jnt_user[:, 0] / 2, **options)
    assert slow.duration == pytest.approx(2 * motion.duration)
    longer = robots.follow(arm, "grip", PATH, seconds=3.0, **options)
    assert longer.duration == pytest.approx(3.0)


def test_servos_follow_the_motion(arm: mujoco.MjModel) -> None:
    """The simulated arm comes to the pose, .02 mm off (its weight is compensated)."""
    motion = robots.follow(arm, "grip", PATH, start=arm.key("ready").qpos, seconds=1.0)
    data = mujoco.MjData(arm)
    mujoco.mj_resetDataKeyframe(arm, data, 0)
    while data.time < motion.duration + 1.0:
        data.ctrl[:] = motion.at(data.time)
        mujoco.mj_step(arm, data)
    assert np.linalg.norm(data.site("grip").xpos - PATH[-1]) < 2e-5
    assert data.warning.number.sum() == 0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"pos": [(0.45, 0, 0.3), (2, 0, 0.3)]}, "waypoint"),
        ({"pos": [(0.45, 0)]}, "pos: got shape"),
        ({"pos": np.zeros((0, 3))}, "pos: got shape"),
        ({"quat": [(1, 0, 0, 0)] * 3}, "each of the 2 poses"),
        ({"speeds": -1}, "speeds: got -1"),
        ({"speeds": [1, 2]}, "speeds: got [1, 2], allowed: one number > 0 (rad/s or m/s) or 6"),
        ({"seconds": 0.01}, "seconds: got 0.01, allowed: 0."),
        ({"spacing": 0}, "spacing: got 0"),
        ({"start": [9, 0, 0, 0, 0, 0]}, "start: got j1 = 9, allowed: -2.96706 to 2.96706"),
    ],
)
def test_errors_name_what_is_allowed(arm: mujoco.MjModel, change: dict, words: str) -> None:
    with pytest.raises(StrandError) as error:
        robots.follow(arm, "grip", **{"pos": PATH, "start": arm.key("ready").qpos} | change)
    assert words in str(error.value)


def test_an_arm_without_speeds_needs_them() -> None:
    spec = mujoco.MjSpec.from_file(str(robots.VS060))
    for joint in spec.joints:
        joint.userdata = [0.0]
    with pytest.raises(StrandError, match="attribute user"):
        robots.follow(spec.compile(), "grip", PATH)
