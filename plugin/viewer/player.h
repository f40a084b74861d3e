// A simulation on a thread of its own, so that the window stays responsive while a step is slow.
//
// The thread alone touches mjData. The window draws a copy of it, made between two steps at most
// once per frame, and changes the simulation only by commands that run between steps.
#pragma once

#include <mujoco/mujoco.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "plugin/viewer/film.h"
#include "plugin/viewer/guard.h"
#include "plugin/viewer/messages.h"
#include "plugin/viewer/motion.h"

namespace strand::viewer {

struct DataDeleter {
  void operator()(mjData* d) const { mj_deleteData(d); }
};
using DataPtr = std::unique_ptr<mjData, DataDeleter>;

class Player {
 public:
  using Command = std::function<void(mjModel*, mjData*)>;

  /// What the window shows of the simulation's progress.
  struct Status {
    double begin = 0, end = 0;    ///< of the recorded time (s)
    double step_time = 0;         ///< of a step, mean (s)
    double real_time_factor = 0;  ///< simulated time per time on the clock
    long steps = 0;
  };

  /// All must outlive the player. With a film, the film is played, not the model. `drive`: called
  /// before each step of the model, may be empty. `lockstep`: time passes only by Advance.
  Player(mjModel* m, mjData* d, const Film* film, const ModelMotion::Drive& drive,
         Messages* messages, bool lockstep);
  ~Player();

  void Play(bool on);
  bool playing() const;
  /// Simulated seconds per second on the clock; > 0.
  void SetSpeed(double speed);
  double speed() const;
  /// One step, then pause.
  void Step();
  /// To mjModel's initial state, or to keyframe `key` if >= 0.
  void Reset(int key = -1);
  /// To the recorded state at `time` (s), then pause.
  void Rewind(double time);
  /// Applies a mouse's pull from now on; a force while playing, else a displacement.
  void Perturb(const mjvPerturb& perturb);
  /// Runs `command` between two steps, then updates all that depends on positions.
  void Post(Command command);
  /// In lockstep and while playing: waits until the simulated time has passed by `seconds`.
  void Advance(double seconds);

  /// The newest copy of the simulation, and a request for a newer one. Valid until the next call.
  mjData* Shown();
  /// The film in this copy; empty without a film.
  const FilmSample& shown_film() const { return shown_film_; }
  Status status() const;
  /// `command` runs whenever a whole state is set: after a reset, or back in the history.
  void AfterJump(Command command);
  /// Waits until all commands have run and Shown() is their result.
  void Finish();

 private:
  using Clock = std::chrono::steady_clock;

  void Run();
  bool Work(std::unique_lock<std::mutex>& lock);
  void RunCommands(std::unique_lock<std::mutex>& lock);
  void LetGo();
  void StepOnce();
  bool Due() const;
  void Synchronise();
  void Measure(Clock::duration took);
  void Publish();

  mjModel* m_;
  mjData* d_;  // of the thread
  const bool lockstep_;
  Guard guard_;
  std::unique_ptr<Motion> motion_;  // of the thread
  mjvPerturb applied_;              // of the thread
  Command after_jump_;              // of the thread

  mutable std::mutex mutex_;  // of all below
  std::condition_variable wake_, done_;
  bool stop_ = false, playing_ = false, wanted_ = true, idle_ = false;
  bool busy_ = false;  // commands are running
  double speed_ = 1, goal_ = 0;
  std::vector<Command> commands_;
  mjvPerturb perturb_;
  Status status_;
  DataPtr shown_, next_;  // of the window; newer, if `fresh_`
  FilmSample shown_film_, next_film_;
  bool fresh_ = false;

  // Synchronisation with the clock, and its measurement.
  Clock::time_point from_clock_, measured_clock_;
  double from_time_ = 0, measured_time_ = 0;

  std::thread thread_;
};

}  // namespace strand::viewer
