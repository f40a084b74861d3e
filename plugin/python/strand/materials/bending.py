"""Bending and twist at the joints of a cable, in axes that turn with its material."""

from typing import NamedTuple

import mujoco
import numpy as np

from strand import adapter
from strand.readout.link_values import largest_at_links
from strand.readout.readout import cable_index


class Bending(NamedTuple):
    """Bending and twist at the joints of a cable."""

    curvature: np.ndarray  #: 1/m, (joints, 2): about the y and z of the links
    twist_rate: np.ndarray  #: rad/m, (joints,): including full turns


def bending(model: mujoco.MjModel, data: mujoco.MjData, cable: str | int = 0) -> Bending:
    """Bending and twist at the joints, in the order of strand.Profile, in axes of the material.

    cable: name or index of its plugin instance (default 0).

    Kinematics must be current (mj_forward or mj_kinematics; after mj_step they are those at the
    step's start). `data` is not changed. Raises StrandError if the model has no such cable.
    """
    return BendingReader(model, data, cable).read()


class BendingReader:
    """Reads bending and twist of a cable again and again."""

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, cable: str | int = 0) -> None:
        """Raises StrandError if the model has no such cable."""
        self.model, self.data = model, data
        self.cable = cable_index(model, data, cable)
        constants = adapter.load().constants(model._address, data._address, self.cable)
        self._near, self._far = np.array(constants.body), np.array(constants.far_body)
        self._site = np.array(constants.site)
        self._points = np.flatnonzero(self._site >= 0)  # clamps and junctions
        self._free = constants.quasistatic  # bodies turn freely about the cable
        self._hold = constants.holds[0] if constants.holds else 0
        profile = adapter.load().profile(model._address, data._address, self.cable)
        self._profile = profile
        self.span = np.array(profile.span)  #: m, (joints,)
        self.arclength = np.array(profile.arclength)  #: m, (joints,)
        self._before = np.arange(len(self.span))
        self._after = (self._before + 1) % len(self._near)
        # The axes at a joint are those of the link after it or, if that is a point, before it.
        ends = self._site[self._after] >= 0
        self._link = np.where(ends, self._before, self._after)
        self._body = np.where(ends, self._far[self._before], self._near[self._after])

    def read(self) -> Bending:
        """Bending and twist at the kinematics in `data`."""
        found = adapter.load().profile(self.model._address, self.data._address, self.cable)
        vectors, twist = np.reshape(found.curvature, (-1, 1, 3)), np.array(found.twist)
        axes = self.data.xmat[self._body].reshape(-1, 3, 3)  # as columns
        curvature = (vectors @ axes[:, :, 1:])[:, 0]
        if self._free:
            curvature = _turned(curvature, self._material_angles(twist)[self._link])
        return Bending(curvature, twist / self.span)

    def at_links(self, values: np.ndarray) -> np.ndarray:
        """For each link the larger of the values >= 0 at its joints, (n,)."""
        return largest_at_links(self._profile, values)

    def _axes(self, bodies: np.ndarray) -> np.ndarray:
        """The axes of all links, clamps and junctions, as rows, (links, 3, 3)."""
        matrices = self.data.xmat[bodies]
        matrices[self._points] = self.data.site_xmat[self._site[self._points]]
        return matrices.reshape(-1, 3, 3).swapaxes(1, 2)

    def _material_angles(self, twist: np.ndarray) -> np.ndarray:
        """Angles (rad) from the links' axes to the material's, (links,), 0 where it is held.

        twist: of the material (rad, (joints,)).
        """
        near, far = self._axes(self._near), self._axes(self._far)
        more = twist - _twist_angles(far[self._before], near[self._after])
        angles = np.concatenate([[0.0], np.cumsum(more)])[: len(near)]
        return angles - angles[self._hold]


def _turned(curvature: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """Components (n, 2) in axes that are turned by angles (n,) about the cable."""
    cosine, sine = np.cos(angles), np.sin(angles)
    y, z = curvature.T
    return np.column_stack([cosine * y + sine * z, cosine * z - sine * y])


def _twist_angles(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Angles (rad) by which frames `after` are turned about the cable against frames `before`,
    which are moved there by parallel transport. Axes as rows, (n, 3, 3)."""
    a, b, y = before[:, 0], after[:, 0], before[:, 1]
    binormal = np.cross(a, b)
    # Rodrigues' rotation by the angle from a to b.
    along = np.einsum("ij,ij->i", binormal, y) / (1 + np.einsum("ij,ij->i", a, b))
    moved = np.einsum("ij,ij->i", a, b)[:, None] * y + np.cross(binormal, y)
    moved += along[:, None] * binormal
    sine = -np.einsum("ij,ij->i", moved, after[:, 2])
    return np.arctan2(sine, np.einsum("ij,ij->i", moved, after[:, 1]))
