#include "plugin/viewer/player.h"

#include <algorithm>
#include <utility>

namespace strand::viewer {

Player::Player(mjModel* m, mjData* d, const Film* film, const ModelMotion::Drive& drive,
               Messages* messages, bool lockstep)
    : m_(m),
      d_(d),
      lockstep_(lockstep),
      guard_(messages),
      shown_(mj_makeData(m)),
      next_(mj_makeData(m)) {
  mjv_defaultPerturb(&applied_), mjv_defaultPerturb(&perturb_);
  guard_.Run(mj_forward, m, d);
  if (film && film->exists()) {
    motion_ = std::make_unique<FilmMotion>(film, messages, m, d);
  } else {
    motion_ = std::make_unique<ModelMotion>(&guard_, drive, messages, m, d);
  }
  mj_copyData(shown_.get(), m_, d_);
  mj_copyData(next_.get(), m_, d_);
  motion_->CopyFilm(&shown_film_), motion_->CopyFilm(&next_film_);
  goal_ = d->time;
  Synchronise();
  thread_ = std::thread([this] { Run(); });
}

Player::~Player() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  thread_.join();
  LetGo();
}

void Player::Play(bool on) {
  Post([this, on](mjModel*, mjData*) {
    const std::lock_guard lock(mutex_);
    playing_ = on;
    Synchronise();
  });
}

bool Player::playing() const {
  const std::lock_guard lock(mutex_);
  return playing_;
}

void Player::SetSpeed(double speed) {
  const std::lock_guard lock(mutex_);
  speed_ = speed;
  Synchronise();
}

double Player::speed() const {
  const std::lock_guard lock(mutex_);
  return speed_;
}

void Player::Step() {
  Play(false);
  Post([this](mjModel*, mjData*) { StepOnce(); });
}

void Player::Reset(int key) {
  Post([this, key](mjModel* m, mjData* d) {
    motion_->Reset(key, m, d);
    if (after_jump_) after_jump_(m, d);
    const std::lock_guard lock(mutex_);
    Synchronise();
  });
}

void Player::Rewind(double time) {
  Play(false);
  Post([this, time](mjModel* m, mjData* d) {
    motion_->Rewind(time, m, d);
    if (after_jump_) after_jump_(m, d);
  });
}

void Player::AfterJump(Command command) {
  Post([this, command = std::move(command)](mjModel*, mjData*) { after_jump_ = command; });
}

void Player::Perturb(const mjvPerturb& perturb) {
  const std::lock_guard lock(mutex_);
  perturb_ = perturb;
  wake_.notify_all();
}

void Player::Post(Command command) {
  const std::lock_guard lock(mutex_);
  commands_.push_back(std::move(command));
  idle_ = false;
  wake_.notify_all();
}

void Player::Advance(double seconds) {
  std::unique_lock lock(mutex_);
  done_.wait(lock, [&] { return (commands_.empty() && !busy_) || stop_; });
  if (!playing_) return;
  goal_ += seconds;
  idle_ = false, wanted_ = true;
  wake_.notify_all();
  done_.wait(lock, [&] { return idle_ || stop_; });
}

mjData* Player::Shown() {
  const std::lock_guard lock(mutex_);
  if (fresh_) std::swap(shown_, next_), std::swap(shown_film_, next_film_);
  fresh_ = false, wanted_ = true;
  wake_.notify_all();
  return shown_.get();
}

Player::Status Player::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

void Player::Finish() {
  std::unique_lock lock(mutex_);
  wanted_ = true, idle_ = false;
  wake_.notify_all();
  done_.wait(lock, [&] { return (commands_.empty() && !busy_ && !wanted_) || stop_; });
}

void Player::Run() {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    if (Work(lock)) continue;
    idle_ = true;
    done_.notify_all();
    if (playing_ && !lockstep_) {
      const double wait = (d_->time - from_time_) / speed_;
      wake_.wait_until(lock, from_clock_ + std::chrono::duration_cast<Clock::duration>(
                                               std::chrono::duration<double>(wait)));
    } else {
      wake_.wait(lock, [&] { return stop_ || !idle_ || wanted_ || !commands_.empty(); });
    }
  }
}

// Takes the mouse's force off the body it pulled.
void Player::LetGo() {
  if (applied_.active && applied_.select > 0) mju_zero(d_->xfrc_applied + 6 * applied_.select, 6);
}

// One round of commands, a step if it is due, and a copy if one is wanted. Returns false if there
// was nothing to do. The mutex is released during long work.
bool Player::Work(std::unique_lock<std::mutex>& lock) {
  bool worked = !commands_.empty();
  RunCommands(lock);
  const mjvPerturb perturb = perturb_;
  const bool due = playing_ && Due(), pulled = !playing_ && perturb.active;
  if (perturb.select != applied_.select || perturb.active != applied_.active) LetGo();
  applied_ = perturb;
  if (due) {
    lock.unlock();
    if (perturb.active) {
      mjv_applyPerturbPose(m_, d_, &perturb, 0);
      mjv_applyPerturbForce(m_, d_, &perturb);
    }
    const Clock::time_point start = Clock::now();
    StepOnce();
    const Clock::duration took = Clock::now() - start;
    lock.lock();
    Measure(took);
    worked = true;
  }
  if (wanted_) {
    lock.unlock();
    if (pulled) {
      mjv_applyPerturbPose(m_, d_, &perturb, 1);
      guard_.Run(mj_forward, m_, d_);
    }
    lock.lock();
    Publish();
  }
  return worked;
}

void Player::RunCommands(std::unique_lock<std::mutex>& lock) {
  if (commands_.empty()) return;
  std::vector<Command> commands;
  commands.swap(commands_);
  busy_ = true;
  lock.unlock();
  for (const Command& command : commands) command(m_, d_);
  lock.lock();
  if (!playing_) {  // while playing the next step does this
    lock.unlock();
    guard_.Run(mj_forward, m_, d_);
    lock.lock();
  }
  goal_ = d_->time;
  wanted_ = true, busy_ = false;
  done_.notify_all();
}

void Player::StepOnce() {
  const double before = d_->time;
  const bool moved = motion_->Step(m_, d_);
  if (d_->time < before && after_jump_) after_jump_(m_, d_);
  const std::lock_guard lock(mutex_);
  if (!moved) playing_ = false;
  if (d_->time >= before) return;
  goal_ = d_->time;  // MuJoCo has reset a state that diverged
  Synchronise();
}

bool Player::Due() const {
  if (lockstep_) return d_->time < goal_ - 0.5 * m_->opt.timestep;
  const std::chrono::duration<double> passed = Clock::now() - from_clock_;
  return d_->time - from_time_ <= passed.count() * speed_;
}

// Simulated time and clock are equal now.
void Player::Synchronise() {
  from_clock_ = measured_clock_ = Clock::now();
  from_time_ = measured_time_ = d_->time;
}

void Player::Measure(Clock::duration took) {
  constexpr double kMean = 0.05, kPeriod = 0.5, kLag = 0.1;  // s
  const double seconds = std::chrono::duration<double>(took).count();
  double& mean = status_.step_time;
  mean = ++status_.steps == 1 ? seconds : (1 - kMean) * mean + kMean * seconds;
  const Clock::time_point now = Clock::now();
  const std::chrono::duration<double> period = now - measured_clock_, passed = now - from_clock_;
  if (period.count() > kPeriod) {
    status_.real_time_factor = (d_->time - measured_time_) / period.count();
    measured_clock_ = now, measured_time_ = d_->time;
  }
  // A simulation that is too slow does not catch up later.
  if (passed.count() * speed_ - (d_->time - from_time_) > kLag * speed_) {
    from_clock_ = now, from_time_ = d_->time;
  }
}

void Player::Publish() {
  mj_copyData(next_.get(), m_, d_);
  motion_->CopyFilm(&next_film_);
  status_.begin = motion_->begin(), status_.end = motion_->end();
  fresh_ = true, wanted_ = false;
  done_.notify_all();
}

}  // namespace strand::viewer
