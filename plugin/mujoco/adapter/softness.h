// Compliance of MuJoCo's constraints on a cable: contacts, and the welds and connects that hold it.
//
// MuJoCo regularises a constraint by the inertial inverse weight A of its bodies: under a force f
// it yields by A f (1 - d) / k, with d from `solimp` and k = 1 / (timeconst dampratio)^2 from
// `solref`. Links are light, so A is large and the defaults (20 ms, d .9 to .95) are far too soft:
// a 1 kg box sinks through a cable. The stiffness to use depends on the time step h alone.
#pragma once

#include <array>

namespace strand::mujoco {

struct Softness {
  std::array<double, 2> solref{};
  std::array<double, 5> solimp{};
};

/// MuJoCo's defaults for the last two values of `solimp`, which shape how d rises with depth.
inline constexpr double kMidpoint = 0.5, kPower = 2;

/// Softness of contacts. The shortest stable time constant is two steps with explicit constraints;
/// `discrete`, which treats damping implicitly, is stable with a fraction of a step. A link that
/// hits a surface enters it by up to its way in a step before there is a contact. With a time
/// constant of one step it continues by a third of that way, with 1 / 2.75 of a step by less than
/// a tenth. Links thinner than 700 h^2 keep one step: MuJoCo predicts their contacts, so that they
/// do not enter, and where a drum winds them up the halves of a link at a cut would be pressed in
/// deeper. Damping is above critical so that links do not bounce, which would make the contacts of
/// their neighbours open and close in turn; a body that has sunk in on impact is pushed out within
/// `recovery` (s).
///
/// d rises from a small value to .9999, so that bodies much heavier than a link neither sink in nor
/// creep, but over a depth in proportion to the cable's half thickness r (m). A chain cannot slide
/// over a drum with all its links in contact: it is a polygon. If the range of d is narrower than
/// about r / 40 its links hop there, and the rope slips at two thirds of the friction. If it is
/// wider, contacts creep under a load and yield by more than a hundredth of r under the cable's own
/// weight; the width is what this allows, at rest measured to be .4 to .9 of the estimate. With
/// explicit constraints thin cables would sink in: their contacts are firm (d = .95). (What
/// friction adds to the normal force where contacts slide, the more the larger d, is undone in
/// sliding.h.)
Softness ContactSoftness(bool discrete, double timestep, double half_thickness);

/// Softness of welds and connects, which never open. `discrete` treats their stiffness implicitly
/// and is stable up to 40 / h^2. With other integrators the shortest time constant is two steps,
/// and the damping ratio decides: 1/2 would remove a deviation in one step. In each step what turns
/// leaves its circle by h^2 a / 2, with its acceleration a towards the centre, so that a hold which
/// turns opens by 2 (ratio h)^2 a.
Softness HoldSoftness(bool discrete, double timestep, double damping_ratio);

/// Damping ratio of what holds an end. A mocap body has no velocity, so that an end at speed v lags
/// behind it by v times damping over stiffness: 1.4 h v. RK4 needs more: of random cables between
/// two hands a third diverges with .6, and 2 of 30 with .8.
inline constexpr double kEndRatio = 0.6, kExplicitEndRatio = 1.25;
inline double EndRatio(bool runge_kutta) { return runge_kutta ? kExplicitEndRatio : kEndRatio; }

/// The same of halves of a link, which are much alike: with .6 some cables under a load diverge.
inline constexpr double kCutRatio = 0.72;

/// The same where what holds the end reacts late, by `lag` steps (holder.h): it swings against the
/// end unless damping, 4 ratio^2 steps of stiffness, outweighs that lag. Joints damped against
/// whipping make an end stiffer than constraints see, which multiplies the lag.
double LateRatio(double lag);

/// The same where the end starts apart from what holds it, which pulls it there: as firm as an end
/// that is pulled by some links' lengths, or turned about itself, bears.
inline constexpr double kApartRatio = 1.25;

/// Distance (m) by which a constraint yields per newton, between bodies with the sum A (1/kg) of
/// inverse weights, when it has opened by more than the width of `solimp`.
double Yield(const Softness& softness, double inverse_weight);

/// What a cut bears. A chain whose ends are moved apart too far would pull without bound, since its
/// links do not stretch, and shake itself apart.
struct CutLimit {
  double force = 0;         ///< N: under little more the cut opens
  double give = 0;          ///< m: by at most this, beyond which the force rises again
  double inverse_mass = 0;  ///< 1/kg: A of the two halves
};

/// Softness of the connect that holds a cut together up to a limit, where the impedance d falls in
/// proportion to the opening r, so that the force k r d / (A (1 - d)) stays the same.
Softness GivingSoftness(bool discrete, double timestep, const CutLimit& limit);

/// Softness of the weld beside that connect, which holds the halves parallel. MuJoCo computes one
/// impedance for all rows of a weld from displacement and rotation together, so that torsion would
/// open a weld that gives way. This one resists displacement with 1e-4 of a cut's stiffness; with
/// `kParallelTorqueScale` it resists rotation as a cut does.
Softness ParallelSoftness(bool discrete, double timestep);
inline constexpr double kParallelTorqueScale = 1e4;

/// A (1/kg) of the two halves of a link in trees of 5 to 8 links, from the link's mass (kg) and the
/// armature of its joint by m l^2: 0 if links turn freely, large if a tree is nearly rigid.
/// Measured within a third.
double InverseMassOfHalves(double link_mass, double armature);

/// `torquescale` of welds. MuJoCo's regularisation of rotations does not include its square, so
/// that ten times the scale is a hundred times the stiffness.
inline constexpr double kTorqueScale = 10;

/// `torquescale` of the weld in the middle of a link that is cut. With 10 the halves of a taut
/// cable fold against each other.
inline constexpr double kCutTorqueScale = 100;

/// Distance (m) by which the cuts of a cable open under a tension (N): A f h^2 (1 - d) with the
/// inverse weight A of two half links in their trees, which is 0.7 to 1.5 / m, and the impedance d
/// of HoldSoftness. With `discrete` a larger stiffness does not change it; with other integrators
/// it is twice as much.
double CutOpening(bool discrete, double tension, double link_mass, double timestep);

}  // namespace strand::mujoco
