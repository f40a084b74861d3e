"""Makes the README's pictures of scripts/examples, and prints how fast each ran.

MUJOCO_GL=egl .venv/bin/python scripts/figures/examples.py [NAME...] [--size 480x360]
"""

import argparse
import sys
from pathlib import Path

import numpy as np
from PIL import Image

from strand.draw.picture import parse_size

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "scripts" / "examples"))

import _stage  # noqa: E402

FOLDER = ROOT / "assets" / "images" / "examples"


SIZE = (480, 360)  # pixels: small, as shown in the README
_COLORS = 256  # of the palette, to keep the files small


def save(picture: np.ndarray, file: Path) -> None:
    """Writes a PNG with a palette."""
    small = Image.fromarray(picture).quantize(_COLORS, kmeans=3, dither=Image.Dither.NONE)
    small.save(file, optimize=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="default: all")
    parser.add_argument("--size", type=parse_size, default=SIZE, metavar="WxH")
    options = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in options.names or _stage.EXAMPLES:
        example = _stage.load(name)
        run = _stage.play(example)
        file = FOLDER / f"{name}.png"
        save(_stage.take_picture(run, example.CAMERA, size=options.size, labels=False), file)
        print(
            f"{file.name}: {file.stat().st_size / 1000:.0f} kB; {example.report(run)};"
            f" {run.realtime:.1f} times real time; warnings: {run.warnings}",
            flush=True,
        )


if __name__ == "__main__":
    main()
