"""Scenes of the core as files, recordings, and the command `strand simulate`."""

import dataclasses
import json
import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from support.shell_scenes import WEIGHTLESS
from typer.testing import CliRunner

from strand import StrandError
from strand.cable import shapes
from strand.cli import app
from strand.draw.stage import can_render
from strand.scene import file as scene_file
from strand.scene import tables as scene_tables
from strand.scene.frames import frame_steps
from strand.simulation import Network, Simulation

ROD = """\
[[rod]]
name = "a"
young = 1e6
radius = 0.01
density = 1000.0
shape = { type = "straight", length = 1.0, segments = 10 }
"""
FIXED = ROD + '[[fix]]\nrod = "a"\nedges = 0\n'
HEAD = "[simulation]\ndt = 0.01\ngravity = [0, 0, -9.81]\nduration = 0.2\n"
OTHER = ROD.replace('"a"', '"b"').replace("shape", "pos = [1, 0, 0]\nshape")


def run(*arguments: object):
    return CliRunner().invoke(app, ["simulate", *map(str, arguments)])


def make(text: str, folder: Path = Path()) -> Simulation:
    return scene_file.from_toml(text, folder).simulation


@pytest.fixture
def hand_made() -> Simulation:
    """The simulation that HEAD + FIXED describes, made in Python."""
    network = Network()
    rod = network.rod(shapes.straight(1.0, 10), young=1e6, radius=0.01, density=1000.0)
    simulation = Simulation(network, dt=0.01, gravity=(0, 0, -9.81))
    simulation.fix_edge(rod.edges[0])
    return simulation


def test_a_file_makes_what_python_makes(hand_made: Simulation) -> None:
    described = make(HEAD + FIXED)
    for simulation in (described, hand_made):
        simulation.run(0.2)
    np.testing.assert_array_equal(described.positions, hand_made.positions)
    assert described.positions[-1, 2] < -0.1


def test_shapes_are_placed_and_rings_closed() -> None:
    ring = ROD.replace(
        '{ type = "straight", length = 1.0, segments = 10 }',
        '{ type = "ring", radius = 0.1, segments = 20 }\npos = [0, 0, 1]\nquat = [1, 1, 0, 0]',
    )
    simulation = make(ring)
    nodes = simulation.positions
    assert nodes.shape == (20, 3) and len(simulation.network.edge_nodes) == 20
    np.testing.assert_allclose(nodes[:, 1], 0, atol=1e-15)
    np.testing.assert_allclose(np.hypot(nodes[:, 0], nodes[:, 2] - 1), 0.1, rtol=0.02)


def test_rods_are_connected_and_clamped() -> None:
    text = ROD + OTHER + '[[connect]]\nrods = ["a", "b"]\nnodes = [-1, 0]\n'
    assert len(make(text).positions) == 21
    ball = make(text + "EI = 0.0\nGJ = 0.0\n")
    assert ball.network.joint_stiffness() == {18: ((0.0, 0.0), 0.0)}
    stiff = HEAD + ROD.replace("1e6", "1e9")
    clamped = make(stiff + '[[clamp]]\nrod = "a"\nend = "start"\n[[fix]]\nrod="a"\nnodes=0\n')
    clamped.solve()
    assert clamped.positions[0].tolist() == [0, 0, 0]
    sag = 1000 * 9.81 / (8 * 1e9 * 0.01**2 / 4)  # q L^4 / 8 EI
    np.testing.assert_allclose(clamped.positions[10, 2], -sag, rtol=0.02)


def test_loads_bend_and_velocities_start() -> None:
    force = make(WEIGHTLESS + FIXED + '[[load]]\nrod = "a"\nnodes = -1\nforce = [0, 0, 1e-3]\n')
    force.solve()
    stiffness = 1e6 * np.pi / 4 * 0.01**4
    np.testing.assert_allclose(force.positions[-1, 2], 1e-3 / (3 * stiffness), rtol=0.2)
    turned = make(WEIGHTLESS + FIXED + '[[load]]\nrod = "a"\nedges = -1\nmoment = 1e-3\n')
    turned.solve()
    twisting = 1e6 / 3 * np.pi / 2 * 0.01**4
    np.testing.assert_allclose(turned.angles[-1], 1e-3 * 0.9 / twisting, rtol=1e-6)
    moving = make(FIXED + '[[velocity]]\nrod = "a"\nvelocity = [0, 0, 1]\n')
    np.testing.assert_array_equal(moving.velocities[:, 2], [0, 0, *[1] * 9])


def test_constant_rates_and_tables_drive(tmp_path: Path) -> None:
    (tmp_path / "hand.csv").write_text("time,x,y,z\n0,0,0,0\n0.1,0.02,0,0.1\n")
    (tmp_path / "turn.csv").write_text("0 0\n0.1 0.5\n")
    text = WEIGHTLESS + "dt = 0.01\n" + FIXED
    text += '[[move]]\nrod = "a"\nnodes = -1\nfile = "hand.csv"\n'
    text += '[[turn]]\nrod = "a"\nedges = -1\nfile = "turn.csv"\n'
    driven = make(text, tmp_path)
    driven.run(0.05)
    np.testing.assert_allclose(driven.positions[-1], [1.01, 0, 0.05], atol=1e-12)
    # Spin accumulates along the solver's iterates: less exact on a moving edge.
    np.testing.assert_allclose(driven.angles[-1], 0.25, atol=1e-6)
    rates = text.replace('file = "hand.csv"', "velocity = [0.2, 0, 1]")
    rates = make(rates.replace('file = "turn.csv"', "rate = 5.0"), tmp_path)
    rates.run(0.05)
    np.testing.assert_allclose(rates.positions, driven.positions, atol=1e-9)


def test_natural_shapes_are_constant_or_driven(tmp_path: Path) -> None:
    curl = '[[natural_curvature]]\nrod = "a"\ncurvature = [0.0, 0.1]\n'
    load = '[[load]]\nrod = "a"\nnodes = -1\nforce = [0, 0, 1e-8]\n'
    curved = make(WEIGHTLESS + FIXED + curl + load)
    curved.solve()
    # Almost without load, every joint takes its natural curvature: an arc.
    turns = 0.1 * np.arange(10)
    ends = np.vstack([[0, 0], np.cumsum(0.1 * np.array([np.cos(turns), np.sin(turns)]).T, axis=0)])
    np.testing.assert_allclose(curved.positions[:, 0], ends[:, 0], atol=1e-6)
    np.testing.assert_allclose(np.abs(curved.positions[:, 1]), ends[:, 1], atol=1e-6)
    twist = '[[natural_twist]]\nrod = "a"\njoints = [0, 1]\ntwist = [0.1, 0.2]\n'
    twisted = make(WEIGHTLESS + FIXED + twist)
    twisted.solve()
    np.testing.assert_allclose(twisted.angles[-1], 0.3, atol=1e-9)
    text = '[[rest_length]]\nrod = "a"\nedges = 3\n'
    longer = make(HEAD + FIXED.replace("1e6", "1e9") + text + "length = 0.2\n")
    longer.solve()
    arclength = np.linalg.norm(np.diff(longer.positions, axis=0), axis=1)
    np.testing.assert_allclose(arclength, [0.1, 0.1, 0.1, 0.2, *[0.1] * 6], rtol=1e-4)
    (tmp_path / "grow.csv").write_text("0 0.1\n0.1 0.2\n")
    grown = make(HEAD + FIXED + text + 'file = "grow.csv"\n', tmp_path)
    grown.run(0.1)
    arclength = np.linalg.norm(np.diff(grown.positions, axis=0), axis=1)
    np.testing.assert_allclose(arclength[3], 0.2, rtol=0.1)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "rod: got none, allowed: one table [[rod]] or more"),
        ("[[rods]]", "rods: got a table that is not known, allowed: simulation, output, floor"),
        ("[rod]", "rod: got {}, allowed: tables [[rod]]"),
        (ROD + "[simulation]\ndt = 0", "simulation.dt: got 0, allowed: a number > 0 (s)"),
        (ROD + "[simulation]\nstep = 1", "simulation.step: got a key that is not known"),
        (ROD + '[simulation]\nmethod = "rk4"', "simulation.method: got 'rk4', allowed: bdf2"),
        (ROD + "[simulation]\nviscosity = -1", "simulation."),
        (ROD + ROD, "rod[1].name: got 'a' again, allowed: each name once"),
        (ROD.replace("1e6", "'soft'"), "rod[0].young: got 'soft', allowed: a number > 0 (Pa)"),
        (ROD.replace("1000.0", "-1"), "rod[0].density: got -1"),
        (ROD.replace("young", "yuong"), "rod[0].yuong: got a key that is not known"),
        (ROD.replace("young = 1e6", ""), "rod[0].young: got nothing, allowed: a number > 0 (Pa)"),
        (ROD.replace("straight", "bow"), "rod[0].shape.type: got 'bow', allowed: straight, points"),
        (ROD.replace("length", "l"), "rod[0].shape.l: got a key that is not known, allowed: type"),
        (ROD + '[[clamp]]\nrod = "b"\nend = "start"', "clamp[0].rod: got 'b', allowed: a"),
        (ROD + '[[fix]]\nrod = "a"', "fix[0]: got no nodes, allowed: nodes, edges or spins"),
        (ROD + '[[fix]]\nrod = "a"\nnodes = 11', "fix[0].nodes: got 11, allowed: -11 to 10"),
        (ROD + '[[fix]]\nrod = "a"\nnodes = 0\naxes = "w"', "fix[0].axes: got 'w', allowed: some"),
        (ROD + '[[fix]]\nrod = "a"\nnodes = true', "fix[0].nodes: got True, allowed: an index"),
        (ROD + '[[load]]\nrod = "a"\nforce = [0, 0, 1]', "load[0]: got both or none, allowed: one"),
        (ROD + '[[load]]\nrod = "a"\nnodes = 0', "load[0]: got none, allowed: one of force and"),
        (
            ROD + '[[load]]\nrod = "a"\nnodes = 0\nforce = [0, 0, nan]',
            "load[0].force: got [0, 0, nan], allowed: 3 finite numbers (N)",
        ),
        (
            FIXED + '[[move]]\nrod = "a"\nnodes = 1\nvelocity = [1, 0, 0]',
            "move[0].nodes: got nodes fixed or driven by fix[0], allowed: nodes that no other",
        ),
        (
            FIXED + '[[turn]]\nrod = "a"\nedges = [3, 0]\nrate = 1',
            "turn[0].edges: got edges fixed or driven by fix[0], allowed: edges that no other",
        ),
        (
            ROD + '[[move]]\nrod = "a"\nnodes = 1\nvelocity = [1, 0, 0]\n' * 2,
            "move[1].nodes: got nodes fixed or driven by move[0]",
        ),
        (
            ROD + '[[move]]\nrod = "a"\nnodes = 1\nfile = "none.csv"',
            "move[0].file: got 'none.csv', allowed: a readable file",
        ),
        (
            ROD + '[[natural_curvature]]\nrod = "a"\ncurvature = [1, 2, 3]',
            "natural_curvature[0].curvature: got 3, allowed: 2 or 18 numbers",
        ),
        (ROD + '[output]\nsize = "wide"', "output.size: got 'wide', allowed: WIDTHxHEIGHT"),
        (ROD + '[output]\npicture = "a.jpg"', "output.picture: got 'a.jpg', allowed: a path that"),
        (ROD + '[output]\nseries = ["heat"]', "output.series: got ['heat'], allowed: some of"),
    ],
)
def test_bad_files_name_table_and_key(text: str, words: str) -> None:
    with pytest.raises(StrandError) as caught:
        make(text)
    assert str(caught.value).startswith(words)


@pytest.mark.parametrize(
    ("text", "meant"),
    [("[simulation]\ngrvity = 1", "gravity"), ("[simulaton]\ndt = 1", "simulation")],
)
def test_errors_suggest_the_intended_key(text: str, meant: str) -> None:
    with pytest.raises(StrandError, match=rf"not known, .*; did you mean '{meant}'\?$"):
        make(ROD + text)


def test_a_table_of_another_width_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "hand.csv").write_text("0 1 2\n1 1 2\n")
    text = ROD + '[[move]]\nrod = "a"\nnodes = 1\nfile = "hand.csv"'
    with pytest.raises(StrandError, match=r"^move\[0\].file: got 2 columns beside the time, allow"):
        make(text, tmp_path)


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ("t,x_mm,y_mm,z_mm", "move[0].file: got the column 'x_mm', allowed: SI units"),
        ("t,x (mm),y (mm),z (mm)", "move[0].file: got the column 'x (mm)', allowed: SI units"),
        ("t,z,y,x", "move[0].file: got the columns t, z, y, x, allowed: x, y, z in this order"),
        ("time_ms,x,y,z", "got 'time_ms', allowed: the time in s"),
    ],
)
def test_names_of_columns_that_contradict_the_scene(tmp_path: Path, names: str, words: str) -> None:
    (tmp_path / "hand.csv").write_text(f"{names}\n0,0,0,0\n1,0,0,0\n")
    text = ROD + '[[move]]\nrod = "a"\nnodes = 1\nfile = "hand.csv"\n'
    with pytest.raises(StrandError, match=re.escape(words)):
        make(text, tmp_path)


def test_columns_may_be_chosen_in_another_order(tmp_path: Path) -> None:
    (tmp_path / "hand.csv").write_text("t,x,y,z\n0,0,0,0\n1,0,0,0\n")
    text = ROD + '[[move]]\nrod = "a"\nnodes = 1\nfile = "hand.csv"\n'
    make(text + 'columns = ["z", "y", "x"]\n', tmp_path)


def test_columns_of_places_are_checked_too(tmp_path: Path) -> None:
    (tmp_path / "nodes.csv").write_text("x_mm,y_mm,z_mm\n" + "0,0,0\n" * 11)
    with pytest.raises(StrandError, match=r"place\[0\]\.file: got the column 'x_mm'"):
        make(ROD + '[[place]]\nrod = "a"\nfile = "nodes.csv"\n', tmp_path)


DRIVEN = HEAD + FIXED + '[[move]]\nrod = "a"\nnodes = -1\nfile = "hand.csv"\n'


def test_a_restart_continues_bitwise_the_same(tmp_path: Path) -> None:
    (tmp_path / "hand.csv").write_text("0 0 0 0\n0.1 0 0.05 0\n0.2 0 0.02 0.1\n")
    scene = tmp_path / "scene.toml"
    scene.write_text(DRIVEN)
    half, end, whole = (tmp_path / f"{name}.npz" for name in ("half", "end", "whole"))
    assert run(scene, "--checkpoint", whole).exit_code == 0
    assert run(scene, "--duration", 0.1, "--checkpoint", half).exit_code == 0
    result = run(scene, "--duration", 0.1, "--restart", half, "--checkpoint", end)
    assert result.exit_code == 0, result.output
    with np.load(whole) as one, np.load(end) as other, np.load(half) as before:
        for name in one.files:
            np.testing.assert_array_equal(one[name], other[name])
        assert not np.array_equal(one["q"], before["q"])


def test_out_has_the_samples_of_the_run(tmp_path: Path, hand_made: Simulation) -> None:
    scene = tmp_path / "scene.toml"
    series = 'series = ["velocity", "spin", "reaction", "kinetic_energy", "potential_energy"]\n'
    scene.write_text(HEAD + FIXED + f'[output]\nfile = "run.npz"\nevery = 0.05\n{series}')
    assert run(scene).exit_code == 0
    hand_made.run(0.2)
    with np.load(tmp_path / "run.npz") as found:
        np.testing.assert_allclose(found["time"], [0, 0.05, 0.1, 0.15, 0.2], atol=1e-12)
        assert found["positions"].shape == (5, 11, 3) and found["directors"].shape == (5, 10, 3)
        np.testing.assert_array_equal(found["positions"][-1], hand_made.positions)
        np.testing.assert_array_equal(found["velocity"][-1], hand_made.velocities)
        assert found["spin"].shape == (5, 10) and found["reaction"].shape == (5, 11, 3)
        total = found["kinetic_energy"] + found["potential_energy"]
        np.testing.assert_allclose(total - total[0], 0, atol=0.02 * found["kinetic_energy"].max())


@pytest.mark.parametrize("name", ["run.csv", "run.pvd"])
def test_other_formats(tmp_path: Path, name: str) -> None:
    scene = tmp_path / "scene.toml"
    scene.write_text(HEAD + FIXED)
    assert run(scene, "--out", tmp_path / name, "--every", 0.1).exit_code == 0
    text = (tmp_path / name).read_text()
    if name == "run.csv":
        assert len(text.splitlines()) == 4 and text.startswith("time (s),position_0_x (m)")
    else:
        assert len(re.findall("<DataSet ", text)) == len(list(tmp_path.glob("run_*.vtp"))) == 3


def test_recording_changes_nothing_and_errors_leave_no_file(
    tmp_path: Path, hand_made: Simulation
) -> None:
    other = make(HEAD + FIXED)
    with other.record(tmp_path / "a.npz", every=0.03, series=("reaction", "potential_energy")):
        other.run(0.2)
    hand_made.run(0.2)
    np.testing.assert_array_equal(other.positions, hand_made.positions)
    with pytest.raises(KeyError), other.record(tmp_path / "b.npz"):
        other.run(0.02)
        raise KeyError
    assert [path.name for path in tmp_path.iterdir()] == ["a.npz"]
    for arguments, words in (
        ({"path": tmp_path / "a.txt"}, "ends in .csv, .npz or .pvd"),
        ({"path": tmp_path / "a.csv", "every": 0.0}, "every: got 0.0"),
        ({"path": tmp_path / "a.csv", "series": ["heat"]}, "series: got 'heat'"),
        ({"path": tmp_path / "none" / "a.csv"}, "allowed: a writable file"),
    ):
        with pytest.raises(StrandError, match=words):
            other.record(**arguments)


def test_a_python_scene_runs(tmp_path: Path) -> None:
    scene = tmp_path / "scene.py"
    scene.write_text(
        "from strand import straight\nfrom strand.simulation import Network, Simulation\n"
        "def make():\n    network = Network()\n"
        "    rod = network.rod(straight(1.0, 10), young=1e6, radius=0.01, density=1000.0)\n"
        "    return Simulation(network, gravity=(0, 0, -9.81))\n"
    )
    result = run(scene, "--duration", 0.05, "--out", tmp_path / "a.csv")
    assert result.exit_code == 0 and "t = 0.05 s after 50 steps" in result.output
    scene.write_text("def make():\n    return 3\n")
    with pytest.raises(StrandError, match="make: got int, allowed: a Simulation"):
        scene_file.load(scene)
    scene.write_text("")
    with pytest.raises(StrandError, match="make: got nothing"):
        scene_file.load(scene)
    for content in (bytes(range(256)), b"def make(:\n"):
        scene.write_bytes(content)
        with pytest.raises(StrandError, match=r"^scene: got .*allowed: a readable Python file \("):
            scene_file.load(scene)


STOPPING = """
import os, signal
from strand import straight
from strand.simulation import Network, Simulation

def make():
    network = Network()
    rod = network.rod(straight(1.0, 10), young=1e6, radius=0.01, density=1000.0)
    simulation = Simulation(network, dt=0.01, gravity=(0, 0, -9.81))

    def still(time):
        if time == {stop}:
            os.kill(os.getpid(), signal.SIGTERM)
        return [0, 0, 0]

    simulation.move_node(rod.nodes[0], still)
    return simulation
"""


def test_the_rest_of_a_stopped_run_keeps_its_options_and_its_first_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    scene, first = Path("my scene.py"), Path("a b.npz")
    scene.write_text(STOPPING.format(stop="0.04"))
    Path("a b.2.npz").write_text("mine")
    options = ("--out", first, "--every", 0.02, "--json", "a.json", "--size", "64x48")
    stopped = run(scene, "--duration", 0.4, *options)
    assert stopped.exit_code == 128 + 15
    (line,) = re.findall("to continue: (.*)", stopped.output)
    program, command, *words = shlex.split(line)
    given = dict(zip(words[1::2], words[2::2], strict=True))
    assert (program, command, words[0]) == ("strand", "simulate", str(scene))
    assert given["--out"] == "a b.3.npz" and given["--every"] == "0.02"
    assert (given["--json"], given["--size"]) == ("a.json", "64x48")
    before = first.read_bytes()
    scene.write_text(STOPPING.format(stop="None"))
    assert run(*words).exit_code == 0
    assert first.read_bytes() == before and Path("a b.2.npz").read_text() == "mine"
    whole = run(scene, "--duration", 0.4, "--out", "whole.npz", "--every", 0.02)
    assert whole.exit_code == 0
    rest, all_of_it = np.load("a b.3.npz"), np.load("whole.npz")
    assert rest["time"][-1] == pytest.approx(0.4)
    np.testing.assert_array_equal(rest["positions"][-1], all_of_it["positions"][-1])


def test_after_a_solver_failure_earlier_samples_are_written(tmp_path: Path) -> None:
    scene, out = tmp_path / "scene.toml", tmp_path / "run.npz"
    (tmp_path / "hand.csv").write_text("0 0 0 0\n0.1 0 0 0\n0.2 0 0.5 0\n")
    # At rest until it is driven; then one Newton iteration is too few.
    text = DRIVEN.replace("dt = 0.01", "dt = 0.01\nleast_dt = 0.004\nmax_iterations = 1")
    scene.write_text(text.replace("-9.81", "0"))
    result = run(scene, "--out", out, "--json", tmp_path / "a.json")
    report = json.loads((tmp_path / "a.json").read_text())
    assert report["passed"] is False and "did not converge" in report["results"][0]["failure"]
    assert result.exit_code == 1 and "did not converge" in result.output
    with np.load(out) as found:
        np.testing.assert_allclose(found["time"][-1], 0.1)


@pytest.mark.skipif(not can_render(), reason="MuJoCo cannot render here")
def test_a_picture_is_drawn(tmp_path: Path) -> None:
    scene, picture = tmp_path / "scene.toml", tmp_path / "a.png"
    scene.write_text(HEAD + FIXED)
    assert run(scene, "--picture", picture).exit_code == 0
    assert Image.open(picture).size == (1280, 960)
    assert run(scene, "--picture", picture, "--size", "320x200").exit_code == 0
    assert Image.open(picture).size == (320, 200)


@pytest.mark.skipif(not can_render(), reason="MuJoCo cannot render here")
def test_a_film_is_made(tmp_path: Path) -> None:
    pytest.importorskip("imageio_ffmpeg")
    scene, film = tmp_path / "scene.toml", tmp_path / "a.mp4"
    scene.write_text(HEAD + FIXED)
    assert run(scene, "--film", film).exit_code == 0
    assert film.stat().st_size > 1000


@pytest.mark.parametrize("dt", [0.002, 0.0225, 0.05])
def test_a_film_takes_as_long_as_the_run(tmp_path: Path, dt: float) -> None:
    ffmpeg = pytest.importorskip("imageio_ffmpeg")
    scene, film = tmp_path / "scene.toml", tmp_path / "a.mp4"
    scene.write_text(HEAD.replace("dt = 0.01", f"dt = {dt}") + FIXED)
    assert run(scene, "--duration", 0.9, "--film", film, "--size", "64x48").exit_code == 0
    assert ffmpeg.count_frames_and_secs(str(film))[0] == 28  # at 0, 1 / 30, ..., 27 / 30 s


def test_frames_are_taken_at_the_first_step_at_or_after_their_times() -> None:
    assert frame_steps(10, 0.01, 25.0) == [0, 4, 8]
    assert frame_steps(8, 0.025, 30.0) == [0, 2, 3, 4, 6, 7, 8]
    assert frame_steps(2, 0.1, 30.0) == [0, 1, 1, 1, 2, 2, 2]
    assert frame_steps(0, 0.1, 30.0) == [0]


def test_schema_and_example(tmp_path: Path) -> None:
    text = run("--schema").output
    for name, kind in (scene_tables.ONCE | scene_tables.OFTEN).items():
        assert f"[{name}]" in text
        for field in dataclasses.fields(kind):
            assert re.search(rf"^{field.name}( = |, required: )", text, re.MULTILINE)
    example = tmp_path / "example.toml"
    assert run("--example", example).exit_code == 0
    result = run(example, "--duration", 0.1)
    assert result.exit_code == 0, result.output
    assert (tmp_path / "cable.npz").is_file()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "scene: got nothing"),
        (("scene.txt",), "scene: got 'scene.txt', allowed: a file that ends in .py or .toml"),
        (("none.py",), "scene: got 'none.py', allowed: a readable Python file (No such file"),
        (("none.toml",), "file: got 'none.toml', allowed: a readable TOML file"),
    ],
)
def test_bad_arguments(arguments: tuple, words: str) -> None:
    result = run(*arguments)
    assert isinstance(result.exception, StrandError)
    assert str(result.exception).startswith(words)


def test_bad_options_are_rejected_before_the_run(tmp_path: Path) -> None:
    scene = tmp_path / "scene.toml"
    scene.write_text(FIXED)
    for arguments, words in (
        ((), "duration: got nothing"),
        (("--duration", -1), "duration: got -1.0"),
        (("--duration", 1, "--picture", "a.jpg"), "picture: got 'a.jpg'"),
        (("--duration", 1, "--size", "4"), "size: got '4'"),
        (("--duration", 1, "--size", "641x480", "--film", "a.mp4"), "size: got '641x480', allowed"),
        (("--duration", 1, "--checkpoint", "a.txt"), "checkpoint: got 'a.txt'"),
        (("--duration", 1, "--restart", tmp_path / "none.npz"), "none.npz"),
    ):
        result = run(scene, *arguments)
        assert isinstance(result.exception, StrandError) and words in str(result.exception)
