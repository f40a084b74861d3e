"""A cable is moved as a rigid body, with all its trees and branches."""

import mujoco
import numpy as np
import pytest
from scipy.spatial.distance import pdist
from scipy.spatial.transform import Rotation
from support import cables
from support.engine import needs_discrete

import strand
from strand.batch import meet, move

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


def branched(
    model_of: str = "<mujoco/>", end: str = "free", start: str = "free"
) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """A cable with a branch, which has a branch, all in several trees. The end of the second one
    may be held, and the start of the cable tied to a hand."""
    options = {"radius": 0.003, "young": 1e7, "poisson": 0.4, "pieces": 4}
    twig = strand.Cable(strand.straight(0.2, 12), **options, end=end)
    limb = strand.Cable(strand.straight(0.3, 15), **options)
    branches = [
        strand.Branch(limb, "limb", at=0.15, angle=0.8),
        strand.Branch(twig, "twig", on="limb", at=0.1, angle=-0.7),
    ]
    tied = {"start": start, "start_to": "hand" if start == "weld" else ""}
    cable = strand.Cable(strand.straight(0.4, 20), **options, **tied, branches=branches)
    spec = mujoco.MjSpec.from_string(model_of)
    strand.attach(spec, cable, pos=(0.4, 0.1, 1))
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def nodes_of_branched(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    names = ("cable_rod", "cable_limb_rod", "cable_twig_rod")
    return np.vstack([strand.profile(model, data, name).nodes for name in names])


@needs_discrete
@pytest.mark.parametrize("cable", ["cable_rod", "cable_twig_rod"])
def test_branches_move_along(cable: str) -> None:
    model, data = branched()
    before = nodes_of_branched(model, data)
    move(model, data, [1, 2, 3], QUAT, about=[0, 0, 0], cable=cable)
    mujoco.mj_forward(model, data)
    after = nodes_of_branched(model, data)
    np.testing.assert_allclose(after, np.add(TURN.apply(before), [1, 2, 3]), atol=1e-12)
    assert np.abs(data.efc_pos[: data.ne]).max() < 1e-9


@needs_discrete
def test_a_cable_whose_branch_is_fixed_is_held() -> None:
    for end in ("fixed", "ball"):
        model, data = branched(end=end)
        with pytest.raises(strand.StrandError, match=r"got 0, which is held"):
            move(model, data, [0, 0, 1])
        data.eq_active[model.equality("cable_twig_hold_end").id] = 0
        move(model, data, [0, 0, 1])


@needs_discrete
@pytest.mark.parametrize("end", ["free", "fixed"])
def test_branches_meet_the_hand_that_was_put_elsewhere(end: str) -> None:
    """The end of one that is fixed stays tied."""
    model, data = branched(HAND, end, "weld")
    before = pdist(nodes_of_branched(model, data))
    data.qpos[:2] = data.ctrl[:] = [0.1, -0.2]
    meet(model, data)
    mujoco.mj_forward(model, data)
    np.testing.assert_allclose(pdist(nodes_of_branched(model, data)), before, atol=1e-9)
    weld = model.equality("cable_hold_start").id
    hold, end_site = (data.site_xpos[site[weld]] for site in (model.eq_obj1id, model.eq_obj2id))
    assert end_site == pytest.approx(hold, abs=1e-9)


def on_a_hand(**options: object) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """A cable tied to a hand, and a state in which the hand is elsewhere."""
    spec = mujoco.MjSpec.from_string(HAND)
    nodes = strand.arc(0.4, 1.0, 24)
    cable = strand.Cable(nodes, **({"radius": 0.003, "young": 1e7, "poisson": 0.4} | options))
    strand.attach(spec, cable, "hand", (0.1, 0, 0), (0.9, 0.1, -0.3, 0.2))
    model = spec.compile()
    data = mujoco.MjData(model)
    data.qpos[:2] = data.ctrl[:] = [0.7, -1.1]
    return model, data


HAND = """<mujoco><option integrator="implicitfast"/><worldbody>
    <body name="arm" pos="0 0 1"><joint name="a" axis="0 1 0" damping="1"/>
      <geom type="capsule" fromto="0 0 0 .4 0 0" size=".03" contype="0" conaffinity="0"/>
      <body name="hand" pos=".4 0 0"><joint name="b" axis="0 0 1" damping="1"/>
        <geom type="box" size=".1 .03 .03" contype="0" conaffinity="0"/></body></body>
  </worldbody><actuator><position joint="a" kp="500" kv="20"/><position joint="b" kp="100" kv="5"/>
  </actuator></mujoco>"""


@pytest.mark.parametrize("side", ["start", "end"])
@pytest.mark.parametrize("kind", ["weld", "pin"])
def test_an_end_meets_the_hand_that_was_put_elsewhere(side: str, kind: str) -> None:
    model, data = on_a_hand(**{side: kind, f"{side}_to": "hand"})
    before = strand.profile(model, data).nodes
    meet(model, data, side)
    equality = model.equality(f"cable_hold_{side}").id
    mujoco.mj_forward(model, data)
    assert np.abs(data.efc_pos[: data.ne]).max() < 1e-9
    after = strand.profile(model, data).nodes
    np.testing.assert_allclose(pdist(after), pdist(before), atol=1e-9)
    if kind == "pin":  # only shifted
        np.testing.assert_allclose(np.ptp(after - before, axis=0), 0, atol=1e-9)
    cables.run(model, data, 0.5)
    hold, end = (data.site_xpos[sites[equality]] for sites in (model.eq_obj1id, model.eq_obj2id))
    assert end == pytest.approx(hold, abs=1e-3)


def test_only_an_end_that_is_tied_meets_something() -> None:
    model, data = on_a_hand(start="weld", start_to="hand")
    for side in ("end", "middle"):
        with pytest.raises(strand.StrandError, match=f"side: got '{side}' of cable 'cable_rod'"):
            meet(model, data, side)
    model, data = on_a_hand(start="fixed")
    with pytest.raises(strand.StrandError, match="side: got 'start'"):
        meet(model, data)
    with pytest.raises(strand.StrandError, match="cable: got 'rope'"):
        meet(model, data, cable="rope")
