"""Scenes of networks of rods: Python files that make one, and TOML files that describe one."""

import dataclasses
import runpy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from strand import tables, toml_file
from strand.errors import StrandError
from strand.simulation import scene_contact, scene_tables
from strand.simulation.network import Network, Rod
from strand.simulation.scene_keys import named, read_keys, rotation
from strand.simulation.scene_tables import OFTEN, ONCE, OutputTable, Timed
from strand.simulation.simulation import Simulation, SolverError

EXAMPLE = """\
# A scene for `strand simulate`. SI units, angles in rad. `strand simulate --schema` lists
# everything that may stand here; what is left out has the default given there.

[simulation]
duration = 2.0              # s
dt = 0.002                  # s
gravity = [0.0, 0.0, -9.81]
method = "backward_euler"   # damps, and takes contact at large steps; midpoint keeps energy

[[rod]]
name = "cable"
young = 5e6                 # Pa
radius = 0.004              # m
density = 1100.0            # kg/m^3
shape = { type = "straight", length = 1.0, segments = 40 }

[[clamp]]                   # the direction of its start, and the node there
rod = "cable"
end = "start"

[[fix]]
rod = "cable"
nodes = 0

[[velocity]]                # what is not fixed starts sideways
rod = "cable"
velocity = [0.0, 0.3, 0.0]

[floor]                     # it touches this before it hangs straight
height = -0.8               # m
friction = 0.4

# Other obstacles (plane, sphere, capsule, box), and contact of rods with each other:
# [[obstacles]]
# friction = 0.4
# shapes = [{ type = "sphere", centre = [0.2, 0.0, -0.5], radius = 0.1 }]
# [contact]
# friction = 0.2

# Driven by a table of the time (s) and a displacement (m), instead of a constant velocity:
# [[move]]
# rod = "cable"
# nodes = -1
# file = "hand.csv"

[output]
every = 0.02                # s
file = "cable.npz"          # .csv, .npz, or .pvd for ParaView
"""


@dataclasses.dataclass
class Scene:
    """A simulation, and what its file says of its run."""

    simulation: Simulation
    duration: float | None = None  #: s
    output: OutputTable = dataclasses.field(default_factory=OutputTable)


def load(path: str | Path) -> Scene:
    """The scene of a .py file, which defines `make() -> Simulation`, or of a .toml file."""
    path = Path(path)
    if path.suffix == ".py":
        return Scene(_run_python(path))
    if path.suffix == ".toml":
        return toml_file.load(path, lambda text: from_toml(text, path.parent))
    raise StrandError(f"scene: got '{path}', allowed: a file that ends in .py or .toml")


def _run_python(path: Path) -> Simulation:
    if not path.is_file():
        raise StrandError(f"scene: got '{path}', allowed: a readable file")
    make = runpy.run_path(str(path)).get("make")
    if not callable(make):
        raise StrandError(f"{path}: make: got nothing, allowed: a function that gives a Simulation")
    made = make()
    if not isinstance(made, Simulation):
        raise StrandError(f"{path}: make: got {type(made).__name__}, allowed: a Simulation")
    return made


def from_toml(text: str, folder: str | Path = ".") -> Scene:
    """The scene that a TOML text describes; `folder` is where the files lie that it names."""
    content = toml_file.document(text)
    read: dict[str, Any] = {}
    for name, given in content.items():
        if name in ONCE:
            read[name] = read_keys(name, toml_file.table(name, given), ONCE[name])
        elif name in OFTEN:
            items = enumerate(toml_file.tables(name, given))
            read[name] = [read_keys(f"{name}[{k}]", item, OFTEN[name]) for k, item in items]
        else:
            raise toml_file.unknown(name, "a table", [*ONCE, *OFTEN])
    builder = _Builder(read, Path(folder))
    options = read.get("simulation", ONCE["simulation"]())
    output = read.get("output", OutputTable())
    for key in ("file", "picture", "film", "checkpoint"):
        if (named := getattr(output, key)) is not None:
            setattr(output, key, str(Path(folder) / named))
    return Scene(builder.build(options), options.duration, output)


class _Builder:
    """Makes a simulation of the tables read, in the order that a simulation needs."""

    def __init__(self, read: dict[str, Any], folder: Path) -> None:
        self._read, self._folder = read, folder
        self._network = Network()
        self._rods: dict[str, Rod] = {}
        self._held: dict[int, str] = {}  # degrees of freedom, and the table that holds each

    def build(self, options: Any) -> Simulation:
        for where, table in self._tables("rod"):
            self._add_rod(where, table)
        if not self._rods:
            raise StrandError("rod: got none, allowed: one table [[rod]] or more")
        for where, table in self._tables("connect"):
            rod_a, rod_b = (self._rod(where, name, "rods") for name in table.rods)
            with named(where):
                self._network.connect(
                    rod_a, table.nodes[0], rod_b, table.nodes[1], EI=table.EI, GJ=table.GJ
                )
        for where, table in self._tables("clamp"):
            rod = self._rod(where, table.rod)
            with named(where):
                self._network.clamp(rod, table.end)
        arguments = dataclasses.asdict(options)
        equilibrium = arguments.pop("equilibrium")
        del arguments["duration"]
        with named("simulation"):
            self._simulation = Simulation(self._network, **arguments)
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

    def _rod(self, where: str, name: str, key: str = "rod") -> Rod:
        if name not in self._rods:
            raise StrandError(f"{where}.{key}: got '{name}', allowed: {', '.join(self._rods)}")
        return self._rods[name]

    def _add_rod(self, where: str, table: Any) -> None:
        if table.name in self._rods:
            raise StrandError(f"{where}.name: got '{table.name}' again, allowed: each name once")
        arguments = dataclasses.asdict(table)
        for key in ("name", "shape", "pos", "quat", "closed"):
            del arguments[key]
        shape = dict(table.shape)
        closed = table.closed
        if shape.get("type") == "ring" and not shape.get("overlap"):
            closed = shape.pop("closed", True)
        nodes = toml_file.shape(f"{where}.shape", shape)
        if closed and np.allclose(nodes[0], nodes[-1], rtol=0, atol=1e-9):
            nodes = nodes[:-1]
        turned = rotation(where, table.quat)
        with named(where):
            placed = nodes @ turned.T + table.pos
            self._rods[table.name] = self._network.rod(placed, closed=closed, **arguments)

    # What is held and driven.

    def _hold(self) -> None:
        simulation = self._simulation
        for where, table in self._tables("fix"):
            rod = self._rod(where, table.rod)
            nodes, edges, spins = (
                self._indices(where, table, key, of)
                for key, of in (("nodes", rod.nodes), ("edges", rod.edges), ("spins", rod.edges))
            )
            if not nodes + edges + spins:
                raise StrandError(f"{where}: got none, allowed: nodes, edges or spins")
            ends = self._network.edge_nodes[edges].ravel().tolist() if edges else []
            with named(where):
                dofs = [*simulation.node_dofs(nodes, table.axes), *simulation.node_dofs(ends)]
                dofs += simulation.spin_dofs(edges + spins)
                simulation.fix_node(nodes, table.axes)
                simulation.fix_edge(edges)
                simulation.fix_spin(spins)
            self._held |= dict.fromkeys(dofs, where)
        for where, table in self._tables("move"):
            nodes = self._indices(where, table, "nodes", self._rod(where, table.rod).nodes)
            path = self._function(where, table, "velocity", 3, rate=True)
            self._claim(where, "nodes", simulation.node_dofs(nodes))
            simulation.move_node(nodes, path)
        for where, table in self._tables("turn"):
            edges = self._indices(where, table, "edges", self._rod(where, table.rod).edges)
            turn = self._function(where, table, "rate", 1, rate=True)
            self._claim(where, "edges", simulation.spin_dofs(edges))
            simulation.turn_edge(edges, lambda time, turn=turn: turn(time)[0])

    def _claim(self, where: str, key: str, dofs: list[int]) -> None:
        for dof in dofs:
            if dof in self._held:
                raise StrandError(
                    f"{where}.{key}: got what {self._held[dof]} holds, allowed: {key} that nothing "
                    "else holds or drives"
                )
        self._held |= dict.fromkeys(dofs, where)

    # What acts on the rods.

    def _act(self) -> None:
        simulation = self._simulation
        for where, table in self._tables("load"):
            rod = self._rod(where, table.rod)
            if (table.nodes is None) == (table.edges is None):
                raise StrandError(f"{where}: got both or none, allowed: one of nodes and edges")
            for key, name in (("edges", "force"), ("nodes", "moment")):
                if getattr(table, key) is not None and getattr(table, name) is not None:
                    raise StrandError(f"{where}.{name}: got one, allowed: none with {key}")
            if table.nodes is not None:
                self._set(where, table, "nodes", rod.nodes, "force", 3, simulation.load_node)
            else:
                self._set(where, table, "edges", rod.edges, "moment", 1, simulation.load_spin)
        for name, key, of, quantity, width, set_them in (
            ("natural_curvature", "joints", "joints", "curvature", 2, "set_natural_curvature"),
            ("natural_twist", "joints", "joints", "twist", 1, "set_natural_twist"),
            ("rest_length", "edges", "edges", "length", 1, "set_rest_length"),
        ):
            for where, table in self._tables(name):
                parts = getattr(self._rod(where, table.rod), of)
                setter = getattr(simulation, set_them)
                self._set(where, table, key, parts, quantity, width, setter, each=True)

    def _set(
        self,
        where: str,
        table: Timed,
        key: str,
        parts: list[int],
        quantity: str,
        width: int,
        setter: Callable,
        each: bool = False,
    ) -> None:
        """Sets a quantity of nodes, edges or joints, once or before every step.

        `width` numbers for all alike, or, where `each` may have its own, so many for each.
        """
        indices = self._indices(where, table, key, parts)
        if getattr(table, key) is None:
            indices = parts
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
                scene_contact.add_obstacles(self._simulation, table)

    def _settle(self) -> None:
        try:
            self._simulation.solve()
        except SolverError as error:
            raise StrandError(
                f"simulation.equilibrium: got true, allowed: false, or a scene where one is found "
                f"({error})"
            ) from None

    def _set_velocities(self) -> None:
        velocities = np.zeros_like(self._simulation.positions)
        for where, table in self._tables("velocity"):
            rod = self._rod(where, table.rod)
            velocities[self._indices(where, table, "nodes", rod.nodes) or rod.nodes] = (
                table.velocity
            )
        if self._read.get("velocity"):
            self._simulation.set_velocities(velocities)

    # Numbers of a table.

    def _indices(self, where: str, table: Any, key: str, parts: list[int]) -> list[int]:
        """Parts of the rod by their places along it, as the network counts them."""
        count = len(parts)
        for place in getattr(table, key) or []:
            if not -count <= place < count:
                raise StrandError(f"{where}.{key}: got {place}, allowed: {-count} to {count - 1}")
        return [parts[place] for place in getattr(table, key) or []]

    def _function(
        self, where: str, table: Timed, constant: str, *counts: int, rate: bool = False
    ) -> Callable[[float], np.ndarray]:
        """The numbers at a time: those of the file, the constant, or, of a rate, its integral."""
        given = getattr(table, constant)
        if (given is None) == (table.file is None):
            got = "none" if given is None else "both"
            raise StrandError(f"{where}: got {got}, allowed: one of {constant} and file")
        if table.file is None:
            values = np.atleast_1d(np.asarray(given, float)).ravel()
            if values.size not in counts:
                raise StrandError(f"{where}.{constant}: got {values.size}, allowed: {_or(counts)}")
            return (lambda time: time * values) if rate else (lambda time: values)
        path = self._folder / table.file
        if not path.is_file():
            raise StrandError(f"{where}.file: got '{table.file}', allowed: a readable file")
        try:
            read = tables.read_table(path, table.sheet)
        except StrandError as error:
            raise StrandError(f"{where}.file: {error}") from None
        if len(read.columns) - 1 not in counts:
            raise StrandError(
                f"{where}.file: got {len(read.columns) - 1} columns beside the time, allowed: "
                f"{_or(counts)}"
            )
        return lambda time: read.at(time, table.between == "step")


def _or(counts: tuple[int, ...]) -> str:
    return " or ".join(map(str, dict.fromkeys(counts))) + " numbers"


schema = scene_tables.schema
