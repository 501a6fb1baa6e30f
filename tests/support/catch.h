// Catch2, 2.13 or 3, under the names of 3.
#pragma once

#if __has_include(<catch2/catch_test_macros.hpp>)

#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/catch_tostring.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <catch2/matchers/catch_matchers_all.hpp>

#else

#include <catch2/catch.hpp>

namespace Catch::Matchers {

// NOLINTNEXTLINE(readability-identifier-naming): Catch2's own name
inline auto ContainsSubstring(const std::string& text, CaseSensitive::Choice sensitivity = CaseSensitive::Yes) {
  return Contains(text, sensitivity);
}

}  // namespace Catch::Matchers

#endif
