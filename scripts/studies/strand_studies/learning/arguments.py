"""Checks of an environment's arguments."""

import copy
import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from strand.errors import StrandError
from strand_studies.manipulation.catalog import choose_grasp, load
from strand_studies.manipulation.scene import Range, Scene


def scene_of(
    scene: str | Scene, grasp: str | None, ranges: Mapping[str, tuple[float, float]]
) -> Scene:
    """A scene for one environment, by its name or a copy. Raises StrandError if there is none.

    ranges: other bounds of the scene's ranges, by name.
    """
    made = load(scene) if isinstance(scene, str) else copy.copy(scene)
    choose_grasp(made, grasp)
    check_names("ranges", ranges, made.draw(None))
    return dataclasses.replace(made, **{name: _range(name, each) for name, each in ranges.items()})


def at_values(scene: Scene, values: Mapping[str, float]) -> Any:
    """The scene whose ranges have these values only."""
    only = {name: Range(value, value) for name, value in values.items()}
    return dataclasses.replace(scene, **only)


def _range(name: str, bounds: Any) -> Range:
    try:
        low, high = map(float, bounds)
    except (TypeError, ValueError):
        raise StrandError(f"ranges.{name}: got {bounds!r}, allowed: (low, high)") from None
    return Range(low, high)


def fixed(values: Mapping[str, Any], known: Mapping[str, float]) -> dict[str, float]:
    """Values for some of a scene's ranges. Raises StrandError for other names, and for what are not
    finite numbers."""
    check_names("values", values, known)
    found = {}
    for name, value in values.items():
        if not isinstance(value, int | float | np.number) or not np.isfinite(value):
            raise StrandError(f"values.{name}: got {value!r}, allowed: a finite number")
        found[name] = float(value)
    return found


def check_names(field: str, given: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    for name in given:
        if name not in known:
            raise StrandError(f"{field}: got {name!r}, allowed: {', '.join(known)}")


def periods(field: str, seconds: float, period: float, least: float) -> int:
    """The number of control periods in a time (s), at least 1."""
    if not least <= seconds < np.inf:
        raise StrandError(f"{field}: got {seconds!r}, allowed: a finite number >= {least:g}")
    return max(1, round(seconds / period))
