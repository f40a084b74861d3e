"""Tendons in pictures and films."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from strand import straight
from strand.cli import app
from strand.draw.stage import can_render
from strand.simulation import Network, Ring, Simulation

SCENE = """
[simulation]
dt = 5e-3
duration = 0.1
[[rod]]
name = "arm"
young = 2e6
radius = 0.008
density = 1100
shape = { type = "straight", length = 0.3, segments = 10 }
[[clamp]]
rod = "arm"
end = "start"
[[tendon]]
tension = 4.0
points = [ { pos = [0, 0.02, 0] }, { rod = "arm", edges = "all", offset = [0.02, 0] } ]
"""


def test_the_path_has_the_length_that_the_core_reports() -> None:
    network = Network()
    rod = network.rod(straight(0.3, 10), radius=8e-3, young=2e6, density=1100)
    network.clamp(rod, "start")
    simulation = Simulation(network)
    rings = [Ring(edge, (0.02 * np.cos(edge), 0.02 * np.sin(edge))) for edge in rod.edges]
    tendon = simulation.add_tendon([(0.0, 0.02, 0.01), *rings, rod.nodes[-1]], tension=4.0)
    simulation.run(0.2)
    path = tendon.points(simulation.positions, simulation.directors)
    assert path.shape == (12, 3)
    length = np.linalg.norm(np.diff(path, axis=0), axis=1).sum()
    assert length == pytest.approx(tendon.length, rel=1e-9)


@pytest.mark.skipif(not can_render(), reason="nothing renders here")
def test_pictures_and_films_show_it(tmp_path: Path) -> None:
    colours = []
    for name, text in (("with", SCENE), ("without", SCENE[: SCENE.index("[[tendon]]")])):
        (tmp_path / f"{name}.toml").write_text(text)
        picture, film = tmp_path / f"{name}.png", tmp_path / f"{name}.mp4"
        given = [str(tmp_path / f"{name}.toml"), "--picture", str(picture), "--film", str(film)]
        done = CliRunner().invoke(app, ["simulate", *given, "--size", "320x240"])
        assert done.exit_code == 0, done.output
        assert film.stat().st_size > 1000
        red, green, blue = (
            np.asarray(Image.open(picture).convert("RGB"), dtype=int).reshape(-1, 3).T
        )
        colours.append(int(((red - blue > 60) & (red > green)).sum()))
    assert colours[0] > 100 > 10 > colours[1]


@pytest.mark.skipif(not can_render(), reason="nothing renders here")
def test_a_tendon_between_bodies_is_drawn(tmp_path: Path) -> None:
    scene = tmp_path / "scene.toml"
    scene.write_text(
        """\
[simulation]
duration = 0.02
dt = 0.002
[[body]]
name = "ball"
mass = 0.1
pos = [0.0, 0.0, 0.2]
shape = { type = "sphere", radius = 0.02 }
[[tendon]]
tension = 1.0
points = [ { pos = [0, 0, 0.5] }, { body = "ball", pos = [0, 0, 0.02] } ]
[floor]
"""
    )
    picture = tmp_path / "end.png"
    done = CliRunner().invoke(app, ["simulate", str(scene), "--picture", str(picture)])
    assert done.exit_code == 0, done.output
    red, green, blue = np.asarray(Image.open(picture).convert("RGB"), dtype=int).reshape(-1, 3).T
    assert ((red - blue > 60) & (red > green)).sum() > 20
