"""Worlds.step, which replays a CUDA graph on a GPU, against mujoco_warp.step."""

import mujoco
import numpy as np
import pytest
from support.warp import needs_warp
from warp_cables import ROUND, cable

import strand
import strand.warp
from strand.warp import packages

pytestmark = [needs_warp, pytest.mark.slow]


def stiffer(worlds: strand.warp.Worlds) -> None:
    """Replaces an array of the model: that of the joints' stiffness gets a row per world."""
    worlds.cables.scale(EI=[1.0, 3.0])


def pulled(worlds: strand.warp.Worlds) -> None:
    """Writes into an array of the data."""
    force = np.array(worlds.d.xfrc_applied.numpy())
    force[1, -1, 1] = 0.01
    worlds.d.xfrc_applied.assign(force)


def weightless(worlds: strand.warp.Worlds) -> None:
    """Changes an option that is a number."""
    worlds.m.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_GRAVITY)


def blown(worlds: strand.warp.Worlds) -> None:
    """Adds a callback."""
    warp = packages.load().warp
    force = np.zeros(worlds.d.qfrc_passive.shape, dtype=np.float32)
    force[:, 1] = 1e-2
    torque = warp.array(force, dtype=float, device=worlds.d.qpos.device)

    def control(m: object, d: object) -> None:
        warp.copy(worlds.d.qfrc_applied, torque)

    worlds.m.callback.control = control


@pytest.mark.parametrize("change", [stiffer, pulled, weightless, blown])
def test_changes_count_in_the_next_step(change: object) -> None:
    engine = packages.load().mujoco_warp
    described = cable(ROUND, strand.straight(1, 12), start="fixed")
    stepped, plain, unchanged = (strand.warp.put(described, 2) for _ in range(3))
    for worlds in (stepped, plain):
        worlds.step(20)
        change(worlds)
    stepped.step(30)
    for _ in range(30):
        engine.step(plain.m, plain.d)
    unchanged.step(50)
    assert stepped.nodes() == pytest.approx(plain.nodes(), abs=1e-6)
    assert np.abs(stepped.nodes() - unchanged.nodes())[1].max() > 1e-3
    assert stepped.d.time.numpy() == pytest.approx(plain.d.time.numpy())
