"""Contact of rigid bodies: closed forms on floors and inclines, and conserved quantities."""

import numpy as np
import pytest
from support.checkpoints import assert_continues_bitwise

from strand import meshes
from strand.errors import StrandError
from strand.simulation import Network, Simulation, bodies, obstacles

G = 9.81
STILL = (0.0, 0.0, 0.0)


def sloped(angle):
    """Gravity in the frame of an incline that descends along x."""
    return (G * np.sin(angle), 0.0, -G * np.cos(angle))


def lying(shape, height, mass=2.0, gravity=(0, 0, -G), friction=0.5, dt=2e-3, rotation=STILL):
    network = Network()
    body = network.body(shape, mass=mass, position=(0, 0, height), rotation=rotation)
    sim = Simulation(network, dt=dt, gravity=gravity)
    return sim, body, sim.add_floor(friction=friction)


def momentum(sim):
    """Momentum of all nodes (kg m/s)."""
    mass = sim.core.mass[sim.node_dofs(range(len(sim.positions)), "x")]
    return mass @ sim.velocities


def test_a_box_at_rest_is_supported():
    sim, box, floor = lying(bodies.box((0.1, 0.2, 0.1)), 0.0501)
    sim.run(1.0)
    assert floor.normal_force == pytest.approx(2 * G, rel=1e-6)
    assert floor.contacts == 4
    centre, rotation = sim.pose(box)
    assert centre == pytest.approx([0, 0, 0.05], abs=1e-4)
    assert np.abs(rotation - np.eye(3)).max() < 1e-6


def test_a_box_slides_down_an_incline_and_sticks_on_a_rougher_one():
    angle = np.radians(30)
    sim, box, _ = lying(bodies.box((0.2, 0.2, 0.1)), 0.0501, gravity=sloped(angle), friction=0.3)
    sim.run(0.2)
    before = sim.body_velocity(box)[0][0]
    sim.run(0.5)
    pull = (sim.body_velocity(box)[0][0] - before) / 0.5
    assert pull == pytest.approx(G * (np.sin(angle) - 0.3 * np.cos(angle)), rel=1e-6)
    sim, box, floor = lying(
        bodies.box((0.2, 0.2, 0.1)), 0.0501, gravity=sloped(angle), friction=0.6
    )
    sim.run(0.5)
    assert abs(sim.body_velocity(box)[0][0]) < 1e-4
    assert floor.friction_force == pytest.approx(2 * G * np.sin(angle), rel=1e-2)


@pytest.mark.parametrize(
    ("shape", "rotation", "about"),
    [
        (bodies.sphere(0.05), STILL, 2 / 5),
        (bodies.capsule(0.05, 0.2), (np.pi / 2, 0, 0), None),
    ],
)
def test_round_bodies_roll_down_an_incline(shape, rotation, about):
    angle = np.radians(20)
    about = shape.gyration[2] / 0.05**2 if about is None else about
    sim, body, _ = lying(
        shape, 0.0501, gravity=sloped(angle), friction=0.6, dt=5e-4, rotation=rotation
    )
    sim.run(0.1)
    before = sim.body_velocity(body)[0][0]
    sim.run(0.3)
    velocity, spin = sim.body_velocity(body)
    assert (velocity[0] - before) / 0.3 == pytest.approx(G * np.sin(angle) / (1 + about), rel=2e-4)
    assert velocity[0] == pytest.approx(0.05 * spin[1], rel=2e-4)


def test_a_ball_slides_before_it_rolls():
    """Thrown without spin, it rolls after losing 2/7 of its speed, at the time 2 v / (7 mu g)."""
    sim, ball, _ = lying(bodies.sphere(0.05), 0.0501, friction=0.2, dt=5e-4)
    sim.set_body_velocity(ball, (1.0, 0, 0))
    slides = 2 / (7 * 0.2 * G)
    sim.run(slides / 2)
    assert sim.body_velocity(ball)[0][0] == pytest.approx(1 - 0.2 * G * sim.time, abs=5e-3)
    sim.run(slides)
    velocity, spin = sim.body_velocity(ball)
    assert velocity[0] == pytest.approx(5 / 7, rel=5e-3)
    assert velocity[0] == pytest.approx(0.05 * spin[1], rel=1e-3)


@pytest.mark.parametrize(
    "support",
    [
        obstacles.box((0, 0, -0.1), (0.3, 0.3, 0.1)),
        obstacles.cylinder((0, 0, -0.2), (0, 0, 0), 0.3),
        obstacles.capsule((-1, 0, -2), (1, 0, -2), 2.0),
    ],
)
def test_solids_support_a_box(support):
    network = Network()
    box = network.body(
        bodies.box((0.1, 0.2, 0.1)), mass=2.0, position=(0, 0, 0.0502), rotation=(0, 0, 0.3)
    )
    sim = Simulation(network, dt=2e-3)
    table = sim.add_obstacles([support], friction=0.5)
    sim.run(1.0)
    assert table.normal_force == pytest.approx(2 * G, rel=1e-3)
    assert sim.pose(box)[0] == pytest.approx([0, 0, 0.05], abs=1e-3)


def test_a_lift_raises_the_body_on_it():
    network = Network()
    box = network.body(bodies.box((0.1, 0.1, 0.1)), mass=2.0, position=(0, 0, 0.0501))
    sim = Simulation(network, dt=2e-3)
    floor = obstacles.plane((0, 0, 0), (0, 0, 1))
    floor.move(lambda t: (0.2 * t**2, 0, 0.3 * t))
    sim.add_obstacles([floor], friction=0.5)
    sim.run(0.5)
    assert sim.pose(box)[0] == pytest.approx([0.05, 0, 0.2], abs=1e-3)


def dropped(method, friction):
    """A rod that hits a ball, both free and without gravity."""
    network = Network()
    ball = network.body(bodies.sphere(0.05), mass=0.5)
    rod = network.rod(
        np.linspace((-0.3, 0.01, 0.06), (0.3, 0.01, 0.06), 16), young=1e7, radius=5e-3, density=1200
    )
    sim = Simulation(network, dt=1e-3, gravity=STILL, method=method)
    sim.add_contact(friction=friction)
    velocities = np.zeros_like(sim.positions)
    velocities[rod.nodes] = (0, 0.2, -1)
    sim.set_velocities(velocities)
    return sim, ball, rod


@pytest.mark.parametrize("friction", [0.0, 0.3])
def test_a_rod_and_a_free_ball_conserve_momentum_and_gain_no_energy(friction):
    sim, ball, _ = dropped("backward_euler", friction)
    whole = momentum(sim)
    energy = [sim.kinetic_energy + sim.potential_energy]
    for _ in range(100):
        sim.step()
        energy.append(sim.kinetic_energy + sim.potential_energy)
    assert momentum(sim) == pytest.approx(whole, abs=1e-8 * np.linalg.norm(whole))
    assert np.diff(energy).max() < 1e-8 * energy[0]
    velocity, spin = sim.body_velocity(ball)
    assert velocity[2] < -0.05  # the ball has been hit
    assert (abs(spin[0]) > 0.1) == (friction > 0)


def test_a_run_continues_bitwise_from_its_checkpoint(tmp_path):
    def struck():
        sim, _, _ = dropped("bdf2", 0.3)
        sim.add_floor(-0.0505, friction=0.4)
        return sim

    whole, _ = assert_continues_bitwise(struck, tmp_path, duration=0.06)
    assert whole.contacts[1].contacts > 0


def test_a_net_supports_a_box():
    """The reactions at the net's rim sum to the whole weight."""
    network = Network()
    count, half = 5, 0.15
    lines = np.linspace(-half, half, count)
    along = np.linspace(-half, half, 2 * count - 1)
    made = []
    for turned in (False, True):
        for line in lines:
            nodes = np.column_stack([along, np.full(len(along), line), np.zeros(len(along))])
            nodes = nodes[:, [1, 0, 2]] if turned else nodes
            made.append(network.rod(nodes, young=1e8, radius=2e-3, density=1200))
    for i in range(count):
        for j in range(count):
            network.connect(made[i], 2 * j, made[count + j], 2 * i)
    box = network.body(bodies.box((0.1, 0.1, 0.1)), mass=0.5, position=(0, 0, 0.0525))
    sim = Simulation(network, dt=5e-3, method="backward_euler")
    rim = sorted({rod.nodes[end] for rod in made for end in (0, -1)})
    for node in rim:
        sim.fix_node(node)
    sim.add_contact(friction=0.3)
    sim.run(3.0)
    weight = G * sim.core.mass[sim.node_dofs(range(len(sim.positions)), "x")].sum()
    assert sim.reactions[rim, 2].sum() == pytest.approx(weight, rel=1e-5)
    assert sim.contacts[-1].normal_force == pytest.approx(0.5 * G, rel=2e-2)  # the net is not flat
    assert np.abs(sim.pose(box)[0][:2]).max() < 1e-5


def test_a_sheet_supports_a_ball():
    network = Network()
    n = 7
    x = np.linspace(-0.1, 0.1, n)
    vertices = np.array([(a, b, 0.0) for a in x for b in x])
    triangles = []
    for i in range(n - 1):
        for j in range(n - 1):
            a = i * n + j
            triangles += [(a, a + n, a + n + 1), (a, a + n + 1, a + 1)]
    sheet = network.shell(vertices, triangles, young=1e6, poisson=0.3, thickness=2e-3, density=1000)
    network.body(bodies.sphere(0.03), mass=0.1, position=(0.004, 0.003, 0.0312))
    sim = Simulation(network, dt=1e-2, method="backward_euler")
    rim = [k for k, (a, b, _) in enumerate(vertices) if max(abs(a), abs(b)) > 0.0999]
    for node in rim:
        sim.fix_node(sheet.nodes[node])
    sim.add_contact(friction=0.3)
    sim.run(4.0)
    weight = G * sim.core.mass[sim.node_dofs(range(len(sim.positions)), "x")].sum()
    held = [sheet.nodes[node] for node in rim]
    assert sim.reactions[held, 2].sum() == pytest.approx(weight, rel=1e-4)
    assert sim.contacts[-1].gap > -2e-4


def test_boxes_stack():
    network = Network()
    stack = [
        network.body(
            bodies.box((0.1, 0.1, 0.1)),
            mass=1.0,
            position=(0.003 * k, 0, 0.0502 + 0.1004 * k),
            rotation=(0, 0, 0.2 * k),
        )
        for k in range(3)
    ]
    sim = Simulation(network, dt=2e-3)
    floor = sim.add_floor(friction=0.5)
    between = sim.add_contact(friction=0.5)
    sim.run(0.5)
    assert floor.normal_force == pytest.approx(3 * G, rel=2e-2)
    assert between.normal_force == pytest.approx(3 * G, rel=2e-2)  # of one box, and of two
    for k, box in enumerate(stack):
        assert sim.pose(box)[0] == pytest.approx([0.003 * k, 0, 0.05 + 0.1 * k], abs=1e-3)


def test_billiards():
    """A ball that hits an equal one centrally stops, and the other continues."""
    network = Network()
    cue = network.body(bodies.sphere(0.03), mass=0.2, position=(-0.1, 0, 0))
    target = network.body(bodies.sphere(0.03), mass=0.2)
    sim = Simulation(network, dt=1e-4, gravity=STILL, method="midpoint")
    sim.add_contact()
    sim.set_body_velocity(cue, (1, 0, 0))
    sim.run(0.1)
    assert sim.body_velocity(cue)[0] == pytest.approx([0, 0, 0], abs=2e-2)
    assert sim.body_velocity(target)[0] == pytest.approx([1, 0, 0], abs=2e-2)


BAR, BALL = bodies.capsule(0.02, 0.2), bodies.sphere(0.02)


@pytest.mark.parametrize(
    ("shape", "speed", "dt"),
    [(BAR, 50.0, 5e-3), (BAR, 50.0, 2e-3), (BAR, 100.0, 1e-2), (BALL, 50.0, 1e-3)],
)
def test_fast_bodies_do_not_pass_through_rods(shape, speed, dt):
    """A bar across the rod, and a ball, which is balanced on it: in longer steps it may slide off
    to a side."""
    network = Network()
    across = (np.pi / 2, 0, 0)
    body = network.body(shape, mass=0.05, position=(0, 0, 0.1), rotation=across)
    rod = network.rod(
        np.linspace((-0.2, 0, 0), (0.2, 0, 0), 21), young=1e8, radius=2e-3, density=1200
    )
    sim = Simulation(network, dt=dt, gravity=STILL)
    for end in (0, -1):
        sim.fix_node(rod.nodes[end])
    sim.add_contact()
    sim.set_body_velocity(body, (0, 0, -speed))
    for _ in range(round(0.02 / dt)):
        sim.step()
        assert sim.pose(body)[0][2] > sim.positions[rod.nodes[10]][2]


def test_unsupported_pairs_are_rejected():
    network = Network()
    network.body(bodies.cylinder(0.1, 0.2), mass=1.0, position=(0, 0, 1))
    sim = Simulation(network)
    with pytest.raises(StrandError, match="body 0: got 'a cylinder'"):
        sim.add_floor()
    network = Network()
    for height in (0, 1):
        network.body(bodies.cylinder(0.1, 0.2), mass=1.0, position=(0, 0, height))
    with pytest.raises(StrandError, match="body 1: got 'a cylinder beside body 0"):
        Simulation(network).add_contact()
    network = Network()
    network.body(bodies.cylinder(0.1, 0.2), mass=1.0, position=(0, 0, 1))
    network.obstacle_mesh(*meshes.strip(length=1.0, width=1.0, size=0.5))
    with pytest.raises(StrandError, match="body 0: got 'a cylinder beside an obstacle mesh'"):
        Simulation(network).add_contact()


def test_initial_overlap_is_rejected():
    network = Network()
    network.body(bodies.sphere(0.1), mass=1.0, position=(0, 0, -0.05))
    with pytest.raises(StrandError, match="positions: got 'body 0 at"):
        Simulation(network).add_floor()
    with pytest.raises(StrandError, match="rounding"):
        bodies.box((0.1, 0.2, 0.3), rounding=0.05)


def test_a_driven_body_pushes_a_rod_however_fast():
    """The body moves ten times the rod's radius in each step, then carries the rod up."""
    network = Network()
    hand = network.body(bodies.box((0.1, 0.1, 0.04)), mass=1.0, position=(0, 0, -0.0221))
    rod = network.rod(
        np.linspace((-0.03, 0, 0.0002), (0.03, 0, 0.0002), 4), young=1e7, radius=2e-3, density=1000
    )
    sim = Simulation(network, dt=1e-2)
    sim.add_contact(friction=0.5)
    sim.move_body(hand, lambda t: ((0, 0, 2 * t), (0, 0, 0)))
    report = sim.run(0.2)
    assert sim.positions[rod.nodes, 2].min() > 0.4
    assert report.steps <= 40


def test_two_hands_lift_a_box_by_friction():
    """The hands start with a jump of velocity. Their work is the energy that the box gains."""
    network = Network()
    box = network.body(bodies.box((0.05, 0.05, 0.05)), mass=0.2, position=(0, 0, 0.0252))
    hands = [
        network.body(bodies.box((0.02, 0.05, 0.05)), mass=1.0, position=(0.0402 * side, 0, 0.04))
        for side in (-1, 1)
    ]
    sim = Simulation(network, dt=2e-3)
    sim.add_floor(friction=0.5)
    sim.add_contact(friction=0.6, stiffness=5e4)
    for side, hand in zip((-1, 1), hands, strict=True):
        sim.move_body(
            hand,
            lambda t, side=side: (
                (-side * 0.0053 * min(t / 0.2, 1), 0, 0.3 * max(0, t - 0.3)),
                STILL,
            ),
        )
    sim.run(0.3)
    made = sim.energy_made
    sim.run(0.4)
    assert sim.pose(box)[0] == pytest.approx([0, 0, 0.025 + 0.12], abs=2e-3)
    assert sim.body_velocity(box)[0] == pytest.approx([0, 0, 0.3], abs=1e-3)
    # Only the jump loses energy, m v^2 / 2 (to friction and damping); the lift loses none.
    assert -0.03 < sim.energy_made - made < 1e-6


@pytest.mark.parametrize("restitution", [0.3, 0.8])
def test_bodies_rebound_at_a_fraction_of_their_speed(restitution):
    network = Network()
    ball = network.body(bodies.sphere(0.05), mass=1.0, position=(-0.11, 0, 0))
    box = network.body(bodies.box((0.1, 0.1, 0.1)), mass=2.0)
    sim = Simulation(network, dt=5e-5, gravity=STILL)
    sim.add_contact(restitution=restitution, stiffness=1e6)
    sim.set_body_velocity(ball, (1, 0, 0))
    sim.run(0.03)
    parting = sim.body_velocity(box)[0][0] - sim.body_velocity(ball)[0][0]
    assert parting == pytest.approx(restitution, rel=2e-2)


def test_statics_finds_a_box_on_a_floor():
    sim, box, floor = lying(bodies.box((0.1, 0.2, 0.1)), 0.0502)
    assert sim.solve().stable
    assert floor.normal_force == pytest.approx(2 * G, rel=1e-9)
    assert sim.pose(box)[0] == pytest.approx([0, 0, 0.05], abs=1e-4)
