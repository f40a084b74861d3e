"""Kernels of Warp: twists, couples, energies and generalised forces of all cables in all worlds.

Every kernel runs over (world, leaf of the kinematic tree), (world, link), (world, joint), (world,
segment), (world, dof) or (world, sensor); none adds atomically, so that results are the same in
every run, but for the sums of energies. Imported only where Warp is installed.
"""

from strand.warp.kernels.couples import add_wide, sum_couples
from strand.warp.kernels.energies import add_joint_energies, add_wide_energies
from strand.warp.kernels.frames import Links, Poses
from strand.warp.kernels.newton import Workspace, solve_twists
from strand.warp.kernels.reals import Quat, Real, Vec3
from strand.warp.kernels.rods import Factors, Joints
from strand.warp.kernels.rotations import Skeleton, Tree, turn_tree
from strand.warp.kernels.sensors import Sensors, write_sensors
from strand.warp.kernels.state import clear_velocities, find_nodes, reset_rows
from strand.warp.kernels.torques import (
    add_torques,
    cancel_springs,
    cancel_stiffness,
    damp_stiff_joints,
)
from strand.warp.kernels.twists import Segments, measure_holonomy, measure_twists, spread_twists

__all__ = [
    "Factors",
    "Joints",
    "Links",
    "Poses",
    "Quat",
    "Real",
    "Segments",
    "Sensors",
    "Skeleton",
    "Tree",
    "Vec3",
    "Workspace",
    "add_joint_energies",
    "add_torques",
    "add_wide",
    "add_wide_energies",
    "cancel_springs",
    "cancel_stiffness",
    "clear_velocities",
    "damp_stiff_joints",
    "find_nodes",
    "measure_holonomy",
    "measure_twists",
    "reset_rows",
    "solve_twists",
    "spread_twists",
    "sum_couples",
    "turn_tree",
    "write_sensors",
]
