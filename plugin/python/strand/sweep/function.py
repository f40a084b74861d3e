"""Points that call a Python function."""

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from strand.errors import StrandError
from strand.io import toml_file
from strand.sweep.parameters import Value
from strand.sweep.task import Evaluate, Task

_ALLOWED = "MODULE:FUNCTION or FILE.py:FUNCTION"
_FIELD = "run.function"  #: of the spec


class ResultMissing(StrandError):
    """A function does not return a result that the spec names."""


def evaluator(task: Task) -> Evaluate:
    """Calls the function with the parameters as keyword arguments."""
    function = load(task.target, task.folder)

    def evaluate(parameters: Mapping[str, Value]) -> dict[str, float]:
        return _chosen(_numbers(function(**parameters)), task.results)

    return evaluate


def load(target: str, folder: Path, field: str = _FIELD) -> Callable[..., Any]:
    """The function that a text names. Raises StrandError, which names the field, if there is none.

    target: MODULE:FUNCTION or FILE.py:FUNCTION. folder: where files and modules are.
    """
    source, name = _split(target, field)
    is_file = source.endswith(".py")
    module = _from_file(folder / source, field) if is_file else _module(source, folder, field)
    functions = [known for known, value in vars(module).items() if inspect.isfunction(value)]
    if not callable(found := getattr(module, name, None)):
        raise toml_file.unknown(f"{field}.{name}", f"a function of {source}", functions)
    return found


def _split(target: str, field: str) -> tuple[str, str]:
    """The module or file, and the function."""
    source, _, name = target.rpartition(":")
    if not source or not name:
        raise StrandError(f"{field}: got {target!r}, allowed: {_ALLOWED}")
    return source, name


def _from_file(path: Path, field: str) -> ModuleType:
    _check_exists(path, field)
    _find_modules_in(path.parent)
    name = f"strand_sweep_of_{path.stem}"
    described = importlib.util.spec_from_file_location(name, path)
    if described is None or described.loader is None:
        raise StrandError(f"{field}: got '{path}', allowed: a Python file")
    module = importlib.util.module_from_spec(described)
    sys.modules[name] = module  # dataclasses and pickle look modules up there
    _import(str(path), lambda: described.loader.exec_module(module), field)  # type: ignore[union-attr]
    return module


def _module(name: str, folder: Path, field: str) -> ModuleType:
    _find_modules_in(folder)
    return _import(name, lambda: importlib.import_module(name), field)


def _import(name: str, load_module: Callable[[], Any], field: str) -> Any:
    try:
        return load_module()
    except Exception as error:  # a user's module can raise anything
        cause = f"{type(error).__name__}: {error}"
        raise StrandError(
            f"{field}: got '{name}', allowed: Python that can be imported ({cause})"
        ) from error


def _find_modules_in(folder: Path) -> None:
    """Modules beside the spec and in the current folder can be imported, as from a script."""
    for place in (str(Path.cwd()), str(folder.resolve())):
        if place not in sys.path:
            sys.path.insert(0, place)


def source_of(target: str, folder: Path) -> Path | None:
    """The file in which the function is; None if it has none, as a built-in module."""
    source, _ = _split(target, _FIELD)
    if source.endswith(".py"):
        _check_exists(folder / source, _FIELD)
        return folder / source
    origin = getattr(_module(source, folder, _FIELD), "__file__", None)
    return Path(origin) if origin else None


def _check_exists(path: Path, field: str) -> None:
    if not path.is_file():
        raise StrandError(f"{field}: got '{path}', allowed: an existing Python file")


def check_arguments(task: Task, parameters: Mapping[str, Value]) -> None:
    """Raises StrandError if the function does not take these keyword arguments."""
    function = load(task.target, task.folder)
    try:
        signature = inspect.signature(function)
    except ValueError:  # a function in C
        return
    try:
        signature.bind(**parameters)
    except TypeError as error:
        raise StrandError(
            f"parameters: got {', '.join(parameters)}, allowed: those of "
            f"{task.target}{signature} ({error})"
        ) from None


def _numbers(returned: Any) -> dict[str, float]:
    if not isinstance(returned, Mapping) or not returned:
        raise TypeError(f"the function returned {returned!r:.60}, allowed: a dict of numbers")
    for name, value in returned.items():
        number = isinstance(value, bool | int | float | np.bool_ | np.integer | np.floating)
        if not isinstance(name, str) or not number:
            raise TypeError(f"the function returned {name!r}: {value!r:.60}, allowed: a number")
    return {name: float(value) for name, value in returned.items()}


def _chosen(values: dict[str, float], names: tuple[str, ...]) -> dict[str, float]:
    for name in names:
        if name not in values:
            error = toml_file.unknown(f"run.results.{name}", "a result of the function", values)
            raise ResultMissing(str(error))
    return {name: values[name] for name in names} if names else values
