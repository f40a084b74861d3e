"""Cables on MuJoCo Warp whose ends are driven while they run: turns that hold, and the localised
helical buckle of a twisted rod."""

import mujoco
import numpy as np
import pytest
from support.engine import needs_discrete
from support.warp import needs_warp

import strand
import strand.warp
from strand_studies import relax
from strand_studies.validation import lhb

pytestmark = [needs_warp, pytest.mark.slow]

TURNS, LENGTH, EI, GJ = 6, 1.0, 0.5, 0.05  #: below the moment, 8.98 EI / L, at which it buckles
TURNING, HOLDING = 600, 300  #: steps


def drive(worlds: strand.warp.Worlds, turned: np.ndarray) -> None:
    """Turns the mocap body of each world about x by so much (rad)."""
    quaternions = worlds.d.mocap_quat.numpy()
    quaternions[:, 0] = 0.0
    quaternions[:, 0, 0], quaternions[:, 0, 1] = np.cos(turned / 2), np.sin(turned / 2)
    worlds.d.mocap_quat.assign(quaternions)


@needs_discrete
def test_six_turns_hold() -> None:
    """Turned by 6 turns, by -6 and not at all: the couple at the ends is GJ Theta / L.

    With Euler the softened welds give way by a sixth of a turn.
    """
    described = strand.Cable(
        strand.straight(LENGTH, 20),
        EI=EI,
        GJ=GJ,
        radius=0.01,
        start="fixed",
        end="mocap",
        clamp="node",
        gravity=(0, 0, 0),
        collide=False,
        timestep=0.005,
        damping=0.02,
    )
    sensor = '<sensor><plugin plugin="strand.cable" instance="cable_rod"/></sensor></mujoco>'
    text = described.to_mjcf().replace("</mujoco>", sensor)
    worlds = strand.warp.put(mujoco.MjModel.from_xml_string(text), 3)
    full = 2 * np.pi * TURNS * np.array([1, -1, 0])
    for step in range(1, TURNING + HOLDING + 1):
        drive(worlds, full * min(1.0, step / TURNING))
        worlds.step()
    twist = worlds.twists().sum(axis=1)
    couple = worlds.d.sensordata.numpy()[:, -3]
    assert twist == pytest.approx(full, rel=1e-2, abs=1e-3)
    assert -couple == pytest.approx(GJ * full / LENGTH, rel=1e-2, abs=1e-3)
    straight = worlds.nodes()
    assert np.abs(straight - described.nodes).max() < 0.01 * LENGTH


class Driven(lhb._Experiment):
    """The validation's experiment in C, or in one world on MuJoCo Warp.

    Ends meet as there; then the damping is a fifth, with which the rod comes to rest sooner.
    """

    def __init__(self, segments: int, warp: bool) -> None:
        super().__init__(segments, "angle", "rest_twist")
        self.worlds: strand.warp.Worlds | None = None
        damping = relax.joint_damping(lhb.EI, self.link_length, 1.5)
        relax.set_joint_damping(self.model, damping)
        if warp:
            soft = strand.warp.softened(self.model, impedance=0.9)
            self.worlds = strand.warp.put(soft, 1, soften=False, nconmax=1)

    def run(self, settling: float) -> lhb.Score:
        time = 0.0
        while time < lhb.APPROACH_TIME + settling:
            done = min(1.0, time / lhb.APPROACH_TIME)
            if done == 1.0:
                self._damp(0.2)
            self._place_end(lhb.LENGTH - self.link_length - lhb.SHORTENING * done)
            self.data.xfrc_applied[self.middle, 1] = 0.5 if done < 1 else 0.0
            self._advance(10)
            time += 10 * lhb.TIMESTEP
        return lhb.score(self.tangents(), self.link_length)

    def _damp(self, factor: float) -> None:
        own = relax.joint_damping(lhb.EI, self.link_length, 1.5)
        relax.set_joint_damping(self.model, factor * own)
        if self.worlds is not None:
            damping = self.worlds.m.dof_damping
            damping.assign(np.broadcast_to(self.model.dof_damping, damping.shape))

    def _advance(self, steps: int) -> None:
        if self.worlds is None:
            relax.step(self.model, self.data, steps)
            return
        d = self.worlds.d
        d.mocap_pos.assign(self.data.mocap_pos[None])
        d.xfrc_applied.assign(self.data.xfrc_applied[None])
        self.worlds.step(steps)
        self.data.time += steps * lhb.TIMESTEP
        self.data.xpos[:] = d.xpos.numpy()[0]
        self.data.xmat[:] = d.xmat.numpy()[0].reshape(-1, 9)


@needs_discrete
def test_localised_helical_buckling(monkeypatch: pytest.MonkeyPatch) -> None:
    """40 links, 27 turns: the error of the envelope and the peak angle of C."""
    monkeypatch.setattr(lhb, "TIMESTEP", 0.005)
    found, expected = (Driven(40, warp).run(settling=15.0) for warp in (True, False))
    assert found.error == pytest.approx(expected.error, abs=0.002)
    assert found.phi0 == pytest.approx(expected.phi0, abs=0.01)
    assert expected.error < lhb.limit(40, "angle")
    assert expected.phi0 > 0.6
