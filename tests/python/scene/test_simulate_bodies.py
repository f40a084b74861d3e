"""Rigid bodies in TOML scenes."""

import numpy as np
import pytest
from matplotlib.image import imread
from typer.testing import CliRunner

from strand.cli import app
from strand.draw.stage import can_render
from strand.errors import StrandError
from strand.scene import file as scene_file
from strand.simulation.obstacle_drawing import rigid

ROPE = """\
[simulation]
dt = 0.002
[[rod]]
name = "rope"
young = 1e9
radius = 0.003
density = 1000.0
shape = { type = "straight", length = 0.3, segments = 6 }
quat = [1.0, 0.0, 1.0, 0.0]
pos = [0.0, 0.0, 0.5]
[[fix]]
rod = "rope"
nodes = 0
"""
BALL = """\
[[body]]
name = "ball"
mass = 0.2
pos = [0.0, 0.0, 0.16]
shape = { type = "sphere", radius = 0.04 }
"""
HUNG = '[[attach_to_body]]\nrod = "rope"\nnode = -1\nbody = "ball"\n'


def simulation(text):
    return scene_file.from_toml(text).simulation


@pytest.mark.parametrize("joint", ["ball", "rigid"])
def test_a_ball_hangs_from_a_rope(joint):
    sim = simulation(ROPE + BALL + HUNG + f'joint = "{joint}"\n')
    sim.run(0.1)
    ball = sim.network.bodies[0]
    assert sim.pose(ball)[0] == pytest.approx([0, 0, 0.16], abs=1e-4)
    assert len(ball.points) == (joint == "rigid")


def test_a_thrown_box_comes_to_rest_on_a_floor():
    sim = simulation(
        """\
[simulation]
dt = 0.002
[[body]]
name = "box"
density = 500.0
pos = [0.0, 0.0, 0.0503]
shape = { type = "box", size = [0.1, 0.1, 0.1], rounding = 0.004 }
velocity = [0.3, 0.0, 0.0]
[floor]
friction = 0.5
"""
    )
    sim.run(0.5)
    (box,) = sim.network.bodies
    assert box.mass == pytest.approx(0.5)
    assert sim.pose(box)[0] == pytest.approx([0.3**2 / (2 * 0.5 * 9.81), 0, 0.05], abs=1e-3)
    assert np.abs(sim.body_velocity(box)[0]).max() < 1e-4


def test_bodies_are_driven_held_and_loaded(tmp_path):
    sim = simulation(
        """\
[simulation]
dt = 0.01
gravity = [0.0, 0.0, 0.0]
[[body]]
name = "hand"
mass = 1.0
shape = { type = "capsule", radius = 0.05, length = 0.1 }
move = { velocity = [0.1, 0.0, 0.0], rate = [0.0, 0.0, 1.0] }
[[body]]
name = "post"
mass = 1.0
pos = [1.0, 0.0, 0.0]
shape = { type = "cylinder", radius = 0.05, length = 0.1 }
fixed = true
[[body]]
name = "pushed"
mass = 2.0
pos = [2.0, 0.0, 0.0]
quat = [0.0, 1.0, 0.0, 0.0]
shape = { type = "box", size = [0.1, 0.2, 0.3] }
force = [0.0, 1.0, 0.0]
torque = [0.0, 0.0, 0.01]
torque_axes = "body"
angular_velocity = [0.0, 0.0, 0.0]
"""
    )
    sim.run(0.5)
    hand, post, pushed = sim.network.bodies
    centre, turned = sim.pose(hand)
    assert centre == pytest.approx([0.05, 0, 0], abs=1e-9)
    assert turned[:, 0] == pytest.approx([np.cos(0.5), np.sin(0.5), 0], abs=1e-9)
    assert sim.pose(post)[0] == pytest.approx([1, 0, 0], abs=1e-12)
    velocity, spin = sim.body_velocity(pushed)
    assert velocity == pytest.approx([0, 0.25, 0], rel=1e-3, abs=1e-9)
    turning = 0.01 * 0.5 / (2.0 * pushed.shape.gyration[2])
    assert spin == pytest.approx([0, 0, -turning], rel=1e-3, abs=1e-6)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (ROPE + HUNG, r"attach_to_body\[0\].body: got 'ball', allowed: none, as there is no body"),
        (BALL + BALL, r"body\[1\].name: got 'ball' again"),
        (BALL.replace("sphere", "cone"), r"body\[0\].shape.type: got 'cone', allowed: sphere,"),
        (BALL.replace("0.04", "-1.0"), r"body\[0\].shape.radius: got -1"),
        (BALL.replace("mass = 0.2", ""), r"body\[0\].body: got both or none of mass and density"),
        (BALL + "fixed = true\nmove = { velocity = [1.0, 0.0, 0.0] }\n", r"body\[0\].move: got a"),
        (
            ROPE + BALL + HUNG.replace("-1", "3") + 'joint = "rigid"\n',
            r"attach_to_body\[0\].node: got 3, allowed: 0 or -1",
        ),
    ],
)
def test_bad_tables_are_rejected(text, words):
    with pytest.raises(StrandError, match=words):
        simulation(text)


def test_the_schema_describes_bodies():
    schema = scene_file.schema()
    assert "[[body]]" in schema
    assert "[[attach_to_body]]" in schema
    assert "rounding" in schema


def test_bodies_are_drawn_at_their_positions(tmp_path):
    scene = tmp_path / "scene.toml"
    scene.write_text(
        """\
[simulation]
duration = 0.02
dt = 0.002
[[body]]
name = "box"
mass = 1.0
pos = [0.0, 0.0, 0.0503]
quat = [1.0, 0.0, 0.0, 1.0]
shape = { type = "box", size = [0.1, 0.2, 0.1] }
[[body]]
name = "rod"
mass = 1.0
pos = [1.0, 0.0, 0.5]
shape = { type = "capsule", radius = 0.1, length = 0.4 }
[floor]
[output]
picture = "end.png"
size = "160x120"
"""
    )
    sim = scene_file.load(scene).simulation
    box, capsule = rigid(sim.network.bodies, sim.positions)
    assert (box.kind, capsule.kind) == ("box", "capsule")
    assert box.size == pytest.approx([0.05, 0.1, 0.05])
    assert capsule.size == pytest.approx([0.1, 0.2])
    assert capsule.pos == pytest.approx([1, 0, 0.5])
    assert box.quat * np.sign(box.quat[0]) == pytest.approx(np.sqrt([0.5, 0, 0, 0.5]), abs=1e-9)
    if not can_render():
        pytest.skip("nothing to render with")
    result = CliRunner().invoke(app, ["simulate", str(scene)])
    assert result.exit_code == 0, result.output
    picture = imread(tmp_path / "end.png")[..., :3]
    assert picture.shape[:2] == (120, 160)
    assert picture.std() > 0.05  # the picture is not empty
