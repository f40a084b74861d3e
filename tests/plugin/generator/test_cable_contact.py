"""What a cable touches and what it does not."""

import mujoco
import numpy as np
import pytest
from support import cables
from support.engine import BEST

import strand

BOX = '<geom name="box" type="box" size=".1 .1 .05" pos=".2 0 -.056"/>'


def fallen(
    extra: str = BOX, seconds: float = 0.3, **fields
) -> tuple[mujoco.MjModel, mujoco.MjData]:
    described = strand.Cable(strand.straight(0.4, 8), EI=0.01, GJ=0.01, loss_time=0.1, **fields)
    model, data = cables.load(described, extra)
    cables.run(model, data, seconds)
    return model, data


def lies(data: mujoco.MjData) -> bool:
    return bool(data.site("cable_node4").xpos[2] > -0.02)


@pytest.mark.parametrize(
    ("fields", "caught"),
    [
        ({}, True),
        ({"collide": False}, False),
        ({"self_contact": False}, True),
        ({"contype": 2, "conaffinity": 2}, False),
        ({"contype": 2, "conaffinity": 1}, True),
        ({"contype": 1, "conaffinity": 2}, True),
    ],
)
def test_masks_decide_what_catches_it(fields: dict, caught: bool) -> None:
    _, data = fallen(**fields)
    assert lies(data) == caught


@pytest.mark.parametrize("own", (True, False))
def test_two_cables_touch_whether_or_not_they_touch_themselves(own: bool) -> None:
    spec = mujoco.MjSpec()
    spec.option.integrator, spec.option.timestep = BEST, 0.001
    for prefix, height, quat in (("a_", 0.0, (1, 0, 0, 0)), ("b_", 0.012, (0.7, 0, 0, 0.7))):
        nodes = strand.straight(0.4, 8) - [0.2, 0, 0]
        held = {"start": "fixed", "end": "fixed"} if prefix == "a_" else {}
        described = strand.Cable(nodes, EI=0.5, GJ=0.5, prefix=prefix, self_contact=own, **held)
        strand.attach(spec, described, pos=(0, 0, height), quat=quat)
    model = spec.compile()
    data = mujoco.MjData(model)
    cables.run(model, data, 0.3)
    assert data.site("b_node4").xpos[2] > 0.008


def test_a_cable_without_self_contact_passes_through_itself() -> None:
    """An overlapping ring, pressed flat: self-contact keeps it apart."""
    heights = {}
    for own in (True, False):
        nodes = strand.helix(radius=0.05, pitch=0.03, turns=2, segments=40)
        described = strand.Cable(nodes, EI=1e-5, GJ=1e-5, self_contact=own, start="fixed")
        model, data = cables.load(described, '<geom type="plane" size="1 1 1" pos="0 0 -.01"/>')
        cables.run(model, data, 0.5)
        pairs = [model.geom_bodyid[pair] for pair in data.contact.geom]
        heights[own] = sum(0 not in pair for pair in pairs)
    assert heights[True] > 0 and heights[False] == 0


def test_margin_and_friction() -> None:
    """Contacts exist before surfaces touch (margin); friction carries a load sideways."""
    _, near = fallen(seconds=0, margin=0.02)
    assert near.ncon > 0
    assert fallen(seconds=0)[1].ncon == 0
    slid = {}
    floor = '<geom type="plane" size="5 5 1" pos="0 0 -.006" friction="0 0 0"/>'
    for friction in (0.1, 0.9):
        _, data = fallen(floor, friction=friction, gravity=(0, 4.0, -9.81))
        slid[friction] = data.site("cable_node4").xpos[1]
    assert slid[0.1] == pytest.approx(0.5 * (4.0 - 0.981) * 0.09, rel=0.1)
    assert slid[0.9] == pytest.approx(0.5 * 4.0 * 2 / 3 * 0.09, rel=0.1)  # rolls


def test_a_hand_does_not_push_away_the_cable_it_holds() -> None:
    spec = mujoco.MjSpec()
    hand = spec.worldbody.add_body(name="hand")
    hand.add_freejoint()
    hand.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.02] * 3, contype=1, conaffinity=1)
    described = strand.Cable(strand.straight(0.4, 20), EI=0.5, GJ=0.5, radius=0.01)
    described.start, described.start_to = "weld", "hand"
    strand.attach(spec, described)
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert data.ncon == 0
    number = {body: k for k, body in enumerate(cables.link_bodies(model))}
    pairs = [divmod(s, 1 << 16) for s in model.exclude_signature]
    held = {
        number[b] for pair in pairs for b in pair if model.body("hand").id in pair and b in number
    }
    assert held == {0, 1}  # within one thickness
    assert np.abs(data.qfrc_constraint).max() < 1e-9
