"""Sphinx settings of the documentation; `scripts/docs` builds it."""

import importlib.metadata
import re

project = "Strand"
author = "The Strand developers"
release = importlib.metadata.version("strand")
extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_*"]
html_theme = "furo"
html_title = f"Strand {release}"
myst_heading_anchors = 4
myst_enable_extensions = ["dollarmath"]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"

_MARKUP = re.compile(r"([\\*_|`])")
_CODE = re.compile(r"`([^`\n]+)`")
_COLUMNS = re.compile(r"^\s|\S {2,}\S|^(from|import) |^\w+(\.\w+)* = |^\w+(, \w+)*: ")


def _as_rst(lines: list[str]) -> list[str]:
    """Docstrings are plain text: columns and code stay as they are, the rest is escaped."""
    if any(_COLUMNS.search(line) for line in lines):
        return ["::", "", *(f"    {line}" for line in lines)]
    escaped = []
    for line in lines:
        pieces = _CODE.split(line)  # text, code, text, ...
        pieces[0::2] = [_MARKUP.sub(r"\\\1", text) for text in pieces[0::2]]
        pieces[1::2] = [f"``{code}``" for code in pieces[1::2]]
        escaped.append("".join(pieces))
    return escaped


def _plain_docstring(app, what, name, obj, options, lines: list[str]) -> None:
    written: list[str] = []
    paragraph: list[str] = []
    for line in [*lines, ""]:
        if line.strip():
            paragraph.append(line)
        elif paragraph:
            written += [*_as_rst(paragraph), ""]
            paragraph = []
    lines[:] = written


def setup(app) -> None:
    app.connect("autodoc-process-docstring", _plain_docstring)
