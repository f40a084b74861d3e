"""Old cable models compared with those of MuJoCo 3.17 (tests/data/legacy/make_expectations.py)."""

import json
from pathlib import Path

import mujoco
import numpy as np
import pytest

import strand
from strand.legacy.checking import compare
from strand.legacy.facts import facts

FOLDER = Path(__file__).parents[2] / "data" / "legacy"
NAMES = sorted(path.stem for path in FOLDER.glob("*.xml"))
SECONDS = 10.0

# Largest distance after 10 s relative to the length of the cable, where it exceeds 1 %. The old
# torque used the difference of two rotation vectors as strain, and its stiffness was along the axes
# of the previous link: errors of the order of a joint's angle at rest. These models are sharply
# bent at rest (0.1 rad per joint in soft_arc_32, up to 0.6 elsewhere) and displaced out of their
# plane.
SHARPLY_BENT = {
    "bodies": 0.015,
    "offset_and_quat": 0.012,
    "skin": 0.03,
    "soft_arc_32": 0.015,
    "soft_arc_8": 0.03,
    "vertices": 0.016,
}


#: Models that older MuJoCo 3 rejects.
NEW_IN_3_17 = ("same_names",)


def expected(name: str) -> dict:
    return json.loads((FOLDER / "expected" / f"{name}.json").read_text())


def load(name: str) -> mujoco.MjModel:
    return strand.load_model(FOLDER / f"{name}.xml")


def test_there_are_enough() -> None:
    assert len(NAMES) >= 25
    assert {path.stem for path in (FOLDER / "expected").glob("*.json")} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_same_model(name: str) -> None:
    old, new = expected(name), facts(load(name))
    if name == "same_names":
        # MuJoCo 3 excluded the pairs of the first cable again for the second, and left a mark
        # unnamed.
        old["names"].pop("exclude"), old["names"].pop("text")
        old["sums"].pop("exclude_signature")
    wrong = [line for line in compare(old, new) if not line.passed]
    assert not wrong
    if "skin_weights" in old:
        np.testing.assert_allclose(old["skin_weights"], new["skin_weights"], rtol=1e-6)


def length(model: mujoco.MjModel) -> float:
    """Length of the longest chain of links, from end to end (m)."""
    longest = 0.0
    for last in range(1, model.nbody):
        body, along = last, 2 * float(model.geom_size[model.body_geomadr[last]].max())
        while model.body_jntnum[body] and model.body_parentid[body]:
            along += float(np.linalg.norm(model.body_pos[body]))
            body = model.body_parentid[body]
        longest = max(longest, along)
    return longest


def distance_after(name: str, law: str = "strand") -> float:
    """Largest distance of a body from its position in MuJoCo 3 after 10 s, relative to the length.
    The reference is the MuJoCo of the tests if it is version 3, else 3.17."""
    file = FOLDER / f"{name}.xml"
    model = strand.load_model(file, law)
    old = expected(name)
    if mujoco.mj_versionString() < "4" and name not in NEW_IN_3_17:
        old = facts(mujoco.MjModel.from_xml_path(str(file)), SECONDS)
    gap = np.abs(np.subtract(facts(model, SECONDS)["settled"], old["settled"])).max()
    return float(gap / length(model))


@pytest.mark.parametrize("name", NAMES)
def test_same_shape_after_ten_seconds(name: str) -> None:
    assert distance_after(name) < SHARPLY_BENT.get(name, 0.01)


@pytest.mark.parametrize("name", NAMES)
def test_with_the_old_torque_they_settle_as_before(name: str) -> None:
    # So only the law makes the difference: geometry, mass and damping are the old ones.
    assert distance_after(name, "old") < 1e-5


def test_shapes_agree_better_with_shorter_links() -> None:
    assert distance_after("soft_arc_32") < 0.6 * distance_after("soft_arc_8")
