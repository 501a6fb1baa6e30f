// A set: a PersistentArray of bits by dense element number, so that a whole set is compared by one id.
//
// Elements are independent but for reads of the whole set, so operations on different elements touch different parts.
// Where there is one element only, its two states are tokens, and an operation that answered nothing overwrites.
//
// What the binding knows of an element is **evidence**:
// - One that nothing adds is never there; one that nothing removes stays there. What was observed otherwise can't be
//   accepted any more.
// - An addition with an unknown outcome can be left out of every order where no ok operation saw the element there: all
//   that it can bring about later is that observation. Likewise a removal where no ok operation saw it missing.
//   One that did happen is irrelevant only where neither was seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <porpentine/history/value.h>
#include <porpentine/models/machine.h>
#include <porpentine/models/persistent_array.h>

namespace porpentine::detail {

enum class SetKind : std::uint8_t {
  nothing,  ///< accepted everywhere, changes nothing
  has,      ///< `element` is there
  lacks,    ///< it is not
  insert,   ///< it was not there, and is now
  put,      ///< it is there now
  take,     ///< it was there, and is not now
  drop,     ///< it is not there now
  read,     ///< the set is `elements`
};

struct SetOperation {
  SetKind kind = SetKind::nothing;
  bool indeterminate = false;  ///< of put and drop
  ValueId element = kNull;
  std::span<const ValueId> elements = {};  ///< all different
};

class SetMachine final : public Machine {
 public:
  [[nodiscard]] std::span<const LabelTraits> labels() const override { return traits_; }
  [[nodiscard]] StateId initial() override { return PersistentArray::kZeros; }
  [[nodiscard]] StateId step(StateId state, Label label) override;
  [[nodiscard]] bool viable(StateId state, Label label) override;
  [[nodiscard]] bool has_tokens() const override { return has_tokens_; }
  [[nodiscard]] Token token(StateId state) const override { return state; }
  [[nodiscard]] std::size_t memory() const override;

 private:
  friend class SetBinder;

  struct What {
    SetKind kind = SetKind::nothing;
    bool possible = true;                 // whether what must be there was ever added
    bool reversible = true;               // whether what must be missing is ever removed
    std::uint32_t element = 0;            // dense
    PersistentArray::Root elements = 0;   // of a read
    PersistentArray::Root removable = 0;  // of a read: these, and all that are ever removed
  };

  [[nodiscard]] bool contains(StateId state, std::uint32_t element) const;

  std::vector<What> labels_;
  std::vector<LabelTraits> traits_;
  PersistentArray states_;
  bool has_tokens_ = false;
};

/// O(n), n counting the elements of reads too, and one more for 32 different elements at each read.
Bound bind_set(std::span<const SetOperation> operations);

}  // namespace porpentine::detail
