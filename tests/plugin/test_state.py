"""The whole state of a cable is in mjData.plugin_state: copies and replays are bitwise equal."""

import copy
import pickle
import subprocess
import sys

import mujoco
import mujoco.rollout
import numpy as np
import pytest
from support import differences, mjcf, shapes
from support.engine import DISCRETE
from support.mjcf import Chain, Piece

import strand

INTEGRATION = mujoco.mjtState.mjSTATE_INTEGRATION
LINKS = 12
TURNS = 3
SOFT = {"EI": "0.02", "GJ": "0.015"}
INTEGRATORS = ("Euler", "RK4", "implicitfast", DISCRETE)
STATE_FIELDS = (
    *("time", "qpos", "qvel", "qacc_warmstart", "qfrc_applied", "xfrc_applied"),
    *("mocap_pos", "mocap_quat", "plugin_state"),
)


def driven(shape: shapes.Shape, keys: dict[str, str], name: str = "rod") -> Chain:
    pieces = [Piece(0, 1, 0, "mocap"), Piece(1, shape.links, shape.links // 2)]
    return Chain(shape, SOFT | keys, pieces, name=name, radius=0.01, damping=1e-4)


def cables(case: str) -> list[Chain]:
    """Cables whose first link is a mocap body, tied to the rest."""
    curved = shapes.walk(LINKS, seed=1)
    return {
        "quasistatic": [driven(shapes.straight(LINKS), {})],
        "dynamic": [driven(shapes.straight(LINKS), {"twist": "dynamic"})],
        "curved": [driven(curved, {"EI": "0.03 0.02", "curvature": "tangent"})],
        "two": [driven(curved, {}), driven(curved, {"twist": "dynamic"}, name="other")],
    }[case]


CASES = ("quasistatic", "dynamic", "curved", "two")

EXTRA = """
<equality><connect body1="rod0" body2="rod1" anchor="{} 0 0" solref="0.01 1"/></equality>
<sensor><plugin name="readout" plugin="strand.cable" instance="rod"/></sensor>
<keyframe><key name="turned" time="1.5" qpos="{}"/></keyframe>
"""


def make_model(case: str, integrator: str = "implicitfast") -> mujoco.MjModel:
    chains = cables(case)
    option = {"gravity": "0 0 -9.81", "integrator": integrator, "timestep": "1e-4"}
    plain = mjcf.compiled(*chains, density=1e4)
    data = mujoco.MjData(plain)
    differences.disturb(plain, data, seed=9, size=0.3)
    extra = EXTRA.format(1 / LINKS, mjcf.text(data.qpos))
    return mjcf.compiled(*chains, option=option, extra=extra, density=1e4)


def wound_data(model: mujoco.MjModel) -> mujoco.MjData:
    """A cable in motion whose mocap end has made several turns."""
    data = mujoco.MjData(model)
    differences.wind(model, data, "rod0", TURNS)
    mujoco.mj_step(model, data, 20)
    assert abs(strand.readout(model, data, "rod").twist) > 2 * np.pi * (TURNS - 1)
    return data


def drive(data: mujoco.MjData, step: int) -> None:
    """Turns the mocap body further and pushes a link, so that every input is used."""
    differences.spin(data.mocap_quat[0], 0.05)
    data.xfrc_applied[3] = [0.01 * np.sin(step), 0.02, 0, 0, 0, 1e-4 * step]


def snapshot(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    state = np.empty(mujoco.mj_stateSize(model, INTEGRATION))
    mujoco.mj_getState(model, data, state, INTEGRATION)
    return state


def run(model: mujoco.MjModel, data: mujoco.MjData, steps: int = 30, moved: bool = True):
    """State, torque and sensor after each of several steps."""
    record = []
    for step in range(steps):
        if moved:
            drive(data, step)
        mujoco.mj_step(model, data)
        record.append([snapshot(model, data), data.qfrc_passive.copy(), data.sensordata.copy()])
    return record


def assert_same(a, b) -> None:
    for step, (row_a, row_b) in enumerate(zip(a, b, strict=True)):
        for x, y in zip(row_a, row_b, strict=True):
            assert np.array_equal(x, y), f"differs at step {step}"
    assert np.isfinite(a[-1][0]).all()
    assert not np.array_equal(a[0][0], a[-1][0])


every_case = pytest.mark.parametrize("case", CASES)
every_integrator = pytest.mark.parametrize("integrator", INTEGRATORS)


@every_integrator
@every_case
def test_reset_is_like_new(case: str, integrator: str) -> None:
    model = make_model(case, integrator)
    used = wound_data(model)
    mujoco.mj_resetData(model, used)
    new = mujoco.MjData(model)
    assert np.array_equal(snapshot(model, used), snapshot(model, new))
    assert_same(run(model, used), run(model, new))


@every_case
def test_reset_to_a_keyframe_is_like_new(case: str) -> None:
    model = make_model(case)
    used, new = wound_data(model), mujoco.MjData(model)
    for data in (used, new):
        mujoco.mj_resetDataKeyframe(model, data, 0)
        assert data.time == 1.5
    assert_same(run(model, used), run(model, new))


@every_integrator
@every_case
def test_copy_goes_on_like_the_original(case: str, integrator: str) -> None:
    model = make_model(case, integrator)
    data = wound_data(model)
    copies = [copy.copy(data)]
    if hasattr(mujoco, "mj_copyData"):  # older bindings cannot copy into existing data
        copies.append(mujoco.MjData(model))
        mujoco.mj_step(model, copies[-1], 7)
        mujoco.mj_copyData(copies[-1], model, data)
    reference = run(model, data)
    for twin in copies:
        assert_same(run(model, twin), reference)


def test_stepping_a_copy_does_not_change_the_original() -> None:
    model = make_model("dynamic")
    data = wound_data(model)
    before = snapshot(model, data)
    run(model, copy.copy(data))
    assert np.array_equal(snapshot(model, data), before)


@every_integrator
@every_case
def test_state_can_be_set_in_any_data(case: str, integrator: str) -> None:
    model = make_model(case, integrator)
    data = wound_data(model)
    state = snapshot(model, data)
    reference = run(model, data)
    new, used = mujoco.MjData(model), wound_data(model)
    run(model, used, steps=5)
    for other in (new, used, data):
        mujoco.mj_setState(model, other, state, INTEGRATION)
        assert np.array_equal(snapshot(model, other), state)
        assert_same(run(model, other), reference)


@every_case
def test_copy_of_the_model(case: str) -> None:
    model = make_model(case)
    data = wound_data(model)
    state = snapshot(model, data)
    twin_model = copy.copy(model)
    twin = mujoco.MjData(twin_model)
    mujoco.mj_setState(twin_model, twin, state, INTEGRATION)
    assert_same(run(twin_model, twin), run(model, data))


@every_case
def test_pickled_model_and_state(case: str) -> None:
    model = make_model(case)
    data = wound_data(model)
    other_model, state = pickle.loads(pickle.dumps((model, snapshot(model, data))))
    other = mujoco.MjData(other_model)
    mujoco.mj_setState(other_model, other, state, INTEGRATION)
    assert_same(run(other_model, other), run(model, data))


@every_integrator
@every_case
def test_pickled_data_go_on_like_the_original(case: str, integrator: str) -> None:
    data = wound_data(make_model(case, integrator))
    twin = pickle.loads(pickle.dumps(data))
    assert np.array_equal(twin.xpos, data.xpos)
    reference = run(data.model, data)
    del data
    assert_same(run(twin.model, twin), reference)


@every_case
def test_pickled_data_go_on_in_another_process(case: str, tmp_path) -> None:
    data = wound_data(make_model(case))
    sent, returned = tmp_path / "sent.pickle", tmp_path / "returned.pickle"
    sent.write_bytes(pickle.dumps(data))
    script = (
        "import pickle, sys, mujoco; data = pickle.load(open(sys.argv[1], 'rb')); "
        "mujoco.mj_step(data.model, data, 20); pickle.dump(data, open(sys.argv[2], 'wb'))"
    )
    subprocess.run([sys.executable, "-c", script, sent, returned], check=True)
    mujoco.mj_step(data.model, data, 20)
    other = pickle.loads(returned.read_bytes())
    assert np.array_equal(snapshot(other.model, other), snapshot(data.model, data))
    assert_same(run(other.model, other), run(data.model, data))


def test_data_without_plugins_are_pickled_by_mujoco() -> None:
    data = mujoco.MjData(mujoco.MjModel.from_xml_string("<mujoco/>"))
    assert b"strand" not in pickle.dumps(data)
    assert pickle.loads(pickle.dumps(data)).time == 0


@every_case
def test_saved_model_file(case: str, tmp_path) -> None:
    model = make_model(case)
    mujoco.mj_saveModel(model, str(tmp_path / "cable.mjb"))
    loaded = mujoco.MjModel.from_binary_path(str(tmp_path / "cable.mjb"))
    assert_same(run(loaded, mujoco.MjData(loaded)), run(model, mujoco.MjData(model)))


@every_integrator
@every_case
def test_rollout(case: str, integrator: str) -> None:
    model = make_model(case, integrator)
    starts = [snapshot(model, mujoco.MjData(model))]
    data = wound_data(model)
    for _ in range(4):
        starts.append(snapshot(model, data))
        run(model, data, steps=3)
    pool = [mujoco.MjData(model), wound_data(model)]
    states, sensors = mujoco.rollout.rollout(
        model, pool, initial_state=rollout_state(model, starts), nstep=25, **warm(model, starts)
    )
    full = mujoco.mjtState.mjSTATE_FULLPHYSICS
    for start, got, sensed in zip(starts, states, sensors, strict=True):
        mujoco.mj_setState(model, data, start, INTEGRATION)
        # A rollout keeps inputs that are not given at their values in its own MjData.
        data.xfrc_applied[:] = 0
        data.mocap_quat[:] = mujoco.MjData(model).mocap_quat
        for step in range(25):
            mujoco.mj_step(model, data)
            expected = np.empty(got.shape[1])
            mujoco.mj_getState(model, data, expected, full)
            assert np.array_equal(got[step], expected)
            assert np.array_equal(sensed[step], data.sensordata)


def rollout_state(model: mujoco.MjModel, starts: list[np.ndarray]) -> np.ndarray:
    """The full-physics part of integration states, as a rollout expects it."""
    full = mujoco.mjtState.mjSTATE_FULLPHYSICS
    data = mujoco.MjData(model)
    rows = np.empty((len(starts), mujoco.mj_stateSize(model, full)))
    for row, start in zip(rows, starts, strict=True):
        mujoco.mj_setState(model, data, start, INTEGRATION)
        mujoco.mj_getState(model, data, row, full)
    return rows


def warm(model: mujoco.MjModel, starts: list[np.ndarray]) -> dict[str, np.ndarray]:
    data = mujoco.MjData(model)
    rows = np.empty((len(starts), model.nv))
    for row, start in zip(rows, starts, strict=True):
        mujoco.mj_setState(model, data, start, INTEGRATION)
        row[:] = data.qacc_warmstart
    return {"initial_warmstart": rows}


@pytest.mark.parametrize("persistent", (False, True))
@every_integrator
@every_case
def test_batch(case: str, integrator: str, persistent: bool) -> None:
    batches = pytest.importorskip("mujoco.batch", reason="new in MuJoCo 3.17")
    model = make_model(case, integrator)
    serial = [mujoco.MjData(model), wound_data(model)]
    for _ in range(3):
        serial.append(copy.copy(serial[-1]))
        run(model, serial[-1], steps=3)
    batch = batches.Batch(model, nsim=len(serial), nthread=2, persistent=persistent)
    rows = {name: batch.bind(name) for name in STATE_FIELDS}
    sensors = batch.bind("sensordata")
    for name, row in rows.items():
        for sim, data in enumerate(serial):
            row[sim] = getattr(data, name)
    for _ in range(25):
        batch.step()
        for sim, data in enumerate(serial):
            mujoco.mj_step(model, data)
            for name in ("qpos", "qvel", "plugin_state"):
                assert np.array_equal(rows[name][sim], getattr(data, name))
            assert np.array_equal(sensors[sim], data.sensordata)
