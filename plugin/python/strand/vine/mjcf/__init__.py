"""Growing ("vine") robots in MuJoCo: MJCF from a description, and a growth controller.

from strand import vine
from strand.vine import mjcf

robot = mjcf.VineRobot.from_chain(
    vine.chain(15, 0.1 / 15, mass=1e-3, inertia=2e-4, stiffness=0.5, damping=3e-5),
    obstacles=[vine.circle((0.47, 0.025), 0.06)],
)
model = mujoco.MjModel.from_xml_string(robot.to_mjcf())
data = mujoco.MjData(model)
controller = mjcf.VineController(model, data)
controller.set_growth(0.04)
controller.step(2000)
"""

from strand.vine.mjcf.attachment import attach, generate
from strand.vine.mjcf.controller import VineController
from strand.vine.mjcf.robot import VineRobot

__all__ = ["VineController", "VineRobot", "attach", "generate"]
