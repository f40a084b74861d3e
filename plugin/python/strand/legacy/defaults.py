"""Protects a cable's elements from the defaults of the model.

The composite ignored the model's defaults, but explicit elements use them. So attributes that the
top-level default class sets, and the cable does not, must be written explicitly with MuJoCo's
built-in value. Other default classes have no effect, since the cable's bodies use the top-level
class.
"""

from strand.legacy.tree import Tree

_POSE = {
    "pos": "0 0 0",
    "quat": "1 0 0 0",
    "axisangle": "1 0 0 0",
    "xyaxes": "1 0 0 0 1 0",
    "zaxis": "0 0 1",
    "euler": "0 0 0",
}
_SOLREF, _SOLIMP = "0.02 1", "0.9 0.95 0.001 0.5 2"
_GEOM = {
    **_POSE,
    "contype": "1",
    "conaffinity": "1",
    "condim": "3",
    "group": "0",
    "priority": "0",
    "friction": "1 0.005 0.0001",
    "density": "1000",
    "shellinertia": "false",
    "solmix": "1",
    "solref": _SOLREF,
    "solimp": _SOLIMP,
    "margin": "0",
    "gap": "0",
    "adhesion": "0",
    "surfacevel": "0 0 0 0 0 0",
    "material": "",
    "rgba": "0.5 0.5 0.5 1",
    "fluidshape": "none",
    "fluidcoef": "0.5 0.25 1.5 1 1",
}
_JOINT = {
    "pos": "0 0 0",
    "axis": "0 0 1",
    "springdamper": "0 0",
    "limited": "auto",
    "actuatorfrclimited": "auto",
    "solreflimit": _SOLREF,
    "solimplimit": _SOLIMP,
    "solreffriction": _SOLREF,
    "solimpfriction": _SOLIMP,
    "stiffness": "0",
    "range": "0 0",
    "actuatorfrcrange": "0 0",
    "actuatorgravcomp": "false",
    "margin": "0",
    "ref": "0",
    "springref": "0",
    "armature": "0",
    "damping": "0",
    "frictionloss": "0",
    "group": "0",
}
_SITE = {
    "type": "sphere",
    "size": "0.005 0.005 0.005",
    **_POSE,
    "group": "0",
    "material": "",
    "rgba": "0.5 0.5 0.5 1",
}
_EQUALITY = {"active": "true", "solref": _SOLREF, "solimp": _SOLIMP}
_BUILT_IN = {"geom": _GEOM, "joint": _JOINT, "site": _SITE, "equality": _EQUALITY}


class Defaults:
    """The top-level default class of a model, for geoms, joints, sites and equalities."""

    def __init__(self, tree: Tree) -> None:
        self._set = {
            tag: {
                name: text
                for section in tree.top("default")
                for element in tree.children(section)
                if element.tag == tag
                for name, text in element.attributes.items()
            }
            for tag in _BUILT_IN
        }

    def complete(self, tag: str, attributes: dict[str, str]) -> dict[str, str]:
        """The attributes, plus explicit values of those that the defaults would change."""
        complete = dict(attributes)
        for name, text in self._set[tag].items():
            if name in attributes:
                complete[name] = _padded(attributes[name], _BUILT_IN[tag].get(name, ""))
            elif name in _BUILT_IN[tag] and not (name in _POSE and "fromto" in attributes):
                complete[name] = _BUILT_IN[tag][name]
            elif name == "size":
                complete[name] = text
        return complete

    def lost(self, tag: str) -> list[str]:
        """Attributes set by the defaults that cannot be overridden."""
        written = ("class", "type", "size", "mass")
        known = (*_BUILT_IN[tag], *written)
        return [name for name in self._set[tag] if name not in known]

    def sets(self, tag: str, name: str) -> bool:
        return name in self._set[tag]


def _padded(text: str, built_in: str) -> str:
    """An incomplete list of values, completed with the built-in ones instead of the default's."""
    words = text.split()
    return " ".join(words + built_in.split()[len(words) :]) if built_in else text
