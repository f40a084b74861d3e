"""Runs a rod in PyElastica and times its steps: a script for the Python that has PyElastica.

Uses only PyElastica and NumPy. Reads a request, one JSON object, from stdin (see `measure`) and
answers with one line of JSON on stdout: the measurements, or `{"error": TEXT}`.
"""

import importlib.metadata
import json
import os
import sys
import time

import elastica
import numpy as np

SAMPLES = 1000  #: samples of the tip in a whole run
WARM_UP = 200  #: steps of a separate rod, in which PyElastica is compiled

# The floor carries the rod by a reaction to the load. Its spring and damper, which act on the
# penetration and its rate, contribute almost nothing.
STIFFNESS, DAMPING = 1e3, 1e-2  #: N/m, N s/m, per element
SLIP_VELOCITY = 1e-3  #: m/s, above which friction is kinetic: the slipping tolerance of DisMech


class Simulator(
    elastica.BaseSystemCollection, elastica.Constraints, elastica.Forcing, elastica.Contact
):
    """The collection of features that a user of PyElastica has to compose."""


class Simulation:
    """A rod without damping, for PyElastica's position Verlet method."""

    def __init__(self, request: dict) -> None:
        self._step = float(request["timestep"])
        self._time = np.float64(0.0)
        self._stepper = elastica.PositionVerlet()
        self._simulator = Simulator()
        self.rod = _make_rod(request)
        self._simulator.append(self.rod)
        if request["clamped"]:
            self._simulator.constrain(self.rod).using(
                elastica.OneEndFixedBC,
                constrained_position_idx=(0,),
                constrained_director_idx=(0,),
            )
        self._load(request)
        self._simulator.finalize()

    def _load(self, request: dict) -> None:
        """Adds loads, then the floor, which reacts to the loads added before it."""
        forcing = self._simulator.add_forcing_to
        if request["gravity"]:
            down = np.array([0.0, 0.0, -request["gravity"]])
            forcing(self.rod).using(elastica.GravityForces, acc_gravity=down)
        if request["push"]:
            along = np.array([1.0, 0.0, 0.0])
            forcing(self.rod).using(elastica.UniformForces, force=request["push"], direction=along)
        if request["friction"] is None:
            return
        floor = elastica.Plane(plane_origin=np.zeros(3), plane_normal=np.array([0.0, 0.0, 1.0]))
        self._simulator.append(floor)
        self._simulator.detect_contact_between(self.rod, floor).using(
            elastica.RodPlaneContactWithAnisotropicFriction,
            k=STIFFNESS,
            nu=DAMPING,
            slip_velocity_tol=SLIP_VELOCITY,
            static_mu_array=np.full(3, request["friction"]),
            kinetic_mu_array=np.full(3, request["friction"]),
        )

    def advance(self, steps: int) -> None:
        for _ in range(steps):
            self._time = self._stepper.step(self._simulator, self._time, self._step)

    @property
    def sound(self) -> bool:
        return bool(np.isfinite(self.rod.position_collection).all())


def _make_rod(request: dict) -> elastica.CosseratRod:
    """A rod whose rest shape is given by its nodes."""
    nodes = np.array(request["nodes"], dtype=float).T
    edges = np.diff(nodes)
    lengths = np.linalg.norm(edges, axis=0)
    directors = transport(edges / lengths)
    rod = elastica.CosseratRod.straight_rod(
        n_elements=len(lengths),
        start=nodes[:, 0].copy(),
        direction=directors[2, :, 0].copy(),
        normal=directors[0, :, 0].copy(),
        base_length=float(lengths.sum()),
        base_radius=request["radius"],
        density=request["density"],
        youngs_modulus=request["young"],
        shear_modulus=request["shear_modulus"],
        position=nodes,
        directors=directors,
    )
    rod.rest_kappa[:] = rod.kappa
    if request["velocities"] is not None:
        rod.velocity_collection[:] = np.array(request["velocities"], dtype=float).T
    return rod


def transport(tangents: np.ndarray) -> np.ndarray:
    """Directors without twist, shape (3, 3, n): rows d1, d2 and the tangents, of shape (3, n)."""
    directors = np.empty((3, *tangents.shape))
    directors[2] = tangents
    first = tangents[:, 0]
    axis = np.eye(3)[np.abs(first).argmin()]
    normal = np.cross(first, axis)
    for k in range(tangents.shape[1]):
        if k:  # the smallest rotation from the previous edge to this one
            before, after = tangents[:, k - 1], tangents[:, k]
            turn = np.cross(before, after)
            normal = (
                normal * (before @ after)
                + np.cross(turn, normal)
                + turn * (turn @ normal) / (1 + before @ after)
            )
            normal -= after * (after @ normal)  # prevents accumulation of rounding errors
        normal = normal / np.linalg.norm(normal)
        directors[0, :, k] = normal
        directors[1, :, k] = np.cross(tangents[:, k], normal)
    return directors


def measure(request: dict) -> dict:
    """Steps the rod for `budget` s of run time, or for all of its `steps`, if that takes less.

    Keys of the request: those of the rod (see cases.Case), steps, budget. Keys of the answer: steps
    (taken), seconds and cpu_seconds (of these), times (s) and tip_z (m) of the samples,
    kinetic_energy (J, at the end), diverged_at (s of motion; null if it did not diverge).
    """
    Simulation(request).advance(WARM_UP)
    simulation = Simulation(request)
    times, tips = [0.0], [_tip(simulation)]
    answer = {"steps": 0, "seconds": 0.0, "cpu_seconds": 0.0, "diverged_at": None}
    block = max(1, request["steps"] // SAMPLES)
    while answer["steps"] < request["steps"] and answer["seconds"] < request["budget"]:
        count = min(block, request["steps"] - answer["steps"])
        start, cpu_start = time.perf_counter(), time.process_time()
        simulation.advance(count)
        answer["seconds"] += time.perf_counter() - start
        answer["cpu_seconds"] += time.process_time() - cpu_start
        answer["steps"] += count
        now = answer["steps"] * request["timestep"]
        if not simulation.sound:
            answer["diverged_at"] = now
            break
        times.append(now)
        tips.append(_tip(simulation))
    energy = float(simulation.rod.compute_translational_energy())
    answer |= {"kinetic_energy": energy if simulation.sound else None}
    return answer | {"times": times, "tip_z": tips}


def _tip(simulation: Simulation) -> float:
    return float(simulation.rod.position_collection[2, -1])


def main() -> None:
    # PyElastica's own output goes to stderr, so that stdout has the answer only.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    try:
        answer = measure(json.load(sys.stdin))
        names = ("pyelastica", "numba", "numpy")
        answer["versions"] = {name: importlib.metadata.version(name) for name in names}
    except Exception as error:  # the other side reports any error
        answer = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
