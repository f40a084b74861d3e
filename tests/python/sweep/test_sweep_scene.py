"""Results of scenes and cables in sweeps, against theory."""

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import brentq
from sweep_cases import write

from strand import StrandError, sweep
from strand.sweep.prepare import prepared

SCENES = Path(__file__).parents[3] / "assets" / "scenes"
LENGTH, RADIUS, DENSITY, GRAVITY = 0.5, 0.002, 1200.0, 9.81
WEIGHT = np.pi * RADIUS**2 * DENSITY * GRAVITY * LENGTH  #: N
CABLE = f"""
[shape]
type = "straight"
length = {LENGTH}
segments = 50
[section]
radius = {RADIUS}
[material]
EI = 0.1
GJ = 0.1
density = {DENSITY}
[ends]
start = "fixed"
"""
DOWN = CABLE.replace("[shape]", "[shape]\nquat = [1, 0, 1, 0]")
ROD = f"""
[[rod]]
name = "a"
EI = 0.1
GJ = 0.1
radius = {RADIUS}
density = {DENSITY}
shape = {{ type = "straight", length = {LENGTH}, segments = 50 }}
"""
SPEC = """
[run]
{kind} = "a.{kind}.toml"
results = {results}
{run}
[parameters.{name}]
path = {path}
grid = [1.0]
"""


def results(folder: Path, file: str, path: str, value: object, names: list[str], run: str) -> dict:
    """The results of one point, which sets one key."""
    kind = "cable" if "[material]" in file else "scene"
    (folder / f"a.{kind}.toml").write_text(file)
    text = SPEC.format(kind=kind, results=names, run=run, name="value", path=repr(path))
    spec = sweep.load(write(folder, text))
    return prepared(spec.task)({"value": value})


def test_a_stiff_cantilever_sinks_as_a_beam(tmp_path: Path) -> None:
    run = 'backend = "core"\nequilibrium = true'
    for EI in (0.1, 0.2):
        found = results(tmp_path, CABLE, "material.EI", EI, ["sag", "end_z", "start_force"], run)
        beam = WEIGHT * LENGTH**3 / (8 * EI)
        assert found["sag"] == pytest.approx(beam, rel=0.01)
        assert found["end_z"] == -found["sag"]
        assert found["start_force"] == pytest.approx(WEIGHT, rel=1e-6)


@pytest.mark.parametrize("run", ['backend = "core"\nequilibrium = true', "seconds = 0.5"])
def test_a_cable_that_hangs_straight_carries_its_weight(run: str, tmp_path: Path) -> None:
    names = ["largest_tension", "start_force", "end_force", "end_distance", "lowest"]
    found = results(tmp_path, DOWN, "material.density", 2 * DENSITY, names, run)
    assert found["start_force"] == pytest.approx(2 * WEIGHT, rel=1e-3)
    # The tension at the middle of the first edge, or at the first node.
    assert found["largest_tension"] == pytest.approx(2 * WEIGHT, rel=0.011)
    assert found["end_force"] == pytest.approx(0, abs=1e-3 * WEIGHT)
    assert found["end_distance"] == pytest.approx(LENGTH, rel=1e-4)
    assert found["lowest"] == pytest.approx(-LENGTH, rel=1e-4)


def test_an_arc_has_its_radius(tmp_path: Path) -> None:
    arc = CABLE.replace('"straight"', '"arc"\nangle = 1.0') + '[elasticity]\ncurvature = "angle"\n'
    for backend in ('backend = "core"', ""):
        run = f"{backend}\nseconds = 0.0"
        names = ["smallest_bend_radius", "end_distance"]
        found = results(tmp_path, arc, "shape.angle", 2.0, names, run)
        assert found["smallest_bend_radius"] == pytest.approx(LENGTH / 2.0, rel=1e-9)
        assert found["end_distance"] == pytest.approx(LENGTH * np.sin(1.0), rel=1e-3)


def test_a_straight_cable_has_an_infinite_bend_radius(tmp_path: Path) -> None:
    names = ["smallest_bend_radius", "elastic_energy"]
    found = results(tmp_path, DOWN, "section.radius", 0.002, names, "seconds = 0.0")
    assert found == {"smallest_bend_radius": np.inf, "elastic_energy": pytest.approx(0, abs=1e-25)}


def test_a_stretched_rod_has_the_tension_of_its_strain(tmp_path: Path) -> None:
    """The rod is placed at 1.01 times its length; EA is 4 EI / radius^2."""
    placed = (
        ROD + '[[place]]\nrod = "a"\nshape = { type = "straight", length = 0.5, segments = 50 }'
    )
    placed = "[simulation]\ngravity = [0, 0, 0]\n" + placed
    names = ["largest_tension", "a.largest_tension"]
    path = "place.0.shape.length"
    found = results(tmp_path, placed, path, 1.01 * LENGTH, names, "seconds = 0.0")
    assert found["largest_tension"] == pytest.approx(4 * 0.1 / RADIUS**2 * 0.01, rel=1e-9)
    assert found["largest_tension"] == found["a.largest_tension"]


def test_a_shrunk_rod_has_the_tension_of_its_supports(tmp_path: Path) -> None:
    held = '[[fix]]\nrod = "a"\nnodes = [0, -1]\n[[rest_length]]\nrod = "a"\nlength = 0.0099\n'
    shrunk = "[simulation]\ngravity = [0, 0, 0]\nequilibrium = true\n" + ROD + held
    names = ["largest_tension", "start_force"]
    length = 0.99 * LENGTH / 50
    found = results(tmp_path, shrunk, "rest_length.0.length", length, names, "seconds = 0.0")
    expected = 4 * 0.1 / RADIUS**2 * (1 / 0.99 - 1)
    assert found["largest_tension"] == pytest.approx(expected, rel=1e-6)
    assert found["start_force"] == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("EI", [0.5, 1.0])
def test_a_cantilever_bends_most_at_its_clamp(EI: float, tmp_path: Path) -> None:
    """The clamp's joint has the mean moment of half an edge: less by a fraction edge / 2 LENGTH."""
    run = 'backend = "core"\nequilibrium = true'
    found = results(tmp_path, CABLE, "material.EI", EI, ["smallest_bend_radius"], run)
    radius = EI / (WEIGHT * LENGTH / 2)
    assert found["smallest_bend_radius"] == pytest.approx(radius, rel=0.015)


def test_a_free_fall_has_its_energies(tmp_path: Path) -> None:
    names = ["kinetic_energy", "end_z"]
    run = "seconds = 0.1"
    found = results(tmp_path, ROD, "rod.a.density", 2 * DENSITY, names, run)
    mass, speed = 2 * WEIGHT / GRAVITY, GRAVITY * 0.1
    assert found["kinetic_energy"] == pytest.approx(mass * speed**2 / 2, rel=1e-6)
    assert found["end_z"] == pytest.approx(-GRAVITY * 0.1**2 / 2, rel=0.02)


def test_scale_and_offset_are_applied(tmp_path: Path) -> None:
    (tmp_path / "a.scene.toml").write_text(ROD)
    text = SPEC.format(
        kind="scene", results=["end_x"], run="seconds = 0.0", name="x", path='"rod.0.pos.0"'
    )
    spec = sweep.load(write(tmp_path, text.replace("[1.0]", "[1.0]\nscale = -2.0\noffset = 0.5")))
    assert "pos" not in spec.task.document["rod"][0]
    with pytest.raises(StrandError):  # pos is not in the file, so that it has no elements
        spec.check()
    (tmp_path / "a.scene.toml").write_text(ROD.replace("shape", "pos = [0, 0, 0]\nshape"))
    spec = sweep.load(tmp_path / "a.sweep.toml")
    assert prepared(spec.task)({"x": 3.0})["end_x"] == pytest.approx(-5.5 + LENGTH)


def test_branches_and_backends_agree(tmp_path: Path) -> None:
    """A trunk with a branch hangs at rest; both backends read the same shape and support."""
    branch = '[[branch]]\nname = "b"\nat = 0.25\nangle = 0.8\n'
    branch += 'shape = { type = "straight", length = 0.1, segments = 10 }\n'
    names = ["end_z", "b.end_z", "b.end_x", "sag"]
    cable = CABLE.replace("[ends]", "[damping]\nloss_time = 0.1\n[ends]") + branch
    still = 'backend = "core"\nequilibrium = true'
    core = results(tmp_path, cable, "material.EI", 0.2, names, still)
    plugin = results(tmp_path, cable, "material.EI", 0.2, names, "seconds = 3.0")
    for name in names:
        assert plugin[name] == pytest.approx(core[name], abs=0.02 * core["sag"])


def test_an_unstable_equilibrium_is_an_error(tmp_path: Path) -> None:
    """A column that stands upright above its buckling load."""
    column = ROD.replace('"a"', '"a"\nquat = [1, 0, -1, 0]')
    column += '[[fix]]\nrod = "a"\nedges = 0\n'
    run = "equilibrium = true"
    found = results(tmp_path, column, "rod.a.EI", 0.1, ["end_z"], run)
    assert found["end_z"] == pytest.approx(LENGTH, rel=1e-3)
    with pytest.raises(StrandError, match="equilibrium: got one that is not stable"):
        results(tmp_path, column, "rod.a.EI", WEIGHT * LENGTH**2 / 9.0, ["end_z"], run)


def test_the_hanging_loop_becomes_a_catenary_without_stiffness() -> None:
    spec = sweep.load(SCENES / "hanging_loop.sweep.toml")
    length, distance, weight = 0.6, 0.4, np.pi * 0.003**2 * 1500.0 * GRAVITY
    a = brentq(lambda a: 2 * a * np.sinh(distance / (2 * a)) - length, 0.05, 1.0)
    chain = a * (np.cosh(distance / (2 * a)) - 1)
    found = [prepared(spec.task)({"EI": EI, "distance": distance}) for EI in (4e-4, 1e-4, 1e-5)]
    assert [each["end_distance"] for each in found] == pytest.approx([distance] * 3, rel=1e-9)
    errors = [abs(each["sag"] - chain) for each in found]
    assert errors[0] > errors[1] > errors[2] and errors[2] < 1e-3 * chain
    assert found[2]["smallest_bend_radius"] == pytest.approx(a, rel=0.02)
    # The tension at the middle of the outermost of 40 edges is within one edge's weight of this.
    highest = weight * (a + chain)
    assert found[2]["largest_tension"] == pytest.approx(highest, abs=weight * length / 40)


def test_scenes_of_a_growing_robot_have_their_results(tmp_path: Path) -> None:
    scene = SCENES / "vine_at_a_wall.scene.toml"
    names = ["length", "tip_x", "tip_y", "contacts"]
    file = scene.read_text()
    found = results(tmp_path, file, "growth.rate", 0.05, names, "seconds = 0.5")
    assert found["length"] == pytest.approx(0.1 + 0.05 * 0.5, rel=1e-6)
    assert np.hypot(found["tip_x"], found["tip_y"]) == pytest.approx(found["length"], rel=1e-2)
    assert found["contacts"] == 0
