"""Success rates of policies, and policies of one's own."""

import json
from pathlib import Path

import numpy as np
import pytest
from support.engine import needs_discrete
from typer.testing import CliRunner

from strand.cli import app
from strand.errors import StrandError
from strand_studies.learning import evaluation, policies
from strand_studies.learning.environment import CableEnv

pytestmark = needs_discrete

OWN = """
import numpy as np

def closes(env):
    return lambda seen: np.array([0, 0, 0, 0, 1.0])

def brings_nan(env):
    return lambda seen: np.full(5, np.nan)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("own.py").write_text(OWN)
    return tmp_path


@pytest.mark.parametrize(
    "done, runs, low, high",  # Brown, Cai, DasGupta, Stat. Sci. 16 (2001), eq. 4
    [(20, 20, 0.8389, 1.0), (0, 10, 0.0, 0.2775), (8, 10, 0.4902, 0.9433)],
)
def test_wilson_intervals(done: int, runs: int, low: float, high: float) -> None:
    assert evaluation.interval(done, runs) == pytest.approx((low, high), abs=1e-4)


def test_a_row_says_how_often_a_policy_succeeds() -> None:
    env = CableEnv("plug", seconds=0.2)
    report = evaluation.run([env], policies.find("idle"), range(3, 6), least=0.5)
    row = report.results[0]
    assert (row["episodes"], row["rate"], row["failed"]) == (3, 0.0, "3, 4, 5")
    assert row["seconds"] == pytest.approx(0.2) and abs(row["return"]) < 1e-3
    assert row["passed"] is False and not report.passed
    unjudged = evaluation.run([env], policies.find("random"), [0])
    assert unjudged.results[0]["passed"] is None and unjudged.passed


def test_policies_by_name(folder: Path) -> None:
    env = CableEnv("drone")
    seen, _ = env.reset(seed=0)
    assert policies.find("idle")(env)(seen).tolist() == [-1] * 4  # no thrust
    drawn = []
    for _ in range(2):
        env.reset(seed=0)
        policy = policies.find("random")(env)
        drawn.append([policy(seen) for _ in range(3)])
    assert np.array_equal(*drawn) and env.action_space.contains(drawn[0][0])
    own = policies.find("own.py:closes")(env)
    assert own(seen)[4] == 1.0
    with pytest.raises(StrandError, match="policy: got 'clever', allowed: scripted, idle, random"):
        policies.find("clever")
    with pytest.raises(StrandError, match=r"^policy: got 'nowhere'"):
        policies.find("nowhere:function")
    with pytest.raises(StrandError, match=r"^policy.opens: got .*closes"):
        policies.find("own.py:opens")


@pytest.mark.slow
def test_the_command_exits_with_the_verdict(folder: Path) -> None:
    words = ["learn", "evaluate", "plug", "--seeds", "1", "--json", "out.json", "--policy"]
    done = CliRunner().invoke(app, [*words, "own.py:closes", "--least", "0.5"])
    assert done.exit_code == 1, done.exception
    told = json.loads(Path("out.json").read_text())
    assert told["passed"] is False and told["results"][0]["scene"] == "plug"
    assert "Not passed: plug, episodes 1: rate 0, least 0.5." in done.output
    nan = CliRunner().invoke(app, [*words, "own.py:brings_nan"])
    assert isinstance(nan.exception, StrandError) and "hand_x" in str(nan.exception)


def test_bad_commands(folder: Path) -> None:
    for words, message in (
        (["evaluate", "juggle"], "scene: got 'juggle'"),
        (["evaluate", "plug", "--policy", "clever"], "policy: got 'clever'"),
        (["evaluate", "plug", "--grasp", "weld"], "grasp: got 'weld', allowed: with handover"),
        (["record", "juggle", "out"], "scene: got 'juggle'"),
        (["record", "plug", "out", "--size", "wide"], "size: got 'wide'"),
        (["record", "plug", "own.py"], "folder: got 'own.py', allowed: a directory to write"),
    ):
        done = CliRunner().invoke(app, ["learn", *words])
        assert isinstance(done.exception, StrandError), (words, done.output)
        assert str(done.exception).startswith(message)
    assert not (folder / "out").exists()
