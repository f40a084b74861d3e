"""Compute is a pure function of mjData; broken states leave no trace after a reset."""

import mujoco
import numpy as np
import pytest
from support import differences, mjcf, shapes
from support.mjcf import Chain, Piece

import strand

MODES = ("quasistatic", "dynamic")
MEASURES = ("angle", "tangent", "smooth4", "smooth")
RESTS = ("model", "straight")
LINKS = 9

SENSOR = '<sensor><plugin name="readout" plugin="strand.cable" instance="rod"/></sensor>'


def make(mode: str, measure: str = "angle", rest: str = "model", timestep: float = 1e-4):
    keys = {"EI": "0.03 0.02", "GJ": "0.02", "twist": mode, "curvature": measure, "rest": rest}
    chain = Chain(shapes.walk(LINKS, seed=2), keys, radius=0.01, damping=1e-4)
    option = {"timestep": str(timestep)}
    model = mjcf.compiled(chain, option=option, extra=SENSOR, density=1e4)
    return model, mujoco.MjData(model)


def passive(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    mujoco.mj_forward(model, data)
    return data.qfrc_passive.copy()


every_mode = pytest.mark.parametrize("mode", MODES)


@every_mode
def test_forward_twice_is_the_same(mode: str) -> None:
    model, data = make(mode)
    differences.wind(model, data, f"rod{LINKS - 1}", 2)
    state = data.plugin_state.copy()
    first = passive(model, data)
    assert np.array_equal(passive(model, data), first)
    assert np.array_equal(data.plugin_state, state)
    assert np.abs(first).max() > 0.1


@every_mode
def test_evaluating_another_state_leaves_no_trace(mode: str) -> None:
    model, data = make(mode)
    differences.wind(model, data, f"rod{LINKS - 1}", 2)
    here, state = data.qpos.copy(), data.plugin_state.copy()
    reference = passive(model, data)
    for seed in range(5):
        differences.disturb(model, data, seed, size=2.0)
        passive(model, data)
        strand.energy(model, data)
        mujoco.mj_inverse(model, data)
        data.qpos[:] = here
    assert np.array_equal(passive(model, data), reference)
    assert np.array_equal(data.plugin_state, state)


@every_mode
def test_reading_changes_nothing(mode: str) -> None:
    model, read = make(mode)
    left = mujoco.MjData(model)
    for data in (read, left):
        differences.wind(model, data, f"rod{LINKS - 1}", 2)
    for _ in range(30):
        mujoco.mj_step(model, read)
        strand.readout(model, read, "rod")
        strand.energy(model, read)
        mujoco.mj_step(model, left)
    assert np.array_equal(read.qpos, left.qpos)
    assert np.array_equal(read.plugin_state, left.plugin_state)


@every_mode
def test_sensor_equals_the_readout(mode: str) -> None:
    model, data = make(mode)
    differences.wind(model, data, f"rod{LINKS - 1}", -2)
    mujoco.mj_step(model, data, 10)
    mujoco.mj_forward(model, data)
    readout = strand.readout(model, data, "rod")
    numbers = np.concatenate([readout[:4], readout.start_couple, readout.end_couple])
    assert np.array_equal(data.sensor("readout").data, numbers)
    assert readout.energy == pytest.approx(readout.bend_energy + readout.twist_energy, rel=1e-14)
    assert readout.energy == strand.energy(model, data)
    # Rotated manually, so that it follows the material: two turns fewer.
    assert readout.twist == pytest.approx(-4 * np.pi, abs=np.pi)


@every_mode
def test_step_in_two_halves(mode: str) -> None:
    model, whole = make(mode)
    halves = mujoco.MjData(model)
    for data in (whole, halves):
        differences.wind(model, data, f"rod{LINKS - 1}", 2)
    for _ in range(30):
        mujoco.mj_step(model, whole)
        mujoco.mj_step1(model, halves)
        strand.energy(model, halves)
        mujoco.mj_step2(model, halves)
    assert np.array_equal(whole.qpos, halves.qpos)
    assert np.array_equal(whole.plugin_state, halves.plugin_state)


@every_mode
def test_finite_differences_of_the_step(mode: str) -> None:
    model, data = make(mode)
    differences.wind(model, data, f"rod{LINKS - 1}", 2)
    state, qpos = data.plugin_state.copy(), data.qpos.copy()
    matrices = []
    for _ in range(2):
        A = np.zeros((2 * model.nv, 2 * model.nv))
        mujoco.mjd_transitionFD(model, data, 1e-6, True, A, None, None, None)
        matrices.append(A)
    assert np.array_equal(matrices[0], matrices[1])
    assert np.array_equal(data.plugin_state, state)
    assert np.array_equal(data.qpos, qpos)
    mujoco.mj_step(model, data)
    assert differences.relative_error(matrices[0], np.eye(len(A))) > 1e-3


@every_mode
def test_turns_are_counted_with_passive_forces_off(mode: str) -> None:
    """Without Compute in the step, Advance still counts turns from the positions of the step."""
    model, data = make(mode)
    differences.wind(model, data, f"rod{LINKS - 1}", 2)
    passive(model, data)
    spring, damper = mujoco.mjtDisableBit.mjDSBL_SPRING, mujoco.mjtDisableBit.mjDSBL_DAMPER
    model.opt.disableflags |= spring | damper
    new = mujoco.MjData(model)
    mujoco.mj_resetData(model, data)
    for _ in range(3):
        mujoco.mj_step(model, data)
        mujoco.mj_step(model, new)
        assert np.array_equal(data.plugin_state, new.plugin_state)
    differences.wind(model, data, f"rod{LINKS - 1}", 2)
    assert strand.readout(model, data).twist == pytest.approx(4 * np.pi, abs=np.pi)


def fold(model: mujoco.MjModel, data: mujoco.MjData, joint: int, angle: float) -> None:
    """Bends one joint to `angle` between its two links, whatever the rest shape."""
    address = differences.link_joint(model, f"rod{joint}")
    relative = np.zeros(4)
    body = model.body(f"rod{joint}").id
    mujoco.mju_negQuat(relative, model.body_quat[body])
    bent = np.array([np.cos(angle / 2), 0, 0, np.sin(angle / 2)])
    mujoco.mju_mulQuat(data.qpos[address : address + 4], relative, bent)


FOLDS = (np.pi, np.pi - 1e-9, np.pi - 1e-6, np.pi - 1e-4, np.pi + 1e-4, np.pi - 1e-2)


@pytest.mark.parametrize("rest", RESTS)
@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("angle", FOLDS)
def test_fold_by_pi(angle: float, mode: str, measure: str, rest: str, engine_warnings) -> None:
    model, data = make(mode, measure, rest)
    fold(model, data, 4, angle)
    mujoco.mj_forward(model, data)
    t = [data.xmat[model.body(f"rod{k}").id].reshape(3, 3)[:, 0] for k in (3, 4)]
    assert np.arccos(np.clip(t[0] @ t[1], -1, 1)) == pytest.approx(np.pi, abs=1.1e-2)
    assert np.isfinite(data.qfrc_passive).all()
    assert np.isfinite(strand.energy(model, data))
    mujoco.mj_step(model, data, 20)
    assert np.isfinite(data.qpos).all()
    assert np.isfinite(data.plugin_state).all()
    engine_warnings.clear()
    assert_reset_is_like_new(model, data)


@pytest.mark.parametrize("measure", MEASURES)
@every_mode
def test_folded_everywhere(mode: str, measure: str, engine_warnings) -> None:
    model, data = make(mode, measure)
    for joint in range(1, LINKS):
        fold(model, data, joint, np.pi)
    mujoco.mj_step(model, data, 5)
    assert np.isfinite(data.qpos).all()
    engine_warnings.clear()
    assert_reset_is_like_new(model, data)


def assert_reset_is_like_new(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    mujoco.mj_resetData(model, data)
    new = mujoco.MjData(model)
    for other in (data, new):
        differences.disturb(model, other, seed=3)
    assert np.array_equal(passive(model, data), passive(model, new))
    assert np.array_equal(data.plugin_state, new.plugin_state)
    assert np.isfinite(data.qfrc_passive).all()
    for _ in range(10):
        mujoco.mj_step(model, data)
        mujoco.mj_step(model, new)
    assert np.array_equal(data.qpos, new.qpos)
    assert np.array_equal(data.plugin_state, new.plugin_state)


BROKEN = (np.nan, np.inf, -np.inf, 1e12, 1e308)


@pytest.mark.parametrize("field", ("qpos", "qvel", "qfrc_applied"))
@pytest.mark.parametrize("value", BROKEN)
@every_mode
def test_broken_values(mode: str, value: float, field: str, engine_warnings) -> None:
    model, data = make(mode)
    differences.wind(model, data, f"rod{LINKS - 1}", 2)
    getattr(data, field)[:] = value
    mujoco.mj_step(model, data, 3)
    assert engine_warnings
    engine_warnings.clear()
    assert np.isfinite(data.plugin_state).all()
    assert_reset_is_like_new(model, data)


@pytest.mark.parametrize("value", BROKEN)
@every_mode
def test_broken_positions_in_forward(mode: str, value: float, engine_warnings) -> None:
    """mj_forward checks nothing: the torque stays finite, and the state does not change."""
    model, data = make(mode)
    differences.wind(model, data, f"rod{LINKS - 1}", 2)
    state = data.plugin_state.copy()
    data.qpos[5] = value
    data.qpos[12] = value
    mujoco.mj_forward(model, data)
    strand.readout(model, data)
    assert np.isfinite(data.qfrc_passive).all()
    assert np.array_equal(data.plugin_state, state)
    engine_warnings.clear()
    assert_reset_is_like_new(model, data)


def test_broken_mocap_pose(engine_warnings) -> None:
    chain = Chain(shapes.straight(4), {"EI": "1", "GJ": "1"}, [Piece(0, 4, 0, "mocap")])
    model = mjcf.compiled(chain)
    data = mujoco.MjData(model)
    data.mocap_quat[:] = np.nan
    mujoco.mj_step(model, data, 3)
    engine_warnings.clear()
    mujoco.mj_resetData(model, data)
    new = mujoco.MjData(model)
    assert np.array_equal(passive(model, data), passive(model, new))
    assert np.array_equal(data.plugin_state, new.plugin_state)
    assert np.isfinite(data.plugin_state).all()
