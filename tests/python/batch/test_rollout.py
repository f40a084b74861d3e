"""strand.rollout: many worlds, each as a loop of mj_step gives it."""

import copy
import threading
from pathlib import Path

import mujoco
import numpy as np
import pytest
from support import cables
from support.engine import BEST

import strand
from strand.batch import move

CABLE = {"EI": 2e-3, "GJ": 1.5e-3, "radius": 0.004}
STEPS, EVERY = 60, 20
FACTORS = np.array([1.0, 0.4, 3.0, 1.7])


def falling(**options: object) -> mujoco.MjModel:
    """A free cable above a floor, in several trees."""
    cable = strand.Cable(strand.straight(0.6, 26) + np.array([-0.3, 0, 0.1]), **(CABLE | options))
    floor = '<geom type="plane" size="2 2 .1"/>'
    return cables.load(cable, floor)[0]


def driven() -> mujoco.MjModel:
    """A cable whose start is welded to a hand that turns about the cable."""
    spec = mujoco.MjSpec.from_string(
        '<mujoco><worldbody><body name="hand"><joint name="turn" axis="1 0 0" damping=".002"/>'
        '<geom size=".03" mass=".5" contype="0" conaffinity="0"/></body></worldbody>'
        '<actuator><velocity name="turn" joint="turn" kv=".02"/></actuator></mujoco>'
    )
    spec.option.integrator, spec.option.timestep = BEST, 1e-3
    ends = {"start": "weld", "start_to": "hand", "end": "fixed", "gravity": (0, 0, 0)}
    strand.attach(spec, strand.Cable(strand.straight(0.4, 10), **(CABLE | ends)))
    return spec.compile()


def drop(generator: np.random.Generator, data: mujoco.MjData) -> None:
    move(data.model, data, [0, 0, generator.uniform(0, 0.02)], generator.normal(size=4))
    data.qvel[:] += generator.normal(scale=0.01, size=data.model.nv)


def looped(model: mujoco.MjModel, world: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """qpos and nodes at the samples of a world, with a model and data of its own."""
    model = copy.copy(model)
    data = mujoco.MjData(model)
    drop(np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(world,))), data)
    strand.set_material(model, data, EI=FACTORS[world], GJ=FACTORS[::-1][world])
    qpos, nodes = [], []
    for step in range(STEPS + 1):
        if step % EVERY == 0:
            qpos.append(data.qpos.copy())
            nodes.append(strand.profile(model, data).nodes)
        mujoco.mj_step(model, data)
    return np.array(qpos), np.array(nodes)


def run(model: mujoco.MjModel, **options: object) -> strand.batch.Rollout:
    given = {"worlds": 4, "steps": STEPS, "every": EVERY, "qpos": True, "seed": 5}
    return strand.rollout(model, **(given | options))


def nodes_of(result: strand.batch.Rollout) -> np.ndarray:
    (nodes,) = result.nodes.values()
    return np.asarray(nodes[:])


def test_each_world_is_a_loop_of_steps() -> None:
    model = falling()
    before = model.jnt_stiffness.copy()
    result = run(model, initial=drop, EI=FACTORS, GJ=FACTORS[::-1], threads=2)
    assert not result.failed.any() and np.isnan(result.failed_at).all() and not result.failures
    np.testing.assert_allclose(result.times, np.arange(0, STEPS + 1, EVERY) * model.opt.timestep)
    for world in range(4):
        qpos, nodes = looped(model, world, 5)
        assert np.array_equal(result.qpos[world], qpos)
        np.testing.assert_allclose(nodes_of(result)[world], nodes, rtol=0, atol=1e-14)
    assert np.array_equal(model.jnt_stiffness, before)
    assert np.array_equal(result.EI[:, 0], FACTORS) and result.seed == 5


def test_results_do_not_depend_on_the_threads_or_the_other_worlds() -> None:
    model = falling()
    first = run(model, initial=drop, EI=FACTORS, threads=1)
    for threads, worlds in ((3, 4), (2, 2)):
        again = run(model, initial=drop, EI=FACTORS[:worlds], threads=threads, worlds=worlds)
        assert np.array_equal(again.qpos, first.qpos[:worlds])
    other = run(model, initial=drop, EI=FACTORS, seed=6)
    assert not np.array_equal(other.qpos[:, 0], first.qpos[:, 0])
    drawn = run(model, initial=drop, seed=None)
    assert np.array_equal(run(model, initial=drop, seed=drawn.seed).qpos, drawn.qpos)


def test_worlds_continue_a_state_with_its_turns_of_twist() -> None:
    model = driven()
    data = mujoco.MjData(model)
    data.ctrl[:] = 20  # rad/s
    mujoco.mj_step(model, data, 600)
    mujoco.mj_kinematics(model, data)
    assert abs(strand.readout(model, data).twist) > 3 * np.pi
    strand.set_material(model, data, GJ=0.8)
    result = run(model, initial=data, control=[20.0], worlds=2)
    for sample in range(1, STEPS // EVERY + 1):
        mujoco.mj_step(model, data, EVERY)
        assert np.array_equal(result.qpos[1, sample], data.qpos)


def test_forms_of_controls_agree() -> None:
    model = driven()
    wave = np.sin(np.arange(STEPS))[:, np.newaxis]
    each = np.array([wave, 2 * wave])
    result = run(model, control=each, worlds=2)
    data = mujoco.MjData(model)
    for row in each[1]:
        data.ctrl[:] = row
        mujoco.mj_step(model, data)
    assert np.array_equal(result.qpos[1, -1], data.qpos)
    assert np.array_equal(run(model, control=wave[np.newaxis], worlds=2).qpos[1], result.qpos[0])

    def steady(generator: np.random.Generator, data: mujoco.MjData) -> None:
        data.ctrl[:] = 3.0

    constant = run(model, control=[3.0], worlds=1).qpos
    for control in (steady, [[[3.0]]], np.full((1, STEPS, 1), 3.0)):
        assert np.array_equal(run(model, control=control, worlds=1).qpos, constant)
    assert not np.array_equal(constant, run(model, worlds=1).qpos)


def test_starts_are_arrays_or_functions_that_return_them() -> None:
    model = falling()
    start = model.qpos0.copy()
    start[2] += 0.01
    rows = np.array([model.qpos0, start])
    result = run(model, initial=rows, worlds=2)
    assert np.array_equal(result.qpos[:, 0], rows)
    assert np.array_equal(run(model, initial=start, worlds=1).qpos[0], result.qpos[1])
    returned = run(model, initial=lambda generator, data: start, worlds=1)
    assert np.array_equal(returned.qpos[0], result.qpos[1])


def test_a_material_set_at_the_start_ends_with_its_world() -> None:
    model, order = falling(start="fixed", loss_time=0.01), []

    def start(generator: np.random.Generator, data: mujoco.MjData) -> None:
        order.append(strand.material(data.model, data).EI)
        if len(order) == 1:
            strand.set_material(data.model, data, EI=9.0, curvature=[1.0, 0.0])
            strand.set_damping(data.model, data, 5.0)

    result = run(model, initial=start, worlds=3, threads=1)
    assert order == [1, 1, 1]
    plain = run(model, worlds=1)
    assert not np.array_equal(result.qpos[0], plain.qpos[0])
    assert np.array_equal(result.qpos[1], plain.qpos[0])
    assert np.array_equal(result.qpos[2], plain.qpos[0])


def test_factors_are_of_the_own_stiffness_of_a_model_that_was_changed() -> None:
    model, options = falling(), {"EI": [10.0], "GJ": [10.0], "worlds": 1}
    fresh = run(model, **options)
    strand.set_material(model, mujoco.MjData(model), EI=10.0, GJ=10.0)
    assert np.array_equal(run(model, **options).qpos, fresh.qpos)


def test_a_start_in_another_model_is_stabilised() -> None:
    model, other = falling(), falling()
    data = mujoco.MjData(model)
    strand.set_material(model, data, EI=10.0, GJ=10.0)
    result = run(other, initial=data, worlds=1)
    for sample in range(1, STEPS // EVERY + 1):
        mujoco.mj_step(model, data, EVERY)
        assert np.array_equal(result.qpos[0, sample], data.qpos)


def test_invalid_states_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # MuJoCo writes a log
    model = falling()

    def push(generator: np.random.Generator, data: mujoco.MjData) -> None:
        if data.time > 1.5 * EVERY * model.opt.timestep and generator.uniform() < 0.5:
            data.qvel[:] = np.nan

    result = run(model, control=push, worlds=12, seed=0)
    assert 0 < result.failed.sum() < 12
    good = run(model, worlds=1)
    for world in range(12):
        rows = nodes_of(result)[world]
        if not result.failed[world]:
            assert np.array_equal(rows, nodes_of(good)[0]) and np.isnan(result.failed_at[world])
            continue
        assert result.failed_at[world] == result.times[3]
        assert "BADQVEL" in result.failures[world]
        assert np.isfinite(rows[:3]).all() and np.isnan(rows[3:]).all()


def test_a_start_that_is_invalid_is_reported() -> None:
    def start(generator: np.random.Generator, data: mujoco.MjData) -> None:
        data.qpos[0] = np.nan

    result = run(falling(), initial=start, worlds=1)
    assert result.failed_at == [0.0] and np.isnan(nodes_of(result)).all()


def test_an_error_of_the_engine_ends_one_world(monkeypatch: pytest.MonkeyPatch) -> None:
    step, calls = mujoco.mj_step, []

    def failing(*arguments: object) -> None:
        calls.append(1)
        if len(calls) == 2:
            raise mujoco.FatalError("out of memory")
        step(*arguments)

    monkeypatch.setattr(mujoco, "mj_step", failing)
    result = run(falling(), threads=1, worlds=3)
    assert result.failures == {0: "out of memory"}
    assert result.failed_at[0] == result.times[2]
    assert np.array_equal(result.qpos[1], result.qpos[2]) and np.isfinite(result.qpos[1]).all()


def test_an_error_in_a_function_names_its_world() -> None:
    def start(generator: np.random.Generator, data: mujoco.MjData) -> None:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine") as caught:
        run(falling(), initial=start)
    assert "in world" in caught.value.__notes__[0]


def test_progress_and_threads() -> None:
    said, threads = [], set()

    def start(generator: np.random.Generator, data: mujoco.MjData) -> None:
        threads.add(threading.get_ident())

    run(falling(), initial=start, progress=lambda *numbers: said.append(numbers), threads=2)
    assert said == [(done, 4) for done in range(1, 5)]
    assert len(threads) <= 2 and threading.get_ident() not in threads


def test_seconds_are_rounded_to_rows() -> None:
    model = falling()
    result = run(model, steps=None, seconds=5.4 * EVERY * model.opt.timestep, worlds=1, nodes=False)
    assert result.times.shape == (6,) and result.nodes == {}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"worlds": 0}, "worlds: got 0, allowed: an integer, at least 1"),
        ({"steps": 50}, "steps: got 50, allowed: a multiple of every = 20"),
        ({"seconds": 1.0}, "steps, seconds: got both, allowed: one of them"),
        ({"steps": None}, "steps, seconds: got neither"),
        ({"steps": None, "seconds": -1.0}, "seconds: got -1.0, allowed: a number > 0"),
        ({"EI": [1.0, 2.0]}, r"EI: got shape \(2,\), from 1 to 2, allowed: factors > 0 of shape"),
        ({"EI": [1, 1, 1, 0]}, r"EI: got shape \(4, 1\), from 0 to 1"),
        ({"GJ": np.ones((4, 2))}, r"GJ: got shape \(4, 2\)"),
        ({"GJ": np.nan}, "GJ: got NaN or infinity"),
        ({"GJ": "soft"}, "GJ: got 'soft'"),
        ({"initial": np.ones(3)}, r"initial: got shape \(3,\).* allowed: None, a function"),
        ({"initial": lambda generator, data: [1.0]}, "initial: got a function that returns"),
        ({"control": np.ones((4, 7, 0))}, r"control: got shape \(4, 7, 0\), allowed: None"),
        ({"control": np.ones(2)}, r"control: got shape \(2,\)"),
        ({"out": "a.csv"}, "out: got 'a.csv', allowed: a path that ends in .npz or .zarr"),
        ({"out": 3}, "out: got 3"),
        ({"threads": 0}, "threads: got 0"),
        ({"seed": -1}, "seed: got -1"),
        ({"model": 3}, "model: got 3, allowed: a mujoco.MjModel"),
    ],
)
def test_bad_arguments(options: dict, message: str) -> None:
    model = options.pop("model", None) or falling()
    with pytest.raises(strand.StrandError, match=message):
        run(model, **options)


def test_data_of_another_model_and_models_without_cables() -> None:
    plain = mujoco.MjSpec().compile()
    with pytest.raises(strand.StrandError, match="initial: got data of another model"):
        run(falling(), initial=mujoco.MjData(plain))
    with pytest.raises(strand.StrandError, match="nodes: got True, allowed: False"):
        run(plain)
    with pytest.raises(strand.StrandError, match=r"EI: got factors, allowed: None"):
        run(plain, nodes=False, EI=2.0)
    assert run(plain, nodes=False).qpos.shape == (4, 4, 0)
