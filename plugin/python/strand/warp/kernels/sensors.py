"""The sensors of cables: the ten numbers of CableReadout (plugin/mujoco/adapter/cable.h).

Imported only where Warp is installed.
"""

import warp as wp

from strand.warp.kernels.reals import Real, Vec3

wp.set_module_options({"enable_backward": False})


@wp.struct
class Sensors:
    """Of each sensor: its place in sensordata, its cable, and the cable's first and last joint; and
    whether the last joint joins the end to the start."""

    at: wp.array[int]
    cable: wp.array[int]
    first: wp.array[int]
    last: wp.array[int]
    closed: wp.array[int]


@wp.kernel
def write_sensors(
    sensors: Sensors,
    bend: wp.array2d[Real],
    twist: wp.array2d[Real],
    twists: wp.array2d[Real],
    couples: wp.array2d[Vec3],
    # out, world x number
    values: wp.array2d[wp.float32],
) -> None:
    """Energy, that of bending and of twisting (J), twist (rad), and the couples on the first and
    the last link (N m, world axes). Joint i exerts couple i on its second link."""
    world, s = wp.tid()
    at = sensors.at[s]
    cable = sensors.cable[s]
    first = sensors.first[s]
    last = sensors.last[s]
    values[world, at] = wp.float32(bend[world, cable] + twist[world, cable])
    values[world, at + 1] = wp.float32(bend[world, cable])
    values[world, at + 2] = wp.float32(twist[world, cable])
    sum = Real(0.0)
    for i in range(first, last + 1):
        sum += twists[world, i]
    values[world, at + 3] = wp.float32(sum)
    start = -couples[world, first]
    end = couples[world, last]
    if sensors.closed[s] != 0:
        start += couples[world, last]
        end = couples[world, last - 1] - couples[world, last]
    for j in range(3):
        values[world, at + 4 + j] = wp.float32(start[j])
        values[world, at + 7 + j] = wp.float32(end[j])
