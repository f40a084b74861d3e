"""The files of assets/scenes: cables that MuJoCo simulates, scenes of the core, and sweeps."""

from pathlib import Path

import mujoco
import numpy as np
import pytest
from typer.testing import CliRunner

import strand
from strand import sweep
from strand.cli import app

FOLDER = Path(__file__).parents[2] / "assets" / "scenes"
CABLES, SCENES, SWEEPS = (
    sorted(FOLDER.glob(f"*.{kind}.toml")) for kind in ("cable", "scene", "sweep")
)


def test_every_file_is_a_cable_a_scene_or_a_sweep() -> None:
    assert len(CABLES) >= 2 and len(SCENES) >= 3 and SWEEPS
    assert {*CABLES, *SCENES, *SWEEPS} == set(FOLDER.iterdir())


@pytest.mark.parametrize("path", CABLES, ids=lambda path: path.name)
def test_a_cable_moves_without_warnings(path: Path) -> None:
    model = mujoco.MjModel.from_xml_string(strand.generate(path, stage=True))
    data = mujoco.MjData(model)
    while data.time < 1:
        mujoco.mj_step(model, data)
    assert not data.warning.number.any()
    assert np.isfinite(data.qpos).all()


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.name)
def test_a_scene_runs_as_its_comment_says(path: Path) -> None:
    command = path.read_text().splitlines()[1].removeprefix("#   strand ").split()
    assert command == ["simulate", f"assets/scenes/{path.name}"]
    done = CliRunner().invoke(app, ["simulate", str(path), "--duration", "0.3"])
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("path", SWEEPS, ids=lambda path: path.name)
def test_a_sweep_can_run_as_its_comment_says(path: Path) -> None:
    command = path.read_text().splitlines()[1].removeprefix("#   strand ").split()
    assert command[:2] == ["sweep", f"assets/scenes/{path.name}"]
    sweep.load(path).check()
