// Random histories that are mostly linearizable by construction, and then damaged.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "event.h"
#include "random.h"

namespace porpentine::differential {

struct Shape {
  int least_operations = 4;
  int most_operations = 9;
  int least_clients = 2;
  int most_clients = 4;
  int keys = 0;          ///< 0: operations have no key
  bool failures = true;  ///< whether some operations are known not to have happened
  bool damaged = true;   ///< whether three of four histories are damaged at all
  bool distinct =
      false;  ///< whether all inputs are, by Object::distinguish, and two of three histories have hardly a tie
};

/// As much as brute force bears.
inline Shape longer(int keys = 0) {
  return {.least_operations = 9, .most_operations = 14, .least_clients = 3, .most_clients = 6, .keys = keys};
}

namespace detail {

/// Operations without outputs on a small grid of times, so that ties are common, and the moment at which each takes
/// effect.
template <typename R>
std::vector<double> lay_out(const R& object, const Shape& shape, Random& random, Events<typename R::Op>& events) {
  struct Client {
    std::int64_t free_from;
    int process;
  };
  std::vector<Client> clients;
  const bool crowded = random.chance(25);  // nearly everything overlaps
  const int count = random.between(shape.least_operations, shape.most_operations);
  const int client_count = crowded ? count : random.between(shape.least_clients, shape.most_clients);
  for (int process = 0; process < client_count; ++process) clients.push_back({random.below(3), process});
  const int unknown_percent = random.pick(std::vector<int>{0, 10, 30, 60});
  const int fail_percent = shape.failures ? random.pick(std::vector<int>{0, 0, 10}) : 0;
  const int length = crowded ? 12 : random.pick(std::vector<int>{1, 3, 8});
  const int grain = shape.distinct && random.chance(67) ? 64 : 1;
  int next_process = client_count;
  std::vector<double> moments;
  for (int i = 0; i < count; ++i) {
    Client& client = random.pick(clients);
    Event<typename R::Op> event;
    event.op = object.invocation(random);
    if constexpr (requires { object.distinguish(event.op, i, random); }) {
      if (shape.distinct) object.distinguish(event.op, i, random);
    }
    event.process = client.process;
    event.key = shape.keys == 0 ? 0 : random.between(1, shape.keys);
    event.call = client.free_from + random.below(3 * grain);
    event.ret = event.call + random.below((length + 1) * grain);
    double moment = static_cast<double>(event.call) + random.fraction() * static_cast<double>(event.ret - event.call);
    client.free_from = event.ret;
    if (random.chance(unknown_percent)) {
      event.ended = Ended::unknown;
      moment = static_cast<double>(event.call) + random.fraction() * 12 * grain;
      if (random.chance(50)) client.process = next_process++;
    } else if (random.chance(fail_percent)) {
      event.ended = Ended::fail;
    }
    events.push_back(event);
    moments.push_back(moment);
  }
  return moments;
}

/// Lets every operation take effect at its moment (of the unknown ones some never do), and so find its output. What is
/// not possible then has failed.
template <typename R>
void perform_all(const R& object, const std::vector<double>& moments, Random& random, Events<typename R::Op>& events) {
  std::vector<std::size_t> order(events.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return moments[a] < moments[b]; });
  std::map<int, typename R::State> states;
  for (const std::size_t i : order) {
    Event<typename R::Op>& event = events[i];
    if (event.ended == Ended::fail || (event.ended == Ended::unknown && random.chance(40))) continue;
    auto& state = states.try_emplace(event.key, object.initial()).first->second;
    if (auto next = object.perform(state, event.op, event.process, random)) {
      state = *next;
    } else if (event.ended == Ended::ok && random.chance(90)) {
      event.ended = Ended::fail;
    }
  }
}

}  // namespace detail

/// Three of four histories are damaged: an output changed, or an interval cut short.
template <typename R>
Events<typename R::Op> random_history(const R& object, const Shape& shape, Random& random) {
  Events<typename R::Op> events;
  const std::vector<double> moments = detail::lay_out(object, shape, random, events);
  detail::perform_all(object, moments, random, events);
  if (!shape.damaged || random.chance(25)) return events;
  for (int damages = random.between(1, 2); damages > 0; --damages) {
    Event<typename R::Op>& event = random.pick(events);
    if (event.ended == Ended::ok && random.chance(75)) {
      object.corrupt(event.op, random);
    } else if (random.chance(50)) {
      event.ret = event.call;
    } else if (event.ended != Ended::unknown) {
      event.call = event.ret;
    }
  }
  return events;
}

}  // namespace porpentine::differential
