#include "plugin/viewer/guard.h"

#include <csetjmp>
#include <cstring>
#include <string>

namespace strand::viewer {
namespace {

thread_local std::jmp_buf* way_out = nullptr;
thread_local char reason[1024];
void (*outer_error)(const char*) = nullptr;
void (*outer_warning)(const char*) = nullptr;
Messages* shown = nullptr;

// MuJoCo requires that this does not return.
void LeaveWork(const char* text) {
  if (way_out) {
    std::strncpy(reason, text, sizeof(reason) - 1);
    std::longjmp(*way_out, 1);
  }
  if (outer_error) outer_error(text);
}

void KeepWarning(const char* text) {
  if (shown) shown->Add(text, false);
}

// False if MuJoCo reports an error.
bool Try(void (*work)(const mjModel*, mjData*), const mjModel* m, mjData* d) {
  std::jmp_buf here;
  way_out = &here;
  const bool failed = setjmp(here) != 0;
  if (!failed) work(m, d);
  way_out = nullptr;
  return !failed;
}

}  // namespace

Guard::Guard(Messages* messages) : messages_(messages) {
  outer_error = mju_user_error, outer_warning = mju_user_warning;
  shown = messages;
  mju_user_error = LeaveWork, mju_user_warning = KeepWarning;
}

Guard::~Guard() {
  mju_user_error = outer_error, mju_user_warning = outer_warning;
  shown = nullptr;
}

bool Guard::Run(void (*work)(const mjModel*, mjData*), const mjModel* m, mjData* d) const {
  if (Try(work, m, d)) return true;
  messages_->Add(std::string("MuJoCo: ") + reason + "; the simulation was reset", true);
  Try([](const mjModel* model, mjData* data) { mj_resetData(model, data); }, m, d);
  Try(mj_forward, m, d);
  return false;
}

}  // namespace strand::viewer
