"""Cables as TOML files, and the command `strand generate`."""

import dataclasses
import json

import mujoco
import numpy as np
import pytest
from typer.testing import CliRunner

import strand
from strand import StrandError, _strand, adapter
from strand.cable import cable_file
from strand.cable.cable import OPTIONS
from strand.cli import app
from strand.mujoco_versions import BEST_INTEGRATOR
from strand.scene import file as scene_file

MATERIAL = "[material]\nEI = 0.01\nGJ = 0.008\n"
STRAIGHT = '[shape]\ntype = "straight"\nlength = 1.0\nsegments = 10\n'

SHAPES = {
    'type = "straight"\nlength = 1.0\nsegments = 10': strand.straight(1.0, 10),
    'type = "arc"\nlength = 1.0\nangle = 2.0\nsegments = 10': strand.arc(1.0, 2.0, 10),
    'type = "helix"\nradius = 0.1\npitch = 0.1\nturns = 2\nsegments = 30': strand.helix(
        0.1, 0.1, 2, 30
    ),
    'type = "ring"\nradius = 0.2\nsegments = 20': strand.ring(0.2, 20),
    'type = "points"\npoints = [[0, 0, 0], [1, 0, 0], [1, 1, 0]]': np.array(
        [[0, 0, 0], [1, 0, 0], [1, 1, 0]]
    ),
    'type = "spline"\npoints = [[0, 0, 0], [1, 0, 0], [1, 1, 0]]\nsegments = 12': strand.spline(
        [[0, 0, 0], [1, 0, 0], [1, 1, 0]], 12
    ),
}


def run(*arguments):
    return CliRunner().invoke(app, ["generate", *map(str, arguments)])


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape(shape: str) -> None:
    cable = cable_file.from_toml(f"[shape]\n{shape}\n{MATERIAL}")
    np.testing.assert_array_equal(cable.nodes, SHAPES[shape])
    assert cable.closed == ("ring" in shape)
    assert mujoco.MjModel.from_xml_string(cable.to_mjcf()).nplugin == 1


def test_a_ring_may_be_open_and_a_spline_closed() -> None:
    ring = '[shape]\ntype = "ring"\nradius = 0.2\nsegments = 20\n'
    assert not cable_file.from_toml(ring + "closed = false\n" + MATERIAL).closed
    assert not cable_file.from_toml(ring + "overlap = 1\n" + MATERIAL).closed
    points = '[shape]\ntype = "spline"\npoints = [[0, 0, 0], [1, 0, 0], [1, 1, 0]]\nsegments = 12\n'
    cable = cable_file.from_toml(points + "closed = true\n" + MATERIAL)
    assert cable.closed
    np.testing.assert_allclose(cable.nodes[0], cable.nodes[-1], atol=1e-12)


def test_every_table_reaches_the_cable() -> None:
    cable = cable_file.from_toml(
        'prefix = "hose_"\n'
        + STRAIGHT
        + "pos = [0, 0, 1]\nquat = [0, 0, 0, 1]\nnormal = [0, 0, 1]\n"
        '[section]\nsection = "tube"\nradius = 0.01\ninner_radius = 0.008\n'
        "[material]\nyoung = 1e6\npoisson = 0.4\ndensity = 1200.0\n"
        "[[stretches]]\nbegin = 0.2\nend = 0.4\nyoung = 1e7\n"
        '[elasticity]\nrest = "straight"\nrest_twist = 1.0\ntwist = "dynamic"\n'
        "[damping]\nloss_time = 0.01\n"
        '[ends]\nstart = "fixed"\nend = "mocap"\nclamp = "link"\nroot = "end"\n'
        "[contact]\nfriction = [0.5, 0.01]\nmargin = 0.001\n"
        "[look]\nskin = true\n"
        '[simulation]\nintegrator = "implicitfast"\ntimestep = 0.001\n'
    )
    assert (cable.prefix, cable.section, cable.inner_radius) == ("hose_", "tube", 0.008)
    assert cable.stretches == [strand.Stretch(0.2, 0.4, young=1e7)]
    assert (cable.start, cable.end, cable.clamp, cable.root) == ("fixed", "mocap", "link", "end")
    model = mujoco.MjModel.from_xml_string(cable.to_mjcf())
    assert model.opt.timestep == 0.001 and model.nskin == 1
    area = np.pi * (0.01**2 - 0.008**2)
    assert model.body_mass.sum() == pytest.approx(1200 * area, rel=1e-9)


def test_keys_go_to_the_plugin() -> None:
    text = STRAIGHT + MATERIAL + '[keys]\nholds = "cable_link3"\n'
    assert 'key="holds" value="cable_link3"' in cable_file.from_toml(text).to_mjcf()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("shape = 3", "shape: got '3', allowed: a table [shape]"),
        (STRAIGHT + "pos = 3", "shape.pos: got '3', allowed: three numbers (m)"),
        ("damping = 3\n" + STRAIGHT, "damping: got '3', allowed: a table [damping]"),
        (MATERIAL, "shape: got 'nothing', allowed: a table with type: straight, points"),
        ('[shape]\ntype = "circle"', "shape.type: got 'circle', allowed: straight, points"),
        ('[shape]\ntype = "arc"\nlength = 1', "shape.angle: got 'nothing', allowed: a value"),
        (STRAIGHT + "legnth = 2", "shape.legnth: got 'a key that is not known', allowed: type, "),
        (STRAIGHT + "[section]\nraduis = 2", "section.raduis: got 'a key that is not known'"),
        (STRAIGHT + "[sction]\nradius = 2", "sction: got 'a table that is not known', allowed: "),
        (
            STRAIGHT + '[section]\nradius = "2"',
            "section.radius: got '2', allowed: a number > 0 (m)",
        ),
        (
            STRAIGHT + "[section]\nradius = nan",
            "section.radius: got 'nan', allowed: a number > 0 (m)",
        ),
        (STRAIGHT + "[ends]\nstart = 1", "ends.start: got '1', allowed: free, fixed, ball"),
        (STRAIGHT + "[contact]\ncollide = 1", "contact.collide: got '1', allowed: true or false"),
        (
            STRAIGHT + "[stretches]\nbegin = 1",
            "stretches: got '{begin = 1}', allowed: a list of tables",
        ),
        (STRAIGHT + "[[stretches]]\nEI = 1", "stretches.begin: got 'nothing', allowed: an arc"),
        (STRAIGHT + "[[stretches]]\nyoung = 1\nmu = 2", "stretches.mu: got 'a key that is not"),
        ("[shape\n", "syntax: got 'line 1"),
        (
            STRAIGHT + f"[ends]\nstart = '{'é' * 300}'",
            f"ends.start: got '{'é' * 100}...', allowed: free",
        ),
        (
            STRAIGHT + f"[ends]\nstart = 'x{'é' * 300}'",
            f"ends.start: got 'x{'é' * 99}...', allowed: ",
        ),
    ],
)
def test_bad_files_name_the_key(text: str, words: str) -> None:
    with pytest.raises(StrandError) as caught:
        cable_file.from_toml(text)
    assert str(caught.value).startswith(words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[section]\nraduis = 2", "; did you mean 'radius'?"),
        ("[sction]\nradius = 2", "; did you mean 'section'?"),
        ("[material]\nradius = 2", "; it belongs in [section]"),
        ("[material]\nprefix = 'a'", "; it belongs at the top, above all tables"),
        ("[[stretches]]\nyuong = 1", "; did you mean 'young'?"),
        ("[section]\nqqqqqqqq = 2", "width, height"),
    ],
)
def test_errors_suggest_the_intended_key(text: str, words: str) -> None:
    with pytest.raises(StrandError) as caught:
        cable_file.from_toml(STRAIGHT + text)
    assert str(caught.value).endswith(words)
    with pytest.raises(StrandError, match=r"legnth: .*; did you mean 'length'\?$"):
        cable_file.from_toml(STRAIGHT + "legnth = 2")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[material]\nEI = -1.0\nGJ = 1.0", "material.EI: got '-1', allowed: finite, > 0"),
        ("[material]\nEI = 1.0", "material.GJ: got 'nothing'"),
        (MATERIAL + "[contact]\ncondim = 2", "contact.condim: got '2'"),
        (MATERIAL + "[damping]\ndamping = -1", "damping.damping: got '-1'"),
    ],
)
def test_errors_name_file_table_and_key(tmp_path, text: str, words: str) -> None:
    path = tmp_path / "bad.cable.toml"
    path.write_text(STRAIGHT + text)
    with pytest.raises(StrandError) as caught:
        strand.load_cable(path)
    assert str(caught.value).startswith(f"{path}: {words}")


def test_scenes_and_cables_are_distinguished(tmp_path) -> None:
    cable, scene = tmp_path / "a.cable.toml", tmp_path / "scene.toml"
    cable.write_text(cable_file.EXAMPLE)
    scene.write_text(scene_file.EXAMPLE)
    for command, path, other in (("simulate", cable, "generate"), ("generate", scene, "simulate")):
        result = CliRunner().invoke(app, [command, str(path)])
        assert isinstance(result.exception, StrandError)
        assert str(result.exception).startswith(f"{path}: ")
        assert f"strand {other} FILE" in str(result.exception)


def test_paths_are_accepted_for_cables(tmp_path) -> None:
    path, output = tmp_path / "a.cable.toml", tmp_path / "a.xml"
    path.write_text(cable_file.EXAMPLE)
    cable = strand.load_cable(path)
    assert isinstance(cable, strand.Cable) and len(cable.nodes) == 41
    assert strand.generate(path, output) == output.read_text() == strand.generate(cable)
    assert strand.generate(str(path)) == output.read_text()
    spec = mujoco.MjSpec()
    assert strand.attach(spec, path) == strand.attach(mujoco.MjSpec(), cable)
    assert spec.body("cable_link39") is not None


def test_numbers_are_as_short_as_they_can_be() -> None:
    cable = strand.Cable(strand.straight(1.0, 10), EI=(0.1, 0.07), GJ=0.008, rest_twist=0.3)
    text = cable.to_mjcf()
    for key, value in (("EI", "0.1 0.07"), ("GJ", "0.008"), ("rest_twist", "0.3")):
        assert f'<config key="{key}" value="{value}"/>' in text


def test_defaults_of_files_are_those_of_python() -> None:
    nodes = strand.straight(1.0, 10)
    described = _strand.describe_cable({"EI": 0.01, "GJ": 0.008}, nodes)
    made = adapter.load().generate(described)
    assert made == strand.Cable(nodes, EI=0.01, GJ=0.008).generate()


def test_files_and_python_have_the_same_options() -> None:
    fields = {field.name for field in dataclasses.fields(strand.Cable)}
    assert fields == {"nodes", *OPTIONS}


def test_the_schema_lists_every_option_and_shape() -> None:
    text = run("--schema").output
    for field in dataclasses.fields(strand.Cable):
        if field.name not in ("nodes", "keys", "stretches", "branches"):
            assert f"\n{field.name} = " in text
    for shape in ("straight(", "points(", "spline(", "arc(", "helix(", "ring(", "[[stretches]]"):
        assert shape in text
    for field in dataclasses.fields(strand.Branch):
        assert field.name == "cable" or f"\n{field.name}: " in text


def test_the_example_generates_a_model_that_runs(tmp_path) -> None:
    example, output, figures = (tmp_path / name for name in ("a.toml", "a.xml", "a.json"))
    assert run("--example", example).exit_code == 0
    result = run(example, "-o", output, "--json", figures)
    assert result.exit_code == 0
    assert f"integrator {BEST_INTEGRATOR}" in result.output
    model = mujoco.MjModel.from_xml_path(str(output))
    document = json.loads(figures.read_text())
    assert document["passed"] is True and document["results"][0]["links"] == 40
    assert document["results"][0]["mass"] == pytest.approx(model.body_mass.sum())
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 500)
    assert not data.warning.number.any()


@pytest.mark.filterwarnings("ignore:Attach conflict")
def test_one_tree_can_be_attached_below_a_body(tmp_path) -> None:
    """MuJoCo allows the free joints of other pieces in the world only."""
    path = tmp_path / "cable.toml"

    def attached(pieces: str) -> mujoco.MjModel:
        path.write_text(cable_file.EXAMPLE.replace("[ends]", f"[ends]\npieces = {pieces}"))
        mjcf = run(path, "-o", tmp_path / "cable.xml", "--no-stage")
        assert mjcf.exit_code == 0, mjcf.output
        scene = mujoco.MjSpec()
        gripper = scene.worldbody.add_body(name="gripper")
        gripper.add_geom(size=[0.02, 0, 0])
        cable = mujoco.MjSpec.from_file(str(tmp_path / "cable.xml"))
        scene.attach(cable, frame=gripper.add_frame(), prefix="held_")
        return scene.compile()

    assert attached('"none"').nplugin == 1
    with pytest.raises(ValueError, match="free joint can only be used on top level"):
        attached('"auto"')


def test_without_output_the_model_is_printed(tmp_path) -> None:
    path = tmp_path / "cable.toml"
    path.write_text(STRAIGHT + MATERIAL)
    result = run(path)
    assert result.exit_code == 0 and "<mujoco" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "cable: got nothing"),
        (("nothing.toml",), "file: got 'nothing.toml', allowed: a readable TOML file"),
    ],
)
def test_bad_arguments(arguments, words: str) -> None:
    result = run(*arguments)
    assert isinstance(result.exception, StrandError)
    assert words in str(result.exception)


def test_a_bad_file_writes_nothing(tmp_path) -> None:
    path, output = tmp_path / "cable.toml", tmp_path / "cable.xml"
    path.write_text(STRAIGHT + "[material]\nEI = -1\nGJ = 1\n")
    result = run(path, "-o", output)
    assert isinstance(result.exception, StrandError) and "EI: got '-1'" in str(result.exception)
    assert not output.exists()
