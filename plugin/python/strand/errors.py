"""The errors that a user's input can cause."""

from collections.abc import Callable
from typing import Any


class StrandError(ValueError):
    """Bad input: the message names the field, its value and the allowed range."""


def checked(function: Callable, *arguments: Any) -> Any:
    """The result of a function of the extension, with its complaints as StrandError."""
    try:
        return function(*arguments)
    except (ValueError, TypeError) as error:
        raise StrandError(str(error)) from None
