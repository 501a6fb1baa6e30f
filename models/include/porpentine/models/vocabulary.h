// What a model's operations are to a monitor, which decides a history without a search.
//
// The search asks a Machine what each operation does. A monitor knows one kind of object by heart, and all it has to
// be told is which of its words each function of the history is.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <porpentine/history/value.h>

namespace porpentine {

/// Objects that have monitors.
enum class ObjectKind : std::uint8_t { none, log, reg, queue, bag, stack, priority_queue, set };

// Their words. An operation's value, offset or pair is its input or output, as the models' vocabularies say.
enum class LogWord : std::uint8_t { append, append_batch, read, tail, scan };
enum class RegisterWord : std::uint8_t { read, write, cas };
enum class SetWord : std::uint8_t { add, remove, contains, read };
/// Of a queue, bag, stack and priority queue.
enum class ContainerWord : std::uint8_t { put, take };

/// No word of the object's: its monitors don't apply where one occurs.
inline constexpr std::uint8_t kOtherWord = 0xff;

struct Vocabulary {
  ObjectKind object = ObjectKind::none;
  std::vector<std::uint8_t> words;  ///< by the history's function index
  ValueId initial = kNull;          ///< of a register
  bool nil_read_any = false;        ///< of a register: a read of null says nothing
};

/// Positions in `numbers` by rising number. The order is exact across integers of 64 bits, signed or not, and doubles.
std::vector<std::uint32_t> in_order_of_number(const ValueTable& values, std::span<const ValueId> numbers);

}  // namespace porpentine
