"""Point masses at nodes weigh, unless they are inertia alone."""

import numpy as np
import pytest

from strand import StrandError, straight
from strand.simulation import Network, Rod, Simulation, bodies

MASS, G = 0.3, 9.81  #: kg, m/s^2


def hanging(**options) -> tuple[Simulation, Rod]:
    """A light rope of 1 m that hangs from its first node, with a mass at its end."""
    network = Network()
    nodes = np.linspace((0, 0, 0), (0, 0, -1), 21)
    rod = network.rod(nodes, radius=2e-3, EI=1e-4, GJ=1e-4, EA=1e5, mass_per_length=1e-3)
    simulation = Simulation(network)
    simulation.fix_node(rod.nodes[0])
    simulation.add_mass(rod.nodes[-1], MASS, **options)
    return simulation, rod


@pytest.mark.parametrize(("options", "weighs"), [({}, True), ({"weight": False}, False)])
def test_the_support_carries_its_weight(options: dict, weighs: bool) -> None:
    simulation, rod = hanging(**options)
    simulation.solve()
    carried = 1e-3 + (MASS if weighs else 0)
    assert simulation.reactions[rod.nodes[0]][2] == pytest.approx(carried * G, rel=1e-6)


def test_its_weight_follows_gravity_and_adds_to_loads() -> None:
    simulation, rod = hanging()
    simulation.set_gravity((0, 0, -2.0))
    simulation.load_node(rod.nodes[-1], (0, 0, -1.0))
    simulation.solve()
    carried = (1e-3 + MASS) * 2.0 + 1.0
    assert simulation.reactions[rod.nodes[0]][2] == pytest.approx(carried, rel=1e-6)


def test_it_falls_as_the_rest_does() -> None:
    network = Network()
    rod = network.rod(straight(0.5, 10), radius=2e-3, young=1e8, density=1000.0)
    simulation = Simulation(network, dt=1e-3)
    simulation.add_mass(rod.nodes[3], MASS)
    simulation.run(0.1)
    assert np.ptp(simulation.positions[:, 2]) < 1e-9


@pytest.mark.parametrize(("share", "slips"), [(0.95, False), (1.1, True)])
def test_masses_over_a_bar_slip_beyond_the_capstan_ratio(share: float, slips: bool) -> None:
    """A rope over a fixed bar carries exp(mu pi) times the smaller mass at its other end."""
    friction, bar, radius, around = 0.3, 0.05, 4e-3, 25
    reach = bar + radius
    network = Network()
    fixed = network.body(bodies.capsule(bar, 0.2), mass=1.0, rotation=(np.pi / 2, 0, 0))
    link = np.pi * reach / (around - 1)
    down = link * np.arange(1, 30)
    angles = np.linspace(0, np.pi, around)
    x = [*np.full(29, -reach), *(-reach * np.cos(angles)), *np.full(29, reach)]
    z = [*-down[::-1], *(reach * np.sin(angles)), *-down]
    nodes = np.column_stack([x, np.zeros(len(x)), z])
    material = {"EI": 1e-5, "GJ": 1e-5, "EA": 1e3, "mass_per_length": 1e-3}
    rod = network.rod(nodes, radius=radius, material_damping=0.02, **material)
    simulation = Simulation(network, dt=2e-3)
    simulation.fix_body(fixed)
    simulation.add_contact(friction=friction)
    for end in (0, -1):
        simulation.add_mass(rod.nodes[end], 0.1)
    more = 0.1 * G * (share * np.exp(friction * np.pi) - 1)
    for step in range(800):  # slowly, so that the rope does not bounce
        simulation.load_node(rod.nodes[-1], (0, 0, -more * min(1.0, step / 700)))
        simulation.step()
    assert (simulation.positions[rod.nodes[-1], 2] - z[-1] < -0.01) == slips


def test_bad_values_are_rejected() -> None:
    simulation, rod = hanging()
    beyond = rod.nodes[-1] + 1
    for node, mass, of in ((beyond, 1.0, "node"), (0, -1.0, "mass"), (0, np.inf, "mass")):
        with pytest.raises(StrandError, match=f"{of}: got"):
            simulation.add_mass(node, mass)
    simulation.solve()
    assert simulation.reactions[rod.nodes[0]][2] == pytest.approx((1e-3 + MASS) * G, rel=1e-6)
