"""A saved state keeps what a keyframe loses; a file that does not fit is reported."""

from pathlib import Path

import mujoco
import numpy as np
import pytest
from support import cables, differences, mjcf, shapes
from support.mjcf import Chain

import strand

LINKS, TURNS = 10, 6
KEYS = {"EI": "0.7", "GJ": "0.5"}


def wound() -> tuple[mujoco.MjModel, mujoco.MjData]:
    model = mjcf.compiled(Chain(shapes.straight(LINKS), KEYS, damping=0.01), density=1000)
    data = mujoco.MjData(model)
    differences.wind(model, data, f"rod{LINKS - 1}", TURNS)
    mujoco.mj_step(model, data, 3)
    return model, data


def full_state(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    spec = mujoco.mjtState.mjSTATE_INTEGRATION
    state = np.empty(mujoco.mj_stateSize(model, spec))
    mujoco.mj_getState(model, data, state, spec)
    return state


def test_six_turns_survive(tmp_path: Path) -> None:
    model, data = wound()
    file = tmp_path / "wound.npz"
    strand.save_state(file, model, data)
    assert [path.name for path in tmp_path.iterdir()] == [file.name]
    loaded = mujoco.MjData(model)
    strand.load_state(file, model, loaded)
    assert np.array_equal(full_state(model, loaded), full_state(model, data))
    mujoco.mj_forward(model, data)
    before, after = strand.readout(model, data), strand.readout(model, loaded)
    assert before.twist == pytest.approx(2 * np.pi * TURNS, rel=0.01)
    assert after.twist == before.twist
    assert after.energy == before.energy


def test_the_simulation_continues_bitwise(tmp_path: Path) -> None:
    described = strand.Cable(strand.straight(1, LINKS), 0.02, 0.01, start="fixed", end="mocap")
    model, data = cables.load(described)
    data.mocap_pos[0] += 0.01
    mujoco.mj_step(model, data, 20)
    strand.save_state(tmp_path / "state.npz", model, data)
    loaded = mujoco.MjData(model)
    strand.load_state(tmp_path / "state.npz", model, loaded)
    for each in (data, loaded):
        mujoco.mj_step(model, each, 20)
    assert np.array_equal(full_state(model, loaded), full_state(model, data))


@pytest.mark.parametrize("factor", [2.0, 20.0])
def test_a_cable_made_stiffer_continues_bitwise_in_another_model(
    factor: float, tmp_path: Path
) -> None:
    soft = {"EI": 1e-3, "GJ": 8e-4, "radius": 0.004, "start": "fixed"}
    described = strand.Cable(strand.straight(0.4, 20), **soft)
    (model, data), (other, loaded) = cables.load(described), cables.load(described)
    strand.set_material(model, data, EI=factor, GJ=factor)
    mujoco.mj_step(model, data, 50)
    strand.save_state(tmp_path / "state.npz", model, data)
    strand.load_state(tmp_path / "state.npz", other, loaded)
    for each in ((model, data), (other, loaded)):
        mujoco.mj_step(*each, 200)
    assert np.array_equal(full_state(other, loaded), full_state(model, data))


def test_a_keyframe_loses_the_turns() -> None:
    """The documented limit: qpos does not contain turns, so that the plugin assumes the nearest."""
    _, data = wound()
    spec = f'<keyframe><key qpos="{mjcf.text(data.qpos)}"/></keyframe>'
    keyed = mjcf.compiled(Chain(shapes.straight(LINKS), KEYS), extra=spec)
    other = mujoco.MjData(keyed)
    mujoco.mj_resetDataKeyframe(keyed, other, 0)
    mujoco.mj_forward(keyed, other)
    assert other.qpos == pytest.approx(data.qpos)
    assert abs(strand.readout(keyed, other).twist) < np.pi


@pytest.mark.parametrize("field", ("nq", "nbody", "cables", "state"))
def test_a_file_of_another_model(tmp_path: Path, field: str) -> None:
    """`state`: one more actuator makes the state longer, and nothing else."""
    model, data = wound()
    file = tmp_path / "state.npz"
    strand.save_state(file, model, data)
    chain = {
        "nq": Chain(shapes.straight(LINKS + 1), KEYS),
        "cables": Chain(shapes.straight(LINKS), KEYS, name="rope"),
    }.get(field, Chain(shapes.straight(LINKS), KEYS))
    text = mjcf.document(chain)
    if field == "nbody":
        text = text.replace("<worldbody>", "<worldbody><body/>", 1)
    if field == "state":
        text = text.replace("<worldbody>", '<worldbody><site name="tip"/>', 1)
        text = text.replace("</mujoco>", '<actuator><motor site="tip"/></actuator></mujoco>')
    other = mujoco.MjModel.from_xml_string(text)
    into = mujoco.MjData(other)
    before = full_state(other, into)
    with pytest.raises(strand.StrandError, match=rf"^{field} of '.*state\.npz': got .* allowed: "):
        strand.load_state(file, other, into)
    assert np.array_equal(full_state(other, into), before)


def damaged(tmp_path: Path) -> dict[str, Path]:
    model, data = wound()
    whole = tmp_path / "whole.npz"
    strand.save_state(whole, model, data)
    files = {
        name: tmp_path / f"{name}.npz" for name in ("missing", "cut", "text", "empty", "array")
    }
    files["cut"].write_bytes(whole.read_bytes()[:-100])
    files["text"].write_text("no state")
    files["empty"].write_bytes(b"")
    with files["array"].open("wb") as stream:
        np.save(stream, np.zeros(3))
    files["folder"] = tmp_path
    return files


@pytest.mark.parametrize("kind", ("missing", "cut", "text", "empty", "array", "folder"))
def test_a_broken_file(tmp_path: Path, kind: str) -> None:
    file = damaged(tmp_path)[kind]
    model, data = wound()
    before = full_state(model, data)
    with pytest.raises(strand.StrandError, match=r"^state file: got .* allowed: "):
        strand.load_state(file, model, data)
    assert np.array_equal(full_state(model, data), before)


def test_a_file_without_a_state(tmp_path: Path) -> None:
    model, data = wound()
    np.savez(tmp_path / "other.npz", nq=model.nq)
    with pytest.raises(strand.StrandError, match=r"^nv of '.*': got nothing, allowed: "):
        strand.load_state(tmp_path / "other.npz", model, data)


def test_an_unwritable_place(tmp_path: Path) -> None:
    model, data = wound()
    with pytest.raises(strand.StrandError, match=r"output: got '.*nowhere.*', allowed: "):
        strand.save_state(tmp_path / "nowhere" / "state.npz", model, data)
