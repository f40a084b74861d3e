"""The errors that a user's input can cause."""

from collections.abc import Callable
from typing import Any, TypeVar

_Result = TypeVar("_Result")


class StrandError(ValueError):
    """Bad input: the message names the field, its value and the allowed range."""


def reason(error: Exception) -> str:
    """Why a file could not be read or written: without the number and path that OSError adds."""
    return getattr(error, "strerror", None) or str(error)


def checked(function: Callable[..., _Result], *arguments: Any, **named: Any) -> _Result:
    """The result of a function of the extension, with its complaints as StrandError."""
    try:
        return function(*arguments, **named)
    except (ValueError, TypeError) as error:
        raise StrandError(_in_words(function, (*arguments, *named.values()), error)) from None


def _in_words(function: Callable[..., Any], arguments: tuple[Any, ...], error: Exception) -> str:
    """The extension's own complaint; where it lists the signatures of C++, the types given."""
    if "incompatible function arguments" not in str(error):
        return str(error)
    given = ", ".join(type(argument).__name__ for argument in arguments)
    return f"{function.__name__}: got arguments ({given}), allowed: the types in its documentation"
