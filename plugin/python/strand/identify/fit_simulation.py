"""What is compared with recorded data: a cable at rest, or in time, in the core or in MuJoCo."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from strand.cable.cable import Cable
from strand.errors import StrandError
from strand.identify.fit_spec import AXES, FitSpec, changed
from strand.identify.held_cable import polyline_length
from strand.simulation import SolverError, cable_network

if TYPE_CHECKING:
    import mujoco

_CORE_DT = 0.05  #: s: damped steps to rest
_CORE_SERIES = 400  #: fewest steps of a series
_SLOW = 1e-6  #: of the length per second: a cable is at rest
_LOOK = 50  #: steps of MuJoCo between looks at the speed
_DAMPINGS, _DAMPED = ("damping", "damping_ratio", "loss_time"), {"damping_ratio": 1.0}
_SLEEPY = 1e-4  #: of the length: what is left of the way to rest in MuJoCo


def simulated(spec: FitSpec, cable: Cable) -> np.ndarray:
    """The simulated counterpart of the data (rows, columns - 1).

    Raises SolverError if the simulation fails.
    """
    if spec.data.quantity == "nodes":
        rest = _core_rest if spec.search.home == "core" else _plugin_rest
        indices = spec.table.values[:, 0].astype(int)
        positions = rest(spec, cable)[indices]
    else:
        series = _core_series if spec.search.home == "core" else _plugin_series
        positions = series(spec, cable, spec.table.values[:, 0])
    chosen = positions[:, [AXES.index(name) for name in spec.table.columns[1:]]]
    return relative(spec, chosen)


def relative(spec: FitSpec, values: np.ndarray) -> np.ndarray:
    """Positions relative to those of the first row, if the data are."""
    return values - values[0] if spec.data.relative else values


def _core_rest(spec: FitSpec, cable: Cable) -> np.ndarray:
    network = cable_network(changed(cable, dict.fromkeys(_DAMPINGS)))
    simulation = network.simulation(dt=_CORE_DT, method="backward_euler")
    simulation.run(spec.search.rest_time)
    simulation.solve()
    return simulation.positions[network.nodes[""]]


def _core_series(spec: FitSpec, cable: Cable, times: np.ndarray) -> np.ndarray:
    network = cable_network(cable)
    dt = spec.search.dt or (times[-1] - times[0]) / _CORE_SERIES
    simulation = network.simulation(dt=dt)
    node = network.nodes[""][spec.data.node]
    moments, places = [0.0], [simulation.positions[node]]
    while moments[-1] < times[-1] - 1e-9:
        simulation.step()
        moments.append(simulation.time)
        places.append(simulation.positions[node])
    return _at(times, np.array(moments), np.array(places))


def _plugin_rest(spec: FitSpec, cable: Cable) -> np.ndarray:
    import mujoco

    # The damping does not change the equilibrium.
    model, data = _model(changed(cable, dict.fromkeys(_DAMPINGS) | _DAMPED), None)
    length = polyline_length(cable.nodes)
    nodes_now = _nodes_reader(model, data)
    before = nodes_now()
    while data.time < spec.search.rest_time:
        mujoco.mj_step(model, data, nstep=_LOOK)
        nodes = nodes_now()
        if np.abs(nodes - before).max() < _SLOW * length * _LOOK * model.opt.timestep:
            return nodes
        before = nodes
    if np.abs(nodes - before).max() > _SLEEPY * length:
        raise SolverError("the cable does not come to rest within rest_time")
    return nodes


def _plugin_series(spec: FitSpec, cable: Cable, times: np.ndarray) -> np.ndarray:
    import mujoco

    model, data = _model(cable, spec.search.dt)
    mujoco.mj_forward(model, data)
    nodes_now = _nodes_reader(model, data)
    moments, places = [0.0], [nodes_now()[spec.data.node]]
    while moments[-1] < times[-1] - 1e-9:
        mujoco.mj_step(model, data)
        moments.append(data.time)
        places.append(nodes_now()[spec.data.node])
    return _at(times, np.array(moments), np.array(places))


def _model(cable: Cable, dt: float | None) -> "tuple[mujoco.MjModel, mujoco.MjData]":
    import mujoco

    model = mujoco.MjModel.from_xml_string(cable.to_mjcf())
    if dt is not None:
        model.opt.timestep = dt
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def _nodes_reader(model: "mujoco.MjModel", data: "mujoco.MjData") -> Callable[[], np.ndarray]:
    """Reads the cable's nodes (n + 1, 3; m) at the state in `data`, whose kinematics it updates."""
    import mujoco

    from strand import adapter
    from strand.readout.profile import rod_nodes
    from strand.readout.readout import look_up

    rod = look_up(model, data, 0, adapter.load().profile)

    def nodes() -> np.ndarray:
        mujoco.mj_kinematics(model, data)
        return rod_nodes(rod, data)

    return nodes


def _at(times: np.ndarray, moments: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Positions (n, 3) at times; a record starts when the cable is released, at time 0."""
    if times[0] < 0:
        raise StrandError(f"time: got {times[0]:g}, allowed: >= 0 (s since the release)")
    return np.column_stack([np.interp(times, moments, column) for column in places.T])
