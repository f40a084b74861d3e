"""Old cable models on MuJoCo's 1D flex compared with the same models as chains."""

import re
from pathlib import Path

import mujoco
import numpy as np
import pytest
from support.flexes import frequencies
from test_legacy_convert import run
from test_legacy_models import FOLDER, NAMES, expected, length

import strand
from strand import StrandError
from strand.legacy import checking, convert
from strand.legacy.facts import facts
from strand_studies import relax

pytestmark = pytest.mark.skipif(
    strand.mujoco_version < "4.0.1", reason="this MuJoCo's flex is no rod, or a wrong one"
)

# Why the other models cannot be flexes.
REFUSED = {
    "attach": "3: attached model: got 'parts/whip.xml'",
    "bodies": "15: explicit bodies",
    "bodies_uneven": "17: explicit bodies",
    "coil": "8: shape: got a curve that turns by 0.31 rad per joint, allowed: a straight line",
    "degrees": "8: range of the cable's joints: got '0 8'",
    "flat": "7: shape: got a curve",
    "joint_attributes": "8: range of the cable's joints: got '0 .6'",
    "keyframe": "17: qpos: got '0 0 .2",
    "lines": "23: shape: got a curve",
    "loop": "7: shape: got a curve",
    "loose_quat": "7: shape: got a curve",
    "offset_and_quat": "7: shape: got a curve",
    "references": "23: geom2 of <pair>: got 'w_G5', allowed: no geom of the cable",
    "replicate": "3: replicate: got a cable",
    "ribbon": "7: type of the cable's geom: got 'box', allowed: capsule, cylinder",
    "single_link": "7: count: got 1 link",
    "skin": "10: type of the cable's geom: got 'box'",
    "skin_subgrid": "6: type of the cable's geom: got 'box'",
    "soft_arc_32": "9: shape: got a curve",
    "soft_arc_8": "9: shape: got a curve",
    "vertices": "8: shape: got a curve",
    "vertices_box": "7: type of the cable's geom: got 'box'",
}
CONVERTED = [name for name in NAMES if name not in REFUSED]
# Largest distance at rest relative to the length, where it exceeds 1 %: joints that bend by 0.4 rad
# and more. A flex uses 2 tan(phi/2) / l for the curvature, which makes them stiffer by phi^2 / 3.
SHARPLY_BENT = {
    "cylinders": 0.012,
    "defaults": 0.016,
    "frame": 0.026,
    "include": 0.016,
    "no_twist": 0.016,
    "same_names": 0.013,
    "straight": 0.04,
    "two_cables": 0.026,
}


def flexed(text: str) -> mujoco.MjModel:
    return strand.load_model(text, backend="flex")


def with_tangent_law(path: Path) -> mujoco.MjModel:
    """The chain with the curvature measured as a flex does."""
    text = convert(path, str(path.parent)).text.decode()
    key = '<config key="curvature" value="tangent"/>'
    return mujoco.MjModel.from_xml_string(re.sub('(<instance name="[^"]*">)', rf"\1{key}", text))


def at_rest(model: mujoco.MjModel, control: float = 0.0) -> mujoco.MjData:
    """The position of rest; all joints are damped, which does not change it."""
    slides = model.jnt_type[model.dof_jntid] == mujoco.mjtJoint.mjJNT_SLIDE
    balls = model.jnt_type[model.dof_jntid] == mujoco.mjtJoint.mjJNT_BALL
    model.dof_damping[:] += np.where(slides, 4 * model.body_mass[model.dof_bodyid], 0)
    model.dof_damping[:] += np.where(balls, 0.03, 0)
    data = mujoco.MjData(model)
    data.ctrl[:] = control
    relax.settle(model, data, at_rest=1e-5, time_limit=240, steps=100)
    mujoco.mj_kinematics(model, data)
    return data


def distance(a: mujoco.MjModel, b: mujoco.MjModel, bodies: list[str]) -> float:
    """Largest distance between bodies of the same names (m)."""
    places = [
        np.array([data.body(body).xpos for body in bodies]) for data in (at_rest(a), at_rest(b))
    ]
    return float(np.linalg.norm(places[0] - places[1], axis=1).max())


@pytest.mark.parametrize("name", CONVERTED)
def test_same_names_places_and_mass(name: str) -> None:
    model = strand.load_model(FOLDER / f"{name}.xml", backend="flex")
    lines = checking.compare_flex(expected(name), facts(model))
    assert not [line for line in lines if not line.passed]
    assert model.nflex and not model.nplugin
    assert model.opt.integrator == mujoco.mjtIntegrator.mjINT_DISCRETE


def test_the_comparison_detects_differences() -> None:
    old = expected("robot")
    for edit in (
        lambda new: new["names"]["body"].__setitem__(5, "other"),
        lambda new: new["names"]["actuator"].clear(),
        lambda new: new["pos"][8].__setitem__(1, new["pos"][8][1] + 2e-9),
        lambda new: new.update(mass=new["mass"] * (1 + 1e-8)),
    ):
        new = facts(strand.load_model(FOLDER / "robot.xml", backend="flex"))
        edit(new)
        assert not all(line.passed for line in checking.compare_flex(old, new))


@pytest.mark.parametrize("name", CONVERTED)
def test_it_comes_to_rest_like_the_chain(name: str) -> None:
    path = FOLDER / f"{name}.xml"
    bodies = [body for body in expected(name)["names"]["body"] if body]
    flex, chain = strand.load_model(path, backend="flex"), strand.load_model(path)
    gap = distance(flex, chain, bodies) / length(chain)
    assert gap < SHARPLY_BENT.get(name, 0.01)


@pytest.mark.parametrize("name", ["childclass", "frame", "robot", "straight", "two_cables"])
def test_only_the_measure_of_curvature_makes_the_difference(name: str) -> None:
    path = FOLDER / f"{name}.xml"
    bodies = [body for body in expected(name)["names"]["body"] if body]
    chain = with_tangent_law(path)
    flex = strand.load_model(path, backend="flex")
    assert distance(flex, chain, bodies) < 1e-3 * length(chain)


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_models_that_a_flex_cannot_represent_are_rejected(name: str) -> None:
    path = FOLDER / f"{name}.xml"
    with pytest.raises(StrandError) as caught:
        convert(path, backend="flex")
    assert str(caught.value).startswith(f"{path}:{REFUSED[name]}")
    assert "with the flex backend" in str(caught.value)


MATERIAL = """<plugin plugin="mujoco.elasticity.cable">
        <config key="bend" value="5e6"/><config key="twist" value="2e6"/></plugin>"""
ON_ARM = f"""<mujoco>
  <option gravity="0 0 0" timestep=".001" integrator="implicitfast"/>
  <worldbody>
    <body name="arm" pos=".3 0 1" euler="0 0 30">
      <joint name="roll" axis="1 0 0"/>
      <geom name="hand" type="box" size=".05 .05 .05" mass="1"/>
      <frame pos=".02 0 0" euler="0 20 0">
        <composite prefix="c_" type="cable" curve="s" count="13" size=".4" initial="none">
          {MATERIAL}
          <joint kind="main" damping=".01"/>
          <geom type="capsule" size=".006"/>
        </composite>
      </frame>
    </body>
  </worldbody>
  <actuator><position joint="roll" kp="50" kv="5"/></actuator>
</mujoco>
"""


def test_it_vibrates_and_twists_like_the_chain() -> None:
    held = ON_ARM.replace('<joint name="roll" axis="1 0 0"/>', "")
    held = re.sub("<actuator>.*</actuator>", "", held).replace(
        "<geom name", '<geom contype="0" conaffinity="0" name'
    )
    held = held.replace("<option", '<option jacobian="dense"').replace("13", "26")
    chain, flex = strand.load_model(held), flexed(held)
    for spin, tolerance in ((True, 1e-4), (False, 0.01)):
        found = [frequencies(model, spin)[[0, 2]] for model in (chain, flex)]
        np.testing.assert_allclose(found[1], found[0], rtol=tolerance)


def test_a_moving_body_carries_it() -> None:
    chain, flex = strand.load_model(ON_ARM), flexed(ON_ARM)
    ends = []
    for model in (chain, flex):
        # Gravity bends it across the clamp; the arm rolls it by 1 rad about its axis.
        model.opt.gravity[2] = -2
        data = at_rest(model, control=1.0)
        assert data.qpos[0] == pytest.approx(1, abs=2e-3)
        ends.append(data.site("c_S_last").xpos.copy())
    assert np.linalg.norm(ends[1] - ends[0]) < 0.01 * 0.4


def test_a_body_that_turns_about_the_cable_twists_it() -> None:
    model = flexed(ON_ARM.replace('euler="0 20 0"', ""))
    data = at_rest(model, control=1.0)
    twists = [data.joint(f"c_rod_twist_{edge}").qpos[0] for edge in range(1, 11)]
    np.testing.assert_allclose(twists, 1, atol=1e-3)


@pytest.mark.parametrize("initial", ["none", "ball"])
def test_a_freely_tumbling_body_feels_it_like_a_chain(initial: str) -> None:
    text = ON_ARM.replace('<joint name="roll" axis="1 0 0"/>', "<freejoint/>")
    text = re.sub("<actuator>.*</actuator>", "", text).replace("none", initial)
    text = text.replace("<geom name", '<geom contype="0" conaffinity="0" name')
    tips, turning = [], []
    for model in (strand.load_model(text), flexed(text)):
        model.opt.timestep = 5e-4
        if initial == "ball" and not model.nflex:
            model.dof_damping[model.joint("c_J_first").dofadr[0] + np.arange(3)] = 0
        data = mujoco.MjData(model)
        data.qvel[3:6] = [0.3, 2, 1]
        mujoco.mj_step(model, data, 1000)
        tips.append(data.site("c_S_last").xpos.copy())
        turning.append(data.qvel[3:6].copy())
    assert np.linalg.norm(tips[1] - tips[0]) < 0.01 * 0.4
    np.testing.assert_allclose(turning[1], turning[0], atol=0.02)


def test_a_mocap_body_carries_no_flex() -> None:
    text = ON_ARM.replace('name="arm"', 'name="arm" mocap="true"')
    with pytest.raises(StrandError, match=r"model:4: mocap: got 'true', allowed: false"):
        flexed(re.sub("<joint name=.*|<actuator>.*", "", text))


def test_it_does_not_touch_the_body_that_carries_it() -> None:
    model = flexed(ON_ARM)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert data.ncon == 0
    assert model.body(model.flex_vertbodyid[0]).name == "arm"
    # It does touch other bodies in its way.
    finger = '<body name="finger" pos=".02 0 0"><geom name="tip" type="sphere" size=".1"/></body>'
    touching = ON_ARM.replace("<frame", finger + "<frame")
    lost = " ".join(convert("model", ".", text=touching.encode(), backend="flex").lost)
    assert "flex 'c_rod' touches geom 'tip' at the start" in lost


def test_a_body_without_a_name_gets_one_where_it_holds_the_cable() -> None:
    text = ON_ARM.replace('name="arm" ', "")
    conversion = convert("model", ".", text=text.encode(), backend="flex")
    assert "body without a name: 'c_carrier'" in conversion.report()
    model = flexed(text)
    assert model.body("c_carrier").parentid[0] == 0
    held = re.sub("<joint name=.*|<actuator>.*", "", text)
    assert b"carrier" not in convert("model", ".", text=held.encode(), backend="flex").text


ROPE = f"""<mujoco>
  <worldbody>
    <body name="target" mocap="true" pos=".45 0 1"/>
    <site name="anchor" pos=".2 0 1.3"/>
   <composite type="cable" prefix="w_" curve="s" count="11" size=".5" offset="0 0 1" initial="none">
      {MATERIAL}
      <joint kind="main" damping=".02"/>
      <geom type="capsule" size=".006"/>
    </composite>
    <camera name="look" target="w_B_3" mode="targetbody"/>
  </worldbody>
  <contact><exclude body1="w_B_2" body2="w_B_4"/></contact>
  <equality><connect name="pull" body1="w_B_last" body2="target" anchor=".05 0 0"/></equality>
  <tendon>
    <spatial name="string" stiffness="2" springlength=".2">
      <site site="anchor"/><site site="w_S_last"/>
    </spatial>
  </tendon>
  <actuator><general name="push" site="w_S_first" gear="1 0 0 0 0 0"/></actuator>
  <sensor>
    <framepos name="tip" objtype="xbody" objname="w_B_last"/>
    <framequat name="root" objtype="site" objname="w_S_first"/>
  </sensor>
</mujoco>
"""


def test_references_keep_working() -> None:
    text = ROPE.replace("anchor=", 'solref=".004 1" anchor=')
    conversion = convert("model", ".", text=text.encode(), backend="flex")
    assert "body1 'w_B_last': 'w_B_end'" in conversion.report()
    assert "exclude between links" in " ".join(conversion.lost)
    chain, flex = strand.load_model(text), flexed(text)
    assert flex.nexclude == 0
    data = [at_rest(model) for model in (chain, flex)]
    for model, state in zip((chain, flex), data, strict=True):
        mujoco.mj_forward(model, state)
    for sensor in ("tip", "root"):
        found = [state.sensor(sensor).data for state in data]
        np.testing.assert_allclose(found[1], found[0], atol=0.005)
    lengths = [state.ten_length[0] for state in data]
    assert lengths[1] == pytest.approx(lengths[0], abs=0.002)


def test_a_body_attached_to_a_node_stays_at_it() -> None:
    heavy = '<body name="target" pos=".5 0 1"><freejoint/><geom size=".02" mass="1"/></body>'
    text = ROPE.replace('<body name="target" mocap="true" pos=".45 0 1"/>', heavy)
    model = flexed(text)
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 1000)
    gap = data.body("w_B_end").xpos - data.body("target").xpos
    assert np.linalg.norm(gap) < 1e-3
    # It stays as soft as the model specifies, if it does.
    for said in (
        text.replace("anchor=", 'solref=".004 1" anchor='),
        text.replace("<worldbody>", '<default><equality solref=".004 1"/></default><worldbody>'),
    ):
        assert flexed(said).eq("pull").solref[0] == 0.004
        edges = flexed(said).eq_type == mujoco.mjtEq.mjEQ_FLEX
        assert (flexed(said).eq_solref[edges, 0] < 1e-3).all()


def test_a_connect_to_a_node_in_the_middle() -> None:
    text = ROPE.replace('body1="w_B_last" body2="target" anchor=".05 0 0"',
                        'body1="target" body2="w_B_8" anchor="0 0 0"')  # fmt: skip
    connect = flexed(text.replace('pos=".45 0 1"', 'pos=".45002 0 1"')).eq("pull")
    names = [flexed(text).body(int(k)).name for k in (*connect.obj1id, *connect.obj2id)]
    assert names == ["target", "w_B_last"]  # at the end of link 8


# The replaced text, its replacement, the start of the error's line, and its words.
BAD = [
    (
        'anchor=".05 0 0"',
        'anchor=".02 0 0"',
        "<equality",
        "anchor: got '.02 0 0', allowed: a point",
    ),
    ("<connect", "<weld", "<equality", "body1 of <weld>: got 'w_B_last', allowed: bodies of the"),
    ('site="w_S_first"', 'site="w_S_last"', "<actuator", "site of <general>: got 'w_S_last'"),
    ('site="w_S_first"', 'joint="w_J_3"', "<actuator", "joint of <general>: got 'w_J_3'"),
    ('objtype="xbody"', 'objtype="body"', "<framepos", "objname of <framepos>: got 'w_B_last'"),
    ('objname="w_S_first"', 'objname="w_S_last"', "<framequat", "objname of <framequat>"),
    ('mode="targetbody"', 'mode="targetbodycom"', "<camera", "target of <camera>: got 'w_B_3'"),
    ('body2="w_B_4"', 'body2="target"', "<contact", "exclude: got 'w_B_2' and 'target'"),
    ('initial="none"', 'initial="ball"', "<actuator", "site of <general>: got 'w_S_first'"),
    ("<worldbody>", '<option density="1"/><worldbody>', "<option", "density: got '1', allowed: 0"),
    ("<worldbody>", '<compiler boundmass="1"/><worldbody>', "<compiler", "boundmass: got '1'"),
    ("<worldbody>", '<compiler inertiafromgeom="true"/><worldbody>', "<compiler", "inertiafrom"),
    ("<worldbody>", '<option><flag equality="disable"/></option><worldbody>', "<option", "equali"),
    ('size=".006"', 'size=".006 x"', "<geom", "size: got '.006 x'"),
    ('value="5e6"', 'value="soft"', "<config", "bend: got 'soft'"),
]


@pytest.mark.parametrize("old, new, place, words", BAD)
def test_references_that_a_flex_cannot_serve_are_rejected_with_their_line(
    old, new, place, words
) -> None:
    text = ROPE.replace(old, new, 1)
    assert text != ROPE
    line = 1 + text[: text.index(place)].count("\n")
    with pytest.raises(StrandError) as caught:
        convert("model", ".", text=text.encode(), backend="flex")
    assert str(caught.value).startswith(f"model:{line}: ")
    assert words in str(caught.value)


def test_the_command_reports_its_changes(tmp_path: Path) -> None:
    output, figures = tmp_path / "new.xml", tmp_path / "did.json"
    arguments = (FOLDER / "robot.xml", "--backend", "flex", "-o", output, "--json", figures)
    result = run(*arguments)
    assert result.exit_code == 0
    said = " ".join(result.output.split())
    for words in (
        "flex 'cable_rod': EI 0.00245437 N m^2, GJ 0.0019635 N m^2, loss time 0.326 s",
        "option: integrator discrete",
        "joints cable_J_*",
    ):
        assert words in said and words in figures.read_text()
    model = mujoco.MjModel.from_xml_path(str(output))
    assert model.nflex == 1 and model.body("cable_B_last").pos[0] == pytest.approx(0.61)
    assert convert(output, backend="flex").changed is False


def test_included_files_are_found_from_another_folder(tmp_path: Path) -> None:
    output = tmp_path / "deep" / "new.xml"
    output.parent.mkdir()
    assert run(FOLDER / "include.xml", "--backend", "flex", "-o", output).exit_code == 0
    model = mujoco.MjModel.from_xml_path(str(output))
    assert not [line for line in checking.compare_flex(expected("include"), facts(model))
                if not line.passed]  # fmt: skip


def test_a_flex_cannot_have_the_old_law() -> None:
    result = run(FOLDER / "robot.xml", "--backend", "flex", "--law", "old")
    assert "law: got 'old', allowed: strand (with the flex backend)" in str(result.exception)


def test_older_mujocos_are_rejected(monkeypatch) -> None:
    monkeypatch.setattr(mujoco, "mj_versionString", lambda: "4.0.0")
    with pytest.raises(StrandError, match=r"flex with MuJoCo 4\.0\.0, allowed: MuJoCo 4\.0\.1"):
        convert(FOLDER / "robot.xml", backend="flex")


@pytest.mark.parametrize(
    "options, changed",
    [
        ("", "integrator discrete, tolerance 1e-06"),
        ('<option integrator="RK4"/>', "integrator discrete (was RK4), tolerance 1e-06"),
        ('<option solver="PGS" tolerance="1e-9"/>', "integrator discrete, solver Newton (was PGS)"),
        (
            '<option timestep=".001"/><option noslip_iterations="3"/>',
            "integrator discrete, tolerance 1e-06, noslip_iterations 0 (was 3)",
        ),
    ],
)
def test_options_that_a_flex_needs(options: str, changed: str) -> None:
    text = ROPE.replace("<worldbody>", f"{options}<worldbody>")
    report = convert("model", ".", text=text.encode(), backend="flex").report()
    assert f"model: option: {changed}\n" in report
    model = flexed(text)
    assert model.opt.integrator == mujoco.mjtIntegrator.mjINT_DISCRETE
    assert model.opt.timestep == (0.001 if "timestep" in options else 0.002)


def test_springs_and_dampers_of_the_joints_go_into_the_material() -> None:
    joint = '<joint kind="main" damping=".02" stiffness=".3"/>'
    text = ROPE.replace('<joint kind="main" damping=".02"/>', joint).replace(MATERIAL, "")
    conversion = convert("model", ".", text=text.encode(), backend="flex")
    assert "EI 0.015 N m^2, GJ 0.015 N m^2, loss time 0.0667 s" in conversion.report()
    assert "bend 0" not in conversion.report()


def test_losses_are_reported() -> None:
    joint = '<joint kind="main" damping=".02" armature="1e-5" frictionloss="1e-4"/>'
    text = ROPE.replace('<joint kind="main" damping=".02"/>', joint)
    text = text.replace('"capsule" size=".006"', '"cylinder" size=".03" adhesion="1"')
    text = text.replace('<config key="twist" value="2e6"/>', '<config key="vmax" value="1"/>')
    lost = " ".join(convert("model", ".", text=text.encode(), backend="flex").lost)
    for words in (
        "armature of the joints",
        "frictionloss of the joints",
        "adhesion of the geoms",
        "flat ends of cylinders",
        "vmax: a flex has no stress colours",
        "twist 0: replaced by 1e-6 of weight times length squared",
        "self-contact: links are shorter than the cable's diameter",
        "joints w_J_*, geoms w_G*, and orientations",
        "damping: a flex damps the bending of its joints",
    ):
        assert words in lost
    hanging = convert(FOLDER / "hanging.xml", backend="flex").lost
    assert "damping of the first joint" in " ".join(hanging)


def test_contacts_are_preserved() -> None:
    model = strand.load_model(FOLDER / "geom_attributes.xml", backend="flex")
    assert (model.flex_contype[0], model.flex_conaffinity[0], model.flex_condim[0]) == (4, 2, 6)
    assert model.flex_priority[0] == 1 and model.flex_margin[0] == 0.002
    np.testing.assert_allclose(model.flex_friction[0], [0.7, 0.01, 0.001])
    np.testing.assert_allclose(model.flex_solimp[0], [0.8, 0.9, 0.002, 0.5, 2])
    np.testing.assert_allclose(model.flex_rgba[0], [0.2, 0.3, 0.4, 1], rtol=1e-6)
    assert model.mat(int(model.flex_matid[0])).name == "rubber"
    assert model.site("g_S_last").group[0] == 1
