"""Cross-sections of rods: stiffness and mass of an edge."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from strand import _strand
from strand.errors import StrandError
from strand.io.options import positive, read
from strand.simulation.arguments import check_poisson
from strand.simulation.slip import Slip, moduli


@dataclass(frozen=True)
class Section:
    """The material of an edge, and what pictures and contact need."""

    stiffness: tuple[float, float, float, float]  # EA (N), EI about m1 and m2, GJ (N m^2)
    mass_per_length: float  # kg/m
    spin_inertia_per_length: float  # kg m
    area: float  # m^2
    radius: float  # m
    damping: tuple[float, float]  # Rayleigh's: mass_damping (1/s), material_damping (s)
    slip: Slip | None = None  # yields, or its strands slip

    @property
    def row(self) -> tuple[float, ...]:
        """The row that a checkpoint compares."""
        inertia = self.mass_per_length, self.spin_inertia_per_length
        return (*self.stiffness, *inertia, *self.damping)

    @property
    def core(self) -> _strand.EdgeMaterial:
        EA, EI_1, EI_2, GJ = self.stiffness
        return _strand.EdgeMaterial(
            EA=EA,
            EI=(EI_1, EI_2),
            GJ=GJ,
            mass_per_length=self.mass_per_length,
            spin_inertia_per_length=self.spin_inertia_per_length,
            mass_damping=self.damping[0],
            material_damping=self.damping[1],
        )

    def rib(self, massive: bool) -> "Section":
        """The section of a rib: it bends and twists, and has the spin inertia of the rod."""
        mass = self.mass_per_length if massive else 0.0
        bends = (0.0, *self.stiffness[1:])
        return replace(self, stiffness=bends, mass_per_length=mass, area=0.0)


def section_of(
    radius: float,
    young: float | None,
    density: float | None,
    poisson: float | None,
    shear: float | None,
    area: float | None,
    second_moments: Sequence[float] | None,
    torsion_constant: float | None,
    EI: Sequence[float] | None,
    GJ: float | None,
    EA: float | None,
    mass_per_length: float | None,
    mass_damping: float,
    material_damping: float,
    yield_stress: float | None,
    hardening: Sequence[float] | None,
) -> Section:
    """The section from the arguments of Network.rod. Raises StrandError on too few or too many."""
    _at_most_one(EI=EI, second_moments=second_moments)
    _at_most_one(GJ=GJ, torsion_constant=torsion_constant)
    _at_most_one(density=density, mass_per_length=mass_per_length)
    circle = _strand.circle_section(radius)
    full = circle.area if area is None else area
    moments = second_moments or (circle.second_moment_y, circle.second_moment_z)
    moments = [read("second_moments", moment, positive("m^4")) for moment in moments]
    torsion = circle.torsion_constant if torsion_constant is None else torsion_constant
    rigidity = _shear_modulus(young, poisson, shear)
    if EI is not None:
        bend = _positive(EI)
    elif young is not None:
        bend = [young * moment for moment in moments]
    else:
        raise StrandError("young: got nothing, allowed: a number > 0 (Pa), or EI and GJ")
    if GJ is not None:
        twist = GJ
    elif rigidity is not None:
        twist = rigidity * torsion
    else:
        raise StrandError("GJ: got nothing, allowed: a number > 0 (N m^2), or shear")
    if EA is None:
        EA = young * full if young is not None else 4 * max(bend) / radius**2
    if mass_per_length is not None:
        mass = mass_per_length
    elif density is not None:
        mass = density * full
    else:
        raise StrandError(
            "density: got nothing, allowed: a number >= 0 (kg/m^3), or mass_per_length"
        )
    spin = mass / full * sum(moments)
    damping = mass_damping, material_damping
    if yield_stress is None:
        slip = None
        if hardening is not None:
            raise StrandError("hardening: got it without yield_stress, allowed: both")
    else:
        _at_most_one(yield_stress=yield_stress, second_moments=second_moments)
        slip = Slip(circle, yield_stress, hardening=moduli(hardening))
    return Section((EA, bend[0], bend[1], twist), mass, spin, full, radius, damping, slip)


def _shear_modulus(young: float | None, poisson: float | None, shear: float | None) -> float | None:
    """The shear modulus (Pa); None without moduli. Raises StrandError if they are inconsistent."""
    if poisson is not None:
        check_poisson(poisson)
    if young is None:
        return shear
    given = _strand.shear_modulus(young, 0.5 if poisson is None else poisson)
    if shear is None:
        return given
    if poisson is not None and abs(shear - given) > 1e-6 * given:
        raise StrandError(
            f"shear: got {shear:g}, allowed: {given:g} with that young and poisson, or only one of"
            " shear and poisson"
        )
    return shear


def _positive(EI: Sequence[float]) -> list[float]:
    bend = [read("EI", value, positive("N m^2")) for value in EI]
    return [bend[0], bend[-1]]


def _at_most_one(**values: object) -> None:
    given = [name for name, value in values.items() if value is not None]
    if len(given) > 1:
        raise StrandError(f"{given[0]}: got it together with {given[1]}, allowed: one of them")
