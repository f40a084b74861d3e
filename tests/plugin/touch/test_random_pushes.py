"""Random cables on a bar, through one another or on a box, pushed about: none passes through.

Rings around a bar keep their winding number, linked rings their linking number; a cable on a box or
the floor stays above it. The step is the smaller of 2 ms and the recipe's, and the pushes are up to
the cable's weight: links thrown farther than their diameter in a step do pass through.
"""

from dataclasses import dataclass

import mujoco
import numpy as np
import pytest
from support.random_cables import Draw
from support.touch import FLOOR, INTEGRATORS, STICKY, scene, start, steps

import strand

pytestmark = pytest.mark.slow

HEIGHT = 0.5  #: height (m) of the axis of the bar, along y
BOX = np.array([0.1, 0.1, 0.05])  #: half sizes (m) of the box on the floor


@dataclass
class Scene:
    world: str
    cables: list[strand.Cable]


def drawn(kind: str, draw: Draw, **options) -> Scene:
    length, radius = draw.log_uniform(0.2, 1.5), draw.log_uniform(0.002, 0.006)
    links = min(int(draw.uniform(10, 30)), int(length / (2.2 * radius)))
    options |= {
        "radius": radius,
        "young": draw.log_uniform(1e6, 2e9),
        "poisson": 0.4,
        "density": 1100.0,
        "friction": draw.uniform(0.05, 1.0),
    }
    if kind == "heap":
        x, y, z = BOX
        nodes = strand.arc(length, draw.uniform(-5, 5), links)
        nodes -= nodes.mean(axis=0)
        height = 2 * z + radius + draw.uniform(0.001, 0.05)
        nodes += [draw.uniform(-x, x), draw.uniform(-y, y), height]
        box = f'<geom type="box" size="{x} {y} {z}" pos="0 0 {z}"/>'
        return Scene(FLOOR + box, [strand.Cable(nodes, **options)])
    size = length / (np.pi if kind == "arch" else 2 * np.pi)
    bar = draw.uniform(0.1, 0.3) * size
    world = f'<geom type="cylinder" size="{bar} .6" pos="0 0 {HEIGHT}" quat="1 1 0 0"/>'
    for y in (-0.61, 0.61):
        world += f'<geom type="box" size=".3 .01 .3" pos="0 {y} {HEIGHT}"/>'
    if kind == "arch":  # held at both ends, below the bar
        angle = np.linspace(0, np.pi, links + 1)
        nodes = size * np.stack([-np.cos(angle), 0 * angle, np.sin(angle) - 0.4], axis=1)
        arch = strand.Cable(nodes + np.array([0, 0, HEIGHT]), start="fixed", end="fixed", **options)
        return Scene(FLOOR + world, [arch])
    room = size * np.cos(np.pi / links) - 1.1 * bar - 2 * radius
    middle = HEIGHT - draw.uniform(0, 1) * max(room, 0)
    ring = strand.ring(size, links)[:, [0, 2, 1]] + [0, 0, middle]
    cables = [strand.Cable(ring, closed=True, **options)]
    if kind == "chain":
        other = strand.ring(0.6 * size, max(8, int(0.6 * links)))[:, [2, 0, 1]]
        other += [0, 0, middle - size]
        cables.append(strand.Cable(other, closed=True, prefix="other_", **options))
    return Scene(FLOOR + world, cables)


def winding(x: np.ndarray) -> int:
    """How often the closed polygon x (m, (n, 3)) winds around the axis of the bar."""
    turning = x[:, 0] + 1j * (x[:, 2] - HEIGHT)
    return round(np.angle(np.roll(turning, -1) / turning).sum() / (2 * np.pi))


def linking(x: np.ndarray, y: np.ndarray) -> int:
    """Gauss's linking number of two closed polygons (m, (n, 3)): solid angles of pairs of edges."""

    def direction(p: np.ndarray, q: np.ndarray) -> np.ndarray:
        away = q[None, :] - p[:, None]
        return away / np.linalg.norm(away, axis=-1, keepdims=True)

    def solid(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
        volume = (a * np.cross(b, c)).sum(-1)
        return 2 * np.arctan2(volume, 1 + (a * b).sum(-1) + (b * c).sum(-1) + (c * a).sum(-1))

    p, q = np.roll(x, -1, axis=0), np.roll(y, -1, axis=0)
    a, b, c, d = direction(x, y), direction(p, y), direction(p, q), direction(x, q)
    return round((solid(a, b, c) + solid(a, c, d)).sum() / (4 * np.pi))


def nodes(model: mujoco.MjModel, data: mujoco.MjData) -> list[np.ndarray]:
    return [strand.profile(model, data, cable).nodes for cable in range(model.nplugin)]


def through(kind: str, x: list[np.ndarray]) -> bool:
    if kind == "heap":
        return bool((np.abs(x[0] - [0, 0, BOX[2]]) < BOX).all(axis=1).any())
    if kind == "chain" and abs(linking(x[0], x[1])) != 1:
        return True
    return abs(winding(x[0])) != 1


def pushed(kind: str, seed: int, integrator: str, seconds: float, **options) -> bool:
    """True if a cable passed through."""
    draw = Draw(seed)
    case = drawn(kind, draw, **options)
    timestep = 0.002
    for _ in range(2):  # the recipe recommends a step for the given scene
        spec = scene(integrator, timestep, case.world, option=STICKY)
        recipes = [strand.attach(spec, cable) for cable in case.cables]
        timestep = min([timestep] + [recipe.recommended_timestep for recipe in recipes])
    model, data = start(spec)
    links = [body for body in range(model.nbody) if "_link" in model.body(body).name]
    weight = 9.81 * model.body_mass[links].sum() / len(case.cables)
    assert not through(kind, nodes(model, data))
    since, lasting = -1.0, 0
    for step in steps(model, seconds):
        if data.time - since >= 0.25:
            since, body = data.time, links[int(draw.uniform(0, len(links)))]
            force = np.array([draw.uniform(-1, 1) for _ in range(3)])
            force *= min(20.0, draw.uniform(0.2, 1) * weight) / np.linalg.norm(force)
        data.xfrc_applied[body, :3] = force if data.time - since < 0.1 else 0
        mujoco.mj_step(model, data)
        if step % round(0.02 / timestep) == 0:
            x = nodes(model, data)
            below = min(each[:, 2].min() for each in x) < 0
            # An impact may push a node in for one step; it has passed through if it stays.
            lasting = lasting + 1 if through(kind, x) or below else 0
            if lasting == 4:
                return True
    assert data.warning.number.sum() == 0
    return False


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", ("ring", "arch", "chain", "heap"))
def test_no_cable_passes_through(kind: str, seed: int, integrator: str) -> None:
    assert not pushed(kind, seed, integrator, 1.5)


@pytest.mark.parametrize("kind", ("ring", "chain", "heap"))
def test_without_contact_they_pass_through(kind: str) -> None:
    assert pushed(kind, 0, INTEGRATORS[0], 1.5, collide=False)
