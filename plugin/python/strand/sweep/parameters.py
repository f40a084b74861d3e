"""Parameters of a sweep: the values that each may have."""

import dataclasses
import math
from typing import Any

import numpy as np

from strand.errors import StrandError
from strand.io.options import (
    LIST,
    NEEDED,
    TEXT,
    Kind,
    choice,
    count,
    finite,
    key,
    optional,
)
from strand.scene.keys import read_keys

#: A value of a parameter: what TOML and JSON can both represent without loss.
Value = bool | int | float | str | list[Any]

_MOST = 10_000_000  #: values on one axis of a grid
RESERVED = ("point", "failure")  #: columns of the results that are not parameters


def _value(value: Any) -> Value:
    if isinstance(value, list):
        return [_value(item) for item in value]
    if not isinstance(value, bool | int | float | str):
        raise TypeError
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError
    return value


def _values(value: Any) -> list[Value]:
    values = [_value(item) for item in LIST.read(value)]
    if not values or any(item in values[:k] for k, item in enumerate(values)):
        raise ValueError
    return values


def _bounds(value: Any) -> list[float]:
    low, high = (float(finite("").read(item)) for item in LIST.read(value))
    if not low < high:
        raise ValueError
    return [low, high]


def _positive_bounds(value: Any) -> list[float]:
    low, high = _bounds(value)
    if low <= 0:
        raise ValueError
    return [low, high]


def _paths(value: Any) -> list[str]:
    paths = [TEXT.read(item) for item in ([value] if isinstance(value, str) else LIST.read(value))]
    if not paths or not all(all(path.split(".")) for path in paths):
        raise ValueError
    return paths


@dataclasses.dataclass(kw_only=True)
class RangeTable:
    """Values at equal distances or, with spacing = "log", equal ratios."""

    start: float = key(NEEDED, "the first value", finite("any unit"))
    stop: float = key(NEEDED, "the last value", finite("any unit"))
    count: int = key(NEEDED, "number of values", count(2, _MOST))
    spacing: str = key("linear", "between values", choice("linear", "log"))


def _list_or_range(value: Any) -> list[Value] | dict[str, Any]:
    return dict(value) if isinstance(value, dict) else _values(value)


_SOURCES = ("grid", "uniform", "loguniform", "choice")
_VALUES = "a list of one or more values, each once"


@dataclasses.dataclass(kw_only=True)
class ParameterTable:
    """One parameter. Exactly one of grid, uniform, loguniform and choice is required."""

    path: list[str] | None = key(
        None,
        "keys of the scene or cable file that it sets, with dots: tables by name, elements of "
        "lists by index, or by their key `name`; left out: the parameter's own name",
        optional(Kind("a text like rod.rope.young, or a list of them", _paths)),
    )
    grid: Any = key(
        None,
        "values, all of which are combined with those of other parameters",
        optional(Kind(f"{_VALUES}, or a table with start, stop, count, spacing", _list_or_range)),
    )
    uniform: list[float] | None = key(
        None,
        "limits of values drawn uniformly, or of the search of [cmaes]",
        optional(Kind("two finite numbers, the lower and the higher", _bounds)),
    )
    loguniform: list[float] | None = key(
        None,
        "limits of values whose logarithm is drawn uniformly, or of that search",
        optional(Kind("two numbers > 0, the lower and the higher", _positive_bounds)),
    )
    choice: list[Value] | None = key(None, "values to draw from", optional(Kind(_VALUES, _values)))
    scale: float = key(1.0, "the key is set to offset + scale * value", finite("any unit"))
    offset: float = key(0.0, "see scale", finite("any unit"))


@dataclasses.dataclass(frozen=True)
class Parameter:
    """A parameter of a sweep."""

    name: str
    source: str  #: grid, uniform, loguniform or choice
    values: list[Value]  #: of a grid or choice; the two limits of the others
    paths: list[str] | None  #: keys that it sets, for scenes and cables
    scale: float = 1.0
    offset: float = 0.0

    @property
    def is_drawn(self) -> bool:
        return self.source != "grid"

    def draw(self, generator: np.random.Generator, size: int) -> list[Value]:
        """Random values, as many as `size`."""
        if self.source == "choice":
            return [self.values[k] for k in generator.integers(len(self.values), size=size)]
        return [self.at(float(part)) for part in generator.random(size)]

    def at(self, part: float) -> float:
        """The value at a fraction of the way from the lower to the higher limit."""
        low, high = map(float, self._limits())
        if self.source == "loguniform":
            value = math.exp(math.log(low) + part * (math.log(high) - math.log(low)))
        else:
            value = low + part * (high - low)
        return min(max(value, low), high)

    def _limits(self) -> list[Any]:
        return self.values

    def written(self, value: Value) -> Value:
        """What is written to the keys of a file for a value."""
        if self.scale == 1.0 and self.offset == 0.0:
            return value
        return self.offset + self.scale * float(finite("").read(value))


def read_parameter(name: str, content: dict[str, Any], takes_paths: bool) -> Parameter:
    """The parameter that a table [parameters.NAME] describes. Raises StrandError.

    takes_paths: False for parameters of functions, which are passed by their names.
    """
    where = f"parameters.{name}"
    if name in RESERVED:
        raise StrandError(f"{where}: got a name that is a column of the results, allowed: another")
    table = read_keys(where, content, ParameterTable)
    given = [source for source in _SOURCES if getattr(table, source) is not None]
    if len(given) != 1:
        got = " and ".join(given) or "nothing"
        raise StrandError(f"{where}: got {got}, allowed: exactly one of {', '.join(_SOURCES)}")
    values = getattr(table, given[0])
    if isinstance(values, dict):
        values = _range(f"{where}.grid", values)
    if not takes_paths:
        for unused in ("path", "scale", "offset"):
            if unused in content:
                raise StrandError(
                    f"{where}.{unused}: got {content[unused]!r}, allowed: with a scene or a cable"
                )
        return Parameter(name, given[0], values, None)
    read = Parameter(name, given[0], values, table.path or [name], table.scale, table.offset)
    _check_scaled(where, read)
    return read


def _check_scaled(where: str, parameter: Parameter) -> None:
    try:
        for value in parameter.values:
            parameter.written(value)
    except (TypeError, ValueError):
        raise StrandError(
            f"{where}.scale: got values that are not numbers, allowed: with numbers only"
        ) from None


def _range(where: str, content: dict[str, Any]) -> list[Value]:
    table = read_keys(where, content, RangeTable)
    if table.start == table.stop:
        raise StrandError(f"{where}.stop: got {table.stop}, allowed: a number that is not start")
    if table.spacing == "linear":
        values = np.linspace(table.start, table.stop, table.count).tolist()
        whole = isinstance(content["start"], int) and all(map(float.is_integer, values))
        return [int(value) for value in values] if whole else values
    if not (table.start > 0 and table.stop > 0):
        key_at_fault = "start" if table.start <= 0 else "stop"
        raise StrandError(
            f"{where}.{key_at_fault}: got {getattr(table, key_at_fault)}, allowed: a number > 0, "
            'with spacing = "log"'
        )
    return np.geomspace(table.start, table.stop, table.count).tolist()
