// Is this history linearizable? The two entries.
//
// For histories read from files, with the built-in models:
//
//     porpentine::Result<porpentine::History> history = porpentine::read_history("history.jsonl");
//     auto model = porpentine::make_specification("register", history->values).value();
//     if (auto error = model->validate(*history)) ...   // an input error, not a verdict
//     porpentine::CheckResult result = porpentine::check(*model, *history, {.time_limit = 30s});
//
// For operations recorded in your own test, with a model of your own (see porpentine/models/model.h):
//
//     std::vector<porpentine::Operation<Register>> history = ...;
//     porpentine::CheckResult result = porpentine::check(Register{}, history);
//     if (!result.valid()) std::cerr << result.failures.front().message;
//
// The procedure is a just-in-time linearization search (Lowe, "Testing for linearizability", CCPE 2017) over
// configurations of running operations only; checker/README.md tells it whole. Its cost is linear in the
// length of a history whose concurrency is bounded, exponential in the number of running operations at worst.
//
// Thread safety: checks of different histories may run at once; none writes to its arguments.
#pragma once

#include <span>
#include <vector>

#include <porpentine/checker/options.h>
#include <porpentine/checker/result.h>
#include <porpentine/history/history.h>
#include <porpentine/models/model.h>
#include <porpentine/models/specification.h>

namespace porpentine {

/// `history` must have passed model.validate().
CheckResult check(const Specification& model, const History& history, const CheckOptions& options = {});

/// Searches for the orders of what check(model, history) found valid without one, as monitors do: for
/// PartitionResult::linearization, which stays empty where a limit ends the search. Verdicts stay as they are.
void find_orders(const Specification& model, const History& history, CheckResult& result,
                 const CheckOptions& options = {});

}  // namespace porpentine

#include <porpentine/checker/typed.h>  // IWYU pragma: export
