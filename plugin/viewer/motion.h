// What a player moves: a model by MuJoCo's steps, or a film from sample to sample.
#pragma once

#include <mujoco/mujoco.h>

#include <functional>
#include <string>
#include <vector>

#include "plugin/viewer/film.h"
#include "plugin/viewer/guard.h"
#include "plugin/viewer/history.h"
#include "plugin/viewer/messages.h"

namespace strand::viewer {

/// Used by the player's thread only.
class Motion {
 public:
  virtual ~Motion() = default;

  /// Moves on, so that d->time increases. False if that is not possible.
  virtual bool Step(mjModel* m, mjData* d) = 0;
  /// To the start, or to keyframe `key` if >= 0.
  virtual void Reset(int key, mjModel* m, mjData* d) = 0;
  /// To the last recorded state at or before `time` (s).
  virtual void Rewind(double time, mjModel* m, mjData* d) = 0;
  /// Positions of a film's nodes and values of its plots; none for a model.
  virtual void CopyFilm(FilmSample*) const {}

  virtual double begin() const = 0;  ///< of the recorded time (s)
  virtual double end() const = 0;    ///< s
};

class ModelMotion : public Motion {
 public:
  /// Called before each step; returns an error, or "".
  using Drive = std::function<std::string()>;

  /// Records the present state.
  ModelMotion(const Guard* guard, Drive drive, Messages* messages, const mjModel* m,
              const mjData* d);

  bool Step(mjModel* m, mjData* d) override;
  void Reset(int key, mjModel* m, mjData* d) override;
  void Rewind(double time, mjModel* m, mjData* d) override;
  double begin() const override { return history_.begin(); }
  double end() const override { return history_.end(); }

 private:
  void Record(const mjModel* m, const mjData* d);

  const Guard* guard_;
  Drive drive_;
  Messages* messages_;
  History history_;
};

class FilmMotion : public Motion {
 public:
  FilmMotion(const Film* film, Messages* messages, const mjModel* m, mjData* d);

  bool Step(mjModel* m, mjData* d) override;
  void Reset(int key, mjModel* m, mjData* d) override;
  void Rewind(double time, mjModel* m, mjData* d) override;
  void CopyFilm(FilmSample* sample) const override;
  double begin() const override { return history_.begin(); }
  double end() const override { return history_.end(); }

 private:
  void Show(const double* state, const mjModel* m, mjData* d);

  const Film* film_;
  Messages* messages_;
  std::size_t points_, poses_;  // numbers of the nodes' positions and of the poses
  std::vector<double> state_;   // time, positions, poses and values shown
  double newest_;               // s, of the last sample taken from the film
  FilmSample sample_;
  History history_;
};

}  // namespace strand::viewer
