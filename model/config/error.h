// The one error type of the mechanics: it names the field, the value and the allowed range.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace strand {

/// A number in a message: six significant digits, however small it is.
inline std::string Text(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

class ConfigError : public std::runtime_error {
 public:
  ConfigError(const std::string& field, const std::string& value, const std::string& allowed)
      : std::runtime_error(field + ": got '" + value + "', allowed: " + allowed), field_(field) {}

  /// The same error for a field inside another one: `outer` is prepended to its name.
  ConfigError(const std::string& outer, const ConfigError& inner)
      : std::runtime_error(outer + inner.what()), field_(outer + inner.field_) {}

  const std::string& field() const { return field_; }

 private:
  std::string field_;
};

/// Throws ConfigError unless the index is one of `count`.
inline void CheckIndex(const std::string& field, int index, int count) {
  if (index >= 0 && index < count) return;
  throw ConfigError(field, std::to_string(index), "0 to " + std::to_string(count - 1));
}

}  // namespace strand
