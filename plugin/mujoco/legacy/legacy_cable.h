// One instance of `mujoco.elasticity.cable`, which MuJoCo 4.0 dropped. It reads the old keys, geoms
// and lengths as MuJoCo 3 did and uses the old torque law by default, so that old models load
// unchanged and move as before.
//
// Links are the bodies that carry the instance. A joint connects a link to its nearest ancestor
// that is a link. Several chains may share an instance, and chains may branch.
#pragma once

#include <mujoco/mujoco.h>

#include <memory>
#include <vector>

#include "model/compat/mujoco_3_law.h"
#include "plugin/mujoco/adapter/cable.h"
#include "plugin/mujoco/adapter/warnings.h"

namespace strand::mujoco {

namespace legacy_key {
inline constexpr char kTwist[] = "twist";
inline constexpr char kBend[] = "bend";
inline constexpr char kFlat[] = "flat";
inline constexpr char kVmax[] = "vmax";
}  // namespace legacy_key

inline constexpr const char* kLegacyAttributes[] = {
    legacy_key::kTwist, legacy_key::kBend, legacy_key::kFlat, legacy_key::kVmax, key::kLaw};

class LegacyCable {
 public:
  static constexpr char kPluginName[] = "mujoco.elasticity.cable";

  /// Throws ConfigError if the configuration is invalid.
  static std::unique_ptr<LegacyCable> Create(const mjModel* m, int instance);

  /// Zero with the old law, which has no state.
  static int StateSize(const mjModel* m, int instance);

  void Reset(mjtNum* plugin_state);
  void Compute(const mjModel* m, mjData* d);
  void Advance(const mjModel* m, mjData* d);
  void CopyScratch(const LegacyCable& source);

  /// Colours links by the larger moment at their ends; red means `vmax` (N m) or more.
  void Visualize(const mjModel* m, const mjData* d, const mjvOption* option, mjvScene* scene);

 private:
  struct Attributes {
    double twist = 0, bend = 0;  ///< shear and Young's modulus (Pa)
    bool flat = false;           ///< straight at rest
    double vmax = 0;             ///< N m; 0: no colours
    TorqueLaw law = TorqueLaw::kMujoco3;
  };
  struct Joint {
    int first, second;  ///< bodies
    Mujoco3Joint spring;
  };

  static Attributes ReadAttributes(const mjModel* m, int instance);
  LegacyCable(const mjModel* m, int instance, const Attributes& attributes);
  void FindJoints(const mjModel* m, int instance, const Attributes& attributes);
  void MakeStrandCable(const mjModel* m, int instance, const Attributes& attributes);
  Vector3 Couple(const mjData* d, const Joint& joint) const;

  Warnings warnings_;              ///< for the old law; strand_ has its own
  std::vector<Joint> joints_;      ///< for the old law: joints with non-zero stiffness
  std::unique_ptr<Cable> strand_;  ///< for Strand's law, if any joint has stiffness
  int state_size_;
  double vmax_;
};

}  // namespace strand::mujoco
