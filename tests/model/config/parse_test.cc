#include "model/config/parse.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/config/error.h"

namespace strand {
namespace parse_test {

// The error must name the field, the value as written and the allowed range.
template <typename Function>
void ExpectError(Function function, const std::string& value, const std::string& allowed) {
  try {
    function();
    ADD_FAILURE() << "'" << value << "' was accepted";
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.field(), "key");
    EXPECT_EQ(std::string(error.what()), "key: got '" + value + "', allowed: " + allowed);
  }
}

TEST(Parse, SplitsAtAnyBlank) {
  const std::vector<std::string> expected{"a", "bc", "d"};
  EXPECT_EQ(SplitWords(" a\tbc\r\n d "), expected);
  EXPECT_TRUE(SplitWords("").empty());
  EXPECT_TRUE(SplitWords(" \t\n").empty());
}

TEST(Parse, NumbersInEveryNotation) {
  const std::vector<double> expected{1, -2.5, 3e-7, 0.25, 4};
  EXPECT_EQ(ParseNumbers("key", "1 -2.5  3e-7\t.25\n+4", kAnyNumber), expected);
  EXPECT_EQ(ParseNumber("key", " 0.1 ", kPositive), 0.1);
  EXPECT_EQ(ParseNumber("key", "0", kNonNegative), 0);
}

TEST(Parse, RejectsTextThatIsNotAFiniteNumber) {
  for (const std::string text : {"", "  ", "x", "1x", "1,2", "0x10", "nan", "-nan", "inf", "-inf",
                                 "1e999", "1 2 three", "--1", "+-1", "++1", "+", "-", "1e", "."}) {
    ExpectError([&] { ParseNumbers("key", text, kAnyNumber); }, text, "a finite number");
  }
}

TEST(Parse, RejectsNumbersOutOfRange) {
  for (const std::string text : {"0", "-1", "-0", "2 0", "-1e-300", "nan"}) {
    ExpectError([&] { ParseNumbers("key", text, kPositive); }, text, "finite numbers > 0");
  }
  ExpectError([] { ParseNumbers("key", "1 -1", kNonNegative); }, "1 -1", "finite numbers >= 0");
  const Range unit{0, 1, false, "0 to 1"};
  EXPECT_EQ(ParseNumber("key", "1", unit), 1);
  ExpectError([&] { ParseNumber("key", "1.0001", unit); }, "1.0001", "0 to 1");
}

TEST(Parse, ParseNumberAcceptsExactlyOne) {
  ExpectError([] { ParseNumber("key", "1 2", kAnyNumber); }, "1 2", "one of a finite number");
  ExpectError([] { ParseNumber("key", "", kAnyNumber); }, "", "a finite number");
}

TEST(Parse, ChoiceAndBool) {
  EXPECT_EQ(ParseChoice("key", "angle", {"angle", "tangent"}), 0);
  EXPECT_EQ(ParseChoice("key", "tangent", {"angle", "tangent"}), 1);
  for (const std::string text : {"", "Angle", "angle ", "angles"}) {
    ExpectError([&] { ParseChoice("key", text, {"angle", "tangent"}); }, text, "angle | tangent");
  }
  EXPECT_TRUE(ParseBool("key", "true"));
  EXPECT_FALSE(ParseBool("key", "false"));
  ExpectError([] { ParseBool("key", "1"); }, "1", "false | true");
}

}  // namespace parse_test
}  // namespace strand
