#include "model/config/parse.h"

#include <charconv>
#include <cmath>

#include "model/config/error.h"

namespace strand {

std::vector<std::string> SplitWords(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  std::vector<std::string> words;
  size_t begin = text.find_first_not_of(kBlanks);
  while (begin != std::string_view::npos) {
    const size_t end = text.find_first_of(kBlanks, begin);
    words.emplace_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(kBlanks, end);
  }
  return words;
}

std::vector<double> ParseNumbers(const std::string& field, const std::string& text,
                                 const Range& range) {
  std::vector<double> numbers;
  for (const std::string& word : SplitWords(text)) {
    // from_chars rejects a leading '+', which XML writers may emit.
    const bool plus = word.starts_with('+') && !word.starts_with("+-");
    const char* begin = word.data() + (plus ? 1 : 0);
    const char* end = word.data() + word.size();
    double value = 0;
    const auto [stop, error] = std::from_chars(begin, end, value);
    const bool below = range.lower_open ? !(value > range.lower) : !(value >= range.lower);
    if (error != std::errc() || stop != end || !std::isfinite(value) || below ||
        value > range.upper) {
      throw ConfigError(field, text, range.words);
    }
    numbers.push_back(value);
  }
  if (numbers.empty()) throw ConfigError(field, text, range.words);
  return numbers;
}

double ParseNumber(const std::string& field, const std::string& text, const Range& range) {
  const std::vector<double> numbers = ParseNumbers(field, text, range);
  if (numbers.size() != 1) throw ConfigError(field, text, std::string("one of ") + range.words);
  return numbers[0];
}

int ParseChoice(const std::string& field, const std::string& text,
                std::span<const char* const> choices) {
  std::string allowed;
  int index = 0;
  for (const char* choice : choices) {
    if (text == choice) return index;
    allowed += (index++ ? " | " : "") + std::string(choice);
  }
  throw ConfigError(field, text, allowed);
}

bool ParseBool(const std::string& field, const std::string& text) {
  return ParseChoice(field, text, {"false", "true"}) == 1;
}

}  // namespace strand
