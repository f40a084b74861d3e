"""Runs a cable in MuJoCo, as a chain with the plugin strand.cable."""

import mujoco
import numpy as np

from strand.cable.cable import Cable
from strand.readout.profile import Profile, profile
from strand.readout.readout import readout
from strand.sweep import readings
from strand.sweep.readings import Readers

_STEPS = 1000  #: in one call of MuJoCo


class PluginRun:
    """A cable in MuJoCo. seconds: duration of the run."""

    def __init__(self, cable: Cable, seconds: float) -> None:
        self._model = mujoco.MjModel.from_xml_string(cable.generate("cable")[0])
        self._data = mujoco.MjData(self._model)
        self._steps = round(seconds / self._model.opt.timestep)
        branches = {branch.name: f"{branch.name}_" for branch in cable.branches}
        #: the plugin's instances by branch; "": the cable itself
        self._instances = {
            name: f"{cable.prefix}{part}rod" for name, part in ({"": ""} | branches).items()
        }

    def run(self) -> None:
        left = self._steps
        while left > 0:
            count = min(left, _STEPS)
            mujoco.mj_step(self._model, self._data, count)
            left -= count
            if self._data.warning.number.any():
                raise RuntimeError(f"MuJoCo diverged before t = {self._data.time:.6g} s")

    def readers(self) -> Readers:
        mujoco.mj_forward(self._model, self._data)
        return readings.qualified(
            {name: self._of_cable(instance) for name, instance in self._instances.items()}, {}
        )

    def _of_cable(self, instance: str) -> Readers:
        read = profile(self._model, self._data, instance)
        return {**readings.of_nodes(read.nodes), **self._of_profile(read, instance)}

    def _of_profile(self, read: Profile, instance: str) -> Readers:
        return {
            "smallest_bend_radius": lambda: read.smallest_bend_radius,
            "largest_tension": lambda: float(read.tension.max()),
            "start_force": lambda: float(np.linalg.norm(read.start_force)),
            "end_force": lambda: float(np.linalg.norm(read.end_force)),
            "elastic_energy": lambda: read.energy,
            "twist": lambda: readout(self._model, self._data, instance).twist,
            "largest_stress": lambda: float(read.von_mises_stress.max()),
        }
