#include "plugin/viewer/window.h"

#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace strand::viewer {
namespace {

constexpr float kLetters = 13;  // pixels, of Dear ImGui's own font

std::string Problem() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text ? text : "no reason given";
}

Window& Of(GLFWwindow* window) { return *static_cast<Window*>(glfwGetWindowUserPointer(window)); }

void OnKey(GLFWwindow* window, int key, int, int action, int) {
  if (action != GLFW_RELEASE) Of(window).keys.push_back(key);
}

bool RunsOnProcessor() {
  const auto* given = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  const std::string renderer = given ? given : "";
  for (const char* name : {"llvmpipe", "softpipe", "swrast", "SWR"}) {
    if (renderer.find(name) != std::string::npos) return true;
  }
  return false;
}

void OnDrop(GLFWwindow* window, int count, const char** paths) {
  for (int k = 0; k < count; ++k) Of(window).dropped.emplace_back(paths[k]);
}

}  // namespace

Window::Window(const std::string& title, int width, int height, double scale) {
  if (!glfwInit()) throw std::runtime_error("no display: " + Problem());
  Create(title, width, height, 4);
  if (window_ && RunsOnProcessor()) {  // antialiasing would take half of its time
    glfwDestroyWindow(window_);
    Create(title, width, height, 0);
    software_ = true;
  }
  if (!window_) Create(title, width, height, 0);
  if (!window_) {
    const std::string problem = Problem();
    glfwTerminate();
    throw std::runtime_error("no window with OpenGL: " + problem);
  }
  glfwSwapInterval(1);
  glfwSetWindowUserPointer(window_, this);
  glfwSetKeyCallback(window_, OnKey);
  glfwSetDropCallback(window_, OnDrop);
  float of_monitor = 1, ignored = 1;
  glfwGetWindowContentScale(window_, &of_monitor, &ignored);
  scale_ = scale > 0 ? scale : std::max(1.0f, of_monitor);
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;  // writes no file into the user's folder
  ImFontConfig font;
  font.SizePixels = std::round(kLetters * static_cast<float>(scale_));
  io.Fonts->AddFontDefault(&font);
  ImGui::StyleColorsDark();
  ImGui::GetStyle().Colors[ImGuiCol_WindowBg].w = 1;  // the frame below it is not cleared
  ImGui::GetStyle().ScaleAllSizes(static_cast<float>(scale_));
  ImGui_ImplGlfw_InitForOpenGL(window_, true);  // calls the callbacks set above, too
  ImGui_ImplOpenGL3_Init("#version 120");
  glfwGetFramebufferSize(window_, &width_, &height_);
}

void Window::Create(const std::string& title, int width, int height, int samples) {
  glfwWindowHint(GLFW_SAMPLES, samples);
  window_ = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
  if (window_) glfwMakeContextCurrent(window_);
}

Window::~Window() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
  glfwDestroyWindow(window_);
  glfwTerminate();
}

bool Window::closed() const { return glfwWindowShouldClose(window_); }
void Window::Close() { glfwSetWindowShouldClose(window_, GLFW_TRUE); }
void Window::SetTitle(const std::string& title) { glfwSetWindowTitle(window_, title.c_str()); }
void Window::Resize(int width, int height) { glfwSetWindowSize(window_, width, height); }

void Window::Begin(const MouseState* mouse, double wheel) {
  keys.clear(), dropped.clear();
  glfwPollEvents();
  glfwGetFramebufferSize(window_, &width_, &height_);
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  if (mouse) FeedMouse(*mouse, wheel);
  ImGui::NewFrame();
}

void Window::FeedMouse(const MouseState& mouse, double wheel) {
  ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18700
  io.AddMousePosEvent(static_cast<float>(mouse.x), static_cast<float>(mouse.y));
  io.AddMouseButtonEvent(0, mouse.left);
  io.AddMouseButtonEvent(1, mouse.right);
  io.AddMouseButtonEvent(2, mouse.middle);
  io.AddMouseWheelEvent(0, static_cast<float>(wheel));
#else
  io.MousePos = {static_cast<float>(mouse.x), static_cast<float>(mouse.y)};
  io.MouseDown[0] = mouse.left, io.MouseDown[1] = mouse.right, io.MouseDown[2] = mouse.middle;
  io.MouseWheel = static_cast<float>(wheel);
#endif
  io.KeyCtrl = mouse.control, io.KeyShift = mouse.shift;
}

void Window::DrawWidgets() {
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

void Window::End() { glfwSwapBuffers(window_); }

std::vector<unsigned char> Window::Pixels() const {
  const size_t row = 3 * static_cast<size_t>(width_);
  std::vector<unsigned char> pixels(row * height_), upright(pixels.size());
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width_, height_, GL_RGB, GL_UNSIGNED_BYTE, pixels.data());
  for (int y = 0; y < height_; ++y) {
    std::copy_n(&pixels[row * (height_ - 1 - y)], row, &upright[row * y]);
  }
  return upright;
}

}  // namespace strand::viewer
