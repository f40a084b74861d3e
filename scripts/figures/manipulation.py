"""Draws assets/images/manipulation.png: a moment of each manipulation scene.

.venv/bin/python scripts/figures/manipulation.py [FILE.png] [--size 480x360]
"""

import argparse
from pathlib import Path

import numpy as np
from PIL import Image

from strand.draw.picture import parse_size
from strand.draw.stage import choose_platform
from strand.io.files import whole
from strand_studies.manipulation.catalog import load
from strand_studies.manipulation.pictures import Pictures
from strand_studies.manipulation.run import play, start

FILE = Path(__file__).parents[2] / "assets/images/manipulation.png"
SIZE, COLUMNS, COLORS = (480, 360), 4, 256  # pixels of each picture; pictures in a row
MOMENTS = {  # s
    "routing": 16.2,
    "plug": 7.88,
    "lay": 12.5,
    "winch": 7.5,
    "handover": 6.26,
    "hose": 13.14,
    "knot": 12.0,
    "drone": 6.0,
}


def moment(name: str, size: tuple[int, int]) -> np.ndarray:
    """A picture of a scene with seed 0 at its moment."""
    scene = load(name)
    model, data = start(scene, seed=0)
    play(scene, model, data, seconds=MOMENTS[name])
    with Pictures(scene, size, None, None) as camera:
        return camera.take(model, data)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", nargs="?", type=Path, default=FILE)
    parser.add_argument("--size", type=parse_size, default=SIZE, metavar="WxH")
    options = parser.parse_args()
    choose_platform()
    pictures = [moment(name, options.size) for name in MOMENTS]
    rows = [np.hstack(pictures[k : k + COLUMNS]) for k in range(0, len(pictures), COLUMNS)]
    picture = Image.fromarray(np.vstack(rows))
    options.file.parent.mkdir(parents=True, exist_ok=True)
    keep_all = Image.Quantize.MAXCOVERAGE  # colours of thin cables, too, not only of large areas
    with whole(options.file) as beside:
        picture.quantize(COLORS, keep_all, kmeans=3, dither=Image.Dither.NONE).save(
            beside, optimize=True
        )
    print(f"{options.file}: {options.file.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
