"""Triangle meshes as obstacles in TOML scenes, and in pictures and films."""

import re
from pathlib import Path

import numpy as np
import pytest
import trimesh
from matplotlib.image import imread
from typer.testing import CliRunner

from strand.cli import app
from strand.draw.rod_render import Facets, RodPainter, View
from strand.draw.stage import can_render
from strand.errors import StrandError
from strand.scene import file as scene_file

RADIUS = 0.005
ROD = f"""\
[simulation]
dt = 0.002
duration = 0.3
[[rod]]
name = "rod"
young = 1e6
radius = {RADIUS}
density = 1000.0
shape = {{ type = "straight", length = 0.2, segments = 20 }}
pos = [-0.1, 0.02, 0.151]
"""
CONTACT = "[contact]\nfriction = 0.5\n"
BLOCK = """\
[[obstacle_mesh]]
file = "block.stl"
scale = 0.001
pos = [0.0, 0.0, 0.12]
quat = [1.0, 0.0, 1.0, 0.0]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    trimesh.creation.box((50.0, 400.0, 400.0)).export(tmp_path / "block.stl")  # mm
    return tmp_path


def simulation(text: str, folder: Path):
    (folder / "scene.toml").write_text(text)
    return scene_file.load(folder / "scene.toml").simulation


def test_a_rod_lies_on_a_mesh_turned_and_placed(folder: Path) -> None:
    sim = simulation(ROD + CONTACT + BLOCK, folder)
    sim.run(0.3)
    np.testing.assert_allclose(sim.positions[:, 2], 0.145 + RADIUS, atol=0.1 * RADIUS)


def test_a_mesh_moves(folder: Path) -> None:
    move = "[obstacle_mesh.move]\nvelocity = [0.0, 0.0, 0.1]\nrate = [0.0, 0.0, 0.5]\n"
    sim = simulation(ROD + CONTACT + BLOCK + move, folder)
    (mesh,) = sim.network.obstacle_meshes
    sim.run(0.3)
    places = sim.mesh_vertices(mesh)
    assert places[:, 2].max() == pytest.approx(0.175, abs=1e-12)
    np.testing.assert_allclose(sim.positions[:, 2], 0.175 + RADIUS, atol=0.1 * RADIUS)
    along = sim.positions[-1] - sim.positions[0]
    # It lags behind until it touches (.0074 s) and stops sliding (.0034 s). Friction also rolls its
    # ends back and forth as far as it twists them: by less than mu w r L / (4 GJ), here .1 rad.
    turned = np.arctan2(along[1], along[0])
    assert turned == pytest.approx(0.5 * (0.3 - 0.0108) - 0.004, abs=1.5e-3)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (ROD + BLOCK, r"obstacle_mesh\[0\]: got no table \[contact\], allowed: a scene"),
        (
            ROD + CONTACT + BLOCK.replace("block", "none"),
            r"obstacle_mesh\[0\].file: got 'none.stl', allowed: a readable file",
        ),
        (
            ROD + CONTACT + BLOCK.replace("0.001", "0.0"),
            r"obstacle_mesh\[0\].scale: got 0.0, allowed: a number > 0 \(m per unit\)",
        ),
        (
            ROD + CONTACT + BLOCK.replace("0.12", "0.13"),
            "contact.positions: got 'rod 0, node 0 and obstacle mesh 0",
        ),
        (
            ROD + CONTACT + BLOCK + '[obstacle_mesh.move]\nfile = "none.csv"\n',
            r"obstacle_mesh\[0\].move",
        ),
    ],
)
def test_bad_tables_are_rejected(folder: Path, text: str, words: str) -> None:
    with pytest.raises(StrandError, match=words):
        simulation(text, folder)


def test_a_file_that_is_no_mesh_is_rejected(folder: Path) -> None:
    (folder / "block.stl").write_bytes(b"solid nothing\nendsolid\n")
    with pytest.raises(StrandError, match=r"obstacle_mesh\[0\].file: "):
        simulation(ROD + CONTACT + BLOCK, folder)


def test_the_commented_parts_of_the_example_work(folder: Path) -> None:
    hook = trimesh.creation.icosphere(radius=30.0)  # mm
    hook.apply_translation((300.0, 0.0, -300.0))
    hook.export(folder / "hook.stl")
    keys = r"\[\[obstacle_mesh|\[contact|file = .hook|scale = 0.001"
    sim = simulation(re.sub(rf"^# ({keys})", r"\1", scene_file.EXAMPLE, flags=re.M), folder)
    assert len(sim.network.obstacle_meshes) == 1
    sim.run(0.02)


def test_the_schema_describes_meshes() -> None:
    assert "[[obstacle_mesh]]" in scene_file.schema()


@pytest.mark.skipif(not can_render(), reason="nothing can be rendered here")
def test_facets_are_drawn_at_their_positions() -> None:
    vertices = np.array([[0, -0.2, -0.2], [0, 0.2, -0.2], [0, 0, 0.2]])
    red = Facets(vertices, np.array([[0, 1, 2]]), (1, 0, 0, 1))
    nodes, edges = np.array([[0.0, -0.5, 0.0], [0.0, 0.5, 0.0]]), np.array([[0, 1]])
    front = View(azimuth=180, elevation=0)

    def reds(painter: RodPainter, **options) -> np.ndarray:
        picture = painter.picture(nodes, **options).astype(int)
        return np.argwhere((picture[..., 0] > 100) & (picture[..., 1:] < 60).all(axis=-1))

    with RodPainter(
        nodes, edges, 0.01, color=(0, 0, 1), size=(160, 120), view=front, obstacles=[red]
    ) as painter:
        before = reds(painter)
        moved = Facets(vertices + np.array([0, 0.2, 0]), red.triangles, red.rgba)
        after = reds(painter, obstacles=[moved])
    assert len(before) > 100
    assert len(after) == pytest.approx(len(before), rel=0.1)
    assert abs(after[:, 1].mean() - before[:, 1].mean()) > 10


@pytest.mark.skipif(not can_render(), reason="nothing can be rendered here")
def test_pictures_and_films_show_them(folder: Path) -> None:
    output = '[output]\npicture = "a.png"\nfilm = "a.mp4"\nsize = "320x240"\n'
    scene = folder / "scene.toml"
    scene.write_text(ROD.replace("0.3\n[[rod", "0.1\n[[rod") + CONTACT + BLOCK + output)
    result = CliRunner().invoke(app, ["simulate", str(scene)])
    assert result.exit_code == 0, result.output
    with_block = imread(folder / "a.png")
    scene.write_text(ROD.replace("0.3\n[[rod", "0.02\n[[rod") + output)
    assert CliRunner().invoke(app, ["simulate", str(scene)]).exit_code == 0
    without = imread(folder / "a.png")
    assert (np.abs(with_block - without).max(axis=-1) > 0.05).mean() > 0.1
    assert (folder / "a.mp4").stat().st_size > 1000
