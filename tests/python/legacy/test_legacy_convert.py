"""The command `strand convert`: texts, files, paths, stiffness."""

import math
import shutil
from pathlib import Path

import mujoco
import numpy as np
import pytest
from typer.testing import CliRunner

import strand
from strand import StrandError
from strand.cli import app
from strand.legacy import checking, convert
from strand.legacy.facts import facts

FOLDER = Path(__file__).parents[2] / "data" / "legacy"
NAMES = sorted(path.stem for path in FOLDER.glob("*.xml"))

PLUGIN = """<plugin plugin="mujoco.elasticity.cable">
        <config key="bend" value="4e6"/><config key="twist" value="1e6"/></plugin>"""
CABLE = f"""<mujoco>
  <extension><plugin plugin="mujoco.elasticity.cable"/></extension>
  <worldbody>
    <composite type="cable" curve="s" count="6" size="1" initial="none">
      {PLUGIN}
      <geom type="capsule" size=".01"/>
    </composite>
  </worldbody>
</mujoco>
"""


def run(*arguments):
    return CliRunner().invoke(app, ["convert", *map(str, arguments)])


def same(a: mujoco.MjModel, b: mujoco.MjModel) -> bool:
    return all(line.passed for line in checking.compare(facts(a), facts(b)))


@pytest.mark.parametrize("name", NAMES)
def test_written_to_another_folder_it_is_the_same_model(name: str, tmp_path: Path) -> None:
    output = tmp_path / "deep" / "new.xml"
    output.parent.mkdir()
    assert run(FOLDER / f"{name}.xml", "-o", output).exit_code == 0
    model = mujoco.MjModel.from_xml_path(str(output))
    assert same(model, strand.load_model(FOLDER / f"{name}.xml"))
    assert b"composite type" not in output.read_bytes()
    assert convert(output).changed is False


def test_everything_else_is_preserved() -> None:
    old = (FOLDER / "robot.xml").read_bytes()
    new = convert(FOLDER / "robot.xml").text
    start, end = old.index(b"<composite"), old.index(b"</composite>") + len(b"</composite>")
    declared = old.index(b"</extension>")
    assert old[declared:start] in new
    assert old[end : old.index(b"</mujoco>")] in new


def test_a_model_without_old_cables_is_unchanged(tmp_path: Path) -> None:
    text = b"<mujoco>\r\n <!-- -- & -->\r\n <worldbody/>\r\n</mujoco>\r\n"
    (tmp_path / "new.xml").write_bytes(text)
    assert convert(tmp_path / "new.xml").text == text
    result = run(tmp_path / "new.xml", "-o", tmp_path / "copy.xml")
    assert result.exit_code == 0 and "nothing to convert" in result.stderr
    assert (tmp_path / "copy.xml").read_bytes() == text
    assert strand.load_model(tmp_path / "new.xml").nbody == 1


def test_comments_are_preserved(tmp_path: Path) -> None:
    text = CABLE.replace("<geom", "<!-- 5 & -- mm --><geom")
    (tmp_path / "old.xml").write_text(text.replace("<worldbody>", "<!-- a -- b --><worldbody>"))
    new = convert(tmp_path / "old.xml").text
    assert b"<!-- 5 & -- mm -->" in new and b"<!-- a -- b -->" in new


def test_in_place(tmp_path: Path) -> None:
    path = tmp_path / "cable.xml"
    path.write_text(CABLE)
    assert run(path, "-o", path).exit_code == 0
    assert mujoco.MjModel.from_xml_path(str(path)).nbody == 6
    assert [file.name for file in tmp_path.iterdir()] == ["cable.xml"]


def test_a_bad_model_in_place_is_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "cable.xml"
    path.write_text(CABLE.replace("capsule", "sphere"))
    result = run(path, "-o", path)
    assert isinstance(result.exception, StrandError)
    assert path.read_text() == CABLE.replace("capsule", "sphere")
    assert len(list(tmp_path.iterdir())) == 1


def test_without_an_output_the_model_is_printed(tmp_path: Path) -> None:
    (tmp_path / "cable.xml").write_text(CABLE)
    result = run(tmp_path / "cable.xml", "--json", tmp_path / "did.json")
    assert result.stdout.encode() == convert(tmp_path / "cable.xml").text
    assert "5 links" in (tmp_path / "did.json").read_text()


def test_an_attached_model_needs_an_output(tmp_path: Path) -> None:
    result = run(FOLDER / "attach.xml")
    assert isinstance(result.exception, StrandError)
    shutil.copytree(FOLDER, tmp_path / "copy")
    path = tmp_path / "copy" / "attach.xml"
    whip = (path.parent / "parts" / "whip.xml").read_bytes()
    assert run(path, "-o", path).exit_code == 0
    assert (path.parent / "parts" / "whip.xml").read_bytes() == whip
    assert (path.parent / "attach_whip.xml").exists()
    assert mujoco.MjModel.from_xml_path(str(path)).nbody == 19


def test_the_report_lists_other_changes(tmp_path: Path) -> None:
    report = convert(FOLDER / "include.xml").report()
    assert "parts/arm.xml:5: cable 'inc_': 8 links" in report
    assert "parts/arm.xml: written in place of its <include>" in report
    assert "plain.xml" not in report
    path = tmp_path / "old.xml"
    path.write_text(
        '<mujoco><extension><plugin plugin="mujoco.elasticity.cable"/>'
        '<plugin plugin="mujoco.elasticity.shell"/></extension></mujoco>'
    )
    conversion = convert(path)
    assert "removed" in conversion.report() and "shell" in conversion.report()
    assert b"elasticity.cable" not in conversion.text and b"shell" in conversion.text


@pytest.mark.parametrize(
    "name, words",
    [
        ("instance", "vmax"),
        ("no_twist", "twist 0"),
        ("shared_instance", "one elasticity for several cables"),
        ("single_link", "a single link"),
        ("same_names", "another cable has the prefix ''"),
        ("chain", "<skin>, which had no effect"),
        ("joint_attributes", "limited of <joint>, which had no effect"),
        ("bodies_uneven", "instance 'unused', which is not used"),
    ],
)
def test_losses_are_reported(name: str, words: str) -> None:
    assert words in " ".join(convert(FOLDER / f"{name}.xml").lost)


def test_a_model_in_a_string() -> None:
    assert strand.load_model("\n" + CABLE).nbody == 6
    assert strand.load_model("<mujoco><worldbody/></mujoco>").nbody == 1
    with pytest.raises(StrandError, match=r"^model:7: type of the cable's geom: got 'sphere'"):
        strand.load_model(CABLE.replace("capsule", "sphere"))


TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


@pytest.mark.parametrize(
    "compiler, file, stored",
    [
        ("", "stone.obj", "stone.obj"),
        ("", "shapes/stone.obj", "shapes/stone.obj"),
        ('<compiler meshdir="shapes"/>', "stone.obj", "shapes/stone.obj"),
        ('<compiler assetdir="shapes"/>', "stone.obj", "shapes/stone.obj"),
        ('<compiler strippath="true"/>', "elsewhere/stone.obj", "stone.obj"),
    ],
)
def test_files_of_assets_are_found(compiler, file, stored, tmp_path: Path, monkeypatch) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    (old / "shapes").mkdir(parents=True)
    new.mkdir()
    (old / stored).write_text(TETRAHEDRON)
    asset = f'{compiler}<asset><mesh name="stone" file="{file}"/></asset>'
    (old / "parts.xml").write_text(f"<mujocoinclude>{asset}</mujocoinclude>")
    (old / "model.xml").write_text(
        CABLE.replace("<worldbody>", '<include file="parts.xml"/><worldbody>').replace(
            "<composite", '<geom type="mesh" mesh="stone"/><composite'
        )
    )
    monkeypatch.chdir(tmp_path)
    assert strand.load_model("old/model.xml").nmesh == 1
    assert run("old/model.xml", "-o", "new/model.xml").exit_code == 0
    assert mujoco.MjModel.from_xml_path("new/model.xml").nmesh == 1
    monkeypatch.chdir(old)
    assert run("model.xml", "-o", "beside.xml").exit_code == 0
    assert 'file="parts.xml"' in (old / "beside.xml").read_text()
    assert mujoco.MjModel.from_xml_path("beside.xml").nmesh == 1


def joint_stiffness(model: mujoco.MjModel, joint: int, axis: int) -> float:
    """Torque per angle of one ball joint that is turned slightly about one axis."""
    data = mujoco.MjData(model)
    angle, turned = 1e-5, model.jnt_dofadr[joint] + axis
    velocity = np.zeros(model.nv)
    velocity[turned] = angle
    mujoco.mj_integratePos(model, data.qpos, velocity, 1.0)
    mujoco.mj_forward(model, data)
    return -data.qfrc_passive[turned] / angle


def test_stiffness_of_every_joint_is_preserved(tmp_path: Path) -> None:
    # E I / l and G J / l with the length of the previous link.
    uneven = CABLE.replace('curve="s" count="6"', 'vertex="0 0 0 .1 0 0 .15 0 0 .3 0 0 .38 0 0"')
    (tmp_path / "old.xml").write_text(uneven)
    model = strand.load_model(tmp_path / "old.xml")
    bend, twist = 4e6 * math.pi * 0.01**4 / 4, 1e6 * math.pi * 0.01**4 / 2
    for joint, length in enumerate((0.1, 0.05, 0.15)):
        for axis, stiffness in enumerate((twist, bend, bend)):
            assert joint_stiffness(model, joint, axis) == pytest.approx(stiffness / length, 1e-6)


def test_stiffness_of_explicit_bodies_is_preserved() -> None:
    model = strand.load_model(FOLDER / "bodies_uneven.xml")
    box = (2 * 0.004) ** 3 * 2 * 0.008 / 12, (2 * 0.008) ** 3 * 2 * 0.004 / 12
    round_ = math.pi * 0.004**4 / 4, math.pi * 0.004**4 / 4
    for body, moments, length in (("e2", box, 0.05), ("e5", round_, 0.04)):
        joint = model.body(body).jntadr[0]
        for axis, moment in enumerate(moments, start=1):
            expected = 5e6 * moment / length
            assert joint_stiffness(model, joint, axis) == pytest.approx(expected, 1e-6)


def test_the_comparison_detects_differences() -> None:
    old = facts(strand.load_model(FOLDER / "robot.xml"))
    assert all(line.passed for line in checking.compare(old, old))
    for edit in (
        lambda new: new.update(nq=new["nq"] + 1),
        lambda new: new["names"]["body"].reverse(),
        lambda new: new["pos"][3].__setitem__(1, new["pos"][3][1] + 2e-9),
        lambda new: new["quat"][3].__setitem__(1, new["quat"][3][1] + 2e-9),
        lambda new: new.update(mass=new["mass"] * (1 + 1e-9)),
        lambda new: new["sums"].update(dof_damping=[0, 0, 0]),
    ):
        new = facts(strand.load_model(FOLDER / "robot.xml"))
        edit(new)
        assert not all(line.passed for line in checking.compare(old, new))


def test_check_needs_an_old_mujoco(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.delenv(checking.VARIABLE, raising=False)
    if mujoco.mj_versionString() >= "4":
        with pytest.raises(StrandError, match=r"mujoco==3\.17\.0"):
            checking.check(FOLDER / "robot.xml")
    result = run(FOLDER / "robot.xml", "--check", "--legacy-python", tmp_path / "nowhere")
    assert "nowhere" in str(result.exception)


ROPE = """<mujoco><worldbody><body><composite type="rope" prefix="r" count="3 1 1" spacing=".1">
  <geom type="capsule" size=".01 .04"/></composite></body></worldbody></mujoco>"""


@pytest.mark.parametrize(
    ("model", "version", "told"),
    [
        (
            CABLE,
            "2.3.7",
            r"got MuJoCo 2\.3\.7 in '.*/old', allowed: .* MuJoCo 3 .*mujoco==3\.17\.0",
        ),
        (CABLE, "4.0.1", r"got MuJoCo 4\.0\.1 in '.*/old', allowed: .* MuJoCo 3 "),
        (
            ROPE,
            "3.17.0",
            r"got MuJoCo 3\.17\.0 in '.*/old', allowed: .* MuJoCo 2 .*mujoco==2\.3\.7",
        ),
        (CABLE, "", r"got '.*/old', allowed: .* MuJoCo 3 .*\(no message\)"),
    ],
)
def test_check_names_the_mujoco_it_needs(
    tmp_path: Path, monkeypatch, model: str, version: str, told: str
) -> None:
    """With the wrong MuJoCo, a model is not reported as different or as failing to load."""
    path, python = tmp_path / "model.xml", tmp_path / "old"
    path.write_text(model)
    python.write_text(f"#!/bin/sh\necho {version}\n" if version else "#!/bin/sh\nexit 1\n")
    python.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StrandError, match=told):
        checking.check(path, "./old")


def test_backend_is_checked() -> None:
    assert "backend" in str(run(FOLDER / "robot.xml", "--backend", "spring").exception)
