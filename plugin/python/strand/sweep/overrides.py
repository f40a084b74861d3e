"""Sets keys of a TOML document by dotted paths."""

import copy
from collections.abc import Iterable, Mapping
from typing import Any

from strand.errors import StrandError
from strand.io import toml_file
from strand.sweep.parameters import Parameter, Value


def overridden(
    document: Mapping[str, Any], parameters: Iterable[Parameter], values: Mapping[str, Value]
) -> dict[str, Any]:
    """A copy of the document with the values of the parameters in it. Raises StrandError."""
    changed = copy.deepcopy(dict(document))
    for parameter in parameters:
        written = parameter.written(values[parameter.name])
        for path in parameter.paths or []:
            _set(changed, f"parameters.{parameter.name}.path", path, written)
    return changed


def _set(document: dict[str, Any], where: str, path: str, value: Value) -> None:
    """Sets a key. Tables that the document does not have are added; lists keep their length."""
    *parents, last = path.split(".")
    holder: Any = document
    for name in parents:
        holder = _child(holder, where, path, name)
    if isinstance(holder, list):
        holder[_index(holder, where, path, last)] = value
    elif isinstance(holder, dict):
        holder[last] = value
    else:
        raise _no_table(where, path, holder)


def _child(holder: Any, where: str, path: str, name: str) -> Any:
    if isinstance(holder, list):
        return holder[_index(holder, where, path, name)]
    if isinstance(holder, dict):
        return holder.setdefault(name, {})
    raise _no_table(where, path, holder)


def _index(items: list[Any], where: str, path: str, name: str) -> int:
    """The place in a list of an index, or of the table whose key `name` has this value."""
    names = [item.get("name") if isinstance(item, dict) else None for item in items]
    if name in names:
        return names.index(name)
    known = [str(each) for each in names if each is not None] + [f"0 to {len(items) - 1}"]
    try:
        index = int(name)
    except ValueError:
        raise toml_file.unknown(f"{where} = {path}: {name}", "an element", known) from None
    if not 0 <= index < len(items):
        raise StrandError(f"{where} = {path}: got index {index}, allowed: {', '.join(known)}")
    return index


def _no_table(where: str, path: str, holder: Any) -> StrandError:
    return StrandError(f"{where}: got '{path}', allowed: keys of tables, not of {holder!r}")
