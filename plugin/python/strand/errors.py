"""Errors caused by invalid user input."""

from collections.abc import Callable
from typing import Any, TypeVar

_Result = TypeVar("_Result")


class StrandError(ValueError):
    """Invalid input. The message names the field, its value and the allowed values."""


def reason(error: Exception) -> str:
    """Why a file could not be read or written, without the errno and path that OSError adds."""
    return getattr(error, "strerror", None) or str(error)


def checked(function: Callable[..., _Result], *arguments: Any, **named: Any) -> _Result:
    """Calls a function of the extension. Raises its ValueError or TypeError as StrandError.

    Those of functions of the user's, which the extension calls, stay as they are.
    """
    try:
        return function(*arguments, **named)
    except (ValueError, TypeError) as error:
        # An error of the extension's own has no frame of Python beyond this one.
        if error.__traceback__ is not None and error.__traceback__.tb_next is not None:
            raise
        raise StrandError(_message(function, (*arguments, *named.values()), error)) from None


def _message(function: Callable[..., Any], arguments: tuple[Any, ...], error: Exception) -> str:
    """The extension's message; if that lists C++ signatures, the given types instead."""
    if "incompatible function arguments" not in str(error):
        return str(error)
    given = ", ".join(type(argument).__name__ for argument in arguments)
    return f"{function.__name__}: got arguments ({given}), allowed: the types in its documentation"
