"""Tables of a scene's TOML file as dataclasses: strict reading, and their part of the schema."""

import contextlib
import dataclasses
import inspect
from collections.abc import Iterator
from typing import Any

import mujoco
import numpy as np

from strand import toml_file
from strand.errors import StrandError
from strand.options import read

NEEDED = dataclasses.MISSING  #: the default of a key that has to be given


@contextlib.contextmanager
def named(where: str) -> Iterator[None]:
    """Complaints of what is built name the table."""
    try:
        yield
    except StrandError as error:
        raise StrandError(f"{where}.{error}") from None


def _fields(kind: type) -> dict[str, dataclasses.Field]:
    """The keys of a table, its own before those of its base."""
    own = inspect.get_annotations(kind)
    fields = sorted(dataclasses.fields(kind), key=lambda field: field.name not in own)
    return {field.name: field for field in fields}


def read_keys(where: str, content: dict, kind: type) -> Any:
    """The content of a table, checked. Raises StrandError that names table, key and value."""
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


def schema_lines(kind: type) -> list[str]:
    """A line of the schema for each key."""
    lines = []
    for name, field in _fields(kind).items():
        described = field.metadata["option"]
        if field.default is NEEDED:
            lines.append(f"{name}, needed: {described.doc}. Allowed: {described.allowed}")
        else:
            lines.append(toml_file.described(name, described, field.default))
    return lines


def rotation(where: str, quat: list[float]) -> np.ndarray:
    """The matrix (3 x 3) of a table's quaternion (w x y z) of any length but 0."""
    if not any(quat):
        raise StrandError(f"{where}.quat: got {quat}, allowed: four numbers, not all 0")
    turned = np.zeros(9)
    mujoco.mju_quat2Mat(turned, np.array(quat) / np.linalg.norm(quat))
    return turned.reshape(3, 3)
