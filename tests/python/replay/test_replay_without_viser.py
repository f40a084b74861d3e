"""Without viser, a replay is refused before anything runs."""

import re
import sys
from pathlib import Path

import mujoco
import pytest
from typer.testing import CliRunner

from strand import StrandError
from strand.cli import app
from strand.replay import Recorder, record

WORDS = r'viser: not installed \(.*\), allowed: with it; pip install "strand\[replay\]"'


@pytest.fixture(autouse=True)
def without_viser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "viser", None)


def test_missing_viser_is_reported_before_a_run(tmp_path: Path) -> None:
    model = mujoco.MjModel.from_xml_string("<mujoco/>")
    data = mujoco.MjData(model)
    with pytest.raises(StrandError, match=WORDS):
        record(model, data)
    with pytest.raises(StrandError, match=WORDS):
        Recorder(model)
    assert data.time == 0
    recording = tmp_path / "a.npz"
    recording.touch()
    with pytest.raises(StrandError, match=WORDS):
        record(recording)


def test_the_command_says_what_to_install(tmp_path: Path) -> None:
    model = tmp_path / "a.xml"
    model.write_text("<mujoco/>")
    done = CliRunner().invoke(app, ["replay", str(model), "-o", str(tmp_path / "a.html")])
    assert isinstance(done.exception, StrandError) and re.search(WORDS, str(done.exception))
    assert list(tmp_path.iterdir()) == [model]
