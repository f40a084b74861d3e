// Numbers of a simulation that may be changed while it runs, by a slider or a script.
#pragma once

#include <mujoco/mujoco.h>

#include <functional>
#include <string>
#include <vector>

#include "plugin/viewer/coloring.h"
#include "plugin/viewer/player.h"

namespace strand::viewer {

struct Tunable {
  std::string name, unit;
  double least = 0, most = 1;
  bool logarithmic = false;  ///< slider
  bool control = false;      ///< of an actuator
  double value = 0, original = 0;
  /// Sets the number between two steps.
  std::function<void(mjModel*, mjData*, double)> set;
  /// Sets it again, if it is part of the state.
  Player::Command again;
};

/// The stiffness of cables, damping and friction (as factors of the model's own), natural curvature
/// and twist added to cables, gravity, time step, the fluid's density and wind, and the controls of
/// actuators.
std::vector<Tunable> TunablesOf(const mjModel* m, const mjData* d, const Cables& cables);

/// Posts the change of a tunable's value to the player. The value is clamped to its range.
void Change(double value, Tunable* tunable, Player* player);

/// Changes the tunable with this name. Throws std::invalid_argument that lists the names.
void ChangeByName(const std::string& name, double value, std::vector<Tunable>* tunables,
                  Player* player);

/// What is to be done after a reset or a step back, in the player's thread: numbers that are part
/// of the state are set again.
Player::Command AfterJump(const std::vector<Tunable>& tunables);

/// Puts the model's own numbers back. Values may be read by others than the player's thread.
void RestoreModel(const std::vector<Tunable>& tunables, mjModel* m, mjData* d);

}  // namespace strand::viewer
