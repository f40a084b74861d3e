"""A cable's material is changed while it runs, through the adapter."""

import copy

import mujoco
import numpy as np
import pytest

import strand
from strand import Cable, adapter
from strand.readout.readout import look_up

LENGTH, LINKS, EI, GJ = 0.6, 24, 4e-3, 3e-3  # m, 1, N m^2, N m^2


def built(**options: object) -> tuple[mujoco.MjModel, mujoco.MjData]:
    given = dict(start="fixed", gravity=(0, 0, 0), radius=0.003, collide=False) | options
    cable = Cable(strand.straight(LENGTH, LINKS), EI=EI, GJ=GJ, **given)
    model = mujoco.MjModel.from_xml_string(strand.generate(cable))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def change(model: mujoco.MjModel, data: mujoco.MjData, **numbers: object) -> None:
    adapter.load().change(model._address, data._address, 0, **numbers)


def rod(model: mujoco.MjModel, data: mujoco.MjData):
    return look_up(model, data, 0, adapter.load().profile)


@pytest.mark.parametrize("pieces", ["none", 6])
@pytest.mark.parametrize("law", [{}, {"EI": [EI, 2 * EI]}, {"curvature": "tangent"}])
def test_a_free_cable_takes_the_curvature_that_is_added(pieces: object, law: dict) -> None:
    model, data = built(pieces=pieces, loss_time=0.1, **({} if "EI" in law else law))
    kappa = 3.0
    for k in range(1, 21):  # a jump would be a whip
        change(model, data, curvature=[kappa * k / 20, 0])
        mujoco.mj_step(model, data, 40)
    mujoco.mj_step(model, data, round(6 / model.opt.timestep))
    one = strand.profile(model, data)
    tolerance = 2e-3 if "curvature" not in law else 5e-3
    np.testing.assert_allclose(one.curvature, kappa, rtol=tolerance)
    assert strand.energy(model, data) < 1e-6 * EI * kappa**2 * LENGTH
    radius = np.linalg.norm(one.nodes - [0, 0, -1 / kappa], axis=1)  # about y: it bends downwards
    np.testing.assert_allclose(radius * kappa, 1, atol=5e-3)


def test_added_twist_turns_into_torque_between_fixed_ends() -> None:
    model, data = built(end="mocap")
    rate = 2.5  # rad/m
    change(model, data, rest_twist=rate)
    mujoco.mj_step(model, data, 5)
    one = strand.profile(model, data)
    np.testing.assert_allclose(one.torque, -GJ * rate, rtol=1e-3)


def test_factors_are_read_back_and_belong_to_one_data() -> None:
    model, data = built()
    other, copied = mujoco.MjData(model), copy.copy(data)
    mujoco.mj_forward(model, other)
    change(model, data, EI=3.0, GJ=0.5)
    np.testing.assert_allclose(rod(model, data).EI, 3 * EI)
    np.testing.assert_allclose(rod(model, data).GJ, 0.5 * GJ)
    for unchanged in (other, copied):
        np.testing.assert_allclose(rod(model, unchanged).EI, EI)
    assert rod(model, copy.copy(data)).EI == rod(model, data).EI
    change(model, data)
    assert rod(model, data).EI == rod(model, other).EI


def test_rest_is_straight_unless_changed() -> None:
    model, data = built()
    assert rod(model, data).rest_straight
    change(model, data, curvature=[0, 1e-3])
    assert not rod(model, data).rest_straight
    change(model, data, rest_twist=1e-3)
    assert not rod(model, data).rest_straight


@pytest.mark.parametrize(
    "numbers",
    [
        {"EI": 0.0},
        {"EI": -1.0},
        {"GJ": np.inf},
        {"GJ": np.nan},
        {"rest_twist": np.nan},
        {"curvature": [np.inf, 0]},
    ],
)
def test_invalid_numbers_change_nothing(numbers: dict) -> None:
    model, data = built()
    change(model, data, EI=2.0)
    with pytest.raises(ValueError, match="invalid"):
        change(model, data, **numbers)
    assert rod(model, data).EI[0] == pytest.approx(2 * EI)
    mujoco.mj_step(model, data, 10)
    assert np.isfinite(data.qpos).all()
