// One instance of the engine plugin `strand.cable`. It gathers the links' frames from mjData, calls
// the mechanics in model/ and scatters torques; it contains no physics itself.
//
// The rod's history, the twist of every joint and what its elements have slipped, is stored in
// mjData.plugin_state, before the change of its material, and changes only in Advance and Reset.
// The object itself holds constants, scratch memory and which warnings were given.
#pragma once

#include <mujoco/mujoco.h>

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/compat/mujoco_3_law.h"
#include "model/config/section.h"
#include "model/energy/rod.h"
#include "model/reduction/joint_torque.h"
#include "model/reduction/quasistatic_twist.h"
#include "plugin/mujoco/adapter/attributes.h"
#include "plugin/mujoco/adapter/chain.h"
#include "plugin/mujoco/adapter/feed.h"
#include "plugin/mujoco/adapter/numerical_stiffness.h"
#include "plugin/mujoco/adapter/pull.h"
#include "plugin/mujoco/adapter/rod_constants.h"
#include "plugin/mujoco/adapter/rod_profile.h"
#include "plugin/mujoco/adapter/sliding.h"
#include "plugin/mujoco/adapter/warnings.h"

namespace strand::mujoco {

/// Readout of a cable. strand.cable as a sensor gives these numbers in this order.
struct CableReadout {
  double energy = 0;        ///< J: bending + twisting
  double bend_energy = 0;   ///< J
  double twist_energy = 0;  ///< J
  double twist = 0;         ///< rad: sum of the joints' twists, turns included
  /// N m, world axes: elastic couples that the outermost joints exert outwards, on the end link or,
  /// at a clamp, on the clamp's body. These are not the reaction moments at held ends.
  double start_couple[3] = {}, end_couple[3] = {};
};
inline constexpr int kReadoutSize = 10;
static_assert(sizeof(CableReadout) == kReadoutSize * sizeof(double));

class Cable {
 public:
  static constexpr char kPluginName[] = "strand.cable";

  /// Throws ConfigError if the configuration or the topology is invalid.
  static std::unique_ptr<Cable> Create(const mjModel* m, int instance);

  /// As above, with the given attributes instead of the instance's keys.
  static std::unique_ptr<Cable> Create(const mjModel* m, int instance,
                                       const CableAttributes& attributes);

  /// Size of the plugin state. MuJoCo asks before the model is complete, so this is an upper bound.
  static int StateSize(const mjModel* m, int instance);

  void Reset(mjtNum* plugin_state);
  void Compute(const mjModel* m, mjData* d);
  void Advance(const mjModel* m, mjData* d);
  /// What mj_copyData takes over besides the state.
  void CopyScratch(const Cable& source);

  /// Changes the model's material from now on, in the plugin state. A joint stiffness that
  /// stabilises the cable is the model's and does not change. A cable that sleeps wakes. Throws
  /// ConfigError if a number is invalid.
  void Change(const mjModel* m, mjData* d, const MaterialChange& change);

  CableReadout Read(const mjModel* m, const mjData* d);

  RodProfile Profile(const mjModel* m, const mjData* d);

  /// The change of the material in this state, with factors of every joint.
  MaterialChange Material(const mjModel* m, const mjData* d) const;

  /// Changes of the material included.
  RodConstants Constants(const mjModel* m, const mjData* d);

  /// Fills the sensors that refer to this instance. MuJoCo calls it even if there are none.
  void WriteSensors(const mjModel* m, mjData* d);

  /// Adds overlay capsules coloured by the von Mises stress of bending and torsion, if the `color`
  /// key is given. (The axial force is not known when MuJoCo draws.)
  void Visualize(const mjModel* m, const mjData* d, const mjvOption* option, mjvScene* scene);

 private:
  struct RodHistory {
    std::vector<double> twist;  ///< rad, of each joint
    std::vector<double> slip;   ///< RodSlip::history_size() numbers
  };
  struct JointStress {
    double bending, torsion;  // Pa
  };

  Cable(const mjModel* m, int instance, const CableAttributes& attributes);
  void FindSlip(const mjModel* m, const CableAttributes& attributes);
  void FindSections(const mjModel* m, const CableAttributes& attributes);
  RodEnergy Evaluate(const mjModel* m, const mjData* d, RodHistory* history, bool with_couples);
  RodEnergy EvaluateMujoco3Law(bool with_couples);
  RodFrames Frames() const { return {frames_, halved_.empty() ? frames_ : far_frames_, halved_}; }
  void WarnIfDiverging(const mjModel* m, const mjData* d);
  JointStress Stress(int joint, int link) const;
  void AddJoint(int joint, RodProfile* profile) const;
  void AddSet(int joint, RodProfile* profile) const;
  void AddStresses(int joint, RodProfile* profile) const;
  RodParameters Changed(const MaterialChange& change) const;
  std::span<mjtNum> MaterialState(mjtNum* plugin_state) const;
  std::span<mjtNum> SlidingState(mjtNum* plugin_state) const;
  void MakeRest(const MaterialChange& change);
  void FollowState(const mjModel* m, const mjData* d);

  int instance_;
  int state_joints_;  ///< that the state has room for
  int state_size_;
  Warnings warnings_;
  Chain chain_;
  Pull pull_;
  Sliding sliding_;
  std::vector<int> halved_;   ///< links of two halves
  RodParameters parameters_;  ///< of the model, without changes
  TwistMode twist_mode_;
  TorqueLaw law_;
  std::vector<int> holds_;
  MaterialChange change_;      ///< in use
  std::vector<mjtNum> tried_;  ///< last found in the state
  RodRest rest_;
  std::optional<Feed> feed_;  ///< sets the stiffness of rest_
  RodRest own_;               ///< with it: rest_ with all joints outside
  RodSlip slip_;
  TwistSolver twist_solver_;
  JointTorqueReduction reduction_;
  std::vector<Mujoco3Joint> mujoco_3_joints_;  ///< empty with Strand's law
  NumericalStiffness numerical_stiffness_;
  std::vector<int> sensors_;  ///< addresses in sensordata
  std::vector<double> rest_angles_;
  std::vector<Section> sections_;                     ///< per link; empty if any is unknown
  std::string no_section_;                            ///< why sections_ is empty
  std::optional<std::array<double, 2>> color_range_;  ///< Pa

  // Scratch.
  std::vector<Frame> frames_, far_frames_;
  std::vector<Vector3> couples_;
  RodHistory next_;        ///< computed by the last Compute
  RodHistory read_;        ///< used by Read, Profile and Visualize
  bool computed_ = false;  ///< next_ belongs to the step in progress
};

}  // namespace strand::mujoco
