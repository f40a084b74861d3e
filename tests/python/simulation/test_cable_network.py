"""A cable's description gives the same network in the core as in MuJoCo."""

import mujoco
import numpy as np
import pytest
from support import cables
from support.engine import needs_discrete

import strand
from strand import Branch, Cable, StrandError, Stretch
from strand.simulation import cable_network

MATERIAL = {"EI": 0.02, "GJ": 0.015, "radius": 0.004, "density": 1100.0, "collide": False}
MATERIAL |= {"curvature": "angle"}  # as in the core
STRIP = MATERIAL | {"EI": (0.03, 0.01), "section": "box", "width": 0.01, "height": 0.004}


def arm(length: float, links: int, **fields) -> Cable:
    return Cable(strand.straight(length, links), **(MATERIAL | {"loss_time": 0.3} | fields))


def tree() -> Cable:
    """A T, a Y with an elastic arm, a branch on a branch and a second support."""
    return arm(
        0.6,
        16,
        start="fixed",
        branches=[
            Branch(arm(0.25, 8, end="ball"), "held", 0.3, angle=1.5, azimuth=2.0),
            Branch(arm(0.25, 8), "left", 0.6, angle=0.7),
            Branch(arm(0.25, 8), "right", 0.6, angle=0.7, azimuth=2.0, junction=(0.3, 0.1)),
            Branch(arm(0.1, 4), "twig", 0.125, on="left", angle=1.2, azimuth=-1.0),
        ],
    )


def ring() -> Cable:
    support = arm(0.2, 8, end="fixed")
    return Cable(
        strand.ring(0.1, 20), closed=True, **MATERIAL, loss_time=0.3,
        branches=[Branch(support, "stem", 0.15, angle=1.5, azimuth=0.5),
                  Branch(arm(0.1, 4), "leaf", 0.4, angle=1.5)],
    )  # fmt: skip


def strip() -> Cable:
    """Sections, stretches and tapers, with a branch at the held end."""
    nodes = strand.arc(0.5, 1.0, 16)
    tapered = arm(0.3, 12, radius=(0.005, 0.003), density=(900, 1500), EI=None, GJ=None,
                  young=1e7, poisson=0.4)  # fmt: skip
    return Cable(
        nodes, start="fixed", loss_time=0.3, **STRIP,
        stretches=[Stretch(0.1, 0.23, EI=0.1, GJ=0.1)],
        branches=[Branch(tapered, "tapered", 0.25, angle=1.0, azimuth=1.0),
                  Branch(arm(0.2, 8), "twin", 0.0, angle=2.0, junction=0.2)],
    )  # fmt: skip


def plain() -> Cable:
    bow = strand.arc(0.6, 1.5, 16)
    return Cable(bow, start="fixed", end="mocap", pos=(0, 0, 1), loss_time=0.3, **MATERIAL)


CASES = {"tree": tree, "ring": ring, "strip": strip, "plain": plain}


def test_by_default_it_rests_near_the_plugin_and_with_its_measure_at_the_same_place() -> None:
    """MuJoCo's cables have smooth curvature by default, the core's have angles."""
    length, apart = 0.6, []
    for links in (24, 48):
        described = Cable(
            strand.straight(length, links), young=3e8, poisson=0.4, radius=0.003, density=1100,
            start="fixed", loss_time=0.3,
        )  # fmt: skip
        model, data = cables.load(described)
        cables.settle(model, data, seconds=60)
        network = cable_network(described)
        errors = []
        for options in ({}, {"curvature": "smooth"}):
            simulation = network.simulation(**options)
            simulation.solve()
            rest = simulation.positions[network.nodes[""]]
            errors.append(np.abs(strand.profile(model, data).nodes - rest).max() / length)
        assert rest[-1, 2] < -0.3 * length
        assert errors[1] < 4e-6  # the stretch of the core's edges
        apart.append(errors[0])
    assert apart[0] == pytest.approx(5e-4, rel=0.2)
    assert apart[1] == pytest.approx(apart[0] / 4, rel=0.2)  # second order


@needs_discrete
@pytest.mark.parametrize("name", CASES)
def test_it_rests_where_the_plugin_does(name: str) -> None:
    """But for stretching, of 4e-4 in the softest of them."""
    described = CASES[name]()
    network = cable_network(described)
    simulation = network.simulation(dt=0.05, method="backward_euler")
    simulation.run(10)
    report = simulation.solve()
    assert report.converged
    model, data = cables.load(described)
    cables.settle(model, data, seconds=60)
    for branch, nodes in network.nodes.items():
        rod = f"cable_{branch}_rod" if branch else "cable_rod"
        found = strand.profile(model, data, rod).nodes
        assert simulation.positions[nodes] == pytest.approx(found, abs=3e-4)


@needs_discrete
def test_it_moves_as_the_plugin_does() -> None:
    described = tree()
    for one in (described, *(branch.cable for branch in described.branches)):
        one.loss_time, one.whip_damping, one.timestep = None, 0.0, 2e-4
    network = cable_network(described)
    simulation = network.simulation(dt=2e-4)
    simulation.run(0.15)
    model, data = cables.load(described)
    while data.time < 0.15 - 1e-9:
        mujoco.mj_step(model, data)
    mujoco.mj_forward(model, data)
    start = mujoco.MjData(model)
    mujoco.mj_kinematics(model, start)
    assert np.abs(data.xpos - start.xpos).max() > 0.03
    for branch, nodes in network.nodes.items():
        rod = f"cable_{branch}_rod" if branch else "cable_rod"
        found = strand.profile(model, data, rod).nodes
        assert simulation.positions[nodes] == pytest.approx(found, abs=1e-3)


@pytest.mark.parametrize("name", CASES)
def test_mass_and_shape_are_those_of_the_cable(name: str) -> None:
    described = CASES[name]()
    network = cable_network(described)
    simulation = network.simulation(gravity=(0, 0, 0))
    simulation.step()
    assert simulation.potential_energy == pytest.approx(0, abs=1e-9) or described.rest == "straight"
    for branch, one in [("", described), *((b.name, b.cable) for b in described.branches)]:
        assert len(network.nodes[branch]) == len(one.nodes)
    assert simulation.positions[network.nodes[""]] == pytest.approx(
        described.nodes + described.pos, abs=1e-9
    )
    if len(np.atleast_1d(described.EI)) == 1:
        model = mujoco.MjModel.from_xml_string(described.to_mjcf())
        mass = simulation.core.mass
        nodes = simulation.node_dofs(range(simulation.network.node_count), "x")
        assert mass[nodes].sum() == pytest.approx(model.body_mass.sum(), rel=1e-3)


def test_links_at_a_junction_do_not_push_each_other_away() -> None:
    described = tree()
    network = cable_network(described)
    simulation = network.simulation(gravity=(0, 0, 0))
    simulation.add_contact(friction=0.3)
    simulation.run(0.02)
    assert np.abs(simulation.velocities).max() < 1e-9


@pytest.mark.parametrize(
    ("fields", "message"),
    (
        ({"end": "weld", "end_to": "hand"}, "end: got 'weld', allowed in the core: free, fixed"),
        ({"rest_twist": 1.0}, "rest_twist: got 1.0"),
        ({"damping_ratio": 0.1, "loss_time": None}, "damping_ratio: got 0.1"),
        ({"branches": [Branch(arm(0.1, 4, rest="straight"), "b", 0.3, angle=1.0)]},
         "branch b: rest: got 'straight', allowed in the core: 'drawn'"),
    ),
)  # fmt: skip
def test_what_the_core_does_not_have_is_refused(fields: dict, message: str) -> None:
    with pytest.raises(StrandError, match=message):
        cable_network(arm(0.6, 12, **fields))
