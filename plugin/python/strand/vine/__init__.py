"""Growing ("vine") robots in the plane: chains that telescope or evert, with exact contact.

    from strand import vine

    chain = vine.chain(15, 0.1 / 15, mass=1e-3, inertia=2e-4, stiffness=0.5, damping=3e-5)
    robot = vine.Robot(chain, [vine.circle((0.47, 0.025), 0.06)])
    trajectory = robot.run(399, growth=0.04)

SI units: m, kg, s, rad. The published parameters are in mm: multiply lengths by 1e-3, and inertia,
stiffness and damping by 1e-6.
"""

from strand.vine.robot import (
    Chain,
    Material,
    Obstacle,
    Report,
    Robot,
    Trajectory,
    box,
    chain,
    circle,
    polygon,
    rotated_box,
    uniform_chain,
)

__all__ = [
    "Chain",
    "Material",
    "Obstacle",
    "Report",
    "Robot",
    "Trajectory",
    "box",
    "chain",
    "circle",
    "polygon",
    "rotated_box",
    "uniform_chain",
]
