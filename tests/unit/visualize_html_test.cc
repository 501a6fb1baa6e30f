#include <porpentine/visualize/html.h>

#include <sstream>

#include "support/catch.h"
#include "support/judge.h"

using namespace porpentine;
using namespace porpentine::testing;

namespace {

std::string page_of(std::string_view model, std::string_view lines) {
  History history = read_history_text(lines).value();
  history.file = "h.jsonl";
  const auto specification = make_specification(model, history.values).value();
  CheckOptions options;
  options.linearization = true;
  std::ostringstream out;
  write_html(out, history, *specification, check(*specification, history, options));
  return out.str();
}

std::string page_of(std::string_view lines) {
  History history = read_history_text(lines).value();
  history.file = "h.jsonl";
  std::ostringstream out;
  write_html(out, history);
  return out.str();
}

bool holds(const std::string& page, std::string_view text) { return page.find(text) != std::string::npos; }

const std::string kStale = line(0, "write", "1", "null", 0, 10) + line(1, "read", "null", "0", 20, 30);

}  // namespace

TEST_CASE("a page tells the verdict, the message and the core without scripts") {
  const std::string page = page_of("register:initial=0", kStale);
  CHECK(holds(page, "<title>h.jsonl: invalid</title>"));
  CHECK(holds(page, "<span class=\"badge invalid\">invalid</span>"));
  CHECK(holds(page,
              "<p class=\"message\">read() -&gt; 0 by process 1 (line 2) can't be placed where the register holds 1"));
  CHECK(holds(page, "<caption>The core: 2 operations that can't be ordered by themselves</caption>"));
  CHECK(holds(page, "<td>returned before line 2 was called</td>"));
  CHECK(holds(page, "<td>can't be placed</td>"));
}

TEST_CASE("the same history gives the same bytes") {
  CHECK(page_of("register:initial=0", kStale) == page_of("register:initial=0", kStale));
}

TEST_CASE("a page where nothing was checked has no verdict") {
  const std::string page = page_of(kStale);
  CHECK(holds(page, "<title>h.jsonl: history</title>"));
  CHECK_FALSE(holds(page, "class=\"badge"));
  CHECK(holds(page, R"("verdict": "")"));
}

TEST_CASE("whatever a value holds, it stays text") {
  const std::string hostile = R"("</script><script>alert(1)</script>\"&\u202e\u0000{{script}}")";
  const std::string page = page_of("register", line(0, "read", "null", hostile, 0, 1));
  CHECK_FALSE(holds(page, "<script>alert"));
  CHECK(holds(page, "&lt;/script&gt;"));
  CHECK(holds(page, "\\u202e"));
  CHECK_FALSE(holds(page, "\u202e"));
  CHECK_FALSE(holds(page, std::string(1, '\0')));
  std::size_t ends = 0;
  for (std::size_t at = page.find("</script>"); at != std::string::npos; at = page.find("</script>", at + 1)) ++ends;
  CHECK(ends == 2);
}

TEST_CASE("a page's policy forbids every request") {
  CHECK(holds(page_of(kStale), "Content-Security-Policy\" content=\"default-src 'none';"));
  CHECK_FALSE(holds(page_of(kStale), "http://"));
  CHECK_FALSE(holds(page_of(kStale), "https://"));
}

TEST_CASE("all placeholders of the template are filled") {
  for (const std::string& page : {page_of(kStale), page_of("register", kStale), page_of("")}) {
    CHECK_FALSE(holds(page, "{{"));
    CHECK(holds(page, "</html>"));
  }
}

TEST_CASE("a history of many violations writes out the first ten") {
  std::string lines;
  for (int key = 0; key < 13; ++key) {
    lines += R"({"process": )" + std::to_string(key) + R"(, "f": "read", "key": "k)" + std::to_string(key) +
             R"(", "output": 5, "call": 0, "return": 1})" + "\n";
  }
  const std::string page = page_of("register", lines);
  CHECK(holds(page, "<h2>Violation 10 of k9</h2>"));
  CHECK_FALSE(holds(page, "<h2>Violation 11"));
  CHECK(holds(page, "<p class=\"more\">3 more violations in the timeline.</p>"));
}
