"""Generalised forces, energies, twists and nodes on MuJoCo Warp against those in C."""

import json
from pathlib import Path

import mujoco
import numpy as np
import pytest
from support.warp import needs_warp
from warp_cables import BOX, KINDS, LAW, LINKS, ROUND, bent, cable, load, mjcf

import strand
import strand.warp
from strand.legacy import convert
from strand.warp import packages
from strand.warp.memory import bytes_per_world

pytestmark = [needs_warp, pytest.mark.slow]


def forces(worlds: strand.warp.Worlds) -> np.ndarray:
    packages.load().mujoco_warp.forward(worlds.m, worlds.d)
    return worlds.d.qfrc_passive.numpy()


def expect_equal(found: np.ndarray, expected: np.ndarray, tolerance: float = 2e-6) -> None:
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
    assert sum(energies) == pytest.approx(strand.energy(model, data), rel=1e-9)


NODES = ("box, helix, turns", "quasistatic, ring", "quasistatic, helix", "branches", "clamps")


@pytest.mark.parametrize("kind", NODES)
def test_nodes_and_twists_are_those_of_c(kind: str) -> None:
    described, turns = KINDS[kind]
    model = load(described)
    data = bent(model, 0.15, turns)
    worlds = strand.warp.put(model, 2, data=data)
    for name in worlds.cables.names:
        profile = strand.profile(model, data, name)
        assert worlds.nodes(name)[1] == pytest.approx(profile.nodes, abs=2e-6)
        assert worlds.twists(name)[1] == pytest.approx(profile.twist, abs=1e-9)


def on_an_arm() -> mujoco.MjModel:
    """A cable that a site clamps to the last link of an arm, whose first axis is not at 0 in the
    reference position."""
    spec = mujoco.MjSpec()
    body = spec.worldbody
    for k, kind in enumerate((mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE) * 2):
        body = body.add_body(name=f"arm{k}", pos=(0.1, 0, 0.1), quat=(0.9, 0.1 * k, 0.2, 0.3))
        body.add_joint(type=kind, axis=(1, k, 2), ref=0.3 if k == 0 else 0)
        body.add_geom(size=(0.02, 0, 0), contype=0, conaffinity=0)
    strand.attach(spec, cable(BOX, strand.arc(1, 2, LINKS), start="fixed"), "arm3")
    return spec.compile()


def test_a_cable_on_an_arm() -> None:
    model = on_an_arm()
    data = bent(model, 0.15, 1)
    assert (np.abs(data.qpos[:4]) > 0.01).all()
    expect_equal(forces(strand.warp.put(model, 1, data=data))[0], data.qfrc_passive)


def test_bodies_turned_in_one_world() -> None:
    """The constant rotation of a link in one world's model acts as the same turn of its joint."""
    model = load(cable(BOX, start="fixed", pieces="none"))
    data = bent(model, 0.15)
    worlds = strand.warp.put(model, 2, data=data)
    joint = LINKS // 2
    body, at = model.jnt_bodyid[joint], model.jnt_qposadr[joint]
    turn, product = np.array([0.98, 0.1, -0.1, 0.14]), np.empty(4)
    turn /= np.linalg.norm(turn)
    own = np.tile(model.body_quat[None], (2, 1, 1))
    mujoco.mju_mulQuat(own[1, body], model.body_quat[body], turn)
    worlds.m.body_quat = packages.load().warp.array(own, dtype=worlds.m.body_quat.dtype)
    state = worlds.d.qpos.numpy()
    mujoco.mju_mulQuat(product, turn, state[0, at : at + 4].astype(float))
    state[0, at : at + 4] = product
    worlds.d.qpos.assign(state)
    found = forces(worlds)
    expect_equal(found[1], found[0])
    assert np.abs(found[0] - data.qfrc_passive).max() > 0.1 * np.abs(found[0]).max()


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


def test_factors_raise_the_armature_where_the_integrator_needs_it() -> None:
    """The damping of stiff joints, which the plugin adds then, included."""
    model = load(cable(ROUND, start="fixed", integrator="implicitfast"))
    data = bent(model, 0.1, 1)
    data.qvel[:] = np.random.default_rng(2).normal(size=model.nv)
    mujoco.mj_forward(model, data)
    worlds = strand.warp.put(model, 2, data=data, EI=(1, 3))
    found, own = forces(worlds), model.dof_armature.copy()
    for world, factor in enumerate((1, 3)):
        strand.set_material(model, data, EI=factor)
        mujoco.mj_forward(model, data)
        expect_equal(found[world], data.qfrc_passive)
        assert worlds.m.dof_armature.numpy()[world] == pytest.approx(factor * own, rel=1e-6)


@pytest.mark.parametrize("integrator", ["discrete", "implicitfast"])
def test_flat_cables_are_damped_less_about_the_softer_axis(integrator: str) -> None:
    model = load(cable(BOX, start="fixed", integrator=integrator))
    data = bent(model, 0.1)
    still = data.qfrc_passive.copy()
    data.qvel[:] = 20 * np.random.default_rng(3).normal(size=model.nv)
    mujoco.mj_forward(model, data)
    assert np.abs(data.qfrc_passive - still).max() > 0.1 * np.abs(still).max()
    expect_equal(forces(strand.warp.put(model, 1, data=data))[0], data.qfrc_passive)


def test_factors_change_quasistatic_twist() -> None:
    """Where bending depends on it: the angles of the frames are other ones in each world."""
    model = load(cable(BOX, strand.arc(1, 2, 20), twist="quasistatic", curvature="smooth4"))
    data = bent(model, 0.3)
    worlds = strand.warp.put(model, 3, data=data, EI=(0.5, 1, 3), GJ=(2, 1, 0.1))
    found, twists = forces(worlds), worlds.twists()
    for world, (EI, GJ) in enumerate([(0.5, 2), (1, 1), (3, 0.1)]):
        strand.set_material(model, data, EI=EI, GJ=GJ)
        mujoco.mj_forward(model, data)
        expect_equal(found[world], data.qfrc_passive)
        assert twists[world] == pytest.approx(strand.profile(model, data).twist, abs=1e-9)
    assert np.abs(twists[2] - twists[0]).max() > 1e-2


@pytest.mark.parametrize("law", [{}, LAW])
def test_a_changed_material_is_taken_over(law: dict) -> None:
    model = load(cable(ROUND, keys=law))
    data = bent(model, 0.15)
    strand.set_material(model, data, EI=2, GJ=0.7, curvature=(1, 0.5), rest_twist=3)
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


LEGACY = Path(__file__).parents[2] / "data" / "legacy" / "expanded"


@pytest.mark.parametrize("name", ["soft_arc_8", "vertices_box"])
def test_old_cables_have_the_forces_of_mujoco_3(name: str) -> None:
    """Models and forces of MuJoCo 3.17, converted with its law."""
    model = mujoco.MjModel.from_xml_string(convert(LEGACY / f"{name}.xml", law="old").text)
    pose = json.loads((LEGACY / f"{name}.json").read_text())[-1]
    data = mujoco.MjData(model)
    data.qpos[:] = pose["qpos"]
    mujoco.mj_forward(model, data)
    expect_equal(forces(strand.warp.put(model, 1, data=data))[0], np.array(pose["passive"]))


SENSED = ("box", "quasistatic, box", "quasistatic, box, ring", "MuJoCo 3's law", "pieces")


@pytest.mark.parametrize("kind", SENSED)
def test_sensors_are_those_of_c(kind: str) -> None:
    described, turns = KINDS[kind]
    sensor = '<user dim="2" name="other"/><plugin plugin="strand.cable" instance="cable_rod"/>'
    text = mjcf(described).replace("</mujoco>", f"<sensor>{sensor}</sensor></mujoco>")
    model = mujoco.MjModel.from_xml_string(text)
    data = bent(model, 0.15, turns)
    worlds = strand.warp.put(model, 2, data=data, EI=(1, 2))
    forces(worlds)
    found = worlds.d.sensordata.numpy()
    assert (found[:, :2] == 0).all()
    scale = np.repeat(np.abs(data.sensordata[[2, 3, 4, 5]]), (1, 1, 1, 7))
    scale[4:] = np.abs(data.sensordata[6:]).max()
    assert np.abs((found[0, 2:] - data.sensordata[2:]) / scale).max() < 1e-5
    assert abs(found[1, 3] / found[0, 3] - 1) > 0.05


def test_strand_allocates_nothing_in_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in the Newton solve: its workspace is made once."""
    wp = packages.load().warp
    model = load(cable(BOX, twist="quasistatic"))
    worlds = strand.warp.put(model, 2, data=bent(model, 0.1))
    worlds.step()
    made: list[str] = []
    for name in ("zeros", "empty", "full", "clone", "array"):
        monkeypatch.setattr(wp, name, lambda *given, name=name, **named: made.append(name))
    worlds.m.callback.passive(worlds.m, worlds.d)
    assert made == []
    monkeypatch.undo()
    assert np.isfinite(worlds.nodes()).all()


def test_memory_per_world() -> None:
    """It does not depend on the number of worlds, and is small beside that of MuJoCo Warp."""
    model = load(cable(ROUND))
    few, many = (strand.warp.put(model, count) for count in (2, 64))
    assert few.cables.bytes_per_world == many.cables.bytes_per_world
    mine, whole = many.cables.bytes_per_world, bytes_per_world(many.d)
    assert 4 * 2 * LINKS < mine < 0.1 * whole
    arrays = many.d.qpos.capacity + many.d.xmat.capacity + many.d.efc.J.capacity
    assert arrays / 64 < whole
