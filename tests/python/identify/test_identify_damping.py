"""Damping from a decaying oscillation."""

from pathlib import Path

import numpy as np
import pytest

from strand import StrandError, identify

FREQUENCY, RATIO = 1.7, 0.02
OMEGA = 2 * np.pi * FREQUENCY / np.sqrt(1 - RATIO**2)  # undamped
TRUTH = {
    "frequency": FREQUENCY,
    "damping_ratio": RATIO,
    "loss_time": 2 * RATIO / OMEGA,
    "decay_rate": RATIO * OMEGA,
}


def oscillation(times: np.ndarray, noise: float = 0.0, seed: int = 0) -> np.ndarray:
    decay = np.exp(-RATIO * OMEGA * times)
    exact = 3 + 0.01 * decay * np.cos(2 * np.pi * FREQUENCY * times + 0.7)
    return exact + noise * np.random.default_rng(seed).normal(size=len(times))


def unequal(count: int, seed: int = 1) -> np.ndarray:
    return np.sort(np.random.default_rng(seed).uniform(0, 5, count))


def test_known_values_are_found() -> None:
    times = unequal(300)
    found = identify.damping((times, oscillation(times)))
    for name, value in TRUTH.items():
        assert getattr(found, name).value == pytest.approx(value, rel=1e-8)
    assert found.offset == pytest.approx(3)
    assert found.amplitude == pytest.approx(0.01 * np.exp(-RATIO * OMEGA * times[0]))
    assert found.rms < 1e-12


def test_a_file_with_a_transient(tmp_path: Path) -> None:
    times = np.linspace(10, 15, 400)
    values = oscillation(times - 10) + 0.02 * np.exp(-20 * (times - 10))
    path = tmp_path / "tip.csv"
    rows = [f"{t},0,{y}" for t, y in zip(times, values, strict=True)]
    path.write_text("\n".join(["time,x,y", *rows]))
    found = identify.damping(path, column="y", skip=1.0)
    assert found.times[0] >= 11
    for name, value in TRUTH.items():
        assert getattr(found, name).value == pytest.approx(value, rel=1e-3)


def test_an_oscillation_that_grows_does_not_pass() -> None:
    times = np.linspace(0, 4, 400)
    grown = identify.damping((times, np.exp(0.2 * times) * np.cos(9 * times)))
    assert grown.grows and grown.damping_ratio.high < 0
    assert not grown.report().passed and "oscillation grows" in grown.report().note
    for values in (np.cos(9 * times), oscillation(times, 1e-3)):
        found = identify.damping((times, values))
        assert not found.grows and found.report().passed


def test_the_intervals_contain_the_truth() -> None:
    """Fewer than 25 of 30 intervals of 95 % have a probability of 0.3 %."""
    inside = dict.fromkeys(TRUTH, 0)
    for seed in range(30):
        times = unequal(200, seed)
        found = identify.damping((times, oscillation(times, 1e-3, seed)))
        for name, value in TRUTH.items():
            estimate = getattr(found, name)
            inside[name] += estimate.low <= value <= estimate.high
    assert min(inside.values()) >= 25, inside


def test_the_core_damps_as_its_loss_time_says() -> None:
    """The sideways swing of a stretched wire in the core: material damping is the loss time."""
    from strand import straight
    from strand.simulation import Network, Simulation

    network, loss = Network(), 2e-3
    rod = network.rod(
        straight(0.3, 10), radius=2e-3, young=1e8, density=1000, material_damping=loss
    )
    network.clamp(rod, "start")
    simulation = Simulation(network, dt=2e-3, method="midpoint", gravity=(0, 0, 0))
    velocities = np.zeros((len(rod.nodes), 3))
    velocities[:, 2] = 1e-2 * np.linspace(0, 1, len(rod.nodes)) ** 2
    simulation.set_velocities(velocities)
    times, heights = [], []
    for _ in range(800):
        simulation.step()
        times.append(simulation.time)
        heights.append(simulation.positions[rod.nodes[-1], 2])
    found = identify.damping((np.array(times), np.array(heights)), skip=0.2)
    assert found.loss_time.value == pytest.approx(loss, rel=0.01)


@pytest.mark.parametrize(
    ("times", "values", "words"),
    [
        (np.arange(5.0), np.arange(5.0), "samples: got 5, allowed: 12 or more"),
        (np.arange(20.0), np.ones(20), "displacement: got 1 throughout"),
        (np.arange(20.0), np.full(20, np.nan), "displacements: got nan"),
        (np.arange(20.0)[::-1], np.ones(20), "times: got none, or times that do not increase"),
        (np.linspace(0, 1, 50), np.linspace(0, 1, 50) ** 2, "displacement: got"),
        (np.arange(20.0), np.arange(19.0), r"data: got shapes \(20,\) and \(19,\)"),
    ],
)
def test_bad_data(times: np.ndarray, values: np.ndarray, words: str) -> None:
    with pytest.raises(StrandError, match=words):
        identify.damping((times, values))
