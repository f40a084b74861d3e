// The panel at the left of the window: playback, view, sliders, plots, messages.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "plugin/viewer/scene.h"
#include "plugin/viewer/window.h"

namespace strand::viewer {

class Panel {
 public:
  /// What the user asked for that concerns more than the scene.
  struct Wishes {
    bool reload = false, screenshot = false, clear = false;
    std::string open, save_shape;  ///< files
  };

  bool shown = true, help = false;

  /// Width (pixels) that the scene leaves to the panel.
  int Width(const Window& window) const;
  /// `recent`: files opened before.
  Wishes Draw(const Window& window, Scene* scene, const std::vector<Message>& messages,
              const std::vector<std::string>& recent);

 private:
  void Files(const Scene& scene, const std::vector<std::string>& recent, Wishes* wishes);
  void ShapeDialog(Wishes* wishes);
  void Playback(Scene* scene);
  void View(Scene* scene);
  void Colors(Scene* scene);
  void Sliders(Scene* scene, bool controls);
  void Plots(Scene* scene, double scale);
  void Legend(const Scene& scene, const Window& window) const;
  bool ShowMessages(const Window& window, const std::vector<Message>& messages) const;
  void Help(const Window& window);

  std::array<char, 256> shape_file_{"shape.csv"};
};

}  // namespace strand::viewer
