// Sheets of triangles for contact.
#pragma once

#include <functional>

#include "model/geometry/network.h"

namespace strand::testing {

/// A grid of `columns` by `rows` squares, each cut in two triangles; vertex (i, j) is i + j
/// (columns + 1), at place(i, j) (m).
int AddSheet(int columns, int rows, const std::function<Vector3(int, int)>& place,
             Network* network);

}  // namespace strand::testing
