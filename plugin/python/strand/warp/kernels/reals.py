"""The numbers of the kernels: float64, because the strain of a joint is a small difference of what
MuJoCo Warp has in float32 (a turn of .02 rad between two rotations of about 1e-7), and because
Newton's method for quasistatic twist multiplies errors by up to 1e6 near the loads at which a cable
snaps. Values of MuJoCo Warp are float32; kernels convert them where they read and write them.

Warp converts no number by itself: constants in kernels are written as Real(0.5). Imported only
where Warp is installed.
"""

import warp as wp

Real = wp.float64
Vec2 = wp.vec2d
Vec3 = wp.vec3d
Vec4 = wp.vec4d
Mat33 = wp.mat33d
Quat = wp.quatd
