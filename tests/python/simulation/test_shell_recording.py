"""Recordings of networks with shells."""

from pathlib import Path

import numpy as np
import pytest

from strand import meshes
from strand.simulation import Network, Simulation

SERIES = ("velocity", "reaction", "spin", "kinetic_energy", "potential_energy")


def falling(with_rod: bool) -> Simulation:
    network = Network()
    nodes, triangles = meshes.strip(0.4, 0.2, 0.1)
    sheet = network.shell(nodes, triangles, young=1e6, thickness=1e-3, density=1000.0)
    if with_rod:
        line = nodes[0] - np.outer(np.linspace(0, 0.3, 4), [1, 0, 0])
        rod = network.rod(line, young=1e6, radius=0.01, density=1000.0)
        network.attach(rod, 0, sheet, 0)
    return Simulation(network, dt=0.01, gravity=(0, 0, -9.81))


@pytest.mark.parametrize("with_rod", (False, True))
def test_npz_has_triangles_and_ribs_once(with_rod: bool, tmp_path: Path) -> None:
    simulation = falling(with_rod)
    with simulation.record(tmp_path / "a.npz", series=SERIES):
        simulation.run(0.03)
    network = simulation.network
    with np.load(tmp_path / "a.npz") as found:
        np.testing.assert_array_equal(found["triangles"], network.triangles)
        np.testing.assert_array_equal(found["ribs"], network.core.ribs)
        np.testing.assert_array_equal(found["edges"], network.edge_nodes)
        assert found["positions"].shape == (4, len(simulation.positions), 3)
        np.testing.assert_array_equal(found["positions"][-1], simulation.positions)
        assert found["spin"].shape == (4, len(network.edge_nodes))
    assert (len(network.core.ribs) > 0) == with_rod


@pytest.mark.parametrize("with_rod", (False, True))
def test_paraview_gets_triangles_and_rods_but_no_ribs(with_rod: bool, tmp_path: Path) -> None:
    simulation = falling(with_rod)
    with simulation.record(tmp_path / "a.pvd", series=SERIES):
        simulation.run(0.01)
    head = (tmp_path / "a_000001.vtp").read_bytes().partition(b"<AppendedData")[0].decode()
    assert f'NumberOfPolys="{len(simulation.network.triangles)}"' in head
    assert f'NumberOfLines="{3 if with_rod else 0}"' in head


def test_csv_has_a_column_per_number(tmp_path: Path) -> None:
    simulation = falling(with_rod=False)
    with simulation.record(tmp_path / "a.csv", series=SERIES):
        simulation.run(0.01)
    rows = [line.split(",") for line in (tmp_path / "a.csv").read_text().splitlines()]
    assert {len(row) for row in rows} == {1 + 9 * len(simulation.positions) + 2}
    assert not any("director" in name or "spin" in name for name in rows[0])
