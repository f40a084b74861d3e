#include "plugin/viewer/viewer_api.h"

#include <exception>

#include "plugin/mujoco/interface/version.h"
#include "plugin/viewer/app.h"

namespace {

int View(const strand::viewer::Request& request, std::string* error) {
  try {
    strand::viewer::App(request).Run();
    return 0;
  } catch (const std::exception& problem) {
    *error = problem.what();
    return -1;
  }
}

const StrandViewerApi kApi = {strand::viewer::kViewerLayout, strand::mujoco::kBuiltForMujoco, View};

}  // namespace

extern "C" const StrandViewerApi* strand_viewer_api(void) { return &kApi; }
