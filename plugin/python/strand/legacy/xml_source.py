"""XML files as trees of elements with their lines and offsets in the text.

A file is changed by replacing spans of its text, so that everything else, including comments, is
preserved.
"""

import dataclasses
import re
from pathlib import Path
from typing import NoReturn
from xml.parsers import expat

from strand.errors import StrandError, reason

_START_TAG = re.compile(rb"""<(?:[^"'>]|"[^"]*"|'[^']*')*>""")
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_ENCODING = re.compile(rb"""\A<\?xml\b[^>]*?\bencoding\s*=\s*["']([^"'>]*)["']""")
_BARE_AMPERSAND = re.compile(rb"&(?!#?\w+;)")


@dataclasses.dataclass(eq=False)
class Element:
    """An element and the offsets (bytes) of its tags in the text of its file."""

    source: "Source"
    tag: str
    attributes: dict[str, str]
    line: int
    start: int  #: of the start tag
    inside: int  #: after the start tag
    close: int = 0  #: of the end tag; after an empty element
    end: int = 0  #: after the end tag
    parent: "Element | None" = None
    children: list["Element"] = dataclasses.field(default_factory=list)

    def get(self, name: str, default: str = "") -> str:
        return self.attributes.get(name, default)

    def where(self) -> str:
        return f"{self.source.path}:{self.line}"

    def reject(self, field: str, value: object, allowed: str) -> NoReturn:
        """Raises StrandError, which names file, line, field, value and the allowed values."""
        raise StrandError(f"{self.where()}: {field}: got {value}, allowed: {allowed}")

    def attribute_span(self, name: str) -> tuple[int, int]:
        """The span of the value of an attribute, including quotes."""
        tag = self.source.masked[self.start : self.inside]
        pattern = rb"""\s%s\s*=\s*("[^"]*"|'[^']*')""" % re.escape(name.encode())
        found = re.search(pattern, tag)
        assert found, name
        return self.start + found.start(1), self.start + found.end(1)


class Source:
    """A file: its text, in UTF-8, and its elements. Raises StrandError, which names file, line and
    reason."""

    def __init__(self, path: Path, text: bytes | None = None) -> None:
        self.path = path
        self.text = _in_utf8(path, _read(path)) if text is None else text
        if b"\0" in self.text:
            raise StrandError(f"{path}: encoding: got zero bytes, as of UTF-16, allowed: UTF-8")
        # MuJoCo's reader accepts dashes inside comments and bare ampersands, which are not XML.
        masked = _COMMENT.sub(lambda found: re.sub(rb"[^\n]", b" ", found[0]), self.text)
        self.masked = _BARE_AMPERSAND.sub(b"+", masked)
        self.root = self._parse()

    def _parse(self) -> Element:
        parser = expat.ParserCreate("UTF-8")
        open_elements: list[Element] = []
        roots: list[Element] = []

        def start(tag: str, attributes: dict[str, str]) -> None:
            at = parser.CurrentByteIndex
            found = _START_TAG.match(self.masked, at)
            assert found
            element = Element(self, tag, attributes, parser.CurrentLineNumber, at, found.end())
            if open_elements:
                element.parent = open_elements[-1]
                element.parent.children.append(element)
            else:
                roots.append(element)
            open_elements.append(element)

        def end(tag: str) -> None:
            element = open_elements.pop()
            if self.masked[element.inside - 2 : element.inside] == b"/>":
                element.close = element.end = element.inside
                return
            element.close = parser.CurrentByteIndex
            element.end = self.masked.index(b">", element.close) + 1

        parser.StartElementHandler = start
        parser.EndElementHandler = end
        try:
            parser.Parse(self.masked, True)
        except expat.ExpatError as error:
            reason = expat.errors.messages[error.code]
            raise StrandError(f"{self.path}:{error.lineno}: not XML: {reason}") from None
        return roots[0]

    def comments(self, element: Element) -> list[bytes]:
        """The comments inside an element, in order."""
        return [found[0] for found in _COMMENT.finditer(self.text, element.inside, element.close)]

    def indentation(self, element: Element) -> bytes:
        """The white space before an element; empty unless it is the first on its line."""
        before = self.text[self.text.rfind(b"\n", 0, element.start) + 1 : element.start]
        return before if before.isspace() else b""


def _in_utf8(path: Path, text: bytes) -> bytes:
    """The text in UTF-8 if it declares another encoding; what it declares is changed, too.

    New text is in UTF-8, and MuJoCo takes all text to be.
    """
    declared = _ENCODING.match(text)
    name = declared[1].decode("ascii", "replace") if declared else "UTF-8"
    if not declared or name.upper() in ("UTF-8", "US-ASCII"):
        return text
    try:
        start, end = declared.span(1)
        return text[:start] + b"UTF-8" + text[end:].decode(name).encode()
    except (LookupError, UnicodeError):
        allowed = "that of the file, such as UTF-8"
        raise StrandError(f"{path}: encoding: got {name}, allowed: {allowed}") from None


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a zero character in the name
        allowed = f"a readable file ({reason(error)})"
        raise StrandError(f"path: got '{path}', allowed: {allowed}") from None


@dataclasses.dataclass
class Edits:
    """Spans of the texts of files, and their replacements."""

    of: dict[Source, list[tuple[int, int, bytes]]] = dataclasses.field(default_factory=dict)

    def replace(self, source: Source, start: int, end: int, text: bytes | str) -> None:
        content = text.encode() if isinstance(text, str) else text
        self.of.setdefault(source, []).append((start, end, content))

    def replace_element(self, element: Element, text: bytes | str) -> None:
        self.replace(element.source, element.start, element.end, text)

    def remove(self, element: Element) -> None:
        """Removes an element, and its line if nothing else is on it."""
        text, start, end = element.source.text, element.start, element.end
        line = text.rfind(b"\n", 0, start) + 1
        after = text.find(b"\n", end)
        after = len(text) if after < 0 else after + 1
        if not text[line:start].strip() and not text[end:after].strip():
            start, end = line, after
        self.replace(element.source, start, end, b"")

    def set_attribute(self, element: Element, name: str, value: str) -> None:
        """Changes the value of an attribute, or adds the attribute."""
        written = '"' + escape(value) + '"'
        if name in element.attributes:
            self.replace(element.source, *element.attribute_span(name), written)
            return
        at = element.start + 1 + len(element.tag.encode())
        self.replace(element.source, at, at, f" {name}={written}")

    def copy(self) -> "Edits":
        return Edits({source: list(spans) for source, spans in self.of.items()})


def escape(value: str) -> str:
    """The value of an attribute, escaped for XML."""
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), ('"', "&quot;")):
        value = value.replace(character, entity)
    return value
