#include "plugin/viewer/scene.h"

namespace strand::viewer {

Scene::Scene(const Loaded& loaded, const StrandAdapterApi* api, Messages* messages,
             const Window& window, bool lockstep)
    : model(static_cast<mjModel*>(loaded.model)),
      data(static_cast<mjData*>(loaded.data)),
      title(loaded.title),
      film(loaded.film),
      cables(model, api),
      tunables(film.exists() ? std::vector<Tunable>() : TunablesOf(model, data, cables)),
      stage(model, film.shapes, window.scale(), window.software()),
      player(model, data, &film, messages, lockstep) {
  shown = player.Shown();
  // Without a graphics card shadows take two thirds of the time of a frame.
  stage.shadows = lockstep || !window.software();
}

Scene::~Scene() {
  player.Play(false);
  player.Post([this](mjModel* m, mjData* d) { RestoreModel(tunables, m, d); });
  player.Finish();
}

void Scene::Update() {
  shown = player.Shown();
  if (cables.instance.empty()) return;
  profile = {};
  cables.Read(model, shown, selected_cable, &profile);
  if (shown->time == traced_) return;
  if (shown->time < traced_) {
    for (Trace* trace : {&energy, &twist, &end_height, &step_time}) trace->Clear();
  }
  traced_ = shown->time;
  std::vector<double> values(cables.api->readout_size);
  if (cables.api->read(model, shown, cables.instance[selected_cable], values.data()) != 0) return;
  energy.Add(values[0]);
  twist.Add(values[3]);
  if (!profile.far_body.empty()) end_height.Add(shown->xpos[3 * profile.far_body.back() + 2]);
  step_time.Add(player.status().step_time);
}

}  // namespace strand::viewer
