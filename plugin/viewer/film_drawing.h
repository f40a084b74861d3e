// A film's rods and shells as geoms of MuJoCo's scene.
#pragma once

#include <mujoco/mujoco.h>

#include <vector>

#include "plugin/viewer/coloring.h"
#include "plugin/viewer/film.h"

namespace strand::viewer {

/// Geoms that AddFilm adds at most.
int FilmGeoms(const FilmShapes& shapes);

/// Adds the shapes with their nodes at `points` (3 per node, m). `coloring`: rods are coloured by
/// curvature if that is chosen, in its range.
void AddFilm(const FilmShapes& shapes, const std::vector<double>& points, Coloring* coloring,
             mjvScene* scene);

/// Extends the box from `least` to `most` (m) by the nodes.
void Enclose(const std::vector<double>& points, mjtNum least[3], mjtNum most[3]);

}  // namespace strand::viewer
