// toml++, with what its parser takes for granted checked. Some malformed files (`[[[a]]]`, `[&`;
// marzer/tomlplusplus issue 294) break that: undefined behaviour, or with assertions the end of the
// process. Here it is an exception.
#pragma once

#include <stdexcept>

namespace strand {

struct TomlParserError : std::runtime_error {
  TomlParserError() : std::runtime_error("a table header or key that is no name") {}
};

[[noreturn]] inline void FailTomlParser() { throw TomlParserError(); }

}  // namespace strand

// toml++ looks at NDEBUG where it is included, and drops its checks.
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
