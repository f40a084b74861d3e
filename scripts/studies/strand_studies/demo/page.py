"""A report as one self-contained HTML file."""

import base64
import html
import io
from collections.abc import Sequence
from typing import Any

import numpy as np

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #1d2733; background: #f4f6f8; margin: 0; }
main { max-width: 1080px; margin: 0 auto; padding: 24px; }
header { border-bottom: 4px solid #1f5fa8; margin-bottom: 8px; }
h1 { margin: 0; font-size: 2.2em; } h2 { margin: 0 0 8px; }
section { background: white; border-radius: 8px; padding: 20px 24px; margin: 20px 0;
  box-shadow: 0 1px 4px #0002; }
img { max-width: 100%; border-radius: 4px; display: block; margin: 12px 0; }
.frames { display: grid; grid-template-columns: 1fr 1fr; gap: 10px; }
figure { margin: 0; } figure img { margin: 0; } figcaption { color: #5b6875; font-size: .85em; }
table { border-collapse: collapse; margin: 12px 0; }
th, td { padding: 5px 14px; text-align: right; border-bottom: 1px solid #e1e6eb; }
th { color: #5b6875; font-weight: 600; }
pre { background: #1d2733; color: #e8edf2; padding: 14px; border-radius: 6px; overflow-x: auto;
  font-size: .82em; line-height: 1.35; }
.yes { color: #2e7d4f; font-weight: 600; } .no { color: #c0392b; font-weight: 600; }
.note { color: #5b6875; }
"""


class Page:
    """Collects sections; `passed` is true if all verdicts are good."""

    def __init__(self, title: str, subtitle: str) -> None:
        self.passed = True
        self._parts = [
            f"<header><h1>{_text(title)}</h1><p class=note>{_text(subtitle)}</p></header>"
        ]

    def section(self, title: str) -> None:
        if len(self._parts) > 1:
            self._parts.append("</section>")
        self._parts.append(f"<section><h2>{_text(title)}</h2>")

    def paragraph(self, text: str, kind: str = "") -> None:
        self._parts.append(f'<p class="{kind}">{_text(text)}</p>')

    def verdict(self, good: bool, text: str) -> None:
        """Adds a line with a verdict; a bad one sets `passed` to false."""
        self.passed = self.passed and good
        self.paragraph(f"{'✓' if good else '✗'} {text}", "yes" if good else "no")

    def code(self, text: str) -> None:
        self._parts.append(f"<pre>{_text(text)}</pre>")

    def table(self, header: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        self._parts.append(
            f"<table>{_row(header, 'th')}{''.join(_row(r, 'td') for r in rows)}</table>"
        )

    def image(self, png: bytes, alt: str, kind: str = "png") -> None:
        self._parts.append(_image(png, alt, kind))

    def frames(self, pictures: Sequence[tuple[bytes, str]]) -> None:
        """JPEG pictures in two columns, each with its caption."""
        figures = (
            f"<figure>{_image(data, caption, 'jpeg')}"
            f"<figcaption>{_text(caption)}</figcaption></figure>"
            for data, caption in pictures
        )
        self._parts.append(f"<div class=frames>{''.join(figures)}</div>")

    def to_html(self) -> str:
        closing = "</section>" if len(self._parts) > 1 else ""
        return (
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Strand</title>'
            f"<style>{_STYLE}</style></head><body><main>\n"
            + "\n".join(self._parts)
            + f"\n{closing}</main></body></html>\n"
        )


def jpeg(picture: np.ndarray) -> bytes:
    """A picture of shape (height, width, 3) as JPEG."""
    from PIL import Image

    buffer = io.BytesIO()
    Image.fromarray(picture).save(buffer, "JPEG", quality=88, optimize=True)
    return buffer.getvalue()


def _text(text: Any) -> str:
    return html.escape(str(text), quote=True)


def _row(cells: Sequence[Any], tag: str) -> str:
    return f"<tr>{''.join(f'<{tag}>{_cell(cell)}</{tag}>' for cell in cells)}</tr>"


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return f'<span class="{"yes" if value else "no"}">{"yes" if value else "NO"}</span>'
    return f"{value:.4g}" if isinstance(value, float) else _text(value)


def _image(data: bytes, alt: str, kind: str) -> str:
    encoded = base64.b64encode(data).decode("ascii")
    return f'<img alt="{_text(alt)}" src="data:image/{kind};base64,{encoded}">'
