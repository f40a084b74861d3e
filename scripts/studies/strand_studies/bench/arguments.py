"""Checks of arguments that the benchmarks share. Each raises StrandError for a bad value."""

from collections.abc import Sequence

from strand.errors import StrandError


def check_sizes(segments: Sequence[int]) -> None:
    """Numbers of links: one or more, each 3 to 480."""
    for n in segments:
        if not 3 <= n <= 480:
            raise StrandError(f"segments: got {n}, allowed: 3 to 480")
    if not len(segments):
        raise StrandError("segments: got none, allowed: one number or more, each 3 to 480")


def check_repeats(repeats: int) -> None:
    if repeats < 1:
        raise StrandError(f"repeats: got {repeats}, allowed: at least 1")


def check_choices(field: str, values: Sequence[str], allowed: Sequence[str]) -> None:
    """One or more values, each of those allowed."""
    if not values:
        raise StrandError(f"{field}: got none, allowed: {', '.join(allowed)}")
    for value in values:
        if value not in allowed:
            raise StrandError(f"{field}: got {value!r}, allowed: {', '.join(allowed)}")
