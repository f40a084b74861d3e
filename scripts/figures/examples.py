"""Makes the pictures of scripts/examples that the README shows, and says how fast each ran.

MUJOCO_GL=egl .venv/bin/python scripts/figures/examples.py [NAME...]
"""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "scripts" / "examples"))

import _stage  # noqa: E402

FOLDER = ROOT / "assets" / "images" / "examples"


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[1:] or _stage.EXAMPLES:
        example = _stage.load(name)
        run = _stage.play(example)
        file = FOLDER / f"{name}.png"
        _stage.take_picture(run, example.CAMERA, file)
        print(
            f"{file.name}: {file.stat().st_size / 1000:.0f} kB; {example.report(run)};"
            f" {run.realtime:.1f} times real time; warnings: {run.warnings}",
            flush=True,
        )


if __name__ == "__main__":
    main()
