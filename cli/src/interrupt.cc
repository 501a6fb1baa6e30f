#include "interrupt.h"

#include <csignal>

namespace porpentine::cli {
namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "the signal handler may not block");

void catch_signal(int number) {
  struct sigaction before = {};
  sigaction(number, nullptr, &before);
  if (before.sa_handler == SIG_IGN) return;
  struct sigaction action = {};
  action.sa_handler = [](int) { interrupted = true; };
  // Without SA_RESTART: a read that waits for a terminal or a pipe comes back and sees the flag.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(number, &action, nullptr);
}

}  // namespace

const std::atomic<bool>& catch_interrupts() {
  catch_signal(SIGINT);
  catch_signal(SIGTERM);
  return interrupted;
}

}  // namespace porpentine::cli
