#include "plugin/viewer/grid.h"

#include <algorithm>
#include <cmath>

namespace strand::viewer {
namespace {

constexpr int kCells = 10;        // to each side of the middle
constexpr double kAcross = 4;     // cells that the scene covers, at least
constexpr float kLinePixels = 1;  // width of a line
constexpr double kBelow = 0.002;  // of the scene's size, so that what lies at its bottom is seen
constexpr float kLineInk[4] = {0.55f, 0.62f, 0.71f, 1};

}  // namespace

Grid::Grid(const mjModel* m) {
  shown = std::none_of(m->geom_type, m->geom_type + m->ngeom,
                       [](int type) { return type == mjGEOM_PLANE || type == mjGEOM_HFIELD; });
}

// The cells are 1, 2 or 5 times a power of ten.
void Grid::Place(const mjtNum least[3], const mjtNum most[3]) {
  const double size = std::max({most[0] - least[0], most[1] - least[1], most[2] - least[2]});
  if (!(size > 0) || !std::isfinite(size)) return;
  const double power = std::pow(10.0, std::floor(std::log10(size / kAcross)));
  for (double factor : {1.0, 2.0, 5.0}) {
    if (factor * power <= size / kAcross) cell_ = factor * power;
  }
  for (int i : {0, 1}) middle_[i] = cell_ * std::round((least[i] + most[i]) / 2 / cell_);
  height_ = least[2] - kBelow * size;
}

void Grid::Add(mjvScene* scene) const {
  if (!shown || cell_ == 0) return;
  const double half = kCells * cell_;
  for (int line = -kCells; line <= kCells; ++line) {
    for (int across : {0, 1}) {
      if (scene->ngeom >= scene->maxgeom) return;
      mjtNum from[3] = {middle_[0] - half, middle_[1] - half, height_};
      mjtNum to[3] = {middle_[0] + half, middle_[1] + half, height_};
      from[across] = to[across] = middle_[across] + line * cell_;
      mjvGeom* geom = &scene->geoms[scene->ngeom++];
      mjv_initGeom(geom, mjGEOM_LINE, nullptr, nullptr, nullptr, kLineInk);
      mjv_connector(geom, mjGEOM_LINE, kLinePixels, from, to);
    }
  }
}

}  // namespace strand::viewer
