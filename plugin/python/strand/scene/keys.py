"""Tables of scene files as dataclasses: strict reading, their schema, shared keys."""

import contextlib
import dataclasses
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import scipy

from strand.errors import StrandError
from strand.io import toml_file
from strand.io.options import (
    INTEGER,
    NEEDED,
    TEXT,
    Kind,
    choice,
    key,
    numbers,
    optional,
    read,
    vector,
)

_Read = TypeVar("_Read")

ALL = "all"  #: may be given in place of indices


def _indices(value: Any) -> list[int] | str:
    if value == ALL:
        return ALL
    values = [value] if isinstance(value, int) else value
    if not isinstance(values, list) or not values:
        raise TypeError
    return [INTEGER.read(each) for each in values]


def _numbers_or_rows(value: Any) -> np.ndarray:
    array = np.asarray(value)
    if array.dtype.kind not in "if" or array.ndim > 2 or not np.isfinite(array).all():
        raise ValueError
    return array.astype(float)


def _texts(value: Any) -> list[str]:
    if not isinstance(value, list) or not value:
        raise TypeError
    return [TEXT.read(each) for each in value]


def _range(allowed: str) -> Kind[list[float]]:
    def checked(value: Any) -> list[float]:
        low, high = numbers(2, 2, allowed).read(value)
        if low > high:
            raise ValueError
        return [low, high]

    return Kind(allowed, checked)


INDICES = optional(Kind('an index, a list of them (-1 is the last), or "all"', _indices))
ROWS = optional(Kind("numbers, the same for all, or one (row) each", _numbers_or_rows))
_RANGE = optional(_range("two numbers, the lower and the higher (m)"))


@dataclasses.dataclass(kw_only=True)
class Timed:
    """Keys for a quantity that changes in time, in place of a constant."""

    file: str | None = key(None, "table against time (first column, s): text, XLSX", optional(TEXT))
    sheet: str | None = key(None, "of an XLSX file that has several", optional(TEXT))
    columns: list[str] | None = key(
        None, "names of the columns used; left out: all", optional(Kind("a list of texts", _texts))
    )
    between: str = key("linear", "interpolation between rows", choice("linear", "step"))


@dataclasses.dataclass(kw_only=True)
class Region:
    """Keys that restrict a selection to elements with all nodes initially inside a region."""

    x: list[float] | None = key(None, "only elements initially in this range", _RANGE)
    y: list[float] | None = key(None, "only elements initially in this range", _RANGE)
    z: list[float] | None = key(None, "only elements initially in this range", _RANGE)


@dataclasses.dataclass(kw_only=True)
class OfPart(Region):
    """Keys that select elements of a rod or of a shell."""

    rod: str | None = key(None, "a rod's name", optional(TEXT))
    shell: str | None = key(None, "or a shell's", optional(TEXT))


@dataclasses.dataclass(kw_only=True)
class Placed:
    """Keys for the pose of a shape."""

    pos: list[float] = key((0.0, 0.0, 0.0), "position of the shape's origin", vector(3, "m"))
    quat: list[float] = key(
        (1.0, 0.0, 0.0, 0.0), "rotation of the shape (w x y z)", vector(4, "not all zero")
    )


def placed(where: str, table: Placed, points: np.ndarray) -> np.ndarray:
    """The points (N x 3, m), rotated and moved to the pose of the table."""
    return points @ rotation(where, table.quat).T + table.pos


@contextlib.contextmanager
def named(where: str) -> Iterator[None]:
    """Prefixes errors raised inside with the name of the table, `where`."""
    try:
        yield
    except StrandError as error:
        raise StrandError(f"{where}.{error}") from None


def read_file(where: str, file: str, folder: Path, read: Callable[[Path], _Read]) -> _Read:
    """Reads, with `read`, the file that a table names. Raises StrandError with the key's name."""
    if not (folder / file).is_file():
        raise StrandError(f"{where}.file: got '{file}', allowed: a readable file")
    try:
        return read(folder / file)
    except StrandError as error:
        raise StrandError(f"{where}.file: {error}") from None


def _fields(kind: type[Any]) -> dict[str, dataclasses.Field[Any]]:
    """The keys of a table, its own before those of its base classes."""
    own = inspect.get_annotations(kind)
    fields = sorted(dataclasses.fields(kind), key=lambda field: field.name not in own)
    return {field.name: field for field in fields}


def read_keys(where: str, content: dict[str, Any], kind: type[_Read]) -> _Read:
    """The content of a table as a `kind`. Raises StrandError, which names table, key and value."""
    fields = _fields(kind)
    for name in content:
        if name not in fields:
            raise toml_file.unknown(f"{where}.{name}", "a key", fields)
    for name, field in fields.items():
        if field.default is NEEDED and name not in content:
            allowed = field.metadata["option"].allowed
            raise StrandError(f"{where}.{name}: got nothing, allowed: {allowed}")
    values = {
        name: read(f"{where}.{name}", value, fields[name].metadata["option"])
        for name, value in content.items()
    }
    return kind(**values)


def given_as(kind: type[Any], table: Any) -> dict[str, Any]:
    """The values in a table of the keys of one of its base classes."""
    return {name: getattr(table, name) for name in _fields(kind)}


def schema_lines(kind: type[Any]) -> list[str]:
    """The lines of a schema, one for each key."""
    lines = []
    for name, field in _fields(kind).items():
        described = field.metadata["option"]
        if field.default is NEEDED:
            lines.append(f"{name}, required: {described.doc}. Allowed: {described.allowed}")
        else:
            lines.append(toml_file.described(name, described, field.default))
    return lines


def read_kind(
    where: str, content: dict[str, Any], kinds: dict[str, tuple[type[Any], Callable[..., _Read]]]
) -> tuple[Callable[..., _Read], dict[str, Any]]:
    """The maker for the `type` that a table names, and the values of its other keys, checked."""
    keys = dict(content)
    kind = keys.pop("type", None)
    if not isinstance(kind, str) or kind not in kinds:
        raise StrandError(f"{where}.type: got {kind!r}, allowed: {', '.join(kinds)}")
    table, make = kinds[kind]
    return make, dataclasses.asdict(read_keys(where, keys, table))


def kinds_schema(kinds: dict[str, tuple[type[Any], Callable[..., Any]]]) -> list[str]:
    """The lines of a schema: the types, and the keys of each."""
    lines = [f"type: one of {', '.join(kinds)}; required. Its keys:"]
    for kind, (table, _) in kinds.items():
        lines += [f"  {kind}: {table.__doc__}", *(f"    {line}" for line in schema_lines(table))]
    return lines


def rotation(where: str, quat: list[float]) -> np.ndarray:
    """The rotation matrix (3 x 3) of a table's quaternion (w x y z), which need not be unit."""
    if not any(quat):
        raise StrandError(f"{where}.quat: got {quat}, allowed: four numbers, not all 0")
    w, *vector_part = quat
    return scipy.spatial.transform.Rotation.from_quat([*vector_part, w]).as_matrix()
