"""Inverse kinematics: poses that arms have had are found again, within the limits."""

import functools

import mujoco
import numpy as np
import pytest
from support.bad_arguments import BAD, expect_no_foreign_error

import strand
from strand import StrandError, robots

pytest.importorskip("mink")

PLANAR = """
<mujoco>
  <compiler angle="radian"/>
  <worldbody>
    <body name="upper"><joint name="shoulder" axis="0 0 1" range="-1 1"/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".01"/>
      <body name="fore" pos=".3 0 0"><joint name="elbow" axis="0 0 1" range="0 3"/>
        <geom type="capsule" fromto="0 0 0 .2 0 0" size=".01"/>
        <site name="tip" pos=".2 0 0"/>
      </body>
    </body>
    <body name="ball" pos="0 1 0"><freejoint/><geom size=".1"/></body>
  </worldbody>
</mujoco>
"""


@pytest.fixture(scope="module")
def arm() -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_path(str(robots.VS060))


def pose_of(model: mujoco.MjModel, site: str, qpos: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    data = mujoco.MjData(model)
    data.qpos[:] = qpos
    mujoco.mj_kinematics(model, data)
    quat = np.empty(4)
    mujoco.mju_mat2Quat(quat, data.site(site).xmat)
    return data.site(site).xpos.copy(), quat


def test_random_poses_are_reached_within_the_limits(arm: mujoco.MjModel) -> None:
    random = np.random.default_rng(5)
    for _ in range(60):
        pos, quat = pose_of(arm, "grip", random.uniform(*arm.jnt_range.T))
        found = robots.reach(arm, "grip", pos, quat)
        there, turned = pose_of(arm, "grip", found.qpos)
        assert np.linalg.norm(there - pos) < 1e-6
        assert abs(turned @ quat) == pytest.approx(1, abs=1e-9)
        assert (found.qpos >= arm.jnt_range[:, 0]).all()
        assert (found.qpos <= arm.jnt_range[:, 1]).all()


def test_two_links_in_the_plane_as_the_law_of_cosines_says() -> None:
    model = mujoco.MjModel.from_xml_string(PLANAR)
    elbow = np.arccos((0.4**2 - 0.3**2 - 0.2**2) / (2 * 0.3 * 0.2))
    shoulder = np.pi / 6 - np.arctan2(0.2 * np.sin(elbow), 0.3 + 0.2 * np.cos(elbow))
    found = robots.reach(model, "tip", 0.4 * np.array([np.cos(np.pi / 6), 0.5, 0]))
    assert found.joints == ("shoulder", "elbow")
    assert found.angles == pytest.approx([shoulder, elbow], abs=1e-8)
    assert found.qpos[2:] == pytest.approx(model.qpos0[2:])  # the ball stays


def test_a_limit_is_kept_and_named() -> None:
    """Beyond its range the nearest point is that of the shoulder at its limit."""
    model = mujoco.MjModel.from_xml_string(PLANAR)
    with pytest.raises(StrandError, match=r"mm away, with shoulder at a limit"):
        robots.reach(model, "tip", (0, 0.5, 0), joints=["shoulder"])


def test_the_distance_to_a_pose_out_of_reach_is_named() -> None:
    model = mujoco.MjModel.from_xml_string(PLANAR)
    with pytest.raises(StrandError, match="nearest one found is 100 mm away"):
        robots.reach(model, "tip", (0.6, 0, 0))
    with pytest.raises(StrandError, match=r"250 mm away"):
        robots.reach(model, "tip", (0.5, 0, 0.25))


def test_an_orientation_out_of_reach_is_named() -> None:
    model = mujoco.MjModel.from_xml_string(PLANAR)
    with pytest.raises(StrandError, match="degrees away"):
        robots.reach(model, "tip", (0.4, 0, 0), (0, 1, 0, 0))


def test_the_start_decides_between_solutions(arm: mujoco.MjModel) -> None:
    ready = arm.key("ready").qpos
    pos, quat = pose_of(arm, "grip", ready)
    near = robots.reach(arm, "grip", np.add(pos, (0.01, 0, 0)), quat, start=ready, attempts=1)
    assert np.abs(near.qpos - ready).max() < 0.1


def test_an_arm_in_a_scene_with_a_cable_is_solved_alone(arm: mujoco.MjModel) -> None:
    spec = mujoco.MjSpec.from_file(str(robots.VS060))
    cable = strand.Cable(strand.straight(0.4, 30), EI=1e-3, GJ=1e-3, radius=0.003, start="fixed")
    strand.attach(spec, cable, "hand")
    scene = spec.compile()
    goal = (0.4, 0.1, 0.4), (1, 0, 0, 0)
    alone, together = robots.reach(arm, "grip", *goal), robots.reach(scene, "grip", *goal)
    assert together.angles == pytest.approx(alone.angles, abs=1e-9)
    assert together.qpos[6:] == pytest.approx(scene.qpos0[6:])


@pytest.mark.parametrize("field", ["site", "pos", "quat", "start", "joints"])
def test_bad_arguments_are_named(arm: mujoco.MjModel, field: str) -> None:
    good = {"site": "grip", "pos": (0.4, 0, 0.4)}
    for bad in BAD:
        given = good | {field: bad, "attempts": 1}
        expect_no_foreign_error(functools.partial(robots.reach, arm, **given))


def test_errors_name_what_is_allowed(arm: mujoco.MjModel) -> None:
    for change, words in (
        ({"site": "hand"}, "site: got 'hand', allowed: grip"),
        ({"joints": ["j9"]}, "joints: got 'j9', allowed: j1, j2, j3, j4, j5, j6"),
        ({"start": [0, 0]}, "start: got an array of shape"),
        ({"quat": (0, 0, 0, 0)}, "quat: got"),
        ({"attempts": 0}, "attempts: got 0"),
    ):
        with pytest.raises(StrandError) as error:
            robots.reach(arm, **{"site": "grip", "pos": (0.4, 0, 0.4)} | change)
        assert words in str(error.value)
