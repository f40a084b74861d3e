"""Ends of a cable: where they are held, and what can turn."""

import mujoco
import numpy as np
import pytest
from support import cables
from support.engine import needs_discrete

import strand

NODES = strand.arc(0.5, 1.2, 10)
ENDS = ("fixed", "ball", "mocap", "weld", pytest.param("pin", marks=needs_discrete))


def make(side: str, end: str, clamp: str, **fields) -> tuple[mujoco.MjModel, mujoco.MjData]:
    held = {side: end, "clamp": clamp} | ({f"{side}_to": "world"} if end in ("weld", "pin") else {})
    described = strand.Cable(NODES, EI=0.02, GJ=0.02, **(held | {"loss_time": 0.05} | fields))
    return cables.load(described)


@pytest.mark.parametrize("side", ("start", "end"))
@pytest.mark.parametrize("clamp", ("node", "link"))
@pytest.mark.parametrize("end", ENDS)
def test_the_node_stays_and_the_rest_moves(end: str, clamp: str, side: str) -> None:
    model, data = make(side, end, clamp)
    node, link = ("cable_site_start", 0) if side == "start" else ("cable_site_end", -1)
    before = cables.frames(model, data)[link]
    assert strand.energy(model, data) < 1e-20
    cables.run(model, data, 3.0)
    drawn = NODES[0 if side == "start" else -1]
    # A pin yields to the pull of a cable that still swings.
    off = 5e-4 if end == "pin" else 1e-4
    assert data.site(node).xpos == pytest.approx(drawn, abs=off)
    turned = cables.angle_between(before, cables.frames(model, data)[link])
    moment = strand.readout(model, data)
    moment = moment.start_couple if side == "start" else moment.end_couple
    if end in ("ball", "pin"):
        assert turned > 0.3
    elif clamp == "link":
        assert turned < 0.03
    else:  # the half joint beside the clamp bends by the moment: 2 EI / l
        weight = model.body_mass.sum() * 9.81
        arm = data.subtree_com[0] - drawn
        borne = weight * np.hypot(arm[0], arm[1])
        assert np.linalg.norm(moment[:2]) == pytest.approx(borne, rel=0.1)
        assert turned == pytest.approx(borne * 0.05 / 2 / 0.02, rel=0.1)


@needs_discrete
@pytest.mark.parametrize("clamp", ("node", "link"))
@pytest.mark.parametrize("side", ("start", "end"))
def test_a_mocap_body_turns_its_end(side: str, clamp: str) -> None:
    model, data = make(side, "mocap", clamp, gravity=(0, 0, 0), root="middle")
    node, link = ("cable_site_start", 0) if side == "start" else ("cable_site_end", -1)
    before = cables.frames(model, data)[link]
    turn = np.array([np.cos(0.2), 0, np.sin(0.2), 0])
    mujoco.mju_mulQuat(data.mocap_quat[0], turn, data.mocap_quat[0].copy())
    data.mocap_pos[0] += [0.01, 0.02, 0.03]
    cables.run(model, data, 10.0)
    drawn = NODES[0 if side == "start" else -1]
    assert data.site(node).xpos == pytest.approx(np.array([0.01, 0.02, 0.03]) + drawn, abs=1e-5)
    rotation = np.empty(9)
    mujoco.mju_quat2Mat(rotation, turn)
    after = cables.frames(model, data)[link]
    assert cables.angle_between(rotation.reshape(3, 3) @ before, after) < 1e-3


def test_a_clamp_continues_the_curve_of_the_rod() -> None:
    """Half a joint's angle beyond the first or last link: the arc's direction at its ends."""
    described = strand.Cable(NODES, EI=0.02, GJ=0.02, start="fixed", end="mocap")
    _, data = cables.load(described)
    for site, direction in (("cable_hold_start", 0.0), ("cable_hold_end", 1.2)):
        axis = data.site(site).xmat.reshape(3, 3)[:, 0]
        # strand.arc starts along x at the middle of its first link, minus half a link's turn.
        first = np.arctan2(*(NODES[1] - NODES[0])[1::-1])
        expected = first - 0.06 + direction
        assert axis == pytest.approx([np.cos(expected), np.sin(expected), 0], abs=1e-12)
