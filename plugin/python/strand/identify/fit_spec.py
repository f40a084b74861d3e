"""TOML files that say which parameters of a cable are fitted, and to what."""

import dataclasses
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from strand.cable.cable import Cable
from strand.cable.cable_file import load_cable
from strand.errors import StrandError
from strand.io import toml_file
from strand.io.options import (
    FLAG,
    INTEGER,
    NEEDED,
    TEXT,
    choice,
    count,
    finite,
    key,
    optional,
    positive,
)
from strand.io.tables import Table, read_table
from strand.scene.keys import read_keys, schema_lines

EXAMPLE = """\
# A fit for `strand identify fit`: parameters of a cable, so that its simulation matches recorded
# data. SI units. `strand identify fit --schema` lists all keys.

[cable]
file = "cable.toml"         # a cable file, with start values for all that is not fitted

[[parameter]]
name = "young"              # one number of the cable file: EI, radius, loss_time, ...
low = 1e6                   # limits of the search
high = 1e8
scale = "log"               # or "linear"

[data]
file = "tip.csv"            # columns as for the quantity; # starts a comment
quantity = "nodes"          # at rest: node,x,y,z. Or "series", in time: time,x,y,z (of one node)

[search]
method = "least_squares"    # or differential_evolution, optuna
home = "core"               # or plugin (MuJoCo)
"""

HOMES = ("core", "plugin")
SEARCHES = ("least_squares", "differential_evolution", "optuna")
QUANTITIES = ("nodes", "series")
AXES = ("x", "y", "z")


@dataclasses.dataclass
class CableTable:
    """The cable."""

    file: str = key(NEEDED, "a cable file", TEXT)


@dataclasses.dataclass
class Parameter:
    """A parameter of the cable that is fitted."""

    name: str = key(
        NEEDED,
        "a key of cable files that is one number (EI, young, loss_time, ...), not of the shape",
        TEXT,
    )
    low: float = key(NEEDED, "lower limit", finite("unit of the key"))
    high: float = key(NEEDED, "upper limit", finite("unit of the key"))
    scale: str = key("log", "of the search", choice("log", "linear"))
    start: float | None = key(
        None, "first value; left out: the middle", optional(finite("unit of the key"))
    )

    def __post_init__(self) -> None:
        if not self.low < self.high:
            got = f"{self.low:g} to {self.high:g}"
            raise StrandError(f"parameter {self.name}: got {got}, allowed: low < high")
        if self.scale == "log" and not self.low > 0:
            raise StrandError(f"parameter {self.name}: low: got {self.low:g}, allowed: > 0 (log)")
        if self.start is not None and not self.low <= self.start <= self.high:
            allowed = f"{self.low:g} to {self.high:g}"
            raise StrandError(
                f"parameter {self.name}: start: got {self.start:g}, allowed: {allowed}"
            )

    def to_unit(self, value: float) -> float:
        """The value on a scale on which `low` is 0 and `high` is 1."""
        low, high, value = self._scaled(self.low), self._scaled(self.high), self._scaled(value)
        return (value - low) / (high - low)

    def from_unit(self, place: float) -> float:
        low, high = self._scaled(self.low), self._scaled(self.high)
        value = low + place * (high - low)
        if self.scale != "log":
            return value
        with np.errstate(over="ignore"):  # the end of an interval may be infinite
            return float(np.exp(value))

    def _scaled(self, value: float) -> float:
        return float(np.log(value)) if self.scale == "log" else value


@dataclasses.dataclass
class DataTable:
    """What the simulation is compared with."""

    file: str = key(NEEDED, "a table (CSV or XLSX) whose first row names its columns", TEXT)
    quantity: str = key(
        "nodes",
        "nodes: positions at rest, columns node (index along the cable, -1: last) and any of x, y,"
        " z; series: positions of one node in time, columns time and any of x, y, z",
        choice(*QUANTITIES),
    )
    node: int = key(-1, "of a series: index along the cable", INTEGER)
    relative: bool = key(
        False,
        "positions are relative to those of the first row",
        FLAG,
    )


@dataclasses.dataclass
class SearchTable:
    """How the parameters are searched."""

    method: str = key("least_squares", "of the search", choice(*SEARCHES))
    home: str = key("core", "what simulates: the core or, in MuJoCo, the plugin", choice(*HOMES))
    dt: float | None = key(
        None, "time step of a series (s); left out: chosen", optional(positive("s"))
    )
    rest_time: float = key(20.0, "longest time in which the cable comes to rest", positive("s"))
    trials: int = key(100, "simulations of differential_evolution and optuna, about", count(10))
    seed: int = key(0, "of differential_evolution and optuna", count(0))


@dataclasses.dataclass(frozen=True)
class FitSpec:
    """A fit: the cable, its parameters, the data and the search."""

    cable: Cable
    parameters: list[Parameter]
    data: DataTable
    table: Table
    search: SearchTable


def load(path: str | os.PathLike) -> FitSpec:
    """Reads a fit from a TOML file. Names of files in it are relative to it.

    Raises StrandError, which names the file, the table and the key.
    """
    folder = Path(path).parent
    return toml_file.load(path, lambda text: from_toml(text, folder))


def from_toml(text: str, folder: str | os.PathLike = ".") -> FitSpec:
    """Reads a fit from a text. Raises StrandError as `load`."""
    content = toml_file.document(text)
    allowed = ("cable", "parameter", "data", "search")
    for name in content:
        if name not in allowed:
            raise toml_file.unknown(name, "a table", allowed)
    for name in ("cable", "parameter", "data"):
        if name not in content:
            raise StrandError(f"{name}: got nothing, allowed: a table [{name}]")
    given: dict[str, Any] = {
        name: read_keys(name, toml_file.table(name, content.get(name, {})), kind)
        for name, kind in (("cable", CableTable), ("data", DataTable), ("search", SearchTable))
    }
    items = enumerate(toml_file.tables("parameter", content["parameter"]))
    parameters = [read_keys(f"parameter[{k}]", item, Parameter) for k, item in items]
    cable = load_cable(Path(folder) / given["cable"].file)
    _check_parameters(cable, parameters)
    table = read_table(Path(folder) / given["data"].file, time=given["data"].quantity == "series")
    _check_data(cable, given["data"], table)
    return FitSpec(cable, parameters, given["data"], table, given["search"])


def changed(cable: Cable, values: Mapping[str, Any]) -> Cable:
    """The cable with other values of some fields. Raises StrandError if they do not fit it."""
    return dataclasses.replace(cable, **values)


def _check_parameters(cable: Cable, parameters: list[Parameter]) -> None:
    known = [field.name for field in dataclasses.fields(Cable) if field.name != "nodes"]
    names = [parameter.name for parameter in parameters]
    for parameter in parameters:
        if parameter.name not in known:
            raise toml_file.unknown(f"parameter.{parameter.name}", "a key", known)
        if names.count(parameter.name) > 1:
            raise StrandError(f"parameter: got {parameter.name!r} twice, allowed: once")
        changed(cable, {parameter.name: parameter.low})
    if not parameters:
        raise StrandError("parameter: got none, allowed: one or more tables [[parameter]]")


def _check_data(cable: Cable, data: DataTable, table: Table) -> None:
    first, *axes = table.columns
    wanted = "node" if data.quantity == "nodes" else "time"
    if first != wanted or not axes or not set(axes) <= set(AXES):
        got = ", ".join(table.columns)
        raise StrandError(f"data.file: got the columns {got}, allowed: {wanted} and any of x, y, z")
    count_of_nodes = len(cable.nodes)
    indices = table.values[:, 0] if data.quantity == "nodes" else np.array([float(data.node)])
    for index in indices:
        if index != int(index) or not -count_of_nodes <= index < count_of_nodes:
            allowed = f"-{count_of_nodes} to {count_of_nodes - 1}"
            raise StrandError(f"data: node: got {index:g}, allowed: {allowed}")


def schema() -> str:
    """All tables and keys of a fit."""
    tables = (
        ("[cable]", CableTable),
        ("[[parameter]]", Parameter),
        ("[data]", DataTable),
        ("[search]", SearchTable),
    )
    lines = ["# Tables and keys of a fit's TOML file. SI units."]
    for name, kind in tables:
        lines += ["", name, *schema_lines(kind)]
    return "\n".join(lines) + "\n"
