"""Scenes in many worlds on MuJoCo Warp: against the environment in C, resets, seeds, bad input."""

from importlib import metadata

import gymnasium
import mujoco
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from support.engine import needs_discrete
from support.warp import needs_repetition, needs_warp

import strand.warp
from strand.errors import StrandError
from strand_studies.learning import ENVIRONMENTS
from strand_studies.learning.batch import Batch, BatchState
from strand_studies.learning.environment import CableEnv
from strand_studies.learning.vector import CableVectorEnv
from strand_studies.manipulation.names import MANY_WORLDS

pytestmark = needs_discrete

FREE = int(mujoco.mjtDisableBit.mjDSBL_CONTACT)


def batch(name: str, nworld: int = 3, **arguments) -> Batch:
    return Batch(name, nworld, coarse=True, **arguments)


def actions(like: Batch, count: int, seed: int = 0) -> np.ndarray:
    """Random ones, a row for each world."""
    size = (count, like.nworld, like.model.nu)
    return np.random.default_rng(seed).uniform(-1, 1, size)


def run(on: Batch, state: BatchState, rows: np.ndarray) -> list[BatchState]:
    states = []
    for row in rows:
        state = on.step(state, row)
        states.append(state)
    return states


def row(state: BatchState, world: int) -> bytes:
    """All numbers of a world."""
    parts = [*state.observation.values(), state.reward, state.progress, *state.figures.values()]
    return b"".join(part[world].tobytes() for part in parts)


def in_c(like: Batch, state: BatchState, world: int) -> tuple[CableEnv, dict, dict]:
    """The environment in C at the start of a world's episode, with contacts as soft as on Warp."""
    env = CableEnv(like.scene)
    values = {name: float(each[world]) for name, each in state.values.items()}
    seen, info = env.reset(options={"values": values})
    soft = strand.warp.softened(env.model)
    for name in ("geom_solimp", "pair_solimp", "eq_solimp", "eq_solref", "eq_data"):
        getattr(env.model, name)[:] = getattr(soft, name)
    return env, seen, info


@needs_warp
@pytest.mark.parametrize(
    "name, contacts, place, speed, paid",
    [
        ("winch", False, 5e-6, 5e-4, 2e-7),
        ("hose", False, 5e-6, 5e-4, 2e-7),
        # Links lie on the drum or the floor at a distance of 0 +- rounding. In C, too, starting
        # from positions rounded to float32 moves nodes by 9e-4 m, 0.3 m/s, and changes rewards by
        # 4e-5.
        ("winch", True, 5e-3, 1.0, 2e-4),
        ("hose", True, 5e-3, 1.0, 2e-4),
    ],
)
def test_every_world_is_the_environment_in_c(
    name: str, contacts: bool, place: float, speed: float, paid: float
) -> None:
    """m, m/s, and of the rewards, of which there are 1e-3 to 1e-2 in a step."""
    many = batch(name, 2, randomize=False)
    state = many.reset(seed=7)
    envs = [in_c(many, state, world) for world in range(2)]
    for world, (_, seen, info) in enumerate(envs):
        assert info["progress"] == pytest.approx(state.progress[world], abs=1e-6)
        for part in seen:
            assert seen[part] == pytest.approx(state.observation[part][world], abs=1e-6)
    if not contacts:
        many.worlds.m.opt.disableflags |= FREE
        for env, *_ in envs:
            env.model.opt.disableflags |= FREE
    for chosen in actions(many, 5, seed=7):
        state = many.step(state, chosen)
        for world, (env, *_) in enumerate(envs):
            seen, reward, terminated, truncated, info = env.step(chosen[world])
            assert state.reward[world] == pytest.approx(reward, abs=paid)
            assert state.terminated[world] == terminated and state.truncated[world] == truncated
            apart = {part: np.abs(seen[part] - state.observation[part][world]) for part in seen}
            assert apart["cable"].max() < place and apart["bodies"][:, :7].max() < place
            assert apart["cable_velocity"].max() < speed and apart["bodies"][:, 7:].max() < speed
            figures = {key: each[world] for key, each in state.figures.items()}
            wanted = {key: info["figures"][key] for key in figures}
            assert figures == pytest.approx(wanted, abs=5 * place)
    assert np.abs(state.reward[0] - state.reward[1]) > 100 * paid or contacts


@needs_warp
@needs_repetition
@pytest.mark.slow
def test_worlds_do_not_disturb_each_other() -> None:
    """The same seed and actions give bitwise the same, whatever the other worlds do, and wherever
    the world is."""
    many = batch("winch", seconds=0.3)
    rows = actions(many, 8)
    first = run(many, many.reset(seed=3), rows)
    again = run(many, many.reset(seed=3), rows)
    assert all(row(a, k) == row(b, k) for a, b in zip(first, again, strict=True) for k in range(3))
    others = rows.copy()
    others[:, :2] = -rows[:, :2]
    mixed = run(many, many.reset(seed=[8, 9, 5]), others)
    assert all(row(a, 2) == row(b, 2) for a, b in zip(first, mixed, strict=True))
    assert row(first[-1], 0) != row(mixed[-1], 0)
    moved = run(many, many.reset(seed=[5, 0, 1]), rows[:, [2, 0, 1]])
    assert all(row(a, 2) == row(b, 0) for a, b in zip(first, moved, strict=True))


@needs_warp
@needs_repetition
@pytest.mark.parametrize("name", MANY_WORLDS)
def test_restarting_a_world_changes_no_other(name: str) -> None:
    many = batch(name)
    rows = actions(many, 6)
    whole = run(many, many.reset(seed=1), rows)[-1]
    state = run(many, many.reset(seed=1), rows[:3])[-1]
    mask = np.array([False, True, False])
    after = many.restart(state, mask)
    assert [after.steps[k] for k in range(3)] == [3, 0, 3] and after.reward[1] == 0
    assert all(row(after, k) == row(state, k) for k in (0, 2))
    end = run(many, after, rows[3:])[-1]
    assert all(row(end, k) == row(whole, k) for k in (0, 2))
    assert row(end, 1) != row(whole, 1)


@needs_warp
@needs_repetition
def test_a_restarted_world_is_as_a_new_one() -> None:
    many = batch("hose", randomize=False)
    rows = actions(many, 4)
    fresh = many.reset()
    start, first = row(fresh, 1), run(many, fresh, rows)
    state = many.restart(first[-1], np.array([False, True, False]))
    assert row(state, 1) == start
    again = run(many, state, rows)
    assert [row(each, 1)[:-8] for each in again] == [row(each, 1)[:-8] for each in first]


@needs_warp
def test_each_world_has_the_stiffness_that_its_seed_draws() -> None:
    many = batch("winch", 4, ranges={"EI": (2e-4, 8e-4)})
    state = many.reset(seed=5)
    for world in range(4):
        env = CableEnv("winch", ranges={"EI": (2e-4, 8e-4)})
        drawn = env.reset(seed=5 + world)[1]["values"]
        for name in ("EI", "twist_ratio"):
            assert state.values[name][world] == drawn[name]
    EI, GJ = many.worlds.cables.factors()
    assert EI[:, 0] == pytest.approx(state.values["EI"] / 5e-4, rel=1e-6)
    stiff = state.values["EI"] * state.values["twist_ratio"]
    assert GJ[:, 0] == pytest.approx(stiff / (5e-4 * 0.8), rel=1e-6)
    assert len(np.unique(EI)) == 4 and (state.values["mass"] == 1.25).all()
    after = many.restart(state, np.array([True, False, False, False]))
    changed = after.values["EI"] != state.values["EI"]
    assert changed.tolist() == [True, False, False, False]
    chosen = Batch("winch", 2, coarse=True, values={"EI": 3e-4, "mass": 0.6}).reset(seed=5)
    assert (chosen.values["EI"] == 3e-4).all() and (chosen.values["mass"] == 0.6).all()
    assert len(np.unique(chosen.values["twist_ratio"])) == 2


@needs_warp
def test_a_world_that_breaks_down_ends_alone() -> None:
    many = batch("winch")
    state = many.reset(seed=0)
    velocities = many.worlds.d.qvel.numpy().copy()
    velocities[1] = 1e20
    many.worlds.d.qvel.assign(velocities)
    after = many.step(state, np.zeros((3, 1)))
    assert after.broken.tolist() == after.terminated.tolist() == [False, True, False]
    assert after.reward[1] == -state.progress[1] and not after.success[1]
    assert all(np.isfinite(part).all() for part in after.observation.values())
    with pytest.raises(StrandError, match="world 1 has ended, allowed: restarted"):
        many.step(after, np.zeros((3, 1)))
    again = many.step(many.restart(after, after.ended), np.zeros((3, 1)))
    assert not again.ended.any() and not again.broken.any()


@needs_warp
@needs_repetition
def test_the_vector_environment() -> None:
    env = gymnasium.make_vec(
        ENVIRONMENTS["winch"],
        num_envs=3,
        vectorization_mode="vector_entry_point",
        coarse=True,
        seconds=0.06,
    )
    assert env.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    single = CableEnv(env.unwrapped.batch.scene)
    assert env.single_observation_space == single.observation_space
    assert env.single_action_space == single.action_space
    seen, info = env.reset(seed=2)
    assert env.observation_space.contains(seen) and info["_progress"].all()
    plain = Batch("winch", 3, coarse=True, seconds=0.06)
    state = plain.reset(seed=2)
    for k, chosen in enumerate(actions(plain, 3).astype(np.float32)):
        seen, reward, terminated, truncated, info = env.step(chosen)
        state = plain.step(state, chosen)
        assert (reward == state.reward).all() and not terminated.any()
        assert truncated.tolist() == [k == 2] * 3 and ("final_obs" in info) == (k == 2)
    for world in range(3):
        last = info["final_obs"][world]
        assert all((last[part] == state.observation[part][world]).all() for part in last)
    assert (info["final_info"]["progress"] == state.progress).all()
    fresh = plain.restart(state, state.ended)
    assert all((seen[part] == fresh.observation[part]).all() for part in seen)
    assert (info["values"]["EI"] == fresh.values["EI"]).all()
    env.step(actions(plain, 1)[0])
    before = env.unwrapped.state
    mask = np.array([False, False, True])
    env.reset(seed=[None, None, 2], options={"reset_mask": mask})
    assert env.unwrapped.state.steps.tolist() == [1, 1, 0]
    assert row(env.unwrapped.state, 0) == row(before, 0)
    env.close()


@needs_warp
def test_an_action_is_in_force_for_the_period() -> None:
    long, short = batch("winch", period=0.06), batch("winch")
    chosen = actions(short, 1)[0]
    once = long.step(long.reset(seed=0), chosen)
    state = short.reset(seed=0)
    states = run(short, state, np.repeat(chosen[None], 3, axis=0))
    # Not bitwise: constraints take the last known velocities, which an observation renews.
    assert once.reward == pytest.approx(sum(each.reward for each in states), abs=1e-5)
    cable = states[-1].observation["cable"]
    assert once.observation["cable"] == pytest.approx(cable, abs=1e-4)
    moved = np.abs(cable - state.observation["cable"]).max(axis=(1, 2))
    assert moved.min() > 0.005 and once.steps.tolist() == [1] * 3


@needs_warp
@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"scene": "plug"}, "scene: got 'plug', allowed on Warp: winch, hose"),
        ({"nworld": 0}, "nworld: got 0, allowed: an integer, at least 1"),
        ({"period": 0.03}, "period: got 0.03, allowed: a multiple of the control period, 0.02"),
        ({"period": 0.0}, "period: got 0.0"),
        ({"iterations": 0}, "iterations: got 0"),
        ({"coarse": 1}, "coarse: got 1, allowed: true or false"),
        ({"reward": "huge"}, "reward: got 'huge', allowed: dense, sparse"),
        ({"values": {"colour": 1.0}}, "values: got 'colour', allowed: EI, "),
        ({"ranges": {"EI": 3.0}}, r"ranges.EI: got 3.0, allowed: \(low, high\)"),
    ],
)
def test_bad_arguments(arguments: dict, words: str) -> None:
    with pytest.raises(StrandError, match=words):
        Batch(**{"scene": "winch", "nworld": 2} | arguments)


@needs_warp
def test_bad_calls() -> None:
    many = batch("winch", 2)
    first = many.reset(seed=0)
    for seed in (-1, [1], 0.5, True):
        with pytest.raises(StrandError, match=r"seed: got .*one for each of the 2 worlds"):
            many.reset(seed=seed)
    with pytest.raises(StrandError, match=r"action: got shape \(1,\), allowed: \(2, 1\)"):
        many.step(first, np.zeros(1))
    with pytest.raises(StrandError, match=r"action: got \[nan\] \(world 1, drum\), allowed: fin"):
        many.step(first, np.array([[0.0], [np.nan]]))
    with pytest.raises(StrandError, match=r"mask: got float64 of shape \(2,\), allowed: one bool"):
        many.restart(first, np.zeros(2))
    many.step(first, np.zeros((2, 1)))
    with pytest.raises(StrandError, match="state: got one that is not the latest"):
        many.step(first, np.zeros((2, 1)))
    env = CableVectorEnv("winch", 2, coarse=True)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.zeros((2, 1)))
    with pytest.raises(StrandError, match="options: got speed, allowed: reset_mask"):
        env.reset(options={"speed": 1})


def test_without_warp_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    with pytest.raises(StrandError, match=r"warp-lang: got none installed.*pip install"):
        Batch("winch", 2)
