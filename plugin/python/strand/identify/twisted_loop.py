"""A hanging loop whose end is turned: when it becomes unstable, and when it touches itself.

Without units, as in held_cable.py.
"""

import dataclasses
import functools

import numpy as np

from strand.errors import StrandError
from strand.identify.held_cable import Discretisation, Ends, HeldCable
from strand.identify.self_contact import SelfContact
from strand.simulation import SolverError

_STEP, _LEAST_STEP = np.radians(20), np.radians(0.05)  #: of the turn, along the path of equilibria
_MOST = 200 * np.pi  #: rad: a loop that is still stable then does not become unstable
_BALANCE = 0.05  #: largest part of the work of turning that may be missing in the energy
_SOFTENING = 10**0.5  #: ratio of stiffnesses from one equilibrium to the next
_SLOW, _LOOK = 1e-3, 20  #: speed, and steps of time between looks for an equilibrium near a motion
_NEAR = 0.01  #: largest distance of such an equilibrium


@dataclasses.dataclass(frozen=True)
class Loop:
    """A loop between two clamps at the same height, in a plane.

    EI: over m g L^3. gap: from the end clamp to the start clamp along x, over L. start_angle,
    end_angle: directions of the cable, from start to end, counter-clockwise from x (rad).
    """

    EI: float
    gap: float
    start_angle: float
    end_angle: float
    discretisation: Discretisation

    @property
    def ends(self) -> Ends:
        def direction(angle: float) -> np.ndarray:
            return np.array([np.cos(angle), 0, np.sin(angle)])

        end = np.array([-self.gap, 0, 0])
        return Ends(np.zeros(3), direction(self.start_angle), end, direction(self.end_angle))

    @functools.cached_property
    def untwisted(self) -> np.ndarray:
        """The free span (n, 3) of the untwisted loop at rest, which turns clockwise."""
        turn = (self.start_angle - self.end_angle) % (2 * np.pi) or 2 * np.pi
        angles = self.start_angle - turn * np.linspace(0, 1, self.discretisation.links)
        links = np.column_stack([np.cos(angles), 0 * angles, np.sin(angles)]) / len(angles)
        guess = np.concatenate([np.zeros((1, 3)), np.cumsum(links, axis=0)])
        guess += np.linspace(0, 1, len(guess))[:, None] * (self.ends.end - guess[-1])
        EI = max(1.0, self.EI)
        cable = HeldCable(guess, self.ends, EI=EI, discretisation=self.discretisation)
        cable.set_stiffness(EI)
        cable.settle()
        while EI > self.EI:
            EI = max(EI / _SOFTENING, self.EI)
            cable.set_stiffness(EI)
            cable.settle()
        return cable.span[1]

    def cable(
        self, GJ_over_EI: float, twist: float = 0.0, damping: float = 0.0, dt: float = 0.1
    ) -> HeldCable:
        """The loop in space, with its end turned by `twist` (rad) but the shape unchanged."""
        return HeldCable(
            self.untwisted,
            self.ends,
            EI=self.EI,
            GJ_over_EI=GJ_over_EI,
            discretisation=self.discretisation,
            planar=False,
            damping=damping,
            dt=dt,
            twist=twist,
        )

    def self_contact(self, diameter: float) -> SelfContact:
        count = len(self.discretisation.arclengths(True)) - 1
        return SelfContact(count, 1 / self.discretisation.links, diameter)

    def critical_turn(self, GJ_over_EI: float, diameter: float) -> tuple[float, str]:
        """The turn (rad) at which the path of stable equilibria from the untwisted loop ends.

        Also returns why: "unstable", or "contact" where the loop touches itself before.
        Raises StrandError if it does not end within 100 turns.
        """
        path = _Path(self, GJ_over_EI, diameter)
        step = _STEP
        while path.turn < _MOST:
            if path.advance(step):
                step = min(2 * step, _STEP)
            elif step < _LEAST_STEP:
                return path.turn + step / 2, path.reason
            else:
                step /= 2
        raise StrandError(
            f"GJ_over_EI: got {GJ_over_EI:.4g}, for which the loop is stable up to 100 turns, "
            "allowed: larger"
        )

    def touches(
        self, GJ_over_EI: float, turn: float, diameter: float, damping: float, hold: float
    ) -> bool:
        """Whether the loop, released from its plane with this turn (rad), ever touches itself.

        damping: of the material. hold: duration. Both in units of sqrt(L / g). It also ends when
        the loop is at rest.
        """
        dt = 0.1
        cable = self.cable(GJ_over_EI, turn, damping, dt)
        contact, before = self.self_contact(diameter), cable.nodes
        for count in range(int(np.ceil(hold / dt))):
            cable.simulation.step()
            nodes = cable.nodes
            if contact.touches(nodes):
                return True
            speed, before = np.abs(nodes - before).max() / dt, nodes
            if speed < _SLOW and count % _LOOK == 0 and _comes_to_rest(cable):
                return False
        return False


def _comes_to_rest(cable: HeldCable) -> bool:
    """Whether a stable equilibrium is near. If not, the cable is left in its state."""
    state, nodes = cable.state(), cable.nodes
    try:
        if cable.rest() and np.abs(cable.nodes - nodes).max() < _NEAR:
            return True
    except SolverError:
        pass
    cable.restore(state)
    return False


class _Path:
    """Equilibria of a loop while its end is turned."""

    def __init__(self, loop: Loop, GJ_over_EI: float, diameter: float) -> None:
        self._cable, self._GJ = loop.cable(GJ_over_EI), GJ_over_EI * loop.EI
        self._contact = loop.self_contact(diameter)
        self.turn, self.reason = 0.0, "unstable"
        self._cable.rest()
        self._remember()

    def _remember(self) -> None:
        self._state, self._moment = self._cable.state(), self._twisting_moment()
        self._energy = self._cable.simulation.potential_energy

    def _twisting_moment(self) -> float:
        """Mean twisting moment, which is the work per turn of the end."""
        twist = self._cable.simulation.twist
        return self._GJ * float(np.mean(twist)) * self._cable.discretisation.links

    def advance(self, step: float) -> bool:
        """Turns the end by `step`; False, and back at the old state, if the path does not reach."""
        self._cable.turn(self.turn + step)
        try:
            stable = self._cable.rest()
        except SolverError:
            stable = False
        if not (stable and self._balanced(step)):
            self.reason = "unstable"
        elif self._contact.touches(self._cable.nodes):
            self.reason = "contact"
        else:
            self.turn += step
            self._remember()
            return True
        self._cable.restore(self._state)
        return False

    def _balanced(self, step: float) -> bool:
        """False if the loop has jumped: its energy has then not grown by the work of turning."""
        work = 0.5 * (self._moment + self._twisting_moment()) * step
        grown = self._cable.simulation.potential_energy - self._energy
        return abs(grown - work) <= _BALANCE * max(abs(work), abs(self._GJ * step**2))
