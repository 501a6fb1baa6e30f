#include <porpentine/simulate/causal.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace porpentine {
namespace {

constexpr std::array<std::string_view, kCausalFaults> kFaults = {
    "none",           "eager",          "ignores-transitive", "ignores-own-sends",    "tears-steps", "loses-held",
    "stops-at-holes", "delivers-again", "moves-baseline",     "forgets-dependencies", "reorders"};

class ReferenceProtocol final : public CausalProtocol {
 public:
  ReferenceProtocol(std::uint32_t channels, CausalFault fault) : fault_(fault), depends_(channels, 0) {}

  void subscribe(std::uint32_t channel, std::uint64_t position) override {
    Input& input = inputs_[channel];
    input.delivered = input.fetched = position;
    before_ = state();
  }

  void restore(const CausalWords& saved) override {
    auto word = saved.begin();
    for (std::uint64_t& dependency : depends_) {
      dependency = fault_ == CausalFault::forgets_dependencies ? 0 : *word;
      ++word;
    }
    for (auto& [channel, input] : inputs_) {
      input.delivered = *word++;
      input.fetched = fault_ == CausalFault::loses_held ? *word : input.delivered;
      ++word;
      input.held.clear();
    }
    before_ = saved;
  }

  void restarted(std::uint32_t channel, std::uint64_t end) override {
    if (fault_ != CausalFault::moves_baseline) return;
    Input& input = inputs_[channel];
    input.delivered = input.fetched = end;
  }

  [[nodiscard]] std::uint64_t fetch_position(std::uint32_t channel) const override {
    return inputs_.at(channel).fetched;
  }

  void fetched(std::uint32_t channel, std::span<const CausalRecord> records, std::uint64_t end) override {
    Input& input = inputs_[channel];
    input.held.insert(input.held.end(), records.begin(), records.end());
    input.fetched = end;
    move_over_holes(input);
  }

  [[nodiscard]] std::size_t held() const override {
    std::size_t count = 0;
    for (const auto& [channel, input] : inputs_) count += input.held.size();
    return count;
  }

  [[nodiscard]] std::optional<CausalRecord> next() override {
    for (const auto& [channel, input] : inputs_) {
      if (input.held.empty()) continue;
      const CausalRecord& record = fault_ == CausalFault::reorders ? input.held.back() : input.held.front();
      if (fault_ == CausalFault::stops_at_holes && record.offset != input.delivered) continue;
      if (fault_ == CausalFault::eager || depends_on_nothing_more(record)) return record;
    }
    return std::nullopt;
  }

  void delivered(const CausalRecord& record) override {
    before_ = state();
    Input& input = inputs_[record.channel];
    std::erase_if(input.held, [&](const CausalRecord& one) { return one.offset == record.offset; });
    input.delivered = std::max(input.delivered, record.offset + 1);
    move_over_holes(input);
    observed(record);
  }

  void observed(const CausalRecord& record) override {
    for (std::size_t k = 0; k < depends_.size() && fault_ != CausalFault::ignores_transitive; ++k) {
      depends_[k] = std::max(depends_[k], record.stamp[k]);
    }
    depends_[record.channel] = std::max(depends_[record.channel], record.offset + 1);
  }

  [[nodiscard]] CausalWords stamp() const override { return depends_; }

  void sent(std::uint32_t channel, std::uint64_t offset) override {
    if (fault_ != CausalFault::ignores_own_sends) depends_[channel] = std::max(depends_[channel], offset + 1);
  }

  [[nodiscard]] CausalWords save() const override { return fault_ == CausalFault::delivers_again ? before_ : state(); }
  [[nodiscard]] bool is_atomic() const override { return fault_ != CausalFault::tears_steps; }

 private:
  /// A channel that is consumed.
  struct Input {
    std::uint64_t delivered = 0;  // what is below was delivered, or is a hole
    std::uint64_t fetched = 0;
    std::vector<CausalRecord> held = {};
  };

  [[nodiscard]] bool depends_on_nothing_more(const CausalRecord& record) const {
    return std::all_of(inputs_.begin(), inputs_.end(), [&](const auto& entry) {
      const auto& [channel, input] = entry;
      return channel == record.channel || record.stamp[channel] <= input.delivered;
    });
  }
  void move_over_holes(Input& input) const {
    if (fault_ == CausalFault::stops_at_holes) return;
    input.delivered = std::max(input.delivered, input.held.empty() ? input.fetched : input.held.front().offset);
  }
  [[nodiscard]] CausalWords state() const {
    CausalWords words = depends_;
    for (const auto& [channel, input] : inputs_) words.insert(words.end(), {input.delivered, input.fetched});
    return words;
  }

  const CausalFault fault_;
  CausalWords depends_;                    // by channel: the offset behind the last record that it knows of
  std::map<std::uint32_t, Input> inputs_;  // by channel
  CausalWords before_ = depends_;          // state() before the last delivery
};

}  // namespace

std::string_view to_string(CausalFault fault) { return kFaults[static_cast<std::size_t>(fault)]; }

std::unique_ptr<CausalProtocol> make_causal_protocol(std::uint32_t channels, CausalFault fault) {
  return std::make_unique<ReferenceProtocol>(channels, fault);
}

}  // namespace porpentine
