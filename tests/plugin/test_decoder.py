"""Cable files in MJCF: <model file="*.cable.toml"/> and <attach> make the cable at load time."""

from pathlib import Path

import mujoco
import numpy as np
import pytest
from support.engine import DECODERS_GIVE_REASONS, needs_decoders

import strand
from strand.cable import cable_file

pytestmark = needs_decoders

MATERIAL = """
[section]
radius = 0.004
[material]
density = 1100.0
young = 5e6
poisson = 0.45
[damping]
loss_time = 0.02
"""
STRAIGHT = 'prefix = ""\n[shape]\ntype = "straight"\nlength = 0.6\nsegments = 12\n'
RING = 'prefix = ""\n[shape]\ntype = "ring"\nradius = 0.1\nsegments = 16\n'

# The description of each cable, and where it is attached.
CABLES = {
    "hanging": (STRAIGHT + '[ends]\nstart = "fixed"\n', "arm"),
    "held at both ends": (
        STRAIGHT + '[ends]\nstart = "fixed"\nend = "ball"\nroot = "end"\n',
        "arm",
    ),
    "held by whole links": (
        STRAIGHT + '[ends]\nstart = "fixed"\nend = "fixed"\nclamp = "link"\nroot = "end"\n',
        "arm",
    ),
    "moved": (STRAIGHT + "pos = [0.1, 0, 0]\nquat = [0.6, 0, 0.8, 0]\n", "world"),
    "mocap": (STRAIGHT + '[ends]\nend = "mocap"\n', "world"),
    "ring": (RING, "world"),
    "branches": (
        STRAIGHT
        + '[ends]\nstart = "fixed"\n'
        + '[[branch]]\nname = "a"\nat = 0.3\nangle = 0.7\nends = { end = "fixed" }\n'
        + 'shape = { type = "straight", length = 0.2, segments = 4 }\n'
        + '[[branch]]\nname = "b"\nat = 0.6\nangle = 0.7\njunction = 0.2\n'
        + 'shape = { type = "straight", length = 0.2, segments = 4 }\n',
        "arm",
    ),
    "stretches": (
        STRAIGHT + '[ends]\nend = "fixed"\n[[stretches]]\nbegin = 0.2\nend = 0.4\nyoung = 5e7\n',
        "arm",
    ),
}


ATTACH = '<attach model="wire" prefix="w_"/>'


def scene(where: str, attached: str = "", asset: str = "") -> str:
    """An arm on a hinge without a motor; `attached` is placed on it or in the world.

    Armature makes the arm heavier than links: with a lighter one `attach` makes holds softer,
    which a decoder, to which the scene is unknown, cannot.
    """
    on_arm, in_world = (attached, "") if where == "arm" else ("", attached)
    return f"""
      <mujoco>
        <option tolerance="1e-12"/>
        <asset>{asset}</asset>
        <worldbody>
          <body name="arm" pos="0 0 .5">
            <joint type="hinge" axis="0 1 0" armature=".002"/>
            <geom size=".02" contype="0" conaffinity="0"/>
            {on_arm}
          </body>
          {in_world}
        </worldbody>
      </mujoco>"""


def with_wire(where: str, attached: str = ATTACH) -> str:
    return scene(where, attached, '<model name="wire" file="wire.cable.toml"/>')


def load(mjcf: str, text: str) -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(mjcf, {"wire.cable.toml": text.encode()})


def run(model: mujoco.MjModel, seconds: float = 0.5) -> np.ndarray:
    data = mujoco.MjData(model)
    for _ in range(round(seconds / model.opt.timestep)):
        mujoco.mj_step(model, data)
    return data.xpos


@pytest.mark.parametrize("name", CABLES)
def test_the_model_equals_that_of_attach(name: str) -> None:
    text, where = CABLES[name]
    text += MATERIAL
    loaded = load(with_wire(where), text)

    cable = cable_file.from_toml(text)
    cable.prefix = "w_"
    if where == "arm":  # below a body a decoder attaches one tree
        for part in (cable, *(branch.cable for branch in cable.branches)):
            part.pieces = "none"
    spec = mujoco.MjSpec.from_string(scene(where))
    strand.attach(spec, cable, where)
    made = spec.compile()

    def names(model: mujoco.MjModel) -> set[str]:
        return {model.body(i).name for i in range(model.nbody)}

    assert names(loaded) == names(made)
    assert (loaded.nq, loaded.nv, loaded.neq) == (made.nq, made.nv, made.neq)
    order = [made.body(loaded.body(i).name).id for i in range(loaded.nbody)]
    np.testing.assert_allclose(loaded.body_mass, made.body_mass[order], rtol=1e-12)
    np.testing.assert_allclose(run(loaded), run(made)[order], atol=1e-6)


def test_a_body_of_the_scene_may_hold_both_ends() -> None:
    model = load(with_wire("arm"), STRAIGHT + '[ends]\nstart = "ball"\nend = "fixed"\n' + MATERIAL)
    assert model.body("w_link0").parentid[0] != 0 or model.body("w_link11").parentid[0] != 0
    data = mujoco.MjData(model)
    for _ in range(500):
        mujoco.mj_step(model, data)
    assert np.abs(data.qpos[0]) > 0.1  # the arm has turned, and the ends with it
    arm = data.body("arm")
    for name, place in (("w_site_start", (0, 0, 0)), ("w_site_end", (0.6, 0, 0))):
        held = arm.xpos + arm.xmat.reshape(3, 3) @ place
        np.testing.assert_allclose(data.site(name).xpos, held, atol=2e-3)


def test_long_branches_stay_in_the_tree_that_a_body_of_the_scene_holds(
    engine_warnings: list[str],
) -> None:
    """MuJoCo attaches nothing with a free joint below a body."""
    text = STRAIGHT + '[ends]\nstart = "fixed"\n[[branch]]\nname = "a"\nat = 0.3\nangle = 0.7\n'
    text += 'shape = { type = "straight", length = 0.6, segments = 40 }\n'
    model = load(with_wire("arm"), text + MATERIAL)
    engine_warnings.clear()  # the scene's time step is another
    assert (model.jnt_type == mujoco.mjtJoint.mjJNT_FREE).sum() == 0


def test_files_beside_the_scene_are_found(tmp_path: Path) -> None:
    (tmp_path / "wire.cable.toml").write_text(STRAIGHT + MATERIAL)
    path = tmp_path / "scene.xml"
    path.write_text(with_wire("world"))
    assert mujoco.MjModel.from_xml_path(str(path)).body("w_link11").id > 0


def test_a_model_may_attach_a_file_twice() -> None:
    a, b = '<attach model="wire" prefix="a_"/>', '<attach model="wire" prefix="b_"/>'
    model = load(with_wire("world", f'{a}<frame pos="0 1 0">{b}</frame>'), STRAIGHT + MATERIAL)
    assert model.nplugin == 2
    place = run(model)
    apart = place[model.body("b_link3").id] - place[model.body("a_link3").id]
    np.testing.assert_allclose(apart, [0, 1, 0], atol=1e-9)


def test_a_file_is_a_spec(tmp_path: Path) -> None:
    path = tmp_path / "wire.cable.toml"
    path.write_text(STRAIGHT + MATERIAL)
    model = mujoco.MjSpec.from_file(str(path)).compile()
    assert model.nbody == 14 and model.body("link6_far").id > 0  # two trees of 6 links
    scene_spec = mujoco.MjSpec()
    frame = scene_spec.worldbody.add_frame()
    scene_spec.attach(mujoco.MjSpec.from_file(str(path)), prefix="w_", frame=frame)
    assert scene_spec.compile().body("w_link11").id > 0


def test_functions_that_read_only_xml_reject_the_file(tmp_path: Path) -> None:
    """As documented in both READMEs."""
    path = tmp_path / "wire.cable.toml"
    path.write_text(STRAIGHT + MATERIAL)
    with pytest.raises(ValueError, match="XML parse error"):
        mujoco.MjModel.from_xml_path(str(path))
    with pytest.raises(ValueError, match="Include error"):
        mujoco.MjModel.from_xml_string(f'<mujoco><include file="{path}"/></mujoco>')


def test_dropped_settings_are_reported(engine_warnings: list[str]) -> None:
    load(with_wire("world"), STRAIGHT + MATERIAL + '[simulation]\nintegrator = "implicitfast"\n')
    assert any("conflict" in said for said in engine_warnings)
    engine_warnings.clear()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (STRAIGHT + MATERIAL + "radius = 2", "damping.radius: got 'a key that is not known'"),
        (
            STRAIGHT + MATERIAL.replace("5e6", "-5e6"),
            "material.young: got '-5e+06', allowed: finite, > 0",
        ),
        (
            STRAIGHT + '[ends]\nend = "pin"\nend_to = "arm"\n' + MATERIAL,
            "ends.end: got 'pin', allowed: free, fixed, ball or mocap",
        ),
        (
            STRAIGHT
            + MATERIAL
            + '[[branch]]\nat = 0.3\nangle = 1\nends = { end = "pin", end_to = "arm" }\n'
            + 'shape = { type = "straight", length = 0.2, segments = 4 }\n',
            "ends.end: got 'pin', allowed: free, fixed, ball or mocap",
        ),
        ("[shape", "syntax: got 'line 1, column "),
    ],
)
def test_bad_files_fail_the_load(text: str, words: str, engine_warnings: list[str]) -> None:
    with pytest.raises(ValueError) as caught:
        load(with_wire("world"), text)
    reason = str(caught.value) if DECODERS_GIVE_REASONS else engine_warnings.pop()
    assert "wire.cable.toml: " in reason and words in reason
