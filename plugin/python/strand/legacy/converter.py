"""Converter of models with old cables to chains with strand.cable; base of other converters."""

import dataclasses
import os
from collections.abc import Container, Iterable

from strand.legacy import rope
from strand.legacy.bodies import Expansion, body_text, exclusions, expand, number, tag
from strand.legacy.composite import PLUGIN, LegacyCable, read_composite
from strand.legacy.defaults import Defaults
from strand.legacy.elasticity import (
    LAWS,
    Moduli,
    Section,
    describe,
    lost_moduli,
    read_moduli,
    rod_keys,
)
from strand.legacy.expanded import ExpandedChains
from strand.legacy.skin import skin_text
from strand.legacy.tree import Tree
from strand.legacy.xml_source import Edits, Element

_DEEPEST = 495  # deepest nesting of elements that MuJoCo's XML reader supports


@dataclasses.dataclass
class Conversion:
    """The result of a conversion."""

    text: bytes  #: MJCF
    changed: bool  #: False if there was nothing to convert
    did: list[str]  #: what was converted, one text per item
    lost: list[str]  #: what was dropped or changed, one text per item
    children: dict[str, bytes]  #: converted models that the model attaches, by new file name

    def report(self) -> str:
        """What was converted and what was dropped, one line per item."""
        lines = self.did or ["nothing to convert: no cable, rope or loop composite, no " + PLUGIN]
        return "\n".join([*lines, *(f"not carried over: {text}" for text in self.lost)])


class Converter:
    """Converts cables to chains of the same bodies with strand.cable; base of other backends."""

    def __init__(self, tree: Tree, folder: str | None, child_prefix: str, law: str) -> None:
        self.tree, self.folder, self.child_prefix, self.law = tree, folder, child_prefix, law
        if self.tree.main.root.tag != "mujoco":
            self.tree.main.root.reject("top element", f"<{self.tree.main.root.tag}>", "<mujoco>")
        self.defaults = Defaults(self.tree)
        self.did: list[str] = []
        self.lost: list[str] = []
        self.edits = Edits()
        #: Instances of strand.cable to declare: name -> keys.
        self.instances: dict[str, dict[str, str]] = {}

    def convert(self) -> Conversion:
        children = self._children()
        self._ropes()
        declared = self._declared()
        cables = self._cables()
        self._names(cables)
        for expansion in cables:
            self._check_depth(expansion.cable.element, expansion.cable.links)
            self._elasticity(expansion, declared)
        chains = ExpandedChains(self.tree, set(declared))
        if chains.links:
            # Without elasticity the model loads in any version and gives the links' geometry.
            bare = self.edits.copy()
            self._declare(bare, {})
            for expansion in cables:
                self._write(bare, expansion, with_plugin=False)
            self._sections(bare, cables)
            chains.measure(bare, self.lost)
            moduli = {n: read_moduli(e, LAWS[self.law]) for n, e in declared.items()}
            self.did += chains.convert(self.edits, moduli, self.instances, self.lost)
        self._report_unused(declared, self.instances)
        for expansion in cables:
            self._write(self.edits, expansion, with_plugin=True)
            self._report(expansion)
        self._sections(self.edits, cables)
        return self._finished(children)

    def _cables(self) -> list[Expansion]:
        return [
            expand(read_composite(self.tree, element))
            for element in self.tree.all("composite")
            if element.get("type") not in rope.ROPES
        ]

    def _ropes(self) -> None:
        """Converts ropes and loops, which every backend replaces by the same rigid bodies."""
        contact, equality = [], []
        for element in self.tree.all("composite"):
            if element.get("type") not in rope.ROPES:
                continue
            read = rope.read_rope(self.tree, element)
            longest = max(read.root, read.count - 1 - read.root)
            self._check_depth(element, longest)
            indent, in_class = self._place(element)
            text = rope.rope_text(read, self.defaults, indent, in_class)
            self._replace(self.edits, element, text)
            contact += rope.exclusions(read)
            equality += rope.equalities(read, self.defaults)
            self.did.append(rope.describe(read))
            where = element.where()
            self.lost += [f"{where}: {text}, which had no effect" for text in read.ignored]
            self._report_defaults(where, read.kind, ("geom", "joint"))
        self._append(self.edits, section("contact", contact) + section("equality", equality))

    def _finished(self, children: dict[str, bytes]) -> Conversion:
        self._declare(self.edits, self.instances)
        self._report_rest()
        changed = bool(self.edits.of)
        text = self.tree.render(self.edits, self.folder)
        return Conversion(text, changed, self.did, self.lost, children)

    def _children(self) -> dict[str, bytes]:
        """Converts the attached models that have old cables."""
        children: dict[str, bytes] = {}
        for element in self.tree.all("model"):
            path = self.tree.folder / element.get("file")
            if path.suffix != ".xml" or not path.is_file():
                continue  # MuJoCo reports this error
            inner = os.path.dirname(element.get("file"))
            base = os.path.join(self.folder or "", inner)
            child = Converter(Tree(path), base or None, self.child_prefix, self.law).convert()
            if not child.changed:
                continue
            name = self.child_prefix + path.name
            children |= {**child.children, name: child.text}
            self.edits.set_attribute(element, "file", name)
            self.did += child.did
            self.lost += child.lost
        return children

    def _declared(self) -> dict[str, Element]:
        """Instances of the old plugin."""
        return {
            child.get("name"): child
            for plugin in self._declarations()
            for child in self.tree.children(plugin)
            if child.tag == "instance"
        }

    def _declarations(self) -> list[Element]:
        return [
            plugin
            for section in self.tree.top("extension")
            for plugin in self.tree.children(section)
            if plugin.get("plugin") == PLUGIN
        ]

    def _names(self, cables: list[Expansion]) -> None:
        taken: set[str] = set()
        for expansion in cables:
            prefix, element = expansion.cable.prefix, expansion.cable.element
            expansion.named = prefix not in taken
            taken.add(prefix)
            if not expansion.named:
                self.lost.append(
                    f"{element.where()}: names: another cable has the prefix {prefix!r}, and "
                    "MuJoCo 3 left this one without names, too"
                )

    def _check_depth(self, element: Element, links: int) -> None:
        depth = 1 + sum(1 for _ in self.tree.ancestors(element)) + links
        if depth > _DEEPEST:
            element.reject(
                "count",
                f"{links} links, which makes {depth} elements inside each other",
                f"up to {_DEEPEST} (MuJoCo's XML reader takes no more)",
            )

    def _elasticity(self, expansion: Expansion, declared: dict[str, Element]) -> None:
        cable = expansion.cable
        plugin = cable.plugin
        if plugin is None:
            return
        moduli, shared = self._moduli(plugin, declared), plugin.get("instance")
        keys = rod_keys(moduli, *_geometry(expansion)) if cable.links > 1 else {}
        name = shared or f"composite{cable.prefix}"
        if not keys:
            why = "its moduli are 0" if cable.links > 1 else "it has a single link"
            self.lost.append(f"{plugin.where()}: elasticity without effect: {why}")
            return
        if name in self.instances:
            self.lost.append(
                f"{plugin.where()}: one elasticity for several cables: each gets its own (the old "
                "plugin took them for one rod and put a false moment between them)"
            )
        self._check_geoms_stay(cable)
        expansion.instance = _free_name(name, self.instances)
        self.instances[expansion.instance] = keys
        self.lost += lost_moduli(plugin.where(), moduli)

    def _moduli(self, plugin: Element, declared: dict[str, Element]) -> Moduli:
        """The moduli of a cable's plugin, or of the instance that it names."""
        if plugin.get("plugin") != PLUGIN:
            plugin.reject("plugin of a cable", repr(plugin.get("plugin")), PLUGIN)
        shared = plugin.get("instance")
        if shared and shared not in declared:
            plugin.reject("instance", repr(shared), "an instance declared in <extension>")
        return read_moduli(declared[shared] if shared else plugin, LAWS[self.law])

    def _check_geoms_stay(self, cable: LegacyCable) -> None:
        """Rejects discardvisual for cables that need their geoms.

        Elasticity needs the links' geoms. Without them the old plugin read beyond its arrays.
        """
        seen_alone = all(int(cable.geom.get(k, "1")) == 0 for k in ("contype", "conaffinity"))
        for compiler in self.tree.all("compiler"):
            if seen_alone and compiler.get("discardvisual") == "true":
                allowed = "false where a cable with elasticity does not collide"
                compiler.reject("discardvisual", "true", allowed)

    def _write(self, edits: Edits, expansion: Expansion, with_plugin: bool) -> None:
        if not with_plugin:
            expansion = dataclasses.replace(expansion, instance="")
        indent, in_class = self._place(expansion.cable.element)
        text = body_text(expansion, self.defaults, indent, in_class)
        self._replace(edits, expansion.cable.element, text)

    def _place(self, element: Element) -> tuple[str, bool]:
        """Indentation of an element, and whether a childclass applies there."""
        in_class = any("childclass" in e.attributes for e in self.tree.ancestors(element))
        return element.source.indentation(element).decode(), in_class

    def _replace(self, edits: Edits, element: Element, text: str) -> None:
        """Replaces an element by a text and keeps the comments inside the element."""
        indent = element.source.indentation(element)
        comments = element.source.comments(element)
        kept = b"".join(comment + b"\n" + indent for comment in comments)
        edits.replace_element(element, kept + text.encode())

    def _report_unused(self, declared: dict[str, Element], used: Iterable[str]) -> None:
        for name, element in declared.items():
            if name not in used:
                self.lost.append(f"{element.where()}: instance {name!r}, which is not used")

    def _report(self, expansion: Expansion) -> None:
        elastic = "no elasticity"
        if expansion.instance:
            keys = self.instances[expansion.instance]
            elastic = f"strand.cable {expansion.instance!r}: {describe(keys)}"
        self._report_cable(expansion, elastic)

    def _report_cable(self, expansion: Expansion, elastic: str) -> None:
        cable, where = expansion.cable, expansion.cable.element.where()
        length = sum(link.length for link in expansion.links)
        self.did.append(
            f"{where}: cable {cable.prefix!r}: {cable.links} links, {number(round(length, 9))} m, "
            f"{cable.geom['type']}, initial {cable.initial}; {elastic}"
        )
        self.lost += [f"{where}: {text}, which had no effect" for text in cable.ignored]
        if cable.skin and cable.geom["type"] != "box":
            self.lost.append(f"{where}: <skin>, which had no effect: only cables of boxes get one")
        self._report_defaults(where, "cable", ("geom", "joint", "site"))

    def _report_defaults(self, where: str, of: str, kinds: tuple[str, ...]) -> None:
        self.lost += [
            f"{where}: the default {kind} sets {name}, which the {of}'s {kind}s now have"
            for kind in kinds
            for name in self.defaults.lost(kind)
        ]

    def _report_rest(self) -> None:
        """Reports changes other than those of cables."""
        declarations = self._declarations()
        if declarations and not self.instances:
            self.did.append(f"{declarations[0].where()}: declaration of {PLUGIN}: removed")
        if any("law" not in keys for keys in self.instances.values()):
            self.did.append(
                f"{self.tree.main.path}: torques by Strand's law, which derives from an energy; "
                "for exact repeatability of the old ones: --law old"
            )
        for source in self.tree.merged(self.edits):
            self.did.append(f"{source.path}: written in place of its <include>, with its changes")
        for section in self.tree.top("extension"):
            for plugin in self.tree.children(section):
                name = plugin.get("plugin")
                if name.startswith("mujoco.elasticity.") and name != PLUGIN:
                    self.lost.append(f"{plugin.where()}: {name}, which MuJoCo 4.0 dropped, too")

    def _sections(self, edits: Edits, cables: list[Expansion]) -> None:
        """Adds the sections of cables outside the bodies: exclusions, skins, MuJoCo's marks."""
        named = [expansion for expansion in cables if expansion.named]
        contact = [line for expansion in named for line in exclusions(expansion)]
        skins = [skin_text(e.cable, "    ") for e in named if e.cable.geom["type"] == "box"]
        text = section("contact", contact) + section("custom", marks(named))
        if skins:
            text += "  <deformable>\n" + "\n".join(skins) + "\n  </deformable>\n"
        self._append(edits, text)

    def _append(self, edits: Edits, text: str) -> None:
        """Adds sections at the end of the model."""
        if text:
            root = self.tree.main.root
            edits.replace(self.tree.main, root.close, root.close, text)

    def _declare(self, edits: Edits, instances: dict[str, dict[str, str]]) -> None:
        """Declares the instances where the old plugin was first declared."""
        lines = []
        for name, keys in instances.items():
            lines.append("  " + tag("instance", {"name": name}, ">"))
            lines += ["    " + tag("config", {"key": k, "value": v}) for k, v in keys.items()]
            lines.append("  </instance>")
        declaration = ['<plugin plugin="strand.cable">', *lines, "</plugin>"]
        declarations = self._declarations()
        first = declarations[0] if declarations else None
        for element in declarations[1:]:
            edits.remove(element)
        if first is None:
            if instances:
                main = self.tree.main
                inner = "".join(f"\n    {line}" for line in declaration)
                text = f"\n  <extension>{inner}\n  </extension>"
                edits.replace(main, main.root.inside, main.root.inside, text)
        elif instances:
            indent = first.source.indentation(first).decode()
            edits.replace_element(first, f"\n{indent}".join(declaration))
        else:
            edits.remove(first)


def _geometry(expansion: Expansion) -> tuple[list[Section], list[float]]:
    cable = expansion.cable
    if cable.geom["type"] == "box":
        section = Section(half_sizes=(cable.size[1], cable.size[2]))
    else:
        section = Section(radius=cable.size[0])
    return [section] * cable.links, [link.length for link in expansion.links]


def marks(cables: list[Expansion]) -> list[str]:
    """The <text> elements by which MuJoCo marked composites."""
    prefixes = (expansion.cable.prefix for expansion in cables)
    return [tag("text", {"name": f"composite_{p}", "data": f"rope_{p}"}) for p in prefixes]


def section(name: str, lines: list[str]) -> str:
    if not lines:
        return ""
    return f"  <{name}>\n" + "".join(f"    {line}\n" for line in lines) + f"  </{name}>\n"


def _free_name(name: str, taken: Container[str]) -> str:
    free, count = name, 1
    while free in taken:
        count += 1
        free = f"{name}_{count}"
    return free
