// Numbers as text: the shortest one that reads back as the same double, in any locale.
#pragma once

#include <charconv>
#include <string>

namespace strand {

inline void AppendNumber(std::string* text, double value) {
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof(digits), value);
  text->append(digits, end);
}

inline std::string Number(double value) {
  std::string text;
  AppendNumber(&text, value);
  return text;
}

}  // namespace strand
