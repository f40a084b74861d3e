// The viewer's loop: events, scene, panel, picture.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "plugin/viewer/messages.h"
#include "plugin/viewer/panel.h"
#include "plugin/viewer/scene.h"
#include "plugin/viewer/script.h"
#include "plugin/viewer/viewer_api.h"
#include "plugin/viewer/window.h"

namespace strand::viewer {

class App {
 public:
  /// Throws std::runtime_error or std::invalid_argument, with words.
  explicit App(const Request& request);

  /// Until the window is closed, the script ends, or all frames are drawn.
  void Run();

 private:
  bool Frame();
  void Draw(const Script::Frame& input);
  void Open(const std::string& file);
  void Show(const Loaded& loaded);
  void OnKey(int key);
  void Follow(const Order& order);
  void Color(Quantity quantity);
  void UseMouse(double wheel);
  void Save(const std::string& file);
  void SaveShape(const std::string& file);
  void Record();
  void Wait();

  const Request& request_;
  Script script_;
  const bool scripted_;  ///< input and end are not the user's
  const bool lockstep_;  ///< time passes by frames
  Messages messages_;
  Window window_;
  Panel panel_;
  std::unique_ptr<Scene> scene_;
  std::string file_, picture_;       ///< the picture is saved at the end of this frame
  std::vector<std::string> recent_;  ///< files, the latest first
  int drawn_ = 0;
  std::chrono::steady_clock::time_point due_;  ///< of the next frame
};

}  // namespace strand::viewer
