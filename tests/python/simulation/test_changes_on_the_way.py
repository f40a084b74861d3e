"""What may change between steps, what may not, and whose errors are whose."""

import traceback

import numpy as np
import pytest

from strand import StrandError, straight
from strand.simulation import Network, Simulation, bodies, obstacles


def rope(**options) -> Simulation:
    network = Network()
    network.rod(straight(1.0, 10), young=1e7, radius=0.005, density=1000)
    return Simulation(network, **options)


@pytest.mark.parametrize("dt", [5e-3, 1e-4])
def test_the_time_step_changes_on_the_way(dt: float) -> None:
    simulation = rope(dt=1e-3)
    simulation.run(0.05)
    simulation.dt = dt
    report = simulation.run(0.05)
    assert simulation.dt == dt and report.steps == round(0.05 / dt)
    assert simulation.time == pytest.approx(0.1)
    np.testing.assert_allclose(simulation.velocities, [[0, 0, -0.981]] * 11, atol=1e-9)


@pytest.mark.parametrize("dt", [0, -1e-3, np.nan, "1 ms"])
def test_a_time_step_is_positive(dt: object) -> None:
    simulation = rope()
    with pytest.raises(StrandError, match=r"dt: got .*allowed: "):
        simulation.dt = dt
    assert simulation.dt == 1e-3


def test_the_time_step_stays_while_recording(tmp_path) -> None:
    simulation = rope()
    recording = simulation.record(tmp_path / "run.csv")
    with recording, pytest.raises(StrandError, match="dt: got a change while recording"):
        simulation.dt = 2e-3
    simulation.dt = 2e-3


def test_a_belt_starts_on_the_way() -> None:
    network = Network()
    box = network.body(bodies.box((0.1, 0.1, 0.1)), mass=1.0, position=(0, 0, 0.05))
    simulation = Simulation(network)
    belt = obstacles.plane((0, 0, 0), (0, 0, 1))
    simulation.add_obstacles([belt], friction=0.5, restitution=0)
    simulation.run(0.1)
    assert abs(simulation.body_velocity(box)[0][0]) < 1e-6
    belt.velocity = (0.3, 0, 0)
    simulation.run(0.3)
    assert simulation.body_velocity(box)[0][0] == pytest.approx(0.3, rel=1e-2)


def test_parts_are_added_before_a_simulation() -> None:
    network = Network()
    rod = network.rod(straight(1.0, 10), young=1e7, radius=0.005, density=1000)
    Simulation(network)
    Simulation(network)  # a second one is made of the same parts
    allowed = "got another part after a simulation has been made of it, allowed: all parts before"
    for add in (
        lambda: network.rod(straight(1.0, 10), young=1e7, radius=0.005, density=1000),
        lambda: network.body(bodies.sphere(0.1), mass=1.0),
        lambda: network.clamp(rod, "start"),
    ):
        with pytest.raises(StrandError, match=allowed):
            add()


def broken_path(time: float) -> tuple[float, float, float]:
    return 0.0, 0.0, float("up") if time > 0 else 0.0


def test_errors_of_the_users_functions_keep_their_place() -> None:
    simulation = rope()
    simulation.move_node(0, broken_path)
    with pytest.raises(ValueError, match="could not convert string to float: 'up'") as caught:
        simulation.step()
    assert not isinstance(caught.value, StrandError)
    assert "broken_path" in [frame.name for frame in traceback.extract_tb(caught.tb)]
