// Strict readers of configuration text: the whole text must be used, every number must be finite.
#pragma once

#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace strand {

/// Open or closed bounds of a number, and their description in errors.
struct Range {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  bool lower_open = false;
  const char* words = "a finite number";
};

inline constexpr Range kAnyNumber{};
inline constexpr Range kPositive{0, std::numeric_limits<double>::infinity(), true,
                                 "finite numbers > 0"};
inline constexpr Range kNonNegative{0, std::numeric_limits<double>::infinity(), false,
                                    "finite numbers >= 0"};

/// Words separated by blanks.
std::vector<std::string> SplitWords(std::string_view text);

/// Numbers separated by blanks. Throws ConfigError if the text is empty, a word is not a finite
/// number, or a number is outside `range`.
std::vector<double> ParseNumbers(const std::string& field, const std::string& text,
                                 const Range& range);

/// Exactly one number.
double ParseNumber(const std::string& field, const std::string& text, const Range& range);

/// Index of `text` in `choices`. Throws ConfigError that lists them.
int ParseChoice(const std::string& field, const std::string& text,
                std::span<const char* const> choices);
inline int ParseChoice(const std::string& field, const std::string& text,
                       std::initializer_list<const char*> choices) {
  return ParseChoice(field, text, std::span(choices.begin(), choices.size()));
}

/// "true" or "false".
bool ParseBool(const std::string& field, const std::string& text);

}  // namespace strand
