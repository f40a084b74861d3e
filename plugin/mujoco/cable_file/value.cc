#include "plugin/mujoco/cable_file/value.h"

#include <charconv>
#include <limits>
#include <sstream>

namespace strand {
namespace {

constexpr size_t kLongestShown = 200;

// The value as TOML has it, on one line; texts without quotation marks.
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
    *text += value.ref<std::string>();
  } else if (value.is_floating_point()) {
    const std::string digits = Digits(value.ref<double>());
    const bool whole = digits.find_first_not_of("-0123456789") == std::string::npos;
    *text += digits + (whole ? ".0" : "");
  } else {
    std::ostringstream out;
    value.visit([&](const auto& known) { out << known; });
    *text += out.str();
  }
}

}  // namespace

std::string Shown(const toml::node& value) {
  std::string text;
  Show(value, &text);
  if (text.size() <= kLongestShown) return text;
  size_t end = kLongestShown;
  while ((text[end] & 0xC0) == 0x80) --end;  // not within a character of UTF-8
  return text.substr(0, end) + "...";
}

ConfigError UnknownName(const std::string& name, const std::string& what,
                        const std::vector<std::string>& allowed) {
  return {name, what + " that is not known", Listed(allowed)};
}

std::string Digits(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof(text), value).ptr};
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
  if (text) *target = *text;
  return text.has_value();
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
  *target = numbers;
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
  *target = points;
  return true;
}

}  // namespace strand
