"""Triangle meshes of shells: vertices (N, 3) in m and triangles (T, 3), counter-clockwise.

from strand import meshes
from strand.io import text_geometry

vertices, triangles = meshes.strip(length=0.1, width=0.02, size=0.005, family="equilateral")
text_geometry.write("strip.txt", text_geometry.TextGeometry(vertices, triangles=triangles))
hook = meshes.read("hook.stl", scale=1e-3)  # for Network.obstacle_mesh, or a shell
"""

from strand.meshes.canopy import hexagon, parachute
from strand.meshes.file import read
from strand.meshes.rectangle import FAMILIES, strip
from strand.meshes.refine import refined
from strand.meshes.sphere import hemisphere
from strand.meshes.wing import manta

__all__ = [
    "FAMILIES",
    "hemisphere",
    "hexagon",
    "manta",
    "parachute",
    "read",
    "refined",
    "strip",
]
