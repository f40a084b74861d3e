"""Stores how MuJoCo 3.17 builds the old cable models in tests/data/legacy, for the tests.

In expected/: facts about the models, and where they settle. In expanded/: the models as MuJoCo
saves them, with explicit bodies that carry the old plugin, and the plugin's forces in random poses.

Needs only MuJoCo 3.17: python -m venv old && old/bin/pip install mujoco==3.17.0
old/bin/python tests/data/legacy/make_expectations.py [NAME...]
"""

import json
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[2]
sys.path.append(str(ROOT / "plugin" / "python" / "strand" / "legacy"))

import facts  # noqa: E402
import mujoco  # noqa: E402
import numpy as np  # noqa: E402

SECONDS = 10.0
# Round and box, even and uneven, straight and bent at rest, clamped and free, one cable and more.
EXPANDED = ("bodies_uneven", "flat", "free", "instance", "no_twist", "ribbon", "shared_instance",
            "single_link", "soft_arc_8", "two_cables", "vertices_box")  # fmt: skip
TURNS = (0.01, 0.3, 1.0, 2.5)  # rad, about each axis of a joint: standard deviations


def main() -> None:
    names = sys.argv[1:] or sorted(path.stem for path in FOLDER.glob("*.xml"))
    (FOLDER / "expected").mkdir(exist_ok=True)
    for name in names:
        model = mujoco.MjModel.from_xml_path(str(FOLDER / f"{name}.xml"))
        if name in EXPANDED:
            expand(model, FOLDER / "expanded" / f"{name}.xml")
        found = rounded(facts.facts(model, SECONDS))
        file = FOLDER / "expected" / f"{name}.json"
        file.write_text(json.dumps(found, separators=(",", ":")) + "\n")
        print(f"{file.name}: nq {model.nq}, nv {model.nv}", flush=True)


def expand(model: mujoco.MjModel, file: Path) -> None:
    """Writes the model that was read last, and the forces of its elasticity."""
    file.parent.mkdir(exist_ok=True)
    mujoco.mj_saveLastXML(str(file), model)
    model = mujoco.MjModel.from_xml_path(str(file))
    data, random = mujoco.MjData(model), np.random.default_rng(0)
    poses = []
    for turn in TURNS:
        data.qpos[:] = model.qpos0
        mujoco.mj_integratePos(model, data.qpos, random.normal(size=model.nv) * turn, 1.0)
        data.qpos[:] = rounded(data.qpos.tolist())
        mujoco.mj_forward(model, data)
        poses.append({"qpos": data.qpos.tolist(), "passive": data.qfrc_passive.tolist()})
    file.with_suffix(".json").write_text(json.dumps(rounded(poses), separators=(",", ":")) + "\n")


def rounded(value, digits: int = 13):
    """Rounds numbers to fewer digits, still enough for tolerances of 1e-9."""
    if isinstance(value, dict):
        return {k: rounded(v, 7 if k == "settled" else digits) for k, v in value.items()}
    if isinstance(value, list):
        return [rounded(item, digits) for item in value]
    return float(f"{value:.{digits}g}") if isinstance(value, float) else value


if __name__ == "__main__":
    main()
