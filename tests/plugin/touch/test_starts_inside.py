"""A cable that is drawn inside something says so, once, before contacts throw it out."""

import copy

import mujoco
import numpy as np
import pytest
from support.touch import FLOOR, INTEGRATORS, RUBBER, scene, start

import strand

DRUM, RADIUS = 0.05, 0.002
DRUM_GEOM = f'<geom name="drum" type="cylinder" size="{DRUM} .1" quat="1 1 0 0"/>'


def half_turn(links: int, away: float) -> np.ndarray:
    """Nodes on a circle about the drum's axis (y)."""
    angles = np.linspace(0, np.pi, links + 1)
    return away * np.stack([-np.cos(angles), 0 * angles, np.sin(angles)], axis=1)


def rope(nodes: np.ndarray, **options: object) -> strand.Cable:
    return strand.Cable(nodes, **({"radius": RADIUS, "rest": "straight"} | RUBBER | options))


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_links_that_cut_a_drum_are_named_once_per_reset(
    integrator: str, engine_warnings: list[str]
) -> None:
    spec = scene(integrator, 0.002, DRUM_GEOM)
    strand.attach(spec, rope(half_turn(6, DRUM + RADIUS), prefix="rope_"))
    model, data = start(spec)
    depth = (DRUM + RADIUS) * (1 - np.cos(np.pi / 12))
    for _ in range(2):
        mujoco.mj_step(model, data, 5)
        assert len(engine_warnings) == 1
        assert "cable 'rope_rod': geom 'rope_" in engine_warnings[0]
        assert f"starts {1e3 * depth:.3g} mm inside geom 'drum'" in engine_warnings[0]
        engine_warnings.clear()
        mujoco.mj_resetData(model, data)
    begun = copy.copy(data)
    for twin in (data, begun):  # copied before: another mjData, another warning
        mujoco.mj_step(model, twin)
        assert len(engine_warnings) == 1
        engine_warnings.clear()
    mujoco.mj_step(model, copy.copy(data))
    assert engine_warnings == []


def test_cables_drawn_clear_of_things_say_nothing() -> None:
    links = 8
    spec = scene("implicitfast", 0.002, DRUM_GEOM + FLOOR.replace("/>", ' pos="0 0 -.3"/>'))
    away = (DRUM + RADIUS) / np.cos(np.pi / (2 * links))
    strand.attach(spec, rope(half_turn(links, away)))
    lying = rope(strand.straight(0.3, 10), prefix="lying_")
    strand.attach(spec, lying, pos=(0.5, 0, -0.3 + RADIUS * 0.6))
    model, data = start(spec)
    mujoco.mj_step(model, data, 10)
    assert data.ncon > 8


def test_each_cable_speaks_for_itself(engine_warnings: list[str]) -> None:
    spec = scene("implicitfast", 0.002, '<geom type="box" size=".03 .03 .03"/>')
    for y, prefix in ((0.0, "in_"), (0.5, "out_"), (0.0305, "half_")):
        strand.attach(spec, rope(strand.straight(0.3, 5), prefix=prefix), pos=(-0.15, y, 0))
    start(spec)
    assert len(engine_warnings) == 2
    assert "cable 'in_rod'" in engine_warnings[0]
    assert "cable 'half_rod'" in engine_warnings[1]
    assert "mm inside geom 0 of body 'world'" in engine_warnings[1]
    engine_warnings.clear()


def test_its_own_links_count(engine_warnings: list[str]) -> None:
    """Folded back by the state that a run starts from."""
    spec = scene("implicitfast", 0.002)
    strand.attach(spec, rope(strand.straight(0.4, 8), start="fixed"))
    model, data = start(spec)
    mujoco.mj_resetData(model, data)
    half = (np.pi - 0.03) / 2
    data.joint("cable_joint4").qpos[:] = np.cos(half), 0, 0, np.sin(half)
    mujoco.mj_forward(model, data)
    assert len(engine_warnings) == 1
    assert engine_warnings[0].count("geom 'cable_") == 2
    engine_warnings.clear()


def test_without_contacts_there_is_nothing_to_say() -> None:
    spec = scene("implicitfast", 0.002, DRUM_GEOM)
    strand.attach(spec, rope(half_turn(8, DRUM), collide=False))
    start(spec)
