"""Descriptions in TOML files: strict reading, shapes, and the text of a schema."""

import difflib
import inspect
import os
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Protocol, TypeVar

from strand.errors import StrandError, reason

_Read = TypeVar("_Read")


class _Described(Protocol):
    """What a schema says of a key."""

    @property
    def doc(self) -> str: ...

    @property
    def allowed(self) -> str: ...


#: Functions that make shapes or meshes, by their names in files.
Makers = dict[str, Callable[..., Any]]


def load(path: str | os.PathLike, parse: Callable[[str], _Read]) -> _Read:
    """Parses the text of a file. Raises StrandError, which names the file and the key."""
    try:
        text = Path(path).read_bytes().decode()
    except (OSError, ValueError, TypeError) as error:
        raise StrandError(
            f"file: got {str(path)!r}, allowed: a readable TOML file ({reason(error)})"
        ) from None
    try:
        return parse(text)
    except StrandError as error:
        raise StrandError(f"{path}: {error}") from None


def document(text: str) -> dict[str, Any]:
    """The tables of a text. Raises StrandError if it is not TOML."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise StrandError(f"syntax: got invalid TOML ({error}), allowed: TOML 1.0") from None


def table(name: str, content: Any) -> dict[str, Any]:
    if not isinstance(content, dict):
        raise StrandError(f"{name}: got {content!r}, allowed: a table [{name}]")
    return content


def tables(name: str, content: Any) -> list[dict[str, Any]]:
    if not isinstance(content, list) or not all(isinstance(item, dict) for item in content):
        raise StrandError(f"{name}: got {content!r}, allowed: tables [[{name}]]")
    return content


def unknown(name: str, what: str, allowed: Iterable[str]) -> StrandError:
    """The error for an unknown name (qualified by its tables), with the closest known name."""
    known = list(allowed)
    nearest = difflib.get_close_matches(name.rpartition(".")[2], known, 1)
    hint = f"; did you mean '{nearest[0]}'?" if nearest else ""
    return StrandError(f"{name}: got {what} that is not known, allowed: {', '.join(known)}{hint}")


def shape(name: str, content: dict[str, Any], makers: Makers, beside: Iterable[str] = ()) -> Any:
    """The nodes or mesh that a table with the key `type` describes.

    name: of the table. makers: functions by type. beside: keys that do not belong to the shape.
    """
    kind = content.get("type")
    if not isinstance(kind, str) or kind not in makers:
        raise StrandError(f"{name}.type: got {kind!r}, allowed: {', '.join(makers)}")
    arguments = _arguments(makers[kind])
    for key in content:
        if key != "type" and key not in arguments and key not in beside:
            raise unknown(f"{name}.{key}", "a key", ["type", *arguments, *beside])
    for key, argument in arguments.items():
        if argument.default is argument.empty and key not in content:
            raise StrandError(f"{name}.{key}: got nothing, allowed: a value for type = {kind!r}")
    drawn = {key: content[key] for key in arguments if key in content}
    try:
        return makers[kind](**drawn)
    except StrandError as error:
        raise StrandError(f"{name}.{error}") from None


def _arguments(make: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    return dict(inspect.signature(make).parameters)


def shape_schema(makers: Makers) -> list[str]:
    """The lines of a schema: the shapes and their keys."""
    lines = [f"type: one of {', '.join(makers)}; required. Its keys:"]
    for kind, make in makers.items():
        keys = ", ".join(map(_plain, _arguments(make).values()))
        lines.append(f"  {kind}({keys}): {' '.join((inspect.getdoc(make) or '').split())}")
    return lines


def _plain(argument: inspect.Parameter) -> str:
    """An argument without its type; the documentation gives the unit."""
    if argument.default is argument.empty:
        return argument.name
    return f"{argument.name}={argument.default!r}"


def described(name: str, option: _Described, default: Any) -> str:
    """The line of a schema for one key."""
    return f"{name} = {_shown(default)}: {option.doc}. Allowed: {option.allowed}"


def _shown(default: Any) -> str:
    """A default value in TOML syntax."""
    if default is None or default == ():
        return "not given"
    if isinstance(default, bool):
        return str(default).lower()
    if isinstance(default, str):
        return f'"{default}"'
    if isinstance(default, tuple):
        return f"[{', '.join(map(_shown, default))}]"
    return str(default)
