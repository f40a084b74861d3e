// One opened model with everything that belongs to it: what the window shows until another is
// opened.
#pragma once

#include <mujoco/mujoco.h>

#include <string>
#include <vector>

#include "plugin/viewer/coloring.h"
#include "plugin/viewer/messages.h"
#include "plugin/viewer/player.h"
#include "plugin/viewer/stage.h"
#include "plugin/viewer/traces.h"
#include "plugin/viewer/tunables.h"
#include "plugin/viewer/viewer_api.h"
#include "plugin/viewer/window.h"

namespace strand::viewer {

class Scene {
 public:
  /// Model and data must outlive the scene.
  Scene(const Loaded& scene, const StrandAdapterApi* api, Messages* messages, const Window& window,
        bool lockstep);
  ~Scene();

  /// Takes the newest copy of the simulation and adds to the traces.
  void Update();

  /// Saves the shape that is shown; returns an error, or "".
  std::string SaveShape(const std::string& file) const;

  const Loaded loaded;
  mjModel* const model;
  mjData* const data;  ///< of the player's thread
  const Film& film;
  Cables cables;
  std::vector<Tunable> tunables;
  Stage stage;
  Player player;
  mjData* shown = nullptr;
  Trace energy{"elastic energy", "J"}, twist{"twist", "rad"}, end_height{"height of the end", "m"},
      step_time{"time of a step", "s"}, real_time{"real-time factor", ""};
  std::vector<Trace> film_traces;  ///< of the film's plots over time; others are not used
  int selected_cable = 0;
  RodProfile profile;  ///< of the selected cable

 private:
  void CopyState(const mjData* from) const;
  void ClearTraces();
  void AddToTraces();

  double traced_ = -1;  // time (s)
};

}  // namespace strand::viewer
