"""What is held lets go: nodes, guides, spins, bodies and clamps, driven or fixed."""

import numpy as np
import pytest

import strand
from strand import StrandError
from strand.simulation import Network, Rod, Simulation, bodies

G, SPEED = 9.81, 0.5  # m/s^2, m/s


def rope(**options) -> Simulation:
    network = Network()
    network.rod(strand.straight(1.0, 20), young=1e7, radius=0.005, density=1000)
    return Simulation(network, **{"dt": 2e-3} | options)


def centre_speed(simulation: Simulation) -> np.ndarray:
    weights = np.r_[0.5, np.ones(19), 0.5] / 20
    return weights @ simulation.velocities


def up(time: float) -> tuple[float, float, float]:
    return 0.0, 0.0, SPEED * time


def test_a_hand_that_lets_go_leaves_the_rope_its_momentum() -> None:
    simulation = rope()
    simulation.move_node(0, up)
    simulation.run(0.3)
    simulation.release_node(0)
    assert simulation.velocities[0] == pytest.approx([0, 0, SPEED], abs=1e-9)
    before = centre_speed(simulation)
    simulation.run(0.2)
    np.testing.assert_allclose(centre_speed(simulation) - before, [0, 0, -G * 0.2], atol=1e-6)
    assert not simulation.reactions.any()


@pytest.mark.parametrize("axes", ["z", "xz", "xyz"])
def test_a_driven_node_stops_along_the_axes_that_are_fixed(axes: str) -> None:
    simulation = rope()
    simulation.move_node(0, lambda t: (0.1 * t, 0.2 * t, 0.3 * t))
    simulation.run(0.1)
    stopped, start = simulation.positions[0], simulation.time
    simulation.fix_node(0, axes)
    simulation.run(0.1)
    speed = np.where([axis in axes for axis in "xyz"], 0, [0.1, 0.2, 0.3])
    expected = stopped + speed * (simulation.time - start)
    np.testing.assert_allclose(simulation.positions[0], expected, atol=1e-12)


def test_a_node_follows_the_path_that_it_was_given_last() -> None:
    simulation = rope()
    simulation.move_node([0, 20], up)
    simulation.run(0.1)
    simulation.move_node(20, lambda t: (0, 0, SPEED * (0.1 - t)))
    simulation.run(0.1)
    ends = simulation.positions[[0, 20], 2]
    np.testing.assert_allclose(ends, [SPEED * 0.2, SPEED * (0.1 - 0.1)], atol=1e-9)


@pytest.mark.parametrize("along", [(1, 0, 0), (1, 0, 1)], ids=["axis", "inclined"])
def test_a_node_leaves_its_guide(along: tuple[float, float, float]) -> None:
    simulation = rope()
    (guide,) = simulation.slide_node(0, along=along)
    simulation.run(0.2)
    assert np.linalg.norm(guide.force) > 0.01
    simulation.release_node(0)
    before = centre_speed(simulation)
    simulation.run(0.1)
    np.testing.assert_allclose(centre_speed(simulation) - before, [0, 0, -G * 0.1], atol=1e-6)
    assert not guide.force.any() and not simulation.reactions.any()


@pytest.mark.parametrize("along", [(1, 0, 0), (1, 0, 1)], ids=["axis", "inclined"])
def test_a_node_that_cannot_move_does_not_slide(along: tuple[float, float, float]) -> None:
    simulation = rope()
    simulation.fix_node(0)
    with pytest.raises(StrandError, match=r"node: got '0', which is fixed or driven.*release_node"):
        simulation.slide_node(0, along=along)


def test_a_release_in_a_plane_stays_in_it() -> None:
    simulation = rope(plane="xz", gravity=(0, 1, -1))
    simulation.fix_node(0)
    simulation.run(0.01)
    simulation.release_node(0)
    simulation.run(0.1)
    np.testing.assert_allclose(simulation.positions[:, 1], 0, atol=0)
    assert simulation.positions[0, 2] < -1e-3


def test_a_spin_that_is_let_go_turns_on() -> None:
    simulation = rope(gravity=(0, 0, 0))
    simulation.fix_node([0, 1])
    simulation.turn_edge(0, lambda t: 3.0 * t)
    simulation.run(1.0)
    simulation.release_spin(0)
    shares = np.ones(20) / 20
    before, speed = (
        shares @ simulation.angles,
        shares @ simulation.core.velocity[simulation.spin_dofs(range(20))],
    )
    simulation.run(0.2)
    assert shares @ simulation.angles - before == pytest.approx(0.2 * speed, rel=1e-3)
    simulation.fix_spin(0)
    stopped = simulation.angles[0]
    simulation.run(0.2)
    assert simulation.angles[0] == stopped


def test_a_carried_box_is_thrown() -> None:
    network = Network()
    box = network.body(bodies.box((0.1, 0.2, 0.3)), density=500)
    simulation = Simulation(network, dt=2e-3)
    simulation.move_body(box, lambda t: ((0.4 * t, 0, 0), (0, 0, 2.0 * t)))
    simulation.run(0.2)
    simulation.release_body(box)
    simulation.run(0.1)
    velocity, spin = simulation.body_velocity(box)
    np.testing.assert_allclose(velocity, [0.4, 0, -G * 0.1], atol=1e-6)
    np.testing.assert_allclose(spin, [0, 0, 2], atol=2e-3)
    simulation.fix_body(box)
    caught, _ = simulation.pose(box)
    simulation.run(0.1)
    np.testing.assert_allclose(simulation.pose(box)[0], caught, atol=0)


def clamped_rod() -> tuple[Simulation, Rod]:
    network = Network()
    rod = network.rod(strand.straight(1.0, 20), young=1e7, radius=0.01, density=1000)
    network.clamp(rod, "start")
    network.clamp(rod, "end")
    return Simulation(network, dt=2e-3), rod


def test_a_clamp_lets_go_of_position_direction_and_twist() -> None:
    simulation, rod = clamped_rod()
    simulation.turn_clamp(rod, "end", lambda t: (3.0 * t, 0, 0))
    simulation.run(0.2)
    simulation.release_clamp(rod, "end")
    simulation.solve()
    assert abs(simulation.twist).max() < 1e-6
    tip = simulation.positions[20]
    assert tip[2] < -0.4 and simulation.clamp_moments[20] == pytest.approx([0, 0, 0])
    alone = Network()
    cantilever = alone.rod(strand.straight(1.0, 20), young=1e7, radius=0.01, density=1000)
    alone.clamp(cantilever, "start")
    expected = Simulation(alone)
    expected.solve()
    np.testing.assert_allclose(simulation.positions, expected.positions, atol=1e-5)
    simulation.release_clamp(rod, "start")
    simulation.fix_node(0)
    simulation.solve()
    np.testing.assert_allclose(simulation.positions[20], [0, 0, -1], atol=1e-3)


def test_a_rod_falls_from_its_clamps() -> None:
    simulation, rod = clamped_rod()
    simulation.move_node(0, up)
    simulation.run(0.1)
    before = centre_speed(simulation)
    simulation.release_clamp(rod, "start")
    simulation.release_clamp(rod, "end")
    simulation.run(0.2)
    np.testing.assert_allclose(centre_speed(simulation) - before, [0, 0, -G * 0.2], atol=1e-6)
    with pytest.raises(StrandError, match=r"end: got 'end' of rod 0, allowed"):
        simulation.release_clamp(rod, "end")


SHAPES = {
    "straight": strand.straight(1.0, 20),
    "arc": strand.arc(0.3, 2.0, 20),
    "helix": strand.helix(0.1, 0.05, 1.5, 20),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("options", [{}, {"method": "backward_euler"}, {"curvature": "tangent"}])
def test_a_released_rod_moves_as_one_that_was_never_clamped(shape: str, options: dict) -> None:
    moved = []
    for clamped in (True, False):
        network = Network()
        rod = network.rod(SHAPES[shape], young=1e8, radius=0.005, density=1000)
        for end in ("start", "end") if clamped else ():
            network.clamp(rod, end)
        simulation = Simulation(network, dt=2e-3, **options)
        for end in ("start", "end") if clamped else ():
            simulation.release_clamp(rod, end)
        simulation.fix_node(0)
        simulation.load_node(20, (0, 0.05, 0))
        simulation.run(0.4)
        moved.append(simulation.positions - SHAPES[shape])
    assert abs(moved[1]).max() > 0.3
    np.testing.assert_allclose(moved[0], moved[1], atol=1e-7)


def test_a_sliding_clamp_lets_go() -> None:
    simulation, rod = clamped_rod()
    simulation.slide_node(20, along=(1, 0, 0))
    simulation.run(0.1)
    simulation.release_clamp(rod, "end")
    simulation.solve()
    assert simulation.positions[20, 2] < -0.4


def test_explicit_methods_keep_their_clamps() -> None:
    network = Network()
    rod = network.rod(strand.straight(1.0, 20), young=1e5, radius=0.01, density=1000)
    network.clamp(rod, "start")
    simulation = Simulation(network, dt=1e-4, method="verlet")
    with pytest.raises(StrandError, match=r"method: got 'verlet'"):
        simulation.release_clamp(rod, "start")


@pytest.mark.parametrize("axes", ["z", "xyz"])
@pytest.mark.parametrize("runs", [False, True])
def test_a_clamp_is_released_along_some_axes(axes: str, runs: bool) -> None:
    simulation, _ = clamped_rod()
    if runs:
        simulation.step()
    simulation.release_node(20, axes)
    held = [simulation.core.locked[simulation.node_dofs(20, axis)].all() for axis in "xyz"]
    assert held == [axis not in axes for axis in "xyz"]


@pytest.mark.parametrize("runs", [False, True])
def test_a_clamp_slides_before_and_after_its_first_step(runs: bool) -> None:
    simulation, _ = clamped_rod()
    if runs:
        simulation.step()
    simulation.slide_node(20, across=(1, 0, 0))
    simulation.run(0.05)
    assert simulation.positions[20, 2] < -1e-3
    assert simulation.positions[20, 0] == 1
