"""The old plugin name and torque law compared with MuJoCo 3.17 (see make_expectations.py)."""

import itertools
import json
from pathlib import Path

import mujoco
import numpy as np
import pytest
from typer.testing import CliRunner

import strand
from strand import StrandError
from strand.cli import app
from strand.legacy import convert

FOLDER = Path(__file__).parents[2] / "data" / "legacy" / "expanded"
NAMES = sorted(path.stem for path in FOLDER.glob("*.xml"))
# Several chains in one instance: the old plugin applied a spurious moment between them.
SHARED = "shared_instance"
ALONE = [name for name in NAMES if name != SHARED]

# MuJoCo 3 has a plugin of this name, without the key `law`.
dropped = pytest.mark.skipif(mujoco.mj_versionString() < "4", reason="MuJoCo 3 has its own plugin")


def load(name: str) -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_path(str(FOLDER / f"{name}.xml"))


def with_law(name: str, law: str) -> str:
    """The expanded model with the key `law`."""
    text = (FOLDER / f"{name}.xml").read_text()
    return text.replace("</instance>", f'<config key="law" value="{law}"/></instance>')


def passive(model: mujoco.MjModel, qpos: list[float]) -> np.ndarray:
    data = mujoco.MjData(model)
    data.qpos[:] = qpos
    mujoco.mj_forward(model, data)
    return data.qfrc_passive.copy()


def gap(name: str, model: mujoco.MjModel) -> float:
    """Largest difference from MuJoCo 3.17's forces, relative to the largest force of each pose."""
    poses = json.loads((FOLDER / f"{name}.json").read_text())
    gaps = [0.0]
    for pose in poses:
        old, new = np.array(pose["passive"]), passive(model, pose["qpos"])
        gaps.append(np.abs(new - old).max() / (np.abs(old).max() or 1.0))
    return max(gaps)


def test_there_are_enough() -> None:
    assert len(NAMES) > 10 and SHARED in NAMES
    assert sum((FOLDER / f"{name}.json").exists() for name in NAMES) == len(NAMES)


@pytest.mark.parametrize("name", ALONE)
def test_expanded_models_load_unchanged_with_the_old_forces(name: str) -> None:
    model = load(name)
    assert model.nplugin > 0
    assert gap(name, model) < 1e-10


@pytest.mark.parametrize("name", ALONE)
def test_converted_with_the_old_law_they_have_the_old_forces(name: str) -> None:
    path = FOLDER / f"{name}.xml"
    if name != "single_link":
        assert b"mujoco_3" in convert(path, law="old").text
    # Links are equal in single precision: one stiffness for all joints.
    assert gap(name, strand.load_model(path, law="old")) < 1e-6


@dropped
def test_chains_that_share_an_instance_are_independent() -> None:
    model = load(SHARED)
    assert np.abs(passive(model, model.qpos0)).max() == 0
    joints = json.loads((FOLDER / f"{SHARED}.json").read_text())[1]["qpos"]
    assert np.abs(passive(model, joints)).max() > 1e-3


@dropped
@pytest.mark.parametrize("name", ALONE)
def test_the_old_name_can_use_strands_law(name: str) -> None:
    old_name = mujoco.MjModel.from_xml_string(with_law(name, "strand"))
    converted = strand.load_model(FOLDER / f"{name}.xml")
    for pose in json.loads((FOLDER / f"{name}.json").read_text()):
        expected = passive(converted, pose["qpos"])
        found = passive(old_name, pose["qpos"])
        # The converter takes the torsion of a box from the old formula, and links of a chain as
        # equal.
        assert np.abs(found - expected).max() <= 1e-6 * np.abs(expected).max()


@dropped
def test_strands_law_differs_for_cables_bent_at_rest() -> None:
    model = mujoco.MjModel.from_xml_string(with_law("soft_arc_8", "strand"))
    assert gap("soft_arc_8", mujoco.MjModel.from_xml_string(with_law("soft_arc_8", "mujoco_3"))) < (
        1e-10
    )
    assert gap("soft_arc_8", model) > 0.01


@dropped
def test_with_strands_law_the_old_name_converts_to_it(tmp_path: Path) -> None:
    path = tmp_path / "old.xml"
    path.write_text(with_law("soft_arc_8", "mujoco_3"))
    assert gap("soft_arc_8", strand.load_model(path)) < 1e-6  # the model's own key takes precedence
    path.write_text(with_law("soft_arc_8", "strand"))
    assert b"mujoco_3" not in convert(path, law="old").text


def chain(keys: str, plugin: str = "strand.cable", quat: str = "1 0 0 0", beside: str = "") -> str:
    """Five links, clamped at the first; `beside` is attached to the second, before the third."""
    bodies = ""
    for k in range(5):
        place = f'pos="{0.05 if k else 0} 0 0" quat="{quat}"'
        joint = '<joint type="ball"/>' if k else ""
        bodies += f'<body {place}>{joint}<geom type="box" pos=".025 0 0" size=".025 .004 .006"/>'
        bodies += '<plugin instance="rope"/>' + (beside if k == 1 else "")
    return (
        f'<mujoco><extension><plugin plugin="{plugin}"><instance name="rope">{keys}</instance>'
        f"</plugin></extension><worldbody>{bodies}{'</body>' * 5}</worldbody></mujoco>"
    )


def config(**keys: str) -> str:
    return "".join(f'<config key="{key}" value="{value}"/>' for key, value in keys.items())


MODULI = config(bend="5e6", twist="2e6")
OLD = "mujoco.elasticity.cable"


def test_for_straight_cables_the_laws_differ_by_the_angle_squared() -> None:
    text = chain(config(EI="0.02", GJ="0.01", twist="dynamic"))
    strands = mujoco.MjModel.from_xml_string(text)
    olds = mujoco.MjModel.from_xml_string(
        text.replace("</instance>", config(law="mujoco_3") + "</instance>")
    )
    turn = np.random.default_rng(0).normal(size=strands.nv)
    gaps = []
    for step in (1e-2, 5e-3, 2.5e-3):
        qpos = strands.qpos0.copy()
        mujoco.mj_integratePos(strands, qpos, step * turn, 1.0)
        force = passive(strands, qpos)
        gaps.append(np.abs(passive(olds, qpos) - force).max() / np.abs(force).max())
    assert gaps[0] < 0.02
    for coarse, fine in itertools.pairwise(gaps):
        assert coarse / fine == pytest.approx(2, rel=0.05)


@dropped
def test_bodies_attached_to_a_link_change_nothing() -> None:
    # MuJoCo 3 required consecutive bodies.
    hung = '<body><joint type="ball"/><geom size=".01"/></body>'
    alone = mujoco.MjModel.from_xml_string(chain(MODULI, OLD, ".99 .1 0 .1"))
    model = mujoco.MjModel.from_xml_string(chain(MODULI, OLD, ".99 .1 0 .1", hung))
    qpos = alone.qpos0.copy()
    turn = np.random.default_rng(0).normal(size=alone.nv)
    mujoco.mj_integratePos(alone, qpos, turn, 1.0)
    force = passive(model, np.concatenate([qpos[:4], [1, 0, 0, 0], qpos[4:]]))
    np.testing.assert_allclose(force[3:6], 0)
    np.testing.assert_allclose(np.delete(force, range(3, 6)), passive(alone, qpos), rtol=1e-12)


@dropped
@pytest.mark.parametrize(
    "keys, words",
    [
        (config(bend="-1"), "bend: got '-1', allowed: finite numbers >= 0"),
        (config(twist="soft"), "twist: got 'soft'"),
        (config(vmax="nan"), "vmax: got 'nan'"),
        (config(law="new"), "law: got 'new', allowed: mujoco_3 | strand"),
        (config(EI="1"), "EI"),
    ],
)
def test_bad_keys_are_named(keys: str, words: str) -> None:
    with pytest.raises(ValueError) as error:
        mujoco.MjModel.from_xml_string(chain(keys, OLD))
    assert words in str(error.value)
    assert OLD in str(error.value) and "rope" in str(error.value)


@dropped
@pytest.mark.parametrize("law", ["mujoco_3", "strand"])
def test_without_stiffness_there_is_no_torque(law: str) -> None:
    model = mujoco.MjModel.from_xml_string(chain(config(law=law), OLD))
    turned = np.random.default_rng(0).normal(size=model.nq)
    assert np.abs(passive(model, turned)).max() == 0


@dropped
@pytest.mark.parametrize("law", ["mujoco_3", "strand"])
def test_copies_and_resets_are_exact(law: str) -> None:
    model = mujoco.MjModel.from_xml_string(chain(MODULI + config(law=law), OLD, ".99 0 .1 .1"))
    model.dof_damping[:] = 1e-3
    data = mujoco.MjData(model)

    def run(data: mujoco.MjData) -> np.ndarray:
        mujoco.mj_step(model, data, 50)
        return data.qpos.copy()

    first = run(data)
    other = mujoco.MjData(model)
    mujoco.mj_copyData(other, model, data)
    np.testing.assert_array_equal(run(other), run(data))
    mujoco.mj_resetData(model, data)
    np.testing.assert_array_equal(run(data), first)


@dropped
@pytest.mark.parametrize("law", ["mujoco_3", "strand"])
def test_vmax_colours_the_links(law: str) -> None:
    moment = 0.02
    keys = MODULI + config(law=law, vmax=str(moment))
    model = mujoco.MjModel.from_xml_string(chain(keys, OLD))
    data = mujoco.MjData(model)
    # The bending of one joint about its softer axis at which its moment is half of vmax.
    angle = moment / 2 / (5e6 * 0.012 * 0.008**3 / 12 / 0.05)
    mujoco.mj_integratePos(model, data.qpos, np.eye(model.nv)[5], angle)
    mujoco.mj_forward(model, data)
    scene = mujoco.MjvScene(model, 100)
    option, camera = mujoco.MjvOption(), mujoco.MjvCamera()
    mujoco.mjv_updateScene(
        model, data, option, None, camera, mujoco.mjtCatBit.mjCAT_ALL.value, scene
    )
    assert scene.ngeom == 2 * model.ngeom
    colors = np.array([geom.rgba[:3] for geom in scene.geoms[:5]])  # plugins draw first
    blue = colors[:, 2] > 0.7
    np.testing.assert_array_equal(blue, [True, False, False, True, True])
    assert (colors[1:3, 1] > 0.7).all()  # green: halfway to red


def test_the_law_is_checked_and_reported(tmp_path: Path) -> None:
    path = FOLDER / "soft_arc_8.xml"
    assert "--law old" in convert(path).report()
    assert "--law old" not in convert(path, law="old").report()
    assert "law mujoco_3" in convert(path, law="old").report()
    with pytest.raises(StrandError, match="law: got 'new', allowed: strand, old"):
        strand.load_model(path, law="new")
    output = tmp_path / "new.xml"
    arguments = ["convert", str(path), "-o", str(output), "--law", "old"]
    assert CliRunner().invoke(app, arguments).exit_code == 0
    assert gap("soft_arc_8", mujoco.MjModel.from_xml_path(str(output))) < 1e-6
