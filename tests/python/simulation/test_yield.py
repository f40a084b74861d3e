"""Plasticity of rods in the core: moments, springback, the chain's set, energy, checkpoints."""

from pathlib import Path

import mujoco
import numpy as np
import pytest
from support.plastic import circle

import strand
from strand import StrandError
from strand.simulation import Network, Rod, Simulation, cable_network

YOUNG, POISSON, YIELD, RADIUS, DENSITY = 117e9, 0.34, 100e6, 0.69e-3, 8900.0
LENGTH = 0.2
FIRST = YIELD * np.pi * RADIUS**3 / 4  # N m, moment of first yield
RATE = YIELD / (YOUNG * RADIUS)  # 1/m
EI = YOUNG * np.pi * RADIUS**4 / 4


def wire(edges: int = 20, **material) -> tuple[Network, Rod]:
    network = Network()
    nodes = strand.straight(LENGTH, edges)
    given = dict(radius=RADIUS, young=YOUNG, poisson=POISSON, density=DENSITY, yield_stress=YIELD)
    rod = network.rod(nodes, **(given | material))
    network.clamp(rod, "start")
    return network, rod


def simulation(edges: int = 20, **material) -> Simulation:
    network, _ = wire(edges, **material)
    return Simulation(network, dt=1e-3, gravity=(0, 0, 0))


def couple(sim: Simulation, moment: float) -> None:
    """Loads the last edge with a moment about y, by a couple of forces across it."""
    nodes = sim.positions
    along = nodes[-1] - nodes[-2]
    across = np.array([along[2], 0, -along[0]]) / (along @ along)
    sim.load_node(len(nodes) - 1, moment * across)
    sim.load_node(len(nodes) - 2, -moment * across)


@pytest.mark.parametrize("hardening", [0.0, (0.05, 0.0), (0.0, 0.1)])
def test_bent_by_a_couple_and_let_go(hardening) -> None:
    """Springback M / EI, whatever the hardening; the curvature of a perfectly plastic circle."""
    sim = simulation(hardening=hardening)
    moment = FIRST * circle(2)
    for part in np.linspace(0.05, 1, 40):
        couple(sim, part * moment)
        sim.solve()
    couple(sim, moment)
    sim.solve()
    bent = np.abs(sim.permanent_set[:18, 0])
    if hardening == 0.0:
        assert bent == pytest.approx(2 * RATE - moment / EI, rel=0.06)
    else:
        assert (bent < 0.9 * (2 * RATE - moment / EI)).all()
    couple(sim, 0.0)
    sim.solve()
    np.testing.assert_allclose(np.abs(sim.permanent_set[:18, 0]), bent, rtol=1e-6)
    # Without load the rod has the set curvature: an arc.
    nodes = sim.positions
    turn = bent.mean() * LENGTH
    assert np.arctan2(*(nodes[-1] - nodes[-2])[[2, 0]]) == pytest.approx(-turn, rel=0.03)
    assert sim.potential_energy >= 0


@pytest.mark.parametrize(
    "material",
    [
        {"yield_stress": YIELD},
        {"yield_stress": YIELD, "hardening": [0.02, 0.1]},
        {"bend_elements": [0.3, 1, 0.3, 3], "twist_elements": [0.5, 2]},
        {"yield_stress": 1.6 * YIELD, "section": "box", "width": 0.9e-3, "height": 1.1e-3},
    ],
)
def test_plugin_and_core_agree_on_the_set(material) -> None:
    """One description, loaded slowly in three directions and let go: 1e-4 L, in fact 3e-5."""
    cable = strand.Cable(strand.straight(LENGTH, 16), young=YOUNG, poisson=POISSON, radius=RADIUS,
                         density=DENSITY, start="fixed", gravity=(0, 0, 0), loss_time=0.02,
                         timestep=1e-3, collide=False, **material)  # fmt: skip
    core = cable_network(cable)
    sim = core.simulation()
    model = mujoco.MjModel.from_xml_string(strand.generate(cable))
    data = mujoco.MjData(model)
    tip, scale = model.body("cable_link15").id, FIRST / LENGTH
    before = np.zeros(3)
    for after in scale * np.array([(0, 0, 1.4), (0, 0.9, 1.0), (0, -1.2, 0.3), (0, 0, 0)]):
        for part in np.linspace(0.025, 1, 40):
            sim.load_node(core.nodes[""][-1], before + part * (after - before))
            sim.solve()
        for k in range(2500):
            force = before + (after - before) * min(1, k / 2000)
            end = data.xpos[tip] + LENGTH / 16 * data.xmat[tip].reshape(3, 3)[:, 0]
            data.xfrc_applied[tip, :3] = force
            data.xfrc_applied[tip, 3:] = np.cross(end - data.xipos[tip], force)
            mujoco.mj_step(model, data)
        before = after
        one = strand.profile(model, data)
        nodes = sim.positions[core.nodes[""]]
        np.testing.assert_allclose(nodes, one.nodes, atol=1e-4 * LENGTH)
    assert np.abs(one.set_curvature).max() > 0.05
    assert abs(np.abs(sim.permanent_set[:, 0]).max() - np.abs(one.set_curvature[:, 0]).max()) < 1e-2


def test_energy_is_only_lost() -> None:
    """Thrown: what the rod loses is plastic work; the stepping makes no energy."""
    sim = simulation(12, density=20 * DENSITY)
    sim.dt = 2e-4
    velocities = np.zeros((13, 3))
    velocities[:, 2] = 3 * (sim.positions[:, 0] / LENGTH) ** 2
    sim.set_velocities(velocities)
    start = sim.kinetic_energy
    last = start
    for _ in range(100):
        for _ in range(5):
            sim.step()
        energy = sim.kinetic_energy + sim.potential_energy
        assert energy <= last + 1e-3 * start
        last = energy
    assert np.abs(sim.permanent_set).max() > 0.1
    assert sim.energy_made <= 1e-3 * start


def test_checkpoints_go_on_bitwise(tmp_path: Path) -> None:
    def pulled() -> Simulation:
        sim = simulation()
        sim.load_node(20, (0, 0, 1.5 * FIRST / LENGTH))
        return sim

    one = pulled()
    one.run(0.05)
    one.save(tmp_path / "state.npz")
    one.run(0.05)
    other = pulled()
    other.load(tmp_path / "state.npz")
    assert np.abs(other.permanent_set).max() > 0
    other.run(0.05)
    np.testing.assert_array_equal(one.positions, other.positions)
    np.testing.assert_array_equal(one.permanent_set, other.permanent_set)
    with pytest.raises(StrandError):
        simulation(yield_stress=2 * YIELD).load(tmp_path / "state.npz")


def test_clamps_and_joints_between_rods_yield_too() -> None:
    network, rod = wire(10)
    other = network.rod(
        np.add(strand.straight(LENGTH, 10), [LENGTH, 0, 0]),
        radius=RADIUS, young=YOUNG, poisson=POISSON, density=DENSITY, yield_stress=YIELD,
    )  # fmt: skip
    network.connect(rod, 10, other, 0)
    sim = Simulation(network, gravity=(0, 0, 0))
    for part in np.linspace(0.05, 1, 20):
        sim.load_node(20, (0, 0, 1.6 * part * FIRST / (2 * LENGTH)))
        sim.solve()
    yielded = np.abs(sim.permanent_set[:, 0])
    assert yielded.argmax() == network.core.joints - 1  # the clamp's, which is the last
    assert yielded[-1] > 0.5


@pytest.mark.parametrize(
    ("material", "text"),
    [
        ({"yield_stress": -1.0}, "yield_stress: got -1"),
        ({"hardening": -0.1}, "hardening: got"),
        ({"yield_stress": None, "hardening": 0.1}, "hardening: got it without yield_stress"),
        ({"second_moments": (1e-13, 1e-13)}, "yield_stress: got it together with second_moments"),
    ],
)
def test_invalid_materials_are_named(material, text: str) -> None:
    with pytest.raises(StrandError, match=text):
        simulation(**material)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"curvature": "smooth"}, "curvature: got 'smooth'"),
        ({"average": "curvatures"}, "curvature: got 'averaged curvatures'"),
        ({"twist": False}, "twist: got False"),
    ],
)
def test_options_that_do_not_fit_are_named(options, text: str) -> None:
    with pytest.raises(StrandError, match=text):
        Simulation(wire()[0], **options)
