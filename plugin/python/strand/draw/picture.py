"""Common parts of all pictures: size, time stamp, scale bar, legend of colours."""

import importlib.util
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from strand.draw.heat import HeatScale
from strand.errors import StrandError

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont, ImageFont

SIZE = (1280, 960)  #: pixels: width, height
LARGEST = 8192  #: pixels of a side
_INK, _PAPER = (29, 39, 51, 255), (255, 255, 255, 190)
_PART = 0.22  # longest scale bar, as a fraction of the picture's width
_SCALE = 12  # length of a legend's colours, in heights of letters
_UNITS = ((1.0, "m"), (1e-2, "cm"), (1e-3, "mm"), (1e-6, "µm"))


def parse_size(text: str, field: str = "size") -> tuple[int, int]:
    """Width and height (pixels) from a text like "1280x960". Raises StrandError if invalid."""
    parts = text.lower().split("x")
    if len(parts) != 2 or not all(part.isdecimal() for part in parts):
        raise StrandError(f"{field}: got {text!r}, allowed: WIDTHxHEIGHT in pixels like 1280x960")
    return check_size((int(parts[0]), int(parts[1])), field)


def check_size(size: Sequence[int], field: str = "size") -> tuple[int, int]:
    """The size. Raises StrandError if it is not two integers from 1 to 8192."""
    if len(size) != 2 or not all(isinstance(n, int) and 0 < n <= LARGEST for n in size):
        raise StrandError(
            f"{field}: got {size!r}, allowed: width and height from 1 to {LARGEST} pixels"
        )
    return size[0], size[1]


def check_drawing(field: str, path: str) -> None:
    """Raises StrandError if MuJoCo, which renders all pictures, is not installed."""
    if importlib.util.find_spec("mujoco") is None:
        raise StrandError(
            f"{field}: got '{path}', allowed: only with MuJoCo installed, which renders it: "
            "pip install mujoco-core==4.0.1"
        )


def annotate(
    picture: np.ndarray,
    text: str = "",
    metres_per_pixel: float | None = None,
    scale: HeatScale | None = None,
) -> np.ndarray:
    """Adds a text at the top left, a scale bar at the bottom left and a legend at the bottom right.

    picture: (height, width, 3). text: default none. metres_per_pixel: at the depth of the point
    that the camera looks at; default: no scale bar. The bar's length is 1, 2 or 5 times a power of
    ten. scale: of the legend; default: no legend. Returns a new picture.
    """
    from PIL import Image, ImageDraw, ImageFont

    image = Image.fromarray(picture).convert("RGBA")
    width, height = image.size
    letters = _letters(width, height)
    layer = Image.new("RGBA", image.size)
    draw, font = ImageDraw.Draw(layer), ImageFont.load_default(letters)
    edge, pad = letters, letters // 2
    if text:
        right = edge + 2 * pad + draw.textlength(text, font=font)
        bottom = edge + 2 * pad + letters
        draw.rounded_rectangle((edge, edge, right, bottom), pad, fill=_PAPER)
        middle = (edge + bottom) / 2
        draw.text((edge + pad, middle), text, font=font, fill=_INK, anchor="lm")
    if metres_per_pixel:
        length = bar_length(_PART * width * metres_per_pixel)
        _draw_bar(draw, font, length, length / metres_per_pixel, (edge, height - edge), letters)
    if scale:
        _draw_scale(layer, font, scale, (width - edge, height - edge), letters)
    return np.array(Image.alpha_composite(image, layer).convert("RGB"))


def label_room(size: tuple[int, int], labels: bool, legend: bool) -> tuple[float, float]:
    """Parts of a picture's height that labels of `annotate` take at its bottom and top, each at
    most 0.3. labels: text and scale bar."""
    letters = _letters(*size) / size[1]
    bottom, top = (6.5 if legend else 4 * labels) * letters, 3.5 * labels * letters
    return min(bottom, 0.3), min(top, 0.3)


def _letters(width: int, height: int) -> int:
    """Height of letters (pixels)."""
    return max(10, round(min(width, height) / 32))


def bar_length(most: float) -> float:
    """The largest of 1, 2 or 5 times a power of ten that is at most `most` (m)."""
    power = 10.0 ** np.floor(np.log10(most))
    return float(max(n * power for n in (1, 2, 5) if n * power <= most * (1 + 1e-9)))


def length_text(length: float) -> str:
    """A length (m) in the largest unit in which it is 1 or more: 0.05 -> "5 cm"."""
    unit, name = next((u for u in _UNITS if length >= u[0] * (1 - 1e-9)), _UNITS[-1])
    return f"{length / unit:.3g} {name}"


def time_text(time: float) -> str:
    """A time (s) as a text: "t = 2.5 s"."""
    return f"t = {time:.4g} s"


def _draw_bar(
    draw: "ImageDraw",
    font: "FreeTypeFont | ImageFont",
    length: float,
    pixels: float,
    corner: tuple[float, float],
    letters: int,
) -> None:
    """Draws the bar with its length above it, on a plate whose lower left is at `corner`."""
    pad, thick = letters // 2, max(2, letters // 6)
    label = length_text(length)
    wide = max(pixels, draw.textlength(label, font=font))
    left, bottom = corner
    top = bottom - 2 * pad - letters - letters // 3 - thick
    draw.rounded_rectangle((left, top, left + wide + 2 * pad, bottom), pad, fill=_PAPER)
    middle, line = left + pad + wide / 2, bottom - pad
    draw.text((middle, top + pad), label, font=font, fill=_INK, anchor="ma")
    begin, end = middle - pixels / 2, middle + pixels / 2
    draw.rectangle((begin, line - thick, end, line), fill=_INK)


def _draw_scale(
    layer: "Image",
    font: "FreeTypeFont | ImageFont",
    scale: HeatScale,
    corner: tuple[int, int],
    letters: int,
) -> None:
    """Draws the colours between name and range, on a plate whose lower right is at `corner`."""
    from PIL import Image, ImageDraw

    draw, pad = ImageDraw.Draw(layer), letters // 2
    least, most = scale.ends()
    texts = scale.name, f"{least}  {most}"
    wide = round(max(_SCALE * letters, *(draw.textlength(text, font=font) for text in texts)))
    right, bottom = corner
    left, top = right - wide - 2 * pad, bottom - 3 * letters - 4 * pad
    draw.rounded_rectangle((left, top, right, bottom), pad, fill=_PAPER)
    begin, end = left + pad, right - pad
    draw.text(((begin + end) / 2, top + pad), scale.name, font=font, fill=_INK, anchor="ma")
    row = scale.colors(np.linspace(scale.least, scale.most, wide))
    colors = Image.fromarray(np.rint(255 * row).astype(np.uint8)[np.newaxis])
    layer.paste(colors.resize((wide, letters)), (begin, top + letters + 2 * pad))
    draw.text((begin, bottom - pad), least, font=font, fill=_INK, anchor="ld")
    draw.text((end, bottom - pad), most, font=font, fill=_INK, anchor="rd")
