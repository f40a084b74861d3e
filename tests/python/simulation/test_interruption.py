"""Runs that are stopped or killed lose only the samples after the last flush."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from strand import StrandError, straight
from strand.simulation import Network, Simulation

pytestmark = pytest.mark.slow

SCENE = """\
[simulation]
dt = 0.001
duration = 1000.0
[output]
flush = 0.2
[[rod]]
name = "a"
young = 1e6
radius = 0.01
density = 1000.0
shape = { type = "straight", length = 1.0, segments = 20 }
[[clamp]]
rod = "a"
end = "start"
"""
LONG = 60.0  # s, enough for any machine to get that far


def started(folder: Path, *arguments: str) -> subprocess.Popen:
    (folder / "scene.toml").write_text(SCENE)
    command = [sys.executable, "-m", "strand", "simulate", "scene.toml", *arguments]
    return subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True, env=os.environ)


def wait_for(path: Path) -> None:
    limit = time.monotonic() + LONG
    while not path.exists():
        assert time.monotonic() < limit
        time.sleep(0.05)


@pytest.mark.parametrize("out", ["a.npz", "a.csv", "a.pvd"])
def test_what_was_flushed_survives_kill_9(tmp_path: Path, out: str) -> None:
    run = started(tmp_path, "--out", out, "--every", "0.01", "--checkpoint", "c.npz")
    for name in (out, "c.npz"):
        wait_for(tmp_path / name)
    run.send_signal(signal.SIGKILL)
    run.communicate()
    if out == "a.npz":
        kept = np.load(tmp_path / out)
        assert len(kept["time"]) == len(kept["positions"]) > 1
    if out == "a.csv":
        rows = (tmp_path / out).read_text().splitlines()
        assert len({row.count(",") for row in rows}) == 1 and len(rows) > 2
    if out == "a.pvd":
        text = (tmp_path / out).read_text()
        assert text.endswith("</VTKFile>\n")
        assert all((tmp_path / name).exists() for name in text.split('"') if name.endswith(".vtp"))
    network_and_state(tmp_path / "c.npz")


def network_and_state(path: Path) -> Simulation:
    network = Network()
    rod = network.rod(straight(1.0, 20), young=1e6, radius=0.01, density=1000.0)
    network.clamp(rod, "start")
    simulation = Simulation(network, dt=0.001)
    simulation.load(path)
    assert simulation.time > 0
    return simulation


@pytest.mark.parametrize("which", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_cleanly_and_the_run_can_continue(
    tmp_path: Path, which: signal.Signals
) -> None:
    run = started(tmp_path, "--out", "a.npz", "--every", "0.01")
    wait_for(tmp_path / "a.npz")
    run.send_signal(which)
    told = run.communicate(timeout=LONG)[1]
    assert run.returncode == 128 + which
    assert f"stopped by {which.name} at t = " in told
    assert "to continue: strand simulate scene.toml --restart interrupted.checkpoint.npz" in told
    kept = np.load(tmp_path / "a.npz")
    simulation = network_and_state(tmp_path / "interrupted.checkpoint.npz")
    assert kept["time"][-1] == pytest.approx(simulation.time, abs=0.0101)
    on = started(
        tmp_path, "--restart", "interrupted.checkpoint.npz", "--duration", "0.05", "--out", "b.npz"
    )
    assert on.communicate(timeout=LONG) and on.returncode == 0
    assert np.load(tmp_path / "b.npz")["time"][-1] == pytest.approx(simulation.time + 0.05)


def test_a_restart_with_the_same_output_does_not_replace_the_first_part(tmp_path: Path) -> None:
    def run(*arguments: str) -> str:
        done = started(tmp_path, "--out", "a.csv", "--duration", "0.01", *arguments)
        told = done.communicate(timeout=LONG)[1]
        assert done.returncode == 0, told
        return told

    def times(name: str) -> list[float]:
        return [float(row.split(",")[0]) for row in (tmp_path / name).read_text().splitlines()[1:]]

    assert "written: a.csv\n" in run("--checkpoint", "c.npz")
    assert "written: a.2.csv\n" in run("--restart", "c.npz")
    assert "written: a.3.csv\n" in run("--restart", "c.npz")
    assert times("a.csv")[0] == 0 and times("a.2.csv") == times("a.3.csv")
    assert times("a.2.csv")[0] == times("a.csv")[-1] == pytest.approx(0.01)
    assert "written: a.csv\n" in run()  # a run from the start replaces it


def test_a_second_interruption_does_not_replace_the_checkpoint_of_the_first(tmp_path: Path) -> None:
    for name in ("interrupted.checkpoint.npz", "interrupted.checkpoint.2.npz"):
        run = started(tmp_path, "--out", "a.npz")
        wait_for(tmp_path / "a.npz")
        run.send_signal(signal.SIGINT)
        assert f"--restart {name} " in run.communicate(timeout=LONG)[1]
        network_and_state(tmp_path / name)
        (tmp_path / "a.npz").unlink()


def rod(young: float = 1e6, segments: int = 5, **options) -> Simulation:
    network = Network()
    network.rod(straight(1.0, segments), young=young, radius=0.01, density=1000.0)
    return Simulation(network, **options)


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (lambda: rod(segments=6), r"got another scene's state: 6 nodes, allowed: 7, as this scene"),
        (lambda: rod(young=2e6), r"rod material \(EA, .*\) of \[0, 0\] 314.15.*, allowed: 628.3"),
        (lambda: rod(gravity=(0, 0, -1.6)), r"gravity .*-9.81.*, allowed: .*-1.6"),
        (lambda: rod(method="midpoint"), r"method bdf2, allowed: midpoint, as this scene has"),
        (lambda: rod(twist=False), r"twist True, allowed: False"),
    ],
)
def test_the_checkpoint_of_another_scene_is_rejected_by_name(
    tmp_path: Path, other, words: str
) -> None:
    saved = rod()
    saved.run(0.01)
    saved.save(tmp_path / "state.npz")
    rod(dt=5e-4, tolerance=1e-9).load(tmp_path / "state.npz")  # these may differ
    with pytest.raises(StrandError, match=words):
        other().load(tmp_path / "state.npz")


def on_floor(height: float = -1.0, contact: bool = False, **options) -> Simulation:
    simulation = rod()
    simulation.add_floor(height, **{"friction": 0.3} | options)
    if contact:
        simulation.add_contact()
    return simulation


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (lambda: on_floor(friction=0.4), r"friction of contact 0 0\.3, allowed: 0\.4, as this"),
        (lambda: on_floor(restitution=0.0), r"restitution of contact 0 1\.0, allowed: 0\.0"),
        (lambda: on_floor(height=-2.0), r"obstacle 0 plane .*-1\.0.*, allowed: plane .*-2\.0"),
        (lambda: on_floor(contact=True), r"without .* of contact 1, allowed: with .*, as this"),
        (rod, r"with .*contact 0 .*, allowed: without"),
    ],
)
def test_the_checkpoint_of_other_contacts_is_rejected_by_name(
    tmp_path: Path, other, words: str
) -> None:
    saved = on_floor()
    saved.run(0.01)
    saved.save(tmp_path / "state.npz")
    on_floor(height=-1, restitution=1).load(tmp_path / "state.npz")
    with pytest.raises(StrandError, match=words):
        other().load(tmp_path / "state.npz")


@pytest.mark.parametrize("part", [0.0, 0.1, 0.5, 0.98])
def test_truncated_files_are_reported(tmp_path: Path, part: float) -> None:
    saved, file = rod(), tmp_path / "state.npz"
    saved.run(0.01)
    saved.save(file)
    whole = file.read_bytes()
    file.write_bytes(whole[: int(part * len(whole))])
    with pytest.raises(StrandError, match=r"state.npz., allowed: a file of Simulation.save"):
        rod().load(file)


def test_ctrl_c_in_python_keeps_the_recording(tmp_path: Path) -> None:
    simulation = rod()

    def interrupt(now: Simulation) -> None:
        if now.time > 0.02:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), simulation.record(tmp_path / "a.npz"):
        simulation.run(1.0, interrupt)
    assert np.load(tmp_path / "a.npz")["time"][-1] > 0.02


def test_restarts_continue_bitwise(tmp_path: Path) -> None:
    straight_on, stopped = rod(), rod()
    straight_on.run(0.3)
    stopped.run(0.137)
    stopped.save(tmp_path / "state.npz")
    other = rod()
    other.load(tmp_path / "state.npz")
    other.run(0.163)
    np.testing.assert_array_equal(other.positions, straight_on.positions)
    np.testing.assert_array_equal(other.velocities, straight_on.velocities)
    assert other.energy_made == straight_on.energy_made
