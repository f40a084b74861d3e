"""The floor, light and sky of a model that is opened on its own."""

import dataclasses

import mujoco
import numpy as np
import pytest
from support import cables
from support.engine import needs_discrete, needs_flex
from typer.testing import CliRunner

import strand
from strand.cable import cable_file
from strand.cli import app
from strand.draw import stage

L, RADIUS = 1.0, 0.004
FREE = strand.Cable(strand.straight(L, 20), EI=1e-4, GJ=1e-4, radius=RADIUS)
TILTED = (np.cos(0.3), 0.0, np.sin(0.3), 0.0)


def with_(**options) -> strand.Cable:
    return dataclasses.replace(FREE, **options)


HELD = {
    "start": with_(start="fixed"),
    "end": with_(end="ball", quat=TILTED),
    "both, taut": with_(start="fixed", end="fixed"),
    "both, slack": with_(nodes=strand.arc(L, 3.0, 20), start="ball", end="ball"),
    "both, slack and upright": with_(
        nodes=strand.arc(L, 3.0, 20)[:, [0, 2, 1]], quat=TILTED, start="ball", end="ball"
    ),
    "mocap": with_(start="mocap"),
    "box": with_(section="box", width=0.01, height=0.002, end="fixed"),
    "ring": with_(nodes=strand.ring(0.1, 20), closed=True),
}


def staged(cable: strand.Cable) -> tuple[mujoco.MjModel, mujoco.MjData]:
    model = mujoco.MjModel.from_xml_string(strand.generate(cable, stage=True))
    return model, mujoco.MjData(model)


def touches_floor(model: mujoco.MjModel, data: mujoco.MjData) -> bool:
    return bool((data.contact.geom == model.geom("floor").id).any())


@pytest.mark.parametrize("name", HELD)
def test_nothing_touches_the_floor_initially(name: str) -> None:
    model, data = staged(HELD[name])
    mujoco.mj_forward(model, data)
    assert not touches_floor(model, data)
    assert model.nlight == 1 and model.ntex == 2


@needs_discrete
@pytest.mark.parametrize("name", [name for name in HELD if name != "ring"])
def test_a_held_cable_hangs_above_the_floor(name: str) -> None:
    cable = dataclasses.replace(HELD[name], damping=1e-4)
    model, data = staged(cable)
    for _ in range(20):
        mujoco.mj_step(model, data, round(0.1 / model.opt.timestep))
        assert not touches_floor(model, data)


@needs_discrete
def test_a_free_cable_lies_on_the_floor() -> None:
    model, data = staged(with_(damping=1e-4))
    floor = model.geom("floor").pos[2]
    assert floor == pytest.approx(-RADIUS, rel=0.02) and floor < -RADIUS
    cables.run(model, data, 1.0)
    assert touches_floor(model, data)
    assert data.xpos[cables.link_bodies(model), 2] == pytest.approx(0, abs=0.2 * RADIUS)


def test_the_floor_is_the_ground_where_there_is_room() -> None:
    assert stage.floor_height(with_(pos=(0, 0, 0.5))) == 0
    assert stage.floor_height(with_(pos=(0, 0, 1.5), start="fixed")) == 0
    assert stage.floor_height(with_(pos=(0, 0, 0.5), start="fixed")) < -0.5
    assert stage.floor_height(with_(pos=(0, 0, -3))) < -3


def test_the_reach_of_a_cable_between_two_ends() -> None:
    """The expected lowest point, on the ellipsoid, is found by sampling."""
    nodes = strand.arc(L, 2.5, 40)[:, [0, 2, 1]]
    cable = with_(nodes=nodes, start="ball", end="ball")
    ends = cable.nodes[[0, -1]]
    x, z = np.meshgrid(np.linspace(-1, 1, 1001), np.linspace(-1, 0, 1001))
    points = np.stack([x, 0 * x, z], axis=-1)
    way = sum(np.linalg.norm(points - end, axis=-1) for end in ends)
    lowest = z[way <= L].min()
    assert stage.floor_height(cable) == pytest.approx(lowest - 0.05 * L - RADIUS, abs=2e-3)


def test_python_writes_only_the_cable() -> None:
    assert 'name="floor"' not in strand.generate(FREE) and 'name="floor"' not in FREE.to_mjcf()
    alone, model = mujoco.MjModel.from_xml_string(strand.generate(FREE)), staged(FREE)[0]
    assert model.nbody == alone.nbody and model.ngeom == alone.ngeom + 1
    np.testing.assert_array_equal(model.body_mass, alone.body_mass)
    with pytest.raises(strand.StrandError, match="stage: got 1, allowed: true or false"):
        strand.generate(FREE, stage=1)


def test_the_command_adds_a_stage_unless_told_not_to(tmp_path) -> None:
    path, output = tmp_path / "a.cable.toml", tmp_path / "a.xml"
    path.write_text(cable_file.EXAMPLE)
    made = strand.load_cable(path)
    for options, stage_there in (([], True), (["--stage"], True), (["--no-stage"], False)):
        for place in ([], ["-o", str(output)]):
            result = CliRunner().invoke(app, ["generate", str(path), *options, *place])
            assert result.exit_code == 0
            text = output.read_text() if place else result.stdout
            assert text == strand.generate(made, stage=stage_there)


@needs_flex
def test_a_flex_has_a_stage_too() -> None:
    text = strand.generate(with_(start="fixed"), backend="flex", stage=True)
    assert mujoco.MjModel.from_xml_string(text).geom("floor").pos[2] < -L
