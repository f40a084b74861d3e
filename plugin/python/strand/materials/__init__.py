"""Real cables, strands of wires, fatigue, limits of bend and tension.

    from strand import materials

    print(materials.names(), materials.get("usb_c").sources["EI"])
    monitor = materials.FatigueMonitor(model, data, sn=[(0.01, 1e3), (0.001, 1e6)], radius=0.002)
    guard = materials.watch(model, data, materials.Limits(min_bend_radius=0.012, max_tension=80))
    for _ in range(10_000):
        mujoco.mj_step(model, data)
        monitor.update()
        guard.check()
    print(monitor.life())

Stiffness and natural shape change by strand.set_material, damping by strand.set_damping.
"""

from strand.cable.library import Part, RealCable, get, names
from strand.materials.bending import Bending, bending
from strand.materials.fatigue import FatigueCount, FatigueMonitor, Life, SNCurve, damage
from strand.materials.limits import Excess, Limits, LimitWarning, Watch, watch
from strand.materials.rainflow import Cycles, rainflow
from strand.materials.strands import Stranded, stranded

__all__ = [
    "Bending",
    "Cycles",
    "Excess",
    "FatigueCount",
    "FatigueMonitor",
    "Life",
    "LimitWarning",
    "Limits",
    "Part",
    "RealCable",
    "SNCurve",
    "Stranded",
    "Watch",
    "bending",
    "damage",
    "get",
    "names",
    "rainflow",
    "stranded",
    "watch",
]
