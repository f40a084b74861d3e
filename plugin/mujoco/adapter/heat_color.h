// The colour scale of cables, in MuJoCo's scene and in the viewer.
#pragma once

#include <algorithm>

namespace strand::mujoco {

/// RGBA from blue (heat 0) over green and yellow to red (1), linear between five stops. Heats
/// beyond these and NaN get the colour of the nearest end.
inline void HeatColor(double heat, float rgba[4]) {
  static constexpr float kStops[5][3] = {{0.19f, 0.36f, 0.78f},
                                         {0.16f, 0.68f, 0.78f},
                                         {0.45f, 0.80f, 0.36f},
                                         {0.97f, 0.76f, 0.20f},
                                         {0.85f, 0.22f, 0.16f}};
  const double place = 4 * (heat > 0 ? std::min(heat, 1.0) : 0.0);
  const int stop = std::min(static_cast<int>(place), 3);
  const float along = static_cast<float>(place - stop);
  for (int i = 0; i < 3; ++i) {
    rgba[i] = kStops[stop][i] + along * (kStops[stop + 1][i] - kStops[stop][i]);
  }
  rgba[3] = 1;
}

}  // namespace strand::mujoco
