"""Replays: what is captured, and the pages, decoded as a browser does."""

import html
import importlib.util
import re
import sys
import threading
import types
from pathlib import Path

import mujoco
import numpy as np
import pytest
from support.replays import KINDS, Page
from typer.testing import CliRunner

import strand
import strand.replay
from strand import Cable, StrandError
from strand.cli import app
from strand.replay import Recorder, Replay, record
from strand.replay.camera import sight

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("viser") is None, reason="viser is missing: pip install viser"
)

SCENES = Path(__file__).parents[3] / "assets" / "scenes"
GRAIN = 2e-5  # m: rounding of positions in a scene of 1 m


def hanging(**changes: object) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """A cable of 20 links of 25 mm along x, held at its start, above a floor."""
    cable = Cable(
        strand.straight(0.5, 20), EI=1e-3, GJ=1e-3, radius=0.003, start="fixed", **changes
    )
    model = mujoco.MjModel.from_xml_string(strand.generate(cable, stage=True))
    return model, mujoco.MjData(model)


def page(replay: Replay) -> Page:
    return Page(replay.html())


# The page.


def test_the_page_loads_nothing_else(tmp_path: Path) -> None:
    model, data = hanging()
    record(model, data, seconds=0.1).save(tmp_path / "a.html")
    text = (tmp_path / "a.html").read_text()
    assert text.startswith("<!doctype html>") and "</html>" in text
    linked = re.findall(
        r'<(?:script|link|img|iframe)\b[^>]*?\b(?:src|href)=["\']([^"\']{0,40})', text
    )
    assert all(link.startswith("data:") for link in linked)
    head = text.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?://", head)
    assert [path.name for path in tmp_path.iterdir()] == ["a.html"]


def test_duration_and_frames() -> None:
    model, data = hanging()
    replay = record(model, data, seconds=0.5, fps=20)
    assert len(replay.times) == 11
    assert replay.duration == pytest.approx(0.5, abs=model.opt.timestep)
    np.testing.assert_allclose(replay.times, np.arange(11) / 20, atol=model.opt.timestep)
    assert data.time == pytest.approx(0.5, abs=model.opt.timestep)
    shown = page(replay)
    assert shown.duration == pytest.approx(replay.duration + 1 / 20)
    times, _ = shown.values("/capsules", "batched_positions")
    np.testing.assert_allclose(times, replay.times, atol=1e-9)
    assert repr(replay) == f"<strand.replay.Replay of 11 frames, {replay.duration:.6g} s>"


def test_positions_are_those_of_the_data() -> None:
    model, data = hanging()
    recorder = Recorder(model, fps=50, title="a <cable>")
    links = np.flatnonzero(model.geom_type == mujoco.mjtGeom.mjGEOM_CAPSULE)
    places, turns, times = [], [], []
    for _ in range(200):
        before = len(times)
        if not times or np.floor(data.time * 50 + 1e-6) > np.floor(times[-1] * 50 + 1e-6):
            times.append(data.time)
        recorder.capture(data)  # without mj_forward before
        if len(times) > before:
            same = mujoco.MjData(model)
            same.qpos[:] = data.qpos
            mujoco.mj_forward(model, same)
            places.append(same.geom_xpos[links].copy())
            turns.append(same.geom_xmat[links].reshape(-1, 3, 3).copy())
        mujoco.mj_step(model, data)
    text = recorder.replay().html()
    assert "<title>a &lt;cable&gt;</title>" in text
    shown = Page(text)
    at, found = shown.values("/capsules", "batched_positions")
    np.testing.assert_allclose(at, times, atol=1e-9)
    np.testing.assert_allclose(np.reshape(found, np.shape(places)), places, rtol=0, atol=GRAIN)
    _, quats = shown.values("/capsules", "batched_wxyzs")
    for given, turn in zip(quats, turns, strict=True):
        for quat, matrix in zip(given.reshape(-1, 4).astype(float), turn, strict=True):
            own = np.zeros(9)
            mujoco.mju_quat2Mat(own, quat / np.linalg.norm(quat))
            np.testing.assert_allclose(own.reshape(3, 3), matrix, atol=2e-4)
    mesh = shown.created()["/capsules"]["vertices"].reshape(-1, 3)
    radius, half = model.geom_size[links[0], :2]
    np.testing.assert_allclose(np.abs(mesh).max(axis=0), [radius, radius, half + radius], rtol=1e-6)


def test_what_rests_is_written_once() -> None:
    model = mujoco.MjModel.from_xml_string(KINDS)
    shown = page(record(model, seconds=1.0))
    assert len(shown.values("/boxes", "batched_positions")[0]) == 1
    assert len(shown.values("/spheres", "batched_positions")[0]) == 31
    assert len(shown.values("/spheres", "batched_wxyzs")[0]) == 1


def test_a_long_cable_is_a_small_page() -> None:
    """100 links, 300 frames: viser's program for the browser has 0.8 MB of it."""
    cable = Cable(strand.straight(1.0, 100), EI=1e-2, GJ=8e-3, start="fixed")
    model = mujoco.MjModel.from_xml_string(strand.generate(cable, stage=True))
    data, rng = mujoco.MjData(model), np.random.default_rng(0)
    recorder = Recorder(model)
    for k in range(300):
        data.time, data.qpos[:] = k / 30, model.qpos0
        mujoco.mj_integratePos(model, data.qpos, rng.normal(size=model.nv), 0.3)
        recorder.capture(data)
    replay = recorder.replay()
    assert len(replay.times) == 300
    assert len(replay.html()) < 2.5e6


def test_nothing_is_printed_and_no_server_remains(capfd: pytest.CaptureFixture) -> None:
    model, data = hanging()
    before = set(threading.enumerate())
    record(model, data, seconds=0.1).html()
    assert set(threading.enumerate()) == before
    assert capfd.readouterr() == ("", "")


def test_a_notebook_shows_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    model, data = hanging()
    replay = record(model, data, seconds=0.1)
    frame = replay._repr_html_()
    inner = html.unescape(re.search(r'<iframe srcdoc="([^"]*)"', frame).group(1))
    assert Page(inner).duration == Page(replay.html()).duration
    shown = []
    with monkeypatch.context() as patch:
        notebook = types.SimpleNamespace(HTML=str, display=shown.append)
        patch.setitem(sys.modules, "IPython", types.SimpleNamespace(display=notebook))
        patch.setitem(sys.modules, "IPython.display", notebook)
        replay.show(height=300)
    assert [text.count('height="300"') for text in shown] == [1]
    monkeypatch.setitem(sys.modules, "IPython", None)
    monkeypatch.setitem(sys.modules, "IPython.display", None)
    with pytest.raises(StrandError, match="show: got no notebook, allowed: in a notebook"):
        replay.show()
    with pytest.raises(StrandError, match="height: got 0"):
        replay.show(height=0)


def test_the_first_view_shows_everything() -> None:
    model, data = hanging()
    replay = record(model, data, seconds=1.0)
    seen = sight(replay.parts, replay.angles)
    points = np.vstack([part.points() for part in replay.parts]) - seen.position
    forward = seen.look_at - seen.position
    forward /= np.linalg.norm(forward)
    depth = points @ forward
    right = np.cross(forward, [0, 0, 1.0])
    right /= np.linalg.norm(right)
    tall, wide = np.abs(points @ np.cross(right, forward)), np.abs(points @ right)
    half = np.tan(seen.fov / 2)
    assert (depth > 0).all() and (tall < half * depth).all() and (wide < 1.4 * half * depth).all()
    assert max((tall / depth).max() / half, (wide / depth).max() / (1.4 * half)) > 0.8


@pytest.mark.parametrize(("factor", "scale"), [(1e-3, 1000.0), (1.0, 1.0), (1e3, 1e-3)])
def test_small_and_large_scenes_are_drawn_at_one_size(factor: float, scale: float) -> None:
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><worldbody><geom size="{factor / 2}"/></worldbody></mujoco>'
    )
    assert page(record(model, seconds=0.01)).created()["/spheres"]["scale"] == scale


# Arguments and files.


def test_drive_is_called_before_each_step() -> None:
    model = mujoco.MjModel.from_xml_string(
        """<mujoco><option gravity="0 0 0"/><worldbody><body><joint name="x" type="slide"
        axis="1 0 0"/><geom size=".1" mass="1"/></body></worldbody>
        <actuator><motor joint="x"/></actuator></mujoco>"""
    )
    times = []

    def drive(model: mujoco.MjModel, data: mujoco.MjData) -> None:
        times.append(data.time)
        data.ctrl[0] = 2.0

    replay = record(model, drive=drive, seconds=1.0)
    assert len(times) == round(1.0 / model.opt.timestep)
    ball = replay.parts[0].positions[-1, 0]
    np.testing.assert_allclose(ball, [1.0, 0, 0], atol=0.01)  # a t^2 / 2


def test_states_that_cannot_be_captured() -> None:
    model, data = hanging()
    recorder = Recorder(model)
    with pytest.raises(StrandError, match="frames: got none"):
        recorder.replay()
    with pytest.raises(StrandError, match="data: got data of another model"):
        recorder.capture(mujoco.MjData(mujoco.MjModel.from_xml_string(KINDS)))
    with pytest.raises(StrandError, match="data: got str"):
        recorder.capture("data")
    data.time = 1.0
    recorder.capture(data)
    data.time = 0.5
    with pytest.raises(StrandError, match=r"time: got 0\.5 s after 1 s, allowed: later states"):
        recorder.capture(data)
    data.time, data.qpos[2] = 2.0, np.nan
    with pytest.raises(StrandError, match="data: got NaN or infinity in qpos at t = 2 s"):
        recorder.capture(data)
    assert len(recorder.replay().times) == 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"fps": 0}, "fps: got 0, allowed: a number > 0"),
        ({"fps": np.inf}, "fps: got inf"),
        ({"fps": "30"}, "fps: got '30'"),
        ({"seconds": 0}, "seconds: got 0, allowed: a number > 0"),
        ({"seconds": np.nan}, "seconds: got nan"),
        ({"groups": 1}, r"groups: got 1, allowed: numbers of groups, each 0 to 5"),
        ({"groups": [7]}, r"groups: got \[7\]"),
        ({"groups": "all"}, "groups: got 'all'"),
        ({"drive": 3}, "drive: got 3, allowed: a function"),
    ],
)
def test_bad_arguments(options: dict, words: str) -> None:
    with pytest.raises(StrandError, match=words):
        record(hanging()[0], **options)


def test_what_cannot_be_recorded(tmp_path: Path) -> None:
    _, data = hanging()
    with pytest.raises(StrandError, match="shown: got int, allowed: an MjModel"):
        record(3)
    with pytest.raises(StrandError, match="source: got str, allowed: an MjModel"):
        Recorder("cable.toml")
    with pytest.raises(StrandError, match="data: got MjData without an MjModel"):
        record(SCENES / "water_hose.cable.toml", data)
    with pytest.raises(StrandError, match="drive: got a function"):
        record(SCENES / "water_hose.cable.toml", drive=print)
    with pytest.raises(StrandError, match="which does not exist"):
        record(tmp_path / "nothing.scene.toml")
    with pytest.raises(StrandError, match="which does not exist"):
        record(tmp_path / "nothing.npz")


def test_pages_are_written_completely_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, data = hanging()
    replay = record(model, data, seconds=0.1)
    for path, words in (
        (tmp_path / "a.txt", r"output: got '.*a.txt', allowed: a path that ends in .html"),
        (tmp_path / "nowhere" / "a.html", r"output: got .*No such file or directory"),
    ):
        with pytest.raises(StrandError, match=words):
            replay.save(path)
    path = tmp_path / "a.html"
    path.write_text("old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.replace", fail)
        with pytest.raises(StrandError, match="No space left on device"):
            replay.save(path)
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]
    replay.save(path)
    assert Page(path.read_text()).duration > 0 and list(tmp_path.iterdir()) == [path]


UNSTABLE = """
<mujoco><option timestep=".01"/><worldbody><body pos="0 0 1"><freejoint/>
<geom size=".1"/></body></worldbody></mujoco>
"""


def blow_up(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    if data.time > 0.3:
        data.qvel[0] = np.inf


def test_an_unstable_simulation_is_an_error() -> None:
    model = mujoco.MjModel.from_xml_string(UNSTABLE)
    with pytest.raises(StrandError, match=r"at t = 0.3 s, allowed: a stable simulation"):
        record(model, drive=blow_up, seconds=1.0)


# The command.


def command(*arguments: object) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["replay", *map(str, arguments)])
    return done.exit_code, done.output if done.exception is None else f"{done.exception}"


def test_the_command_writes_a_page(tmp_path: Path) -> None:
    path = tmp_path / "hose.html"
    code, said = command(SCENES / "water_hose.cable.toml", "-o", path, "--seconds", 0.2)
    assert code == 0 and f" MB; written: {path}" in said and said.startswith("7 frames, 0.20")
    assert Page(path.read_text()).duration == pytest.approx(0.2 + 1 / 30, abs=2e-3)
    assert "<title>water_hose.cable.toml</title>" in path.read_text()


def test_the_command_checks_its_arguments_first(tmp_path: Path) -> None:
    hose = SCENES / "water_hose.cable.toml"
    for options, words in (
        (["-o", tmp_path / "a.mp4"], "allowed: a path that ends in .html"),
        (["-o", tmp_path / "a.html", "--fps", -1], "fps: got -1.0"),
        (["-o", tmp_path / "a.html", "--seconds", 0], "seconds: got 0.0"),
        (["-o", tmp_path / "a.html", "--color", "red"], "color: got 'red'"),
    ):
        assert words in command(hose, *options)[1]
    assert not list(tmp_path.iterdir())


def test_a_failed_simulation_leaves_a_page_until_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, path = tmp_path / "unstable.xml", tmp_path / "unstable.html"
    model.write_text(UNSTABLE)
    step = mujoco.mj_step

    def break_off(model: mujoco.MjModel, data: mujoco.MjData) -> None:
        blow_up(model, data)
        step(model, data)

    monkeypatch.setattr(mujoco, "mj_step", break_off)
    done = CliRunner().invoke(app, ["replay", str(model), "-o", str(path), "--seconds", "1"])
    assert done.exit_code == 1 and "allowed: a stable simulation" in done.output
    assert 0.25 < Page(path.read_text()).duration < 0.4
