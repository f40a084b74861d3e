"""The models of `shells`: meshes, supports and loads of the benchmarks, and their measured figures.

Every model is complete, without planes of symmetry. Simulation fixes nodes axis by axis; a rigid
diaphragm fixes the nodes of a rim across its axis. Loads are so small that the response is linear.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from strand import meshes
from strand.simulation import Network, Shell, Simulation

SMALL = 1e-3  # of the thickness: about the largest deflection
TOLERANCE = 1e-9
ROLLING = 40  # increments of the moment that rolls a strip up
Load = tuple[int | list[int], tuple[float, float, float]]
Nodes = np.ndarray


@dataclass
class Model:
    """A shell in a network, to which supports and loads are added."""

    vertices: Nodes
    shell: Shell
    network: Network

    @classmethod
    def make(cls, mesh: tuple[Nodes, Nodes], bending: str, **material) -> "Model":
        network = Network()
        shell = network.shell(*mesh, bending=bending, density=1.0, **material)
        return cls(mesh[0], shell, network)

    def clamp(self, held: np.ndarray) -> None:
        """Clamps the rotation of the rim's edges with both nodes in `held` (a mask)."""
        ends = self.shell.edge_nodes
        rim = self.shell.rim
        self.network.clamp_shell(self.shell, [e for e in rim if held[ends[e]].all()])

    def simulation(self, weight: tuple[float, float, float] = (0, 0, 0)) -> Simulation:
        """weight: force per area (N/m^2). Gravity is weight / thickness, since the density is 1."""
        gravity = np.array(weight) / self.network.thickness[0]
        return Simulation(self.network, gravity=gravity, tolerance=TOLERANCE, max_iterations=100)


def moved(simulation: Simulation, node: int, axis: int, start: Nodes) -> float:
    """Displacement of a node along an axis (m) in equilibrium."""
    simulation.solve()
    return float(simulation.positions[node, axis] - start[node, axis])


def nearest(vertices: Nodes, point: tuple[float, float, float]) -> int:
    distance = np.linalg.norm(vertices - np.array(point), axis=1)
    node = int(distance.argmin())
    assert distance[node] < 1e-6 * np.ptp(vertices), "no node at the point of a load"
    return node


def lattice(length: float, width: float, rows: int) -> tuple[Nodes, Nodes]:
    """A rectangle of equilateral triangles in an even number of rows along x.

    A line of nodes lies at x = length / 2.
    """
    size = width / rows * 2 / np.sqrt(3)
    return meshes.strip(length, width, size, rows=(length / 2,))


def bent(mesh: tuple[Nodes, Nodes], place: Callable[[Nodes, Nodes], tuple]) -> tuple[Nodes, Nodes]:
    """A flat mesh with its nodes moved to place(x, y)."""
    x, y = mesh[0][:, 0], mesh[0][:, 1]
    return np.stack(place(x, y), axis=1), mesh[1]


def closed(mesh: tuple[Nodes, Nodes], width: float) -> tuple[Nodes, Nodes]:
    """A flat mesh whose side y = width is merged with the side y = 0."""
    vertices, triangles = mesh
    far = np.flatnonzero(np.isclose(vertices[:, 1], width))
    near = np.flatnonzero(np.isclose(vertices[:, 1], 0))
    far = far[np.argsort(vertices[far, 0])]
    near = near[np.argsort(vertices[near, 0])]
    np.testing.assert_allclose(vertices[far, 0], vertices[near, 0])
    name = np.arange(len(vertices))
    name[far] = near
    kept = np.setdiff1d(np.arange(len(vertices)), far)
    place = np.full(len(vertices), -1)
    place[kept] = np.arange(len(kept))
    return vertices[kept], place[name[triangles]]


def scordelis_lo(bending: str, rows: int) -> float:
    """Sag (m) of the middle of the free edge of an 80 degree roof on diaphragms, load 90 N/m^2."""
    radius, length, angle, load = 25.0, 50.0, np.radians(80), 90.0
    flat = lattice(length, radius * angle, rows)
    vertices, triangles = bent(
        flat,
        lambda x, y: (x, radius * np.sin(y / radius - angle / 2),
                      radius * np.cos(y / radius - angle / 2)),
    )  # fmt: skip
    model = Model.make((vertices, triangles), bending, young=4.32e8, poisson=0.0, thickness=0.25)
    simulation = model.simulation((0, 0, -SMALL * load))
    ends = np.isclose(vertices[:, 0], 0) | np.isclose(vertices[:, 0], length)
    simulation.fix_node(np.flatnonzero(ends), "yz")
    crown = nearest(vertices, (length / 2, 0, radius))
    simulation.fix_node(crown, "x")
    edge = nearest(flat[0], (length / 2, 0, 0))
    return -moved(simulation, edge, 2, vertices) / SMALL


def pinched_cylinder(bending: str, rows: int) -> float:
    """Deflection (m) under one of two opposite unit forces on a cylinder between diaphragms."""
    radius, length, small = 300.0, 600.0, 1e2
    width = 2 * np.pi * radius
    flat = closed(lattice(length, width, rows), width)
    vertices, triangles = bent(
        flat, lambda x, y: (x, radius * np.sin(y / radius), radius * np.cos(y / radius))
    )
    model = Model.make((vertices, triangles), bending, young=3e6, poisson=0.3, thickness=3.0)
    simulation = model.simulation()
    ends = np.isclose(vertices[:, 0], 0) | np.isclose(vertices[:, 0], length)
    simulation.fix_node(np.flatnonzero(ends), "yz")
    top, bottom = (nearest(vertices, (length / 2, 0, side * radius)) for side in (1, -1))
    simulation.fix_node([top, bottom], "x")
    simulation.load_node(top, (0, 0, -small))
    simulation.load_node(bottom, (0, 0, small))
    return -moved(simulation, top, 2, vertices) / small


def hemisphere_with_hole(bending: str, rows: int) -> float:
    """Deflection (m) of `pinched` for a hemisphere with a hole of 18 degrees about its pole."""
    radius, height = 10.0, np.radians(72)
    flat = closed(lattice(height, 2 * np.pi, rows), 2 * np.pi)
    vertices, triangles = bent(
        flat,
        lambda x, y: (radius * np.cos(x) * np.cos(y), radius * np.cos(x) * np.sin(y),
                      radius * np.sin(x)),
    )  # fmt: skip
    high = nearest(vertices, (radius * np.cos(height), 0, radius * np.sin(height)))
    return pinched((vertices, triangles[:, ::-1]), bending, radius, high)


def hemisphere(bending: str, divisions: int) -> float:
    """Deflection (m) of `pinched` for a whole hemisphere (meshes.hemisphere)."""
    radius, pole = 10.0, 0
    return pinched(meshes.hemisphere(radius, divisions), bending, radius, pole)


def pinched(mesh: tuple[Nodes, Nodes], bending: str, radius: float, high: int) -> float:
    """Deflection (m) under four forces of 2 on a rim in the plane z = 0: out along x, in along y.

    high: a node in the plane y = 0 that is fixed in y, to prevent rotation about x.
    """
    vertices, force, small = mesh[0], 2.0, 1e-2
    model = Model.make(mesh, bending, young=6.825e7, poisson=0.3, thickness=0.04)
    simulation = model.simulation()
    out = [nearest(vertices, (side * radius, 0, 0)) for side in (1, -1)]
    inward = [nearest(vertices, (0, side * radius, 0)) for side in (1, -1)]
    simulation.fix_node(out, "yz")
    simulation.fix_node(inward, "x")
    simulation.fix_node(high, "y")
    for node, side in zip(out, (1, -1), strict=True):
        simulation.load_node(node, (side * small * force, 0, 0))
    for node, side in zip(inward, (-1, 1), strict=True):
        simulation.load_node(node, (0, side * small * force, 0))
    return moved(simulation, out[0], 0, vertices) / small


def plate(bending: str, rows: int, clamped: bool) -> float:
    """Sag of the middle of a square plate under a uniform load, as a fraction of q L^4 / D."""
    side, young, poisson, thickness = 1.0, 1e9, 0.3, 1e-3
    vertices, triangles = lattice(side, side, rows)
    model = Model.make(
        (vertices, triangles), bending, young=young, poisson=poisson, thickness=thickness
    )
    rim = np.isclose(vertices[:, :2] * (vertices[:, :2] - side), 0).any(axis=1)
    if clamped:
        model.clamp(rim)
    rigidity = young * thickness**3 / (12 * (1 - poisson**2))
    load = SMALL * thickness * rigidity / side**4 / 4e-3
    simulation = model.simulation((0, 0, -load))
    simulation.fix_node(np.flatnonzero(rim))
    middle = nearest(vertices, (side / 2, side / 2, 0))
    return -moved(simulation, middle, 2, vertices) * rigidity / (load * side**4)


def cook(bending: str, rows: int) -> float:
    """Deflection (m) of the middle of the end of Cook's tapered panel, unit shear force there."""
    young, poisson, small = 1.0, 1 / 3, 1e-4
    flat = lattice(1.0, 1.0, rows)
    vertices, triangles = bent(flat, lambda x, y: (48 * x, 44 * x + y * (44 - 28 * x), 0 * x))
    model = Model.make((vertices, triangles), bending, young=young, poisson=poisson, thickness=1.0)
    simulation = model.simulation()
    simulation.fix_node(range(len(vertices)), "z")
    simulation.fix_node(np.flatnonzero(np.isclose(flat[0][:, 0], 0)))
    _spread(simulation, flat[0], small, (0, 1, 0))
    middle = nearest(vertices, (48, 52, 0))
    return moved(simulation, middle, 1, vertices) / small


def twisted_beam(bending: str, rows: int, in_plane: bool) -> float:
    """Deflection (m) along a unit force at the tip of a beam that is twisted by 90 degrees."""
    length, width, small = 12.0, 1.1, 1e-1
    flat = lattice(length, width, rows)
    turn = flat[0][:, 0] / length * np.pi / 2
    across = flat[0][:, 1] - width / 2
    vertices = np.stack([flat[0][:, 0], across * np.cos(turn), across * np.sin(turn)], axis=1)
    model = Model.make((vertices, flat[1]), bending, young=29e6, poisson=0.22, thickness=0.32)
    root = np.isclose(vertices[:, 0], 0)
    model.clamp(root)
    simulation = model.simulation()
    simulation.fix_node(np.flatnonzero(root))
    axis = 2 if in_plane else 1
    _spread(simulation, flat[0] / np.array([length, width, 1]), small, np.eye(3)[axis])
    tip = nearest(vertices, (length, 0, 0))
    return moved(simulation, tip, axis, vertices) / small


def _spread(simulation: Simulation, flat: Nodes, force: float, along) -> None:
    """Distributes a force (N) evenly over the end x = 1 of a flat mesh of width 1."""
    end = np.flatnonzero(np.isclose(flat[:, 0], 1))
    end = end[np.argsort(flat[end, 1])]
    share = np.gradient(flat[end, 1])
    share[[0, -1]] /= 2
    for node, part in zip(end, share / share.sum(), strict=True):
        simulation.load_node(int(node), force * part * np.array(along, dtype=float))


def rolled_strip(bending: str, rows: int) -> float:
    """Height (m) of a strip of length pi that an end moment rolls into a full circle."""
    length, width, thickness, young = np.pi, 0.3, 0.01, 1e9
    mesh = meshes.strip(length, width, length / rows, family="right_isosceles")
    vertices = mesh[0]
    model = Model.make(mesh, bending, young=young, poisson=0.0, thickness=thickness)
    root = np.isclose(vertices[:, 0], 0)
    model.clamp(root)
    simulation = model.simulation()
    simulation.fix_node(np.flatnonzero(root))
    stations = np.unique(vertices[:, 0])
    columns = [np.flatnonzero(vertices[:, 0] == x) for x in stations[-2:]]
    share = np.gradient(vertices[columns[1], 1])
    share[[0, -1]] /= 2
    share *= 2 * np.pi / length * young * thickness**3 / 12
    load = [0.0]
    simulation.add_force(np.concatenate(columns), lambda x, *_: couples(x, load[0] * share))

    def ramp(part: float) -> None:
        load[0] = part

    simulation.solve(steps=ROLLING, ramp=ramp, nearby=True)
    return float(np.ptp(simulation.positions[model.shell.nodes, 2]))


def couples(x: np.ndarray, moments: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """User force: moments (N m) about -y on pairs of nodes.

    x holds the first nodes of all pairs, then the second ones. The two forces of a pair, M / r
    each, rotate with the line from one node to the other.
    """
    first, second = x.reshape(2, -1, 3)
    turn = np.array([[0.0, 0, -1], [0, 0, 0], [1, 0, 0]])  # rotates by 90 degrees in the plane x, z
    force, jacobian = np.zeros((2, len(moments), 3)), np.zeros((x.size, x.size))
    for k, moment in enumerate(moments):
        arm = (second[k] - first[k]) * (1, 0, 1)
        square = arm @ arm
        pull = moment * turn @ arm / square
        force[:, k] = -pull, pull
        slope = moment * (turn - 2 * np.outer(turn @ arm, arm) / square) / square
        slope[:, 1] = 0
        ends = (3 * k, -1), (3 * (k + len(moments)), 1)
        for row, sign in ends:
            for column, other in ends:
                jacobian[row : row + 3, column : column + 3] = sign * other * slope
    return 0.0, force.ravel(), jacobian
