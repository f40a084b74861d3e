"""Cables of Strand in environments of robosuite.

    import robosuite
    import strand, strand.robosuite

    env = robosuite.make("Lift", robots="Panda")
    strand.robosuite.add_cable(env, cable, body="table", pos=(-0.2, 0.1, 0.03))
    env.reset()  # the cable is there from now on
    strand.profile(*strand.robosuite.simulation(env)).nodes

This module does not import robosuite. robosuite 1.5.2 works with MuJoCo 3.3.7, not with newer ones:

    pip install robosuite==1.5.2 mujoco==3.3.7
"""

from strand.robosuite.environment import Placed, Simulation, add_cable, add_cables, simulation
from strand.robosuite.versions import INSTALL, check_versions

check_versions()

__all__ = ["INSTALL", "Placed", "Simulation", "add_cable", "add_cables", "simulation"]
