"""References of a model to parts of cables that become flexes."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from strand.flex.mjcf import edge_time
from strand.legacy.bodies import Expansion, number
from strand.legacy.composite import numbers
from strand.legacy.flex_cable import FlexCable
from strand.legacy.tree import Tree
from strand.legacy.xml_source import Edits, Element

if TYPE_CHECKING:
    import mujoco

# Attributes that name an element, by the kind of that element.
_NAMES = {
    "body": ("body", "body1", "body2", "subtree1", "subtree2", "target"),
    "joint": ("joint", "joint1", "joint2", "jointinparent"),
    "geom": ("geom", "geom1", "geom2"),
    "site": ("site", "site1", "site2", "sidesite", "refsite", "cranksite", "slidersite"),
}
_TYPED = {"objname": "objtype", "refname": "reftype"}
_PLACES = ("framepos", "framelinvel", "framelinacc")  # sensors that need no orientation
_REASONS = {
    "joint": "no joint of the cable: a flex has none between its links",
    "geom": "no geom of the cable: a flex has no geoms",
    "body": "bodies of the cable in a connect, as xbody in framepos, framelinvel and framelinacc, "
    "and as target of a targetbody: nodes slide and do not turn",
    "site": "sites of the cable in a connect, a spatial tendon, framepos, framelinvel and "
    "framelinacc: nodes slide and do not turn",
}
_NEAR = 1e-3  # largest distance of an anchor at a node, as a fraction of a link's length


class References:
    """Elements that name parts of cables."""

    def __init__(self, tree: Tree, cables: list[Expansion]) -> None:
        self.tree = tree
        self._parts = {part: found for e in cables for part, found in _parts(e)}
        self.excluded: list[Element] = []  #: exclusions between links of one cable

    def _named(self) -> Iterator[tuple[Element, str, str, Expansion, int]]:
        """For each reference: element, attribute, kind of the part, its cable and its index."""
        for element in self.tree.all_but("composite", "default"):
            kinds = {name: kind for kind, names in _NAMES.items() for name in names}
            kinds |= {name: element.get(by).replace("xbody", "body") for name, by in _TYPED.items()}
            for name, text in element.attributes.items():
                for word in text.split() if element.tag == "flex" else [text]:
                    part = self._parts.get((kinds.get(name, ""), word))
                    if part:
                        yield element, name, kinds[name], *part

    def check(self, lost: list[str]) -> None:
        """Raises StrandError for the first reference that a flex does not support."""
        for element, name, kind, expansion, index in self._named():
            if element.tag == "exclude":
                self._exclude(element, expansion, lost)
            elif not self._served(element, name, kind, expansion, index):
                allowed = f"{_REASONS[kind]} (with the flex backend)"
                what = f"{name} of <{element.tag}>"
                element.reject(what, repr(element.get(name)), allowed)

    def _exclude(self, element: Element, expansion: Expansion, lost: list[str]) -> None:
        one, other = (self._parts.get(("body", element.get(name))) for name in ("body1", "body2"))
        if one is None or other is None or one[0] is not other[0]:
            bodies = f"{element.get('body1')!r} and {element.get('body2')!r}"
            element.reject("exclude", bodies, "no body of a cable (with the flex backend): MuJoCo "
                           "has no exclusions for a flex; use contype and conaffinity")  # fmt: skip
        if element not in self.excluded:
            self.excluded.append(element)
            lost.append(
                f"{element.where()}: exclude between links of a cable: a flex has no exclusions"
            )

    def _served(
        self, element: Element, name: str, kind: str, expansion: Expansion, index: int
    ) -> bool:
        held = index == 0 and expansion.cable.initial == "none"  # this link keeps its old frame
        tag = element.tag
        if kind in ("joint", "geom"):
            return False
        if tag == "connect":
            return True
        if tag in _PLACES and name == "objname":
            return element.get("objtype") in ("xbody", "site")
        if tag in ("camera", "light"):
            return element.get("mode") == "targetbody"
        if tag == "site":
            parent = self.tree.parent(element)
            return parent is not None and parent.tag == "spatial"
        if tag == "element":
            return True  # of a <tuple>
        # All other references need orientations, too.
        return held and (tag == "weld" or kind == "site" or element.get("objtype") == "xbody")

    def connect(
        self,
        edits: Edits,
        flexes: list[FlexCable],
        model: "mujoco.MjModel",
        data: "mujoco.MjData",
        soft: bool,
        did: list[str],
    ) -> None:
        """Makes connects act on nodes. Raises StrandError if an anchor is not at a node.

        soft: the model's defaults set the stiffness of equalities.
        """
        stiffened: list[Element] = []
        flex_of = {id(flexed.expansion): flexed for flexed in flexes}
        for element, name, kind, expansion, index in self._named():
            if element.tag != "connect" or kind != "body":
                continue
            flexed, link = flex_of[id(expansion)], expansion.links[index]
            anchor = _anchor(element, model, data)
            first = model.body(element.get(name)).id
            local = data.xmat[first].reshape(3, 3).T @ (anchor - data.xpos[first])
            ends = np.array([[0.0, 0.0, 0.0], [link.length, 0.0, 0.0]])
            gaps = np.linalg.norm(ends - local, axis=1)
            end = int(gaps.argmin())
            if gaps[end] > _NEAR * link.length:
                element.reject(
                    "anchor", repr(element.get("anchor")),
                    f"a point at one end of {element.get(name)!r} (with the flex backend): "
                    "links of a flex are not bodies",
                )  # fmt: skip
            body = flexed.layout.bodies[index + end].name
            if body != element.get(name):
                edits.set_attribute(element, name, body)
                did.append(f"{element.where()}: {name} {element.get(name)!r}: {body!r}")
            if name == "body1":
                edits.set_attribute(element, "anchor", "0 0 0")
            if not element.get("solref") and element not in stiffened and not soft:
                # MuJoCo's constraints prescribe accelerations, so that their stiffness is
                # proportional to mass. A node is lighter than the old links were and would yield.
                stiffened.append(element)
                solref = f"{number(edge_time(flexed.rod))} 1"
                edits.set_attribute(element, "solref", solref)
                did.append(f"{element.where()}: solref {solref}, as for the edges of the flex")


def _parts(expansion: Expansion) -> Iterator[tuple[tuple[str, str], tuple[Expansion, int]]]:
    """Parts of an old cable by kind and name."""
    cable = expansion.cable
    for index in range(cable.links):
        for kind, name in (
            ("body", cable.link_name("B", index)),
            ("joint", cable.link_name("J", index)),
            ("geom", f"{cable.prefix}G{index}"),
        ):
            yield (kind, name), (expansion, index)
    yield ("site", f"{cable.prefix}S_first"), (expansion, 0)
    yield ("site", f"{cable.prefix}S_last"), (expansion, cable.links)


def _anchor(element: Element, model: "mujoco.MjModel", data: "mujoco.MjData") -> np.ndarray:
    """The point where a connect joins its bodies (m, world)."""
    body = model.body(element.get("body1")).id
    place = np.array(numbers(element, "anchor", 3, 3) or [0.0, 0.0, 0.0])
    return data.xpos[body] + data.xmat[body].reshape(3, 3) @ place
