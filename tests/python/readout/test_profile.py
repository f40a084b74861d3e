"""Profiles of a cable along its length compared with statics in closed form."""

import mujoco
import numpy as np
import pytest
from scipy.optimize import brentq
from support import cables, differences, mjcf, shapes
from support.engine import needs_discrete
from support.mjcf import Chain

import strand

G = 9.81
L, LINKS = 0.6, 12
every_root = pytest.mark.parametrize("root", ("end", "middle"))
every_side = pytest.mark.parametrize("side", ("start", "end"))


def weight(model: mujoco.MjModel) -> float:
    return G * model.body_mass[cables.link_bodies(model)].sum()


def settled(described: strand.Cable, extra: str = ""):
    model, data = cables.load(described, extra)
    cables.settle(model, data, seconds=30, speed=1e-7)
    return model, data


def outward(side: str) -> int:
    """+1 if arclength runs from the holder to the free end, else -1."""
    return 1 if side == "start" else -1


def test_shape_of_an_arc() -> None:
    angle, EI, GJ = 1.2, 0.02, 0.01
    described = strand.Cable(strand.arc(L, angle, LINKS), EI, GJ, start="fixed", clamp="link")
    described.rest, described.curvature = "straight", "angle"
    model, data = cables.load(described)
    found = strand.profile(model, data)
    assert found.nodes == pytest.approx(described.nodes, abs=1e-12)
    assert found.node_arclength == pytest.approx(np.linspace(0, L, LINKS + 1))
    assert found.link_arclength == pytest.approx((np.arange(LINKS) + 0.5) * L / LINKS)
    assert found.joint_arclength == pytest.approx(found.node_arclength[1:-1])
    assert found.joint_span == pytest.approx(np.full(LINKS - 1, L / LINKS))
    steps = np.diff(described.nodes, axis=0) * LINKS / L
    assert found.tangents == pytest.approx(steps, abs=1e-12)
    turn = np.arccos(steps[0] @ steps[1]) / (L / LINKS)
    assert turn == pytest.approx(angle / L, rel=0.1)
    curvature = np.tile([0, 0, turn], (LINKS - 1, 1))
    assert found.curvature_binormal == pytest.approx(curvature, abs=1e-9)
    assert found.curvature == pytest.approx(curvature[:, 2])
    assert found.moment == pytest.approx(EI * curvature, abs=1e-12)
    assert found.bending_moment == pytest.approx(found.moment, abs=1e-12)
    assert found.energy == pytest.approx(strand.energy(model, data))
    assert not found.closed


@pytest.mark.parametrize("curvature", ("angle", "smooth4", "smooth"))
@pytest.mark.parametrize("ends", ("free", "fixed"))
def test_a_curve_at_rest_has_its_curvature_up_to_the_ends(curvature: str, ends: str) -> None:
    """The softness of joints at ends applies to what a moment bends, not to the natural shape."""
    angle, links = 1.2, 24
    described = strand.Cable(strand.arc(L, angle, links), 0.02, 0.01, start=ends)
    described.curvature, described.gravity = curvature, (0, 0, 0)
    model, data = cables.load(described)
    found = strand.profile(model, data)
    assert found.curvature == pytest.approx(angle / L, rel=1e-3)
    assert found.moment == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("clamp", ("node", "link"))
# With the root in the middle a weld holds the end; with any other integrator it yields.
@pytest.mark.parametrize("root", ("end", pytest.param("middle", marks=needs_discrete)))
@every_side
def test_cantilever(root: str, side: str, clamp: str) -> None:
    described = strand.Cable(strand.straight(L, LINKS), 3.0, 2.0, damping=0.1, root=root)
    described.clamp = clamp
    setattr(described, side, "fixed")
    model, data = settled(described)
    found = strand.profile(model, data)
    W = weight(model)
    held = {"start": (found.start_force, found.start_moment)}
    held["end"] = found.end_force, found.end_moment
    force, moment = held.pop(side)
    ((free_force, free_moment),) = held.values()
    assert force == pytest.approx([0, 0, W], abs=1e-4 * W)
    # The holder turns the cable back up: about -y at the start, which points along x.
    assert moment == pytest.approx([0, -outward(side) * W * L / 2, 0], abs=2e-4 * W * L)
    assert free_force == pytest.approx(np.zeros(3), abs=1e-9)
    assert free_moment == pytest.approx(np.zeros(3), abs=1e-9)
    distance = found.joint_arclength if side == "start" else L - found.joint_arclength
    bending = W / L * (L - distance) ** 2 / 2
    assert found.moment[:, 1] == pytest.approx(bending, abs=2e-4 * W * L)
    nodes = found.node_arclength if side == "start" else L - found.node_arclength
    carried = -outward(side) * W * (1 - nodes / L)
    assert found.force[:, 2] == pytest.approx(carried, abs=1e-4 * W)


@every_root
@every_side
def test_hanging(root: str, side: str) -> None:
    nodes = strand.straight(L, LINKS)[:, [2, 1, 0]] * [1, 1, -outward(side)]
    described = strand.Cable(nodes, 0.01, 0.01, damping=1e-3, root=root)
    setattr(described, side, "fixed")
    model, data = settled(described)
    found = strand.profile(model, data)
    s = found.node_arclength if side == "start" else L - found.node_arclength
    assert found.tension == pytest.approx(weight(model) * (1 - s / L), abs=1e-6)


def catenary_pull(W: float, length: float, span: float) -> float:
    """The horizontal force of an inextensible cable between two points of equal height."""
    a = brentq(lambda a: 2 * a * np.sinh(span / (2 * a)) - length, span / 20, 100 * span)
    return W / length * a


@every_root
def test_catenary(root: str) -> None:
    links, span = 30, 0.8
    nodes = strand.arc(1.0, 2.2, links)[:, [0, 2, 1]] * [1, 1, -1]
    described = strand.Cable(nodes, 1e-5, 1e-5, damping=1e-2, root=root)
    described.radius, described.density = 0.002, 8000
    described.rest = "straight"
    spec = mujoco.MjSpec.from_string(described.to_mjcf())
    for name, x in (("cable_site_start", -span / 2), ("cable_site_end", span / 2)):
        spec.worldbody.add_site(name=f"at_{name}", pos=[x, 0, 0])
        spec.add_equality(
            type=mujoco.mjtEq.mjEQ_CONNECT,
            objtype=mujoco.mjtObj.mjOBJ_SITE,
            name1=name,
            name2=f"at_{name}",
        )
    model = spec.compile()
    data = mujoco.MjData(model)
    cables.settle(model, data, seconds=60, speed=1e-5)
    found = strand.profile(model, data)
    W = weight(model)
    pull = catenary_pull(W, 1.0, span)
    assert found.force[:, 0] == pytest.approx(np.full(links + 1, found.force[0, 0]), rel=1e-4)
    assert found.force[0, 0] == pytest.approx(pull, rel=0.01)
    below = W * (found.node_arclength - 0.5)
    assert found.force[:, 2] == pytest.approx(below, abs=2e-3 * W)
    assert found.start_force + found.end_force == pytest.approx([0, 0, W], abs=1e-4 * W)
    assert found.start_moment == pytest.approx(np.zeros(3), abs=1e-9)
    assert found.tension == pytest.approx(np.hypot(pull, below), rel=0.02)


@every_root
def test_pulled(root: str) -> None:
    described = strand.Cable(strand.straight(L, LINKS), 0.01, 0.01, start="fixed", root=root)
    described.gravity, described.damping = (0, 0, 0), 1e-3
    model, data = cables.load(described)
    data.xfrc_applied[cables.link_bodies(model)[-1], :3] = 7.0, 0, 0
    cables.settle(model, data)
    found = strand.profile(model, data)
    assert found.tension == pytest.approx(np.full(LINKS + 1, 7.0))
    assert found.end_force == pytest.approx([7, 0, 0])
    assert found.start_force == pytest.approx([-7, 0, 0])


def test_torque_of_six_turns() -> None:
    GJ, turns = 0.008, 6
    model = mjcf.compiled(Chain(shapes.straight(LINKS), {"EI": "0.7", "GJ": f"{GJ}"}))
    data = mujoco.MjData(model)
    differences.wind(model, data, f"rod{LINKS - 1}", turns)
    found = strand.profile(model, data)
    rate = 2 * np.pi * turns / (1 - 1 / LINKS)
    assert found.twist.sum() == pytest.approx(2 * np.pi * turns)
    assert found.twist_rate == pytest.approx(np.full(LINKS - 1, rate))
    assert found.torque == pytest.approx(np.full(LINKS - 1, GJ * rate))
    assert found.moment[:, 0] == pytest.approx(found.torque)
    assert found.bending_moment == pytest.approx(np.zeros((LINKS - 1, 3)), abs=1e-9)


def test_a_clamp_at_a_node_supports_the_moment() -> None:
    """Clamps are sites: the joint at the end is the cable's own, and the weld carries nothing."""
    scene = Chain(shapes.straight(LINKS), {"EI": "3", "GJ": "2", "clamp_start": "vice"})
    text = mjcf.document(scene, option={"gravity": f"0 0 -{G}"}, density=1000)
    text = text.replace("<worldbody>", '<worldbody><site name="vice"/>', 1)
    text = text.replace('<joint type="free" />', '<joint type="ball" damping="0.1"/>')
    text = text.replace('damping="0.0"', 'damping="0.1"')
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    cables.settle(model, data, seconds=30, speed=1e-7)
    found = strand.profile(model, data)
    W = G * model.body_mass.sum()
    assert found.joint_arclength[0] == 0
    assert found.joint_span[0] == pytest.approx(1 / LINKS / 2)
    assert found.start_force == pytest.approx([0, 0, W], abs=1e-4 * W)
    assert found.start_moment == pytest.approx([0, -W / 2, 0], abs=3e-3 * W)
    assert found.moment[0] == pytest.approx(-found.start_moment, abs=1e-4 * W)
    assert found.end_moment == pytest.approx(np.zeros(3), abs=1e-9)


def test_nothing_in_data_changes() -> None:
    described = strand.Cable(strand.arc(L, 1.0, LINKS), 0.02, 0.01, start="fixed", end="mocap")
    model, data = cables.load(described)
    mujoco.mj_step(model, data, 20)
    names = [name for name in dir(data) if isinstance(getattr(data, name), np.ndarray)]
    unused = ("efc_AR", "efc_Y", "efm_")  # of other solvers: not written, and never the same
    names = [name for name in names if not name.startswith(unused)]
    before = {name: getattr(data, name).copy() for name in names}
    strand.profile(model, data)
    assert all(np.array_equal(getattr(data, name), before[name], equal_nan=True) for name in names)
    assert "plugin_state" in names and "cfrc_int" in names


def test_stale_data_give_the_same() -> None:
    described = strand.Cable(strand.arc(L, 1.0, LINKS), 0.02, 0.01, start="fixed")
    model, data = cables.load(described)
    mujoco.mj_step(model, data, 20)
    stale = strand.profile(model, data)
    mujoco.mj_forward(model, data)
    fresh = strand.profile(model, data)
    assert np.array_equal(stale.nodes, fresh.nodes)
    assert np.array_equal(stale.force, fresh.force)


@pytest.mark.parametrize("cable", ("rope", 3, -1, 0.5, None))
def test_bad_cable(cable) -> None:
    model, data = cables.load(strand.Cable(strand.straight(L, LINKS), 0.02, 0.01, start="fixed"))
    for read in (strand.profile, strand.readout):
        with pytest.raises(strand.StrandError, match=r"cable: got .* allowed: .*cable_rod"):
            read(model, data, cable)
