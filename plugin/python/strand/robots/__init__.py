"""Robot arms in MuJoCo: joint angles for a pose of a site, and motions along a path.

    from strand import robots

    found = robots.reach(model, "grip", pos=(0.55, -0.1, 0.15), quat=(1, 0, 0, 0))
    data.qpos[:] = found.qpos
    motion = robots.follow(model, "grip", [(0.5, 0, 0.3), (0.5, 0.1, 0.4)], start=found.qpos)
    data.ctrl[:6] = motion.at(data.time)

Any MJCF arm works: the joints are the hinges and slides between the world and the site. They keep
their ranges, and in a motion their speeds. The solver is `mink`, which must be installed without
its requirement on the package `mujoco` where MuJoCo is `mujoco-core`:

    pip install "qpsolvers[daqp]" && pip install --no-deps mink
"""

from pathlib import Path

from strand.robots.inverse import Reached, reach
from strand.robots.motion import Motion, follow

#: MJCF of the arm Denso VS-060, whose site "grip" holds a wire.
VS060 = Path(__file__).with_name("vs060.xml")

__all__ = ["VS060", "Motion", "Reached", "follow", "reach"]
