"""Pictures of shells, alone and with rods: position, visibility, light, and hidden parts."""

from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pytest
from support.engine import needs_clean_shadows
from support.pictures import FRONT, GREEN, RED, SIZE, box, drawn, hues, seen

from strand import StrandError, meshes
from strand.draw.rod_render import RodPainter, View, film, render
from strand.simulation import Network, Simulation
from strand.simulation.network_drawing import NetworkPainter
from strand_studies.published.frames import Frames

# A square in the plane y = 0. It faces the camera of FRONT, which is at smaller y.
SQUARE = np.array([[-0.5, 0, -0.5], [0.5, 0, -0.5], [0.5, 0, 0.5], [-0.5, 0, 0.5]])
HALVES = np.array([[0, 1, 2], [0, 2, 3]])
NO_EDGES = np.zeros((0, 2), dtype=int)
MATERIAL = {"young": 1e6, "thickness": 1e-3, "density": 1000.0}


def shell(nodes: np.ndarray, triangles: np.ndarray = HALVES, **options) -> np.ndarray:
    options = {"triangle_color": RED, "size": SIZE, "view": FRONT} | options
    return render(nodes, NO_EDGES, 1.0, triangles=triangles, **options)


def middle(picture: np.ndarray) -> np.ndarray:
    """The colour of the lower right half of SQUARE, away from its edges."""
    return picture[62:68, 90:100].reshape(-1, 3).mean(axis=0)


@drawn
def test_triangles_are_drawn_at_their_positions() -> None:
    picture = shell(SQUARE)
    (top, left), (bottom, right) = box(picture, RED)
    assert right - left == pytest.approx(bottom - top, abs=1)
    assert bottom - top > 0.85 * SIZE[1] and top > 1 and bottom < SIZE[1] - 2
    (top, left), (bottom, right) = box(shell(SQUARE, HALVES[:1]), RED)
    half = seen(shell(SQUARE, HALVES[:1]), RED)
    below = half[:, 0] - top >= (bottom - top) * (1 - (half[:, 1] - left) / (right - left)) - 2
    assert below.all()  # and to the right of the diagonal
    assert len(half) == pytest.approx((bottom - top) * (right - left) / 2, rel=0.05)


@drawn
def test_nearer_objects_hide_farther_ones() -> None:
    rod = np.array([[-0.7, 0, 0], [0.7, 0, 0]])
    for y, across in ((-0.2, True), (0.2, False)):
        nodes = np.vstack([SQUARE, rod + np.array([0, y, 0])])
        options = {"triangles": HALVES, "triangle_color": RED, "color": GREEN, "size": SIZE}
        picture = render(nodes, [[4, 5]], 0.04, view=FRONT, **options)
        columns = seen(picture, GREEN)[:, 1]
        assert columns.min() < 25 and columns.max() > 135  # beside the square it is always visible
        assert np.isin(80, columns) == across


@drawn
def test_a_floor_hides_objects_below() -> None:
    view = View(90, -20)
    whole = len(seen(shell(SQUARE, view=view), RED))
    cut = len(seen(shell(SQUARE, view=view, floor=0.0), RED))
    assert 0.3 * whole < cut < 0.7 * whole


@drawn
def test_the_back_is_seen_as_well_and_paler() -> None:
    front, back = shell(SQUARE), shell(SQUARE, HALVES[:, ::-1])
    assert len(seen(front, RED)) == pytest.approx(len(seen(back, RED)), abs=60)
    red, pale = middle(front), middle(back)
    assert pale[1] > red[1] + 25 and pale[2] > red[2] + 25
    assert pale[0] == pytest.approx(red[0], rel=0.1)


def turned(angle: float) -> np.ndarray:
    """SQUARE turned about x: at a positive angle it faces up, at a negative one down."""
    c, s = np.cos(angle), np.sin(angle)
    return SQUARE @ np.array([[1, 0, 0], [0, c, -s], [0, s, c]])


@drawn
def test_brightness_depends_on_the_normal() -> None:
    """The light comes from above, and part of the light on the other side passes through."""
    options = {"view": View(90, 0, distance=1.5), "triangle_color": (0.4, 0.02, 0.02)}
    angles = (0.5, 0.0, -0.4, -1.3)
    up, level, grazed, through = (middle(shell(turned(angle), **options))[0] for angle in angles)
    assert up > level + 10
    assert level > grazed + 10
    assert level > through > grazed + 5


@drawn
def test_a_side_does_not_depend_on_how_its_triangles_are_numbered() -> None:
    rolled = np.roll(HALVES, 1, axis=1)
    difference = shell(SQUARE).astype(int) - shell(SQUARE, rolled)
    assert np.abs(difference).mean() < 0.5


@drawn
def test_edges_are_dark_lines() -> None:
    red = shell(SQUARE)[:, :, 0].astype(int)
    rows = np.arange(40, 80)
    diagonal, beside = red[rows, 139 - rows], red[rows, 149 - rows]  # of pixels about the middle
    assert diagonal.mean() < beside.mean() - 20


@needs_clean_shadows
@drawn
def test_every_shell_has_its_colour() -> None:
    nodes = np.vstack([SQUARE, SQUARE + np.array([1.2, 0, 0]), [[-0.5, 0, 0.7], [0.5, 0, 0.7]]])
    two = np.vstack([HALVES, HALVES + 4])
    options = {"size": SIZE, "view": FRONT}
    assert hues(render(nodes, NO_EDGES, 1.0, triangles=HALVES, **options)) == {2}
    assert hues(render(nodes, NO_EDGES, 1.0, triangles=two, **options)) == {0, 2}
    beside_rod = render(nodes, [[8, 9]], 0.05, triangles=HALVES, **options)
    assert hues(beside_rod) == {0, 2}  # the rod has the first colour, the shell the next
    assert box(beside_rod, (0, 0, 1))[1][0] < box(beside_rod, RED)[0][0]


@needs_clean_shadows
@drawn
def test_balls_mark_nodes() -> None:
    view = View(90, 0, distance=3.1)
    bare, marked = shell(SQUARE, view=view), shell(SQUARE, view=view, balls={2: 0.1})
    changed = np.argwhere(np.abs(marked.astype(int) - bare).max(axis=2) > 25)
    (top, left), (_, right) = changed.min(axis=0), changed.max(axis=0)
    metre = SIZE[1] / (2 * 1.6 * np.tan(np.radians(22.5)))  # in pixels
    assert (left + right) / 2 == pytest.approx(79.5 + 0.5 * metre, abs=1.5)
    assert right - left == pytest.approx(0.2 * metre, abs=2)
    assert top == pytest.approx(59.5 - 0.6 * metre, abs=2)


@drawn
def test_many_triangles_are_all_drawn() -> None:
    def pixels(divisions: int) -> int:
        nodes, triangles = meshes.hexagon(0.5, divisions)
        return len(seen(shell(nodes[:, [0, 2, 1]], triangles, size=(320, 240)), RED))

    assert pixels(24) == pytest.approx(pixels(1), rel=0.01)  # 3456 triangles and their edges


def sheet_with_rod() -> tuple[Simulation, list[int]]:
    """A clamped sheet in z = 0 and a rod that continues it with ribs, clamped at its end."""
    network = Network()
    nodes, triangles = meshes.strip(0.4, 0.2, 0.1)
    sheet = network.shell(nodes, triangles, **MATERIAL)
    held = [e for e in sheet.rim if np.all(nodes[sheet.edge_nodes[e], 0] < 1e-9)]
    network.clamp_shell(sheet, held)
    tip = int(np.argmax(nodes[:, 0] + nodes[:, 1]))
    line = nodes[tip] + np.outer(np.linspace(0, 0.3, 7), [1, 0, 0])
    rod = network.rod(line, young=1e6, radius=0.01, density=1000.0)
    network.attach(rod, 0, sheet, tip)
    network.clamp(rod, "end")
    return Simulation(network, dt=0.01), rod.edges


@drawn
def test_ribs_and_clamps_are_not_drawn() -> None:
    simulation, rod = sheet_with_rod()
    network, where = simulation.network, simulation.positions
    options = {"size": SIZE, "view": View(90, -60)}
    with NetworkPainter(network, where, **options) as painter:
        found = painter.picture(where, simulation.directors)
    edges, triangles = network.edge_nodes[rod], network.triangles
    places = np.unique(np.concatenate([edges.ravel(), triangles.ravel()]))
    assert len(network.core.ribs) > 1 and len(where) == len(places)
    edges, triangles = np.searchsorted(places, edges), np.searchsorted(places, triangles)
    directors = simulation.directors[rod]
    by_hand = render(where[places], edges, 0.01, directors, triangles=triangles, **options)
    np.testing.assert_array_equal(found, by_hand)


@drawn
def test_frames_and_films_show_shells(tmp_path: Path) -> None:
    simulation, _ = sheet_with_rod()
    frames = Frames(tmp_path)
    frames.stage("sheet", floor=-0.2, elevation=-30, balls={0: 0.02})
    simulation.run(0.03, frames.at("sheet", (0.01, 0.03)))
    frames.write()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sheet_00.png", "sheet_01.png"]
    where, size = simulation.positions, (160, 120)
    with NetworkPainter(simulation.network, where, size=size) as painter:
        lifted = (where + np.array([0, 0, z]) for z in (0, 0.01, 0.02))
        film(tmp_path / "a.mp4", map(painter.picture, lifted))
    reader = imageio_ffmpeg.read_frames(str(tmp_path / "a.mp4"))
    assert next(reader)["size"] == size
    assert len(list(reader)) == 3


@pytest.mark.parametrize(
    ("change", "message"),
    (
        ({"triangles": [[0, 1, 4]]}, r"triangles: got \[0, 1, 4\], allowed: nodes 0 to 3"),
        ({"triangles": [[0, 1]]}, r"triangles: got int64 \(1, 2\), allowed: integers"),
        ({"triangles": [[0.0, 1, 2]]}, "triangles: got float64"),
        ({"triangle_color": [[1, 0, 0]] * 3}, r"triangle_color: got shape \(3, 3\)"),
        ({"triangle_color": "red"}, "triangle_color: got 'red'"),
        ({"balls": {4: 0.1}}, r"balls: got \[4\], allowed: nodes 0 to 3"),
        ({"balls": {0: -0.1}}, "balls: got -0.1, allowed: numbers > 0"),
    ),
)
def test_bad_options_are_rejected(change: dict, message: str) -> None:
    given = {"edges": NO_EDGES, "radius": 1.0, "triangles": HALVES} | change
    with pytest.raises(StrandError, match=message):
        RodPainter(SQUARE, **given)
