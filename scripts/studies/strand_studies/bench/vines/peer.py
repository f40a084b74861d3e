"""Runs a growing robot with OSQP and times its solutions: a script for the Python that has OSQP.

Uses only OSQP, NumPy and SciPy. Reads a request, one JSON object, from stdin (see `measure`) and
answers with one line of JSON on stdout: the measurements, or `{"error": TEXT}`. The quadratic
program of a step is the published one (Jitosho et al., ICRA 2021), with contact with a circle, in
mm.
"""

import importlib.metadata
import json
import os
import sys
import time

import numpy as np
import osqp
from scipy import sparse

MAX_ITERATIONS = 200_000


class Program:
    """The quadratic program of a step; the sparsity pattern of A is constant."""

    def __init__(self, request: dict) -> None:
        self.pairs, self.d = request["pairs"], request["half_length"]
        self.dt, self.rates = request["dt"], np.asarray(request["rates"])
        self.stiffness, self.damping = request["stiffness"], request["damping"]
        self.mass = np.tile([request["mass"], request["mass"], request["inertia"]], 2 * self.pairs)
        self.circle, self.radius = np.asarray(request["circle"]), request["radius"]
        rows, columns = self._places()
        shape = (6 * self.pairs, 6 * self.pairs)
        order = sparse.csc_matrix((np.arange(1, len(rows) + 1), (rows, columns)), shape)
        self._order, self._pattern = order.data - 1, order
        self.cost = sparse.diags(self.mass, format="csc")

    def _places(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows and columns of A's entries. Each pair has four rows of joints, one of growth, one of
        contact."""
        rows, columns = [], []
        for pair in range(self.pairs):
            a, b, p = 6 * pair, 6 * pair + 3, 6 * pair - 3
            touched = [
                *([[p, p + 2, a, a + 2], [p + 1, p + 2, a + 1, a + 2]] if pair else []),
                *([] if pair else [[a, a + 2], [a + 1, a + 2]]),
                [a, a + 1, a + 2, b, b + 1],
                [a, a + 1, b, b + 1, b + 2],
                [a, a + 1, b, b + 1],
                [b, b + 1, b + 2],
            ]
            for row, places in enumerate(touched):
                rows += [6 * pair + row] * len(places)
                columns += places
        return np.array(rows), np.array(columns)

    def at(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, ...]:
        """Linear cost, entries of A, lower and upper bounds in a state."""
        d, dt = self.d, self.dt
        x, y, heading = q.reshape(-1, 3).T
        cos, sin = np.cos(heading), np.sin(heading)
        numbers, bounds = [], []
        rate = v.reshape(-1, 3)
        for pair in range(self.pairs):
            a, b, p = 2 * pair, 2 * pair + 1, 2 * pair - 1
            along = np.array([x[b] - x[a], y[b] - y[a]])
            error = [x[a] - d * cos[a], y[a] - d * sin[a]]
            if pair:
                error = [error[0] - x[p] - d * cos[p], error[1] - y[p] - d * sin[p]]
                numbers += [-1, d * sin[p], 1, d * sin[a], -1, -d * cos[p], 1, -d * cos[a]]
            else:
                numbers += [1, d * sin[a], 1, -d * cos[a]]
            turn = [-(cos[e] * along[0] + sin[e] * along[1]) for e in (a, b)]
            numbers += [sin[a], -cos[a], turn[0], -sin[a], cos[a]]
            numbers += [sin[b], -cos[b], -sin[b], cos[b], turn[1]]
            error += [-sin[e] * along[0] + cos[e] * along[1] for e in (a, b)]
            extension = np.hypot(*along)
            speed = rate[b, :2] - rate[a, :2]
            slope = along / extension
            slope = slope + dt * (speed - slope * (slope @ speed)) / extension
            numbers += [*-slope, *slope]
            end = np.array([x[b] + d * cos[b], y[b] + d * sin[b]]) - self.circle
            distance = np.hypot(*end)
            normal = end / distance
            numbers += [*normal, d * (-normal[0] * sin[b] + normal[1] * cos[b])]
            bounds += [*(-np.array(error) / dt), self.rates[pair], (self.radius - distance) / dt]
        lower = np.array(bounds)
        upper = lower.copy()
        upper[5::6] = np.inf
        return self._cost(heading, rate[:, 2], v), np.array(numbers)[self._order], lower, upper

    def _cost(self, heading: np.ndarray, turning: np.ndarray, v: np.ndarray) -> np.ndarray:
        before = np.concatenate([[0.0], heading[1:-1:2]])
        before_rate = np.concatenate([[0.0], turning[1:-1:2]])
        torque = -self.stiffness * (heading[::2] - before)
        torque -= self.damping * (turning[::2] - before_rate)
        force = np.zeros_like(v)
        force[2::6] += torque
        force[5:-6:6] -= torque[1:]
        return -(self.mass * v + self.dt * force)

    def matrix(self, numbers: np.ndarray) -> sparse.csc_matrix:
        pattern = self._pattern
        return sparse.csc_matrix((numbers, pattern.indices, pattern.indptr), pattern.shape)


def measure(request: dict) -> dict:
    """Simulates a robot.

    Keys of the request: the robot's (in mm), steps, q (start), eps (both tolerances), warm. Keys of
    the answer: seconds (CPU) in calls of OSQP, own_seconds by its own clock, positions of all
    bodies after every step (mm).
    """
    program = Program(request)
    q = np.array(request["q"], float)
    v = np.zeros_like(q)
    settings = {"eps_abs": request["eps"], "eps_rel": request["eps"], "verbose": False}
    settings |= {"max_iter": MAX_ITERATIONS, "polishing": False}
    solver, seconds, own_seconds, positions = None, 0.0, 0.0, []
    for _ in range(request["steps"]):
        cost, numbers, lower, upper = program.at(q, v)
        matrix = program.matrix(numbers)
        begin = time.process_time()
        if solver is None or not request["warm"]:
            solver = osqp.OSQP()
            solver.setup(program.cost, cost, matrix, lower, upper, **settings)
        else:
            solver.update(q=cost, l=lower, u=upper, Ax=numbers)
        found = solver.solve()
        seconds += time.process_time() - begin
        own_seconds += found.info.run_time
        v = np.asarray(found.x)
        q = q + request["dt"] * v
        positions.append(q.reshape(-1, 3)[:, :2].tolist())
    return {"seconds": seconds, "own_seconds": own_seconds, "positions": positions}


def main() -> None:
    # OSQP's own output goes to stderr, so that stdout has the answer only.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    try:
        answer = measure(json.load(sys.stdin))
        names = ("osqp", "numpy")
        answer["versions"] = {name: importlib.metadata.version(name) for name in names}
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
