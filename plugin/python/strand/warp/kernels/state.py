"""Nodes of cables, and the reset of worlds.

Imported only where Warp is installed.
"""

import warp as wp

from strand.warp.kernels.reals import Real

wp.set_module_options({"enable_backward": False})


@wp.kernel
def find_nodes(
    body: wp.array[int],
    reach: wp.array[wp.float32],
    position: wp.array2d[wp.vec3],
    rotation: wp.array2d[wp.mat33],
    # out, world x node (m)
    nodes: wp.array2d[wp.vec3],
) -> None:
    """The point at `reach` (m) along the x axis of each node's body."""
    world, k = wp.tid()
    frame = rotation[world, body[k]]
    along = wp.vec3(frame[0, 0], frame[1, 0], frame[2, 0])
    nodes[world, k] = position[world, body[k]] + reach[k] * along


@wp.kernel
def reset_rows(
    mask: wp.array[wp.bool],
    rest: wp.array[Real],
    # out, world x joint (rad)
    twists: wp.array2d[Real],
) -> None:
    """The twists of the model's reference shape, in the worlds of the mask."""
    world, i = wp.tid()
    if mask[world]:
        twists[world, i] = rest[i]


@wp.kernel
def clear_velocities(
    mask: wp.array[wp.bool],
    # out, world x body
    velocities: wp.array2d[wp.spatial_vector],
) -> None:
    """Zero in the worlds of the mask."""
    world, body = wp.tid()
    if mask[world]:
        velocities[world, body] = wp.spatial_vector()
