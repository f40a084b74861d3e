"""Points that simulate a scene or a cable with changed keys."""

import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import tomli_w

from strand.cable import cable_file
from strand.cable.cable import Cable
from strand.errors import StrandError
from strand.scene import file as scene_file
from strand.scene.tables import OutputTable
from strand.scene.vine import VineScene
from strand.simulation.cable_network import cable_network
from strand.simulation.rod import Rod
from strand.simulation.simulation import Simulation
from strand.sweep import readings
from strand.sweep.overrides import overridden
from strand.sweep.parameters import Value
from strand.sweep.readings import Readers, RodState
from strand.sweep.task import Evaluate, Task


def evaluator(task: Task) -> Evaluate:
    """Builds and runs the scene or cable of each point, and reads its results."""

    def evaluate(parameters: Mapping[str, Value]) -> dict[str, float]:
        build = _build(task, parameters)
        build.run()
        return readings.read(build.readers(), task.results)

    return evaluate


def check(task: Task, parameters: Mapping[str, Value]) -> None:
    """Builds the scene or cable of a point without running it.

    Raises StrandError if it is invalid, or if it does not have the results that the task names.
    """
    readers = _build(task, parameters).readers()
    if not task.results:
        raise StrandError(f"run.results: got nothing, allowed: some of {', '.join(readers)}")
    readings.read(dict.fromkeys(readers, lambda: 0.0), task.results)


class _Built:
    """A scene or cable that is ready to run."""

    def __init__(self, run: Callable[[], None], readers: Callable[[], Readers]) -> None:
        self.run, self.readers = run, readers


def _build(task: Task, parameters: Mapping[str, Value]) -> _Built:
    document = overridden(task.document, task.parameters, parameters)
    text = tomli_w.dumps(document)
    if task.kind == "scene":
        return _scene(task, document, text)
    cable = cable_file.from_toml(text)
    if cable.start == "feed":
        raise StrandError(
            "start: got 'feed', allowed in a sweep: an end that stays in place, since nothing "
            "drives the feed; a function (run.function) can, with a strand.Feeder"
        )
    if task.backend == "plugin":
        from strand.sweep.plugin import PluginRun

        plugin = PluginRun(cable, _needed(task.seconds))
        return _Built(plugin.run, plugin.readers)
    return _core_cable(task, cable)


def _core_cable(task: Task, cable: Cable) -> _Built:
    built = cable_network(cable)
    simulation = built.simulation()

    def readers() -> Readers:
        parts = {
            name: RodState(
                simulation,
                nodes,
                [edge for rod in built.rods[name] for edge in rod.edges],
                nodes[0] == nodes[-1],
            ).readers()
            for name, nodes in built.nodes.items()
        }
        return readings.qualified(parts, readings.of_simulation(simulation))

    return _Built(lambda: _run(simulation, task, task.seconds), readers)


def _needed(seconds: float | None) -> float:
    if seconds is None:
        raise StrandError("run.seconds: got nothing, allowed: a number >= 0 (s)")
    return seconds


def _scene(task: Task, document: dict[str, Any], text: str) -> _Built:
    folder = (task.folder / task.target).parent
    made = scene_file.from_toml(text, folder)
    seconds = made.duration if task.seconds is None else task.seconds
    if isinstance(made, VineScene):
        return _vine(made, _needed(seconds))
    simulation = made.simulation

    def readers() -> Readers:
        parts = {
            name: RodState.of(simulation, rod).readers()
            for name, rod in _rods(document, simulation)
        }
        return readings.qualified(parts, readings.of_simulation(simulation))

    return _Built(lambda: _run(simulation, task, seconds), readers)


def _rods(document: dict[str, Any], simulation: Simulation) -> Iterator[tuple[str, Rod]]:
    """The rods of a scene by name. Those of a scene with [geometry] have no names of their own."""
    if "geometry" not in document:
        for index, table in enumerate(document.get("rod", [])):
            yield table["name"], Rod(index, simulation.network)


def _run(simulation: Simulation, task: Task, seconds: float | None) -> None:
    """Runs for a time, then finds the equilibrium if the task asks for it."""
    if seconds or not task.equilibrium:
        simulation.run(_needed(seconds))
    if not task.equilibrium:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an unstable equilibrium is an error here
        report = simulation.solve()
    if not report.stable:
        raise StrandError("equilibrium: got one that is not stable, allowed: a stable one")


def _vine(made: VineScene, seconds: float) -> _Built:
    from strand.scene import vine_runner

    made.output = OutputTable()
    summaries = []

    def run() -> None:
        summaries.append(vine_runner.run(made, seconds))
        if summaries[-1].failure:
            raise RuntimeError(summaries[-1].failure)

    def readers() -> Readers:
        return {
            "tip_x": lambda: summaries[-1].tip[0],
            "tip_y": lambda: summaries[-1].tip[1],
            "length": lambda: summaries[-1].length,
            "contacts": lambda: summaries[-1].contacts,
        }

    return _Built(run, readers)
