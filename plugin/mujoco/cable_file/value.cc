#include "plugin/mujoco/cable_file/value.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>
#include <sstream>
#include <utility>

#include "model/output/number.h"

namespace strand {
namespace {

constexpr size_t kLongestShown = 200;

// The value in TOML syntax, on one line; strings without quotation marks.
void Show(const toml::node& value, std::string* text) {
  if (const toml::array* list = value.as_array()) {
    *text += "[";
    for (size_t k = 0; k < list->size() && text->size() <= kLongestShown; ++k) {
      if (k > 0) *text += ", ";
      Show((*list)[k], text);
    }
    *text += "]";
  } else if (const toml::table* table = value.as_table()) {
    *text += "{";
    const char* comma = "";
    for (const auto& [key, item] : *table) {
      *text += comma + std::string(key) + " = ";
      Show(item, text);
      comma = ", ";
    }
    *text += "}";
  } else if (value.is_string()) {
    for (char c : value.ref<std::string>()) *text += c ? std::string(1, c) : "\\0";
  } else if (value.is_floating_point()) {
    const std::string digits = Number(value.ref<double>());
    const bool whole = digits.find_first_not_of("-0123456789") == std::string::npos;
    *text += digits + (whole ? ".0" : "");
  } else {
    std::ostringstream out;
    value.visit([&](const auto& known) { out << known; });
    *text += out.str();
  }
}

// Levenshtein distance: number of characters to insert, delete or replace.
size_t EditDistance(const std::string& a, const std::string& b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i + 1);
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t exchanged = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({exchanged, row[j + 1] + 1, row[j] + 1});
    }
  }
  return row.back();
}

// The most similar known name; empty if none is close.
std::string Nearest(const std::string& name, const std::vector<std::string>& known) {
  std::string nearest;
  size_t least = name.size() / 3 + 2;
  for (const std::string& candidate : known) {
    const size_t distance = EditDistance(name, candidate);
    if (distance >= least) continue;
    least = distance;
    nearest = candidate;
  }
  return nearest;
}

}  // namespace

std::string Shown(const toml::node& value) {
  std::string text;
  Show(value, &text);
  if (text.size() <= kLongestShown) return text;
  size_t end = kLongestShown;
  while ((text[end] & 0xC0) == 0x80) --end;  // do not cut a UTF-8 character
  return text.substr(0, end) + "...";
}

std::string Suggestion(const std::string& name, const std::vector<std::string>& known) {
  const std::string nearest = Nearest(name, known);
  return nearest.empty() ? "" : "did you mean '" + nearest + "'?";
}

ConfigError UnknownName(const std::string& where, const std::string& name, const std::string& what,
                        const std::vector<std::string>& allowed, std::string hint) {
  if (hint.empty()) hint = Suggestion(name, allowed);
  return {where + name, what + " that is not known",
          Listed(allowed) + (hint.empty() ? "" : "; " + hint)};
}

bool ReadValue(const toml::node& value, double* target) {
  if (!value.is_number()) return false;
  const double number = *value.value<double>();
  if (std::isnan(number)) return false;
  *target = number;
  return true;
}

bool ReadValue(const toml::node& value, int* target) {
  const auto number = value.value_exact<int64_t>();
  if (!number || *number < std::numeric_limits<int>::min() ||
      *number > std::numeric_limits<int>::max()) {
    return false;
  }
  *target = static_cast<int>(*number);
  return true;
}

bool ReadValue(const toml::node& value, bool* target) {
  const auto flag = value.value_exact<bool>();
  if (flag) *target = *flag;
  return flag.has_value();
}

bool ReadValue(const toml::node& value, std::string* target) {
  const auto text = value.value_exact<std::string>();
  if (!text || text->find('\0') != std::string::npos) return false;
  *target = *text;
  return true;
}

bool ReadValue(const toml::node& value, std::vector<double>* target) {
  std::vector<double> numbers(1);
  if (const toml::array* list = value.as_array()) {
    if (list->empty()) return false;
    numbers.resize(list->size());
    for (size_t k = 0; k < list->size(); ++k) {
      if (!ReadValue((*list)[k], &numbers[k])) return false;
    }
  } else if (!ReadValue(value, &numbers[0])) {
    return false;
  }
  *target = std::move(numbers);
  return true;
}

bool ReadValue(const toml::node& value, Vector3* target) {
  std::array<double, 3> numbers;
  if (!ReadValue(value, &numbers)) return false;
  *target = Vector3(numbers[0], numbers[1], numbers[2]);
  return true;
}

bool ReadValue(const toml::node& value, std::vector<Vector3>* target) {
  const toml::array* list = value.as_array();
  if (!list) return false;
  std::vector<Vector3> points(list->size());
  for (size_t k = 0; k < points.size(); ++k) {
    if (!ReadValue((*list)[k], &points[k])) return false;
  }
  *target = std::move(points);
  return true;
}

double Decimal(float number) {
  char digits[32];
  const char* end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  double decimal = 0;
  std::from_chars(digits, end, decimal);
  return decimal;
}

void WriteValue(const std::vector<double>& value, std::string_view name, toml::table* table) {
  if (value.size() == 1) {
    table->insert_or_assign(name, value.front());
    return;
  }
  toml::array list;
  for (double number : value) list.push_back(number);
  table->insert_or_assign(name, std::move(list));
}

void WriteValue(const Vector3& value, std::string_view name, toml::table* table) {
  table->insert_or_assign(name, toml::array{value.x(), value.y(), value.z()});
}

void WriteValue(const std::vector<Vector3>& value, std::string_view name, toml::table* table) {
  toml::array list;
  for (const Vector3& point : value) list.push_back(toml::array{point.x(), point.y(), point.z()});
  table->insert_or_assign(name, std::move(list));
}

}  // namespace strand
