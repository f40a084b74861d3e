// The model in the window: MuJoCo's scene and renderer, the camera, and the mouse in the scene.
#pragma once

#include <mujoco/mujoco.h>

#include <array>
#include <vector>

#include "plugin/viewer/coloring.h"
#include "plugin/viewer/film.h"
#include "plugin/viewer/grid.h"
#include "plugin/viewer/player.h"
#include "plugin/viewer/window.h"

namespace strand::viewer {

class Stage {
 public:
  /// Needs a current OpenGL context. The model must outlive the stage. `software`: OpenGL without a
  /// graphics processor. The shapes of the film must outlive the stage.
  Stage(mjModel* m, const FilmShapes& film, double scale, bool software);
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  /// Draws the state, with the film's nodes at `points`, into the rectangle from `left` (pixels) to
  /// the right border.
  void Draw(mjData* d, const std::vector<double>& points, const Cables& cables,
            const Window& window, int left);
  /// The mouse over the scene: moves the camera, selects bodies, pulls at them. Returns true if the
  /// pull has changed.
  bool Mouse(mjData* d, const MouseState& mouse, bool double_click, double wheel);
  /// In the next picture a free camera shows everything but planes, from the model's own direction.
  void ShowAll() { shows_all_ = true; }
  /// A free camera with the point it looks at (m), distance (m), azimuth and elevation (degrees).
  void LookAt(const std::array<double, 6>& view);
  /// The camera follows the body; -1: free camera.
  void Follow(int body);
  /// Camera `number` of the model; -1: free.
  void UseCamera(int number);

  mjvOption option;
  mjvCamera camera;
  mjvPerturb perturb;
  Coloring coloring;
  Grid grid;
  bool shadows = true;

 private:
  void Place(const mjData* d, const std::vector<double>& points);
  bool Bounds(const mjData* d, const std::vector<double>& points, mjtNum least[3],
              mjtNum most[3]) const;
  void ShowBox(const mjtNum least[3], const mjtNum most[3]);
  int Pick(const mjData* d, const MouseState& mouse, mjtNum point[3]);
  void Pull(mjData* d, const MouseState& mouse, bool pressed);
  void MoveCamera(const MouseState& mouse, double dx, double dy);

  const mjModel* m_;
  const FilmShapes& film_;
  mjvScene scene_;
  mjrContext context_;
  mjrRect area_{};
  bool shows_all_ = true, placed_ = false;
  MouseState last_;
};

}  // namespace strand::viewer
