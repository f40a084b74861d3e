"""Records of strand.rollout in files: complete or not at all."""

import sys
from pathlib import Path

import mujoco
import numpy as np
import pytest

import strand


@pytest.fixture(scope="module")
def model() -> mujoco.MjModel:
    """Two cables."""
    spec = mujoco.MjSpec.from_string("<mujoco/>")
    for prefix, count in (("a_", 5), ("b_", 8)):
        nodes = strand.straight(0.3, count)
        strand.attach(spec, strand.Cable(nodes, EI=1e-3, GJ=1e-3, prefix=prefix, start="fixed"))
    return spec.compile()


def run(model: mujoco.MjModel, **options: object) -> strand.batch.Rollout:
    factors = np.array([[1.0, 0.5], [0.5, 2.0], [1.0, 1.0]])
    return strand.rollout(model, worlds=3, steps=20, EI=factors, qpos=True, seed=1, **options)


def check(result: strand.batch.Rollout, memory: strand.batch.Rollout) -> None:
    assert {name: nodes.shape for name, nodes in result.nodes.items()} == {
        "a_rod": (3, 3, 6, 3),
        "b_rod": (3, 3, 9, 3),
    }
    for name, nodes in memory.nodes.items():
        assert np.array_equal(result.nodes[name][:], nodes)
    assert np.array_equal(result.qpos[:], memory.qpos)
    assert np.array_equal(result.EI, memory.EI)


def test_npz(model: mujoco.MjModel, tmp_path: Path) -> None:
    path, memory = tmp_path / "drops.npz", run(model)
    path.write_text("old")
    result = run(model, out=path)
    check(result, memory)
    assert isinstance(result.qpos, np.memmap)
    assert list(tmp_path.iterdir()) == [path]
    with np.load(path, allow_pickle=False) as saved:
        assert set(saved) == {
            *("times", "nodes/a_rod", "nodes/b_rod", "qpos"),
            *("failed", "failed_at", "EI", "GJ", "seed"),
        }
        assert np.array_equal(saved["nodes/b_rod"], memory.nodes["b_rod"])
        assert np.array_equal(saved["times"], memory.times) and int(str(saved["seed"])) == 1


def test_zarr(model: mujoco.MjModel, tmp_path: Path) -> None:
    zarr = pytest.importorskip("zarr")
    path, memory = tmp_path / "drops.zarr", run(model)
    check(run(model, out=path, threads=2), memory)
    assert list(tmp_path.iterdir()) == [path]
    saved = zarr.open_group(path, mode="r")
    assert np.array_equal(saved["nodes/a_rod"][1], memory.nodes["a_rod"][1])
    assert np.array_equal(saved["failed"][:], [False] * 3) and saved.attrs["seed"] == "1"
    with pytest.raises(strand.StrandError, match="allowed: a path where nothing is yet"):
        run(model, out=path)


@pytest.mark.parametrize("ending", ["npz", "zarr"])
def test_nothing_is_left_of_a_run_that_fails(
    model: mujoco.MjModel, tmp_path: Path, ending: str
) -> None:
    if ending == "zarr":
        pytest.importorskip("zarr")
    calls = []

    def start(generator: np.random.Generator, data: mujoco.MjData) -> None:
        calls.append(1)
        if len(calls) == 3:
            raise OSError("mine")

    with pytest.raises(OSError, match="mine"):
        run(model, out=tmp_path / f"drops.{ending}", initial=start, threads=1)
    assert len(calls) == 3 and list(tmp_path.iterdir()) == []


def test_zarr_that_is_missing_is_named(
    model: mujoco.MjModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "zarr", None)
    with pytest.raises(strand.StrandError, match=r"pip install 'zarr>=3'"):
        run(model, out=tmp_path / "drops.zarr")


def test_paths_are_checked_before_the_run(model: mujoco.MjModel, tmp_path: Path) -> None:
    def start(generator: np.random.Generator, data: mujoco.MjData) -> None:
        raise AssertionError

    with pytest.raises(strand.StrandError, match=r"out: got .*nowhere.*No such file"):
        run(model, out=tmp_path / "nowhere" / "a.npz", initial=start)
