"""Sweeps in worker processes: results, failures, and the journal."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sweep_cases import begun, of_function, write

from strand import StrandError, sweep
from strand.sweep.journal import Journal
from strand.sweep.worker import Outcome

GRID = "[parameters.x]\ngrid = {}\n"
DRAWN = "[parameters.x]\nuniform = [-1.0, 1.0]\n[random]\ncount = 20\nseed = 3\n"


def lines(journal: Path) -> list[dict]:
    return [json.loads(line) for line in journal.read_text().splitlines()]


@pytest.mark.slow
def test_points_fail_alone_and_with_their_reasons(tmp_path: Path) -> None:
    spec = write(tmp_path, of_function("sometimes", GRID.format(list(range(10)))))
    result = sweep.run(spec, workers=2, timeout=1.0, journal=tmp_path / "j")
    assert result.table["y"].tolist() == [0, 8, 9] and result.table["x"].tolist() == [0, 8, 9]
    failures = {each.index: (each.kind, each.reason) for each in result.failures}
    assert failures.pop(1) == ("exception", "ValueError: one is not allowed (functions.py:27)")
    assert failures.pop(2) == ("nan", "y: NaN")
    assert failures.pop(3) == ("killed", "the worker process was killed by SIGKILL")
    assert failures.pop(4) == ("killed", "the worker process exited with 7")
    assert failures.pop(5) == ("timeout", "not finished after 1 s")
    assert failures.pop(6)[1].startswith("TypeError: the function returned 'y': 'six', allowed: a ")
    assert failures.pop(7) == ("exception", "SystemExit: 2 (functions.py:39)")
    assert not failures
    assert sorted(begun(tmp_path)) == [str(x) for x in range(10)]
    again = sweep.run(spec, workers=2, timeout=1.0, journal=tmp_path / "j")
    assert again.failures == result.failures and again.recorded == 10
    assert len(begun(tmp_path)) == 10


def test_results_do_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    spec = write(tmp_path, of_function("square", DRAWN))
    one, two = (sweep.run(spec, workers=workers).table for workers in (1, 2))
    assert list(one) == ["point", "x", "square", "third"]
    for name in one:
        assert one[name].tobytes() == two[name].tobytes()
    np.testing.assert_array_equal(one["square"], one["x"] ** 2)


def test_workers_are_processes_with_one_thread(tmp_path: Path) -> None:
    code = "\nimport os\ndef threads(x):\n    return {'n': int(os.environ['OMP_NUM_THREADS'])}\n"
    spec = write(tmp_path, of_function("threads", GRID.format("[1]")))
    (tmp_path / "functions.py").write_text(code)
    before = os.environ.get("OMP_NUM_THREADS")
    assert sweep.run(spec, workers=2).table["n"].tolist() == [1]
    assert os.environ.get("OMP_NUM_THREADS") == before


@pytest.mark.slow
def test_a_torn_last_line_is_run_again_and_no_other(tmp_path: Path) -> None:
    spec, journal = write(tmp_path, of_function("square", DRAWN)), tmp_path / "j"
    first = sweep.run(spec, workers=1, journal=journal)
    content = journal.read_bytes()
    ends = [place + 1 for place, byte in enumerate(content) if byte == ord("\n")]
    (tmp_path / "executions.txt").unlink()
    journal.write_bytes(content[: ends[-1] - 1])  # only the newline is missing
    again = sweep.run(spec, workers=1, journal=journal)
    assert again.recorded == 19 and len(again.rows) == 20
    assert journal.read_bytes().count(b"\n") == 21
    assert again.table["square"].tobytes() == first.table["square"].tobytes()
    assert begun(tmp_path) == [str(lines(journal)[-1]["parameters"]["x"])]


@pytest.mark.parametrize("cut", [0, 5, 30])
def test_a_torn_first_line_is_as_an_empty_journal(cut: int, tmp_path: Path) -> None:
    spec, path = {"a": 1, "b": list(range(100))}, tmp_path / "j"
    Journal(path, spec, restart=False).close()
    content = path.read_bytes()
    path.write_bytes(content[:cut])
    journal = Journal(path, spec, restart=False)
    journal.append("key", 0, {"x": 1}, Outcome(results={"y": float("inf")}))
    journal.close()
    assert path.read_bytes().startswith(content)
    again = Journal(path, spec, restart=False)
    assert again.outcomes == {"key": Outcome(results={"y": float("inf")})}
    again.close()


def test_a_changed_spec_is_refused_with_what_differs(tmp_path: Path) -> None:
    text, journal = of_function("square", GRID.format("[1, 2]")), tmp_path / "j"
    sweep.run(write(tmp_path, text), workers=1, journal=journal)
    content = journal.read_bytes()
    changed = write(tmp_path, text.replace("[1, 2]", "[1, 2, 3]"))
    with pytest.raises(StrandError) as raised:
        sweep.run(changed, workers=1, journal=journal)
    message = str(raised.value)
    assert f"journal '{journal}': got results of another spec" in message
    assert "(parameters.x.grid was [1, 2], is [1, 2, 3])" in message and "--restart" in message
    assert journal.read_bytes() == content
    assert sweep.run(changed, workers=1, journal=journal, restart=True).recorded == 0
    (tmp_path / "functions.py").write_text((tmp_path / "functions.py").read_text() + "\n")
    with pytest.raises(StrandError, match=r"\(sha256 of files.functions.py was "):
        sweep.run(changed, workers=1, journal=journal)


def test_a_changed_scene_is_refused_with_the_key(tmp_path: Path) -> None:
    scene = '[[rod]]\nname = "a"\nyoung = 1e6\nradius = 0.01\ndensity = 1e3\n'
    scene += 'shape = { type = "straight", length = 1.0, segments = 4 }\n'
    (tmp_path / "a.scene.toml").write_text(scene)
    text = '[run]\nscene = "a.scene.toml"\nseconds = 0.0\nresults = ["sag"]\n'
    spec = write(tmp_path, text + '[parameters.r]\npath = "rod.a.radius"\ngrid = [0.01]\n')
    Journal(tmp_path / "j", sweep.load(spec).identity, restart=False).close()
    (tmp_path / "a.scene.toml").write_text(scene.replace("1e6", "2e6"))
    with pytest.raises(StrandError, match=r"\(scene.rod.0.young was 1000000.0, is 2000000.0\)"):
        Journal(tmp_path / "j", sweep.load(spec).identity, restart=False)


def test_other_files_are_not_taken_for_a_journal(tmp_path: Path) -> None:
    spec, other = write(tmp_path, of_function("square", GRID.format("[1]"))), tmp_path / "data"
    other.write_text("my data, without a newline")
    for restart in (False, True):
        with pytest.raises(
            StrandError, match=r"journal: got '.*data', allowed: a journal of strand"
        ):
            sweep.run(spec, workers=1, journal=other, restart=restart)
    assert other.read_text() == "my data, without a newline"
    with pytest.raises(StrandError, match=r"journal: got '.*', allowed: a writable file"):
        sweep.run(spec, workers=1, journal=tmp_path / "none" / "j")


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    Journal(tmp_path / "j", {}, restart=False).close()
    with (tmp_path / "j").open("a") as file:
        file.write("broken\n{}\n")
    with pytest.raises(StrandError, match="line 2: b'broken', allowed: a journal"):
        Journal(tmp_path / "j", {}, restart=False)


def test_two_sweeps_do_not_write_to_the_same_journal(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j", {}, restart=False)
    with pytest.raises(StrandError, match="allowed: a file to which no other sweep writes"):
        Journal(tmp_path / "j", {}, restart=False)
    journal.close()
    Journal(tmp_path / "j", {}, restart=False).close()


def test_failed_points_are_run_again_only_on_request(tmp_path: Path) -> None:
    spec, journal = write(tmp_path, of_function("repaired", GRID.format("[1, 2]"))), tmp_path / "j"
    assert len(sweep.run(spec, workers=1, journal=journal).failures) == 1
    (tmp_path / "repaired").touch()
    assert len(sweep.run(spec, workers=1, journal=journal).failures) == 1
    assert not sweep.run(spec, workers=1, journal=journal, retry_failed=True).failures
    assert not sweep.run(spec, workers=1, journal=journal).failures
    assert begun(tmp_path) == ["1", "2", "2"]


def test_an_unknown_result_of_a_function_stops_the_sweep(tmp_path: Path) -> None:
    run = 'results = ["squar"]'
    spec = write(tmp_path, of_function("square", GRID.format("[1, 2, 3]"), run))
    with pytest.raises(StrandError, match=r"run.results.squar: .* allowed: square, third; did you"):
        sweep.run(spec, workers=1)
    assert len(begun(tmp_path)) == 1


def test_results_can_be_chosen(tmp_path: Path) -> None:
    run = 'results = ["third"]'
    spec = write(tmp_path, of_function("square", GRID.format("[3]"), run))
    assert list(sweep.run(spec, workers=1).table) == ["point", "x", "third"]


@pytest.mark.parametrize(
    ("options", "error"),
    [({"workers": 0}, "workers: got 0"), ({"timeout": -1}, "timeout: got -1")],
)
def test_bad_options_are_refused(options: dict, error: str, tmp_path: Path) -> None:
    spec = write(tmp_path, of_function("square", GRID.format("[1]")))
    with pytest.raises(StrandError, match=error):
        sweep.run(spec, **options)


def test_a_script_without_a_guard_says_so(tmp_path: Path) -> None:
    write(tmp_path, of_function("square", GRID.format("[1]")))
    script = tmp_path / "script.py"
    script.write_text("from strand import sweep\nsweep.run('a.sweep.toml', workers=1)\n")
    done = subprocess.run(
        [sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert done.returncode != 0 and 'if __name__ == "__main__":' in done.stderr
