"""Cables as TOML files. The keys are the arguments of strand.Cable and of the shapes, in tables."""

import dataclasses
import os
from typing import Any

from strand import toml_file
from strand.cable import Cable, Stretch
from strand.errors import StrandError
from strand.options import FLAG, read
from strand.shapes import SHAPES
from strand.toml_file import unknown

_FIELDS: dict[str, dataclasses.Field] = {field.name: field for field in dataclasses.fields(Cable)}

EXAMPLE = """\
# A cable for `strand generate`. SI units, angles in rad. `strand generate --schema` lists
# everything that may stand here; what is left out has the default given there.

prefix = "cable_"           # goes before every name, so that a scene can have several cables

[shape]
type = "straight"           # straight, points, spline, arc, helix or ring, with its own keys
length = 1.0                # m
segments = 40               # links
pos = [0.0, 0.0, 1.0]       # start pose (m); quat = [w, x, y, z] turns it

[section]
section = "circle"          # circle, tube (inner_radius), box or ellipse (width, height)
radius = 0.004              # m

[material]
density = 1100.0            # kg/m^3
young = 5e6                 # Pa; or EI and GJ (N m^2) in place of the moduli
poisson = 0.45              # or shear (Pa)

# A stiffer stretch, from 0.4 to 0.6 m along the cable:
# [[stretches]]
# begin = 0.4
# end = 0.6
# young = 5e7

[damping]
damping_ratio = 0.05        # of the first bending mode; or loss_time (s), or damping (N m s/rad)

[ends]
start = "fixed"             # free, fixed, ball, mocap; weld and pin name start_to in a scene
end = "free"
clamp = "node"              # a held end holds the direction at its node; "link": the whole link

[contact]
friction = [0.8, 0.005, 0.0001]  # sliding, spinning (m), rolling (m)

[look]
rgba = [0.15, 0.35, 0.65, 1.0]
skin = true                 # a smooth tube

[simulation]
integrator = "auto"         # left to Strand, which says what it chose; so is the time step
"""


def load(path: str | os.PathLike) -> Cable:
    """Reads a cable from a TOML file. Raises StrandError that names the key at fault."""
    return toml_file.load(path, from_toml)


def from_toml(text: str) -> Cable:
    """Reads a cable from the text of a TOML file."""
    values: dict[str, Any] = {}
    for name, content in toml_file.document(text).items():
        if name == "shape":
            values |= _shape(toml_file.table(name, content))
        elif name == "keys":
            values["keys"] = toml_file.table(name, content)
        elif name == "stretches":
            items = toml_file.tables(name, content)
            values["stretches"] = [Stretch(**_stretch(item)) for item in items]
        elif name in _keys_of(""):
            values[name] = content
        else:
            if name not in _tables_of_options():
                raise unknown(name, "a table", [*_keys_of(""), "shape", *_tables_of_options()])
            values |= _options(name, toml_file.table(name, content))
    if "nodes" not in values:
        raise StrandError(f"shape: got nothing, allowed: a table with type: {', '.join(SHAPES)}")
    for name, value in values.items():
        read(name, value, _FIELDS[name].metadata["option"])
    return Cable(**values)


def _keys_of(table: str) -> list[str]:
    """Keys of a table, apart from those that shapes bring along."""
    return [
        name
        for name, field in _FIELDS.items()
        if field.metadata["option"].table == table and name != "nodes"
    ]


def _tables_of_options() -> list[str]:
    tables = (field.metadata["option"].table for field in _FIELDS.values())
    return [table for table in dict.fromkeys(tables) if table not in ("", "shape")]


def _options(table: str, content: dict) -> dict:
    for name in content:
        if name not in _keys_of(table):
            raise unknown(f"{table}.{name}", "a key", _keys_of(table))
    return content


def _stretch(content: dict) -> dict:
    names = [field.name for field in dataclasses.fields(Stretch)]
    for name in content:
        if name not in names:
            raise unknown(f"stretches.{name}", "a key", names)
    for name in ("begin", "end"):
        if name not in content:
            raise StrandError(f"stretches.{name}: got nothing, allowed: an arclength (m)")
    return content


def _shape(content: dict) -> dict:
    """The nodes that a [shape] draws, and the options that stand beside it."""
    beside = _keys_of("shape")
    nodes = toml_file.shape("shape", content, beside)
    options = {name: content[name] for name in beside if name in content}
    if "closed" in options:
        read("shape.closed", options["closed"], FLAG)
    if content["type"] == "ring" and not content.get("overlap"):
        options.setdefault("closed", True)
    return {"nodes": nodes, **options}


def schema() -> str:
    """All tables and keys of a cable's file, with defaults, what is allowed, and their meaning."""
    lines = ["# Tables and keys of a cable's TOML file. SI units, angles in rad.", ""]
    lines += [_described(name) for name in _keys_of("")]
    lines += ["", "[shape]", *toml_file.shape_schema()]
    lines.append("  A ring without overlap is closed unless closed = false.")
    lines += [_described(name) for name in _keys_of("shape")]
    for table in _tables_of_options():
        if table == "stretches":
            lines += ["", "[[stretches]]", *_stretch_keys()]
            continue
        lines += ["", f"[{table}]", *(_described(name) for name in _keys_of(table))]
    return "\n".join(lines) + "\n"


def _stretch_keys() -> list[str]:
    keys = ["begin, end: arclengths (m); needed"]
    keys += [_described(name) for name in ("EI", "GJ", "young", "shear", "poisson")]
    return [*keys, "what is not given is as in the rest of the cable"]


def _described(name: str) -> str:
    field = _FIELDS[name]
    default = None if field.default is dataclasses.MISSING else field.default
    return toml_file.described(name, field.metadata["option"], default)
