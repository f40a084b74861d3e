// Converts TOML values to the types of a CableDescription, and back. Readers return false and leave
// the target unchanged if the value has the wrong type. Ranges are checked in description/check.h.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "model/config/error.h"
#include "model/geometry/frame.h"
#include "plugin/mujoco/cable_file/names.h"
#include "plugin/mujoco/cable_file/toml.h"

namespace strand {

/// A value for a message: strings without quotes, others in TOML syntax, long ones shortened.
std::string Shown(const toml::node& value);

/// "did you mean '...'?" with the most similar known name; empty if none is similar.
std::string Suggestion(const std::string& name, const std::vector<std::string>& known);

/// The error for an unknown name of a key or table. `where` precedes the name. `hint` says what may
/// have been meant; if empty, the most similar allowed name is suggested.
ConfigError UnknownName(const std::string& where, const std::string& name, const std::string& what,
                        const std::vector<std::string>& allowed, std::string hint = "");

/// A number, not NaN.
bool ReadValue(const toml::node& value, double* target);
bool ReadValue(const toml::node& value, int* target);
bool ReadValue(const toml::node& value, bool* target);
/// A text without null characters.
bool ReadValue(const toml::node& value, std::string* target);

/// One number, or a list of at least one.
bool ReadValue(const toml::node& value, std::vector<double>* target);

/// Three numbers.
bool ReadValue(const toml::node& value, Vector3* target);

/// A list of points of three numbers, or an empty one.
bool ReadValue(const toml::node& value, std::vector<Vector3>* target);

/// A list of exactly n numbers.
template <class T, size_t n>
bool ReadValue(const toml::node& value, std::array<T, n>* target) {
  std::vector<double> numbers;
  if (!value.is_array() || !ReadValue(value, &numbers) || numbers.size() != n) return false;
  for (size_t k = 0; k < n; ++k) (*target)[k] = static_cast<T>(numbers[k]);
  return true;
}

/// One of the names of an enumeration.
template <class T>
  requires std::is_enum_v<T>
bool ReadValue(const toml::node& value, T* target) {
  for (size_t k = 0; k < kNames<T>.size(); ++k) {
    if (value.value<std::string>() != kNames<T>[k]) continue;
    *target = static_cast<T>(k);
    return true;
  }
  return false;
}

template <class T>
bool ReadValue(const toml::node& value, std::optional<T>* target) {
  T given{};
  if (!ReadValue(value, &given)) return false;
  *target = given;
  return true;
}

/// The shortest decimal number that is this float, as a double: 0.15 for 0.15f.
double Decimal(float number);

/// Puts a value into a table; nothing for an optional without one.
template <class T>
void WriteValue(const T& value, std::string_view name, toml::table* table) {
  if constexpr (std::is_enum_v<T>) {
    table->insert_or_assign(name, kNames<T>[static_cast<size_t>(value)]);
  } else if constexpr (std::is_floating_point_v<T>) {
    table->insert_or_assign(name, static_cast<double>(value));
  } else {
    table->insert_or_assign(name, value);
  }
}

/// A list of numbers; a single one stands alone, as readers take it.
void WriteValue(const std::vector<double>& value, std::string_view name, toml::table* table);
void WriteValue(const Vector3& value, std::string_view name, toml::table* table);
void WriteValue(const std::vector<Vector3>& value, std::string_view name, toml::table* table);

template <class T, size_t n>
void WriteValue(const std::array<T, n>& value, std::string_view name, toml::table* table) {
  toml::array list;
  for (T number : value) {
    if constexpr (std::is_same_v<T, float>) {
      list.push_back(Decimal(number));
    } else {
      list.push_back(number);
    }
  }
  table->insert_or_assign(name, std::move(list));
}

template <class T>
void WriteValue(const std::optional<T>& value, std::string_view name, toml::table* table) {
  if (value) WriteValue(*value, name, table);
}

}  // namespace strand
