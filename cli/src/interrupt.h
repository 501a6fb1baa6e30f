// Ctrl-C: the first ends the work in good order, the second ends the process.
#pragma once

#include <atomic>

namespace porpentine::cli {

/// Makes SIGINT and SIGTERM set the flag that is returned, once each; the next one acts as ever. A signal that the
/// parent chose to ignore stays ignored.
const std::atomic<bool>& catch_interrupts();

}  // namespace porpentine::cli
