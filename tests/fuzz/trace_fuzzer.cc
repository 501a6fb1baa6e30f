// Any bytes as a causal trace: read, judged, written and read again.
#include <porpentine/checker/causal.h>
#include <porpentine/history/causal_trace.h>
#include <porpentine/visualize/html.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace porpentine;
  const std::string_view text(reinterpret_cast<const char*>(data), size);  // NOLINT: bytes are characters
  is_causal_trace(text);
  const Result<CausalTrace> trace = read_causal_trace_text(text);
  if (!trace) {
    if (trace.error().message.empty()) std::abort();
    return 0;
  }
  CheckOptions options;
  options.memory_limit = 256_MiB;
  const CausalResult result = judge_causal_trace(*trace, options);
  std::ostringstream page;
  write_html(page, *trace, result);
  std::ostringstream written;
  write_causal_trace(*trace, written);
  const Result<CausalTrace> again = read_causal_trace_text(written.str());
  if (!again || again->names.actors != trace->names.actors || again->events.size() != trace->events.size())
    std::abort();
  if (judge_causal_trace(*again, options).violations.size() != result.violations.size()) std::abort();
  return 0;
}
