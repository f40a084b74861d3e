// Scripted input: what a user would do with mouse and keys, for tests and for pictures.
//
// One command per line; # starts a comment.
//     frames N                        draws N frames
//     key NAME                        presses a key: space, right, r, f1, escape, ...
//     click X Y [right] [double]      pixels from the upper left
//     drag BUTTON X Y TO_X TO_Y [N]   left, right, middle; pull (ctrl + right), turn (ctrl + left);
//     in N frames wheel X Y NOTCHES set NAME VALUE                  a slider, by its name color
//     QUANTITY                  colours of cables open FILE                       as if it were
//     dropped into the window resize WIDTH HEIGHT shot FILE                       saves the picture
//     quit
#pragma once

#include <string>
#include <vector>

#include "plugin/viewer/window.h"

namespace strand::viewer {

/// A command that is not about the mouse or time.
struct Order {
  enum class Kind { kKey, kSet, kColor, kOpen, kResize, kShot, kShape, kQuit } kind;
  std::string text;  ///< name or file
  double value = 0, second = 0;
};

class Script {
 public:
  /// Throws std::invalid_argument that names the line.
  explicit Script(const std::string& text);

  bool empty() const { return frames_.empty(); }
  /// All orders of the next frame, and the mouse in it. False at the end of the script.
  struct Frame {
    std::vector<Order> orders;
    MouseState mouse;
    double wheel = 0;
  };
  bool Next(Frame* frame);

 private:
  void Read(const std::vector<std::string>& words);
  void Click(const std::vector<std::string>& words);
  void Drag(const std::vector<std::string>& words);

  std::vector<Frame> frames_;  // the last one collects orders until its mouse is known
  size_t next_ = 0;
};

/// GLFW's number of a key. Throws std::invalid_argument that lists the names.
int KeyNumber(const std::string& name);

}  // namespace strand::viewer
