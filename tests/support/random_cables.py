"""Random cables: every shape, section, end, damping and integrator of the generator."""

import numpy as np

import strand
from strand.mujoco_versions import BEST_INTEGRATOR, HAS_DISCRETE


class Draw:
    """Random choices of one seed."""

    def __init__(self, seed: int) -> None:
        self._generator = np.random.default_rng(seed)

    def pick(self, *choices):
        return choices[self._generator.integers(len(choices))]

    def uniform(self, low: float, high: float) -> float:
        return float(self._generator.uniform(low, high))

    def log_uniform(self, low: float, high: float) -> float:
        return float(np.exp(self._generator.uniform(np.log(low), np.log(high))))

    def chance(self, probability: float) -> bool:
        return bool(self._generator.random() < probability)

    def links(self) -> int:
        return int(self._generator.integers(3, 40))

    def points(self, size: float) -> np.ndarray:
        return self._generator.uniform(-size / 2, size / 2, (4, 3))


def random_cable(seed: int) -> strand.Cable:
    """A cable 5 cm to 5 m long; some descriptions are invalid."""
    draw = Draw(seed)
    length = draw.log_uniform(0.05, 5)
    nodes, closed = _shape(draw, length)
    options = _section(draw, length) | _material(draw, length) | _damping(draw)
    if not closed:
        options["start"] = draw.pick("free", "fixed", "ball", "mocap")
        options["end"] = draw.pick("free", "free", "fixed", "ball", "mocap")
        options["clamp"] = draw.pick("node", "link")
    if draw.chance(0.1):
        options["rest"] = "straight"
    if draw.chance(0.15):
        options["rest_twist"] = draw.uniform(-10, 10)
    integrator = draw.pick("auto", "auto", BEST_INTEGRATOR, "implicitfast", "Euler")
    pieces = draw.pick("auto", "none", 3, 7) if integrator in ("auto", "discrete") else "auto"
    cable = strand.Cable(
        nodes,
        closed=closed,
        twist=draw.pick("auto", "auto", "quasistatic", "dynamic"),
        curvature=draw.pick("angle", "tangent", "smooth", "smooth", "smooth4"),
        root=draw.pick("auto", "auto", "end", "middle"),
        integrator=integrator,
        pieces=pieces if HAS_DISCRETE else "auto",
        collide=draw.chance(0.7),
        skin=draw.chance(0.2),
        **options,
    )
    cable.branches = _branches(draw, cable, length)
    return cable


def _branches(draw: Draw, cable: strand.Cable, length: float) -> list[strand.Branch]:
    """None for two thirds of the cables, and for those that release energy, whose steps are small;
    else up to four, with links of similar lengths."""
    if cable.rest != "drawn" or cable.rest_twist or len(cable.nodes) < 7:
        return []
    branches: list[strand.Branch] = []
    link = length / (len(cable.nodes) - 1)
    for k in range(draw.pick(0, 0, 0, 0, 1, 2, 4)):
        count = 3 + int(draw.uniform(0.1, 1) * len(cable.nodes))
        nodes = draw.pick(strand.straight, _bow)(count * link * draw.uniform(0.6, 1.5), count)
        thickness = length / 50 if cable.section in ("box", "ellipse") else np.max(cable.radius)
        own = {"radius": thickness * draw.uniform(0.4, 2)} | _material(draw, length)
        own |= _damping(draw) | {"density": cable.density, "stretches": ()}
        on = draw.pick("", *(branch.name for branch in branches))
        carrier = next((b.cable for b in branches if b.name == on), cable)
        reach = np.linalg.norm(np.diff(carrier.nodes, axis=0), axis=1).sum()
        branches.append(
            strand.Branch(
                strand.Cable(
                    nodes,
                    end=draw.pick("free", "free", "free", "fixed", "ball", "mocap"),
                    twist=cable.twist,
                    collide=cable.collide,
                    pieces=draw.pick("auto", "none") if HAS_DISCRETE else "auto",
                    **own,
                ),
                name=f"arm{k}",
                on=on,
                at=draw.uniform(0, 1) * float(reach),
                angle=draw.uniform(0.3, 2.5),
                azimuth=draw.uniform(-np.pi, np.pi),
                junction=draw.pick("rigid", "rigid", 0.0, draw.log_uniform(1e-3, 10)),
            )
        )
    return branches


def _bow(length: float, links: int) -> np.ndarray:
    return strand.arc(length, 1.5, links)


def _shape(draw: Draw, length: float) -> tuple[np.ndarray, bool]:
    kind, links = draw.pick("straight", "straight", "arc", "helix", "ring", "spline"), draw.links()
    if kind == "straight":
        return strand.straight(length, links), False
    if kind == "arc":
        return strand.arc(length, draw.uniform(-4, 4), links), False
    if kind == "helix":
        turns = draw.uniform(0.5, 3)
        radius = 0.8 * length / (2 * np.pi * turns)
        links = max(links, int(8 * turns))
        return strand.helix(radius, 0.6 * length / turns, turns, links), False
    if kind == "ring":
        nodes = strand.ring(length / (2 * np.pi), max(links, 6))
        closed = draw.chance(0.7)
        return (nodes, True) if closed else (nodes[:-1], False)
    return strand.spline(draw.points(length), links), False


def _section(draw: Draw, length: float) -> dict:
    kind = draw.pick("circle", "circle", "tube", "box", "ellipse")
    radius = draw.log_uniform(length / 500, length / 20)
    if kind in ("box", "ellipse"):
        return {"section": kind, "width": radius * draw.uniform(1, 6), "height": radius}
    tube = {"inner_radius": radius * draw.uniform(0.3, 0.95)} if kind == "tube" else {}
    return {"section": kind, "radius": radius, **tube}


def _material(draw: Draw, length: float) -> dict:
    if draw.chance(0.5):
        young = draw.log_uniform(1e5, 2e11)
        options = {"young": young, "poisson": draw.uniform(0, 0.5)}
        stiffer = {"young": 30 * young}
    else:
        EI = draw.log_uniform(1e-5, 10)
        options = {"EI": EI, "GJ": EI * draw.uniform(0.3, 1.5)}
        stiffer = {"EI": 10 * EI}
    if draw.chance(0.3):
        options["stretches"] = [strand.Stretch(0.2 * length, 0.5 * length, **stiffer)]
    return options | {"density": draw.log_uniform(200, 9000)}


def _damping(draw: Draw) -> dict:
    return draw.pick(
        {},
        {"damping": draw.log_uniform(1e-7, 1e-2)},
        {"loss_time": draw.log_uniform(1e-4, 0.5)},
        {"damping_ratio": draw.uniform(0, 1.5)},
    )
