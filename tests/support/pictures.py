"""Finds strong colours in pictures taken from the front."""

import numpy as np
import pytest

from strand.draw.rod_render import View
from strand.draw.stage import can_render

drawn = pytest.mark.skipif(not can_render(), reason="nothing can be rendered here")

RED, GREEN = (0.9, 0.05, 0.05), (0.05, 0.8, 0.05)
SIZE = (160, 120)
FRONT = View(azimuth=90, elevation=0)  # x to the right, z up


def seen(picture: np.ndarray, color: tuple) -> np.ndarray:
    """Rows and columns (pixels, 2) of the pixels of that colour, which has one strong channel."""
    strong = int(np.argmax(color))
    others = np.delete(picture.astype(int), strong, axis=2).max(axis=2)
    return np.argwhere(picture[:, :, strong] > others + 40)


def box(picture: np.ndarray, color: tuple) -> tuple[np.ndarray, np.ndarray]:
    pixels = seen(picture, color)
    assert len(pixels) > 10
    return pixels.min(axis=0), pixels.max(axis=0)


def hues(picture: np.ndarray) -> set[int]:
    """The strongest channels of the colours, without greys."""
    values = picture.astype(int)
    strong = values.max(axis=2) - values.min(axis=2) > 90
    return set(values[strong].argmax(axis=1))
