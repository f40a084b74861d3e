"""Stores what MuJoCo 3.17 makes of the old cable models in assets/legacy, for the tests.

Needs MuJoCo 3.17 alone: python -m venv old && old/bin/pip install mujoco==3.17.0
old/bin/python scripts/legacy_expectations.py [NAME...]
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "plugin" / "python" / "strand" / "legacy"))

import facts  # noqa: E402
import mujoco  # noqa: E402

FOLDER = ROOT / "assets" / "legacy"
SECONDS = 10.0


def main() -> None:
    names = sys.argv[1:] or sorted(path.stem for path in FOLDER.glob("*.xml"))
    (FOLDER / "expected").mkdir(exist_ok=True)
    for name in names:
        model = mujoco.MjModel.from_xml_path(str(FOLDER / f"{name}.xml"))
        found = rounded(facts.facts(model, SECONDS))
        file = FOLDER / "expected" / f"{name}.json"
        file.write_text(json.dumps(found, separators=(",", ":")) + "\n")
        print(f"{file.name}: nq {model.nq}, nv {model.nv}", flush=True)


def rounded(value, digits: int = 13):
    """Numbers with fewer digits, which is plenty for tolerances of 1e-9."""
    if isinstance(value, dict):
        return {k: rounded(v, 7 if k == "settled" else digits) for k, v in value.items()}
    if isinstance(value, list):
        return [rounded(item, digits) for item in value]
    return float(f"{value:.{digits}g}") if isinstance(value, float) else value


if __name__ == "__main__":
    main()
