"""The command `strand sweep` while it is killed or interrupted."""

import collections
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sweep_cases import begun, of_function, write

POINTS, KILLS, WORKERS = 200, 3, 2
SPEC = of_function(
    "square",
    f"[parameters.x]\ngrid = {{ start = 0, stop = {POINTS - 1}, count = {POINTS} }}\n"
    "[parameters.pause]\ngrid = [0.02]\n",
)


def start(folder: Path, *options: str) -> subprocess.Popen:
    """Starts the command in a process group of its own."""
    command = [sys.executable, "-m", "strand", "sweep", "a.sweep.toml", *options]
    command += ["--workers", str(WORKERS)]
    return subprocess.Popen(
        command, cwd=folder, start_new_session=True, stderr=subprocess.PIPE, text=True
    )


def recorded(folder: Path) -> set[str]:
    """The points that the journal has, by their x."""
    journal = folder / "a.sweep.journal.jsonl"
    content = journal.read_bytes() if journal.exists() else b""
    whole = content[: content.rfind(b"\n") + 1].splitlines()[1:]
    return {str(json.loads(line)["parameters"]["x"]) for line in whole}


def wait_for_points(folder: Path, more: int) -> None:
    until, deadline = len(begun(folder)) + more, time.monotonic() + 30
    while len(begun(folder)) < until and time.monotonic() < deadline:
        time.sleep(0.005)


def workers_of(folder: Path) -> list[int]:
    """Processes whose working directory is this folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if Path(os.readlink(process / "cwd")) == folder:
                found.append(int(process.name))
        except OSError:
            continue
    return found


@pytest.mark.slow
def test_killing_a_sweep_loses_and_repeats_no_finished_point(tmp_path: Path) -> None:
    """Only what ran at the moment of a kill is run again: at most one point for each worker."""
    write(tmp_path, SPEC)
    chance = random.Random(1)
    for _ in range(KILLS):
        finished, before = recorded(tmp_path), len(begun(tmp_path))
        running = start(tmp_path)
        wait_for_points(tmp_path, chance.randint(1, 40))
        time.sleep(chance.uniform(0, 0.05))
        os.killpg(running.pid, signal.SIGKILL)
        running.communicate()
        assert not finished & set(begun(tmp_path)[before:])
        assert len(recorded(tmp_path)) >= len(finished)
    finished, before = recorded(tmp_path), len(begun(tmp_path))
    assert 0 < len(finished) < POINTS
    running = start(tmp_path, "--out", "table.csv")
    running.communicate(timeout=60)
    assert running.returncode == 0
    assert not finished & set(begun(tmp_path)[before:])
    executions = collections.Counter(begun(tmp_path))
    assert set(executions) == {str(x) for x in range(POINTS)}
    assert executions.total() <= POINTS + KILLS * WORKERS
    rows = (tmp_path / "table.csv").read_text().splitlines()
    assert rows[0] == "point,x,pause,square,third,failure"
    assert [float(row.split(",")[3]) for row in rows[1:]] == [x * x for x in range(POINTS)]


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_sweep_and_says_how_to_continue(
    number: signal.Signals, tmp_path: Path
) -> None:
    write(tmp_path, SPEC)
    running = start(tmp_path)
    wait_for_points(tmp_path, 10)
    if number == signal.SIGINT:
        os.killpg(running.pid, number)  # as Ctrl-C in a terminal
    else:
        running.send_signal(number)
    _, errors = running.communicate(timeout=30)
    assert running.returncode == 128 + number
    said = errors.splitlines()
    assert said == [
        f"strand: stopped by {number.name}",
        "finished points are recorded in a.sweep.journal.jsonl",
        f"to continue: strand sweep a.sweep.toml --workers {WORKERS}",
    ]
    assert 0 < len(recorded(tmp_path)) < POINTS
    assert not workers_of(tmp_path)


@pytest.mark.slow
def test_workers_end_with_a_parent_that_is_killed_alone(tmp_path: Path) -> None:
    write(tmp_path, SPEC)
    running = start(tmp_path)
    wait_for_points(tmp_path, 5)
    assert len(workers_of(tmp_path)) > WORKERS
    running.kill()
    running.wait()
    deadline = time.monotonic() + 10
    while workers_of(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not workers_of(tmp_path)
