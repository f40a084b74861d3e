"""Builds the simulation that the tables of a scene file describe."""

import dataclasses
import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from strand.cable.shapes import SHAPES
from strand.errors import StrandError
from strand.io import text_geometry, toml_file
from strand.scene import (
    body as scene_body,
)
from strand.scene import (
    contact as scene_contact,
)
from strand.scene import (
    feed as scene_feed,
)
from strand.scene import (
    obstacle_mesh as scene_obstacle_mesh,
)
from strand.scene import (
    place as scene_place,
)
from strand.scene import (
    shell as scene_shell,
)
from strand.scene import (
    tendon as scene_tendon,
)
from strand.scene import (
    values as scene_values,
)
from strand.scene.keys import given_as, named, placed, read_file, read_keys
from strand.scene.parts import Part, Parts, chosen, given_keys
from strand.scene.shell import NaturalAngleTable
from strand.scene.tables import ClampTable, FixTable, LoadTable
from strand.simulation.arguments import RodMaterial, ShellMaterial
from strand.simulation.body import Body
from strand.simulation.geometry_network import network_from_text_geometry
from strand.simulation.network import Network
from strand.simulation.obstacle_mesh import ObstacleMesh
from strand.simulation.section import section_of
from strand.simulation.shell import Shell
from strand.simulation.simulation import Simulation, SolverError


class Builder:
    """Builds a simulation from the tables of a file, in the order that a simulation requires."""

    def __init__(self, read: dict[str, Any], folder: Path) -> None:
        self._read, self._folder = read, folder
        self._network = Network()
        self._parts = Parts()
        self._bodies: dict[str, Body] = {}
        self._meshes: list[ObstacleMesh] = []
        self._tendons: list[scene_tendon.Read] = []
        self._held: dict[int, str] = {}  # table that fixes or drives each degree of freedom

    def build(self, options: Any) -> Simulation:
        self._add_parts()
        self._join()
        for where, table in self._tables("clamp"):
            self._clamp(where, table)
        arguments = dataclasses.asdict(options)
        equilibrium = arguments.pop("equilibrium")
        del arguments["duration"]
        with named("simulation"):
            self._simulation = Simulation(self._network, **arguments)
        for where, table in self._tables("place"):
            part = self._parts.of(where, table)
            scene_place.place(self._simulation, where, table, part, self._folder)
        self._hold()
        self._act()
        self._add_contact()
        if equilibrium:
            self._settle()
        self._set_velocities()
        return self._simulation

    def _tables(self, name: str) -> Iterator[tuple[str, Any]]:
        for k, table in enumerate(self._read.get(name, [])):
            yield f"{name}[{k}]", table

    # Rods and shells.

    def _add_parts(self) -> None:
        if "geometry" in self._read:  # first, so that its parts are numbered as in error messages
            self._add_geometry(self._read["geometry"])
        for where, table in self._tables("rod"):
            self._add_rod(where, table)
        for where, table in self._tables("shell"):
            self._add_shell(where, table)
        for where, table in self._tables("body"):
            if table.name in self._bodies:
                raise StrandError(
                    f"{where}.name: got '{table.name}' again, allowed: each name once"
                )
            self._bodies[table.name] = scene_body.add_body(
                self._network, where, table, self._folder
            )
        for where, table in self._tables("obstacle_mesh"):
            mesh = scene_obstacle_mesh.add_obstacle_mesh(
                self._network, where, table, self._folder, contact="contact" in self._read
            )
            self._meshes.append(mesh)
        if not self._parts and not self._bodies:
            raise StrandError(
                "rod: got none, allowed: one table [[rod]] or more, [[shell]], [[body]] or "
                "[geometry]"
            )

    def _add_geometry(self, table: scene_shell.GeometryTable) -> None:
        read = read_file("geometry", table.file, self._folder, text_geometry.read)
        geometry = dataclasses.replace(read, nodes=placed("geometry", table, read.nodes))
        materials = {}
        for key, kind in (("rod", RodMaterial), ("shell", ShellMaterial)):
            if (content := getattr(table, key)) is not None:
                materials[key] = given_as(kind, read_keys(f"geometry.{key}", content, kind))
        if "rod" in materials:
            with named("geometry.rod"):
                section_of(**materials["rod"])  # so that an error names the table geometry.rod
        with named("geometry"):
            rods, shells, node_index = network_from_text_geometry(
                self._network, geometry, joint=table.joint, **materials
            )
        drawn = np.empty_like(geometry.nodes)
        drawn[node_index] = geometry.nodes
        for k, rod in enumerate(rods):
            self._parts.add("geometry", f"rod {k}", rod, drawn[rod.nodes])
        for k, shell in enumerate(shells):
            self._parts.add("geometry", f"shell {k}", shell, drawn[shell.nodes])

    def _add_rod(self, where: str, table: Any) -> None:
        shape = dict(table.shape)
        closed = table.closed
        if shape.get("type") == "ring" and not shape.get("overlap"):
            closed = shape.pop("closed", True)
        nodes = toml_file.shape(f"{where}.shape", shape, SHAPES)
        if closed and np.allclose(nodes[0], nodes[-1], rtol=0, atol=1e-9):
            nodes = nodes[:-1]
        drawn = placed(where, table, nodes)
        material = given_as(RodMaterial, table)
        with named(where):
            rod = self._network.rod(drawn, closed=closed, normal=table.normal, **material)
        self._parts.add(where, table.name, rod, drawn)

    def _add_shell(self, where: str, table: scene_shell.ShellTable) -> None:
        vertices, triangles = scene_shell.mesh(where, table, self._folder)
        with named(where):
            shell = self._network.shell(vertices, triangles, **given_as(ShellMaterial, table))
        self._parts.add(where, table.name, shell, vertices)

    def _join(self) -> None:
        for where, table in self._tables("connect"):
            rods = [self._parts.rod(where, name, "rods").made for name in table.rods]
            stiffness = {"EI": table.EI, "GJ": table.GJ}
            with named(where):
                self._network.connect(rods[0], table.nodes[0], rods[1], table.nodes[1], **stiffness)
        for where, table in self._tables("attach"):
            rod = self._parts.rod(where, table.rod).made
            shell = self._parts.shell(where, table.shell).made
            with named(where):
                self._network.attach(rod, table.node, shell, table.vertex, table.joint)
        for where, table in self._tables("attach_to_body"):
            rod = self._parts.rod(where, table.rod).made
            if table.body not in self._bodies:
                allowed = ", ".join(self._bodies) or "none, as there is no body"
                raise StrandError(f"{where}.body: got '{table.body}', allowed: {allowed}")
            with named(where):
                self._network.attach_to_body(rod, table.node, self._bodies[table.body], table.joint)
        self._tendons = [
            scene_tendon.read_points(self._network, self._bodies, where, table)
            for where, table in self._tables("tendon")
        ]

    def _clamp(self, where: str, table: ClampTable) -> None:
        part = self._parts.of(where, table)
        for key in ("edges", "x", "y", "z") if part.is_rod else ("end",):
            if getattr(table, key) is not None:
                kind = "rod" if part.is_rod else "shell"
                raise StrandError(f"{where}.{key}: not allowed together with `{kind}`")
        if isinstance(part.made, Shell):
            edges = chosen(where, table, part, "edges", among=part.made.rim)
            with named(where):
                self._network.clamp_shell(part.made, edges)
            return
        if table.end is None:
            raise StrandError(f"{where}.end: got nothing, allowed: start, end")
        with named(where):
            self._network.clamp(part.made, table.end)

    # Supports and drives.

    def _hold(self) -> None:
        simulation = self._simulation
        for where, table in self._tables("body"):
            body = self._bodies[table.name]
            scene_body.hold_body(simulation, body, where, table, self._folder)
        for mesh, (where, table) in zip(self._meshes, self._tables("obstacle_mesh"), strict=True):
            scene_obstacle_mesh.move_obstacle_mesh(simulation, mesh, where, table, self._folder)
        for where, table in self._tables("fix"):
            self._fix(where, table)
        for where, table in self._tables("move"):
            part = self._parts.of(where, table)
            if not given_keys(table, "nodes"):
                raise StrandError(f"{where}: got no nodes, allowed: nodes, or a region x, y, z")
            nodes = self._indices(where, table, "nodes", part)
            path = self._function(where, table, "velocity", 3, rate=True)
            self._claim(where, "nodes", simulation.node_dofs(nodes))
            simulation.move_node(nodes, path)
        for where, table in self._tables("turn"):
            edges = self._indices(where, table, "edges", self._parts.rod(where, table.rod))
            turn = self._function(where, table, "rate", 1, rate=True)
            self._claim(where, "edges", simulation.spin_dofs(edges))
            simulation.turn_edge(edges, functools.partial(_first, turn))

        for where, table in self._tables("turn_clamp"):
            rod = self._parts.rod(where, table.rod).made
            turn = self._function(where, table, "rate", 3, rate=True)
            with named(where):
                simulation.turn_clamp(rod, table.end, turn)
        for where, table in self._tables("feed"):
            fed = self._parts.rod(where, table.rod)
            self._claim(where, "rod", scene_feed.held_dofs(simulation, fed.made))
            scene_feed.add_feed(simulation, fed, where, table, self._folder)

    def _fix(self, where: str, table: FixTable) -> None:
        part, simulation = self._parts.of(where, table), self._simulation
        keys = given_keys(table, "nodes", "edges", "spins")
        if not keys:
            raise StrandError(
                f"{where}: got no nodes, allowed: nodes, edges or spins, or a region x, y, z"
            )
        at = {key: chosen(where, table, part, key) for key in keys}
        nodes, edges, spins = (
            part.indices(key)[at.get(key, [])].tolist() for key in ("nodes", "edges", "spins")
        )
        ends = part.indices("nodes")[part.ends("edges")[at.get("edges", [])]].ravel().tolist()
        turning = spins + (edges if part.spins else [])
        with named(where):
            if table.along is None and table.across is None:
                dofs = simulation.node_dofs(nodes, table.axes)
                simulation.fix_node(nodes, table.axes)
            else:
                dofs = simulation.node_dofs(nodes)
                simulation.slide_node(nodes, table.along, table.across)
            dofs += simulation.node_dofs(ends)
            simulation.fix_node(ends)
            if part.is_rod:
                dofs += simulation.spin_dofs(turning)
                simulation.fix_spin(turning)
            else:
                dofs += map(simulation.rotation_dof, turning)
                simulation.fix_rotation(turning)
        self._held |= dict.fromkeys(dofs, where)

    def _claim(self, where: str, key: str, dofs: list[int]) -> None:
        for dof in dofs:
            if dof in self._held:
                raise StrandError(
                    f"{where}.{key}: got {key} fixed or driven by {self._held[dof]}, allowed: "
                    f"{key} that no other table fixes or drives"
                )
        self._held |= dict.fromkeys(dofs, where)

    # Loads and natural shapes.

    def _act(self) -> None:
        simulation = self._simulation
        setter: Callable[..., None]
        for where, table in self._tables("load"):
            self._load(where, table)
        for name, key, quantity, width, setter in (
            ("natural_curvature", "joints", "curvature", 2, simulation.set_natural_curvature),
            ("natural_twist", "joints", "twist", 1, simulation.set_natural_twist),
        ):
            for where, table in self._tables(name):
                part = self._parts.rod(where, table.rod)
                indices = self._indices(where, table, key, part)
                self._set(where, table, indices, quantity, width, setter, each=True)
        for where, table in self._tables("natural_angle"):
            edges = self._folds(where, table)
            setter = simulation.set_natural_angle
            self._set(where, table, edges, "angle", 1, setter, each=True)
        for where, table in self._tables("rest_length"):
            of = self._parts.of(where, table)
            edges = self._indices(where, table, "edges", of)
            setter = simulation.set_rest_length if of.is_rod else simulation.set_mesh_rest_length
            self._set(where, table, edges, "length", 1, setter, each=True)

        for where, table in self._tables("pressure"):
            shell = self._parts.shell(where, table.shell).made
            setter = functools.partial(self._inflate, shell)
            self._set(where, table, [], "pressure", 1, setter)
        for (where, table), points in zip(self._tables("tendon"), self._tendons, strict=True):
            scene_tendon.add_tendon(simulation, self._parts, points, where, table, self._folder)

    def _inflate(self, shell: Shell, _: list[int], pressure: float) -> None:
        self._simulation.set_pressure(shell, pressure)

    def _load(self, where: str, table: LoadTable) -> None:
        part, simulation = self._parts.of(where, table), self._simulation
        keys = given_keys(table, "nodes", "edges")
        if len(keys) != 1:
            raise StrandError(f"{where}: got both or none, allowed: one of nodes and edges")
        if keys == ["edges"] and not part.is_rod:
            raise StrandError(f"{where}.edges: not allowed together with `shell`")
        for key, name in (("edges", "force"), ("nodes", "moment")):
            if key in keys and getattr(table, name) is not None:
                raise StrandError(f"{where}.{name}: not allowed together with `{key}`")
        indices = self._indices(where, table, keys[0], part)
        if keys == ["nodes"]:
            self._set(where, table, indices, "force", 3, simulation.load_node)
        else:
            self._set(where, table, indices, "moment", 1, simulation.load_spin)

    def _folds(self, where: str, table: NaturalAngleTable) -> list[int]:
        """The edges whose natural angles a table sets, in its order."""
        part = self._parts.shell(where, table.shell)
        inner = np.setdiff1d(np.arange(len(part.made.edges)), part.made.rim)
        places = chosen(where, table, part, "edges", among=inner)
        if table.order is not None:
            ends = part.drawn[part.ends("edges")[places], "xyz".index(table.order)]
            places = places[np.argsort(ends.mean(axis=1), kind="stable")]
        return part.indices("edges")[places].tolist()

    def _set(
        self,
        where: str,
        table: Any,
        indices: list[int],
        quantity: str,
        width: int,
        setter: Callable[..., None],
        each: bool = False,
    ) -> None:
        """Sets a quantity of nodes, edges or joints, once or before every step.

        width: number of components. each: the table may give as many numbers for each index.
        """
        counts = [width, width * len(indices)] if each else [width]
        function = self._function(where, table, quantity, *counts)

        def act(time: float) -> None:
            values = function(time)
            if each:
                rows = values.reshape(-1, width)
                setter(indices, rows if width > 1 else np.broadcast_to(rows[:, 0], len(indices)))
            else:
                setter(indices, values if width > 1 else values[0])

        with named(where):
            act(0.0)
        if table.file is not None:
            self._simulation.drive(act)

    def _add_contact(self) -> None:
        for name, add in (
            ("floor", scene_contact.add_floor),
            ("contact", scene_contact.add_contact),
        ):
            if name in self._read:
                with named(name):
                    add(self._simulation, self._read[name])
        for where, table in self._tables("obstacles"):
            with named(where):
                scene_contact.add_obstacles(self._simulation, table, self._folder)

    def _settle(self) -> None:
        try:
            self._simulation.solve()
        except SolverError as error:
            raise StrandError(
                f"simulation.equilibrium: got true, allowed: false, or a scene with an equilibrium "
                f"({error})"
            ) from None

    def _set_velocities(self) -> None:
        velocities = np.zeros_like(self._simulation.positions)
        for where, table in self._tables("velocity"):
            nodes = self._indices(where, table, "nodes", self._parts.of(where, table))
            velocities[nodes] = table.velocity
        if self._read.get("velocity"):
            self._simulation.set_velocities(velocities)
        for _, table in self._tables("body"):
            scene_body.set_velocity(self._simulation, self._bodies[table.name], table)

    # Indices and numbers of a table.

    def _indices(self, where: str, table: Any, key: str, part: Part[Any]) -> list[int]:
        """Indices in the network of the nodes, edges or joints that a table selects."""
        return part.indices(key)[chosen(where, table, part, key)].tolist()

    def _function(
        self, where: str, table: Any, constant: str, *counts: int, rate: bool = False
    ) -> Callable[[float], np.ndarray]:
        return scene_values.function(where, table, self._folder, constant, *counts, rate=rate)


def _first(function: Callable[[float], np.ndarray], time: float) -> float:
    return function(time)[0]
