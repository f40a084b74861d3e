"""The implicit core: dynamics and equilibria of networks of rods and shells, without MuJoCo.

from strand import straight
from strand.simulation import Network, Simulation

network = Network()
rod = network.rod(straight(length=1.0, segments=40), young=1e7, radius=0.02, density=500)
network.clamp(rod, "start")
simulation = Simulation(network)  # by default gravity is (0, 0, -9.81) m/s^2
simulation.solve()
print(simulation.positions[rod.nodes[-1]])
"""

from strand.simulation.body import Body
from strand.simulation.cable_network import CableNetwork, cable_network
from strand.simulation.compat import MatDismech
from strand.simulation.feed import Feed
from strand.simulation.network import Network
from strand.simulation.recording import Recording
from strand.simulation.rod import Rod
from strand.simulation.shell import Shell
from strand.simulation.simulation import Simulation, SolverError
from strand.simulation.tendon import Ring, Tendon

__all__ = [
    "Body",
    "CableNetwork",
    "Feed",
    "MatDismech",
    "Network",
    "Recording",
    "Ring",
    "Rod",
    "Shell",
    "Simulation",
    "SolverError",
    "Tendon",
    "cable_network",
]
