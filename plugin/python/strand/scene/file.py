"""Scenes of rods and shells, or of a growing robot, from Python or TOML files."""

import dataclasses
import runpy
from pathlib import Path
from typing import Any

from strand.errors import StrandError, reason
from strand.io import toml_file
from strand.scene import tables as scene_tables
from strand.scene import vine as vine_scene
from strand.scene.builder import Builder
from strand.scene.keys import read_keys
from strand.scene.tables import OFTEN, ONCE, OutputTable
from strand.scene.vine import VineScene
from strand.simulation.simulation import Simulation

EXAMPLE = """\
# A scene for `strand simulate`. SI units, angles in rad. `strand simulate --schema` lists all
# keys; omitted keys have the defaults listed there.

[simulation]
duration = 2.0              # s
dt = 0.002                  # s
gravity = [0.0, 0.0, -9.81]
method = "bdf2"             # second order, damps fast motion; backward_euler damps more

[[rod]]
name = "cable"
young = 5e6                 # Pa
radius = 0.004              # m
density = 1100.0            # kg/m^3
shape = { type = "straight", length = 1.0, segments = 40 }

[[clamp]]                   # fixes the direction of its start, and the node there
rod = "cable"
end = "start"

[[fix]]
rod = "cable"
nodes = 0

[[velocity]]                # nodes that are not fixed start sideways
rod = "cable"
velocity = [0.0, 0.3, 0.0]

[floor]                     # the cable touches it before it hangs straight
height = -0.8               # m
friction = 0.4

# Other obstacles (plane, sphere, capsule, cylinder, box), and contact of rods with each other and
# with triangle meshes:
# [[obstacles]]
# friction = 0.4
# shapes = [{ type = "sphere", centre = [0.2, 0.0, -0.5], radius = 0.1 }]
# [contact]
# friction = 0.2
# [[obstacle_mesh]]
# file = "hook.stl"         # or .obj, .ply, .off
# scale = 0.001             # for a file in millimetres

# A rigid body at the cable's end, with a ball joint unless joint = "rigid":
# [[body]]
# name = "weight"
# mass = 0.1                # kg
# pos = [1.03, 0.0, 0.0]
# shape = { type = "sphere", radius = 0.03 }
# [[attach_to_body]]
# rod = "cable"
# node = -1
# body = "weight"

# A shell, clamped and fixed at one side, which is selected as a region by ranges of x, y, z:
# [[shell]]
# name = "sheet"
# young = 1e7
# thickness = 0.001         # m
# density = 1000.0
# mesh = { type = "strip", length = 0.2, width = 0.04, size = 0.01 }
# pos = [0.0, 0.5, 0.0]
# [[clamp]]
# shell = "sheet"
# x = [0.0, 0.0]
# [[fix]]
# shell = "sheet"
# x = [0.0, 0.0]

# Nodes driven by a table of time (s) and displacement (m), instead of a constant velocity:
# [[move]]
# rod = "cable"
# nodes = -1
# file = "hand.csv"

[output]
every = 0.02                # s
file = "cable.npz"          # .csv, .npz, or .pvd for ParaView
"""


@dataclasses.dataclass
class Scene:
    """A simulation, and the duration and output that its file specifies."""

    simulation: Simulation
    duration: float | None = None  #: s
    output: OutputTable = dataclasses.field(default_factory=OutputTable)


def load(path: str | Path) -> Scene | VineScene:
    """Loads a scene.

    path: a .py file that defines `make() -> Simulation`, or a .toml file.

    Raises StrandError, which names the file, and the table and key if a value is invalid.
    """
    path = Path(path)
    if path.suffix == ".py":
        return Scene(_run_python(path))
    if path.suffix == ".toml":
        return toml_file.load(path, lambda text: from_toml(text, path.parent))
    raise StrandError(f"scene: got '{path}', allowed: a file that ends in .py or .toml")


def _run_python(path: Path) -> Simulation:
    try:
        compile(path.read_bytes(), str(path), "exec")
    except (OSError, SyntaxError, ValueError) as error:  # ValueError: zero bytes
        allowed = f"a readable Python file ({reason(error)})"
        raise StrandError(f"scene: got '{path}', allowed: {allowed}") from None
    make = runpy.run_path(str(path)).get("make")
    if not callable(make):
        raise StrandError(
            f"{path}: make: got nothing, allowed: a function that returns a Simulation"
        )
    made = make()
    if not isinstance(made, Simulation):
        raise StrandError(f"{path}: make: got {type(made).__name__}, allowed: a Simulation")
    return made


def from_toml(text: str, folder: str | Path = ".") -> Scene | VineScene:
    """The scene that a TOML text describes. File names in it are relative to `folder`."""
    content = toml_file.document(text)
    if "shape" in content:
        raise StrandError(
            "shape: got a table of a cable file, allowed: tables of a scene (strand simulate "
            "--schema); for a cable: strand generate FILE, strand compare FILE"
        )
    if "vine" in content:
        return vine_scene.from_content(content, Path(folder))
    read: dict[str, Any] = {}
    for name, given in content.items():
        if name in ONCE:
            read[name] = read_keys(name, toml_file.table(name, given), ONCE[name])
        elif name in OFTEN:
            items = enumerate(toml_file.tables(name, given))
            read[name] = [read_keys(f"{name}[{k}]", item, OFTEN[name]) for k, item in items]
        else:
            raise toml_file.unknown(name, "a table", [*ONCE, *OFTEN])
    options = read.get("simulation", ONCE["simulation"]())
    output = read.get("output", OutputTable())
    for key in ("file", "picture", "film", "checkpoint"):
        if (named := getattr(output, key)) is not None:
            setattr(output, key, str(Path(folder) / named))
    return Scene(Builder(read, Path(folder)).build(options), options.duration, output)


def schema() -> str:
    """All tables and keys of scenes of rods and shells, and of scenes of a growing robot."""
    return f"{scene_tables.schema()}\n{vine_scene.schema()}"
