"""The implicit core as a solver of cosseratbench."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from cosseratbench.scenario import Cylinder, End, EndCondition, Obstacle, Rod, Scenario
from cosseratbench.solver import Capability, Diverged
from cosseratbench.trajectory import Trajectory

import strand
from strand.simulation import Network, Simulation, SolverError, obstacles
from strand.simulation.network import Rod as NetworkRod
from strand_studies.bench.cosserat import conversion

#: Measure of curvature. The smooth ones take ten times as long, and gain something only in bending
#: without contact on fewer than 20 elements.
CURVATURE = "angle"
#: Time steps in a period of the slowest mode: on the way to an equilibrium without contact, and
#: where there is contact or the motion is the result.
FEW_STEPS, MANY_STEPS = 500, 2000


class StrandCore:
    """Rods that bend, twist and stretch, in implicit time steps.

    Motion that is the result is integrated by the implicit midpoint rule, which keeps energy;
    motion towards an equilibrium by BDF2, with damping by mass.

    curvature: measure of curvature of Simulation.
    """

    name = "strand-core"
    backend_version = strand.__version__
    capabilities = conversion.CONTACT | {Capability.STRETCH}

    def __init__(self, time_step_scale: float = 1.0, curvature: str = CURVATURE) -> None:
        self._scale = conversion.time_step_scale(time_step_scale)
        self._curvature = curvature

    def settings(self, scenario: Scenario, *, n_elements: int, n_frames: int) -> dict[str, Any]:
        """The numerical choices for a run: time step (s), damping (1/s), method, curvature."""
        return {
            "integrator": _method(scenario),
            "curvature": self._curvature,
            "time_step": self._steps(scenario, n_frames)[0],
            "damping_rate": conversion.damping_rate(scenario),
            "steps_without_speed": conversion.start_steps(scenario),
        }

    def run(self, scenario: Scenario, *, n_elements: int, n_frames: int) -> Trajectory:
        """Simulates a scenario. Raises NotImplementedError for what the core cannot model, and
        Diverged if a time step fails."""
        conversion.check_elements(n_elements)
        dt, count = self._steps(scenario, n_frames)
        simulation, rods = _simulation(scenario, n_elements, dt, self._curvature)
        recording = conversion.Recording(scenario, n_frames)
        _record(recording, simulation, rods)
        start = _Start(conversion.start_steps(scenario))
        for _ in range(n_frames - 1):
            try:
                simulation.run(count * dt, start if start.steps else None)
            except SolverError as error:
                raise Diverged(str(error), time=simulation.time) from error
            _record(recording, simulation, rods)
        return recording.trajectory()

    def _steps(self, scenario: Scenario, n_frames: int) -> tuple[float, int]:
        period = 2 * np.pi / scenario.slowest_frequency()
        touches = bool(scenario.obstacles) or conversion.rods_may_touch(scenario)
        steps = FEW_STEPS if scenario.quasi_static and not touches else MANY_STEPS
        return conversion.time_steps(scenario, n_frames, self._scale * period / steps)


class _Start:
    """Takes the speed from rods that overlap something at the start, after each of some steps."""

    def __init__(self, steps: int) -> None:
        self.steps = steps  #: that are left
        self._first = True

    def __call__(self, simulation: Simulation) -> None:
        if self._first and not any(contact.gap < 0 for contact in simulation.contacts):
            self.steps = 0
        self._first = False
        if self.steps:
            simulation.set_velocities(np.zeros_like(simulation.positions))
            self.steps -= 1


def _method(scenario: Scenario) -> str:
    return "bdf2" if scenario.quasi_static else "midpoint"


def _record(
    recording: conversion.Recording, simulation: Simulation, rods: Sequence[NetworkRod]
) -> None:
    positions, directors = simulation.positions, simulation.directors
    recording.add([positions[rod.nodes] for rod in rods], [directors[rod.edges] for rod in rods])


def _simulation(
    scenario: Scenario, n_elements: int, dt: float, curvature: str
) -> tuple[Simulation, list[NetworkRod]]:
    network = Network()
    damping = conversion.damping_rate(scenario)
    rods = [_add_rod(network, rod, n_elements, damping) for rod in scenario.rods]
    simulation = Simulation(
        network,
        dt=dt,
        method=_method(scenario),
        gravity=scenario.gravity,
        curvature=curvature,
    )
    for rod, added in zip(scenario.rods, rods, strict=True):
        simulation.place(added, rod.nodes(n_elements), normal=rod.directors(n_elements)[0])
    for rod, added in zip(scenario.rods, rods, strict=True):
        for end in End:
            _hold(simulation, rod, added, end)
        for load in rod.loads:
            simulation.load_node(added.nodes[_place(load.at)], load.force)
    _add_contact(simulation, scenario)
    return simulation, rods


def _place(end: End) -> int:
    """Index of the node at an end."""
    return 0 if end is End.START else -1


def _add_rod(network: Network, rod: Rod, n_elements: int, damping: float) -> NetworkRod:
    """Adds a rod in its stress-free shape: straight, with edges of equal length."""
    nodes, across = rod.nodes(n_elements), rod.directors(n_elements)[0]
    along = (nodes[1] - nodes[0]) / np.linalg.norm(nodes[1] - nodes[0])
    added = network.rod(
        nodes[0] + np.linspace(0.0, rod.length, n_elements + 1)[:, None] * along,
        radius=rod.radius,
        young=rod.material.youngs_modulus,
        shear=rod.material.shear_modulus,
        density=rod.material.density,
        mass_damping=damping,
        normal=across,
    )
    for end in End:
        if rod.condition(end) is EndCondition.CLAMPED:
            network.clamp(added, end.value)
    return added


def _hold(simulation: Simulation, rod: Rod, added: NetworkRod, end: End) -> None:
    """Holds or drives an end; a clamp fixes its node by itself, unless the node slides."""
    node, motion = added.nodes[_place(end)], rod.motion(end)
    if rod.condition(end) is EndCondition.PINNED:
        simulation.fix_node(node)
    if motion is None:
        return
    drive = conversion.drive(motion)
    moves, turns = bool(np.any(motion.displacement)), bool(np.any(motion.rotation))
    if motion.slides_along is not None:
        if moves:
            raise NotImplementedError("a sliding end that is also moved across its direction")
        simulation.slide_node(node, along=motion.axis)
    elif moves:
        simulation.move_node(node, lambda time: drive(time)[0])
    if turns:
        simulation.turn_clamp(added, end.value, lambda time: drive(time)[1])


def _add_contact(simulation: Simulation, scenario: Scenario) -> None:
    """Adds contact with obstacles, and of rods with each other."""
    for obstacle in scenario.obstacles:
        friction = _one_friction(scenario.rods, [obstacle])
        simulation.add_obstacles([_shape(obstacle)], friction=friction)
    if conversion.rods_may_touch(scenario):
        simulation.add_contact(friction=_one_friction(scenario.rods, []))


def _one_friction(rods: Sequence[Rod], others: Sequence[Obstacle]) -> float:
    """The coefficient of all pairs. Raises NotImplementedError if they differ."""
    found = conversion.frictions(rods, others)
    if len(found) > 1:
        raise NotImplementedError("rods with different coefficients of friction")
    return found.pop()


def _shape(obstacle: Obstacle) -> obstacles.Obstacle:
    if isinstance(obstacle, Cylinder):
        half = obstacle.unit_axis * obstacle.length / 2
        centre = np.asarray(obstacle.center)
        return obstacles.cylinder(centre - half, centre + half, obstacle.radius)
    return obstacles.plane(obstacle.point, obstacle.unit_normal)
