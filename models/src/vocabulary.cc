#include <porpentine/models/vocabulary.h>

#include "number.h"

namespace porpentine {

bool less_number(const ValueTable& values, ValueId a, ValueId b) {
  return *detail::as_number(values, a) < *detail::as_number(values, b);
}

}  // namespace porpentine
