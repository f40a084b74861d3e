"""Pressure of the fluid in closed shells."""

from pathlib import Path

import numpy as np
import pytest
import trimesh

from strand import StrandError, meshes
from strand.scene import file as scene_file
from strand.simulation import Network, Simulation
from strand.simulation.shell import Shell

YOUNG, POISSON, THICKNESS, RADIUS = 1e6, 0.3, 1e-3, 0.1
MATERIAL = {"young": YOUNG, "poisson": POISSON, "thickness": THICKNESS, "density": 1000.0}
STILL = (0.0, 0.0, 0.0)


def ball(subdivisions: int = 3) -> tuple[np.ndarray, np.ndarray]:
    made = trimesh.creation.icosphere(subdivisions, RADIUS)
    return np.array(made.vertices), np.array(made.faces)


def inflated(pressure: float, mesh=None, **options) -> tuple[Simulation, Shell]:
    network = Network()
    shell = network.shell(*(mesh or ball()), **MATERIAL)
    simulation = Simulation(network, **{"gravity": STILL} | options)
    simulation.set_pressure(shell, pressure)
    return simulation, shell


def test_a_sphere_expands_like_a_thin_shell() -> None:
    """u = p R^2 (1 - nu) / (2 E h), measured as the mean radius of the polyhedron."""
    pressure = 20.0
    simulation, shell = inflated(pressure)
    before = np.linalg.norm(simulation.positions, axis=1).mean()
    volume = simulation.enclosed_volume(shell)
    simulation.solve()
    grown = np.linalg.norm(simulation.positions, axis=1).mean() - before
    expected = pressure * RADIUS**2 * (1 - POISSON) / (2 * YOUNG * THICKNESS)
    assert grown == pytest.approx(expected, rel=0.01)
    assert simulation.enclosed_volume(shell) / volume - 1 == pytest.approx(
        3 * expected / RADIUS, rel=0.02
    )


def test_a_tube_is_stretched_across_twice_as_much_as_along() -> None:
    """Rigid caps: hoop (1 - nu / 2) p R / E h, axial (1/2 - nu) p R / E h, away from the ends."""
    made = trimesh.creation.cylinder(0.05, 0.2, sections=24)
    mesh = meshes.refined(made.vertices, made.faces, 0.014)
    # Refined on the cylinder; the caps stay flat.
    vertices = mesh[0].copy()
    side = np.abs(vertices[:, 2]) < 0.1 - 1e-9
    across = np.linalg.norm(vertices[side, :2], axis=1, keepdims=True)
    vertices[side, :2] *= 0.05 / across
    pressure = 10.0
    simulation, _ = inflated(pressure, (vertices, mesh[1]))
    caps = np.flatnonzero(np.abs(vertices[:, 2]) > 0.1 - 1e-9)
    simulation.fix_node(caps, "xy")
    simulation.solve()
    moved = simulation.positions - vertices
    middle = np.abs(vertices[:, 2]) < 0.05
    radial = (moved * vertices)[:, :2].sum(axis=1) / 0.05
    unit = pressure * 0.05 / (YOUNG * THICKNESS)
    assert radial[middle].mean() / 0.05 == pytest.approx((1 - POISSON / 2) * unit, rel=0.03)
    along = np.polyfit(vertices[middle, 2], moved[middle, 2], 1)[0]
    assert along == pytest.approx((0.5 - POISSON) * unit, rel=0.06)


def test_volume_is_that_of_the_polyhedron() -> None:
    simulation, shell = inflated(0.0)
    assert simulation.enclosed_volume(shell) == pytest.approx(trimesh.Trimesh(*ball()).volume)
    vertices, triangles = ball()
    simulation, shell = inflated(0.0, (vertices, triangles[:, ::-1]))
    assert simulation.enclosed_volume(shell) > 0


def test_momentum_is_conserved_and_energy_comes_from_the_pressure() -> None:
    """Released under pressure, the ball oscillates about its equilibrium and does not drift."""
    simulation, shell = inflated(500.0, ball(2), dt=1e-4, method="midpoint")
    start = simulation.positions.mean(axis=0)
    volume = simulation.enclosed_volume(shell)
    energies = []
    for _ in range(5):
        simulation.run(2e-3)
        energies.append(simulation.kinetic_energy + simulation.potential_energy)
    assert simulation.enclosed_volume(shell) > volume
    np.testing.assert_allclose(simulation.positions.mean(axis=0), start, atol=1e-12)
    scale = 500.0 * (simulation.enclosed_volume(shell) - volume)
    assert np.ptp(energies) < 0.02 * scale
    assert abs(simulation.energy_made) < 0.02 * scale


def test_a_pillow_supports_a_load_in_time() -> None:
    """Two square sheets with a common rim, flat at first, are separated by pressure."""
    vertices, triangles = meshes.strip(length=0.2, width=0.2, size=0.02)
    rim = np.isclose(np.abs(vertices - vertices.mean(axis=0))[:, :2], 0.1).any(axis=1)
    upper = np.where(rim, np.arange(len(vertices)), np.cumsum(~rim) - 1 + len(vertices))
    both = np.concatenate([vertices, vertices[~rim]])
    both[len(vertices) :, 2] += 1e-3
    mesh = both, np.concatenate([triangles[:, ::-1], upper[triangles]])
    simulation, shell = inflated(0.0, mesh, dt=2e-3)
    flat = simulation.enclosed_volume(shell)
    simulation.drive(lambda t: simulation.set_pressure(shell, 300.0 * min(t / 0.1, 1.0)))
    simulation.run(0.4)
    assert simulation.enclosed_volume(shell) > 20 * flat
    height = np.ptp(simulation.positions[:, 2])
    assert 0.02 < height < 0.15
    assert simulation.energy_made < 0


def test_open_shells_and_bad_numbers_are_rejected() -> None:
    network = Network()
    shell = network.shell(*meshes.strip(length=0.1, width=0.1, size=0.05), **MATERIAL)
    simulation = Simulation(network)
    with pytest.raises(StrandError, match="shell: got 'an open one: its edge from shell 0, vertex"):
        simulation.set_pressure(shell, 1.0)
    simulation, closed = inflated(1.0)
    for bad in (np.nan, np.inf, "1", None):
        with pytest.raises(StrandError, match="pressure: got"):
            simulation.set_pressure(closed, bad)
    with pytest.raises(StrandError, match="shell: got one of another network"):
        simulation.set_pressure(shell, 1.0)
    with pytest.raises(StrandError, match="shell: got 0"):
        simulation.enclosed_volume(0)


def test_scene_files_have_it(tmp_path: Path) -> None:
    vertices, triangles = ball(2)
    lines = ["*Nodes", *(f"{x}, {y}, {z}" for x, y, z in vertices), "*Triangles"]
    lines += [f"{a}, {b}, {c}" for a, b, c in triangles + 1]
    (tmp_path / "ball.txt").write_text("\n".join(lines) + "\n")
    (tmp_path / "pump.csv").write_text("0, 0\n0.1, 100\n")
    scene = """\
[simulation]
gravity = [0.0, 0.0, 0.0]
[[shell]]
name = "ball"
young = 1e6
thickness = 1e-3
density = 1000.0
file = "ball.txt"
[[pressure]]
shell = "ball"
"""
    volumes = []
    for given in ("pressure = 100.0", 'file = "pump.csv"', "pressure = 0.0"):
        (tmp_path / "scene.toml").write_text(scene + given + "\n")
        simulation = scene_file.load(tmp_path / "scene.toml").simulation
        simulation.run(0.3)
        volumes.append(simulation.enclosed_volume(Shell(0, simulation.network.core)))
    assert volumes[0] > 1.001 * volumes[2]
    assert volumes[1] == pytest.approx(volumes[0], rel=1e-3)
    assert "[[pressure]]" in scene_file.schema()
    (tmp_path / "scene.toml").write_text(scene)
    with pytest.raises(StrandError, match=r"pressure\[0\]: got none, allowed: one of pressure and"):
        scene_file.load(tmp_path / "scene.toml")
