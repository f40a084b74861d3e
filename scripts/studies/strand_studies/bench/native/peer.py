"""One side of the comparison: simulates a rope in the MuJoCo of the Python that runs this file.

Uses only numpy and mujoco, not Strand, since the environments it runs in have nothing else. Reads
one request per line from stdin, `{"task": NAME, ...}`, and answers each with one line on stdout:
the result of the task, or `{"error": TEXT}`. Arguments: plugin libraries to load.
"""

import json
import os
import sys
import time

import mujoco
import numpy as np

AT_REST = 1e-5  #: rad/s or m/s
TORN = 0.5  #: relative change of a link's length above which the simulation counts as diverged
CHECKED = 0.001  #: s between checks of the links' lengths

_STATE = mujoco.mjtState.mjSTATE_INTEGRATION.value


class Simulation:
    """A rope: the named links, in order along the rope, or the vertices of the model's flex."""

    def __init__(self, mjcf: str, links: list[str]) -> None:
        self.model = mujoco.MjModel.from_xml_string(mjcf)
        self.data = mujoco.MjData(self.model)
        mujoco.mj_forward(self.model, self.data)
        self._links = [self.model.body(name).id for name in links]
        self._rest = self._lengths()
        self._stretch = 0.0  # the largest so far
        self._state = None

    def nodes(self) -> np.ndarray:
        """Nodes along the rope, shape (n + 1, 3), m."""
        if not self._links:
            return self.data.flexvert_xpos.copy()
        last = self._links[-1]
        length = 2 * self.model.geom_size[self.model.body_geomadr[last], 1]
        axis = self.data.xmat[last].reshape(3, 3)[:, 0]
        return np.vstack([self.data.xpos[self._links], self.data.xpos[last] + length * axis])

    def _lengths(self) -> np.ndarray:
        return np.linalg.norm(np.diff(self.nodes(), axis=0), axis=1)

    def _move(self, duration: float) -> bool:
        """Steps for `duration` s. False if MuJoCo warned or a link's length changed by half."""
        left = round(duration / self.model.opt.timestep)
        block = max(1, round(CHECKED / self.model.opt.timestep))
        while left > 0:
            count = min(block, left)
            mujoco.mj_step(self.model, self.data, count)
            left -= count
            # MuJoCo resets the state after a warning, so that later states look sound.
            if self.data.warning.number.any() or not np.isfinite(self.data.qpos).all():
                return False
            stretch = float(np.abs(self._lengths() / self._rest - 1).max())
            self._stretch = max(self._stretch, stretch)
            if not self._stretch < TORN:
                return False
        return True

    def settle(self, time_limit: float) -> dict:
        """Steps until the rope is at rest, `time_limit` s at most. Returns its nodes."""
        while self.data.time < time_limit:
            if not self._move(10 * self.model.opt.timestep):
                raise RuntimeError(f"the rope diverged at {self.data.time:.3f} s")
            if np.abs(self.data.qvel).max() < AT_REST:
                mujoco.mj_forward(self.model, self.data)
                return {"nodes": self.nodes().tolist()}
        raise RuntimeError(f"the rope is not at rest after {time_limit:g} s")

    def fall(self, duration: float, every: float) -> dict:
        """Steps for `duration` s. Returns the tip every `every` s, and the largest stretch."""
        tips = []
        for _ in range(round(duration / every)):
            if not self._move(every):
                return {"sound": False}
            tips.append(self.nodes()[-1].tolist())
        return {"sound": True, "tips": tips, "stretch": self._stretch}

    def kick(self, body: str, force: list[float], duration: float, coast: float) -> dict:
        """Pulls a body (N) for `duration` s, then waits `coast` s. `clock` starts from there."""
        pull = self.data.xfrc_applied[self.model.body(body).id]
        pull[:3] = force
        sound = self._move(duration)
        pull[:3] = 0
        if not (sound and self._move(coast)):
            raise RuntimeError("the rope diverged when kicked")
        self._state = np.empty(mujoco.mj_stateSize(self.model, _STATE))
        mujoco.mj_getState(self.model, self.data, self._state, _STATE)
        return {"contacts": int(self.data.ncon)}

    def clock(self, steps: int) -> dict:
        """Seconds of `steps` steps from the state after the kick."""
        mujoco.mj_setState(self.model, self.data, self._state, _STATE)
        mujoco.mj_step(self.model, self.data)
        start = time.perf_counter()
        mujoco.mj_step(self.model, self.data, steps)
        return {"seconds": time.perf_counter() - start}


class Peer:
    """Answers requests; one simulation at a time."""

    def __init__(self) -> None:
        self._simulation: Simulation | None = None

    def answer(self, request: dict) -> dict:
        task = request.pop("task")
        if task == "version":
            return {"version": mujoco.mj_versionString()}
        if task == "load":
            self._simulation = Simulation(**request)
            return {}
        if task not in ("settle", "fall", "kick", "clock"):
            raise ValueError(f"task: got {task!r}")
        return getattr(self._simulation, task)(**request)


def main() -> None:
    # MuJoCo prints warnings to stdout: redirect them to stderr, so that stdout has answers only.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for library in sys.argv[1:]:
        mujoco.mj_loadPluginLibrary(library)
    peer = Peer()
    for line in sys.stdin:
        try:
            answer = peer.answer(json.loads(line))
        except Exception as error:  # the other side reports any error
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
