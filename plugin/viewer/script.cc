#include "plugin/viewer/script.h"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <stdexcept>

namespace strand::viewer {
namespace {

constexpr int kDragFrames = 10, kMostFrames = 1'000'000;

const std::map<std::string, int>& KeyNumbers() {
  static const std::map<std::string, int> numbers = [] {
    std::map<std::string, int> names{{"space", GLFW_KEY_SPACE},   {"right", GLFW_KEY_RIGHT},
                                     {"left", GLFW_KEY_LEFT},     {"backspace", GLFW_KEY_BACKSPACE},
                                     {"escape", GLFW_KEY_ESCAPE}, {"tab", GLFW_KEY_TAB},
                                     {"f1", GLFW_KEY_F1},         {"f5", GLFW_KEY_F5},
                                     {"plus", GLFW_KEY_EQUAL},    {"minus", GLFW_KEY_MINUS}};
    for (char letter = 'a'; letter <= 'z'; ++letter) {
      names[std::string(1, letter)] = GLFW_KEY_A + (letter - 'a');
    }
    return names;
  }();
  return numbers;
}

double Number(const std::string& word) {
  size_t used = 0;
  double value = 0;
  try {
    value = std::stod(word, &used);
  } catch (const std::exception&) {
  }
  if (used != word.size() || used == 0) {
    throw std::invalid_argument("got '" + word + "', allowed: a number");
  }
  return value;
}

int Count(const std::string& word) {
  const double count = Number(word);
  if (!(count >= 1 && count <= kMostFrames)) {
    throw std::invalid_argument("got '" + word + "', allowed: frames, 1 to 1000000");
  }
  return static_cast<int>(count);
}

bool Has(const std::vector<std::string>& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

// Sets the mouse's buttons from the name of a button.
void Press(const std::string& button, MouseState* mouse) {
  if (button == "left" || button == "turn") {
    mouse->left = true;
  } else if (button == "right" || button == "pull") {
    mouse->right = true;
  } else if (button == "middle") {
    mouse->middle = true;
  } else {
    throw std::invalid_argument("got '" + button + "', allowed: left, right, middle, pull, turn");
  }
  mouse->control = button == "pull" || button == "turn";
}

}  // namespace

int KeyNumber(const std::string& name) {
  const auto found = KeyNumbers().find(name);
  if (found != KeyNumbers().end()) return found->second;
  std::string names;
  for (const auto& [each, number] : KeyNumbers()) names += (names.empty() ? "" : ", ") + each;
  throw std::invalid_argument("key: got '" + name + "', allowed: " + names);
}

Script::Script(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::istringstream parts(line.substr(0, line.find('#')));
    std::vector<std::string> words;
    for (std::string word; parts >> word;) words.push_back(word);
    if (words.empty()) continue;
    if (frames_.empty()) frames_.emplace_back();
    try {
      Read(words);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument("script, line " + std::to_string(number) + " (" + words[0] +
                                  "): " + error.what());
    }
  }
}

void Script::Read(const std::vector<std::string>& words) {
  struct Simple {
    Order::Kind kind;
    size_t words;
    bool text;
  };
  static const std::map<std::string, Simple> simple{
      {"key", {Order::Kind::kKey, 2, true}},        {"set", {Order::Kind::kSet, 3, true}},
      {"color", {Order::Kind::kColor, 2, true}},    {"open", {Order::Kind::kOpen, 2, true}},
      {"shot", {Order::Kind::kShot, 2, true}},      {"shape", {Order::Kind::kShape, 2, true}},
      {"resize", {Order::Kind::kResize, 3, false}}, {"quit", {Order::Kind::kQuit, 1, false}}};
  const std::string& name = words[0];
  if (const auto found = simple.find(name); found != simple.end()) {
    const auto& [kind, count, text] = found->second;
    if (words.size() != count) {
      throw std::invalid_argument("got " + std::to_string(words.size() - 1) +
                                  " arguments, allowed: " + std::to_string(count - 1));
    }
    if (kind == Order::Kind::kKey) KeyNumber(words[1]);
    Order order{kind, text ? words[1] : ""};
    if (count > 2) order.value = Number(words[2]);
    if (!text && count > 2) order.value = Number(words[1]), order.second = Number(words[2]);
    frames_.back().orders.push_back(order);
    // The picture is that of this frame, before what follows.
    if (kind == Order::Kind::kShot) frames_.push_back({{}, frames_.back().mouse});
  } else if (name == "frames" && words.size() == 2) {
    const MouseState mouse = frames_.back().mouse;
    for (int k = Count(words[1]); k > 0; --k) frames_.push_back({{}, mouse});
  } else if (name == "click" && words.size() >= 3) {
    Click(words);
  } else if (name == "drag" && (words.size() == 6 || words.size() == 7)) {
    Drag(words);
  } else if (name == "wheel" && words.size() == 4) {
    frames_.back().mouse.x = Number(words[1]), frames_.back().mouse.y = Number(words[2]);
    const MouseState mouse = frames_.back().mouse;
    frames_.push_back({{}, mouse, Number(words[3])});
    frames_.push_back({{}, mouse});
  } else {
    throw std::invalid_argument(
        "allowed: frames N, key NAME, click X Y [right] [double], drag BUTTON X Y TO_X TO_Y [N], "
        "wheel X Y NOTCHES, set NAME VALUE, color QUANTITY, open FILE, resize W H, shot FILE, "
        "shape FILE, quit");
  }
}

// Dear ImGui sees a button only if it is down during a whole frame.
void Script::Click(const std::vector<std::string>& words) {
  MouseState mouse;
  mouse.x = Number(words[1]), mouse.y = Number(words[2]);
  frames_.back().mouse = mouse;
  for (int k = Has(words, "double") ? 2 : 1; k > 0; --k) {
    MouseState down = mouse;
    Press(Has(words, "right") ? "right" : "left", &down);
    frames_.push_back({{}, mouse});
    frames_.push_back({{}, down});
    frames_.push_back({{}, mouse});
  }
}

void Script::Drag(const std::vector<std::string>& words) {
  MouseState mouse;
  mouse.x = Number(words[2]), mouse.y = Number(words[3]);
  const double dx = Number(words[4]) - mouse.x, dy = Number(words[5]) - mouse.y;
  const int count = words.size() == 7 ? Count(words[6]) : kDragFrames;
  frames_.push_back({{}, mouse});
  Press(words[1], &mouse);
  frames_.push_back({{}, mouse});
  const MouseState from = mouse;
  for (int k = 1; k <= count; ++k) {
    mouse.x = from.x + dx * k / count, mouse.y = from.y + dy * k / count;
    frames_.push_back({{}, mouse});
  }
  MouseState released;
  released.x = mouse.x, released.y = mouse.y;
  frames_.push_back({{}, released});
}

bool Script::Next(Frame* frame) {
  if (next_ == frames_.size()) return false;
  *frame = frames_[next_++];
  return true;
}

}  // namespace strand::viewer
