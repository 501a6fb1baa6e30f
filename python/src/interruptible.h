// Long work without the interpreter's lock, which Ctrl-C ends.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace porpentine::python {

namespace py = pybind11;

/// What work that runs and the thread that waits for it know of one another.
class Interruptible {
 public:
  /// `progress` is None, or is called with (done, total) by the thread that waits.
  explicit Interruptible(py::object progress) : progress_(std::move(progress)) {}
  Interruptible(const Interruptible&) = delete;  // threads refer to it
  Interruptible& operator=(const Interruptible&) = delete;

  /// Once it is true, the work should end.
  [[nodiscard]] const std::atomic<bool>& cancelled() const { return cancelled_; }
  [[nodiscard]] bool wants_progress() const { return !progress_.is_none(); }
  /// From any thread.
  void report(std::uint64_t done, std::uint64_t total) {
    const std::lock_guard lock(mutex_);
    latest_ = {done, total};
  }

  /// Runs `work()` in a thread of its own, and raises what signal handlers and it raise. To be called with the
  /// interpreter's lock, which is released meanwhile.
  template <typename Work>
  auto run(const Work& work) {
    std::optional<decltype(work())> result;
    std::exception_ptr failure;
    std::exception_ptr interruption;
    {
      const py::gil_scoped_release released;
      std::thread worker([&] {
        try {
          result.emplace(work());
        } catch (...) {
          failure = std::current_exception();
        }
        finish();
      });
      while (!wait()) {
        if (interruption) continue;
        const py::gil_scoped_acquire acquired;
        interruption = look_around();
        if (interruption) cancelled_ = true;
      }
      worker.join();
    }
    if (interruption) std::rethrow_exception(interruption);
    if (failure) std::rethrow_exception(failure);
    return std::move(*result);
  }

 private:
  static constexpr std::chrono::milliseconds kPause{25};

  void finish() {
    const std::lock_guard lock(mutex_);
    done_ = true;
    changed_.notify_all();
  }
  /// Whether the work is done, after a while at most.
  bool wait() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kPause, [&] { return done_; });
  }
  /// What signal handlers and progress bars raise.
  std::exception_ptr look_around() {
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      std::optional<std::pair<std::uint64_t, std::uint64_t>> latest;
      {
        const std::lock_guard lock(mutex_);
        latest = std::exchange(latest_, std::nullopt);
      }
      if (latest && wants_progress()) progress_(latest->first, latest->second);
    } catch (...) {
      return std::current_exception();
    }
    return nullptr;
  }

  py::object progress_;
  std::atomic<bool> cancelled_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::optional<std::pair<std::uint64_t, std::uint64_t>> latest_;
};

}  // namespace porpentine::python
