// Histories of operations for a model of one's own, and the typed entry's check of them.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <porpentine/checker/check.h>

#include "event.h"
#include "names.h"
#include "subject.h"

namespace porpentine::differential {

/// `M` is the model, `R` a reference object with
///     M::Input input<M>(const Op&) const;  typename M::Output output<M>(const Op&) const;
///     int part(const Op&) const;           what partition_key must tell apart
///     std::string describe(const Op&, bool known) const;
template <typename M, typename R>
class TypedSubject {
 public:
  using Object = R;
  using Op = typename R::Op;

  TypedSubject(const R& object, std::string model) : object_(object), model_(std::move(model)) {}

  [[nodiscard]] const R& object() const { return object_; }
  [[nodiscard]] const std::string& model() const { return model_; }

  void load(const Events<Op>& events, Names::Scheme = Names::Scheme::plain) {
    events_ = events;
    operations_.clear();
    for (const Event<Op>& event : events) {
      Operation<M> operation;
      operation.process = event.process;
      operation.input = object_.template input<M>(event.op);
      if (event.ended == Ended::ok) operation.output = object_.template output<M>(event.op);
      operation.call = event.call;
      operation.ret = event.ret;
      operations_.push_back(std::move(operation));
    }
  }

  [[nodiscard]] std::optional<std::string> input_error() const { return std::nullopt; }

  [[nodiscard]] Parts parts() const {
    Parts parts;
    std::map<int, std::size_t> place;
    for (std::size_t i = 0; i < events_.size(); ++i) {
      const int key = requires_partition() ? object_.part(events_[i].op) : 0;
      const std::size_t part = place.emplace(key, parts.size()).first->second;
      if (part == parts.size()) parts.emplace_back();
      parts[part].push_back(i);
    }
    return parts;
  }

  [[nodiscard]] CheckResult check(const CheckOptions& options) const {
    return porpentine::check(M{}, std::span<const Operation<M>>(operations_), options);
  }

  [[nodiscard]] std::string text() const {
    std::ostringstream out;
    for (const Event<Op>& event : events_) {
      const bool known = event.ended == Ended::ok;
      out << "process " << event.process << ' ' << object_.describe(event.op, known) << " [" << event.call << ", "
          << (known ? std::to_string(event.ret) : "...") << "]\n";
    }
    return out.str();
  }

 private:
  static constexpr bool requires_partition() {
    return requires(const M& model, const typename M::Input& input) { model.partition_key(input); };
  }

  R object_;
  std::string model_;
  Events<Op> events_;
  std::vector<Operation<M>> operations_;
};

}  // namespace porpentine::differential
