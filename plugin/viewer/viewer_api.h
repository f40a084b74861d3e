// Interface of a viewer library, without MuJoCo's headers: as adapter_api.h. Both sides are built
// together, so that C++ types may be passed.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plugin/mujoco/interface/adapter_api.h"
#include "plugin/viewer/film.h"

namespace strand::viewer {

/// A model to show, or the reason why there is none. Functions that are missing do nothing, those
/// that are given must not throw.
struct Loaded {
  void *model = nullptr, *data = nullptr;  ///< mjModel, mjData; they must outlive the viewer
  void* copy = nullptr;                    ///< mjData that gets the state for the functions below
  std::string title, error;
  Film film;  ///< played instead of the model, if it exists
  /// Called before each step in the simulation's thread; returns an error, which pauses, or "".
  std::function<std::string()> drive;
  /// A quantity of each body in `copy`; NaN: not a link of a cable.
  std::function<std::vector<double>(const std::string& quantity)> values;
  std::string given, given_unit;  ///< name and unit of values("given"); `given` empty: none
  /// Saves the shape of the cables in `copy` or of the film with nodes at `points`; returns an
  /// error or "".
  std::function<std::string(const std::string& file, const std::vector<double>& points)> save_shape;
};

struct Request {
  Loaded scene;
  const StrandAdapterApi* cables = nullptr;
  std::string file;                 ///< that `load` opens again; empty: none
  std::vector<std::string> recent;  ///< files opened before, the latest first
  /// Opens a file; called in the thread of `view`. Must not throw.
  std::function<Loaded(const std::string& file)> load;
  /// Saves a picture (RGB, rows from the top); returns an error or "". Must not throw.
  std::function<std::string(const std::string& file, const std::vector<unsigned char>& pixels,
                            int width, int height)>
      save;
  /// Takes each frame of a film; returns an error or "". None: no film. Must not throw.
  std::function<std::string(const std::vector<unsigned char>& pixels, int width, int height)>
      record;
  /// Called once per frame; true ends the viewer. Must not throw.
  std::function<bool()> interrupted;
  int width = 1280, height = 960;  ///< of the window (pixels)
  double scale = 0;                ///< of texts and widgets; 0: that of the monitor
  double speed = 1;
  bool paused = false, panel = true;
  bool realtime = false;  ///< frames and scripts in the clock's time instead of 1/60 s per frame
  std::string color = "none";
  /// The point looked at (m), distance (m), azimuth and elevation (degrees); none: shows
  /// everything.
  std::optional<std::array<double, 6>> camera;
  int fixed_camera = -1;  ///< a camera of the model; -1: none
  int frames = 0;         ///< > 0: draws this many frames of 1/60 s and ends
  std::string script;     ///< text of a script (script.h)
  std::string picture;    ///< file for the last frame, and for key p; empty: none, screenshot.png
};

}  // namespace strand::viewer

extern "C" {

typedef struct StrandViewerApi {
  std::uint64_t layout;        // kViewerLayout of the sources of this library
  const char* mujoco_version;  // "4.0.1": the one this library was built for

  // Shows the scene until the window is closed. Returns 0, or -1 with `error` set.
  int (*view)(const strand::viewer::Request& request, std::string* error);
} StrandViewerApi;

STRAND_EXPORT const StrandViewerApi* strand_viewer_api(void);
}

namespace strand::viewer {

inline constexpr std::uint64_t kViewerLayout =
    LayoutOf<StrandViewerApi, StrandAdapterApi, Request, RodProfile>();

}  // namespace strand::viewer
