"""Memory of arrays of Warp."""

import dataclasses
from collections.abc import Iterator
from typing import Any


def bytes_per_world(d: Any) -> float:
    """Bytes of all arrays of a mujoco_warp.Data, over its number of worlds.

    An array that two fields share counts once. What MuJoCo Warp allocates and frees within a step
    is not in it.
    """
    return sum({array.ptr: array.capacity for array in _arrays(d)}.values()) / int(d.nworld)


def _arrays(holder: Any) -> Iterator[Any]:
    for value in vars(holder).values():
        if hasattr(value, "ptr") and hasattr(value, "capacity"):
            if value.ptr:
                yield value
        elif dataclasses.is_dataclass(value) and not isinstance(value, type):
            yield from _arrays(value)
