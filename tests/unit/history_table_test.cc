#include <porpentine/history/arrow.h>
#include <porpentine/history/column.h>
#include <porpentine/history/reader.h>
#include <porpentine/history/table.h>

#include <memory>
#include <string>
#include <vector>

#include "history_listing.h"
#include "support/catch.h"

using namespace porpentine;

namespace {

const char* const kText = R"({"process": 0, "f": "write", "input": "a", "call": 0, "return": 10}
{"process": "p", "f": "cas", "key": "k", "input": ["a", 2], "output": true, "call": 5, "return": 7}
{"process": 0, "f": "read", "call": 20, "type": "info"}
{"process": 2, "f": "write", "input": {"x": [1.5, null]}, "call": 21}
{"process": 2, "f": "write", "input": 18446744073709551615, "call": 30, "return": 31, "type": "fail"}
)";

std::shared_ptr<History> text_history() {
  auto history = std::make_shared<History>(read_history_text(kText).value());
  for (std::size_t i = 0; i < history->size(); ++i) history->line[i] = 0;
  history->file.clear();
  return history;
}

HistoryTable small_table(Column<std::int64_t> call, Column<std::int64_t> ret) {
  HistoryTable table;
  const std::size_t size = call.size();
  table.set("process", std::vector<ValueId>(size, table.values().integer(0)));
  table.set("f", std::vector<ValueId>(size, table.values().string("read")));
  table.set_times("call", std::move(call));
  table.set_times("return", std::move(ret));
  return table;
}

}  // namespace

TEST_CASE("a borrowed column keeps its owner, shows its items, and is copied when it changes") {
  auto owner = std::make_shared<std::vector<std::int64_t>>(std::vector<std::int64_t>{1, 2, 3});
  auto column = Column<std::int64_t>::borrow(*owner, owner);
  CHECK(column.is_borrowed());
  CHECK(owner.use_count() == 2);
  const Column<std::int64_t> copy = column;
  CHECK(copy.data() == owner->data());
  column[1] = 7;
  CHECK_FALSE(column.is_borrowed());
  CHECK(column == Column<std::int64_t>{1, 7, 3});
  CHECK(copy == Column<std::int64_t>{1, 2, 3});
  column.push_back(4);
  const Column<std::int64_t> moved = std::move(column);
  CHECK(moved == Column<std::int64_t>{1, 7, 3, 4});
  CHECK(owner.use_count() == 2);
}

TEST_CASE("columns of its own are copied with their items and moved without") {
  Column<std::int64_t> column{1, 2, 3};
  Column<std::int64_t> copy = column;
  copy[0] = 9;
  CHECK(column[0] == 1);
  const std::int64_t* const items = copy.data();
  column = std::move(copy);
  CHECK(column.data() == items);
  column.resize(1);
  CHECK(column == Column<std::int64_t>{9});
  column.clear();
  CHECK(column.empty());
}

TEST_CASE("a history as a table of Arrow's is the same history again") {
  const std::shared_ptr<History> history = text_history();
  ArrowArrayStream stream = {};
  write_arrow(history, stream);
  const ArrowChunks chunks = ArrowChunks::of_stream(stream).value();
  CHECK(chunks.is_table());
  HistoryTable table;
  REQUIRE(chunks.add_table_to(table) == std::nullopt);
  const History again = table.finish().value();
  CHECK(again.call.data() == std::as_const(history->call).data());
  CHECK(listing(again) == listing(*history));
}

TEST_CASE("a stream of Arrow's that nobody reads is released") {
  const std::shared_ptr<History> history = text_history();
  ArrowArrayStream stream = {};
  write_arrow(history, stream);
  CHECK(history.use_count() > 1);
  stream.release(&stream);
  CHECK(history.use_count() == 1);
}

TEST_CASE("times that stand are not copied, and those that change are") {
  auto times = std::make_shared<std::vector<std::int64_t>>(std::vector<std::int64_t>{0, 10, 20});
  const auto borrowed = [&] { return Column<std::int64_t>::borrow(*times, times); };
  const History history = small_table(borrowed(), borrowed()).finish().value();
  CHECK(history.call.data() == times->data());
  CHECK(history.ret.data() == times->data());

  HistoryTable table = small_table(borrowed(), Column<std::int64_t>{5, 15, 25});
  const ValueId info = table.values().string("info");
  table.set("type", {kNull, info, kNull});
  const History doubtful = table.finish().value();
  CHECK(doubtful.ret == Column<std::int64_t>{5, 10, 25});
  CHECK(doubtful.outcome[1] == Outcome::info);
}

TEST_CASE("tables that are no histories are errors with their rows") {
  const auto message = [](HistoryTable table) { return table.finish().error().message; };
  CHECK(message(small_table({0, 10}, {5, 9})) == "row 1: return before its call");
  CHECK(message(small_table({0, 4}, {5, 9})).find("second call of process 0") == 0);
  CHECK(message(HistoryTable()) == "missing column \"process\"");
}
