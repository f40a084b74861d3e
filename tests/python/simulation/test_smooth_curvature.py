"""Terms of higher order in the core: accuracy, agreement with MuJoCo's chains, refusals."""

import numpy as np
import pytest
from support import cables
from support.engine import needs_discrete

import strand
from strand import StrandError
from strand.simulation import Network, Simulation, cable_network

EI, GJ, LENGTH = 0.02, 0.015, 0.5
ROD = {"EI": EI, "GJ": GJ, "radius": 0.004, "density": 1100.0, "collide": False, "loss_time": 0.3}


def cable(links: int, **fields) -> strand.Cable:
    return strand.Cable(strand.straight(LENGTH, links), **(ROD | {"curvature": "smooth"} | fields))


def tip(described: strand.Cable, **options) -> np.ndarray:
    """The last node at rest in the core."""
    built = cable_network(described)
    simulation = built.simulation(**options)
    simulation.solve()
    return simulation.positions[built.nodes[""][-1]]


def test_a_quarter_of_the_error_of_each_joint_alone() -> None:
    exact = tip(cable(320, start="fixed"))
    for links in (10, 20, 40):
        plain, smooth = (
            np.linalg.norm(tip(cable(links, start="fixed", curvature=c)) - exact)
            for c in ("angle", "smooth")
        )
        assert smooth < 0.5 * plain


@needs_discrete
@pytest.mark.parametrize("curvature", ("smooth4", "smooth"))
def test_the_chain_in_mujoco_comes_to_rest_in_the_same_shape(curvature: str) -> None:
    described = cable(20, start="fixed", curvature=curvature)
    model, data = cables.load(described)
    cables.settle(model, data, seconds=60, speed=1e-6)
    chain = data.site("cable_site_end").xpos
    assert tip(described) == pytest.approx(chain, abs=1e-4 * LENGTH)  # the core's edges stretch
    other = tip(described, curvature="angle")
    assert np.linalg.norm(other - chain) > 5e-4 * LENGTH


def test_a_thrown_ring_keeps_momentum_and_energy() -> None:
    network = Network()
    nodes = strand.ring(0.2, 24)[:-1]
    network.rod(nodes, young=1e7, poisson=0.4, density=1000.0, radius=0.004, closed=True)
    options = {"gravity": (0, 0, 0), "rest_straight": True, "curvature": "smooth"}
    simulation = Simulation(network, dt=1e-3, **options)
    velocities = np.zeros_like(simulation.positions)
    velocities[:6, 2] = 0.5
    simulation.set_velocities(velocities)
    energy = simulation.kinetic_energy + simulation.potential_energy
    momentum = simulation.velocities.sum(axis=0)
    simulation.run(0.3)
    assert simulation.velocities.sum(axis=0) == pytest.approx(momentum, abs=1e-6)
    assert 0.98 < (simulation.kinetic_energy + simulation.potential_energy) / energy < 1.0001


def test_what_is_not_straight_and_round_is_refused() -> None:
    bow = strand.Cable(strand.arc(LENGTH, 1.0, 12), **ROD, curvature="smooth")
    with pytest.raises(StrandError, match="curvature: got 'smooth', allowed: angle or tangent"):
        cable_network(bow).simulation()
    strip = ROD | {"EI": (0.02, 0.03), "section": "box", "width": 0.01, "height": 0.008}
    flat = strand.Cable(strand.straight(LENGTH, 12), **strip, curvature="smooth")
    with pytest.raises(StrandError, match="curvature: got 'smooth', allowed: angle or tangent"):
        cable_network(flat).simulation()
    simulation = cable_network(cable(12)).simulation()
    with pytest.raises(StrandError, match=r"curvature: got 'smooth'.*natural curvatures"):
        simulation.set_natural_curvature([0], (0.1, 0))
