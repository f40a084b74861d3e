"""Generalised forces of random cables on MuJoCo Warp against those in C."""

import mujoco
import numpy as np
import pytest
from support.warp import needs_warp
from warp_cables import load
from warp_random import accept_twists, draw, turned

import strand.warp
from strand.warp import packages

pytestmark = [needs_warp, pytest.mark.slow]

GROUPS, CABLES = 12, 20  #: and cables in each group
ANGLES = (0.005, 0.02, 0.15, 0.6)  #: rad, deviation of the joint angles of a state, a world each
LIMIT = 2e-6  #: of the largest generalised force


def forces_in_warp(worlds: strand.warp.Worlds) -> np.ndarray:
    mjw = packages.load().mujoco_warp
    for evaluate in (mjw.kinematics, mjw.com_pos, mjw.passive):
        evaluate(worlds.m, worlds.d)
    return np.array(worlds.d.qfrc_passive.numpy())


def forces_in_c(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    mujoco.mj_forward(model, data)
    return np.array(data.qfrc_passive)


def error(found: np.ndarray, expected: np.ndarray) -> float:
    return float(np.abs(found - expected).max() / np.abs(expected).max())


def states(model: mujoco.MjModel, turns: int, number: int) -> list[mujoco.MjData]:
    rng = np.random.default_rng(number)
    made = []
    for angle in ANGLES:
        data = turned(model, turns)
        mujoco.mj_integratePos(model, data.qpos, rng.normal(size=model.nv) * angle, 1.0)
        data.qpos[:] = data.qpos.astype(np.float32)
        made.append(data)
    return made


def resumed(model: mujoco.MjModel, data: mujoco.MjData) -> bool:
    """Whether C needs more than one evaluation to find the equilibrium of quasistatic twist; the
    history is then that from which the last one found it.

    Newton's method ends after 100 iterations. Far from the equilibrium, as full turns in a few
    joints are, it may end without one, where rounding chooses; the next step goes on from there.
    """
    for evaluation in range(20):
        history, found = data.plugin_state.copy(), forces_in_c(model, data)
        accept_twists(model, data)
        if error(forces_in_c(model, data), found) < 0.1 * LIMIT:
            data.plugin_state[:] = history
            return evaluation > 0
    raise AssertionError("C finds no equilibrium of twist")


@pytest.mark.parametrize("group", range(GROUPS))
def test_forces_of_random_cables_are_those_of_c(group: int) -> None:
    for number in range(group * CABLES, (group + 1) * CABLES):
        described, turns = draw(number)
        model = load(described)
        in_c = states(model, turns, number)
        others = [resumed(model, data) for data in in_c]
        worlds = strand.warp.put(model, len(ANGLES), data=turned(model, turns))
        worlds.d.qpos.assign(np.array([data.qpos for data in in_c]))
        found = forces_in_warp(worlds)
        for row, data, other in zip(found, in_c, others, strict=True):
            if other:
                row = forces_in_warp(strand.warp.put(model, 1, data=data))[0]
            assert error(row, forces_in_c(model, data)) < LIMIT, (number, described)
