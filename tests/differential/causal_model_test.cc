// The model of causal delivery against brute force, where events overlap.
#include "causal_object.h"
#include "matrix.h"

namespace porpentine::differential {

TEST_CASE("random histories of causal delivery are judged as by brute force", "[causal]") {
  Subject<CausalObject> subject({}, "causal-delivery");
  compare_random(subject, {}, 90'000'000);
}

TEST_CASE("longer random histories of causal delivery are judged as by brute force", "[causal]") {
  Subject<CausalObject> subject({}, "causal-delivery");
  compare_longer(subject, longer(), 91'000'000);
}

}  // namespace porpentine::differential
