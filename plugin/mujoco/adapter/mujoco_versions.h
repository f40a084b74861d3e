// Differences between the versions of MuJoCo that adapters are built for. Only this file checks the
// version of the headers, so that all other code is the same for every version.
#pragma once

#include <mujoco/mjplugin.h>
#include <mujoco/mujoco.h>

#include <cstddef>
#include <optional>
#include <string>

// Declares the function that runs when the library is loaded. MuJoCo's macro takes a name
// since 3.7.
#if mjVERSION_HEADER < 3007000
#define STRAND_LIB_INIT(name) mjPLUGIN_LIB_INIT
#else
#define STRAND_LIB_INIT(name) mjPLUGIN_LIB_INIT(name)
#endif

// Decoders of model files; 3.3.7 has none. Those of 3.11 cannot tell MuJoCo why they fail.
#define STRAND_HAS_DECODERS (mjVERSION_HEADER >= 3011000)

namespace strand::mujoco {

/// "MuJoCo X.Y.Z": that of this process.
inline std::string LoadedMujoco() { return std::string("MuJoCo ") + mj_versionString(); }

/// MuJoCo 3 registers `mujoco.elasticity.cable` itself; 4.0 dropped it.
inline constexpr bool kHasElasticityCable = mjVERSION_HEADER < 4000000;

/// The integrator `discrete`, available since 3.13.
#if mjVERSION_HEADER < 3013000
inline constexpr std::optional<mjtIntegrator> kDiscrete = std::nullopt;
#else
inline constexpr std::optional<mjtIntegrator> kDiscrete = mjINT_DISCRETE;
#endif

/// The flag (mjtEnableBit) of speculative contacts, available since 4.0; 0 before.
#if mjVERSION_HEADER < 4000000
inline constexpr int kSpeculative = 0;
#else
inline constexpr int kSpeculative = mjENBL_SPECULATIVE;
#endif

/// Least mass (kg) and inertia (kg m^2) given to bodies: ten times MuJoCo's threshold for zero; in
/// older versions the least value that is not written to XML as zero.
inline constexpr double kLeastInertial = mjVERSION_HEADER < 4000000 ? 1e-12 : 1e-14;

/// True if a joint's spring is not linear. Springs are polynomials since 3.7.
inline bool HasNonlinearSpring([[maybe_unused]] const mjModel* m, [[maybe_unused]] int joint) {
#if mjVERSION_HEADER >= 3007000
  for (int k = 0; k < mjNPOLY; ++k) {
    if (m->jnt_stiffnesspoly[mjNPOLY * joint + k] != 0) return true;
  }
#endif
  return false;
}

/// The linear coefficient of an mjsJoint's stiffness or damping: a number before 3.7, the first
/// coefficient of a polynomial since then.
inline double& Linear(double& coefficient) { return coefficient; }
template <std::size_t n>
double& Linear(double (&coefficients)[n]) {
  return coefficients[0];
}

/// The coefficient of |v| v in an mjsJoint's damping; null before 3.7, where damping is linear.
inline double* Quadratic(double&) { return nullptr; }
template <std::size_t n>
double* Quadratic(double (&coefficients)[n]) {
  return &coefficients[1];
}
inline constexpr bool kHasQuadraticDamping = mjVERSION_HEADER >= 3007000;

/// Before 3.7, connect and weld omit the acceleration due to velocities (dJ/dt v) and open as the
/// bodies swing.
inline constexpr bool kHasFirmConstraints = mjVERSION_HEADER >= 3007000;

/// Wakes the tree of a body if it sleeps: MuJoCo wakes trees with a velocity that is not bitwise 0,
/// as -0 is not. 3.3.7 has no sleep.
inline void Wake([[maybe_unused]] const mjModel* m, [[maybe_unused]] mjData* d,
                 [[maybe_unused]] int body) {
#if mjVERSION_HEADER >= 3011000
  const int tree = m->body_treeid[body];
  if (tree >= 0 && d->tree_asleep[tree] >= 0) d->qvel[m->tree_dofadr[tree]] = -0.0;
#endif
}

/// A scene to which two parts of one spec are attached by reference does not compile. Seen in 3.11,
/// not in 3.17.
inline constexpr bool kAttachesByCopy = mjVERSION_HEADER >= 3007000 && mjVERSION_HEADER < 3017000;

/// Elements of a spec by name, or null. Older versions take a non-const spec but do not change it.
inline mjsElement* FindElement(const mjSpec* spec, mjtObj type, const std::string& name) {
  return mjs_findElement(const_cast<mjSpec*>(spec), type, name.c_str());
}
inline mjsBody* FindBody(const mjSpec* spec, const std::string& name) {
  return mjs_findBody(const_cast<mjSpec*>(spec), name.c_str());
}

/// True if MuJoCo reports the compiler settings an attached element had in its own spec
/// (since 3.6).
inline constexpr bool kTellsCompiler = mjVERSION_HEADER >= 3006000;

/// The compiler settings of an element; without kTellsCompiler, those of the spec that contains it.
inline const mjsCompiler& Compiler(mjsElement* element) {
#if mjVERSION_HEADER < 3006000
  return mjs_getSpec(element)->compiler;
#else
  return *mjs_getCompiler(element);
#endif
}

}  // namespace strand::mujoco
