"""Rods that are fed out of a mouth and drawn in again: winch, pay-out, insertion."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from strand import StrandError, straight
from strand.scene import file as scene_file
from strand.simulation import Feed, Network, Rod, Simulation, obstacles

G = 9.81
RADIUS, DENSITY = 4e-3, 1000.0
PER_LENGTH = DENSITY * np.pi * RADIUS**2
LOAD = 5.0  # kg
STILL = (0.0, 0.0, 0.0)


def down(length: float, links: int) -> np.ndarray:
    return np.outer(np.linspace(0, length, links + 1), (0, 0, -1.0))


def smooth(time: float, end: float) -> float:
    """Integral of a rate that grows from 0 to 1 and stays, with a smooth start of `end` s."""
    x = np.clip(time / end, 0, 1)
    return float(end * (x**3 - x**4 / 2) + max(time - end, 0))


def there_and_back(time: float) -> float:
    """1 m to 19 m at .5 m/s, and back, with starts and stops of 2 s."""

    def out(t: float) -> float:
        return 0.5 * (smooth(t, 2.0) - smooth(t - 36.0, 2.0) if t > 36 else smooth(t, 2.0))

    return 1.0 + out(time) if time < 39 else 19.0 - out(time - 39)


def second_derivative(course: Callable[[float], float], time: float) -> float:
    h = 1e-3
    return (course(time + h) - 2 * course(time) + course(time - h)) / h**2


def hoist(course: Callable[[float], float], dt: float = 0.01) -> tuple[Simulation, Rod, Feed]:
    """A rope of 20 m that hangs from its mouth with a load at its end."""
    network = Network()
    rod = network.rod(down(20, 60), radius=RADIUS, density=DENSITY, EI=0.02, GJ=0.02, EA=2e5)
    simulation = Simulation(network, dt=dt)
    feed = simulation.feed(rod, course)
    simulation.add_mass(rod.nodes[-1], LOAD)
    return simulation, rod, feed


def energy(simulation: Simulation) -> float:
    return simulation.kinetic_energy + simulation.potential_energy


@pytest.mark.slow
def test_a_rope_is_paid_out_and_hoisted() -> None:
    """The force is weight and inertia of what is outside, without a jump where nodes pass; over
    the cycle its work is zero."""
    simulation, _, feed = hoist(there_and_back)
    simulation.solve()
    force, length, work, paid, jump = feed.force, feed.length, 0.0, 0.0, 0.0
    before = energy(simulation)
    while simulation.time < 78 - 1e-9:
        simulation.step()
        acceleration = second_derivative(there_and_back, simulation.time)
        expected = (PER_LENGTH * feed.length + LOAD) * (G - acceleration)
        assert feed.force == pytest.approx(expected, rel=4e-3)
        jump = max(jump, abs(feed.force / force - 1))
        moved = feed.length - length
        work -= 0.5 * (force + feed.force) * moved
        paid += max(-0.5 * (force + feed.force) * moved, 0)
        force, length = feed.force, feed.length
    assert jump < 2e-3
    assert length == pytest.approx(1.0, abs=1e-9)
    assert paid > 900  # J, of hoisting
    assert abs(energy(simulation) - before - work) < 1e-5 * paid


def test_what_is_outside_weighs() -> None:
    """Also between nodes, exactly; the weight of the rest is not in the reactions."""
    for length in np.linspace(1 / 3, 20 - 1 / 3, 37):
        network = Network()
        rod = network.rod(down(20, 60), radius=RADIUS, density=DENSITY, EI=0.02, GJ=0.02, EA=2e5)
        simulation = Simulation(network)
        feed = simulation.feed(rod, float(length))
        simulation.solve()
        assert feed.length == pytest.approx(length, rel=1e-12)
        # the strain energy that enters: T^2 / 2 EA is 2e-5 of T
        assert feed.force == pytest.approx(PER_LENGTH * G * length, rel=1e-4)
        assert -simulation.reactions.sum(axis=0) @ feed.axis == pytest.approx(
            PER_LENGTH * G * length, rel=1e-4
        )


def pendulum(
    links: int, dt: float, course: Callable[[float], float], angle: float
) -> tuple[Simulation, Rod, Feed]:
    """A light rope with a load, at an angle, stretched by its weight."""
    network = Network()
    nodes = down(10.0, links)
    material = {"EI": 5e-3, "GJ": 0.02, "EA": 2e5, "mass_per_length": 1e-3}
    rod = network.rod(nodes, radius=RADIUS, **material)
    simulation = Simulation(network, dt=dt)
    mouth = 10.0 - course(0.0)
    beyond = np.maximum(-nodes[:, 2] - mouth, 0) * (1 + LOAD * G * np.cos(angle) / 2e5)
    nodes[:, 0] = beyond * np.sin(angle)
    nodes[:, 2] = np.where(beyond > 0, -mouth - beyond * np.cos(angle), nodes[:, 2])
    simulation.place(rod, nodes)
    feed = simulation.feed(rod, course)
    simulation.add_mass(rod.nodes[-1], LOAD)
    return simulation, rod, feed


@pytest.mark.parametrize("rate", [-0.5, 0.4])
def test_a_swinging_load_is_hoisted(rate: float) -> None:
    """L theta'' + 2 L' theta' + g sin(theta) = 0, T = m (g cos(theta) + L theta'^2 - L''): the
    rope, 300 times longer than sqrt(EI / T), turns about the mouth, wherever its nodes are."""
    start = 8.0 if rate < 0 else 3.0

    def course(time: float) -> float:
        return start + rate * smooth(time, 2.0)

    def motion(time: float, state: np.ndarray) -> list[float]:
        h = 1e-4
        speed = (course(time + h) - course(time - h)) / (2 * h)
        return [state[1], -(2 * speed * state[1] + G * np.sin(state[0])) / course(time)]

    exact = solve_ivp(motion, (0, 10), (0.2, 0), rtol=1e-9, atol=1e-9, dense_output=True).sol
    simulation, rod, feed = pendulum(20, 0.01, course, 0.2)
    before, force, length, work = energy(simulation), feed.force, feed.length, 0.0
    while simulation.time < 10 - 1e-9:
        simulation.step()
        arm = simulation.positions[rod.nodes[-1]] - feed.mouth
        angle, turning = exact(simulation.time)
        assert np.arctan2(arm[0], -arm[2]) == pytest.approx(angle, abs=1e-3)
        pull = G * np.cos(angle) + course(simulation.time) * turning**2
        pull -= second_derivative(course, simulation.time)
        assert feed.force == pytest.approx(LOAD * pull, rel=1e-2)
        work -= 0.5 * (force + feed.force) * (feed.length - length)
        force, length = feed.force, feed.length
    assert energy(simulation) - before == pytest.approx(work, rel=3e-3)


def arm(
    links: int, length: float, load: tuple[float, float, float], **options: object
) -> tuple[Simulation, Rod, Feed]:
    """A stiff rod of 1 m (EI = 2 N m^2), fed along x, with a load at its end."""
    network = Network()
    nodes = straight(length=1.0, segments=links)
    rod = network.rod(nodes, radius=5e-3, EI=2.0, GJ=2.0, EA=1e6, density=DENSITY)
    simulation = Simulation(network, **{"gravity": STILL} | options)
    feed = simulation.feed(rod, length)
    simulation.load_node(rod.nodes[-1], load)
    simulation.solve()
    return simulation, rod, feed


def test_a_fed_rod_is_a_cantilever() -> None:
    """P S^3 / 3 EI at any length S, also between nodes, to second order, and the force of a sleeve:
    M^2 / 2 EI."""
    load, worst = 0.05, {}
    for links in (20, 40, 80):
        errors = []
        for place in np.arange(0.05, 2, 0.25):
            length = 0.5 + place / links
            simulation, rod, feed = arm(links, length, (0, 0, -load))
            sag = -simulation.positions[rod.nodes[-1], 2]
            errors.append(sag / (load * length**3 / (3 * 2.0)) - 1)
            assert feed.force == pytest.approx((load * length) ** 2 / (2 * 2.0), rel=5e-3)
        worst[links] = np.abs(errors).max()
    assert worst[20] < 6e-3
    assert worst[40] < worst[20] / 3.5
    assert worst[80] < worst[40] / 3.5


def test_the_force_of_a_bent_rod() -> None:
    """The elastica in a frictionless sleeve, far bent by a load P across: EI theta'' = -P
    cos(theta), theta = 0 at the mouth and theta' = 0 at the end; the force is M^2 / 2 EI."""
    load, length = 12.0, 0.5

    def end(curvature: float) -> np.ndarray:
        def bend(s: float, y: np.ndarray) -> list[float]:
            return [y[1], -load / 2.0 * np.cos(y[0])]

        return solve_ivp(bend, (0, length), (0, curvature), rtol=1e-10, atol=1e-12).y[:, -1]

    root = brentq(lambda k: end(k)[1], 0.1, 4.0)
    exact = (2.0 * root) ** 2 / (2 * 2.0)
    _, _, feed = arm(40, length, (0, 0, -load))
    assert exact > 2  # N
    assert feed.force == pytest.approx(exact, rel=4e-3)


def test_the_end_moves_smoothly() -> None:
    """At steps of a twentieth of a link, the second difference of the end's path is that of a
    cantilever. Where a node is released, the end falls by 3e-6 m, by what is left of compliance
    there (feed_law.LEAST): less than half of a second difference of 1e-5 m."""
    load, step = 5.0, 1 / 400
    ends = []
    for k in range(60):
        simulation, rod, _ = arm(20, 0.5 + (k + 0.3) * step, (0, 0, -load))
        ends.append(simulation.positions[rod.nodes[-1]])
    bends = np.diff(ends, 2, axis=0)[:, 2] / step**2
    assert np.all(bends < 0)
    assert bends == pytest.approx(np.full(58, bends.mean()), rel=0.5)


def test_feeding_keeps_the_energy() -> None:
    """A rod with loads, bent and twisted, is fed out and in: what is outside gains the work of the
    feed, and the kinetic energy of the mass that enters at its speed."""
    links = 25
    network = Network()
    nodes = straight(length=1.0, segments=links)
    rod = network.rod(nodes, radius=RADIUS, EI=2.0, GJ=1.5, EA=1e5, density=DENSITY)
    simulation = Simulation(network, dt=1e-3, gravity=STILL)
    feed = simulation.feed(rod, lambda time: 0.6 + 0.15 * np.sin(2 * time) ** 2)
    simulation.load_node(rod.nodes[-1], (0, 0, -3.0))
    simulation.load_spin(rod.edges[-1], 1.0)
    simulation.solve()
    force, length, before = feed.force, feed.length, energy(simulation)
    work, most, wrong = 0.0, 0.0, 0.0
    for _ in range(1500):
        simulation.step()
        moved = feed.length - length
        work += PER_LENGTH / 2 * (moved / simulation.dt) ** 2 * moved
        work -= 0.5 * (force + feed.force) * moved
        force, length = feed.force, feed.length
        behind = (rod.nodes.index(feed.node) - 0.5) / links
        speed = np.linalg.norm(simulation.velocities[rod.nodes[0]])
        outside = energy(simulation) - behind * PER_LENGTH / 2 * speed**2 - before
        most, wrong = max(most, abs(work)), max(wrong, abs(outside - work))
    assert most > 0.1
    assert wrong < 1e-3 * most


def test_twist_is_fed() -> None:
    """The end of a rod under a torque turns by H S / GJ at any length; the force is H^2 / 2 GJ."""
    torque = 0.3
    for length in (0.31, 0.325, 0.34, 0.35):
        network = Network()
        nodes = straight(length=1.0, segments=20)
        rod = network.rod(nodes, radius=5e-3, EI=2.0, GJ=1.5, EA=1e6, density=DENSITY)
        simulation = Simulation(network, gravity=STILL)
        feed = simulation.feed(rod, length)
        simulation.load_spin(rod.edges[-1], torque)
        simulation.solve()
        turned = simulation.angles[rod.edges[-1]]
        assert turned == pytest.approx(torque * (length - 0.025) / 1.5, rel=1e-4)
        assert feed.force == pytest.approx(torque**2 / (2 * 1.5), rel=1e-3)


def test_insertion_pushes() -> None:
    """A rod that is fed against a wall buckles at Euler's load N of a column with a free end. The
    feed pushes by N less M^2 / 2 EI, the force of the moment at the mouth."""
    network = Network()
    nodes = straight(length=1.0, segments=20)
    material = {"EI": 2.0, "GJ": 1.5, "EA": 1e5, "density": DENSITY, "mass_damping": 5.0}
    rod = network.rod(nodes, radius=5e-3, **material)
    simulation = Simulation(network, dt=2e-3, gravity=(0, 0, -0.1))
    feed = simulation.feed(rod, lambda time: 0.45 + 0.02 * time)
    wall = simulation.add_obstacles([obstacles.plane((1.02, 0, 0), (-1, 0, 0))])
    simulation.run(2.0)
    push = wall.normal_force
    moment = push * simulation.positions[rod.nodes[-1], 2]
    assert abs(moment) > 2  # N m
    assert push == pytest.approx(np.pi**2 * 2.0 / (4 * feed.length**2), rel=0.04)
    assert feed.force == pytest.approx(moment**2 / (2 * 2.0) - push, rel=5e-3)


@pytest.mark.parametrize("method", ["bdf2", "midpoint"])
def test_restarts_bitwise(tmp_path: Path, method: str) -> None:
    def run() -> tuple[Simulation, Rod, Feed]:
        network = Network()
        nodes = straight(length=1.0, segments=20)
        rod = network.rod(nodes, radius=5e-3, EI=0.5, GJ=0.5, EA=1e5, density=DENSITY)
        simulation = Simulation(network, dt=5e-3, method=method)
        feed = simulation.feed(rod, lambda time: 0.5 + 0.2 * np.sin(3 * time))
        return simulation, rod, feed

    simulation, _, feed = run()
    simulation.run(0.5)
    simulation.save(tmp_path / "state.npz")
    saved = feed.force, feed.length, feed.node
    simulation.run(1.5)
    again, _, feed = run()
    again.run(0.1)
    again.load(tmp_path / "state.npz")
    assert (feed.force, feed.length, feed.node) == saved
    again.run(1.5)
    assert np.array_equal(again.positions, simulation.positions)
    assert np.array_equal(again.velocities, simulation.velocities)
    assert np.array_equal(again.directors, simulation.directors)


def test_a_checkpoint_of_another_mouth_is_refused(tmp_path: Path) -> None:
    simulation, _, _ = arm(20, 0.5, STILL)
    simulation.save(tmp_path / "state.npz")
    other, _, _ = arm(20, 0.6, STILL)
    with pytest.raises(StrandError, match="another scene's state: fed rods"):
        other.load(tmp_path / "state.npz")


def test_shorter_steps_in_a_plane() -> None:
    """In a plane the components that it locks stay locked."""
    network = Network()
    nodes = straight(length=1.0, segments=20)
    rod = network.rod(nodes, radius=5e-3, EI=0.5, GJ=0.5, density=DENSITY)
    simulation = Simulation(network, plane="xz", dt=5e-3)
    feed = simulation.feed(rod, lambda time: 0.5 + 0.3 * time)
    simulation.run(0.5)
    assert feed.length == pytest.approx(0.65)
    assert np.all(simulation.positions[:, 1] == 0)
    assert np.all(simulation.angles == 0)
    free = simulation.network.node_count - rod.nodes.index(feed.node)
    assert simulation.core.unknowns == 2 * free


def rod_in(network: Network, **options: object) -> Rod:
    nodes = options.pop("nodes", straight(length=1.0, segments=20))
    material = {"radius": 5e-3, "young": 1e8, "density": DENSITY}
    return network.rod(nodes, **material | options)


def test_bad_lengths() -> None:
    network = Network()
    rod = rod_in(network)
    simulation = Simulation(network, dt=0.01)
    allowed = "allowed: 0.05 to 0.95 m: a link on both sides of the mouth"
    for length in (0.01, 0.96, -1.0):
        with pytest.raises(StrandError, match=f"length: got {length}, {allowed}"):
            simulation.feed(rod, length)
    for wrong in ("far", float("nan"), None):
        with pytest.raises(StrandError, match=f"length: got '?{wrong}'?, allowed: a number"):
            simulation.feed(rod, wrong)
    simulation.feed(rod, lambda time: 0.5 + 10 * time)
    with pytest.raises(StrandError, match=r"0\.1 m in a step, allowed: at most a link"):
        simulation.step()


def test_refused_rods() -> None:
    bent = straight(length=1.0, segments=20)
    bent[-1, 2] += 1e-3
    uneven = straight(length=1.0, segments=20)
    uneven[3, 0] += 1e-3
    for nodes in (bent, uneven):
        network = Network()
        rod = rod_in(network, nodes=nodes)
        with pytest.raises(StrandError, match="allowed: a straight rod of equal edges"):
            Simulation(network).feed(rod, 0.5)
    for given, message in (
        ({"closed": True, "nodes": bent}, "rod: got a closed one"),
        ({"yield_stress": 1e6}, "yields or whose strands slip"),
        ({"nodes": straight(length=1.0, segments=2)}, "got 2 edges, allowed: 3 or more"),
    ):
        network = Network()
        rod = rod_in(network, **given)
        with pytest.raises(StrandError, match=message):
            Simulation(network).feed(rod, 0.5)


def test_refused_simulations() -> None:
    for options, message in (
        ({"curvature": "smooth"}, "curvature: got 'smooth'"),
        ({"method": "verlet"}, "method: got 'verlet'"),
    ):
        network = Network()
        rod = rod_in(network)
        with pytest.raises(StrandError, match=message):
            Simulation(network, **options).feed(rod, 0.5)
    network = Network()
    rod = rod_in(network)
    network.clamp(rod, "start")
    with pytest.raises(StrandError, match="whose start is clamped"):
        Simulation(network).feed(rod, 0.5)
    network = Network()
    rod, other = rod_in(network), rod_in(network, nodes=np.array([(0.5, 0, 0), (0.5, 0, 1.0)]))
    network.connect(rod, 10, other, 0)
    with pytest.raises(StrandError, match="other rods are joined before its end"):
        Simulation(network).feed(rod, 0.5)
    with pytest.raises(StrandError, match="one of another network"):
        Simulation(network).feed(rod_in(Network()), 0.5)


def test_refused_supports() -> None:
    network = Network()
    rod = rod_in(network)
    simulation = Simulation(network)
    simulation.fix_node(rod.nodes[4])
    with pytest.raises(StrandError, match="held, driven or clamped elsewhere"):
        simulation.feed(rod, 0.5)
    network = Network()
    rod = rod_in(network)
    simulation = Simulation(network)
    simulation.place(rod, straight(length=1.0, segments=20) + np.array([0, 0, 0.1]))
    with pytest.raises(StrandError, match=r"got nodes behind the mouth 0\.1 m off"):
        simulation.feed(rod, 0.5)
    simulation = Simulation(network)
    simulation.feed(rod, 0.5)
    with pytest.raises(StrandError, match="held, driven or clamped elsewhere"):
        simulation.feed(rod, 0.5)
    with pytest.raises(StrandError, match="got a part that is driven"):
        simulation.place(rod, straight(length=1.0, segments=20))
    with pytest.raises(StrandError, match="joints of a rod that is fed"):
        simulation.set_natural_curvature(rod.joints, (0.1, 0))


SCENE = """
[simulation]
gravity = [0, 0, -9.81]
dt = 0.01

[[rod]]
name = "rope"
shape = { type = "straight", length = 4.0, segments = 20 }
radius = 4e-3
EI = 0.02
GJ = 0.02
density = 1000.0
"""


def write(path: Path, *tables: str) -> Path:
    path.write_text(SCENE + "\n".join(tables))
    return path


def test_feeds_of_scene_files(tmp_path: Path) -> None:
    """By a speed, and by a table of lengths."""
    (tmp_path / "winch.csv").write_text("t,length\n0,1.0\n1,1.5\n2,1.0\n")
    speed = '[[feed]]\nrod = "rope"\nlength = 1.0\nspeed = 0.5\n'
    table = '[[feed]]\nrod = "rope"\nfile = "winch.csv"\n'
    for content, length in ((speed, 1.75), (table, 1.25)):
        simulation = scene_file.load(write(tmp_path / "scene.toml", content)).simulation
        simulation.run(1.5)
        assert simulation.feeds[0].length == pytest.approx(length)
    for content, message in (
        (speed + 'file = "winch.csv"', r"feed\[0\]: got both"),
        (table + "speed = 1.0", r"feed\[0\]\.speed: not allowed together with `file`"),
        (speed.replace("rope", "wire"), r"feed\[0\]\.rod: got 'wire', allowed: rope"),
        (
            speed.replace("1.0", "9.0"),
            r"feed\[0\]\.length at t = 0 s: got 9.0, allowed: 0.2 to 3.8",
        ),
        (speed + '[[fix]]\nrod = "rope"\nnodes = 3', r"feed\[0\]\.rod: got rod fixed or driven by"),
    ):
        with pytest.raises(StrandError, match=message):
            scene_file.load(write(tmp_path / "scene.toml", content))
