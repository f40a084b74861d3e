"""Manipulation scenes: scripted controllers do their tasks, and idle ones do not."""

import dataclasses

import numpy as np
import pytest
from support.engine import needs_discrete

from strand.errors import StrandError
from strand_studies.manipulation.catalog import load
from strand_studies.manipulation.names import SCENES
from strand_studies.manipulation.run import play, start
from strand_studies.manipulation.scene import Idle, Range

pytestmark = needs_discrete


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENES)
def test_the_task_is_done_for_a_seed_not_used_before(name: str) -> None:
    scene = load(name)
    outcome = play(scene, *start(scene, seed=1234))
    assert outcome.success, outcome.figures
    assert outcome.warnings == 0
    assert all(np.isfinite(value) for value in outcome.figures.values())


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENES)
def test_who_does_nothing_does_not_succeed(name: str) -> None:
    scene = load(name)
    outcome = play(scene, *start(scene, seed=0), controller=Idle(), seconds=2.0)
    assert not outcome.success


@pytest.mark.parametrize("name", SCENES)
def test_seeds_give_the_same_model_again_and_others_another(name: str) -> None:
    scene = load(name)
    sizes = [start(scene, seed)[0] for seed in (3, 3, 4)]
    arrays = [np.concatenate([m.body_mass, m.body_inertia.ravel(), m.qpos0]) for m in sizes]
    assert arrays[0].tobytes() == arrays[1].tobytes()
    assert arrays[0].shape != arrays[2].shape or (arrays[0] != arrays[2]).any()


def test_draws_lie_in_their_ranges() -> None:
    scene = load("lay")
    ranges = {
        f.name: getattr(scene, f.name)
        for f in dataclasses.fields(scene)
        if isinstance(getattr(scene, f.name), Range)
    }
    drawn = scene.draw(np.random.default_rng(0))
    assert drawn.keys() == ranges.keys()
    assert all(ranges[name].low <= drawn[name] <= ranges[name].high for name in ranges)


def test_a_run_is_repeated_bitwise() -> None:
    ends = []
    for _ in range(2):
        scene = load("routing")
        model, data = start(scene, seed=5)
        play(scene, model, data, seconds=1.0)
        ends.append(data.qpos.tobytes())
    assert ends[0] == ends[1]


@pytest.mark.parametrize("low, high", [(2.0, 1.0), (float("nan"), 1.0)])
def test_bad_ranges(low: float, high: float) -> None:
    with pytest.raises(StrandError, match="range: got"):
        Range(low, high)


def test_unknown_scenes() -> None:
    with pytest.raises(StrandError, match="name: got 'juggle', allowed: routing"):
        load("juggle")
