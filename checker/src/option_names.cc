#include <porpentine/checker/option_names.h>

#include <string>

namespace porpentine {

Result<SearchOrder> parse_order(std::string_view name) {
  if (name == "portfolio") return SearchOrder::portfolio;
  if (name == "breadth-first") return SearchOrder::breadth_first;
  if (name == "depth-first") return SearchOrder::depth_first;
  return Error{ErrorCode::usage,
               "'" + std::string(name) + "' is not an order (orders: portfolio, breadth-first, depth-first)"};
}

Result<Engine> parse_engine(std::string_view name) {
  if (name == "auto") return Engine::automatic;
  if (name == "search") return Engine::search;
  if (name == "monitor") return Engine::monitor;
  return Error{ErrorCode::usage, "'" + std::string(name) + "' is not an engine (engines: auto, search, monitor)"};
}

}  // namespace porpentine
