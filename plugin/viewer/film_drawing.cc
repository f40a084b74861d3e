#include "plugin/viewer/film_drawing.h"

#include <algorithm>
#include <array>

#include "model/geometry/node_curvature.h"

namespace strand::viewer {
namespace {

constexpr float kPaler = 0.4f;      // fraction of white in the colour of a triangle's back
constexpr double kShortest = 1e-9;  // m, of edges that are drawn

using Point = std::array<double, 3>;

Point At(const std::vector<double>& points, int node) {
  return {points[3 * node], points[3 * node + 1], points[3 * node + 2]};
}

mjvGeom* NextGeom(int type, const float rgba[4], mjvScene* scene) {
  if (scene->ngeom >= scene->maxgeom) return nullptr;
  mjvGeom* geom = &scene->geoms[scene->ngeom++];
  const mjtNum zero[3] = {}, upright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  mjv_initGeom(geom, type, zero, zero, upright, rgba);
  geom->category = mjCAT_DYNAMIC;  // decoration would cast no shadow
  return geom;
}

// The renderer lights only the side of the normal, which is turned to the camera.
void AddTriangle(const std::array<Point, 3>& corner, const std::array<float, 4>& front,
                 mjvScene* scene) {
  mjtNum u[3], v[3], normal[3], away[3];
  mju_sub3(u, corner[1].data(), corner[0].data());
  mju_sub3(v, corner[2].data(), corner[0].data());
  mju_cross(normal, u, v);
  if (mju_normalize3(normal) == 0) return;
  for (int i = 0; i < 3; ++i) away[i] = scene->camera[0].pos[i] - corner[0][i];
  std::array<float, 4> rgba = front;
  if (mju_dot3(away, normal) < 0) {
    std::swap_ranges(u, u + 3, v);
    mju_scl3(normal, normal, -1);
    for (int i = 0; i < 3; ++i) rgba[i] += kPaler * (1 - rgba[i]);
  }
  mjvGeom* geom = NextGeom(mjGEOM_TRIANGLE, rgba.data(), scene);
  if (!geom) return;
  for (int i = 0; i < 3; ++i) {
    geom->pos[i] = static_cast<float>(corner[0][i]);
    geom->size[i] = 1;
    // The sides are the first two columns of the geom's matrix.
    geom->mat[3 * i] = static_cast<float>(u[i]);
    geom->mat[3 * i + 1] = static_cast<float>(v[i]);
    geom->mat[3 * i + 2] = static_cast<float>(normal[i]);
  }
}

}  // namespace

int FilmGeoms(const FilmShapes& shapes) {
  return static_cast<int>(shapes.edges.size() + shapes.triangles.size());
}

void AddFilm(const FilmShapes& shapes, const std::vector<double>& points, Coloring* coloring,
             mjvScene* scene) {
  std::vector<double> heat;
  if (coloring->quantity == Quantity::kCurvature) {
    heat = NodeCurvatures(shapes.edges, points);
    coloring->Follow(0, heat.empty() ? 0 : *std::ranges::max_element(heat));
  }
  for (std::size_t e = 0; e < shapes.edges.size(); ++e) {
    const auto [a, b] = shapes.edges[e];
    const Point from = At(points, a), to = At(points, b);
    if (mju_dist3(from.data(), to.data()) < kShortest) continue;
    std::array<float, 4> rgba = shapes.edge_rgba[e];
    if (!heat.empty()) coloring->Paint(std::max(heat[a], heat[b]), rgba.data());
    mjvGeom* geom = NextGeom(mjGEOM_CAPSULE, rgba.data(), scene);
    if (geom) mjv_connector(geom, mjGEOM_CAPSULE, shapes.radius[e], from.data(), to.data());
  }
  for (std::size_t t = 0; t < shapes.triangles.size(); ++t) {
    const auto& [a, b, c] = shapes.triangles[t];
    AddTriangle({At(points, a), At(points, b), At(points, c)}, shapes.triangle_rgba[t], scene);
  }
}

void Enclose(const std::vector<double>& points, mjtNum least[3], mjtNum most[3]) {
  for (std::size_t k = 0; k < points.size(); ++k) {
    least[k % 3] = std::min(least[k % 3], points[k]);
    most[k % 3] = std::max(most[k % 3], points[k]);
  }
}

}  // namespace strand::viewer
