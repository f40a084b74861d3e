"""Arguments of the implicit core: checked at once, and never a foreign traceback."""

import contextlib
import inspect
from collections.abc import Callable

import numpy as np
import pytest
from support.bad_arguments import BAD, expect_no_foreign_error

from strand import StrandError, straight
from strand.simulation import (
    MatDismech,
    Network,
    Rod,
    Shell,
    Simulation,
    SolverError,
    bodies,
    obstacles,
)

NODES = straight(1.0, 6)
CORNERS = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]])
TRIANGLES = [[0, 1, 2], [1, 3, 2]]


def network() -> Network:
    result = Network()
    result.rod(NODES, young=1e6, radius=0.01, density=1000.0)
    return result


def test_the_first_director_of_a_rod_may_be_given() -> None:
    built = Network()
    built.rod(NODES, young=1e6, radius=0.01, density=1000.0, normal=(0.3, 0, 2.0))
    directors = Simulation(built).directors
    assert directors == pytest.approx(np.tile([0.0, 0, 1], (len(directors), 1)))


def keywords(function: Callable) -> list[str]:
    parameters = inspect.signature(function).parameters.values()
    return [each.name for each in parameters if each.kind is each.KEYWORD_ONLY]


@pytest.mark.parametrize("name", ["nodes", *keywords(Network.rod)])
def test_every_argument_of_a_rod(name: str) -> None:
    for value in BAD:
        arguments = {"nodes": NODES, "young": 1e6, "radius": 0.01, "density": 1e3} | {name: value}
        expect_no_foreign_error(lambda arguments=arguments: Network().rod(**arguments))


@pytest.mark.parametrize("name", ["vertices", "triangles", *keywords(Network.shell)])
def test_every_argument_of_a_shell(name: str) -> None:
    sheet = {"vertices": CORNERS, "triangles": TRIANGLES, "young": 1e6, "thickness": 1e-3}
    for value in BAD:
        arguments = sheet | {"density": 1e3} | {name: value}
        expect_no_foreign_error(lambda arguments=arguments: Network().shell(**arguments))


@pytest.mark.parametrize("name", ["network", *keywords(Simulation)])
def test_every_argument_of_a_simulation(name: str) -> None:
    for value in BAD:
        arguments = {"network": network()} | {name: value}
        expect_no_foreign_error(lambda arguments=arguments: Simulation(**arguments))


def test_supports_loads_and_runs_of_a_simulation() -> None:
    simulation = Simulation(network(), dt=1e-3)
    for value in BAD:
        for call in (
            simulation.fix_node,
            simulation.fix_edge,
            simulation.fix_spin,
            simulation.set_gravity,
            simulation.set_velocities,
            simulation.load,
            lambda value: simulation.load_node(0, value),
            lambda value: simulation.load_spin(0, value),
            lambda value: simulation.add_mass(0, value),
            lambda value: simulation.add_mass(value, 1.0),
            lambda value: simulation.set_rest_length([0], value),
            lambda value: simulation.set_natural_twist([0], value),
        ):
            expect_no_foreign_error(lambda call=call, value=value: call(value))
    for duration in (None, "long", -1.0, float("nan"), [1.0]):
        with pytest.raises(StrandError, match=r"duration: got .* allowed: a number >= 0 \(s\)"):
            simulation.run(duration)


def parts() -> tuple[Network, Rod, Rod, Shell]:
    """Two rods, the second starting at the first's end, and a shell at the first's start."""
    built = network()
    first = Rod(0, built)
    second = built.rod(NODES[-1] + NODES, young=1e6, radius=0.01, density=1000.0)
    sheet = built.shell(CORNERS, TRIANGLES, young=1e6, thickness=1e-3, density=1000.0)
    return built, first, second, sheet


def bend(joint=0, EI=1.0, GJ=1.0) -> None:
    built = network()
    built.set_joint_stiffness(joint, EI, GJ)
    Simulation(built)


def stop(force=1e-4, reduction=1e-4, speed=1e-2) -> None:
    Simulation(network(), compat=MatDismech(force, reduction, speed)).step()


def joining() -> list[Callable]:
    """Functions that join and hold parts of a network, each with valid arguments."""

    def connect(rod_a=None, node_a=-1, rod_b=None, node_b=0, EI=1.0, GJ=1.0) -> None:
        built, first, second, _ = parts()
        ends = given(rod_a, first), node_a, given(rod_b, second), node_b
        built.connect(*ends, EI=EI, GJ=GJ)

    def clamp(rod=None, end="start") -> None:
        built, first, *_ = parts()
        built.clamp(given(rod, first), end)

    def attach(rod=None, node=0, shell=None, vertex=0, joint="rigid") -> None:
        built, first, _, sheet = parts()
        built.attach(given(rod, first), node, given(shell, sheet), vertex, joint)

    def clamp_shell(shell=None, edges=(1,)) -> None:
        built, *_, sheet = parts()
        built.clamp_shell(given(shell, sheet), edges)

    def given(value, right):
        return right if value is None else value

    return [connect, clamp, attach, clamp_shell, bend, stop]


def shapes() -> list[Callable]:
    def velocity(value=(0, 0, 1)) -> None:
        obstacles.sphere((0, 0, 0), 1.0).velocity = value

    def plane(point=(0, 0, 0), normal=(0, 0, 1)) -> None:
        obstacles.plane(point, normal)

    def sphere(centre=(0, 0, 0), radius=1.0, hollow=False) -> None:
        obstacles.sphere(centre, radius, hollow)

    def capsule(a=(0, 0, 0), b=(0, 0, 1), radius=1.0, hollow=False) -> None:
        obstacles.capsule(a, b, radius, hollow)

    def box(centre=(0, 0, 0), half_extents=(1, 1, 1), rotation=None) -> None:
        obstacles.box(centre, half_extents, rotation)

    return [velocity, plane, sphere, capsule, box]


@pytest.mark.parametrize("call", [*joining(), *shapes()], ids=lambda call: call.__name__)
def test_every_argument_of_functions_that_make_a_scene(call: Callable) -> None:
    call()
    for name in inspect.signature(call).parameters:
        for value in BAD:
            expect_no_foreign_error(lambda name=name, value=value: call(**{name: value}))


def test_parts_of_another_network_are_rejected() -> None:
    built, first, second, sheet = parts()
    _, foreign, _, foreign_sheet = parts()
    for call in (
        lambda: built.connect(first, -1, foreign, 0),
        lambda: built.connect(foreign, -1, second, 0),
        lambda: built.clamp(foreign, "start"),
        lambda: built.attach(foreign, 0, sheet, 0),
        lambda: built.attach(first, 0, foreign_sheet, 0),
        lambda: built.clamp_shell(foreign_sheet, [0]),
    ):
        with pytest.raises(StrandError, match=r"got one of another network, allowed: a "):
            call()


#: Methods of a simulation with valid arguments.
METHODS = {
    "fix_node": {"node": 0, "axes": "xyz"},
    "release_node": {"node": 0, "axes": "xyz"},
    "release_spin": {"edge": 0},
    "node_dofs": {"node": 0, "axes": "x"},
    "spin_dofs": {"edge": 0},
    "load_node": {"node": 0, "force": (0, 0, 1)},
    "load_spin": {"edge": 0, "moment": 1.0},
    "add_resistive_drag": {"tangential": 1.0, "normal": 1.0, "flow": (0, 0, 1)},
    "add_aerodynamic_drag": {"density": 1.0, "coefficient": 1.0, "flow": (0, 0, 1)},
    "add_floor": {
        "height": -1.0,
        "friction": 0.1,
        "law": "anchored",
        "tolerance": 1e-3,
        "stiffness": 1.0,
        "tangential_stiffness": 1.0,
        "node_radius": 0.01,
        "rolling": False,
    },
    "add_obstacles": {"shapes": [obstacles.sphere((0, 0, -5), 1.0)]},
    "add_contact": {"friction": 0.1, "tolerance": 1e-3, "stiffness": 1.0, "slip_tolerance": 1e-3},
    "set_natural_curvature": {"joints": [0], "curvature": (0, 0)},
    "set_natural_twist": {"joints": [0], "twist": 0.1},
    "set_rest_length": {"edges": [0], "length": 0.1},
    "record": {"path": "run.csv", "every": 1e-3, "series": ("velocity",)},
    "save": {"path": "state.npz"},
    "solve": {"steps": 1},
    "set_natural_angle": {"edges": [0], "angle": 0.1},
    "set_mesh_rest_length": {"edges": [0], "length": 0.1},
    "fix_rotation": {"edges": [0]},
    "rotation_dof": {"edge": 0},
}


def held() -> Simulation:
    """A rod, and a shell that bends by mid-edge normals."""
    built = network()
    sheet = {"young": 1e6, "thickness": 1e-3, "density": 1000.0, "bending": "mid_edge"}
    built.shell(CORNERS + np.array([0.0, 3, 0]), TRIANGLES, **sheet)
    simulation = Simulation(built)
    simulation.fix_edge(0)
    simulation.fix_node(range(7, 11))
    return simulation


@pytest.mark.parametrize("method", METHODS)
def test_every_argument_of_a_method(method: str, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    getattr(held(), method)(**METHODS[method])
    for name in METHODS[method]:
        for value in BAD:
            call = getattr(held(), method)
            arguments = METHODS[method] | {name: value}
            expect_no_foreign_error(lambda call=call, arguments=arguments: call(**arguments))


def test_values_that_are_not_functions_are_rejected() -> None:
    for value in BAD:
        for name, call in (
            ("path", lambda value: held().move_node(0, value)),
            ("angle", lambda value: held().turn_edge(0, value)),
            ("function", lambda value: held().drive(value)),
            ("function", lambda value: held().add_force([0], value)),
            ("ramp", lambda value: held().solve(ramp=value)),
            ("each", lambda value: held().run(0.0, value)),
        ):
            if not callable(value) and not (value is None and name in ("ramp", "each")):
                with pytest.raises(StrandError, match=rf"(?s)^{name}: got .*, allowed: a function"):
                    call(value)


def test_values_returned_by_functions_are_checked() -> None:
    def moved(value) -> None:
        simulation = held()
        simulation.move_node(0, lambda time: value)
        simulation.step()

    def turned(value) -> None:
        simulation = held()
        simulation.turn_edge(0, lambda time: value)
        with contextlib.suppress(SolverError):  # for a turn by 1e30 rad
            simulation.step()

    for value in BAD:
        expect_no_foreign_error(lambda value=value: moved(value))
        expect_no_foreign_error(lambda value=value: turned(value))


def test_a_path_of_positions_is_warned_of() -> None:
    simulation = held()
    start = simulation.positions[-1]
    with pytest.warns(UserWarning, match=r"path: begins with \(.*\) m, which is the position"):
        simulation.move_node(
            len(simulation.positions) - 1, lambda time: start + np.array([0, 0, time])
        )
    network = Network()
    body = network.body(bodies.sphere(0.1), mass=1.0, position=(0, 0, 1))
    simulation = Simulation(network, dt=1e-2)
    with pytest.warns(UserWarning, match=r"path: begins with \(0, 0, 1\) m"):
        simulation.move_body(body, lambda time: ((0, 0, 1 + time), (0, 0, 0)))
    with pytest.raises(StrandError, match=r"path: got \(0, 0, 1\), allowed: a displacement"):
        simulation.move_body(body, lambda time: (0, 0, 1))


@pytest.mark.parametrize("returned", [None, 1.0, (0.0, np.zeros(3)), (0.0, None, np.eye(3))])
def test_values_returned_by_forces_are_checked(returned) -> None:
    simulation = held()
    simulation.add_force([3], lambda *state: returned)
    with pytest.raises(ValueError, match=r"^user force: got .*force of 3 numbers"):
        simulation.step()


@pytest.mark.parametrize("method", ["add_contact", "add_floor"])
@pytest.mark.parametrize("friction", [-1, np.nan, np.inf, "high", None, []])
def test_bad_friction_is_rejected_by_name(method, friction) -> None:
    given = {"height": -1.0} if method == "add_floor" else {}
    with pytest.raises(StrandError, match=r"^friction: got .*, allowed: a number >= 0 \(1\)"):
        getattr(held(), method)(friction=friction, **given)
