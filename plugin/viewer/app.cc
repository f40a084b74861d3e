#include "plugin/viewer/app.h"

#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <stdexcept>
#include <thread>

namespace strand::viewer {
namespace {

constexpr double kFrame = 1.0 / 60;  // s, of a frame in scripts
constexpr double kFaster = 1.5;      // per key
constexpr double kBack = 0.02;       // of the history, per key

}  // namespace

App::App(const Request& request)
    : request_(request),
      script_(request.script),
      scripted_(request.frames > 0 || !script_.empty()),
      lockstep_(scripted_ && !request.realtime),
      window_("Strand", request.width, request.height, request.scale),
      file_(request.file),
      recent_(request.recent) {
  panel_.shown = request.panel;
  Show(request.scene);
  if (!scene_) throw std::runtime_error(request.scene.error);
  Color(QuantityOf(request.color));
  if (request.camera) scene_->stage.LookAt(*request.camera);
  if (request.fixed_camera >= 0) scene_->stage.UseCamera(request.fixed_camera);
  scene_->player.SetSpeed(request.speed);
  scene_->player.Play(!request.paused);
}

void App::Color(Quantity quantity) {
  scene_->stage.coloring.quantity = scene_->cables.Has(quantity) ? quantity : Quantity::kNone;
}

void App::Run() {
  while (!window_.closed() && Frame()) {
  }
  if (scripted_ && !request_.picture.empty()) {
    picture_ = request_.picture;
    scene_->player.Play(false);
    Draw({});
  }
}

// Replaces the scene. If there is none, the old one stays and the reason is shown.
void App::Show(const Loaded& loaded) {
  if (!loaded.model) {
    messages_.Add(loaded.error, true);
    return;
  }
  const Coloring coloring = scene_ ? scene_->stage.coloring : Coloring();
  const bool playing = scene_ && scene_->player.playing();
  scene_.reset();
  messages_.Clear();
  scene_ = std::make_unique<Scene>(loaded, request_.cables, &messages_, window_, lockstep_);
  scene_->stage.coloring = coloring;
  Color(coloring.quantity);
  scene_->player.Play(playing);
  window_.SetTitle(loaded.title + " - Strand");
}

void App::Open(const std::string& file) {
  if (!request_.load || file.empty()) {
    messages_.Add("nothing to load: the model was not opened from a file", true);
    return;
  }
  const Loaded loaded = request_.load(file);
  if (loaded.model) {
    file_ = file;
    std::erase(recent_, file);
    recent_.insert(recent_.begin(), file);
  }
  Show(loaded);
}

bool App::Frame() {
  if (request_.frames > 0 && drawn_ == request_.frames) return false;
  if (request_.interrupted && request_.interrupted()) return false;
  Script::Frame input;
  if (!script_.empty() && !script_.Next(&input) && request_.frames == 0) return false;
  Draw(input);
  return true;
}

// `input` is used only if the viewer is scripted.
void App::Draw(const Script::Frame& input) {
  window_.Begin(scripted_ ? &input.mouse : nullptr, input.wheel);
  const std::vector<int> keys = window_.keys;
  const std::vector<std::string> dropped = window_.dropped;
  for (const Order& order : input.orders) Follow(order);
  for (int key : keys) {
    if (!ImGui::GetIO().WantTextInput) OnKey(key);  // else it is typed into a slider
  }
  for (const std::string& file : dropped) Open(file);
  if (lockstep_) {
    scene_->player.Advance(kFrame * scene_->player.speed());
    scene_->player.Finish();
  }
  scene_->Update();
  UseMouse(scripted_ ? input.wheel : ImGui::GetIO().MouseWheel);
  scene_->stage.Draw(scene_->shown, scene_->player.shown_film().positions, scene_->cables, window_,
                     panel_.Width(window_));
  const Panel::Wishes wishes = panel_.Draw(window_, scene_.get(), messages_.Latest(), recent_);
  window_.DrawWidgets();
  if (request_.record) Record();
  if (!picture_.empty()) Save(picture_);
  picture_.clear();
  window_.End();
  if (!lockstep_) Wait();
  ++drawn_;
  if (wishes.clear) messages_.Clear();
  if (wishes.screenshot) OnKey(GLFW_KEY_P);
  if (!wishes.save_shape.empty()) SaveShape(wishes.save_shape);
  if (wishes.reload) Open(file_);
  if (!wishes.open.empty()) Open(wishes.open);
}

// Without a graphics card there is no display to wait for.
void App::Wait() {
  const auto now = std::chrono::steady_clock::now();
  due_ = std::max(now, due_ + std::chrono::duration_cast<std::chrono::nanoseconds>(
                                  std::chrono::duration<double>(kFrame)));
  std::this_thread::sleep_until(due_);
}

void App::UseMouse(double wheel) {
  const ImGuiIO& io = ImGui::GetIO();
  MouseState mouse{io.MousePos.x,   io.MousePos.y, io.MouseDown[0], io.MouseDown[1],
                   io.MouseDown[2], io.KeyCtrl,    io.KeyShift};
  if (io.WantCaptureMouse) {
    mouse.left = mouse.right = mouse.middle = false;
    wheel = 0;
  }
  const bool double_click = !io.WantCaptureMouse && ImGui::IsMouseDoubleClicked(0);
  if (scene_->stage.Mouse(scene_->shown, mouse, double_click, wheel)) {
    scene_->player.Perturb(scene_->stage.perturb);
  }
}

void App::OnKey(int key) {
  Player& player = scene_->player;
  Stage& stage = scene_->stage;
  const double time = scene_->shown->time;
  const Player::Status status = player.status();
  switch (key) {
    case GLFW_KEY_SPACE:
      player.Play(!player.playing());
      break;
    case GLFW_KEY_RIGHT:
      player.Step();
      break;
    case GLFW_KEY_LEFT:
      player.Rewind(std::max(status.begin, time - kBack * (status.end - status.begin)));
      break;
    case GLFW_KEY_EQUAL:
    case GLFW_KEY_KP_ADD:
      player.SetSpeed(player.speed() * kFaster);
      break;
    case GLFW_KEY_MINUS:
    case GLFW_KEY_KP_SUBTRACT:
      player.SetSpeed(player.speed() / kFaster);
      break;
    case GLFW_KEY_BACKSPACE:
      player.Reset();
      break;
    case GLFW_KEY_F5:
      Open(file_);
      break;
    case GLFW_KEY_F:
      stage.Follow(stage.perturb.select > 0 ? stage.perturb.select : -1);
      break;
    case GLFW_KEY_A:
      stage.ShowAll();
      break;
    case GLFW_KEY_C: {
      const int next = static_cast<int>(stage.coloring.quantity) + 1;
      Color(static_cast<Quantity>(next % kQuantities.size()));
      break;
    }
    case GLFW_KEY_P:
      picture_ = request_.picture.empty() ? "screenshot.png" : request_.picture;
      break;
    case GLFW_KEY_TAB:
      panel_.shown = !panel_.shown;
      break;
    case GLFW_KEY_F1:
      panel_.help = !panel_.help;
      break;
    case GLFW_KEY_ESCAPE:
      panel_.help ? void(panel_.help = false) : window_.Close();
      break;
    default:
      break;
  }
}

void App::Follow(const Order& order) {
  switch (order.kind) {
    case Order::Kind::kKey:
      OnKey(KeyNumber(order.text));
      break;
    case Order::Kind::kSet:
      ChangeByName(order.text, order.value, &scene_->tunables, &scene_->player);
      break;
    case Order::Kind::kColor:
      Color(QuantityOf(order.text));
      break;
    case Order::Kind::kOpen:
      Open(order.text);
      break;
    case Order::Kind::kResize:
      window_.Resize(static_cast<int>(order.value), static_cast<int>(order.second));
      break;
    case Order::Kind::kShot:
      picture_ = order.text;
      break;
    case Order::Kind::kShape:
      SaveShape(order.text);
      break;
    case Order::Kind::kQuit:
      window_.Close();
      break;
  }
}

void App::Save(const std::string& file) {
  const std::string problem =
      request_.save(file, window_.Pixels(), window_.width(), window_.height());
  if (!problem.empty()) messages_.Add(problem, true);
}

void App::SaveShape(const std::string& file) {
  const std::string problem = scene_->SaveShape(file);
  messages_.Add(problem.empty() ? "saved " + file : problem, !problem.empty());
}

// The film ends at its first error.
void App::Record() {
  const std::string problem = request_.record(window_.Pixels(), window_.width(), window_.height());
  if (!problem.empty()) throw std::runtime_error(problem);
}

}  // namespace strand::viewer
