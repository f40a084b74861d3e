"""Obstacle meshes in scene files: their table, and the obstacles that it describes."""

import dataclasses
from pathlib import Path
from typing import Any

from strand import meshes
from strand.errors import StrandError
from strand.io import toml_file
from strand.io.options import NEEDED, TEXT, Kind, key, optional, positive
from strand.scene.contact import driven_path
from strand.scene.keys import Placed, named, placed, read_file
from strand.simulation.network import Network
from strand.simulation.obstacle_mesh import ObstacleMesh
from strand.simulation.simulation import Simulation


@dataclasses.dataclass(kw_only=True)
class ObstacleMeshTable(Placed):
    """An obstacle that is a triangle mesh. The table [contact] sets its contact."""

    file: str = key(NEEDED, ".stl, .obj, .ply or .off", TEXT)
    scale: float = key(1.0, "of the file; 0.001 if it is in millimetres", positive("m per unit"))
    move: dict[str, Any] | None = key(
        None,
        "a table [obstacle_mesh.move], as [obstacles.shapes.move], that drives the mesh",
        optional(Kind("a table", lambda value: toml_file.table("", value))),
    )


def add_obstacle_mesh(
    network: Network, where: str, table: ObstacleMeshTable, folder: Path, contact: bool
) -> ObstacleMesh:
    """Adds an obstacle mesh. contact: whether the scene has the table [contact], as required."""
    if not contact:
        raise StrandError(f"{where}: got no table [contact], allowed: a scene with this table")
    vertices, triangles = read_file(
        where, table.file, folder, lambda path: meshes.read(path, table.scale)
    )
    with named(where):
        return network.obstacle_mesh(placed(where, table, vertices), triangles)


def move_obstacle_mesh(
    simulation: Simulation, mesh: ObstacleMesh, where: str, table: ObstacleMeshTable, folder: Path
) -> None:
    if table.move is not None:
        simulation.move_obstacle(mesh, driven_path(f"{where}.move", table.move, folder))
