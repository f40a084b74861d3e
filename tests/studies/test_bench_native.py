"""The comparison with MuJoCo's own ropes, to the extent possible without a network."""

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from support.engine import needs_discrete
from support.peers import assert_failed_install_is_reported
from typer.testing import CliRunner

import strand
from strand import StrandError, cli
from strand_studies.bench import environments, native
from strand_studies.bench.native import accuracy, models, peer, stability
from strand_studies.bench.native.carrier import Carrier
from strand_studies.bench.native.models import Rope

SMALL = Rope(segments=5, link_length=0.02, young=1e9, relaxation=0.5, timestep=0.005)


@pytest.fixture
def carrier() -> Iterator[Carrier]:
    with contextlib.closing(Carrier("strand")) as made:
        yield made


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reduces the stability test to a minimum."""
    settings = {"SEGMENTS": 6, "YOUNGS": (1e9,), "RELAXATIONS": (0.01,), "STEPS": (0.004, 0.008)}
    for name, value in (settings | {"REFERENCE_STEP": 0.002, "DURATION": 0.32}).items():
        monkeypatch.setattr(stability, name, value)


@needs_discrete
def test_command_writes_json_and_a_plot(tmp_path: Path, quick: None) -> None:
    json_file, plot = tmp_path / "native.json", tmp_path / "native.png"
    arguments = ["bench", "native", "--segments", "4,8", "--repeats", "3", "--peers", "strand"]
    arguments += ["--json", str(json_file), "--plot", str(plot)]
    result = CliRunner().invoke(cli.app, arguments)
    assert result.exit_code == 0, result.output
    report = json.loads(json_file.read_text())
    assert (report["name"], report["passed"]) == ("native", True)
    cases = [(entry["case"], entry["segments"]) for entry in report["results"]]
    assert cases == [
        *(("accuracy", n) for n in (4, 8)),
        *(("cost", n) for _ in ("air", "arm", "floor") for n in (4, 8) for _ in ("pieces", "one")),
        ("stability", 6),
    ]
    assert all(entry["step_us"] > 0 for entry in report["results"] if entry["case"] == "cost")
    last = report["results"][-1]
    assert last["largest_step_ms"] == 8
    assert 0 < last["motion_error"] < 0.2
    assert plot.read_bytes().startswith(b"\x89PNG")


def test_carrier_runs_this_mujoco(carrier: Carrier) -> None:
    assert carrier.version == strand.mujoco_version
    carrier.load(SMALL)
    nodes = np.array(carrier.ask("settle", time_limit=100.0)["nodes"])
    assert nodes.shape == (6, 3)
    np.testing.assert_allclose(np.linalg.norm(np.diff(nodes, axis=0), axis=1), 0.02)
    assert -1e-3 < nodes[-1, 2] - nodes[0, 2] < 0


def test_rope_on_the_floor_touches_it(carrier: Carrier) -> None:
    last = carrier.load(Rope(5, 0.02, 5e6, 0.01, 0.002, held=False, floor=True))
    kick = carrier.ask("kick", body=last, force=[0, 0.01, 0], duration=0.02, coast=0.5)
    assert kick["contacts"] == 10
    assert carrier.ask("clock", steps=3)["seconds"] > 0


def test_a_rope_that_diverges_is_not_sound(carrier: Carrier) -> None:
    carrier.load(Rope(50, 0.02, 5e6, 0.0, 0.064))
    assert carrier.ask("fall", duration=2.0, every=0.064) == {"sound": False}


def test_an_error_of_a_peer_names_it(carrier: Carrier) -> None:
    with pytest.raises(StrandError, match="peer strand: ValueError: task: got 'sing'"):
        carrier.ask("sing")
    assert carrier.ask("version")["version"] == strand.mujoco_version


def test_a_peer_that_dies_is_told(carrier: Carrier) -> None:
    carrier._process.kill()
    with pytest.raises(StrandError, match="peer strand: died in 'version'"):
        carrier.ask("version")


@pytest.mark.parametrize(("name", "major"), [("cable", "3"), ("flex", "4")])
@pytest.mark.parametrize("held", [True, False])
def test_models_of_the_peers_are_the_same_rope(name: str, major: str, held: bool) -> None:
    rope = Rope(6, 0.02, 1e9, 0.01, 0.002, held=held)
    scene = models.MAKERS[name](rope)
    ElementTree.fromstring(scene.mjcf)
    if not strand.mujoco_version.startswith(major):
        pytest.skip(f"the model is for MuJoCo {major}")
    nodes = peer.Simulation(scene.mjcf, scene.links).nodes()
    expected = strand.straight(rope.length, rope.segments) + np.array([0, 0, rope.radius])
    np.testing.assert_allclose(nodes, expected, atol=1e-6)


def test_accuracy_is_judged_by_its_trend() -> None:
    assert accuracy._falls([0.1]) is None
    assert accuracy._falls([0.1, -0.03]) is True
    assert accuracy._falls([0.1, -0.03, 0.05]) is False


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"segments": []}, "segments"),
        ({"segments": [2]}, "segments"),
        ({"repeats": 0}, "repeats"),
        ({"cases": ["none"]}, "cases"),
        ({"cases": []}, "cases"),
        ({"peers": ["rope"]}, "peers"),
    ],
)
def test_bad_input_names_the_field(arguments: dict, field: str) -> None:
    with pytest.raises(StrandError, match=f"{field}: got"):
        native.run(**arguments)


def test_an_environment_that_cannot_be_made_names_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert_failed_install_is_reported(
        lambda: native.run(cases=["accuracy"], peers=["cable"]),
        r"mujoco==3\.17\.0",
        tmp_path,
        monkeypatch,
    )


def test_a_cache_that_is_no_folder_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("STRAND_CACHE", str(tmp_path / "file"))
    with pytest.raises(StrandError, match="STRAND_CACHE: got"):
        environments.find_python("flex")


def test_environments_are_reused_and_broken_ones_rebuilt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = []

    def pretend(command: list[str], requirement: str) -> None:
        commands.append(command)
        if "venv" in command:
            (Path(command[-1]) / "bin").mkdir(parents=True)
            (Path(command[-1]) / "bin" / "python").write_text("")

    monkeypatch.setenv("STRAND_CACHE", str(tmp_path))
    monkeypatch.setattr(environments, "_run", pretend)
    python = environments.find_python("flex")
    assert python == tmp_path / "peers" / "mujoco-core-4.0.1" / "bin" / "python"
    assert [command[-1] for command in commands][1:] == ["mujoco-core==4.0.1"]
    assert environments.find_python("flex") == python
    assert len(commands) == 2
    (python.parents[1] / "complete").unlink()
    assert environments.find_python("flex").is_file()
    assert len(commands) == 4
