#include "tests/support/sheets.h"

#include <array>
#include <vector>

namespace strand::testing {

int AddSheet(int columns, int rows, const std::function<Vector3(int, int)>& place,
             Network* network) {
  std::vector<Vector3> vertices;
  std::vector<std::array<int, 3>> triangles;
  for (int j = 0; j <= rows; ++j) {
    for (int i = 0; i <= columns; ++i) vertices.push_back(place(i, j));
  }
  for (int j = 0; j < rows; ++j) {
    for (int i = 0; i < columns; ++i) {
      const int a = i + j * (columns + 1), b = a + 1, c = b + columns + 1, d = c - 1;
      triangles.push_back({a, b, c});
      triangles.push_back({a, c, d});
    }
  }
  return network->AddShell(vertices, triangles);
}

}  // namespace strand::testing
