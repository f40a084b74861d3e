"""Pictures and films of networks of rods: where objects appear, and which input is rejected."""

from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pytest
from PIL import Image
from support.pictures import FRONT, GREEN, RED, SIZE, box, drawn, hues, seen

from strand import StrandError
from strand.draw.rod_render import Obstacle, RodPainter, View, film, render, save_png

# A rod along x and, above it, a shorter one.
NODES = np.array([[-0.5, 0, 0], [0, 0, 0], [0.5, 0, 0], [-0.2, 0, 0.3], [0.2, 0, 0.3]])
EDGES = np.array([[0, 1], [1, 2], [3, 4]])


@drawn
def test_rods_are_drawn_at_their_positions() -> None:
    color = [RED, RED, GREEN]
    picture = render(NODES, EDGES, 0.03, color=color, size=SIZE, view=FRONT)
    assert picture.shape == (120, 160, 3) and picture.dtype == np.uint8
    (red_top, red_left), (red_bottom, red_right) = box(picture, RED)
    (green_top, green_left), (green_bottom, green_right) = box(picture, GREEN)
    assert green_bottom < red_top
    length = red_right - red_left
    assert length > 0.8 * SIZE[0]  # it fits closely
    assert red_left > 1 and red_right < SIZE[0] - 2
    assert abs((red_left + red_right) - (green_left + green_right)) <= 2
    assert (green_right - green_left) / length == pytest.approx(0.46 / 1.06, abs=0.03)
    assert (red_bottom - red_top) / length == pytest.approx(0.06 / 1.06, abs=0.02)
    assert (red_bottom - green_top) / length == pytest.approx(0.36 / 1.06, abs=0.03)


@drawn
@pytest.mark.parametrize("scale", (1e-4, 1e3))
def test_size_and_place_do_not_matter(scale: float) -> None:
    options = {"color": RED, "size": SIZE}
    one = render(NODES, EDGES, 0.03, floor=-0.1, **options)
    other = render(scale * NODES + 7, EDGES, scale * 0.03, floor=7 - scale * 0.1, **options)
    # Positions are rounded before they are drawn.
    assert np.mean(np.abs(one.astype(int) - other)) < 0.1


@drawn
@pytest.mark.parametrize("azimuth", (0, 40, 125, 270))
@pytest.mark.parametrize("elevation", (-80, 0, 30))
@pytest.mark.parametrize("size", ((160, 90), (90, 160)))
def test_everything_fits(azimuth: float, elevation: float, size: tuple) -> None:
    view = View(azimuth, elevation)
    low, high = box(render(NODES, EDGES, 0.05, color=RED, size=size, view=view), RED)
    assert (low > 0).all() and (high < np.array(size[::-1]) - 1).all()
    assert ((high - low) / size[::-1]).max() > 0.4


@drawn
def test_objects_seen_from_above_are_centred() -> None:
    """The closer end of an upright coil looks larger, which must not shift the picture."""
    t = np.linspace(0, 25, 80)
    coil = np.column_stack([0.1 * np.cos(t), 0.1 * np.sin(t), 0.04 * t])
    edges = np.column_stack([np.arange(79), np.arange(1, 80)])
    for elevation in (-10, -60):
        view = View(90, elevation)
        low, high = box(render(coil, edges, 0.01, color=RED, size=(240, 180), view=view), RED)
        assert abs(low[0] + high[0] - 179) <= 6  # only the lit side is measured across


@drawn
def test_a_close_up_is_centred_at_its_focus() -> None:
    near = np.array([[-0.2, 0, 0.3], [0.2, 0, 0.3]])
    options = {"color": [RED, RED, GREEN], "size": SIZE, "view": FRONT}
    (_, left), (_, right) = box(render(NODES, EDGES, 0.03, focus=near, **options), GREEN)
    assert right - left > 0.8 * SIZE[0] and abs(left + right - SIZE[0]) <= 3


@drawn
def test_edges_are_smooth_and_the_scale_is_right() -> None:
    """Pixels at the border of a level rod are between its colour and the background."""
    line = np.array([[-0.5, 0, -0.02], [0.5, 0, 0.02]])
    options = {"color": RED, "size": (640, 480), "view": FRONT}
    with RodPainter(line, [[0, 1]], 0.02, **options) as painter:
        picture = painter.picture(line).astype(int)
        labelled = painter.picture(line, time=1.5, scale_bar=True).astype(int)
    blend = picture[:, 320, 0] - picture[:, 320, 2]
    assert ((blend > 15) & (blend < 0.6 * blend.max())).any()
    (_, left), (_, right) = box(picture, RED)
    dark = (labelled.max(axis=2) < 70)[400:]
    bar = max(np.flatnonzero(row).size for row in dark)
    assert bar / (right - left) * 1.04 == pytest.approx(0.2, abs=0.01)  # m
    assert (labelled != picture)[:60, :160].any()


@drawn
def test_every_rod_has_its_colour() -> None:
    def found(**options) -> set[int]:
        return hues(render(NODES, EDGES, 0.05, size=SIZE, view=FRONT, **options))

    assert found() == {0, 2}  # the first colours of the palette are blue and red
    assert found(rod=[0, 0, 0]) == {2}
    assert found(color=GREEN) == {1}


@drawn
def test_directors_are_drawn_on_their_side() -> None:
    rod, edge = NODES[[0, 2]], [[0, 1]]
    options = {"color": RED, "size": SIZE, "view": FRONT}
    above = render(rod, edge, 0.1, [[0, 0, 1]], **options)
    below = render(rod, edge, 0.1, [[0, 0, -1]], **options)
    plain = render(rod, edge, 0.1, **options)
    for picture, side in ((above, slice(0, 60)), (below, slice(60, 120))):
        changed = np.abs(picture.astype(int) - plain).max(axis=2) > 40
        assert changed[side].sum() > 100
        assert changed.sum() < 1.3 * changed[side].sum()


@drawn
@pytest.mark.parametrize(
    "shape",
    (
        Obstacle("sphere", [0.1], (0.2, 0, 0.2), rgba=(*GREEN, 1)),
        Obstacle("capsule", [0.03, 0.07], (0.2, 0, 0.2), rgba=(*GREEN, 1)),
        Obstacle("box", [0.1, 0.1, 0.1], (0.2, 0, 0.2), rgba=(*GREEN, 1)),
        Obstacle("plane", [0.1, 0.1], (0.2, 0, 0.2), (1, 1, 0, 0), (*GREEN, 1)),
    ),
)
def test_obstacles_are_drawn_at_their_positions(shape: Obstacle) -> None:
    picture = render(
        NODES[:3], EDGES[:2], 0.03, color=RED, size=SIZE, view=FRONT, obstacles=[shape]
    )
    (_, left), (_, right) = box(picture, RED)
    (top, begin), (bottom, end) = box(picture, GREEN)
    metre = (right - left) / 1.06
    width = 0.06 if shape.kind == "capsule" else 0.2
    assert ((begin + end) / 2 - (left + right) / 2) / metre == pytest.approx(0.2, abs=0.03)
    assert (59.5 - (top + bottom) / 2) / metre == pytest.approx(0.2, abs=0.03)
    assert (end - begin) / metre == pytest.approx(width, abs=0.04)
    assert (bottom - top) / metre == pytest.approx(0.2, abs=0.04)


@drawn
def test_a_floor_is_below() -> None:
    options = {"color": RED, "size": SIZE}
    bare = render(NODES, EDGES, 0.03, **options)
    floored = render(NODES, EDGES, 0.03, floor=-0.05, **options)
    changed = np.abs(floored.astype(int) - bare).max(axis=2) > 15
    assert changed[-10:].mean() > 0.9
    assert len(seen(floored, RED)) == pytest.approx(len(seen(bare, RED)), rel=0.1)


@drawn
def test_more_rods_than_a_scene_can_hold() -> None:
    x = np.linspace(-0.5, 0.5, 12_002)
    nodes = np.stack([x, 0 * x, 0 * x], axis=1)
    edges = np.stack([np.arange(12_001), np.arange(1, 12_002)], axis=1)
    color = np.tile(RED, (12_001, 1))
    color[11_500:] = GREEN
    picture = render(nodes, edges, 0.02, color=color, size=(64, 48), view=FRONT)
    assert len(seen(picture, GREEN)) > 1  # the last ones are drawn, too


@drawn
def test_a_film_has_the_frames_that_were_given(tmp_path: Path) -> None:
    lifted = NODES + np.array([0, 0, 0.4])
    with RodPainter(np.stack([NODES, lifted]), EDGES, 0.03, color=RED, size=SIZE) as painter:
        frames = [painter.picture(nodes) for nodes in np.linspace(NODES, lifted, 5)]
    assert box(frames[0], RED)[0][0] > box(frames[4], RED)[0][0] + 10
    film(tmp_path / "lift.mp4", iter(frames), fps=10)
    assert [path.name for path in tmp_path.iterdir()] == ["lift.mp4"]
    reader = imageio_ffmpeg.read_frames(str(tmp_path / "lift.mp4"))
    told = next(reader)
    assert told["size"] == SIZE and told["fps"] == 10 and told["codec"] == "h264"
    shown = [np.frombuffer(frame, np.uint8).reshape(120, 160, 3) for frame in reader]
    assert len(shown) == 5
    for given, read in zip(frames, shown, strict=True):
        assert np.mean(np.abs(given.astype(int) - read)) < 8


def test_a_png_is_what_was_drawn(tmp_path: Path) -> None:
    picture = np.random.default_rng(0).integers(0, 256, (30, 40, 3), dtype=np.uint8)
    save_png(tmp_path / "a.png", picture)
    np.testing.assert_array_equal(np.asarray(Image.open(tmp_path / "a.png")), picture)
    assert [path.name for path in tmp_path.iterdir()] == ["a.png"]


def test_a_film_that_fails_leaves_the_older_one(tmp_path: Path) -> None:
    black = np.zeros((32, 48, 3), np.uint8)
    path = tmp_path / "a.mp4"
    path.write_text("older")

    def broken():
        yield black
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        film(path, broken())
    for frames in (
        [],
        [black[:31]],
        [black[:, :, 0]],
        [black.astype(float)],
        [black, black[:, :46]],
    ):
        with pytest.raises(StrandError, match="frame"):
            film(path, frames)
    with pytest.raises(StrandError, match="fps: got 0"):
        film(path, [black], fps=0)
    assert [file.name for file in tmp_path.iterdir()] == ["a.mp4"]
    assert path.read_text() == "older"
    with pytest.raises(StrandError, match=r"output: .*nowhere"):
        film(tmp_path / "nowhere" / "a.mp4", [black])
    with pytest.raises(StrandError, match=r"\.mp4"):
        film(tmp_path / "a.avi", [black])
    with pytest.raises(StrandError, match=r"output: .*nowhere"):
        save_png(tmp_path / "nowhere" / "a.png", black)


@pytest.mark.parametrize(
    ("change", "message"),
    (
        ({"bounds": NODES[:, :2]}, r"bounds: got shape \(5, 2\)"),
        ({"bounds": NODES[:0]}, "bounds: got shape"),
        ({"bounds": NODES * np.nan}, "bounds: got nan or inf"),
        ({"edges": [[0, 5]]}, r"edges: got \[0, 5\], allowed: nodes 0 to 4"),
        ({"edges": [[-1, 0]]}, r"edges: got \[-1, 0\]"),
        ({"edges": [[0.0, 1.0]]}, "edges: got float64"),
        ({"edges": [0, 1]}, "edges: got int64"),
        ({"radius": 0.0}, "radius: got 0.0"),
        ({"radius": [0.1, 0.1]}, r"radius: got shape \(2,\), allowed: \(3,\)"),
        ({"radius": "thick"}, "radius: got"),
        ({"color": [1, 0]}, "color: got shape"),
        ({"color": [2, 0, 0]}, "color: got numbers"),
        ({"color": "red"}, "color: got 'red'"),
        ({"rod": [0, 1]}, r"rod: got shape \(2,\)"),
        ({"size": (0, 10)}, "size: got"),
        ({"view": View(lookat=(0, 0))}, "lookat: got shape"),
        ({"view": View(distance=-1)}, "distance: got -1"),
        ({"obstacles": [Obstacle("cone", [1])]}, "kind: got 'cone', allowed: plane, sphere"),
        ({"obstacles": [Obstacle("box", [1, 1])]}, "size of a box: got shape"),
        ({"obstacles": [Obstacle("sphere", [0])]}, "size of a sphere: got"),
        ({"obstacles": [Obstacle("sphere", [1], quat=(0, 0, 0, 0))]}, "quat: got"),
    ),
)
def test_bad_options_are_rejected(change: dict, message: str) -> None:
    given = {"bounds": NODES, "edges": EDGES, "radius": 0.1} | change
    with pytest.raises(StrandError, match=message):
        RodPainter(**given)


@drawn
def test_positions_are_checked() -> None:
    with RodPainter(NODES, EDGES, 0.1, size=(16, 16)) as painter:
        with pytest.raises(StrandError, match=r"positions: got shape \(4, 3\), allowed: \(5, 3\)"):
            painter.picture(NODES[:4])
        with pytest.raises(StrandError, match="positions: got nan"):
            painter.picture(NODES + np.inf)
        with pytest.raises(StrandError, match="directors: got shape"):
            painter.picture(NODES, NODES)
