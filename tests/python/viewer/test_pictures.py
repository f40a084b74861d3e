"""Every asset and example opens, and looks as it did.

STRAND_NEW_PICTURES=1 writes the stored pictures again; look at them before they are committed.
"""

import importlib
import os
import sys
from pathlib import Path

import mujoco
import numpy as np
import pytest
from PIL import Image
from support.display import ON_XVFB
from support.engine import needs_clean_shadows, needs_discrete

import strand

pytestmark = ON_XVFB

ROOT = Path(__file__).parents[3]
STORED = Path(__file__).parent / "pictures"
SIZE = (240, 180)
BLOCK = 6  # pixels: edges and antialiasing differ between graphics libraries
ALLOWED = 2.5, 40  # of 255: mean difference of blocks, largest one

FILES = sorted(
    {*(ROOT / "assets" / "scenes").glob("*.toml"), *(ROOT / "assets" / "arms").glob("*.xml")}
    - {*(ROOT / "assets" / "scenes").glob("*.sweep.toml")}
)
sys.path.insert(0, str(ROOT / "scripts" / "examples"))
EXAMPLES = importlib.import_module("_stage").EXAMPLES


def blocks(picture: np.ndarray) -> np.ndarray:
    """Means of blocks of pixels."""
    tall, wide = SIZE[1] // BLOCK, SIZE[0] // BLOCK
    return picture.astype(float).reshape(tall, BLOCK, wide, BLOCK, 3).mean(axis=(1, 3))


def check(name: str, shown: object, tmp_path: Path, **options: object) -> None:
    file, stored = tmp_path / "picture.png", STORED / f"{name}.png"
    strand.view(shown, frames=6, picture=file, size=SIZE, panel=False, **options)
    image = Image.open(file).convert("RGB")
    if os.environ.get("STRAND_NEW_PICTURES"):
        STORED.mkdir(exist_ok=True)
        image.quantize(256).save(stored, optimize=True)
    found, wanted = (blocks(np.array(one)) for one in (image, Image.open(stored).convert("RGB")))
    assert found.std() > 5  # not empty
    apart = np.abs(found - wanted)
    assert apart.mean() < ALLOWED[0] and apart.max() < ALLOWED[1], (apart.mean(), apart.max())


@needs_clean_shadows
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_assets(file: Path, tmp_path: Path) -> None:
    check(file.name.split(".")[0], file, tmp_path)


@needs_discrete
@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(name: str, tmp_path: Path) -> None:
    example = importlib.import_module(name)
    model = example.build()
    data = mujoco.MjData(model)
    drive = getattr(example, "drive", None)
    seen = importlib.import_module("_stage").camera(*example.CAMERA)
    check(f"example_{name}", model, tmp_path, data=data, drive=drive, camera=seen)
    assert data.time > 0 and not data.warning.number.any()


@pytest.mark.parametrize("color", ("curvature", "stress", "tension"))
def test_colors(color: str, tmp_path: Path) -> None:
    cable = strand.Cable(strand.straight(0.5, 20), radius=0.008, young=3e6, poisson=0.4,
                         start="fixed")  # fmt: skip
    check(f"color_{color}", cable, tmp_path, color=color)
