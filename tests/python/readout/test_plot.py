"""The picture of a cable along its length."""

from pathlib import Path

import matplotlib.colors
import matplotlib.image
import mujoco
import numpy as np
import pytest
from support import cables, mjcf, shapes
from support.mjcf import Chain

import strand
from strand.draw.plotting import COLORS


def scene() -> tuple[mujoco.MjModel, mujoco.MjData]:
    described = strand.Cable(strand.straight(0.5, 10), 0.3, 0.2, start="fixed", damping=0.01)
    model, data = cables.load(described)
    cables.run(model, data, 0.2)
    return model, data


def drawn(path: Path, color: str) -> int:
    """Number of pixels of that colour."""
    picture = np.rint(matplotlib.image.imread(path)[:, :, :3] * 255)
    wanted = np.rint(np.array(matplotlib.colors.to_rgb(color)) * 255)
    return int(np.all(picture == wanted, axis=2).sum())


def test_a_png_appears(tmp_path: Path) -> None:
    model, data = scene()
    before = data.qpos.copy()
    strand.plot(model, data, tmp_path / "cable.png")
    assert [path.name for path in tmp_path.iterdir()] == ["cable.png"]
    assert matplotlib.image.imread(tmp_path / "cable.png").shape[:2] == (792, 1440)
    assert drawn(tmp_path / "cable.png", COLORS[0]) > 1000
    assert np.array_equal(data.qpos, before)


def test_several_cables_are_distinguished(tmp_path: Path) -> None:
    keys = {"EI": "0.7", "GJ": "0.5"}
    chains = [Chain(shapes.walk(8, seed=k), keys, name=f"rope{k}") for k in (1, 2)]
    model = mjcf.compiled(*chains)
    data = mujoco.MjData(model)
    strand.plot(model, data, tmp_path / "one.png", "rope1")
    strand.plot(model, data, tmp_path / "both.png", ["rope1", 1])
    assert drawn(tmp_path / "one.png", COLORS[1]) == 0
    assert drawn(tmp_path / "both.png", COLORS[1]) > 1000


def test_a_ring_and_unknown_forces_can_be_drawn(tmp_path: Path) -> None:
    closed = strand.Cable(strand.ring(0.1, 12), 0.02, 0.01, closed=True)
    model, data = cables.load(closed)
    model.opt.viscosity = 1e-5
    strand.plot(model, data, tmp_path / "ring.png")
    assert drawn(tmp_path / "ring.png", COLORS[0]) > 1000


@pytest.mark.parametrize("cable", ("rope", 7, [], ["cable_rod", "rope"], None))
def test_bad_cable(tmp_path: Path, cable) -> None:
    model, data = scene()
    with pytest.raises(strand.StrandError, match=r"cable: got .* allowed: "):
        strand.plot(model, data, tmp_path / "cable.png", cable)
    assert list(tmp_path.iterdir()) == []


def test_an_unwritable_place(tmp_path: Path) -> None:
    model, data = scene()
    with pytest.raises(strand.StrandError, match=r"path: got .* allowed: a writable file"):
        strand.plot(model, data, tmp_path / "nowhere" / "cable.png")
