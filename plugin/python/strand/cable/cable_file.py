"""Cables as TOML files. Keys are the arguments of strand.Cable and of the shapes, in tables."""

import contextlib
import os

from strand import _strand
from strand.cable.cable import OPTIONS, Cable
from strand.cable.shapes import SHAPES
from strand.errors import StrandError, checked
from strand.io import toml_file

EXAMPLE = """\
# A cable for `strand generate`. SI units, angles in rad. `strand generate --schema` lists all
# keys; omitted keys have the defaults listed there.

prefix = "cable_"           # precedes every name, so that a scene can have several cables

[shape]
type = "straight"           # straight, points, spline, arc, helix or ring, with its own keys
length = 1.0                # m
segments = 40               # links
pos = [0.0, 0.0, 1.0]       # start pose (m); quat = [w, x, y, z] turns it

[section]
section = "circle"          # circle, tube (inner_radius), box or ellipse (width, height)
radius = 0.004              # m; [0.004, 0.002] tapers from start to end; or one per link

[material]
density = 1100.0            # kg/m^3
young = 5e6                 # Pa; or EI and GJ (N m^2) in place of the moduli
poisson = 0.45              # or shear (Pa)

# A stiffer stretch, from 0.4 to 0.6 m along the cable; radius and density may differ, too:
# [[stretches]]
# begin = 0.4
# end = 0.6
# young = 5e7

# A branch from the middle at half a right angle; omitted tables are as in this cable:
# [[branch]]
# name = "side"
# at = 0.5
# angle = 0.785
# shape = { type = "straight", length = 0.3, segments = 12 }

[damping]
damping_ratio = 0.05        # of the first bending mode; or loss_time (s), or damping (N m s/rad)

[ends]
start = "fixed"             # free, fixed, ball, mocap; weld and pin need start_to, in a scene
end = "free"
clamp = "node"              # a clamp fixes the direction at the end node; "link": the whole link

[contact]
friction = [0.8]            # sliding; condim = 6 adds spinning and rolling friction (m)

[look]
rgba = [0.15, 0.35, 0.65, 1.0]
skin = true                 # a smooth tube

[simulation]
integrator = "auto"         # chosen and reported by Strand, as is an omitted time step
"""


def load_cable(path: str | os.PathLike) -> Cable:
    """Reads a cable from a TOML file.

    path: the file. If it is named NAME.cable.toml, MuJoCo can load it directly, too.

    `strand generate --example FILE` writes an example. Raises StrandError, which names the file,
    the table and the key, and the allowed values.
    """
    return toml_file.load(path, from_toml)


def from_toml(text: str) -> Cable:
    """Reads a cable from the text of a TOML file. Raises StrandError as `load_cable`."""
    try:
        described = checked(_strand.read_cable_file, text)
    except StrandError as error:
        raise _of_scene(text) or error from None
    return Cable.from_description(described)


def _of_scene(text: str) -> StrandError | None:
    """The error for a text that describes a scene instead of a cable; None for other texts."""
    with contextlib.suppress(StrandError):
        for table in _SCENE_TABLES & toml_file.document(text).keys():
            return StrandError(
                f"{table}: got a table of a scene, allowed: tables of a cable file (strand "
                "generate --schema); for a scene: strand simulate FILE"
            )
    return None


_SCENE_TABLES = {"rod", "shell", "geometry", "vine"}


_MATERIAL = {"material": ("material",)}  # resolved before C++ reads the tables


def schema() -> str:
    """All tables and keys of a cable file, with meanings, allowed values and defaults."""
    lines = ["# Tables and keys of a cable's TOML file. SI units, angles in rad."]
    for table, keys in _strand.cable_options():
        lines += ["", f"[{table}]"] if table else [""]
        if table == "shape":
            lines += toml_file.shape_schema(SHAPES)
            lines.append("  A ring without overlap is closed unless closed = false.")
        names = [name for name, *_ in keys]
        lines += [_described(name) for name in (*names, *_MATERIAL.get(table, ()))]
    lines += ["", "[[stretches]]", *_listed(_strand.stretch_options())]
    lines += ["begin and end are required; omitted keys are as in the rest of the cable", ""]
    lines += ["[[branch]]", *_listed(_strand.branch_options()), _BRANCH, ""]
    lines += ["[keys]", f"{OPTIONS['keys'].doc}. Allowed: {OPTIONS['keys'].allowed}"]
    return "\n".join(lines) + "\n"


_BRANCH = """\
A branch is a cable from a node of another one. at and [branch.shape] are required. It may have
[branch.ends] for its end, [[branch.stretches]] and [branch.keys]. Without [branch.section],
[branch.material], [branch.elasticity], [branch.damping], [branch.contact] or [branch.look] it has
those of the cable that it starts on."""


def _listed(keys: list[tuple[str, str, str, object]]) -> list[str]:
    return [f"{name}: {doc}. Allowed: {allowed}" for name, doc, allowed, _ in keys]


def _described(name: str) -> str:
    return toml_file.described(name, OPTIONS[name], OPTIONS[name].default)
