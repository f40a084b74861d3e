// A window of GLFW with Dear ImGui: events in, frames out. It knows nothing of simulations.
#pragma once

#include <string>
#include <vector>

struct GLFWwindow;

namespace strand::viewer {

struct MouseState {
  double x = 0, y = 0;  ///< pixels from the upper left
  bool left = false, right = false, middle = false, control = false, shift = false;
};

class Window {
 public:
  /// Throws std::runtime_error with words if there is no display or no OpenGL. `scale` of texts and
  /// widgets; 0: that of the monitor.
  Window(const std::string& title, int width, int height, double scale);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  bool closed() const;
  void Close();
  void SetTitle(const std::string& title);
  void Resize(int width, int height);
  /// Size (pixels) of the framebuffer, which has one pixel or more per unit of the window.
  int width() const { return width_; }
  int height() const { return height_; }
  double scale() const { return scale_; }
  /// OpenGL runs on the processor (Mesa's llvmpipe and the like).
  bool software() const { return software_; }

  /// Takes in events and begins a frame. With `mouse`, uses it instead of the user's.
  void Begin(const MouseState* mouse, double wheel);
  /// Draws the widgets over what was drawn since Begin.
  void DrawWidgets();
  /// Ends the frame and shows it.
  void End();
  /// The frame drawn so far: RGB, rows from the top.
  std::vector<unsigned char> Pixels() const;

  std::vector<int> keys;             ///< pressed since the last frame (GLFW_KEY_...)
  std::vector<std::string> dropped;  ///< files dropped since the last frame

 private:
  void Create(const std::string& title, int width, int height, int samples);
  void FeedMouse(const MouseState& mouse, double wheel);

  GLFWwindow* window_ = nullptr;
  int width_ = 0, height_ = 0;
  double scale_ = 1;
  bool software_ = false;
};

}  // namespace strand::viewer
