"""A cable is moved as a rigid body, with all its trees."""

import mujoco
import numpy as np
import pytest
from scipy.spatial.distance import pdist
from scipy.spatial.transform import Rotation
from support import cables
from support.engine import needs_discrete

import strand
from strand.batch import move

TURN = Rotation.from_rotvec([0.3, -1.2, 0.7])
QUAT = np.roll(TURN.as_quat(), 1)


def bent(pieces: object = 4) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """A cable in motion, in several trees."""
    shape = strand.arc(0.5, 1.0, 20)
    cable = strand.Cable(shape, EI=1e-3, GJ=1e-3, gravity=(0, 0, 0), pieces=pieces)
    model, data = cables.load(cable)
    data.qvel[:3] = [0.1, 0.2, -0.1]
    cables.run(model, data, 0.05)
    return model, data


@pytest.mark.parametrize("pieces", ["none", pytest.param(4, marks=needs_discrete)])
def test_the_shape_stays_and_the_place_changes(pieces: object) -> None:
    model, data = bent(pieces)
    before, energy = strand.profile(model, data).nodes, strand.energy(model, data)
    move(model, data, [1, 2, 3], 2.5 * QUAT)
    mujoco.mj_forward(model, data)
    after = strand.profile(model, data).nodes
    centre = before.mean(axis=0)
    np.testing.assert_allclose(after, TURN.apply(before - centre) + centre + [1, 2, 3], atol=1e-12)
    np.testing.assert_allclose(pdist(after), pdist(before), atol=1e-12)
    assert strand.energy(model, data) == pytest.approx(energy, rel=1e-6)


@needs_discrete
def test_motion_turns_with_the_cable() -> None:
    model, data = bent()
    start = mujoco.MjData(model)
    start.qpos[:], start.qvel[:] = data.qpos, data.qvel
    move(model, data, [1, 2, 3], QUAT, about=[0, 0, 0])
    for each in (start, data):
        cables.run(model, each, 0.1)
    plain, moved = (strand.profile(model, each).nodes for each in (start, data))
    np.testing.assert_allclose(moved, np.add(TURN.apply(plain), [1, 2, 3]), atol=1e-6)


def test_the_other_cable_stays() -> None:
    spec = mujoco.MjSpec()
    for prefix in ("a_", "b_"):
        nodes = strand.straight(0.3, 5)
        strand.attach(spec, strand.Cable(nodes, EI=1e-3, GJ=1e-3, prefix=prefix))
    model = spec.compile()
    data = mujoco.MjData(model)
    before = strand.profile(model, data, "a_rod").nodes
    move(model, data, [0, 0, 1], cable="b_rod")
    assert np.array_equal(strand.profile(model, data, "a_rod").nodes, before)
    assert strand.profile(model, data, "b_rod").nodes[0, 2] == pytest.approx(1)


@needs_discrete
def test_what_cannot_be_moved_is_refused() -> None:
    cable = strand.Cable(strand.straight(0.3, 5), EI=1e-3, GJ=1e-3, start="fixed")
    model, data = cables.load(cable)
    with pytest.raises(strand.StrandError, match=r"cable: got 0, which is held, allowed: a free"):
        move(model, data, [0, 0, 1])
    model, data = bent()
    for arguments, message in (
        (([1, 2], QUAT), "shift: got"),
        (([0, 0, 0], [0, 0, 0, 0]), "quat: got zeros"),
        (([0, 0, 0], [np.nan, 0, 0, 0]), "quat: got"),
    ):
        with pytest.raises(strand.StrandError, match=message):
            move(model, data, *arguments)
