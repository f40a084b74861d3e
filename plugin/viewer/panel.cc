#include "plugin/viewer/panel.h"

#include <imgui.h>

#include <algorithm>
#include <cstdio>

#include "plugin/mujoco/adapter/heat_color.h"
#include "plugin/viewer/names.h"

namespace strand::viewer {
namespace {

constexpr double kWidth = 290, kPlotHeight = 60;  // pixels at scale 1
const ImVec4 kError{1, 0.45f, 0.4f, 1}, kWarning{1, 0.85f, 0.4f, 1};

constexpr const char* kHelp[][2] = {
    {"space", "play, pause"},
    {"right, left", "one step; back in the history"},
    {"+, -", "faster, slower"},
    {"backspace", "reset"},
    {"F5", "load the file again"},
    {"drag left", "turn the camera"},
    {"drag right", "move the camera (shift: level)"},
    {"wheel, drag middle", "zoom"},
    {"double click", "select a body"},
    {"ctrl + drag right", "pull at a body"},
    {"ctrl + drag left", "turn a body"},
    {"f, a", "follow the selected body; see all"},
    {"c", "next quantity for the colours of cables"},
    {"p", "save a picture"},
    {"tab", "hide this panel"},
    {"F1, escape", "this help; close"},
};

std::string Seconds(double time) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3f s", time);
  return text;
}

}  // namespace

int Panel::Width(const Window& window) const {
  return shown ? std::min(static_cast<int>(kWidth * window.scale()), window.width() / 2) : 0;
}

Panel::Wishes Panel::Draw(const Window& window, Scene* scene, const std::vector<Message>& messages,
                          const std::vector<std::string>& recent) {
  Wishes wishes;
  if (shown) {
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(
        {static_cast<float>(Width(window)), static_cast<float>(window.height())});
    ImGui::Begin("strand", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysVerticalScrollbar);
    ImGui::PushItemWidth(0.55f * ImGui::GetWindowWidth());
    ImGui::TextWrapped("%s", scene->loaded.title.c_str());
    Files(*scene, recent, &wishes);
    Playback(scene);
    View(scene);
    if (scene->film.exists() || !scene->cables.instance.empty()) Colors(scene);
    if (!scene->film.exists()) Sliders(scene, false);
    if (!scene->film.exists() && scene->model->nu > 0) Sliders(scene, true);
    if (!scene->cables.instance.empty() || !scene->film.plots.empty()) {
      Plots(scene, window.scale());
    }
    ImGui::PopItemWidth();
    ImGui::End();
  }
  Legend(*scene, window);
  wishes.clear = ShowMessages(window, messages);
  if (help) Help(window);
  return wishes;
}

void Panel::Files(const Scene& scene, const std::vector<std::string>& recent, Wishes* wishes) {
  wishes->reload = ImGui::Button("Reload");
  ImGui::SameLine();
  wishes->screenshot = ImGui::Button("Picture");
  ImGui::SameLine();
  if (scene.loaded.save_shape) {
    if (ImGui::Button("Shape")) ImGui::OpenPopup("shape");
    ImGui::SameLine();
  }
  if (ImGui::Button("Help")) help = !help;
  ShapeDialog(wishes);
  if (recent.empty() || !ImGui::BeginCombo("open", "recent files")) return;
  for (const std::string& file : recent) {
    if (ImGui::Selectable(file.c_str())) wishes->open = file;
  }
  ImGui::EndCombo();
}

void Panel::ShapeDialog(Wishes* wishes) {
  if (!ImGui::BeginPopup("shape")) return;
  ImGui::InputText("##file", shape_file_.data(), shape_file_.size());
  ImGui::SameLine();
  if (ImGui::Button("Save")) {
    wishes->save_shape = shape_file_.data();
    ImGui::CloseCurrentPopup();
  }
  ImGui::TextUnformatted(".csv: nodes; .cable.toml, .xml: a cable of this shape");
  ImGui::EndPopup();
}

void Panel::Playback(Scene* scene) {
  Player& player = scene->player;
  const bool playing = player.playing();
  if (ImGui::Button(playing ? "Pause" : "Play")) player.Play(!playing);
  ImGui::SameLine();
  if (ImGui::Button("Step")) player.Step();
  ImGui::SameLine();
  if (ImGui::Button("Reset")) player.Reset();
  const Player::Status status = player.status();
  float time = static_cast<float>(scene->shown->time);
  if (ImGui::SliderFloat("time", &time, static_cast<float>(status.begin),
                         static_cast<float>(std::max(status.end, status.begin + 1e-6)), "%.3f s")) {
    player.Rewind(time);
  }
  float speed = static_cast<float>(player.speed());
  if (ImGui::SliderFloat("speed", &speed, 0.01f, 10, "%.3g x", ImGuiSliderFlags_Logarithmic) &&
      speed > 0) {
    player.SetSpeed(speed);
  }
  if (playing) {
    ImGui::Text("%.2f x real time, step %s", status.real_time_factor,
                WithUnit(status.step_time, "s").c_str());
  } else {
    ImGui::Text("paused at %s", Seconds(scene->shown->time).c_str());
  }
  for (int key = 0; key < scene->model->nkey; ++key) {
    const std::string label = NameOf(scene->model, mjOBJ_KEY, key, "key");
    if (ImGui::Button((label + "##key" + std::to_string(key)).c_str())) player.Reset(key);
  }
}

void Panel::View(Scene* scene) {
  if (!ImGui::CollapsingHeader("View")) return;
  Stage& stage = scene->stage;
  if (ImGui::Button("See all")) stage.ShowAll();
  ImGui::SameLine();
  if (ImGui::Button("Follow selected")) {
    stage.Follow(stage.perturb.select > 0 ? stage.perturb.select : -1);
  }
  for (int k = 0; k < scene->model->ncam; ++k) {
    const std::string label = NameOf(scene->model, mjOBJ_CAMERA, k, "camera");
    if (ImGui::Button((label + "##camera" + std::to_string(k)).c_str())) stage.UseCamera(k);
  }
  const auto flag = [&](const char* label, int k) {
    bool on = stage.option.flags[k];
    if (ImGui::Checkbox(label, &on)) stage.option.flags[k] = on;
  };
  ImGui::Checkbox("shadows", &stage.shadows);
  ImGui::Checkbox("grid below", &stage.grid.shown);
  flag("contact points", mjVIS_CONTACTPOINT);
  flag("contact forces", mjVIS_CONTACTFORCE);
  flag("joints", mjVIS_JOINT);
  flag("transparent", mjVIS_TRANSPARENT);
  if (stage.perturb.select > 0) {
    const std::string name = NameOf(scene->model, mjOBJ_BODY, stage.perturb.select, "body");
    ImGui::Text("selected: %s", name.c_str());
  }
}

void Panel::Colors(Scene* scene) {
  if (!ImGui::CollapsingHeader("Cables", ImGuiTreeNodeFlags_DefaultOpen)) return;
  Coloring& coloring = scene->stage.coloring;
  const Cables& cables = scene->cables;
  if (ImGui::BeginCombo("colour", cables.Words(coloring.quantity).name)) {
    for (size_t k = 0; k < kQuantities.size(); ++k) {
      const auto quantity = static_cast<Quantity>(k);
      if (!cables.Has(quantity)) continue;
      if (ImGui::Selectable(cables.Words(quantity).name, quantity == coloring.quantity)) {
        coloring.quantity = quantity;
      }
    }
    ImGui::EndCombo();
  }
  ImGui::Checkbox("keep the range of colours", &coloring.fixed);
  const auto& names = cables.name;
  if (names.size() > 1 && ImGui::BeginCombo("cable", names[scene->selected_cable].c_str())) {
    for (size_t k = 0; k < names.size(); ++k) {
      const bool now = static_cast<int>(k) == scene->selected_cable;
      if (ImGui::Selectable(names[k].c_str(), now)) scene->selected_cable = static_cast<int>(k);
    }
    ImGui::EndCombo();
  }
}

void Panel::Sliders(Scene* scene, bool controls) {
  const auto open = controls ? ImGuiTreeNodeFlags_DefaultOpen : ImGuiTreeNodeFlags_None;
  if (!ImGui::CollapsingHeader(controls ? "Controls" : "Physics", open)) return;
  ImGui::PushID(controls);  // actuators may have the names of other sliders
  for (Tunable& tunable : scene->tunables) {
    if (tunable.control != controls) continue;
    auto value = static_cast<float>(tunable.value);
    const std::string format = "%.4g " + tunable.unit;
    const auto flags = tunable.logarithmic ? ImGuiSliderFlags_Logarithmic : ImGuiSliderFlags_None;
    if (ImGui::SliderFloat(tunable.name.c_str(), &value, static_cast<float>(tunable.least),
                           static_cast<float>(tunable.most), format.c_str(), flags)) {
      Change(value, &tunable, &scene->player);
    }
  }
  if (ImGui::Button(controls ? "Zero" : "Model's own")) {
    for (Tunable& tunable : scene->tunables) {
      if (tunable.control == controls) {
        Change(controls ? 0 : tunable.original, &tunable, &scene->player);
      }
    }
  }
  ImGui::PopID();
}

void Panel::Plots(Scene* scene, double scale) {
  const bool film = scene->film.exists();
  const auto open = film ? ImGuiTreeNodeFlags_DefaultOpen : ImGuiTreeNodeFlags_None;
  if (!ImGui::CollapsingHeader("Plots", open)) return;
  const auto height = static_cast<float>(kPlotHeight * scale);
  const double* values = scene->player.shown_film().values.data();
  for (size_t k = 0; k < scene->film.plots.size(); ++k) {
    const FilmPlot& plot = scene->film.plots[k];
    if (plot.x.empty()) {
      scene->film_traces[k].Draw(height, {plot.theory_x, plot.theory});
    } else {
      DrawCurve(plot, values, 2 * height);
    }
    values += plot.size();
  }
  if (film) return;
  for (const Trace* trace :
       {&scene->energy, &scene->twist, &scene->end_height, &scene->step_time, &scene->real_time}) {
    trace->Draw(height);
  }
  double length = 0;
  for (double link : scene->profile.length) length += link;
  for (Quantity quantity : {Quantity::kCurvature, Quantity::kTwist, Quantity::kMoment}) {
    const auto& words = kQuantities[static_cast<int>(quantity)];
    DrawAlong(words.name, words.unit, JointValues(quantity, scene->profile), length, height);
  }
}

// A bar of colours with its range, at the lower right.
void Panel::Legend(const Scene& scene, const Window& window) const {
  const Coloring& coloring = scene.stage.coloring;
  if (coloring.quantity == Quantity::kNone) return;
  const QuantityWords words = scene.cables.Words(coloring.quantity);
  const auto scale = static_cast<float>(window.scale());
  const float pad = 12 * scale, letters = ImGui::GetFontSize();
  const float room = static_cast<float>(window.width() - Width(window)) - 4 * pad;
  const ImVec2 size{std::max(1.0f, std::min(260 * scale, room)), 14 * scale};
  const ImVec2 corner{window.width() - size.x - 2 * pad,
                      window.height() - size.y - letters * 1.4f - 2 * pad};
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  list.AddRectFilled({corner.x - pad, corner.y - letters * 1.4f - pad},
                     {corner.x + size.x + pad, window.height() - pad}, IM_COL32(20, 26, 34, 200),
                     4 * scale);
  constexpr int kSteps = 32;
  for (int k = 0; k < kSteps; ++k) {
    float rgba[4];
    mujoco::HeatColor((k + 0.5) / kSteps, rgba);
    list.AddRectFilled({corner.x + size.x * k / kSteps, corner.y},
                       {corner.x + size.x * (k + 1) / kSteps, corner.y + size.y},
                       ImGui::ColorConvertFloat4ToU32({rgba[0], rgba[1], rgba[2], 1}));
  }
  const std::string most = WithUnit(coloring.most, words.unit);
  const ImU32 ink = IM_COL32(235, 238, 242, 255);
  list.AddText({corner.x, corner.y - letters * 1.3f}, ink, words.name);
  list.AddText({corner.x, corner.y + size.y + 2 * scale}, ink,
               WithUnit(coloring.least, words.unit).c_str());
  list.AddText(
      {corner.x + size.x - ImGui::CalcTextSize(most.c_str()).x, corner.y + size.y + 2 * scale}, ink,
      most.c_str());
}

// Returns true if the user has read them.
bool Panel::ShowMessages(const Window& window, const std::vector<Message>& messages) const {
  if (messages.empty()) return false;
  const auto left = static_cast<float>(Width(window)), pad = static_cast<float>(8 * window.scale());
  ImGui::SetNextWindowPos({left + pad, pad});
  ImGui::SetNextWindowSize({window.width() - left - 2 * pad, 0});
  ImGui::Begin("messages", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                   ImGuiWindowFlags_NoSavedSettings);
  ImGui::PushTextWrapPos(0);
  for (const Message& message : messages) {
    ImGui::TextColored(message.error ? kError : kWarning, "%s", message.text.c_str());
  }
  ImGui::PopTextWrapPos();
  const bool read = ImGui::Button("Close##messages");
  ImGui::End();
  return read;
}

void Panel::Help(const Window& window) {
  ImGui::SetNextWindowPos({0.5f * window.width(), 0.5f * window.height()}, ImGuiCond_Always,
                          {0.5f, 0.5f});
  ImGui::Begin("Help", &help,
               ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoCollapse);
  if (ImGui::BeginTable("keys", 2)) {
    for (const auto& [key, meaning] : kHelp) {
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(key);
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(meaning);
    }
    ImGui::EndTable();
  }
  ImGui::End();
}

}  // namespace strand::viewer
