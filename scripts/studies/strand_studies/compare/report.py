"""The carriers of a cable side by side."""

import dataclasses
import time
from collections.abc import Callable

import numpy as np

from strand.cable.cable import Cable
from strand.draw.report import Report
from strand.errors import StrandError
from strand.flex.rod import FlexRod, from_chain
from strand.mujoco_versions import discrete
from strand_studies.bench.timing import time_rounds
from strand_studies.compare.carriers import DIFFERENCED, Core, MuJoCo, with_branches
from strand_studies.compare.recommend import recommend
from strand_studies.validation.convergence import JUDGED_FROM, TOLERANCE

BLOCK = 0.02  #: s, approximate duration of a timed run
UNITS = (
    "frequency: Hz, first bending mode; step: ms; cost: us per step; real_time: simulated over "
    "real time; end: m, at rest; differences: to cable, that of the shape over the length"
)
HOW = (
    "equilibrium of the chain by Newton's method, of flex and core by simulation; frequency of a "
    f"flex of more than {DIFFERENCED - 1} links: from the chain's mode"
)
HELD = ("weld", "pin", "mocap")
SLIP = ("yield_stress", "bend_elements", "twist_elements")

Progress = Callable[[str], None]


def run(
    cable: Cable, use: str = "scene", repeats: int = 7, progress: Progress | None = None
) -> Report:
    """Shape, first frequency and cost of chain, flex and core, and a recommendation for a use.

    Judged from 40 links on, if the chain's figures are known: that the flex agrees with the chain
    within 1 % in frequency, and within 1 % of the length in shape; that the core, whose edges
    stretch, agrees in frequency. A cable with two free ends is fixed at its start; a closed one is
    compared without gravity. Raises StrandError for an unknown use, `repeats` < 1, or a cable that
    yields, whose strands slip, or that is fed.
    """
    say = progress or (lambda doing: None)
    if repeats < 1:
        raise StrandError(f"repeats: got {repeats}, allowed: at least 1")
    recommend(use, 1, 0, {})  # rejects an unknown use before anything is measured
    _check(cable)
    discrete("compare")
    for side in ("start", "end"):
        if getattr(cable, side) in HELD and use == "scene":
            use = "robot"
    alone = _alone(cable)
    recipe = alone.recipe()
    rod = from_chain(alone, means=True)
    carriers, refused = _make(alone, rod)
    rows, failed = _measured(carriers, repeats, say)
    links = len(rod.nodes) - 1
    _compare(rows, rod, links)
    rows += [_refused(name, reason) for name, reason in refused.items()]
    chosen, reason = recommend(use, links, recipe.pieces, refused)
    for row in rows:
        row["recommended"] = row["carrier"] == chosen
    note = [f"Take {chosen or 'none'} ({use}): {reason}.", *_raised(recipe), UNITS, HOW, *failed]
    judged = (
        "|frequency_difference| and, of the flex, |shape_difference| <= tolerance, both to cable, "
        f"from {JUDGED_FROM} links on"
    )
    return Report("compare", f"{links} links", rows, None, "\n".join(note), judged=judged)


def _check(cable: Cable) -> None:
    """Raises StrandError for a cable without one shape at rest that all carriers could have."""
    if cable.start == "feed":
        raise StrandError("start: got 'feed', allowed to compare: an end that stays in place")
    for name, one in (("", cable), *((branch.name, branch.cable) for branch in cable.branches)):
        for field in SLIP:
            value = getattr(one, field)
            value = one.keys.get(field) if value is None else value
            if value is not None:
                raise StrandError(
                    f"{f'branch {name}: ' if name else ''}{field}: got {value!r}, allowed to "
                    "compare: nothing, since the shape at rest of a cable that yields or slips "
                    "depends on its motion"
                )


def _alone(cable: Cable) -> Cable:
    """The cable without the rest of its scene, with at least one end fixed."""
    alone = with_branches(cable, _untouched)
    if cable.closed:
        return dataclasses.replace(alone, gravity=(0, 0, 0))
    if alone.start == alone.end == "free":
        return dataclasses.replace(alone, start="fixed")
    return alone


def _untouched(cable: Cable) -> Cable:
    """A cable or branch without contacts, and without bodies of a scene at its ends."""
    kinds = {"weld": "fixed", "mocap": "fixed", "pin": "ball"}
    ends = {
        side: kinds.get(kind, kind) for side in ("start", "end") for kind in [getattr(cable, side)]
    }
    return dataclasses.replace(cable, **ends, start_to="", end_to="", collide=False, skin=False)


def _raised(recipe) -> list[str]:
    """The part of the chain's recipe about links with more inertia than the cable."""
    said = [part for part in str(recipe).split("; ") if part.startswith("links' inertia is raised")]
    return [f"cable: {part}." for part in said]


def _make(cable: Cable, rod: FlexRod) -> tuple[list, dict[str, str]]:
    """The carriers that can represent the cable, the chain first, and why others cannot."""
    carriers, refused = [MuJoCo("cable", cable, rod)], {}
    if count := len(cable.branches):
        reason = f"branches: got {count}, allowed in a flex and in the comparison's core: none"
        return carriers, {"flex": reason, "core": reason}
    for name, make in (
        ("flex", lambda: MuJoCo("flex", cable, rod)),
        ("core", lambda: Core(cable, rod)),
    ):
        try:
            carriers.append(make())
        except StrandError as error:
            refused[name] = str(error)
    return carriers, refused


def _measured(carriers: list, repeats: int, say: Progress) -> tuple[list[dict], list[str]]:
    """A row per carrier, with its nodes at rest, and messages of what failed."""
    rows, failed, mode = [], [], None
    for carrier in carriers:
        row = {"carrier": carrier.name, "nodes": None, "frequency": None}
        say(f"{carrier.name}: frequency")
        try:
            if carrier.name == "core":
                found = carrier.mode(mode) if mode else None
            else:
                found, motion = carrier.mode(mode and mode[1])
                mode = mode or (found, motion)
            row["frequency"] = found / (2 * np.pi) if found else None
        except StrandError as error:
            failed.append(f"frequency, {carrier.name}: {error}")
        say(f"{carrier.name}: shape")
        try:
            row["nodes"] = carrier.shape(rows[0]["nodes"] if rows else None)
        except StrandError as error:
            failed.append(f"shape, {carrier.name}: {error}")
        row["step"] = carrier.timestep * 1e3
        rows.append(row)
    say("cost")
    for row, seconds in zip(rows, _cost(carriers, repeats), strict=True):
        row["cost"] = float(seconds) * 1e6
        row["real_time"] = row["step"] * 1e3 / row["cost"]
    return rows, failed


def _refused(name: str, reason: str) -> dict:
    return {"carrier": name, "recommended": False, "passed": None, "not_possible": reason}


def _cost(carriers: list, repeats: int) -> np.ndarray:
    """Seconds of a step of each carrier, medians over rounds."""
    counts = [int(np.clip(BLOCK / _clock(carrier, 2), 2, 200)) for carrier in carriers]
    times = time_rounds(lambda k: _clock(carriers[k], counts[k]), len(carriers), repeats)
    return np.median(times, axis=0)


def _clock(carrier, steps: int) -> float:
    carrier.prepare()
    start = time.perf_counter()
    carrier.step(steps)
    return (time.perf_counter() - start) / steps


def _compare(rows: list[dict], rod: FlexRod, links: int) -> None:
    """Replaces the nodes of each row by the tip, the differences to the chain, and the verdict."""
    length = float(rod.link_length.sum())
    first, frequency = rows[0]["nodes"], rows[0]["frequency"]
    for index, row in enumerate(rows):
        nodes = row.pop("nodes")
        place = [None] * 3 if nodes is None else nodes[-1].tolist()
        row |= {f"end_{axis}": value for axis, value in zip("xyz", place, strict=True)}
        shape = pitch = None
        if index and first is not None and nodes is not None:
            shape = float(np.linalg.norm(nodes - first, axis=1).max() / length)
        if index and frequency and row["frequency"]:
            pitch = row["frequency"] / frequency - 1
        judged = index > 0 and links >= JUDGED_FROM and frequency and first is not None
        row |= {"shape_difference": shape, "frequency_difference": pitch, "recommended": False}
        row["tolerance"] = TOLERANCE if judged else None
        # The core's edges stretch like the material, so its difference in shape is not an error.
        errors = [pitch] if row["carrier"] == "core" else [pitch, shape]
        agrees = None not in errors and max(map(abs, errors)) <= TOLERANCE
        row["passed"] = agrees if judged else None
