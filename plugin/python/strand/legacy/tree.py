"""The elements of a model across included files, and the text of the model after edits."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from strand.legacy.xml_source import Edits, Element, Source

if TYPE_CHECKING:
    import mujoco


class Tree:
    """The main file with its includes, as MuJoCo reads them: an include is replaced by the children
    of the included file's top element."""

    def __init__(self, path: Path, text: bytes | None = None) -> None:
        self.folder = path.parent
        self.main = Source(path, text)
        self._included: dict[Element, Source] = {}
        self._include_of: dict[Element, Element] = {}  # top element of a file -> the include
        self._follow(self.main)

    def _follow(self, source: Source) -> None:
        for include in [e for e in _descendants(source.root) if e.tag == "include"]:
            path = self._find(include)
            taken = [self.main.path, *(source.path for source in self._included.values())]
            if any(other.exists() and path.samefile(other) for other in taken):
                include.reject("include", repr(include.get("file")), "a file not yet included")
            included = Source(path)
            self._included[include] = included
            self._include_of[included.root] = include
            self._follow(included)

    def _find(self, include: Element) -> Path:
        name = include.get("file")
        # MuJoCo searches the main file's folder first, then that of the file with the include.
        for folder in (self.folder, include.source.path.parent):
            if name and (folder / name).is_file():
                return folder / name
        include.reject("include", repr(name), "a file that exists")

    def included(self, include: Element) -> Source:
        return self._included[include]

    def children(self, element: Element) -> Iterator[Element]:
        """The children, with includes replaced by the children of included files."""
        for child in element.children:
            if child in self._included:
                yield from self.children(self._included[child].root)
            else:
                yield child

    def parent(self, element: Element) -> Element | None:
        """The parent element, across includes."""
        parent = element.parent
        while parent in self._include_of:
            parent = self._include_of[parent].parent
        return parent

    def ancestors(self, element: Element) -> Iterator[Element]:
        parent = self.parent(element)
        while parent:
            yield parent
            parent = self.parent(parent)

    def all(self, *tags: str) -> Iterator[Element]:
        """Elements with one of these tags, in reading order."""
        yield from (e for e in self._below(self.main.root) if e.tag in tags)

    def all_but(self, *tags: str) -> Iterator[Element]:
        """All elements except those with one of these tags and their descendants."""
        yield from self._below(self.main.root, tags)

    def _below(self, element: Element, without: tuple[str, ...] = ()) -> Iterator[Element]:
        for child in self.children(element):
            if child.tag not in without:
                yield child
                yield from self._below(child, without)

    def top(self, *tags: str) -> list[Element]:
        """Sections of the model with one of these tags."""
        return [e for e in self.children(self.main.root) if e.tag in tags]

    def render(self, edits: Edits, folder: str | None = None) -> bytes:
        """The main file's text after the edits. Included files that the edits change are written
        in place of their includes.

        folder: path to the main file's folder, if the new text will be in another one.
        """
        edits = edits.copy()
        if folder is not None:
            self._rebase(edits, folder)
        return self._render(self.main, edits, folder)

    def compile(self, edits: Edits) -> "mujoco.MjModel":
        """The compiled model after the edits. Raises ValueError if MuJoCo does not load it."""
        import mujoco

        text = self.render(edits, os.path.abspath(self.folder)).decode()
        return mujoco.MjModel.from_xml_string(text)

    def _render(self, source: Source, edits: Edits, folder: str | None) -> bytes:
        spans = list(edits.of.get(source, []))
        replaced = [(start, end) for start, end, _ in spans]
        for include, included in self._included.items():
            if include.source is not source or any(
                start <= include.start and include.end <= end for start, end in replaced
            ):
                continue
            if self._changed(included, edits):
                root, text = included.root, self._render(included, edits, folder)
                shift = len(text) - len(included.text)
                spans.append((include.start, include.end, text[root.inside : root.close + shift]))
            elif folder is None and source is not self.main:
                name = os.path.relpath(included.path, self.folder)
                spans.append((*include.attribute_span("file"), f'"{name}"'.encode()))
        text, at = b"", 0
        for start, end, content in sorted(spans, key=lambda span: (span[0], -span[1])):
            if start < at:
                continue  # inside a span that is already replaced
            text += source.text[at:start] + content
            at = end
        return text + source.text[at:]

    def _changed(self, source: Source, edits: Edits) -> bool:
        return source in edits.of or any(
            self._changed(included, edits)
            for include, included in self._included.items()
            if include.source is source
        )

    def merged(self, edits: Edits) -> list[Source]:
        """Included files that the edits change."""
        return [source for source in self._included.values() if self._changed(source, edits)]

    def _rebase(self, edits: Edits, folder: str) -> None:
        """Prefixes relative file paths with `folder`, so that they refer to the same files."""

        def moved(name: str) -> str:
            return name if os.path.isabs(name) else os.path.join(folder, name)

        folders = {
            key: element
            for element in self.all("compiler")
            for key in ("meshdir", "texturedir", "assetdir")
            if key in element.attributes
        }
        for key, element in folders.items():
            if not os.path.isabs(element.get(key)):
                edits.set_attribute(element, key, moved(element.get(key)))
        stripped = [e for e in self.all("compiler") if e.get("strippath") == "true"]
        for compiler in stripped[:1]:
            for key in ("meshdir", "texturedir"):
                if key not in folders and "assetdir" not in folders:
                    edits.set_attribute(compiler, key, folder)
        for include, included in self._included.items():
            name = os.path.relpath(included.path, self.folder)
            edits.set_attribute(include, "file", moved(name))
        for element, attribute, kind in self._file_attributes():
            found = kind and (kind in folders or "assetdir" in folders or stripped)
            place = element.attribute_span(attribute)
            edited = any(span[:2] == place for span in edits.of.get(element.source, ()))
            if not found and not edited and not os.path.isabs(element.get(attribute)):
                edits.set_attribute(element, attribute, moved(element.get(attribute)))

    def _file_attributes(self) -> Iterator[tuple[Element, str, str]]:
        """For each asset with a file: element, attribute, and compiler attribute of its folder."""
        kinds = {
            "mesh": "meshdir",
            "hfield": "meshdir",
            "skin": "meshdir",
            "flexcomp": "",
            "texture": "texturedir",
            "model": "",
        }
        for element in self.all(*kinds):
            for attribute in element.attributes:
                if attribute.startswith("file") and element.get(attribute):
                    yield element, attribute, kinds[element.tag]


def _descendants(element: Element) -> Iterator[Element]:
    for child in element.children:
        yield child
        yield from _descendants(child)
