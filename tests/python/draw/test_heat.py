"""The scale of colours, its texts, its legend, and the curvature that it shows."""

import re
from pathlib import Path

import numpy as np
import pytest

from strand.draw.heat import HeatScale, edge_curvature, with_unit
from strand.draw.picture import annotate, label_room

HEADER = Path(__file__).parents[3] / "plugin" / "mujoco" / "adapter" / "heat_color.h"
MOMENT = HeatScale("moment", "N m", 0.0, 4.2e-3)


def test_colours_are_those_of_the_plugin_and_the_viewer() -> None:
    stops = re.findall(r"\{+(0\.\d+)f, (0\.\d+)f, (0\.\d+)f\}", HEADER.read_text())
    assert len(stops) == 5
    found = HeatScale("", "", -1.0, 3.0).colors([-1, 0, 1, 2, 3])
    np.testing.assert_allclose(found[:, :3], np.array(stops, float), atol=1e-6)
    assert (found[:, 3] == 1).all() and found.dtype == np.float32


def test_values_beyond_the_range_have_the_colours_of_its_ends() -> None:
    found = MOMENT.colors([-1.0, 0.0, 4.2e-3, 7.0])
    assert (found[0] == found[1]).all() and (found[2] == found[3]).all()
    flat = HeatScale("", "", 0.0, 0.0).colors([0.0, 1.0])
    assert (flat == found[0]).all()


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.0042, "N m", "4.2 mN m"),
        (0.0, "N m", "0 N m"),
        (-12345.0, "N", "-12.3 kN"),
        (0.9996, "N", "1 N"),
        (999.96, "N", "1 kN"),
        (3.21e-7, "N m", "321 nN m"),
        (4e-6, "N", "4 µN"),
        (2.1e7, "Pa", "21 MPa"),
        (1234.0, "1/m", "1230 1/m"),
        (0.0123, "1/m", "0.0123 1/m"),
        (4e13, "Pa", "40000 GPa"),
        (0.000307, "", "0.000307"),
    ],
)
def test_units_get_a_prefix(value: float, unit: str, text: str) -> None:
    assert with_unit(value, unit) == text


@pytest.mark.parametrize("size", [(640, 480), (480, 640), (1920, 1080), (8192, 4608), (300, 300)])
def test_the_legend_is_at_the_bottom_right(size: tuple[int, int]) -> None:
    """It does not overlap the scale bar, and the room for it is what label_room says."""
    grey = np.full((*size[::-1], 3), 128, np.uint8)
    everything = annotate(grey, "t = 2.5 s", 1e-3, MOMENT)
    legend = np.argwhere((annotate(grey, scale=MOMENT) != grey).any(axis=2))
    others = np.argwhere((annotate(grey, "t = 2.5 s", 1e-3) != grey).any(axis=2))
    assert others[:, 1].max() < legend[:, 1].min()
    both = np.argwhere((everything != grey).any(axis=2))
    assert len(both) == len(legend) + len(others)
    bottom, top = label_room(size, labels=True, legend=True)
    free = (both[:, 0] > top * size[1]) & (both[:, 0] < (1 - bottom) * size[1])
    assert not free.any()
    letters = legend[:, 0].max() - legend[:, 0].min()
    assert letters > 0.15 * min(size)


def test_the_legend_goes_from_blue_to_red() -> None:
    grey = np.full((480, 640, 3), 128, np.uint8)
    picture = annotate(grey, scale=MOMENT).astype(int)
    strong = np.argwhere(picture.max(axis=2) - picture.min(axis=2) > 90)
    row = strong[len(strong) // 2, 0]
    colors = picture[row, strong[strong[:, 0] == row][:, 1]]
    ends = np.rint(255 * MOMENT.colors([0.0, 4.2e-3])[:, :3])
    np.testing.assert_allclose(colors[[0, -1]], ends, atol=2)


def test_the_curvature_of_a_circle() -> None:
    turn = np.linspace(0, 2 * np.pi, 81)[:-1]
    circle = 0.5 * np.column_stack([np.cos(turn), np.sin(turn), 0 * turn])
    ring = np.column_stack([np.arange(80), np.roll(np.arange(80), -1)])
    assert edge_curvature(circle, ring) == pytest.approx(2.0, rel=1e-3)
    arc = edge_curvature(circle, ring[:-1])
    assert arc == pytest.approx(2.0, rel=1e-3)
    assert edge_curvature(circle, ring[:1]) == pytest.approx([0])


def test_nodes_where_three_edges_meet_and_edges_of_no_length_have_none() -> None:
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 1]], float)
    star = np.array([[0, 1], [0, 2], [3, 0], [3, 4]])
    assert (edge_curvature(points, star) == 0).all()
    corner = np.array([[1, 0], [2, 0]])
    assert edge_curvature(points, corner) == pytest.approx(np.pi / 2)
