// What can't have happened in a causal trace, and which record each of its events is about.
//
//     CausalRules rules(reader->names());
//     Result<std::uint32_t> record = rules.take(event);
//
// O(1) an event where each channel's offsets are sent in about rising order, O(log n) otherwise. 24 bytes a record.
#pragma once

#include <cstdint>
#include <memory>

#include <porpentine/history/causal_trace.h>
#include <porpentine/history/result.h>

namespace porpentine {

class CausalRules {
 public:
  /// `names` must outlive this; it may grow.
  explicit CausalRules(const CausalNames& names);
  ~CausalRules();
  CausalRules(CausalRules&&) noexcept;
  CausalRules& operator=(CausalRules&&) noexcept;

  /// An Error (code order; the line filled in, the file not) where the event contradicts the ones before, after which
  /// nothing more may be taken. Else the number of the record it is about: of a send the next one, counted from 0; of a
  /// deliver, observe or marker that of the record at its coordinate; kNoIndex where nothing was ever sent there, and
  /// for everything else.
  Result<std::uint32_t> take(const CausalEvent& event);

  /// How many records were sent.
  [[nodiscard]] std::uint32_t records() const;
  [[nodiscard]] std::size_t memory() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace porpentine
