// Libraries that are built for one version of MuJoCo and opened when needed.
#pragma once

#include <dlfcn.h>
#include <nanobind/nanobind.h>

#include <cstdint>
#include <string>

namespace strand {

/// The interface that the library at `path` returns from its function `entry`. The library is never
/// unloaded. Raises ImportError if it cannot be loaded, has no such function, or was built from
/// sources whose types have another `layout`.
template <class Api>
const Api* OpenLibrary(const std::string& path, const char* entry, std::uint64_t layout) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library) throw nanobind::import_error(dlerror());
  using GetApi = const Api* (*)();
  const auto get_api = reinterpret_cast<GetApi>(dlsym(library, entry));
  const Api* api = get_api ? get_api() : nullptr;
  if (!api) throw nanobind::import_error((path + ": not a library of Strand").c_str());
  if (api->layout != layout) {
    throw nanobind::import_error(
        (path + ": built from other sources than strand._strand; type: pip install . in Strand's "
                "source folder")
            .c_str());
  }
  return api;
}

}  // namespace strand
