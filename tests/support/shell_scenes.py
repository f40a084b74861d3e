"""Pieces of scenes with a shell, as TOML."""

from pathlib import Path

from strand.scene import file as scene_file
from strand.simulation import Simulation

MATERIAL = "young = 1e9\nthickness = 1e-3\ndensity = 1000.0\n"
MESH = 'mesh = { type = "strip", length = 0.1, width = 0.02, size = 0.005 }\n'
SHELL = f'[[shell]]\nname = "sheet"\n{MATERIAL}{MESH}'
MID_EDGE = SHELL + 'poisson = 0.0\nbending = "mid_edge"\n'
ROD = """\
[[rod]]
name = "a"
young = 1e6
radius = 1e-3
density = 1000.0
shape = { type = "straight", length = 0.1, segments = 5 }
"""
WEIGHTLESS = "[simulation]\ngravity = [0, 0, 0]\n"
HEAD = "[simulation]\ndt = 0.005\ngravity = [0, 0, -9.81]\nduration = 0.05\n"
HELD = '[[fix]]\nshell = "sheet"\nx = [0, 0]\n'
CLAMPED = '[[clamp]]\nshell = "sheet"\nx = [0, 0]\n' + HELD
ATTACHED = (
    ROD + "pos = [0.1, 0, 0]\n" + SHELL + '[[attach]]\nrod = "a"\nnode = 0\nshell = "sheet"\n'
)
MANTA = SHELL.replace(MESH, 'mesh = { type = "manta", divisions = 4 }\n')
SPINE = '[[natural_angle]]\nshell = "sheet"\nx = [0, 0]\norder = "y"\n'


def make(text: str, folder: Path = Path()) -> Simulation:
    """The simulation that a scene's text describes; its files are in `folder`."""
    return scene_file.from_toml(text, folder).simulation
