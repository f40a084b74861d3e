"""Any parameter of a cable, from positions at rest or in time, in the core and in MuJoCo."""

import dataclasses
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from support.engine import needs_quadratic_damping

from strand import StrandError, identify
from strand.identify import fit_simulation, fit_spec

CABLE = """
[shape]
type = "straight"
length = 0.5
segments = 12
[section]
radius = 0.004
[material]
density = 1100.0
young = 2e6
poisson = 0.45
[damping]
loss_time = 0.01
[ends]
start = "fixed"
"""
YOUNG = '[[parameter]]\nname = "young"\nlow = 1e6\nhigh = 1e8\n'
LOSS = '[[parameter]]\nname = "loss_time"\nlow = 1e-3\nhigh = 1e-1\nstart = 5e-3\n'
REST = "node,x,z\n4,0,0\n8,0,0\n-1,0,0\n"
SERIES = "time,z\n" + "".join(f"{t},0\n" for t in np.linspace(0, 0.8, 30))


def spec(folder: Path, parameters: str, data: str, quantity: str, search: str = "") -> str:
    (folder / "cable.toml").write_text(CABLE)
    (folder / "data.csv").write_text(data)
    return (
        f'[cable]\nfile = "cable.toml"\n{parameters}[data]\nfile = "data.csv"\n'
        f'quantity = "{quantity}"\n[search]\n{search}'
    )


def simulated_data(folder: Path, text: str, truth: Mapping[str, float]) -> None:
    """Replaces the values of the data by those of a simulation with these parameters."""
    given = fit_spec.from_toml(text, folder)
    values = fit_simulation.simulated(given, fit_spec.changed(given.cable, truth))
    rows = np.column_stack([given.table.values[:, 0], values]).tolist()
    lines = [",".join(map(repr, row)) for row in rows]
    (folder / "data.csv").write_text("\n".join([",".join(given.table.columns), *lines]))


@pytest.mark.parametrize(
    ("parameters", "data", "quantity", "search"),
    [
        (YOUNG, REST, "nodes", ""),
        (YOUNG + LOSS, SERIES, "series", ""),
        (YOUNG, REST, "nodes", 'method = "differential_evolution"\ntrials = 20'),
        pytest.param(YOUNG, REST, "nodes", 'home = "plugin"', marks=pytest.mark.slow),
        # Linear damping has a least value, which hides shorter loss times.
        pytest.param(
            YOUNG + LOSS,
            SERIES,
            "series",
            'home = "plugin"',
            marks=[pytest.mark.slow, needs_quadratic_damping],
        ),
    ],
)
def test_known_values_are_found(
    tmp_path: Path, parameters: str, data: str, quantity: str, search: str
) -> None:
    text = spec(tmp_path, parameters, data, quantity, search)
    truth = {"young": 5e6} | ({"loss_time": 0.02} if parameters != YOUNG else {})
    simulated_data(tmp_path, text, truth)
    (tmp_path / "fit.toml").write_text(text)
    found = identify.fit(tmp_path / "fit.toml")
    for name, value in truth.items():
        assert found.parameters[name].value == pytest.approx(value, rel=0.01)
        assert getattr(found.cable, name) == found.parameters[name].value
    assert found.rms < 1e-5 and not found.at_limit


def test_noise_gives_an_interval(tmp_path: Path) -> None:
    text = spec(tmp_path, YOUNG, REST, "nodes")
    simulated_data(tmp_path, text, {"young": 5e6})
    given = fit_spec.from_toml(text, tmp_path)
    noisy = given.table.values.copy()
    noisy[:, 1:] += 1e-3 * np.random.default_rng(1).normal(size=(3, 2))
    table = fit_spec.Table(given.table.columns, noisy, timed=False)
    found = identify.fit(fit_spec.FitSpec(given.cable, given.parameters, given.data, table,
                                          given.search))  # fmt: skip
    young = found.parameters["young"]
    assert young.low < 5e6 < young.high < 1.2 * young.low


@pytest.mark.parametrize(
    ("name", "undetermined"),
    [
        ("friction", ["friction"]),  # the cable touches nothing
        ("density", ["young", "density"]),  # the shape at rest depends on their ratio
    ],
)
def test_parameters_on_which_the_data_do_not_depend(
    tmp_path: Path, name: str, undetermined: list[str]
) -> None:
    truth = {"young": 5e6, "friction": 0.8, "density": 1100.0}
    more = f'[[parameter]]\nname = "{name}"\nlow = {truth[name] / 5}\nhigh = {truth[name] * 5}\n'
    data = "node,x,z\n" + "".join(f"{node},0,0\n" for node in range(1, 13))
    text = spec(tmp_path, YOUNG + more, data, "nodes")
    simulated_data(tmp_path, text, {"young": 5e6})
    given = fit_spec.from_toml(text, tmp_path)
    noisy = given.table.values.copy()
    noisy[:, 1:] += 1e-4 * np.random.default_rng(1).normal(size=(12, 2))
    table = fit_spec.Table(given.table.columns, noisy, timed=False)
    found = identify.fit(dataclasses.replace(given, table=table))
    assert found.undetermined == undetermined
    for one in undetermined:
        assert (found.parameters[one].low, found.parameters[one].high) == (0, np.inf)
    report = found.report()
    assert not report.passed and f"{name}: the data do not depend on it" in report.note
    if "young" not in undetermined:
        assert found.parameters["young"].low < 5e6 < found.parameters["young"].high < 6e6


def test_a_parameter_at_its_limit_is_reported(tmp_path: Path) -> None:
    text = spec(tmp_path, YOUNG, REST, "nodes")
    simulated_data(tmp_path, text, {"young": 5e5})
    found = identify.fit(fit_spec.from_toml(text, tmp_path))
    assert found.at_limit == ["young"]


def test_the_example_and_the_schema_are_consistent(tmp_path: Path) -> None:
    (tmp_path / "cable.toml").write_text(CABLE)
    (tmp_path / "tip.csv").write_text(REST)
    fit_spec.from_toml(fit_spec.EXAMPLE, tmp_path)
    assert "[[parameter]]" in fit_spec.schema()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('name = "young"', 'name = "yuong"', "parameter.yuong: got a key that is not known.*young"),
        ("low = 1e6", "low = 1e9", r"parameter young: got 1e\+09 to 1e\+08, allowed: low < high"),
        ("low = 1e6", "low = -1", r"parameter young: low: got -1, allowed: > 0 \(log\)"),
        ("[search]", "[serach]", "serach: got a table that is not known"),
        ('"nodes"', '"shape"', "data.quantity: got 'shape'"),
        ("[search]", '[search]\nmethod = "luck"', "search.method: got 'luck'"),
        ('file = "data.csv"', 'file = "none.csv"', "file: got '.*none.csv'"),
        ("[search]", "[search]\nseed = -1", "search.seed: got -1"),
    ],
)
def test_bad_specs(tmp_path: Path, old: str, new: str, words: str) -> None:
    text = spec(tmp_path, YOUNG, REST, "nodes")
    with pytest.raises(StrandError, match=words):
        fit_spec.from_toml(text.replace(old, new), tmp_path)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("node,x\n99,0\n", "data: node: got 99, allowed: -13 to 12"),
        ("time,x\n0,0\n", "data.file: got the columns time, x, allowed: node and any of x, y, z"),
        ("node,x\n1,nan\n", "row 2, column 2"),
        ("", "rows: got none"),
    ],
)
def test_bad_data(tmp_path: Path, data: str, words: str) -> None:
    text = spec(tmp_path, YOUNG, data, "nodes")
    with pytest.raises(StrandError, match=words):
        fit_spec.from_toml(text, tmp_path)


def test_optuna_is_optional(tmp_path: Path) -> None:
    text = spec(tmp_path, YOUNG, REST, "nodes", 'method = "optuna"\ntrials = 10')
    simulated_data(tmp_path, text, {"young": 5e6})
    given = fit_spec.from_toml(text, tmp_path)
    try:
        import optuna  # noqa: F401
    except ImportError:
        with pytest.raises(StrandError, match="method: got 'optuna', not installed"):
            identify.fit(given)
    else:
        assert identify.fit(given).parameters["young"].value == pytest.approx(5e6, rel=0.01)
