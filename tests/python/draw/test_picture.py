"""Sizes of pictures, and the texts written into them."""

import numpy as np
import pytest

from strand import StrandError
from strand.draw.picture import annotate, bar_length, length_text, parse_size, time_text

BLUE = np.full((480, 640, 3), (40, 90, 200), np.uint8)


def test_sizes_are_read() -> None:
    assert parse_size("1920x1080") == (1920, 1080)
    assert parse_size("640X480") == (640, 480)


@pytest.mark.parametrize("text", ("big", "640", "640x", "640x480x3", "0x10", "9000x10", "-4x4"))
def test_other_sizes_are_rejected(text: str) -> None:
    with pytest.raises(StrandError, match=r"size: got .*, allowed: "):
        parse_size(text)


def test_bars_are_round_lengths() -> None:
    assert [bar_length(most) for most in (1.0, 0.99, 0.0499, 0.21)] == [1.0, 0.5, 0.02, 0.2]
    texts = ["2 m", "50 cm", "1 cm", "5 mm", "20 µm"]
    assert [length_text(length) for length in (2, 0.5, 0.01, 0.005, 2e-5)] == texts
    assert time_text(2.5) == "t = 2.5 s"


def test_the_bar_has_the_length_it_states() -> None:
    """At 1 mm per pixel, a bar in 22 % of 640 pixels is 10 cm long: 100 pixels."""
    changed = annotate(BLUE, metres_per_pixel=1e-3)
    dark = changed.max(axis=2) < 90
    longest = max(np.flatnonzero(row).size for row in dark[-60:])
    assert longest == pytest.approx(100, abs=2)
    assert (changed[:400] == BLUE[:400]).all()


def test_a_text_is_at_the_top_left_and_legible() -> None:
    changed = annotate(BLUE, "t = 2.5 s")
    ink = np.argwhere(changed.max(axis=2) < 90)
    assert len(ink) > 50
    assert (ink.max(axis=0) < (60, 200)).all() and (ink.min(axis=0) > 10).all()
    plate = changed[ink[:, 0].min() - 3, ink[:, 1].min() : ink[:, 1].max()]
    assert plate.min() > 150  # bright behind dark letters, in any picture
    assert (annotate(BLUE) == BLUE).all()
