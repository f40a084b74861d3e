#include "plugin/viewer/stage.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "plugin/viewer/film_drawing.h"

namespace strand::viewer {
namespace {

constexpr int kRoom = 2000;         // geoms for contacts, forces and the like
constexpr double kPerNotch = 0.05;  // zoom by the wheel
constexpr double kMargin = 1.2;     // around all that is shown: cables soon fall
// Without a graphics processor: pixels of the shadow map, and its size in extents of the model.
constexpr int kSoftwareShadows = 2048;
constexpr float kSoftwareClip = 2;
constexpr int kFew = 40, kSoftwareSlices = 12;  // geoms; corners around the axis of those of more

int FontScale(double scale) {
  // mjFONTSCALE_100 = 100 and so on
  return 50 * std::clamp(static_cast<int>(2 * scale + 0.5), 2, 6);
}

// What the left or the right button does to the camera or a body.
int ActionOf(const MouseState& mouse) {
  if (mouse.right) return mouse.shift ? mjMOUSE_MOVE_H : mjMOUSE_MOVE_V;
  return mouse.shift ? mjMOUSE_ROTATE_H : mjMOUSE_ROTATE_V;
}

// MuJoCo 3 moves cameras with the scene's help.
template <class Move>
void Turn(Move move, const mjModel* m, int action, double dx, double dy, const mjvScene* scene,
          mjvCamera* camera) {
  if constexpr (std::is_invocable_v<Move, const mjModel*, int, mjtNum, mjtNum, mjvCamera*>) {
    move(m, action, dx, dy, camera);
  } else {
    move(m, action, dx, dy, scene, camera);
  }
}

}  // namespace

Stage::Stage(mjModel* m, const FilmShapes& film, double scale, bool software)
    : grid(m), m_(m), film_(film) {
  mjv_defaultOption(&option), mjv_defaultPerturb(&perturb);
  mjv_defaultScene(&scene_), mjr_defaultContext(&context_);
  mjv_makeScene(m, &scene_, 2 * m->ngeom + m->nsite + FilmGeoms(film) + kRoom);
  // A processor would take most of the time for shadows and the corners of round geoms.
  const mjVisual visual = m->vis;
  if (software) {
    m->vis.quality.shadowsize = std::min(visual.quality.shadowsize, kSoftwareShadows);
    m->vis.map.shadowclip = std::min(visual.map.shadowclip, kSoftwareClip);
    if (m->ngeom > kFew) {
      m->vis.quality.numslices = std::min(visual.quality.numslices, kSoftwareSlices);
      m->vis.quality.numstacks = std::min(visual.quality.numstacks, kSoftwareSlices / 2);
    }
  }
  mjr_makeContext(m, &context_, FontScale(scale));
  m->vis = visual;
  mjr_setBuffer(mjFB_WINDOW, &context_);
}

Stage::~Stage() {
  mjr_freeContext(&context_);
  mjv_freeScene(&scene_);
}

// The box around everything but planes (m); false if there is nothing else.
bool Stage::Bounds(const mjData* d, const std::vector<double>& points, mjtNum least[3],
                   mjtNum most[3]) const {
  double thickest = 0;
  for (int i = 0; i < 3; ++i) least[i] = mjMAXVAL, most[i] = -mjMAXVAL;
  for (int g = 0; g < m_->ngeom; ++g) {
    const double radius = m_->geom_rbound[g];
    if (radius == 0 || m_->geom_rgba[4 * g + 3] == 0) continue;  // a plane; invisible
    for (int i = 0; i < 3; ++i) {
      least[i] = std::min(least[i], d->geom_xpos[3 * g + i]);
      most[i] = std::max(most[i], d->geom_xpos[3 * g + i]);
    }
    thickest = std::max(thickest, radius);
  }
  Enclose(points, least, most);
  for (float radius : film_.radius) thickest = std::max<double>(thickest, radius);
  for (int i = 0; i < 3; ++i) least[i] -= thickest, most[i] += thickest;
  return most[0] >= least[0];
}

// From the model's own direction.
void Stage::ShowBox(const mjtNum least[3], const mjtNum most[3]) {
  double squared = 0;
  for (int i = 0; i < 3; ++i) {
    camera.lookat[i] = (least[i] + most[i]) / 2;
    squared += std::pow((most[i] - least[i]) / 2, 2);
  }
  const double half = m_->vis.global.fovy * mjPI / 360;
  const double aspect = static_cast<double>(area_.width) / area_.height;
  const double narrow = std::min(half, std::atan(aspect * std::tan(half)));
  camera.distance = kMargin * std::sqrt(squared) / std::sin(narrow);
}

void Stage::Place(const mjData* d, const std::vector<double>& points) {
  mjtNum least[3], most[3];
  const bool something = Bounds(d, points, least, most);
  if (shows_all_) mjv_defaultFreeCamera(m_, &camera);
  if (something && shows_all_) ShowBox(least, most);
  if (something) grid.Place(least, most);
  shows_all_ = false, placed_ = true;
}

void Stage::LookAt(const std::array<double, 6>& view) {
  mjv_defaultFreeCamera(m_, &camera);
  mju_copy3(camera.lookat, view.data());
  camera.distance = view[3], camera.azimuth = view[4], camera.elevation = view[5];
  shows_all_ = false;
}

void Stage::Follow(int body) {
  camera.type = body < 0 ? mjCAMERA_FREE : mjCAMERA_TRACKING;
  camera.trackbodyid = body;
}

void Stage::UseCamera(int number) {
  camera.type = number < 0 ? mjCAMERA_FREE : mjCAMERA_FIXED;
  camera.fixedcamid = number;
  if (number >= 0) shows_all_ = false;
}

void Stage::Draw(mjData* d, const std::vector<double>& points, const Cables& cables,
                 const Window& window, int left) {
  area_ = {left, 0, std::max(1, window.width() - left), std::max(1, window.height())};
  if (shows_all_ || !placed_) Place(d, points);
  mjvOption shown = option;
  coloring.ShowLinks(m_, cables, &shown);
  mjv_updateScene(m_, d, &shown, &perturb, &camera, mjCAT_ALL, &scene_);
  coloring.Apply(m_, d, cables, &scene_);
  if (!points.empty()) AddFilm(film_, points, &coloring, &scene_);
  grid.Add(&scene_);
  scene_.flags[mjRND_SHADOW] = shadows;
  mjr_render(area_, &scene_, &context_);
}

int Stage::Pick(const mjData* d, const MouseState& mouse, mjtNum point[3]) {
  const double x = (mouse.x - area_.left) / area_.width, y = 1 - mouse.y / area_.height;
  int geom = -1, flex = -1, skin = -1;
  return mjv_select(m_, d, &option, static_cast<double>(area_.width) / area_.height, x, y, &scene_,
                    point, &geom, &flex, &skin);
}

bool Stage::Mouse(mjData* d, const MouseState& mouse, bool double_click, double wheel) {
  const bool was_active = perturb.active;
  const bool button = mouse.left || mouse.right, had_button = last_.left || last_.right;
  mjtNum point[3];
  if (double_click) {
    const int body = Pick(d, mouse, point);
    perturb.select = std::max(body, 0);
  }
  if (button && mouse.control) {
    Pull(d, mouse, !had_button);
  } else {
    perturb.active = 0;
    if (had_button || last_.middle) MoveCamera(mouse, mouse.x - last_.x, mouse.y - last_.y);
  }
  if (wheel != 0) Turn(mjv_moveCamera, m_, mjMOUSE_ZOOM, 0, -kPerNotch * wheel, &scene_, &camera);
  last_ = mouse;
  return perturb.active || was_active;
}

// With the control key: the left button turns a body, the right one moves it. The body is the one
// under the mouse or, if there is none, the selected one.
void Stage::Pull(mjData* d, const MouseState& mouse, bool pressed) {
  if (pressed) {
    mjtNum point[3];
    const int body = Pick(d, mouse, point);
    if (body > 0) {
      perturb.select = body;
      mjtNum apart[3];
      mju_sub3(apart, point, d->xpos + 3 * body);
      mju_mulMatTVec3(perturb.localpos, d->xmat + 9 * body, apart);
    }
    if (perturb.select <= 0) return;
    mjv_initPerturb(m_, d, &scene_, &perturb);
    perturb.active = mouse.right ? mjPERT_TRANSLATE : mjPERT_ROTATE;
    return;
  }
  if (!perturb.active) return;
  mjv_movePerturb(m_, d, ActionOf(mouse), (mouse.x - last_.x) / area_.height,
                  (mouse.y - last_.y) / area_.height, &scene_, &perturb);
}

void Stage::MoveCamera(const MouseState& mouse, double dx, double dy) {
  if (!mouse.left && !mouse.right && !mouse.middle) return;
  const int action = mouse.middle ? mjMOUSE_ZOOM : ActionOf(mouse);
  Turn(mjv_moveCamera, m_, action, dx / area_.height, dy / area_.height, &scene_, &camera);
}

}  // namespace strand::viewer
