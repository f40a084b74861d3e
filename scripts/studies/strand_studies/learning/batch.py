"""A manipulation scene in many worlds at once, on MuJoCo Warp, as a step function.

    import strand_studies.learning.batch as batch

    env = batch.Batch("winch", 64)
    state = env.reset(seed=0)
    state = env.step(state, actions)  # (64, nu)
    state = env.restart(state, state.ended)

Task, observations, actions and rewards are those of CableEnv, by the same formulas.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np

import strand
import strand.warp
from strand.errors import StrandError
from strand.io.options import FLAG, count, instance, read
from strand.warp import packages
from strand_studies.learning import arguments
from strand_studies.learning.motors import Motors
from strand_studies.learning.observation import Observation, Observer
from strand_studies.learning.rules import Rules, check_period
from strand_studies.learning.tasks import TASKS, Task
from strand_studies.manipulation.many_worlds import ManyWorlds
from strand_studies.manipulation.names import MANY_WORLDS
from strand_studies.manipulation.run import start
from strand_studies.manipulation.scene import Scene

#: Fields of mujoco_warp.Data that observations and figures are made from.
_FIELDS = ("qpos", "xpos", "xquat", "site_xpos", "cvel", "subtree_com")
_MOTORS = ("actuator_length", "actuator_velocity", "actuator_force")


@dataclasses.dataclass(frozen=True)
class BatchState:
    """What a step has left, in arrays with one row per world.

    The worlds themselves are on the device, where a step changes them: only the latest state can be
    stepped.
    """

    observation: Observation
    reward: np.ndarray
    terminated: np.ndarray  #: the task is done, or the simulation has broken down
    truncated: np.ndarray  #: the time is over
    success: np.ndarray  #: the task is done now
    broken: np.ndarray  #: the simulation has broken down
    progress: np.ndarray  #: 0 to 1
    figures: dict[str, np.ndarray]  #: of the scene
    values: dict[str, np.ndarray]  #: of the scene's ranges
    steps: np.ndarray  #: since the start of the episode
    done_for: np.ndarray  #: steps for which the task has been done without a break

    @property
    def ended(self) -> np.ndarray:
        """True where the episode is over."""
        return self.terminated | self.truncated


class Batch:
    """A scene in `nworld` worlds.

    scene: the name of one in MANY_WORLDS, or such a scene of your own. coarse: with fewer links.
    task, reward, bonus, hold, seconds, ranges: as of CableEnv. period: time (s) for which an action
    is in force, a multiple of the scene's control period (default: one).

    All worlds have the same model. Each episode draws the stiffness of its cable (EI, GJ) anew, as
    CableEnv does with the same seed; the scene's other ranges have their middle values, or those of
    `values`. randomize=False: the stiffness, too.

    iterations: largest number of iterations of the engine's solver. On a processor MuJoCo
    Warp runs some loops for all of them, so that the 100 of the model cost a quarter of a step.

    Raises StrandError if an argument is invalid, or Warp is not installed.
    """

    def __init__(
        self,
        scene: str | Scene,
        nworld: int,
        *,
        coarse: bool = False,
        task: Task | None = None,
        reward: str = "dense",
        bonus: float = 1.0,
        hold: float = 0.5,
        seconds: float | None = None,
        period: float | None = None,
        randomize: bool = True,
        ranges: Mapping[str, tuple[float, float]] | None = None,
        values: Mapping[str, float] | None = None,
        iterations: int = 20,
    ) -> None:
        self.nworld = read("nworld", nworld, count(1))
        read("iterations", iterations, count(1))
        self._randomize = read("randomize", randomize, FLAG)
        self.coarse = read("coarse", coarse, FLAG)
        self.scene = _scene(scene, ranges or {}, self.coarse)
        control_period = self.scene.control_period
        self.period = check_period(period, control_period) * control_period  #: s: of a step
        self.seconds = self.scene.duration if seconds is None else seconds
        self._rules = Rules.of(reward, bonus, hold, self.seconds, self.period)
        self.limit = self._rules.limit  #: steps of an episode
        self.task = task or TASKS.get(self.scene.name, Task())
        self.nominal = self.scene.draw(None) | arguments.fixed(values or {}, self.scene.draw(None))
        self.drawn = [name for name in self.scene.stiffness_ranges if name not in (values or {})]
        self._packages = packages.load()
        self._set_up(iterations)

    def _set_up(self, iterations: int) -> None:
        only = arguments.at_values(self.scene, self.nominal)
        self.model, data = start(only)
        self.model.opt.iterations = iterations
        cable = strand.profile(self.model, data)
        self._link_arclength = cable.link_arclength
        self.motors = Motors(self.model)
        self._observer = Observer(self.model, data, self.task)
        self._nodes = self._observer.sites
        self.observation_space = self._observer.space()  #: of one world
        size = (self.model.nu,)
        self.action_space = gymnasium.spaces.Box(-1.0, 1.0, size, dtype=np.float32)
        self.worlds = strand.warp.put(self.model, self.nworld, data=data)
        self._end_iterations_silently()
        self._substeps = round(self.period / self.model.opt.timestep)
        self._values = {name: np.full(self.nworld, each) for name, each in self.nominal.items()}
        self._generators = [np.random.default_rng() for _ in range(self.nworld)]
        self._latest: BatchState | None = None

    def _end_iterations_silently(self) -> None:
        """As in C; MuJoCo Warp would print a line for every world and step."""
        kinds = getattr(self._packages.mujoco_warp, "OverflowType", None)
        if kinds is not None:
            self.worlds.m.opt.warn_overflow &= ~kinds.ITERATIONS

    def reset(self, seed: int | Sequence[int | None] | None = None) -> BatchState:
        """Starts an episode in every world.

        seed: world k gets the seed + k, or the k-th of a list; None keeps the generators. With the
        same seed, and the same actions thereafter, all episodes are the same; on the CPU bitwise.
        """
        self.seed(seed)
        everywhere = np.ones(self.nworld, dtype=bool)
        return self._started(everywhere, None)

    def seed(self, seed: int | Sequence[int | None] | None, mask: np.ndarray | None = None) -> None:
        """Gives the worlds' generators seeds, as `reset` does. mask: only where it is true."""
        if seed is None:
            return
        flags = np.full(self.nworld, True) if mask is None else self._flags(mask)
        for k, each in enumerate(_seeds(seed, self.nworld)):
            if each is not None and flags[k]:
                self._generators[k] = np.random.default_rng(each)

    def restart(self, state: BatchState, mask: np.ndarray) -> BatchState:
        """Starts an episode where the mask, one flag per world, is true; other worlds stay as they
        are. Rewards and ends are those of the given state's other worlds, 0 and false elsewhere."""
        self._check(state)
        return self._started(self._flags(mask), state)

    def step(self, state: BatchState, action: np.ndarray) -> BatchState:
        """All worlds, for one period. Worlds that have ended must have been restarted.

        action: (nworld, nu), clipped to [-1, 1].

        Where a simulation breaks down (numbers beyond the bounds of the observations), `broken` is
        true, observation and figures are those before, and a dense reward takes back all progress.
        Raises StrandError for actions that are not finite, and for states that cannot be stepped.
        """
        self._check(state)
        if state.ended.any():
            world = int(np.flatnonzero(state.ended)[0])
            raise StrandError(f"state: got one whose world {world} has ended, allowed: restarted")
        controls = self.motors.controls(action, self.nworld)
        self.worlds.d.ctrl.assign(controls.astype(np.float32))
        self.worlds.step(self._substeps)
        self._latest = self._judged(state)
        return self._latest

    def _judged(self, before: BatchState) -> BatchState:
        seen, figures = self._read()
        broken = ~self._within(seen)
        seen = {name: _where(broken, before.observation[name], seen[name]) for name in seen}
        figures = {name: _where(broken, before.figures[name], figures[name]) for name in figures}
        success = self.scene.done(figures) & ~broken
        done_for = np.where(success, before.done_for + 1, 0)
        progress, steps = self._progress(figures), before.steps + 1
        reward, finished, cut = self._rules.judge(progress - before.progress, done_for, steps)
        return dataclasses.replace(
            before,
            observation=seen,
            reward=np.where(broken, self._rules.lost(before.progress), reward),
            terminated=finished | broken,
            truncated=cut & ~broken,
            success=success,
            broken=broken,
            progress=progress,
            figures=figures,
            steps=steps,
            done_for=done_for,
        )

    def _started(self, mask: np.ndarray, others: BatchState | None) -> BatchState:
        """The state after episodes have started where the mask is true."""
        self._draw(mask)
        self._reset(mask)
        seen, figures = self._read()
        if others is not None:
            seen = {name: _where(mask, seen[name], others.observation[name]) for name in seen}
            figures = {name: _where(mask, figures[name], others.figures[name]) for name in figures}
        no, zero = np.zeros(self.nworld, dtype=bool), np.zeros(self.nworld, dtype=int)

        def kept(name: str, fresh: np.ndarray) -> np.ndarray:
            return fresh if others is None else np.where(mask, fresh, getattr(others, name))

        self._latest = BatchState(
            observation=seen,
            reward=kept("reward", np.zeros(self.nworld)),
            terminated=kept("terminated", no),
            truncated=kept("truncated", no),
            success=kept("success", self.scene.done(figures)),
            broken=kept("broken", no),
            progress=kept("progress", self._progress(figures)),
            figures=figures,
            values={name: each.copy() for name, each in self._values.items()},
            steps=kept("steps", zero),
            done_for=kept("done_for", zero),
        )
        return self._latest

    def _reset(self, mask: np.ndarray) -> None:
        self.worlds.reset(mask)
        for name in _MOTORS:  # MuJoCo Warp leaves those of the last step
            array = getattr(self.worlds.d, name)
            values = np.array(array.numpy())
            values[mask] = 0.0
            array.assign(values)

    def _draw(self, mask: np.ndarray) -> None:
        """Draws the stiffness of the cable where the mask is true."""
        if not self._randomize:
            return
        for k in np.flatnonzero(mask):
            # All ranges, in their order, so that a seed gives the values that it gives in CableEnv.
            drawn = self.scene.draw(self._generators[k])
            for name in self.drawn:
                self._values[name][k] = drawn[name]
        nominal = self.scene.stiffness(self.nominal)
        factors = np.divide(self.scene.stiffness(self._values), np.reshape(nominal, (2, 1)))
        self.worlds.cables.scale(EI=factors[0], GJ=factors[1])

    def _read(self) -> tuple[Observation, dict[str, np.ndarray]]:
        """Observation and figures of the present state of all worlds, copied from the device."""
        m, d, engine = self.worlds.m, self.worlds.d, self._packages.mujoco_warp
        # A step ends with new positions, but places and velocities of the time step before.
        engine.kinematics(m, d)
        engine.com_pos(m, d)
        engine.com_vel(m, d)
        read = SimpleNamespace(
            **{name: getattr(d, name).numpy().astype(float) for name in (*_FIELDS, *_MOTORS)}
        )
        cable = SimpleNamespace(
            nodes=read.site_xpos[:, self._nodes], link_arclength=self._link_arclength
        )
        with np.errstate(all="ignore"):  # worlds that have broken down
            seen = self._observer.read_state(read)
            return seen, dict(self.scene.figures(self.model, read, cable))

    def _within(self, seen: Observation) -> np.ndarray:
        """True where the observation is finite and within its bounds."""
        good = np.ones(self.nworld, dtype=bool)
        for name, part in seen.items():
            box = self.observation_space[name]
            fits = (part >= box.low) & (part <= box.high)  # false where not a number
            good &= fits.reshape(self.nworld, -1).all(axis=1)
        return good

    def _progress(self, figures: Mapping[str, np.ndarray]) -> np.ndarray:
        if self.task.progress is None:
            return np.zeros(self.nworld)
        return np.asarray(self.task.progress(figures), dtype=float)

    def _flags(self, mask: Any) -> np.ndarray:
        flags = np.asarray(mask)
        if flags.shape != (self.nworld,) or flags.dtype != bool:
            raise StrandError(
                f"mask: got {flags.dtype} of shape {flags.shape}, allowed: one bool for each of "
                f"the {self.nworld} worlds"
            )
        return flags

    def _check(self, state: BatchState) -> None:
        if state is not self._latest:
            raise StrandError(
                "state: got one that is not the latest of this batch, allowed: the latest; the "
                "worlds on the device have gone on since"
            )


def _scene(
    scene: str | Scene, ranges: Mapping[str, tuple[float, float]], coarse: bool
) -> ManyWorlds:
    if isinstance(scene, str) and scene not in MANY_WORLDS:
        raise StrandError(f"scene: got {scene!r}, allowed on Warp: {', '.join(MANY_WORLDS)}")
    made = arguments.scene_of(scene, None, ranges)
    read("scene", made, instance(ManyWorlds, "a scene of the class ManyWorlds"))
    return made.coarse() if coarse else made


def _seeds(seed: Any, nworld: int) -> list[int | None]:
    allowed = f"an integer >= 0, or one for each of the {nworld} worlds"
    try:
        if isinstance(seed, bool):
            raise TypeError
        if isinstance(seed, (int, np.integer)):
            found: list[int | None] = [int(seed) + k for k in range(nworld)]
        else:
            found = [None if each is None else int(each) for each in seed]
        if len(found) != nworld or min([each for each in found if each is not None], default=0) < 0:
            raise ValueError
    except (TypeError, ValueError):
        raise StrandError(f"seed: got {seed!r}, allowed: {allowed}") from None
    return found


def _where(mask: np.ndarray, chosen: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Rows of one array where the mask is true, of the other elsewhere."""
    return np.where(mask.reshape(-1, *[1] * (chosen.ndim - 1)), chosen, other)
