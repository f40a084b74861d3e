"""Contact in scenes of `strand simulate`: what files describe, reject, report and draw."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from strand import StrandError, meshes
from strand.cable import shapes
from strand.cli import app
from strand.draw.stage import can_render
from strand.scene import file as scene_file
from strand.scene import runner
from strand.scene.tables import OutputTable
from strand.simulation import Network, Simulation, obstacles
from strand.simulation.obstacle_drawing import drawn

RADIUS, TOLERANCE = 0.01, 1e-3  # m; a tenth of the radius
HEAD = """\
[simulation]
dt = 0.005
gravity = [0, 0, -9.81]
method = "backward_euler"
duration = 0.6
"""
ROD = """\
[[rod]]
name = "a"
young = 1e6
radius = 0.01
density = 1000.0
shape = { type = "straight", length = 1.0, segments = 20 }
pos = [0, 0, 0.1]
"""
ACROSS = ROD.replace('"a"', '"b"').replace(
    "[0, 0, 0.1]", "[0.525, -0.525, 0.05]\nquat = [1, 0, 0, 1]"
)
SPHERE = '[[obstacles.shapes]]\ntype = "sphere"\ncentre = [0.5, 0, 0]\nradius = 0.05\n'
CAPSULE = '[[obstacles.shapes]]\ntype = "capsule"\na = [0, 0, 0]\nb = [0, 1, 0]\nradius = 0.05\n'
BOX = '[[obstacles.shapes]]\ntype = "box"\ncentre = [0, 2, 0]\nhalf_extents = [0.1, 0.2, 0.3]\n'
PLANE = '[[obstacles.shapes]]\ntype = "plane"\npoint = [0, 0, -0.1]\nnormal = [0, 1, 2]\n'


def make(text: str) -> Simulation:
    return scene_file.from_toml(text).simulation


def run(*arguments: object):
    return CliRunner().invoke(app, ["simulate", *map(str, arguments)])


def test_a_dropped_rod_rests_on_the_floor() -> None:
    simulation = make(HEAD + ROD + "[floor]\nheight = -0.05\nfriction = 0.4\n")
    simulation.run(1.0)
    gap = simulation.positions[:, 2] + 0.05 - RADIUS
    assert gap.min() > -TOLERANCE / 2 and gap.max() < TOLERANCE
    assert np.abs(simulation.velocities).max() < 1e-6
    (floor,) = simulation.contacts
    np.testing.assert_allclose(floor.normal_force, simulation.core.mass[::4].sum() * 9.81, rtol=0.1)


def test_a_rod_hangs_over_a_sphere() -> None:
    simulation = make(HEAD + ROD + "[[obstacles]]\nfriction = 1.0\n" + SPHERE)
    simulation.run(1.0)
    gap = np.linalg.norm(simulation.positions - (0.5, 0, 0), axis=1) - 0.05 - RADIUS
    assert -TOLERANCE / 2 < gap.min() < TOLERANCE
    assert simulation.positions[[0, -1], 2].max() < -0.1
    fallen = make(HEAD + ROD)
    fallen.run(1.0)
    assert fallen.positions[:, 2].max() < -4


@pytest.mark.parametrize(
    "shape",
    [
        obstacles.sphere((0.0375, 0, 0), 0.005),
        obstacles.cylinder((0.0375, -0.02, 0), (0.0375, 0.02, 0), 0.005),
        obstacles.box((0.0375, 0, 0), (0.005, 0.02, 0.005)),
    ],
    ids=lambda shape: shape.kind,
)
def test_links_do_not_pass_through_obstacles_between_their_nodes(shape) -> None:
    network = Network()
    rod = network.rod(
        np.linspace((0, 0, 0.02), (0.075, 0, 0.02), 4), young=1e7, radius=1e-3, density=1000.0
    )
    simulation = Simulation(network, dt=1e-3, method="backward_euler")
    simulation.fix_node(rod.nodes, "y")
    touching = simulation.add_obstacles([shape], friction=0.5)
    simulation.run(0.8)
    # The ends sag: the link over the obstacle rests on it.
    assert simulation.positions[1:3, 2] == pytest.approx(0.006, abs=1e-4)
    assert touching.normal_force == pytest.approx(simulation.core.mass[::4].sum() * 9.81, rel=0.05)


def test_cloth_does_not_pass_through_a_peg() -> None:
    vertices, triangles = meshes.strip(0.1, 0.1, 0.02, "equilateral")
    network = Network()
    above = vertices + np.array((0, 0, 0.01))
    network.shell(above, triangles, young=1e6, thickness=1e-3, density=1000.0)
    simulation = Simulation(network, dt=1e-3, method="backward_euler")
    middle = vertices[triangles].mean(axis=1)
    x, y, _ = middle[np.argmin(np.linalg.norm(middle - vertices.mean(axis=0), axis=1))]
    simulation.add_obstacles([obstacles.cylinder((x, y, -0.5), (x, y, 0), 0.003)], friction=0.8)
    simulation.run(0.2)
    assert simulation.positions[:, 2].max() > -0.005
    assert simulation.contacts[0].contacts > 0


def test_a_rod_lies_on_another() -> None:
    text = HEAD + ROD + ACROSS + '[[fix]]\nrod = "b"\nedges = [0, 5, 10, 15, 19]\n'
    simulation = make(text + "[contact]\nfriction = 0.5\n")
    simulation.run(0.4)  # after that it rolls off
    nodes = simulation.positions
    above = nodes[[10, 11], 2].mean() - nodes[[31, 32], 2].mean() - 2 * RADIUS
    assert -TOLERANCE / 2 < above < TOLERANCE
    assert simulation.contacts[0].contacts > 0


def heap() -> Simulation:
    """Six soft rods crosswise over each other, above a floor; in the end their ends lie in
    parallel."""
    network = Network()
    for level in range(1, 7):
        line = np.zeros((21, 3))
        line[:, level % 2], line[:, 2] = np.linspace(-0.2, 0.2, 21), 0.03 * level
        network.rod(line, young=1e6, radius=0.01, density=1000)
    return Simulation(network, dt=5e-3, method="backward_euler", gravity=(0, 0, -9.81))


def ring() -> Simulation:
    """A ring that stands on the floor and collapses onto itself."""
    network = Network()
    angle = np.linspace(0, 2 * np.pi, 65)[:-1]
    circle = np.column_stack([0.2 * np.cos(angle), 0 * angle, 0.21 + 0.2 * np.sin(angle)])
    network.rod(circle, young=1e6, radius=0.004, density=1000, closed=True)
    return Simulation(network, dt=5e-3, method="backward_euler", gravity=(0, 0, -9.81))


@pytest.mark.parametrize(
    ("make_rods", "friction", "most_rejections"),
    [(heap, 0.0, 10), (heap, 0.4, 10), (ring, 0.0, 10), (ring, 0.5, 10)],
)
def test_rods_come_to_lie_side_by_side(make_rods, friction: float, most_rejections: int) -> None:
    simulation = make_rods()
    floor = simulation.add_floor(friction=friction)
    contact = simulation.add_contact(friction=friction)
    before = contact.stiffness
    report = simulation.run(0.5)
    assert report.rejections <= most_rejections
    assert contact.stiffness < 100 * before  # it adapts and does not run away
    assert contact.contacts + floor.contacts > 10
    assert simulation.kinetic_energy < 0.2


def test_a_file_makes_what_python_makes() -> None:
    text = (
        "[floor]\nheight = -0.2\nfriction = 0.3\ntangential_stiffness = 5e3\nnode_radius = 0.02\n"
    )
    text += "[contact]\nfriction = 0.1\nslip_tolerance = 0.01\ntolerance = 1e-3\n"
    text += '[[obstacles]]\nlaw = "regularised"\nfriction = 0.2\nslip_tolerance = 0.02\n'
    text += "stiffness = 3e3\ntolerance = 5e-4\n" + SPHERE + "velocity = [0, 0.5, 0]\n"
    text += CAPSULE.replace("0, 0]", "0, -0.05]").replace("1, 0]", "1, -0.05]")
    text += BOX.replace("2, 0]", "0.5, -0.1]") + "quat = [1, 0, 0, 1]\n"
    described = make(HEAD + ROD + ACROSS.replace("0.05]", "0.2]") + text)
    network = Network()
    rod = {"young": 1e6, "radius": RADIUS, "density": 1000.0}
    nodes = shapes.straight(1.0, 20)
    turned = nodes @ [[0, 1, 0], [-1, 0, 0], [0, 0, 1]]
    network.rod(nodes + np.array([0, 0, 0.1]), **rod)
    network.rod(turned + np.array([0.525, -0.525, 0.2]), **rod)
    made = Simulation(network, dt=0.005, gravity=(0, 0, -9.81), method="backward_euler")
    made.add_floor(-0.2, friction=0.3, tangential_stiffness=5e3, node_radius=0.02)
    made.add_contact(friction=0.1, slip_tolerance=0.01, tolerance=1e-3)
    ball = obstacles.sphere((0.5, 0, 0), 0.05)
    ball.velocity = (0, 0.5, 0)
    pipe = obstacles.capsule((0, 0, -0.05), (0, 1, -0.05), 0.05)
    axes = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    box = obstacles.box((0, 0.5, -0.1), (0.1, 0.2, 0.3), axes)
    law = {"law": "regularised", "friction": 0.2, "slip_tolerance": 0.02}
    made.add_obstacles([ball, pipe, box], stiffness=3e3, tolerance=5e-4, **law)
    touched = {simulation: [] for simulation in (described, made)}
    for simulation, counts in touched.items():
        simulation.run(0.4, lambda now, to=counts: to.append([c.contacts for c in now.contacts]))
    np.testing.assert_allclose(described.positions, made.positions, atol=1e-9)
    assert touched[described] == touched[made]
    assert np.any(touched[made], axis=0).tolist() == [True, True, True]


@pytest.mark.parametrize(
    ("shape", "point", "gap"),
    [
        (SPHERE + "hollow = true\n", (0.5, 0, 0.02), 0.03),
        (CAPSULE + "hollow = true\n", (0.03, 0.5, 0), 0.02),
        (BOX + "quat = [1, 0, 0, 1]\n", (0.25, 2, 0), 0.05),
        (PLANE, (0, 0, 0), 0.1 * 2 / 5**0.5),
    ],
)
def test_shapes_are_placed_as_files_specify(shape: str, point: tuple, gap: float) -> None:
    rod = ROD.replace("1.0, segments = 20", "2e-6, segments = 2").replace(
        "[0, 0, 0.1]", f"{[*point]}"
    )
    simulation = make(rod + "[[obstacles]]\nnode_radius = 0\n" + shape)
    simulation.core.report()
    np.testing.assert_allclose(simulation.contacts[0].gap, gap, atol=2e-6)


# A rod that can roll moves across its axis at a third of the belt's speed (m v r = I w).
def test_a_conveyor_carries() -> None:
    shape = PLANE.replace("[0, 1, 2]", "[0, 0, 1]") + "velocity = [0.3, 0.1, 0]\n"
    simulation = make(HEAD + ROD + "[[obstacles]]\nfriction = 0.5\n" + shape)
    simulation.run(1.5)
    np.testing.assert_allclose(simulation.velocities.mean(axis=0), [0.3, 0.1 / 3, 0], atol=1e-3)


FLOOR, CONTACT, OBSTACLES = ROD + "[floor]\n", ROD + "[contact]\n", ROD + "[[obstacles]]\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (ROD + "[[floor]]", "floor: got [{}], allowed: a table [floor]"),
        (ROD + "[obstacles]", "obstacles: got {}, allowed: tables [[obstacles]]"),
        (ROD + "[flor]", "flor: got a table that is not known, allowed: simulation, output, floor"),
        (
            FLOOR + "hight = 1",
            "floor.hight: got a key that is not known, allowed: height, friction",
        ),
        (FLOOR + "height = inf", "floor.height: got inf, allowed: a finite number (m)"),
        (FLOOR + "height = [0]", "floor.height: got [0], allowed: a finite number (m)"),
        (FLOOR + "friction = -0.1", "floor.friction: got -0.1, allowed: a number >= 0 (1)"),
        (FLOOR + "friction = nan", "floor.friction: got nan, allowed: a number >= 0 (1)"),
        (FLOOR + "friction = 'high'", "floor.friction: got 'high', allowed: a number >= 0 (1)"),
        (FLOOR + "law = 'coulomb'", "floor.law: got 'coulomb', allowed: anchored, regularised"),
        (FLOOR + "tolerance = 0", "floor.tolerance: got 0, allowed: a number > 0 (m)"),
        (FLOOR + "node_radius = -1", "floor.node_radius: got -1, allowed: a number >= 0 (m)"),
        (
            FLOOR + "law = 'anchored'\nslip_tolerance = 0.5",
            "floor.slip_tolerance: not allowed together with law = 'anchored'",
        ),
        (
            FLOOR + "law = 'regularised'\ntangential_stiffness = 2",
            "floor.tangential_stiffness: not allowed together with law = 'regularised'",
        ),
        (
            FLOOR + "height = 0.15",
            "floor.positions: got 'rod 0, node 0 at -0.05 m from the surface of obstacle 0 "
            "(plane)', allowed: more than 0 m, at the start",
        ),
        (CONTACT + "stiffness = inf", "contact.stiffness: got inf, allowed: a number > 0 (N/m)"),
        (CONTACT + "stiffness = true", "contact.stiffness: got True, allowed: a number > 0 (N/m)"),
        (CONTACT + "slip_tolerance = -1", "contact.slip_tolerance: got -1, allowed: a number > 0"),
        (
            CONTACT + "law = 'anchored'\nslip_tolerance = 0.5",
            "contact.slip_tolerance: not allowed together with law = 'anchored'",
        ),
        (
            CONTACT + "node_radius = 0.1",
            "contact.node_radius: got a key that is not known, allowed: smooth, friction, tol",
        ),
        (
            CONTACT + ACROSS.replace("0.05]", "0.1]"),
            "contact.positions: got 'rod 0, edge 10 and rod 1, edge 10, 0 m apart', allowed: at "
            "least the sum of their radii, 0.02 m, at the start",
        ),
        (OBSTACLES, "obstacles[0].shapes: got nothing, allowed: one table [[obstacles.shapes]]"),
        (OBSTACLES + "shapes = []", "obstacles[0].shapes: got [], allowed: one table"),
        (OBSTACLES + "shapes = [3]", "obstacles[0].shapes: got [3], allowed: one table"),
        (
            OBSTACLES + "shapes = [{ radius = 1 }]",
            "obstacles[0].shapes[0].type: got None, allowed: plane, sphere, capsule, cylinder, box",
        ),
        (
            OBSTACLES + SPHERE + "[[obstacles]]\n" + SPHERE + SPHERE.replace("sphere", "cone"),
            "obstacles[1].shapes[1].type: got 'cone', allowed: plane, sphere, capsule, cylinder, "
            "box",
        ),
        (
            OBSTACLES + SPHERE.replace("0.05", "-0.05"),
            "obstacles[0].shapes[0].radius: got -0.05, allowed: a number > 0 (m)",
        ),
        (
            OBSTACLES + SPHERE.replace("centre", "center"),
            "obstacles[0].shapes[0].center: got a key that is not known, allowed: centre, radius",
        ),
        (
            OBSTACLES + SPHERE.replace("radius = 0.05", ""),
            "obstacles[0].shapes[0].radius: got nothing, allowed: a number > 0 (m)",
        ),
        (
            OBSTACLES + SPHERE + "hollow = 1",
            "obstacles[0].shapes[0].hollow: got 1, allowed: true or false",
        ),
        (
            OBSTACLES + SPHERE + "velocity = [0, nan, 0]",
            "obstacles[0].shapes[0].velocity: got [0, nan, 0], allowed: 3 finite numbers (m/s)",
        ),
        (
            OBSTACLES + PLANE.replace("[0, 1, 2]", "[0, 0, 0]"),
            "obstacles[0].shapes[0].normal: got '0 0 0', allowed: finite, not 0 0 0",
        ),
        (
            OBSTACLES + CAPSULE.replace("[0, 1, 0]", "[0, 0, 0]"),
            "obstacles[0].shapes[0].b: got '0 0 0', allowed: another point than a",
        ),
        (
            OBSTACLES + BOX.replace("0.1,", "0,"),
            "obstacles[0].shapes[0].half_extents: got '0 0.2 0.3', allowed: finite numbers > 0 (m)",
        ),
        (
            OBSTACLES + BOX.replace("0.1,", ""),
            "obstacles[0].shapes[0].half_extents: got [0.2, 0.3], allowed: 3 finite numbers (m)",
        ),
        (
            OBSTACLES + BOX + "quat = [0, 0, 0, 0]",
            "obstacles[0].shapes[0].quat: got [0.0, 0.0, 0.0, 0.0], allowed: four numbers, not",
        ),
        (
            OBSTACLES + BOX + "rotation = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]",
            "obstacles[0].shapes[0].rotation: got a key that is not known, allowed: centre, half",
        ),
        (
            HEAD + "equilibrium = true\nmax_iterations = 1\n" + FLOOR,
            "simulation.equilibrium: got true, allowed: false, or a scene with an equilibrium (st",
        ),
    ],
)
def test_bad_contact_names_table_key_and_value(text: str, words: str) -> None:
    with pytest.raises(StrandError) as caught:
        make(text)
    assert str(caught.value).startswith(words)


def test_python_checks_values_that_files_cannot_contain() -> None:
    simulation = make(ROD)
    with pytest.raises(StrandError, match=r"^node_radius: got shape \(3,\), allowed: one or \(21,"):
        simulation.add_floor(-1.0, node_radius=[0.1, 0.1, 0.1])
    with pytest.raises(StrandError, match=r"^velocity: got \[0, 0\], allowed: 3 finite numbers"):
        obstacles.sphere((0, 0, 0), 1.0).velocity = [0, 0]
    assert simulation.contacts == simulation.obstacles == []


def test_the_schema_lists_shapes_and_their_keys() -> None:
    shown = run("--schema").output.partition("[[obstacles.shapes]]")[2]
    for kind, keys in (
        ("plane", "point normal"),
        ("sphere", "centre radius hollow"),
        ("capsule", "a b radius hollow"),
        ("box", "centre half_extents quat"),
    ):
        described = re.search(rf"^  {kind}: .*\n((    .*(\n|$))+)", shown, re.MULTILINE)[1]
        assert re.findall(r"^    (\w+)", described, re.MULTILINE) == [
            *keys.split(),
            "velocity",
            "move",
        ]


def test_the_commented_parts_of_the_example_work(tmp_path: Path) -> None:
    live = re.sub(
        r"^# (\[\[obstacles|shapes|\[contact|friction)", r"\1", scene_file.EXAMPLE, flags=re.M
    )
    made = make(live)
    assert len(made.contacts) == 3 and len(made.obstacles) == 2
    made.run(0.05)


def test_the_report_lists_contacts(tmp_path: Path) -> None:
    scene, report = tmp_path / "scene.toml", tmp_path / "a.json"
    scene.write_text(HEAD + ROD + "[floor]\n[contact]\n")
    result = run(scene, "--json", report)
    assert result.exit_code == 0, result.output
    (found,) = json.loads(report.read_text())["results"]
    assert found["contacts"] == 21 and -TOLERANCE / 2 < found["gap"] < TOLERANCE
    assert f"; 21 contacts, smallest gap {found['gap']:.3g} m" in result.output
    alone = ROD.replace("segments = 20", "segments = 2")
    scene.write_text(HEAD + alone + "[contact]\n")  # all pairs are neighbours: nothing can touch
    result = run(scene, "--json", report)
    (found,) = json.loads(report.read_text())["results"]
    assert (found["contacts"], found["gap"]) == (0, None)
    assert "; 0 contacts\n" in result.output
    scene.write_text(HEAD + ROD)
    assert "contacts" not in run(scene, "--json", report).output
    (found,) = json.loads(report.read_text())["results"]
    assert found["contacts"] is None


def test_the_reported_gap_is_that_of_the_end() -> None:
    """A midpoint step evaluates its forces half a step earlier."""
    simulation = make(HEAD.replace("backward_euler", "midpoint") + ROD + "[floor]\n")
    summary = runner.run(simulation, 0.1, OutputTable())
    np.testing.assert_allclose(summary.gap, simulation.positions[:, 2].min() - RADIUS, rtol=1e-9)
    assert str(summary).endswith(f"; 0 contacts, smallest gap {summary.gap:.3g} m")


def test_a_restart_on_the_floor_continues_bitwise_the_same(tmp_path: Path) -> None:
    scene = tmp_path / "scene.toml"
    tilted = ROD + "quat = [1, 0.1, 0.1, 0]\n" + ACROSS + "[floor]\nheight = -0.3\nfriction = 0.4\n"
    scene.write_text(HEAD + tilted + "[contact]\nfriction = 0.2\n")
    half, end, whole = (tmp_path / f"{name}.npz" for name in ("half", "end", "whole"))
    assert run(scene, "--checkpoint", whole).exit_code == 0
    assert run(scene, "--duration", 0.3, "--checkpoint", half).exit_code == 0
    result = run(scene, "--duration", 0.3, "--restart", half, "--checkpoint", end)
    assert result.exit_code == 0, result.output
    with np.load(whole) as one, np.load(end) as other:
        for name in one.files:
            np.testing.assert_array_equal(one[name], other[name])


def test_obstacles_are_drawn_at_their_positions() -> None:
    level = PLANE.replace("[0, 1, 2]", "[0, 0, 3]")
    hollow = SPHERE.replace("0.05", "0.75") + "hollow = true\n"
    text = hollow + CAPSULE + BOX + "quat = [1, 0, 0, 1]\n" + PLANE + level
    simulation = make(FLOOR + "height = -1\n[[obstacles]]\n" + text)
    stage = drawn(simulation.obstacles, simulation.obstacle_poses, simulation.positions)
    assert stage["floor"] == -0.1  # the higher one
    sphere, capsule, box, wall = stage["obstacles"]
    assert sphere.size == [0.75] and sphere.rgba[3] < 0.5
    np.testing.assert_allclose(capsule.size, [0.05, 0.5])
    np.testing.assert_allclose(capsule.pos, [0, 0.5, 0])
    np.testing.assert_allclose(np.abs(capsule.quat), np.sqrt([0.5, 0.5, 0, 0]), atol=1e-12)
    np.testing.assert_allclose(box.quat, np.sqrt([0.5, 0, 0, 0.5]), atol=1e-12)
    np.testing.assert_allclose(box.size, [0.1, 0.2, 0.3])
    np.testing.assert_allclose(wall.size, [2.0, 2.0])
    np.testing.assert_allclose(np.dot(wall.pos - np.array([0, 0, -0.1]), [0, 1, 2]), 0, atol=1e-12)
    assert wall.pos[0] == 0.5  # at the middle of the rod


@pytest.mark.skipif(not can_render(), reason="MuJoCo cannot render here")
def test_a_picture_shows_obstacles(tmp_path: Path) -> None:
    from matplotlib.image import imread

    pictures = []
    for name, table in (("bare", "[contact]\n"), ("ball", "[[obstacles]]\n" + SPHERE)):
        scene, picture = tmp_path / f"{name}.toml", tmp_path / f"{name}.png"
        scene.write_text(ROD + table)
        assert run(scene, "--duration", 0, "--picture", picture).exit_code == 0
        pictures.append(imread(picture)[..., :3])
    changed = np.abs(pictures[0] - pictures[1]).max(axis=2) > 0.1
    assert 0.005 < changed.mean() < 0.1


@pytest.mark.parametrize("method", ["midpoint", "backward_euler"])
def test_reading_energies_does_not_change_contact_reports(method: str) -> None:
    def run(reads: bool) -> tuple[list, np.ndarray]:
        simulation = make(f"{HEAD.replace('backward_euler', method)}{ROD}{ACROSS}[contact]\n")
        floor = simulation.add_floor(-0.1, friction=0.4, law="regularised")
        simulation.set_velocities(np.tile((0.5, 0.0, -1.0), (len(simulation.positions), 1)))
        told = []

        def each(_: Simulation) -> None:
            if reads:
                assert np.isfinite([simulation.potential_energy, *simulation.reactions[:, 2]]).all()
            for contact in simulation.contacts:
                told.append((contact.gap, contact.contacts, contact.normal_force))
            told.append(floor.friction_force)

        simulation.run(0.3, each)
        return told, simulation.positions

    told, where = run(reads=False)
    told_again, where_again = run(reads=True)
    assert max(told[2::3]) > 0 and told_again == told
    np.testing.assert_array_equal(where_again, where)
