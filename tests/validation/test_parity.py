"""Plugin compared with core: the same cable in MuJoCo and in the implicit core.

Links of a chain are rigid while edges of the core stretch: EA is raised, and the density lowered to
keep the mass, until EA / T is above 1e7.
"""

import mujoco
import numpy as np
import pytest

import strand
from strand.simulation import Network, Simulation
from strand_studies import relax

pytestmark = pytest.mark.slow

LENGTH, LINKS = 1.0, 40
YOUNG, RADIUS, DENSITY = 2e7, 0.005, 1000.0
STIFFER = 1e5  # times pi r^2 E = 1571 N; the cable weighs .77 N
GRAVITY = 9.81


def core_of(nodes: np.ndarray, clamps: tuple[str, ...], **options):
    area = np.pi * RADIUS**2
    network = Network()
    rod = network.rod(
        nodes, young=YOUNG, radius=RADIUS, density=DENSITY / STIFFER, area=area * STIFFER
    )
    for end in clamps:
        network.clamp(rod, end)
    simulation = Simulation(network, gravity=(0, 0, -GRAVITY), **options)
    for end in clamps:
        simulation.fix_node(rod.nodes[0 if end == "start" else -1])
    return simulation, rod


def plugin_of(nodes: np.ndarray, **ends):
    material = {"young": YOUNG, "poisson": 0.5, "radius": RADIUS, "density": DENSITY}
    cable = strand.Cable(nodes, curvature="angle", **material, **ends)
    model = mujoco.MjModel.from_xml_string(strand.generate(cable))
    return model, mujoco.MjData(model)


def plugin_nodes(data: mujoco.MjData) -> np.ndarray:
    return np.array([data.site(f"cable_node{k}").xpos for k in range(LINKS + 1)])


@pytest.mark.parametrize("case", ["cantilever", "tilted", "arc"])
def test_equilibrium_shapes_agree(case):
    shape = {
        "cantilever": strand.straight(LENGTH, LINKS),
        "tilted": strand.straight(LENGTH, LINKS) @ rotation(0.7).T,
        "arc": strand.arc(LENGTH, 1.5, LINKS) @ rotation(0.4).T,
    }[case]
    model, data = plugin_of(shape, start="fixed", damping_ratio=0.4)
    relax.settle(model, data, steps=200, at_rest=1e-7)
    simulation, rod = core_of(shape, ("start",), tolerance=1e-9)
    simulation.solve()
    apart = np.abs(simulation.positions[rod.nodes] - plugin_nodes(data)).max()
    assert apart < 1e-5 * LENGTH
    assert np.ptp(plugin_nodes(data) - shape, axis=0).max() > 0.1  # it sags


def rotation(angle: float) -> np.ndarray:
    """Rotation about y."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])


def crossings(times: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Times at which the values pass zero, by linear interpolation."""
    at = np.nonzero(values[:-1] * values[1:] < 0)[0]
    part = values[at] / (values[at] - values[at + 1])
    return times[at] + part * (times[at + 1] - times[at])


def test_swinging_periods_agree():
    """A cable on a ball joint, released 0.3 rad from the vertical: two periods of its tip."""
    nodes = strand.straight(LENGTH, LINKS) @ rotation(np.pi / 2 - 0.3).T
    model, data = plugin_of(nodes, start="ball", damping_ratio=0.0)
    model.opt.timestep = 2e-4
    times, tips = [], []
    for _ in range(2000):
        mujoco.mj_step(model, data, 10)
        times.append(data.time)
        tips.append(data.site(f"cable_node{LINKS}").xpos[0])
    simulation, rod = core_of(nodes, (), dt=2e-3)
    simulation.fix_node(rod.nodes[0])
    core_times, core_tips = [], []

    def note(state):
        core_times.append(state.time)
        core_tips.append(state.positions[rod.nodes[-1]][0])

    simulation.run(4.0, each=note)
    plugin = crossings(np.array(times), np.array(tips))[:5]
    core = crossings(np.array(core_times), np.array(core_tips))[:5]
    assert len(plugin) == len(core) == 5
    for half in (2, 4):  # the first and the second period, counted from the first crossing
        assert core[half] - core[0] == pytest.approx(plugin[half] - plugin[0], rel=5e-3)
