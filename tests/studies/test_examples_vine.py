"""Published scenes of growing robots, their files and pictures, users' scenes, and the benchmark.

With STRAND_DATA set to the directory of the references (`vine_reference/`, `vine/`; not part of the
package), states are compared step by step and the published film is fitted.
"""

import importlib
import json
import os
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from support.examples import assert_rows, value
from typer.testing import CliRunner

from strand import StrandError, cli, vine
from strand.scene import file as scene_file
from strand.scene import vine_runner as runner
from strand.vine import drawing, published
from strand.vine.state_file import write_states
from strand_studies.bench import environments, peer_process, vines
from strand_studies.published.frames import Frames

pytestmark = pytest.mark.slow

DATA = os.environ.get("STRAND_DATA")
#: Number of figures that each judges without the data, and how many more with it.
JUDGED = {
    "vine_runtime": (5, 1),
    "vine_cluttered": (5, 1),
    "vine_oscillation": (7, 1),
    "vine_wall": (3, 3),
}


@cache
def report(name: str):
    return importlib.import_module(f"strand_studies.published.{name}").run()


@pytest.mark.parametrize("name", JUDGED)
def test_figures_meet_their_references(name: str) -> None:
    rows = report(name).results
    without, more = JUDGED[name]
    assert_rows(rows, without + (more if DATA else 0))
    assert ("STRAND_DATA is not set" in report(name).note) == (not DATA)


def test_another_number_of_bodies_is_another_robot() -> None:
    run = importlib.import_module("strand_studies.published.vine_runtime").run
    coarse = run(compat=True, bodies=20)
    assert not any("default" in row["figure"] for row in coarse.results)
    assert all(row["reference"] is None for row in coarse.results if "tip" in row["figure"])
    assert abs(value(coarse, "published step: tip x at the end") - 556.04) > 0.1
    with pytest.raises(StrandError, match="bodies: got 7, allowed: even numbers from 2 to 20000"):
        run(bodies=7)


def test_states_and_pictures_are_written(tmp_path: Path) -> None:
    state, pictures = tmp_path / "states.csv", tmp_path / "pictures"
    arguments = ["example", "vine_runtime", "--compat", "--bodies", "10"]
    arguments += ["--state", str(state), "--frames", str(pictures)]
    done = CliRunner().invoke(cli.app, [*arguments, "--json", str(tmp_path / "figures.json")])
    assert done.exit_code == 0, done.output
    rows = np.loadtxt(state, delimiter=",", skiprows=1)
    assert rows.shape == (400, 2 + 60)
    header = state.read_text().splitlines()[0].split(",")
    assert header[:5] == ["step", "t_s", "x1", "y1", "th1"]
    assert header[-3:] == ["vx10", "vy10", "w10"]
    figures = json.loads((tmp_path / "figures.json").read_text())["results"]
    tip = rows[-1, 29:31] + 20 * np.array([np.cos(rows[-1, 31]), np.sin(rows[-1, 31])])
    np.testing.assert_allclose([figures[0]["value"], figures[1]["value"]], tip, atol=1e-9)
    assert len(list(pictures.glob("vine_runtime_*.png"))) == 5


def test_option_bodies_is_for_growing_robots() -> None:
    done = CliRunner().invoke(cli.app, ["example", "helix", "--bodies", "10"])
    assert done.exit_code != 0
    assert "bodies: got 10, allowed: with vine_runtime" in str(done.exception or done.output)


def test_columns_of_later_bodies_are_left_empty(tmp_path: Path) -> None:
    material = vine.Material(EI=2e-3)
    chain = vine.uniform_chain(material, 0.06, 3, diameter=0.01, capacity=9)
    robot = vine.Robot(chain, growth="tip", material=material, segment=0.02, diameter=0.01)
    path = tmp_path / "states.csv"
    write_states(path, robot.run(100, 0.04))
    lines = path.read_text().splitlines()
    assert {line.count(",") for line in lines} == {1 + 2 * 3 * 2 * robot.pairs}
    assert lines[1].count(",,") > 0
    assert ",," not in lines[-1]


def test_pictures_show_robot_and_obstacles() -> None:
    robot = published.cluttered(20)
    lines = [step for step in robot.run(60, published.CLUTTERED_RATE).lines]
    painter = drawing.Painter(lines, robot.diameter, robot.obstacles)
    first, last = painter.picture(lines[0]), painter.picture(lines[-1], lines[-1][-1:])
    assert first.shape == last.shape
    assert first.shape[0] % 2 == first.shape[1] % 2 == 0
    blue, red = (31, 95, 168), (200, 80, 45)
    assert (last == blue).all(axis=2).sum() > (first == blue).all(axis=2).sum() > 1000
    assert (last == red).all(axis=2).any()
    assert not (first == red).all(axis=2).any()


OF_RATES = ("velocity_x (m/s)", "velocity_y (m/s)", "rate (rad/s)")
SCENE = """
[vine]
length = 0.1
segments = 5
diameter = 0.01
EI = 2e-3
bending_damping = 5e-3
mass_per_length = 0.05
growth = "tip"

[growth]
rate = 0.04

[simulation]
duration = 1.0
friction = 0.3

[[obstacle]]
type = "circle"
centre = [0.17, 0.02]
radius = 0.02

[output]
file = "states.csv"
every = 0.1
picture = "end.png"
"""


def test_a_scene_runs(tmp_path: Path) -> None:
    (tmp_path / "scene.toml").write_text(SCENE)
    done = CliRunner().invoke(cli.app, ["simulate", str(tmp_path / "scene.toml")])
    assert done.exit_code == 0, done.output
    assert "length 0.14 m" in done.output
    rows = (tmp_path / "states.csv").read_text().splitlines()
    assert len(rows) == 12
    header = rows[0].split(",")
    assert header[:4] == ["time (s)", "body_0_x (m)", "body_0_y (m)", "body_0_heading (rad)"]
    assert header[4:7] == [f"body_0_{name}" for name in OF_RATES]
    last = rows[-1].split(",")
    assert last[0] == "1"
    # The last body of 7 pairs ends at the tip, 0.14 m along the robot.
    x, y, heading = map(float, last[-6:-3])
    tip = scene_file.load(tmp_path / "scene.toml")
    assert runner.run(tip, 1.0).tip[0] > x > 0.12
    assert abs(y) < 0.05 and abs(heading) < 1
    assert (tmp_path / "end.png").stat().st_size > 1000


def test_states_are_written_as_arrays(tmp_path: Path) -> None:
    text = SCENE.split("[output]")[0] + '[output]\nfile = "states.npz"\nevery = 0.1\n'
    runner.run(scene_file.from_toml(text, tmp_path), 1.0)
    with np.load(tmp_path / "states.npz") as written:
        np.testing.assert_allclose(written["time"], 0.1 * np.arange(11), atol=1e-12)
        assert written["q"].shape == written["v"].shape == (11, 14, 3)
        assert np.isnan(written["q"][0, 10:]).all()
        np.testing.assert_allclose(written["q"][0, 0], [0.005, 0, 0], atol=1e-12)


@pytest.mark.parametrize("given", ['series = ["velocity"]', 'checkpoint = "a.npz"', "flush = 1.0"])
def test_output_of_rods_is_refused(given: str) -> None:
    name = given.split(" ")[0]
    with pytest.raises(StrandError, match=rf"output.{name}: got .*, allowed: with rods and shells"):
        scene_file.from_toml(SCENE + given + "\n")


def test_other_files_are_refused(tmp_path: Path) -> None:
    scene = scene_file.from_toml(SCENE.replace("states.csv", "states.pvd"), tmp_path)
    with pytest.raises(StrandError, match=r"file: got .*, allowed: a path that ends in .csv or .n"):
        runner.run(scene, 1.0)


def test_growth_follows_a_file(tmp_path: Path) -> None:
    (tmp_path / "rate.csv").write_text("time,rate\n0,0.02\n0.5,0.02\n0.5001,-0.01\n2,-0.01\n")
    text = SCENE.replace("rate = 0.04", 'file = "rate.csv"').split("[output]")[0]
    scene = scene_file.from_toml(text, tmp_path)
    summary = runner.run(scene, 1.0)
    assert not summary.failure
    np.testing.assert_allclose(summary.length, 0.1 + 0.02 * 0.5 - 0.01 * 0.5, atol=4e-4)


def test_a_robot_that_is_stuck_says_where(tmp_path: Path) -> None:
    box = '[[obstacle]]\ntype = "box"\ncorner = [0.12, -0.5]\nsize = [0.1, 1.0]\n'
    published_robot = """
mass = 1e-3
inertia = 1e-6
stiffness = 1e9
damping = 0.0
"""
    text = SCENE.replace('growth = "tip"', "").split("[output]")[0] + box
    for name in ("EI", "bending_damping", "mass_per_length"):
        text = "\n".join(line for line in text.splitlines() if not line.startswith(name))
    text = text.replace("diameter = 0.01\n", "diameter = 0.01\n" + published_robot)
    summary = runner.run(scene_file.from_toml(text, tmp_path), 1.0)
    assert summary.failure
    assert 0 < summary.time < 1
    assert "object 1" in summary.failure


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("EI = 2e-3", ""), "vine.EI: got nothing, allowed: a number > 0"),
        (("EI = 2e-3", "EI = -1.0"), "vine.EI: got -1.0, allowed: a number > 0"),
        (("EI = 2e-3", "EI = 2e-3\nmass = 1.0"), "vine.mass: got a value beside EI"),
        (("segments = 5", "segments = 0"), "vine.segments: got 0, allowed: an integer"),
        (("[growth]", "[grow]"), "grow: got a table that is not known, allowed: vine, growth"),
        (("radius = 0.02", "radius = -1.0"), "obstacle[0].radius: got '-1', allowed: finite"),
        (("radius = 0.02", "radius = 0.2"), "contact point 4 and object 0"),
        (("friction = 0.3", "friction = -1.0"), "friction: got '-1', allowed: finite numbers >= 0"),
    ],
)
def test_bad_scenes_are_named(change: tuple[str, str], words: str) -> None:
    with pytest.raises(StrandError) as error:
        scene_file.from_toml(SCENE.replace(*change))
    assert words in str(error.value)


def test_schema_describes_vines() -> None:
    text = scene_file.schema()
    assert "[[obstacle]]" in text
    assert "  circle(centre, radius): A solid disc" in text
    assert "typing" not in text
    of_vines = text.split("# Scenes of a growing robot")[1]
    assert "file = not given: of the states: .csv or .npz." in of_vines
    for absent in ("checkpoint", "series", ".pvd"):
        assert absent not in of_vines


def test_costs_grow_with_the_bodies() -> None:
    made = vines.run(30, (30, 300), repeats=1, peer=False)
    rows = {(row["side"], row["bodies"]): row["step_us"] for row in made.results}
    assert 2 < rows["single_qp", 300] / rows["single_qp", 30] < 50
    with pytest.raises(StrandError, match="sizes: got 1, allowed: two or more"):
        vines.run(30, (30,))


def test_the_peer_gets_the_same_robot(monkeypatch: pytest.MonkeyPatch) -> None:
    """The peer answers with the exact solution: a request for another robot would show an error."""
    asked = []

    def answer(peer: str, script: Path, request: dict) -> dict:
        asked.append(request)
        robot = published.runtime(request["pairs"] * 2, compat=True)
        states = robot.run(request["steps"], 1e-3 * sum(request["rates"]))
        positions = [(1e3 * q[:, :2]).tolist() for q in states.q[1:]]
        seconds = {"seconds": 0.1, "own_seconds": 0.05}
        return {"positions": positions, "versions": {"osqp": "1"}, **seconds}

    monkeypatch.setattr(vines, "ask", answer)
    row = vines.beside(10, "warm", 1.0)
    assert row["off_mm"] == 0
    assert row["tolerance"] == max(vines.TOLERANCES)
    assert asked[0]["half_length"] == 20
    np.testing.assert_allclose(asked[0]["q"][:6], [20, 0, 0, 60, 0, 0], atol=1e-12)


def test_a_peer_that_dies_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environments, "find_python", lambda peer: Path("/bin/false"))
    with pytest.raises(StrandError, match="peer osqp: died: exit code 1"):
        peer_process.ask("osqp", Path("peer.py"), {})


def test_frames_without_a_directory_draw_nothing() -> None:
    importlib.import_module("strand_studies.published.vine_runtime").run(frames=Frames(), bodies=4)
