"""Tendons: cables through rings on rods, driven by tension or by length."""

from pathlib import Path

import numpy as np
import pytest

from strand import StrandError, straight
from strand.scene import file as scene_file
from strand.simulation import Network, Ring, Rod, Simulation, Tendon, bodies

LENGTH, RADIUS, YOUNG, DENSITY = 0.5, 5e-3, 1e8, 1000.0
EI = YOUNG * np.pi / 4 * RADIUS**4
GJ = EI / 1.5  # Poisson's ratio 0.5
EA = YOUNG * np.pi * RADIUS**2
ARM = 0.02  # m, distance of the rings from the rod's axis
STILL = (0.0, 0.0, 0.0)


def cantilever(segments: int = 20, nodes=None, **options) -> tuple[Simulation, Rod]:
    """A rod clamped along x, or with the given nodes, with m1 along y and m2 along z."""
    network = Network()
    material = {"radius": RADIUS, "young": YOUNG, "density": DENSITY}
    nodes = straight(length=LENGTH, segments=segments) if nodes is None else nodes
    rod = network.rod(nodes, normal=(0, 1, 0), **material)
    network.clamp(rod, "start")
    return Simulation(network, **{"gravity": STILL} | options), rod


def along(rod: Rod, arm: float = ARM) -> list:
    """From the clamp's plane through rings on all edges, on the side of m1."""
    return [(0.0, arm, 0.0), *(Ring(edge, (arm, 0)) for edge in rod.edges)]


def angles(simulation: Simulation, rod: Rod) -> np.ndarray:
    """Angles of the edges in the x-y plane (rad), at the middles of edges."""
    steps = np.diff(simulation.positions[rod.nodes], axis=0)
    return np.unwrap(np.arctan2(steps[:, 1], steps[:, 0]))


def middles(segments: int) -> np.ndarray:
    return (np.arange(segments) + 0.5) * LENGTH / segments


@pytest.mark.parametrize("total", [0.05, 1.0, 3.0])
def test_tension_bends_to_constant_curvature(total: float) -> None:
    """With strain e of the axis and curvature k per rest length, EA e^2 / 2 + EI k^2 / 2 + T (1 + e
    - a k) is least at e = -T / EA and k = T a / EI."""
    tension = total * EI / (ARM * LENGTH)
    bent, short = [], []
    for segments in (20, 40, 80):
        simulation, rod = cantilever(segments)
        simulation.add_tendon(along(rod), tension=tension)
        simulation.solve(steps=4)
        turned = angles(simulation, rod)
        bent.append(np.abs(turned / (total * middles(segments) / LENGTH) - 1).max())
        edges = np.linalg.norm(np.diff(simulation.positions[rod.nodes], axis=0), axis=1)
        strain = edges[:-1] * segments / LENGTH - 1  # half of the last edge is compressed
        short.append(np.abs(strain / (-tension / EA) - 1).max())
    for wrong, most in ((bent, 1e-3 * total), (short, 1e-3)):
        rates = np.log2(np.array(wrong[:-1]) / wrong[1:])
        assert wrong[-1] < most and (abs(rates - 2) < 0.15).all(), (wrong, rates)


def test_shortening_turns_the_end_by_shortening_over_arm() -> None:
    """For a rod that keeps its length: L0 - L = a theta, at the last ring."""
    wrong = []
    for segments in (10, 20, 40):
        simulation, rod = cantilever(segments)
        tendon = simulation.add_tendon(along(rod), tension=0.0)
        full, pulled = tendon.length, 0.01

        def draw_in(load: float, tendon=tendon, full=full) -> None:
            tendon.set_length(full - load * 0.01, stiffness=1e3 * EA)

        simulation.solve(10, draw_in)
        squeezed = tendon.tension / EA * (LENGTH - LENGTH / segments / 2)
        assert squeezed < 0.04 * pulled
        wrong.append(angles(simulation, rod)[-1] * ARM / (pulled - squeezed) - 1)
    assert abs(wrong[-1]) < 2e-3, wrong
    assert (abs(np.log2(np.array(wrong[:-1]) / wrong[1:]) - 2) < 0.15).all(), wrong


def test_matching_length_and_tension_bend_equally() -> None:
    simulation, rod = cantilever()
    tendon = simulation.add_tendon(along(rod), tension=EI / (ARM * LENGTH))
    simulation.solve(steps=2)
    shape, length, tension = simulation.positions, tendon.length, tendon.tension
    stiffness = 50.0
    natural = length / (1 + tension / stiffness)
    tendon.set_length(natural, stiffness)
    assert tendon.tension == pytest.approx(tension, rel=1e-9)
    simulation.solve()
    np.testing.assert_allclose(simulation.positions, shape, atol=1e-8)
    assert tendon.length == pytest.approx(length, rel=1e-8)


def test_a_slack_tendon_does_nothing() -> None:
    simulation, rod = cantilever(gravity=(0, -1.0, 0))
    tendon = simulation.add_tendon(along(rod), length=LENGTH + 0.2, stiffness=1e3)
    bare, _ = cantilever(gravity=(0, -1.0, 0))
    for each in (simulation, bare):
        each.run(0.2)
    assert tendon.tension == 0 and tendon.length > LENGTH / 2
    np.testing.assert_allclose(simulation.positions, bare.positions, atol=1e-13)  # rounding errors


def test_it_becomes_slack_and_taut_as_the_rod_swings() -> None:
    """A tendon above a rod that is released: taut as the rod falls, slack as it rises."""
    simulation, rod = cantilever(gravity=(0, -9.81, 0), dt=2e-3)
    tendon = simulation.add_tendon(along(rod), length=LENGTH - LENGTH / 40, stiffness=20.0)
    start = tendon.length
    simulation.set_velocities(np.outer(np.linspace(0, 1, 21) ** 2, (0, 4.0, 0)))
    pulls = []
    simulation.run(0.6, each=lambda _: pulls.append(tendon.tension))
    assert start == pytest.approx(LENGTH - LENGTH / 40)
    assert min(pulls) == 0 and max(pulls) > 0.1
    assert simulation.energy_made < 0


def helix(rod: Rod, turns: float) -> list:
    angle = 2 * np.pi * turns * middles(len(rod.edges)) / LENGTH
    offsets = ARM * np.column_stack([np.cos(angle), np.sin(angle)])
    return [(0.0, ARM, 0.0), *map(Ring, rod.edges, offsets)]


def test_a_helix_twists_the_rod() -> None:
    """Its length per length of rod is sqrt(1 + a^2 (w + m)^2) with w the twist rate of the helix
    and m that of the rod: m = -T a^2 w / (GJ sqrt(1 + a^2 w^2)), for small loads."""
    turns, tension = 2.0, 0.01
    rate = 2 * np.pi * turns / LENGTH
    expected = -tension * ARM**2 * rate / (GJ * np.hypot(1, ARM * rate))
    wrong = []
    for segments in (25, 50, 100):
        simulation, rod = cantilever(segments)
        simulation.add_tendon(helix(rod, turns), tension=tension)
        simulation.solve()
        wrong.append(simulation.angles[rod.edges[-1]] / (expected * middles(segments)[-1]) - 1)
    assert abs(wrong[-1]) < 0.01, wrong
    assert (abs(np.log2(np.array(wrong[:-1]) / wrong[1:]) - 2) < 0.2).all(), wrong


def test_opposite_helices_twist_in_opposite_directions() -> None:
    ends = []
    for turns in (2.0, -2.0):
        simulation, rod = cantilever(40)
        simulation.add_tendon(helix(rod, turns), tension=5.0)
        simulation.solve(steps=4)
        ends.append((simulation.angles[rod.edges[-1]], simulation.positions[rod.nodes[-1]]))
    assert ends[0][0] == pytest.approx(-ends[1][0], rel=1e-6) and ends[0][0] < -0.1
    np.testing.assert_allclose(ends[0][1] * (1, 1, -1), ends[1][1], atol=1e-8)


@pytest.mark.parametrize("method", ["bdf2", "midpoint"])
def test_swings_at_constant_tension_conserve_energy(method: str) -> None:
    """As well as a bare rod with the same initial shape."""
    kept, shape = {}, None
    for pulled in (True, False):
        simulation, rod = cantilever(10, shape, dt=1e-3, method=method)
        if pulled:
            simulation.add_tendon(along(rod), tension=0.3 * EI / (ARM * LENGTH))
            simulation.solve(steps=2)
            shape = simulation.positions[rod.nodes]
        simulation.set_velocities(np.outer(np.linspace(0, 1, 11) ** 2, (0, 1.0, 0)))
        swing, before = simulation.kinetic_energy, simulation.potential_energy
        simulation.run(1.0)
        energy = simulation.kinetic_energy + simulation.potential_energy - before
        kept[pulled] = energy / swing
        assert simulation.energy_made == pytest.approx(energy - swing, abs=1e-9 * swing)
    assert kept[True] == pytest.approx(kept[False], abs=1e-3), kept
    assert kept[True] < 1.001 and kept[True] > 0.9, kept


def free_rod(**options) -> tuple[Simulation, Rod]:
    network = Network()
    nodes = straight(length=LENGTH, segments=20)
    rod = network.rod(nodes, normal=(0, 1, 0), radius=RADIUS, young=YOUNG, density=DENSITY)
    return Simulation(network, gravity=STILL, **options), rod


@pytest.mark.parametrize("elastic", [False, True])
def test_a_free_rod_conserves_momentum(elastic: bool) -> None:
    simulation, rod = free_rod(dt=1e-3, tolerance=1e-10)
    drive = {"length": 0.9 * LENGTH, "stiffness": 50.0} if elastic else {"tension": 2.0}
    simulation.add_tendon([Ring(e, (ARM, 0.5 * ARM)) for e in rod.edges], **drive)
    simulation.set_velocities(np.tile((0.3, -0.2, 0.1), (21, 1)))
    mass = simulation.core.mass[simulation.node_dofs(range(21), "x")]
    momentum = mass @ simulation.velocities
    turns = []
    simulation.run(0.5, each=lambda _: turns.append(np.ptp(angles(simulation, rod))))
    assert max(turns) > 0.2
    lost = np.linalg.norm(mass @ simulation.velocities - momentum)
    assert lost < 1e-8 * np.linalg.norm(momentum)
    spins = simulation.spin_dofs(rod.edges)
    steps = np.diff(simulation.positions, axis=0)
    steps /= np.linalg.norm(steps, axis=1)[:, None]
    centre = mass @ simulation.positions / mass.sum()
    angular = np.cross(simulation.positions - centre, mass[:, None] * simulation.velocities)
    turning = angular.sum(axis=0) + (simulation.core.mass * simulation.core.velocity)[spins] @ steps
    swing = np.linalg.norm(angular, axis=1).sum()
    assert np.linalg.norm(turning) < 1e-8 * swing


def test_a_driven_tension_changes_with_time() -> None:
    simulation, rod = cantilever(10, dt=2e-3)
    pull, turns = EI / (ARM * LENGTH), []
    tendon = simulation.add_tendon(along(rod), tension=lambda t: pull * np.sin(10 * t) ** 2)
    simulation.run(0.3, each=lambda _: turns.append(np.ptp(angles(simulation, rod))))
    assert tendon.tension == pytest.approx(pull * np.sin(3.0) ** 2)
    assert max(turns) > 0.5 and simulation.energy_made < 0
    tendon.set_tension(0.2)
    simulation.run(0.01)
    assert tendon.tension == 0.2


@pytest.mark.parametrize(
    ("method", "stiffness"), [("bdf2", EA), ("bdf2", 500 * EA), ("midpoint", EA)]
)
def test_work_of_shortening_is_recorded(method: str, stiffness: float) -> None:
    """The work supplied is what the rod gains, for any stiffness of the tendon, without a false
    alarm."""
    simulation, rod = cantilever(dt=1e-3, method=method)
    tendon = simulation.add_tendon(along(rod), tension=0.0)
    full = tendon.length
    tendon.set_length(lambda t: full - 0.01 * np.sin(min(5 * t, np.pi / 2)) ** 2, stiffness)
    report = simulation.run(0.4)
    assert report.rejections == 0
    assert angles(simulation, rod)[-1] == pytest.approx(0.01 / ARM, rel=0.05)
    energy = simulation.kinetic_energy + simulation.potential_energy
    supplied = simulation.core.energy_supplied
    assert energy < supplied < 1.01 * energy
    assert -0.01 * supplied < simulation.energy_made < 0
    # Suddenly lengthened it is slack, and the rod swings.
    tendon.set_length(2 * full)
    simulation.run(0.05)
    assert tendon.tension == 0 and simulation.kinetic_energy > 0.1 * energy
    assert abs(simulation.energy_made) < 0.1 * supplied


def test_explicit_methods_reject_changing_lengths() -> None:
    simulation, rod = cantilever(10, dt=1e-6, method="verlet")
    tendon = simulation.add_tendon(along(rod), length=0.47, stiffness=10.0)
    simulation.run(1e-5)
    tendon.set_length(0.46)
    with pytest.raises(StrandError, match="method: got 'an explicit one', allowed: implicit ones"):
        simulation.step()


def test_a_checkpoint_continues_identically(tmp_path: Path) -> None:
    def made(offset: float = ARM) -> tuple[Simulation, Tendon]:
        simulation, rod = cantilever(10)
        return simulation, simulation.add_tendon(along(rod, offset), tension=0.1)

    simulation, tendon = made()
    tendon.set_length(tendon.length - 0.005, stiffness=100.0)
    simulation.run(0.05)
    simulation.save(tmp_path / "state.npz")
    simulation.run(0.05)
    again, other = made()
    again.load(tmp_path / "state.npz")
    assert other.tension > 0.2
    again.run(0.05)
    np.testing.assert_array_equal(again.positions, simulation.positions)
    with pytest.raises(StrandError, match="another scene's state: points of tendons"):
        made(0.5 * ARM)[0].load(tmp_path / "state.npz")
    with pytest.raises(StrandError, match="got another scene's state: 11 points of tendons"):
        cantilever(10)[0].load(tmp_path / "state.npz")


def test_it_runs_through_nodes_and_bodies() -> None:
    """A ball hangs on a tendon over a node, which carries both sides."""
    network = Network()
    rod = network.rod(straight(length=LENGTH, segments=10), radius=RADIUS, young=YOUNG, density=0.0)
    network.clamp(rod, "start")
    body = network.body(bodies.sphere(0.01), mass=0.02, position=(LENGTH, 0, -0.2))
    hook = network.body_point(body, (LENGTH, 0, -0.19))
    simulation = Simulation(network)
    weight, tip = 0.02 * 9.81, rod.nodes[-1]
    tendon = simulation.add_tendon([(0.0, 0.0, 0.3), tip, hook], tension=weight)
    simulation.fix_node(tip)
    slanted = np.hypot(LENGTH, 0.3)
    assert tendon.length == pytest.approx(slanted + 0.19)
    simulation.run(0.1)
    np.testing.assert_allclose(simulation.positions[hook], (LENGTH, 0, -0.19), atol=1e-7)
    borne = weight * np.array([LENGTH / slanted, 0, 1 - 0.3 / slanted])
    np.testing.assert_allclose(simulation.reactions[tip], borne, atol=1e-7)


SCENE = """\
[simulation]
gravity = [0.0, 0.0, 0.0]
[[rod]]
name = "arm"
shape = {type = "straight", length = 0.5, segments = 10}
normal = [0.0, 1.0, 0.0]
radius = 5e-3
young = 1e8
density = 1000.0
[[clamp]]
rod = "arm"
end = "start"
[[tendon]]
points = [{pos = [0.0, 0.02, 0.0]}, {rod = "arm", edges = "all", offset = [0.02, 0.0]}]
"""


def test_scene_files_have_it(tmp_path: Path) -> None:
    (tmp_path / "pull.csv").write_text("0, 0\n0.1, 0.5\n")
    (tmp_path / "draw.csv").write_text("0, 0.475\n0.1, 0.470\n")

    def run(given: str) -> tuple[Simulation, float]:
        (tmp_path / "scene.toml").write_text(SCENE + given + "\n")
        simulation = scene_file.load(tmp_path / "scene.toml").simulation
        simulation.run(0.2)
        return simulation, simulation.tendons[0].tension

    assert run("tension = 0.5")[1] == 0.5
    assert run('file = "pull.csv"')[1] == 0.5
    simulation, tension = run('stiffness = 100.0\nfile = "draw.csv"')
    tip = simulation.positions[10]
    assert tension > 0 and tip[1] > 0.01 and abs(tip[2]) < 1e-9
    assert run("stiffness = 100.0\nlength = 0.6")[1] == 0
    assert "[[tendon]]" in scene_file.schema() and "offset" in scene_file.schema()


def test_scene_files_tie_bodies_to_it(tmp_path: Path) -> None:
    """A ball hangs on it and is pulled up."""
    body = """\
[[body]]
name = "ball"
shape = {type = "sphere", radius = 0.01}
mass = 0.02
pos = [0.3, 0.0, -0.2]
[[tendon]]
points = [{pos = [0.3, 0.0, 0.0]}, {body = "ball", pos = [0.3, 0.0, -0.19]}]
tension = 0.1
"""
    scene = SCENE.partition("[[tendon]]")[0] + body
    (tmp_path / "scene.toml").write_text(scene)
    simulation = scene_file.load(tmp_path / "scene.toml").simulation
    tendon = simulation.tendons[0]
    assert tendon.length == pytest.approx(0.19)
    simulation.run(0.1)
    assert tendon.length == pytest.approx(0.19 - 0.5 * 0.1 / 0.02 * 0.1**2, abs=3e-4)
    (tmp_path / "scene.toml").write_text(scene.replace('{body = "ball"', '{body = "cube"'))
    with pytest.raises(StrandError, match=r"points\[1\].body: got 'cube', allowed: ball"):
        scene_file.load(tmp_path / "scene.toml")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("", r"tendon\[0\]: got none, allowed: one of tension and file"),
        ("tension = -1.0", r"tendon\[0\].tension: got -1.0, allowed: a number >= 0 \(N\)"),
        ("length = 1.0", r"tendon\[0\].length: got a value with no stiffness, allowed: tension"),
        ("stiffness = 1.0\ntension = 1.0", r"tendon\[0\].tension: got a value with a stiffness"),
    ],
)
def test_scene_files_are_checked(tmp_path: Path, given: str, words: str) -> None:
    (tmp_path / "scene.toml").write_text(SCENE + given + "\n")
    with pytest.raises(StrandError, match=words):
        scene_file.load(tmp_path / "scene.toml")


@pytest.mark.parametrize(
    ("points", "words"),
    [
        ("[{}]", r"points\[0\]: got none, allowed: one of pos, edges and nodes"),
        ('[{rod = "leg", nodes = 0}]', r"points\[0\].rod: got 'leg', allowed: arm"),
        ('[{rod = "arm", edges = 10}]', r"points\[0\].edges: got 10, allowed: -10 to 9"),
        (
            '[{rod = "arm", nodes = 0, offset = [0, 1]}]',
            r"points\[0\].offset: not allowed together",
        ),
        ('[{rod = "arm", edges = 0, offset = [1]}]', r"points\[0\].offset: got shape"),
        ("[{pos = [0, 0, 0]}]", r"tendon\[0\].points: got '1', allowed: 2 or more"),
        ("[[0, 0, 0]]", r"tendon\[0\].points: got \[\[0, 0, 0\]\], allowed: tables"),
    ],
)
def test_points_of_scene_files_are_checked(tmp_path: Path, points: str, words: str) -> None:
    scene = "\n".join(SCENE.splitlines()[:-1]) + f"\npoints = {points}\ntension = 1.0\n"
    (tmp_path / "scene.toml").write_text(scene)
    with pytest.raises(StrandError, match=words):
        scene_file.load(tmp_path / "scene.toml")


def test_bad_input_is_rejected() -> None:
    simulation, rod = cantilever(10)
    good = along(rod)
    one = "tendon: got (both|none), allowed: one of tension and length"
    for drive in ({}, {"tension": 1.0, "length": 1.0}):
        with pytest.raises(StrandError, match=one):
            simulation.add_tendon(good, **drive)
    with pytest.raises(StrandError, match="stiffness: got none, allowed: a number > 0"):
        simulation.add_tendon(good, length=1.0)
    for bad in (-1.0, np.nan, np.inf, "1", [1.0]):
        with pytest.raises(StrandError, match=r"tension: got .*allowed: a number >= 0 \(N\)"):
            simulation.add_tendon(good, tension=bad)
        with pytest.raises(StrandError, match="length: got"):
            simulation.add_tendon(good, length=bad, stiffness=1.0)
        with pytest.raises(StrandError, match="stiffness: got"):
            simulation.add_tendon(good, length=1.0, stiffness=bad)
    with pytest.raises(StrandError, match="tension at t = 0 s: got 'a lot'"):
        simulation.add_tendon(good, tension=lambda t: "a lot")
    for points, words in (
        ([], "points: got '0', allowed: 2 or more"),
        (5, "points: got 5, allowed: a list"),
        ([STILL, (1, 1, 1)], "points: got 'places fixed in space alone'"),
        ([STILL, 11], "node: got '11', allowed: 0 to 10"),
        ([STILL, Ring(10)], "edge: got '10', allowed: 0 to 9"),
        ([STILL, (0, 0)], r"points\[1\]: got \(0, 0\), allowed: a Ring, the index of a node, or"),
        ([STILL, "tip"], r"points\[1\]: got 'tip'"),
        ([STILL, True], r"points\[1\]: got True"),
        ([(0, 0, np.nan), 0], r"points\[0\]: got"),
        ([STILL, 0], "points: got 'all at one place', allowed: a path with a length"),
    ):
        with pytest.raises(StrandError, match=words):
            simulation.add_tendon(points, tension=1.0)
    assert simulation.tendons == []
    with pytest.raises(StrandError, match="offset: got"):
        Ring(0, (1.0, np.nan))
    with pytest.raises(StrandError, match=r"edge: got 0.5"):
        Ring(0.5)
    tendon = simulation.add_tendon(good, tension=1.0)
    with pytest.raises(StrandError, match="stiffness: got none, allowed: a number > 0"):
        tendon.set_length(1.0)
    tendon.set_tension(lambda t: 1.0 - 1000 * t)
    with pytest.raises(StrandError, match=r"tension at t = 0.002 s: got -1"):
        simulation.run(0.01)


def test_without_twist_rings_are_on_the_axis() -> None:
    simulation, rod = cantilever(10, twist=False)
    with pytest.raises(StrandError, match=r"offset: got .* in a simulation with twist=False"):
        simulation.add_tendon(along(rod), tension=1.0)
    simulation.add_tendon([(0, 0.1, 0), *map(Ring, rod.edges)], tension=1.0)
    simulation.run(0.01)
    plane, rod = cantilever(10, plane="xy")
    plane.add_tendon(along(rod), tension=0.1)
    plane.run(0.01)
    assert plane.positions[rod.nodes[-1], 1] > 0
