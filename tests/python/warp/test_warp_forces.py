"""Generalised forces, energies, twists and nodes on MuJoCo Warp against those in C."""

import mujoco
import numpy as np
import pytest
from warp_cables import KINDS, ROUND, bent, cable, load, needs_warp

import strand
import strand.warp
from strand.warp import packages

pytestmark = [needs_warp, pytest.mark.slow]


def forces(worlds: strand.warp.Worlds) -> np.ndarray:
    packages.load().mujoco_warp.forward(worlds.m, worlds.d)
    return worlds.d.qfrc_passive.numpy()


def expect_equal(found: np.ndarray, expected: np.ndarray, tolerance: float = 1e-5) -> None:
    assert np.abs(found - expected).max() < tolerance * np.abs(expected).max()


@pytest.mark.parametrize("angle", [0.02, 0.15, 0.6])
@pytest.mark.parametrize("kind", KINDS)
def test_forces_are_those_of_c(kind: str, angle: float) -> None:
    described, turns = KINDS[kind]
    model = load(described)
    data = bent(model, angle, turns)
    worlds = strand.warp.put(model, 2, data=data)
    for world in forces(worlds):
        expect_equal(world, data.qfrc_passive)
    energies = [worlds.energy(name)[1].sum() for name in worlds.cables.names]
    assert sum(energies) == pytest.approx(strand.energy(model, data), rel=1e-5)


@pytest.mark.parametrize("kind", ["box, helix, turns", "quasistatic, ring", "branches", "clamps"])
def test_nodes_and_twists_are_those_of_c(kind: str) -> None:
    described, turns = KINDS[kind]
    model = load(described)
    data = bent(model, 0.15, turns)
    worlds = strand.warp.put(model, 2, data=data)
    for name in worlds.cables.names:
        profile = strand.profile(model, data, name)
        assert worlds.nodes(name)[1] == pytest.approx(profile.nodes, abs=2e-6)
        assert worlds.twists(name)[1] == pytest.approx(profile.twist, abs=2e-5)


def test_factors_are_those_of_set_material() -> None:
    """In each world its own, also of naturally curved cables, whose bending resists twist."""
    model = load(cable(ROUND, strand.arc(1, 5, 12), curvature="smooth4"))
    data = bent(model, 0.1, 1)
    worlds = strand.warp.put(model, 3, data=data, EI=(0.5, 1, 3), GJ=(2, 1, 0.1))
    found = forces(worlds)
    for world, (EI, GJ) in enumerate([(0.5, 2), (1, 1), (3, 0.1)]):
        strand.set_material(model, data, EI=EI, GJ=GJ)
        mujoco.mj_forward(model, data)
        expect_equal(found[world], data.qfrc_passive)
    stiffness = worlds.m.jnt_stiffness.numpy()
    own = load(cable(ROUND, strand.arc(1, 5, 12), curvature="smooth4")).jnt_stiffness
    for world, factor in enumerate((2, 1, 3)):
        assert stiffness[world] == pytest.approx(factor * own, rel=1e-6)


def test_a_changed_material_is_taken_over() -> None:
    model = load(cable(ROUND))
    data = bent(model, 0.15)
    strand.set_material(model, data, EI=2, curvature=(1, 0.5), rest_twist=3)
    mujoco.mj_forward(model, data)
    expect_equal(forces(strand.warp.put(model, 1, data=data))[0], data.qfrc_passive)


def test_the_stabilizer_is_cancelled_beside_tendons() -> None:
    tendon = (
        '<tendon><spatial stiffness="3" damping="0.1"><site site="cable_node2"/>'
        '<site site="cable_node9"/></spatial></tendon></mujoco>'
    )
    text = cable(ROUND).to_mjcf().replace("</mujoco>", tendon)
    model = mujoco.MjModel.from_xml_string(text)
    data = bent(model, 0.15)
    expect_equal(forces(strand.warp.put(model, 1, data=data))[0], data.qfrc_passive)


def test_forces_of_another_callback_stay() -> None:
    model = load(cable(ROUND))
    data = bent(model, 0.15)
    mjw = packages.load().mujoco_warp
    m = strand.warp.put_model(model)
    d = mjw.put_data(model, data, nworld=2)
    m.callback.passive = lambda m, d: d.qfrc_passive.assign(d.qfrc_passive.numpy() + 7)
    cables = strand.warp.attach(model, m, d, data)
    mjw.forward(m, d)
    expect_equal(d.qfrc_passive.numpy()[0], data.qfrc_passive + 7)
    cables.detach()
    mjw.forward(m, d)
    expect_equal(d.qfrc_passive.numpy()[0], data.qfrc_spring + data.qfrc_damper + 7)
