// The operations of a stream that anybody still needs, as rows of a History that are used again.
//
// Values are interned, and a table of values only grows. So once most of it is no longer needed, the stream moves to
// a new one: rows are interned again, and whoever keeps ids elsewhere translates them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include <porpentine/history/history.h>
#include <porpentine/history/result.h>
#include <porpentine/models/specification.h>
#include <porpentine/models/state_archive.h>

namespace porpentine::detail {

class Window {
 public:
  static Result<std::unique_ptr<Window>> open(std::string_view model);

  [[nodiscard]] History& history() { return content_->history; }
  [[nodiscard]] const History& history() const { return content_->history; }
  [[nodiscard]] const Specification& model() const { return *content_->model; }

  /// A row for an operation, every column empty but these.
  std::uint32_t add(ValueId process, std::string_view f);
  void release(std::uint32_t row);

  /// Whether most values are no longer needed.
  [[nodiscard]] bool is_stale() const;
  /// Moves to a new table. `carry` is called when the rows have moved, with what ids have become.
  template <typename Carry>
  void renew(const Carry& carry) {
    const std::unique_ptr<Content> old = std::exchange(content_, std::make_unique<Content>());
    const StateArchive::Translation translation = move_rows(*old);
    carry(translation);
    size_when_new_ = size();
  }

  /// Bytes on the heap.
  [[nodiscard]] std::uint64_t memory() const;

 private:
  struct Content {
    History history;
    std::unique_ptr<Specification> model;
    absl::flat_hash_map<ValueId, std::uint32_t> process_of;
  };

  [[nodiscard]] StateArchive::Translation move_rows(const Content& old);
  [[nodiscard]] std::size_t size() const { return history().values.size() + history().processes.size(); }
  std::uint32_t process(ValueId name);

  std::string model_name_;
  std::unique_ptr<Content> content_ = std::make_unique<Content>();
  std::vector<std::uint32_t> free_;  ///< rows
  std::vector<bool> in_use_;         ///< by row
  std::size_t size_when_new_ = 0;
};

}  // namespace porpentine::detail
