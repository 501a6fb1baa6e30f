#include <porpentine/history/reader.h>
#include <porpentine/history/writer.h>

#include <sstream>
#include <string>

#include "history_listing.h"
#include "support/catch.h"

using porpentine::ErrorCode;
using porpentine::Format;

namespace {

struct Expected {
  const char* file;
  ErrorCode code;
  std::uint64_t line;
  const char* message;  ///< how it begins
};

constexpr Expected kExpected[] = {
    {"s2-not-json.jsonl", ErrorCode::syntax, 2, "not JSON: {\"event\":{\"Start\":"},
    {"s2-no-event.jsonl", ErrorCode::field, 2, "missing field \"event\": {"},
    {"s2-no-client.jsonl", ErrorCode::field, 1, "missing field \"client_id\""},
    {"s2-no-op-id.jsonl", ErrorCode::field, 1, "missing field \"op_id\""},
    {"s2-client-text.jsonl", ErrorCode::field, 1, "\"client_id\" is no integer"},
    {"s2-op-id-text.jsonl", ErrorCode::field, 1, "\"op_id\" is no integer"},
    {"s2-start-and-finish.jsonl", ErrorCode::field, 1, "\"event\" is neither {\"Start\": ...} nor {\"Finish\": ...}"},
    {"s2-unknown-event.jsonl", ErrorCode::field, 2, "\"event\" is neither {\"Start\": ...} nor {\"Finish\": ...}"},
    {"s2-unknown-start.jsonl", ErrorCode::field, 1,
     "\"Start\" is none of {\"Append\": ...}, \"Read\" and \"CheckTail\""},
    {"s2-unknown-finish.jsonl", ErrorCode::field, 2, "\"Finish\" is no ending that is known"},
    {"s2-success-without-fields.jsonl", ErrorCode::field, 2, "\"Finish\" is no ending that is known"},
    {"s2-read-without-stream-hash.jsonl", ErrorCode::field, 2, "\"stream_hash\" is no integer of 64 bits"},
    {"s2-hash-beyond-64-bits.jsonl", ErrorCode::syntax, 2, "a number that is malformed or out of range"},
    {"s2-negative-tail.jsonl", ErrorCode::field, 2, "\"tail\" is no non-negative integer"},
    {"s2-append-without-hashes.jsonl", ErrorCode::field, 1, "\"record_hashes\" is no list"},
    {"s2-fewer-hashes-than-records.jsonl", ErrorCode::field, 1,
     "\"num_records\" is not the number of the record hashes"},
    {"s2-record-hash-negative.jsonl", ErrorCode::field, 1, "a record's hash is no integer of 64 bits"},
    {"s2-match-seq-num-text.jsonl", ErrorCode::field, 1, "\"match_seq_num\" is no non-negative integer"},
    {"s2-fencing-token-number.jsonl", ErrorCode::field, 1, "\"fencing_token\" is no text"},
    {"s2-finish-of-another-operation.jsonl", ErrorCode::order, 2,
     "the finish of another operation than op_id 0, which client 0 started"},
    {"s2-finish-of-another-kind.jsonl", ErrorCode::order, 2, "the return of another function than append("},
    {"s2-finish-without-start.jsonl", ErrorCode::order, 2, "return without a call by process 0"},
    {"s2-second-finish.jsonl", ErrorCode::order, 3, "second return of read() -> ? by process 1 (line 1)"},
    {"s2-second-start.jsonl", ErrorCode::order, 2, "second call of process 1 while read()"},
};

}  // namespace

TEST_CASE("the log of s2's collector is appends, reads and checks of the tail, in the order of the lines") {
  CHECK(listing_of_file("good/collected.s2.jsonl") ==
        R"(unit event
0 append({"match_seq_num":0,"record_hashes":["12352915711150947722"]}) ok 1 [0, 2] {"op_id":0}
1 read(null) ok {"stream_hash":"5560538435033744293","tail":1} [1, 3] {"op_id":1}
0 append({"record_hashes":["15304296276065178466","3034989647889402149"],"set_fencing_token":"a"}) info [4, 4] {"op_id":2}
2 check-tail(null) info [5, 5] {"host":"n1","op_id":3}
2 read(null) ok {"stream_hash":"8299828014083998463","tail":3} [7, 8] {"op_id":4}
1 append({"fencing_token":"b","record_hashes":["18446744073709551615"]}) fail [9, 11] {"op_id":5}
3 check-tail(null) ok 3 [10, 12] {"op_id":6}
1 read(null) info [13, 13] {"op_id":7}
1 read(null) open [15, 15] {"op_id":8}
)");
}

TEST_CASE("the log of s2's collector is told by its content and reads the same when it is named") {
  CHECK(listing_of_file("good/collected.s2.jsonl", {.format = Format::s2}) ==
        listing_of_file("good/collected.s2.jsonl"));
  CHECK(porpentine::parse_format("s2").value() == Format::s2);
  const std::string spaced = R"( { "op_id" : 1, "client_id": 1, "event": { "Start": "Read" } })";
  CHECK(listing(spaced) == "unit event\n1 read(null) open [0, 0] {\"op_id\":1}\n");
  const std::string operation = R"({"event": "Start", "process": 0, "f": "read", "call": 1, "return": 2})";
  CHECK(listing(operation) == "0 read(null) ok null [1, 2] {\"event\":\"Start\"}\n");
}

TEST_CASE("the log of s2's collector as JSON Lines is the same history") {
  const auto history = porpentine::read_history(data_file("good/collected.s2.jsonl")).value();
  std::ostringstream out;
  porpentine::write_jsonl(history, out);
  CHECK(listing(out.str()) == listing(history));
}

TEST_CASE("an empty log of s2's collector is an empty history") {
  CHECK(listing("\n\n", {.format = Format::s2}) == "");
}

TEST_CASE("a malformed log of s2's collector is an input error with its line") {
  for (const Expected& expected : kExpected) {
    INFO(expected.file);
    const auto read = porpentine::read_history(data_file("bad/" + std::string(expected.file)), {.format = Format::s2});
    REQUIRE_FALSE(read);
    INFO(read.error().to_string());
    CHECK(read.error().code == expected.code);
    CHECK(read.error().line == expected.line);
    CHECK(read.error().message.rfind(expected.message, 0) == 0);
    CHECK(read.error().file == data_file("bad/" + std::string(expected.file)));
  }
}
