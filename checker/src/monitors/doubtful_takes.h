// Which takes of an unknown outcome took what is missing.
//
// A value that certainly was put in and that nobody is known to have taken may be missed later: by the return of a take
// that could not have had what it had with this value still there, it was gone. That return is the value's
// **deadline**,
//
//   queue           of any value that was put in wholly after this one,
//   stack           of any value that was put in wholly before this one, if it was called when this one was surely in,
//   priority queue  of any greater value, if it was called when this one was surely in,
//   all of them     of a take that found nothing, if it was called when this one was surely in.
//
// Each such value needs an indeterminate take of its own, called by then. With both sorted, the k-th call must be by
// the k-th deadline (Hall's theorem on intervals that are open on one side): if it is not, there is no order. If it is,
// takes are assigned so, and a monitor that finds an order then has found one; if it finds none, other takes may have
// been the ones. Of the takes that come in time those that were called first are used first, as they leave the longest
// time.
//
// O(n log n), and O(n) where no take is indeterminate.
#pragma once

#include <optional>

#include "items.h"

namespace porpentine::detail {

/// A no where too few takes of an unknown outcome came in time for what is missing; else Item::take of what is missing
/// is assigned.
std::optional<Ruling> assign_doubtful_takes(Items& items);

/// What `rule` says of the items with doubtful takes assigned, where that is proved by it.
template <typename Rule>
Ruling rule_with_doubtful_takes(Items& items, Rule rule) {
  if (std::optional<Ruling> refusal = assign_doubtful_takes(items)) return *std::move(refusal);
  Ruling ruling = rule();
  const bool proved = ruling.answer != Answer::no || items.doubtful_takes().empty() || !ruling.core.empty() ||
                      (ruling.suspect != kNobody && !items.in_doubt(ruling.suspect));
  return proved ? std::move(ruling) : Ruling{};
}

}  // namespace porpentine::detail
