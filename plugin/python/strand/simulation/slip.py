"""Plasticity of rods, and friction between their strands, in simulations."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from strand import _strand
from strand.errors import checked


@dataclass(frozen=True)
class Slip:
    """Where the material of an edge leaves elasticity (model/stencil/slip.h).

    Either yield_stress, or elements: pairs of a share of the stiffness and the strain per length
    (1/m, rad/m) beyond which it slips.
    """

    outline: _strand.Section  #: cross-section, for yield_stress
    yield_stress: float | None = None  #: Pa
    bend_elements: tuple[tuple[float, float], ...] = ()
    twist_elements: tuple[tuple[float, float], ...] = ()
    hardening: tuple[float, float] = (0.0, 0.0)  #: kinematic, isotropic: fractions of the modulus

    @property
    def row(self) -> tuple[float, ...]:
        """The numbers that a checkpoint compares."""
        pairs = (*self.bend_elements, *self.twist_elements)
        return (self.yield_stress or 0.0, *self.hardening, *(x for pair in pairs for x in pair))


def pairs(numbers: Sequence[float] | None) -> tuple[tuple[float, float], ...]:
    """A list of pairs in one row as pairs."""
    row = list(numbers or ())
    return tuple(zip(row[::2], row[1::2], strict=True))


def moduli(hardening: float | Sequence[float] | None) -> tuple[float, float]:
    """Kinematic and isotropic modulus from one number, one or two in a list, or none."""
    kinematic, isotropic = [*np.atleast_1d([] if hardening is None else hardening), 0.0, 0.0][:2]
    return float(kinematic), float(isotropic)


def add_slips(
    edges: np.ndarray, slips: Sequence[Slip | None], core: _strand.System
) -> list[tuple[list[int], _strand.SlipEnergy]]:
    """Adds the forces of all joints both of whose edges slip: the joints of each, and the force.

    edges: (joints, 2), the edges at each joint. slips: of each edge; None: elastic.
    """
    alike: dict[tuple[object, ...], tuple[list[int], list[_strand.JointSlip]]] = {}
    for joint, (first, second) in enumerate(edges.tolist()):
        a, b = slips[first], slips[second]
        if a is None or b is None:
            continue
        if a.yield_stress and b.yield_stress:
            stress = min(a.yield_stress, b.yield_stress)
            stiffness = core.joint_stiffness(joint)
            if min(stiffness.EI) == 0:  # a ball joint
                continue
            elements = _strand.slip_of(a.outline, b.outline, stiffness.EI, stiffness.GJ, stress)
        else:
            elements = _strand.JointSlip(list(a.bend_elements), list(a.twist_elements))
        kind = (a.hardening, len(elements.bend), len(elements.twist))
        joints, found = alike.setdefault(kind, ([], []))
        joints.append(joint)
        found.append(elements)
    return [
        (joints, checked(core.add_slip, joints, found, kind[0]))
        for kind, (joints, found) in alike.items()
    ]
