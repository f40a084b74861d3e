// One instance of the engine plugin `strand.cable`: gathers the links' frames from mjData, calls
// the mechanics in model/, scatters torques. No physics here.
//
// Memory of the rod, the twist of every joint, is in mjData.plugin_state and changes in Advance
// alone; the object itself holds constants, scratch and what it has warned of.
#pragma once

#include <mujoco/mujoco.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/compat/mujoco_3_law.h"
#include "model/config/section.h"
#include "model/energy/rod.h"
#include "model/reduction/joint_torque.h"
#include "model/reduction/quasistatic_twist.h"
#include "plugin/mujoco/adapter/attributes.h"
#include "plugin/mujoco/adapter/chain.h"
#include "plugin/mujoco/adapter/rod_profile.h"
#include "plugin/mujoco/adapter/warnings.h"

namespace strand::mujoco {

/// What can be read off a cable (strand.cable as a sensor gives these numbers in this order).
struct CableReadout {
  double energy = 0;        ///< J: bending + twisting
  double bend_energy = 0;   ///< J
  double twist_energy = 0;  ///< J
  double twist = 0;         ///< rad: sum of the joints' twists, turns included
  /// N m, world: elastic couples that the outermost joints put on what lies beyond them, the end
  /// link or, at a clamp, what it is on. Not the moments of what holds the ends.
  double start_couple[3] = {}, end_couple[3] = {};
};
inline constexpr int kReadoutSize = 10;
static_assert(sizeof(CableReadout) == kReadoutSize * sizeof(double));

class Cable {
 public:
  static constexpr char kPluginName[] = "strand.cable";

  /// Throws ConfigError on a bad configuration or topology.
  static std::unique_ptr<Cable> Create(const mjModel* m, int instance);

  /// With attributes from elsewhere than the instance's keys.
  static std::unique_ptr<Cable> Create(const mjModel* m, int instance,
                                       const CableAttributes& attributes);

  /// Size of the plugin state: known before the model is complete, hence an upper bound.
  static int StateSize(const mjModel* m, int instance);

  void Reset(mjtNum* plugin_state);
  void Compute(const mjModel* m, mjData* d);
  void Advance(const mjModel* m, mjData* d);
  void CopyScratch(const Cable& source);

  CableReadout Read(const mjModel* m, const mjData* d);

  RodProfile Profile(const mjModel* m, const mjData* d);

  /// Fills the sensors that refer to this instance; MuJoCo asks whether or not there are any.
  void WriteSensors(const mjModel* m, mjData* d);

  /// Adds overlay capsules coloured by the von Mises stress of bending and torsion, if the `color`
  /// key is given. (Forces along the cable are not known while MuJoCo draws.)
  void Visualize(const mjModel* m, const mjData* d, const mjvOption* option, mjvScene* scene);

 private:
  struct Spring {
    int joint, qpos, dof, type;
  };
  struct JointStress {
    double bending, torsion;  // Pa
  };

  Cable(const mjModel* m, int instance, const CableAttributes& attributes);
  void FindStabilizers(const mjModel* m);
  void FindSections(const mjModel* m, const CableAttributes& attributes);
  RodEnergy Evaluate(const mjModel* m, const mjData* d, std::vector<double>* twists,
                     bool with_couples);
  RodEnergy EvaluateMujoco3Law(bool with_couples);
  void CancelJointStiffness(const mjModel* m, mjData* d) const;
  Vector3 AxisVelocity(const mjData* d, int link) const;
  void WarnIfDiverging(const mjModel* m, const mjData* d);
  JointStress Stress(int joint, int link) const;
  void AddStresses(int joint, RodProfile* profile) const;

  int instance_;
  Warnings warnings_;
  Chain chain_;
  RodRest rest_;
  TwistSolver twist_solver_;
  JointTorqueReduction reduction_;
  std::vector<Mujoco3Joint> mujoco_3_joints_;  ///< empty with Strand's law
  std::vector<Spring> springs_;                ///< joints whose linear stiffness is cancelled
  std::vector<int> sensors_;                   ///< addresses in sensordata
  std::vector<double> rest_angles_;
  std::vector<Section> sections_;                     ///< per link; empty where one is not known
  std::string no_section_;                            ///< why
  std::optional<std::array<double, 2>> color_range_;  ///< Pa

  // Scratch.
  std::vector<Frame> frames_;
  std::vector<Vector3> couples_;
  std::vector<double> twists_;       ///< found by the last Compute
  std::vector<double> read_twists_;  ///< of Read and Visualize
  bool computed_ = false;            ///< twists_ belong to the step in progress
};

}  // namespace strand::mujoco
