"""`strand doctor`: a real run, and installations with defects."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import strand
from strand.doctor import equipment, examination, extras, trials
from strand.doctor.finding import Finding, usable
from strand.doctor.trials import Trial
from strand.doctor.wheels import Wheel

GOOD = Trial({"mujoco": "4.0.1", "file": "/m/__init__.py", "discrete": True})


def run_doctor(folder: Path, *packages: Path) -> tuple[subprocess.CompletedProcess, dict]:
    """Runs the command, with folders of packages in front of those installed."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, packages))}
    report = folder / "doctor.json"
    done = subprocess.run(
        [sys.executable, "-m", "strand", "doctor", "--json", report],
        capture_output=True,
        text=True,
        timeout=300,
        env=environment,
    )
    assert report.is_file(), done.stderr
    return done, json.loads(report.read_text())


def row(report: dict, check: str) -> dict:
    return next(each for each in report["results"] if each["check"] == check)


def fake_mujoco(folder: Path, code: str) -> Path:
    (folder / "mujoco").mkdir()
    (folder / "mujoco" / "__init__.py").write_text(code)
    return folder


def test_this_installation_is_usable(tmp_path: Path) -> None:
    done, report = run_doctor(tmp_path)
    assert done.returncode == 0, done.stdout
    assert report["name"] == "doctor" and report["passed"]
    assert done.stdout.endswith("Cables in MuJoCo can be simulated.\n")
    assert f"loaded: {strand.mujoco_version}" in row(report, "adapters")["found"]
    assert row(report, "a cable")["level"] == "ok"
    assert {"MuJoCo", "rendering", "viewer", "display", "ffmpeg"} <= {
        each["check"] for each in report["results"]
    }


def test_a_mujoco_that_crashes_is_reported(tmp_path: Path) -> None:
    crashing = fake_mujoco(tmp_path, "import os; os.abort()")
    done, report = run_doctor(tmp_path, crashing)
    assert done.returncode == 1 and not report["passed"]
    cable = row(report, "a cable")
    assert cable["level"] == "broken" and "ended by SIGABRT" in cable["found"]
    assert "--force-reinstall --no-deps mujoco" in cable["mend"]


def test_a_version_without_an_adapter_is_reported(tmp_path: Path) -> None:
    unknown = fake_mujoco(tmp_path, "def mj_versionString(): return '3.99.1'")
    done, report = run_doctor(tmp_path, unknown)
    assert done.returncode == 1
    cable = row(report, "a cable")
    assert "no adapter for MuJoCo 3.99.1" in cable["found"] and "install" in cable["mend"]


def test_a_stale_adapter_names_its_command() -> None:
    message = "a.so: built from other sources than strand._strand; type: pip install . in Strand's"
    done = subprocess.CompletedProcess([], 1, "", f"Traceback\nImportError: {message}\n")
    assert trials._failed(done) == Trial(
        None, "a.so: built from other sources than strand._strand", "pip install . in Strand's"
    )
    found = examination._examine_step(trials._failed(done), [Wheel("mujoco-core", "4.0.1", {})])
    assert found[1].level == "broken" and found[1].mend == "pip install . in Strand's"


def test_messages_of_several_lines_are_joined() -> None:
    said = "Traceback\n  line\nImportError: mujoco 4.0.0 with core 4.0.1:\n\n  pip install a\n"
    assert trials._message(said) == "mujoco 4.0.0 with core 4.0.1: pip install a"
    assert trials._message("strand: no\n") == "strand: no" and trials._message("") == ""


def test_a_variable_that_breaks_mujoco_is_named(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("MUJOCO_GL", "nonsense")
    done, report = run_doctor(tmp_path)
    assert done.returncode == 1
    assert row(report, "a cable")["mend"] == "unset MUJOCO_GL"


def test_wheels_of_different_versions_are_not_blamed_on_the_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUJOCO_GL", "egl")
    words = "Version mismatch between 'mujoco' (4.0.0) and 'mujoco-core' (4.0.1)."
    done, report = run_doctor(tmp_path, fake_mujoco(tmp_path, f"raise ImportError({words!r})"))
    assert done.returncode == 1
    cable = row(report, "a cable")
    assert cable["found"] == f"not simulated: {words}" and "pip install" in cable["mend"]


def test_two_wheels_are_replaced_by_one_command() -> None:
    both = [Wheel("mujoco-core", "4.0.1", {}), Wheel("mujoco", "4.0.0", {})]
    found = examination._examine_step(Trial(None, "versions differ"), both)
    assert "uninstall -y mujoco-core mujoco && " in found[1].mend


def test_a_version_that_is_not_carried_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("strand.adapter.carried", lambda: ["3.17.0"])
    failed = Trial(None, "no adapter for MuJoCo 4.0.1")
    found = examination._examine_step(failed, [Wheel("mujoco-core", "4.0.1", {})])
    assert found[1].mend.endswith("mujoco==3.17.0") and not usable(found)


def test_an_old_mujoco_lacks_discrete() -> None:
    old = Trial({"mujoco": "3.3.7", "file": "", "discrete": False})
    found = examination._examine_step(old, [Wheel("mujoco", "3.3.7", {})])
    assert found[-1].level == "missing" and "no integrator discrete" in found[-1].found
    assert usable(found)


@pytest.mark.parametrize(
    ("given", "works", "level", "mend"),
    [
        ("", "egl osmesa", "ok", ""),
        ("osmesa", "egl osmesa", "ok", ""),
        ("glfw", "osmesa", "problem", "export MUJOCO_GL=osmesa"),
        ("egl", "", "problem", "sudo apt-get install libegl1 libosmesa6"),
        ("", "", "problem", "sudo apt-get install libegl1 libosmesa6"),
    ],
)
def test_rendering(given: str, works: str, level: str, mend: str, monkeypatch) -> None:
    monkeypatch.setenv("MUJOCO_GL", given)
    monkeypatch.setattr(equipment, "installed", lambda name: "1")
    tried = {name: name in works.split() for name in equipment.PLATFORMS}
    found = equipment.examine_rendering(tried)
    assert (found.level, found.mend) == (level, mend)


def test_rendering_without_its_packages_installs_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(equipment, "installed", lambda name: None)
    found = equipment.examine_rendering(dict.fromkeys(equipment.PLATFORMS, False))
    assert found.mend.endswith("install pyopengl glfw")


def test_a_window_that_does_not_open_names_its_command() -> None:
    failed = Trial(None, "no display, and Xvfb is missing", "sudo apt-get install xvfb")
    viewer, _ = equipment.examine_viewer(failed)
    assert viewer.level == "problem" and viewer.mend == "sudo apt-get install xvfb"
    assert equipment.examine_viewer(GOOD)[0].level == "ok"


def test_packages_that_require_mujoco_are_installed_without_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(extras, "installed", lambda name: None)
    mends = {each.check: each.mend for each in extras.examine_extras()}
    assert mends["robot arms"].endswith("install --no-deps mink")
    assert mends["worlds on a GPU"].endswith("install --no-deps 'mujoco-warp>=4.0'")
    assert mends["robosuite's environments"].endswith("install robosuite==1.5.2 mujoco==3.3.7")
    monkeypatch.setattr(extras, "installed", lambda name: "1" if name == "mujoco-core" else None)
    beside = extras.examine_extras()[-1]
    assert beside.mend == "" and "without mujoco-core" in beside.found


@pytest.mark.parametrize(
    ("trial", "words", "level"),
    [
        (Trial({"device": "the CPU device"}), "1; runs on the CPU device", "ok"),
        (Trial(None, "no library"), "1; Warp finds no device: no library", "problem"),
    ],
)
def test_the_device_of_warp(
    monkeypatch: pytest.MonkeyPatch, trial: Trial, words: str, level: str
) -> None:
    monkeypatch.setattr(extras, "installed", lambda name: "4.0.1")
    monkeypatch.setattr(trials, "warp", lambda: trial)
    found = next(each for each in extras.examine_extras() if each.check == "worlds on a GPU")
    assert found.found.endswith(words) and found.level == level


@pytest.mark.parametrize(
    ("mujoco", "warp", "words", "level", "mend"),
    [
        ("3.11.0", None, "mujoco-warp missing", "missing", "'mujoco-warp>=3.11,<3.12'"),
        ("3.11.0", "4.0.0", "mujoco-warp 3.11 or newer, below 3.12", "problem", "<3.12'"),
        ("4.0.1", "3.11.0", "MuJoCo 4.0.1: mujoco-warp 4.0 or newer", "problem", ">=4.0'"),
        ("3.11.0", "3.11.0", "mujoco-warp 3.11.0, warp-lang 1.19.0; runs on a", "ok", ""),
        ("3.3.7", None, "works with MuJoCo 3.11 or newer, not with 3.3.7", "missing", ""),
        (None, None, "mujoco-warp missing", "missing", "--no-deps 'mujoco-warp>=4.0'"),
    ],
)
def test_mujoco_warp_has_versions_for_that_of_mujoco(
    monkeypatch: pytest.MonkeyPatch,
    mujoco: str | None,
    warp: str | None,
    words: str,
    level: str,
    mend: str,
) -> None:
    versions = {"mujoco": mujoco, "mujoco-warp": warp, "warp-lang": "1.19.0"}
    monkeypatch.setattr(extras, "installed", versions.get)
    monkeypatch.setattr(trials, "warp", lambda: Trial({"device": "a"}))
    found = next(each for each in extras.examine_extras() if each.check == "worlds on a GPU")
    assert words in found.found
    assert found.level == level and found.mend.endswith(mend)


def test_a_problem_is_not_the_end() -> None:
    assert usable([Finding("a", "b", "problem"), Finding("a", "b", "missing")])
    assert not usable([Finding("a", "b"), Finding("a", "b", "broken")])
