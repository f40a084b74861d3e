// toml++ with its assertions turned into exceptions. Some malformed files (`[[[a]]]`, `[&`;
// marzer/tomlplusplus issue 294) violate them, which otherwise is undefined behaviour, or with
// assertions enabled ends the process.
#pragma once

#include <stdexcept>

namespace strand {

struct TomlParserError : std::runtime_error {
  TomlParserError() : std::runtime_error("a table header or key that is not a valid name") {}
};

[[noreturn]] inline void FailTomlParser() { throw TomlParserError(); }

}  // namespace strand

// toml++ drops its checks if NDEBUG is defined where it is included.
#ifdef NDEBUG
#define STRAND_HAD_NDEBUG
#undef NDEBUG
#endif
#define TOML_ASSERT(expression) ((expression) ? void() : strand::FailTomlParser())
#include <toml++/toml.h>
#ifdef STRAND_HAD_NDEBUG
#undef STRAND_HAD_NDEBUG
#define NDEBUG
#endif
