// How soft MuJoCo's constraints on a cable are: contacts, and the welds and connects that hold it.
//
// MuJoCo regularises a constraint by the inertial inverse weight A of its bodies: under a force f
// it gives way by A f (1 - d) / k, with d from `solimp` and k = 1 / (timeconst dampratio)^2 from
// `solref`. Links are light, so A is large and the defaults (20 ms, d .9 to .95) are far too soft:
// a 1 kg box sinks through a cable. What is stiff enough follows from the time step h alone.
#pragma once

#include <array>

namespace strand::mujoco {

struct Softness {
  std::array<double, 2> solref{};
  std::array<double, 5> solimp{};
};

/// Contacts. Two steps are the shortest time constant that is stable where constraints are
/// explicit; `discrete` takes one. More than critical damping keeps links from being thrown back,
/// which would make their neighbours open and close in turn. So would an impedance d of .99 at the
/// surface, or a rise to .9999 within less than 10 h^2, and links that hop slide at four fifths of
/// their friction. It does rise, so that bodies much heavier than a link neither sink in nor creep.
Softness ContactSoftness(bool discrete, double timestep);

/// Welds and connects, which never open. `discrete` takes their stiffness implicitly and is stable
/// up to 40 / h^2 of it. Elsewhere they do not see the implicit damping of the joints around, and
/// three steps are the shortest time constant that is stable. A mocap body has no joints, and no
/// velocity either, so that an end lags behind it by v times damping over stiffness: 2 h with a
/// damping ratio of .6 makes that 1.4 h v.
Softness HoldSoftness(bool discrete, double timestep, bool by_mocap);

/// `torquescale` of welds: MuJoCo does not regularise rotations with its square, so that ten times
/// the scale is a hundred times the stiffness.
inline constexpr double kTorqueScale = 10;

}  // namespace strand::mujoco
