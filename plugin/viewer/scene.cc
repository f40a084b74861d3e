#include "plugin/viewer/scene.h"

namespace strand::viewer {

Scene::Scene(const Loaded& scene, const StrandAdapterApi* api, Messages* messages,
             const Window& window, bool lockstep)
    : loaded(scene),
      model(static_cast<mjModel*>(loaded.model)),
      data(static_cast<mjData*>(loaded.data)),
      film(loaded.film),
      cables(model, api),
      tunables(film.exists() ? std::vector<Tunable>() : TunablesOf(model, data, cables)),
      stage(model, film.shapes, window.scale(), window.software()),
      player(model, data, &film, loaded.drive, messages, lockstep) {
  shown = player.Shown();
  // Without a graphics card shadows take two thirds of the time of a frame.
  stage.shadows = lockstep || !window.software();
  player.AfterJump(AfterJump(tunables));
  for (const FilmPlot& plot : film.plots) film_traces.emplace_back(plot.name, plot.unit);
  if (!loaded.copy || !loaded.values) return;
  cables.given = loaded.given, cables.given_unit = loaded.given_unit;
  cables.values = [this](const mjData* d, const std::string& quantity) {
    CopyState(d);
    return loaded.values(quantity);
  };
}

Scene::~Scene() {
  player.Play(false);
  player.Post([this](mjModel* m, mjData* d) { RestoreModel(tunables, m, d); });
  player.Finish();
}

void Scene::CopyState(const mjData* from) const {
  mj_copyData(static_cast<mjData*>(loaded.copy), model, from);
}

std::string Scene::SaveShape(const std::string& file) const {
  if (!loaded.save_shape) return "shape: got a scene without cables";
  if (loaded.copy) CopyState(shown);
  return loaded.save_shape(file, player.shown_film().positions);
}

void Scene::ClearTraces() {
  for (Trace* trace : {&energy, &twist, &end_height, &step_time, &real_time}) trace->Clear();
  for (Trace& trace : film_traces) trace.Clear();
}

void Scene::AddToTraces() {
  const double time = shown->time;
  const Player::Status status = player.status();
  step_time.Add(time, status.step_time);
  real_time.Add(time, status.real_time_factor);
  const std::vector<double>& values = player.shown_film().values;
  std::size_t first = 0;
  for (std::size_t k = 0; k < film.plots.size(); first += film.plots[k++].size()) {
    if (film.plots[k].x.empty()) film_traces[k].Add(time, values[first]);
  }
  if (cables.instance.empty()) return;
  std::vector<double> numbers(cables.api->readout_size);
  const int instance = cables.instance[selected_cable];
  if (cables.api->read(model, shown, instance, numbers.data()) != 0) return;
  energy.Add(time, numbers[0]);
  twist.Add(time, numbers[3]);
  if (!profile.far_body.empty()) end_height.Add(time, shown->xpos[3 * profile.far_body.back() + 2]);
}

void Scene::Update() {
  shown = player.Shown();
  profile = {};
  if (!cables.instance.empty()) cables.Read(model, shown, selected_cable, &profile);
  if (shown->time == traced_) return;
  if (shown->time < traced_) ClearTraces();
  traced_ = shown->time;
  AddToTraces();
}

}  // namespace strand::viewer
