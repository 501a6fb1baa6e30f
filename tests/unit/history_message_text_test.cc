#include <porpentine/history/message_text.h>

#include "support/catch.h"

using namespace porpentine;

TEST_CASE("long texts that differ in the middle alone are told apart in messages") {
  const std::string one = std::string(200, 'a') + "x" + std::string(200, 'a');
  const std::string other = std::string(200, 'a') + "y" + std::string(200, 'a');
  CHECK(shortened(one) != shortened(other));
  CHECK(shortened(one).size() < 120);
  CHECK(shortened(one).find("(401 bytes, #") != std::string::npos);
  CHECK(shortened("short") == "short");
}

TEST_CASE("a shortened text is cut between characters") {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "\xe2\x82\xac";
  const std::string cut = shortened(text);
  CHECK(cut.substr(0, 48) == text.substr(0, 48));
  CHECK(cut.substr(48, 3) == "...");
  CHECK(cut.substr(51, 30) == text.substr(0, 30));
}

TEST_CASE("characters that steer a terminal or turn text are escaped in messages") {
  CHECK(harmless("a\xc2\x9b"
                 "2J\xe2\x80\xae\xd8\x9c\xe2\x81\xa6"
                 "b\xc3\xa9") == "a\\u009b2J\\u202e\\u061c\\u2066b\xc3\xa9");
  CHECK(harmless("a\nb\tc\rd\x1b\x7f") == "a\\nb\\tc\\rd\\u001b\\u007f");
  CHECK(harmless("") == "");
}
