// A history as one HTML file that anyone can open: what was found, and a timeline to look around in.
//
//     std::ofstream page("orders.html");
//     porpentine::write_html(page, history, *model, porpentine::check(*model, history, {.linearization = true}));
//
// The page holds everything that it shows and asks nothing of the network; its policy forbids that. The verdict, the
// messages and the cores can be read without scripts and on paper. The same arguments give the same bytes.
//
// About 10 bytes an operation besides its values; 100,000 operations are a page of 1 to 2 MB, which opens at once.
//
// Thread safety: pages of different histories, or of one, may be written at once.
#pragma once

#include <ostream>

#include <porpentine/checker/causal.h>
#include <porpentine/checker/result.h>
#include <porpentine/history/causal_trace.h>
#include <porpentine/history/history.h>
#include <porpentine/models/specification.h>

namespace porpentine {

/// The history alone, nothing checked.
void write_html(std::ostream& out, const History& history);

/// With what check(model, history) found. Orders are shown where CheckOptions::linearization asked for them, and before
/// failures. `history` must have passed model.validate().
void write_html(std::ostream& out, const History& history, const Specification& model, const CheckResult& result);

/// A causal trace as a space-time diagram: a line an actor, arrows for records, and of each violation the missing cause
/// and the chain of sends and deliveries that makes it one. `result` is what judge_causal_trace(trace) found; without
/// it nothing is said about the trace. About 12 bytes an event; of more than 1,000 violations the first are shown.
void write_html(std::ostream& out, const CausalTrace& trace, const CausalResult& result);
void write_html(std::ostream& out, const CausalTrace& trace);

}  // namespace porpentine
