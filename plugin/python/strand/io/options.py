"""Kinds of options: a text that describes the allowed values, and a check."""

import dataclasses
import math
from collections.abc import Callable, Sequence
from types import UnionType
from typing import Any, Generic, TypeVar, overload

import numpy as np

from strand.errors import StrandError

#: Default gravity of cables and of simulations without MuJoCo (m/s^2).
GRAVITY = (0.0, 0.0, -9.81)
NEEDED = dataclasses.MISSING  #: the default of a key that is required

_Value = TypeVar("_Value")
_Read = TypeVar("_Read", covariant=True)


@dataclasses.dataclass(frozen=True)
class Option(Generic[_Read]):
    """A field of a dataclass: its meaning, its allowed values and their check."""

    doc: str
    allowed: str
    read: Callable[[Any], _Read]  #: returns the value for C++; raises ValueError or TypeError


def key(default: Any, doc: str, kind: "Kind[Any]") -> Any:
    """A dataclass field that is a key of a file's table. Default `NEEDED`: the key is required."""
    return dataclasses.field(
        default=default, metadata={"option": Option(doc, kind.allowed, kind.read)}
    )


@dataclasses.dataclass(frozen=True)
class Kind(Generic[_Read]):
    """A kind of value: a text that describes the allowed values, and their check."""

    allowed: str
    read: Callable[[Any], _Read]


def read(field: str, value: Any, kind: Option[_Value] | Kind[_Value]) -> _Value:
    """The value, checked. Raises StrandError, which names field, value and allowed values."""
    try:
        return kind.read(value)
    except (TypeError, ValueError):
        shown = repr(value) if len(repr(value)) < 200 else f"{repr(value)[:200]}..."
        raise StrandError(f"{field}: got {shown}, allowed: {kind.allowed}") from None


def _number(value: Any) -> float:
    if isinstance(value, (bool, str)):
        raise TypeError
    number = float(value)
    if math.isnan(number):
        raise ValueError
    return number


def _numbers(low: int, high: int) -> Callable[[Any], list[float]]:
    def read(value: Any) -> list[float]:
        if isinstance(value, str):
            raise TypeError
        array = np.atleast_1d(np.asarray(value))
        if array.ndim != 1 or not low <= len(array) <= high:
            raise ValueError
        return [_number(item) for item in array.tolist()]

    return read


def _flag(value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError
    return bool(value)


def _integer(value: Any) -> int:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise TypeError
    return int(value)


def _text(value: Any) -> str:
    if not isinstance(value, str) or "\0" in value:
        raise TypeError
    return value


def _function(value: Any) -> Callable[..., Any]:
    if not callable(value):
        raise TypeError
    return value


def number(allowed: str) -> Kind[float]:
    return Kind(f"a number, {allowed}", _number)


def within(allowed: str, fits: Callable[[float], bool]) -> Kind[float]:
    """A finite number for which `fits` is true."""

    def read(value: Any) -> float:
        found = _number(value)
        if not (math.isfinite(found) and fits(found)):
            raise ValueError
        return found

    return Kind(allowed, read)


def positive(unit: str) -> Kind[float]:
    """A finite number > 0."""
    return within(f"a number > 0 ({unit})", lambda value: value > 0)


def non_negative(unit: str) -> Kind[float]:
    """A finite number >= 0."""
    return within(f"a number >= 0 ({unit})", lambda value: value >= 0)


def finite(unit: str) -> Kind[float]:
    return within(f"a finite number ({unit})", lambda value: True)


def vector(count: int, unit: str) -> Kind[list[float]]:
    """A list of `count` finite numbers."""

    def read(value: Any) -> list[float]:
        found = _numbers(count, count)(value)
        if not np.isfinite(found).all():
            raise ValueError
        return found

    return Kind(f"{count} finite numbers ({unit})", read)


def numbers(low: int, high: int, allowed: str) -> Kind[list[float]]:
    return Kind(allowed, _numbers(low, high))


def choice(*names: str) -> Kind[str]:
    def read(value: Any) -> str:
        if not isinstance(value, str) or value not in names:
            raise ValueError
        return value

    return Kind(", ".join(names), read)


def optional(kind: Kind[_Value]) -> Kind[_Value | None]:
    return Kind(kind.allowed, lambda value: None if value is None else kind.read(value))


FLAG = Kind("true or false", _flag)
INTEGER = Kind("an integer", _integer)
TEXT = Kind("a text", _text)
FUNCTION = Kind("a function", _function)


@overload
def instance(kind: type[_Value], allowed: str) -> Kind[_Value]: ...


@overload
def instance(kind: UnionType, allowed: str) -> Kind[Any]: ...


def instance(kind: type | UnionType, allowed: str) -> Kind[Any]:
    """An object of a class."""

    def read(value: Any) -> Any:
        if not isinstance(value, kind):
            raise TypeError
        return value

    return Kind(allowed, read)


def count(least: int, most: int | None = None) -> Kind[int]:
    """An integer, `least` or more, and `most` or less."""

    def read(value: Any) -> int:
        found = _integer(value)
        if found < least or (most is not None and found > most):
            raise ValueError
        return found

    limit = "" if most is None else f", at most {most}"
    return Kind(f"an integer, at least {least}{limit}", read)


def _reals(value: Any) -> np.ndarray:
    if np.iscomplexobj(value):
        raise TypeError
    return np.asarray(value, dtype=float)


REALS = Kind("an array of numbers", _reals)


def _nodes(value: Any) -> np.ndarray:
    nodes = _reals(value)
    if nodes.ndim != 2 or nodes.shape[1] != 3:
        raise ValueError
    return nodes


NODES = Kind("an array of shape (n + 1, 3)", _nodes)


def _list(value: Any) -> list[Any]:
    if isinstance(value, (str, dict)) or not isinstance(value, Sequence):
        raise TypeError
    return list(value)


LIST = Kind("a list", _list)
