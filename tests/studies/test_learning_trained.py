"""Policies that have been learned: their file, their network, the training."""

import itertools
import sys
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from support.engine import needs_discrete
from support.warp import needs_warp
from typer.testing import CliRunner

from strand.cli import app
from strand.errors import StrandError
from strand_studies.learning import policies, trained
from strand_studies.learning.environment import CableEnv
from strand_studies.manipulation.catalog import load

pytestmark = needs_discrete


def made(env: CableEnv, period: float = 0.06) -> trained.Trained:
    """A policy with random weights."""
    random = np.random.default_rng(0)
    sizes = [gymnasium.spaces.flatdim(env.observation_space), 8, 5, env.model.nu]
    weights = [random.normal(size=pair) for pair in itertools.pairwise(sizes)]
    biases = [random.normal(size=size) for size in sizes[1:]]
    scale = random.uniform(0.5, 2, sizes[0])
    return trained.Trained("winch", period, True, scale - 1, scale, weights, biases)


def test_a_saved_policy_acts_as_before(tmp_path: Path) -> None:
    env = CableEnv(load("winch").coarse(), seconds=0.2)
    policy, path = made(env), tmp_path / "policy.npz"
    policy.save(path)
    seen, _ = env.reset(seed=0)
    flat = gymnasium.spaces.flatten(env.observation_space, seen)
    action = policy.action(np.stack([flat, 2 * flat]))
    assert trained.load(path).action(flat) == pytest.approx(action[0])
    values = np.clip((flat - policy.mean) / policy.deviation, -5, 5)
    for weight, bias in zip(policy.weights, policy.biases, strict=True):
        pairs = zip(weight.T, bias, strict=True)
        values = np.array([np.tanh(sum(values * column) + offset) for column, offset in pairs])
    assert action[0] == pytest.approx(values, rel=1e-5)
    acts = policies.find(str(path))(env)
    taken = []
    for _ in range(4):
        taken.append(acts(seen))
        seen, *_ = env.step(taken[-1])
    assert taken[0] == pytest.approx(action[0])
    assert (taken[1] == taken[0]).all() and (taken[2] == taken[0]).all()  # for 0.06 s
    assert (taken[3] != taken[0]).all()


def test_what_is_not_a_policy(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    for content in (b"", b"PK\x05\x06" + bytes(18)):
        path.write_bytes(content)
        with pytest.raises(StrandError, match=r"policy: got '.*a.npz', allowed: a file of `strand"):
            policies.find(str(path))
    with pytest.raises(StrandError, match=r"policy: got '.*none.npz', allowed"):
        policies.find(str(tmp_path / "none.npz"))
    policy = made(CableEnv(load("winch").coarse()))
    with pytest.raises(StrandError, match=r"got one for observations of \d+ numbers \(scene w"):
        policy.start(CableEnv("hose"))


@needs_warp
@pytest.mark.slow
def test_training_writes_what_it_learned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few updates: no return to judge, but a policy that runs in C, and a row per episode."""
    pytest.importorskip("skrl")
    pytest.importorskip("flax")
    monkeypatch.setattr("strand_studies.learning.training.SEEDS", range(2))
    folder = tmp_path / "out"
    words = f"learn train winch {folder} --worlds 2 --steps 16 --seconds 0.08 --rollout 8"
    result = CliRunner().invoke(app, words.split())
    assert result.exit_code in (0, 1) and not isinstance(result.exception, StrandError)
    assert sorted(path.name for path in folder.iterdir()) == [
        "curve.csv",
        "curve.png",
        "policy.npz",
    ]
    rows = (folder / "curve.csv").read_text().splitlines()
    assert rows[0] == "steps,return,progress,success,broken"
    assert [row.split(",")[0] for row in rows[1:]] == ["12", "16"]  # first ones are cut
    policy = policies.find(str(folder / "policy.npz"))
    env = CableEnv(load("winch").coarse())
    seen, _ = env.reset(seed=0)
    assert np.isfinite(policy(env)(seen)).all()


def test_bad_trainings(tmp_path: Path) -> None:
    pytest.importorskip("skrl")
    pytest.importorskip("flax")
    for option, words in (
        ("--discount 2", "discount: got 2.0, allowed: a number from 0 to 1"),
        ("--rate 0", "learning_rate: got 0.0"),
    ):
        result = CliRunner().invoke(app, f"learn train winch {tmp_path}/a {option}".split())
        assert isinstance(result.exception, StrandError) and words in str(result.exception)
    assert not (tmp_path / "a").exists()


def test_without_skrl_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("strand_studies.learning.ppo", "skrl", "jax", "flax"):
        monkeypatch.setitem(sys.modules, module, None)
    result = CliRunner().invoke(app, ["learn", "train", "winch", "out"])
    assert isinstance(result.exception, StrandError)
    assert str(result.exception).endswith('not installed; pip install "strand[ppo]" installs it')
