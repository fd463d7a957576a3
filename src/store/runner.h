// SPDX-License-Identifier: MIT
// One run of a program (private to store.cpp).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/random.h"
#include "store/consistency.h"
#include "store/ran_transaction.h"
#include "store/script.h"

namespace isomer::store {

// The arguments of every call, session by session.
using Arguments = std::vector<std::vector<Value>>;

class Runner {
 public:
  Runner(const Program& program, const Arguments& arguments, const Options& options,
         const KeyUniverse& universe);

  // False if the time ran out.
  bool run();

  // In the order in which they ran.
  [[nodiscard]] const std::vector<RanTransaction>& transactions() const { return ran_; }

  [[nodiscard]] const std::optional<Divergence>& divergence() const { return divergence_; }

  // Keys that were written although the universe does not have them.
  [[nodiscard]] const KeyUniverse& new_keys() const { return new_keys_; }

 private:
  struct Version {
    std::uint32_t writer;
    Value value;
  };

  // The transaction that is running.
  struct Running {
    RanTransaction record;
    RunTransaction reads_and_writes;
    std::map<KeyName, Value> own;
    std::size_t script_position = 0;
  };

  [[nodiscard]] std::optional<Place> next_transaction();
  void run_transaction(std::uint32_t session, std::uint32_t index);
  bool read(Running& running, program::Machine& machine, const program::WantsRead& wants);
  void write(Running& running, const program::WritesKey& writes);
  void commit(Running& running, const program::Commits& commits);
  void roll_back(Running& running, std::string reason, std::string sqlstate,
                 program::Span at);
  [[nodiscard]] std::optional<std::uint32_t> choose_writer(Running& running,
                                                           const KeyName& key);
  [[nodiscard]] std::optional<std::uint32_t> random_writer(Running& running,
                                                           const KeyName& key);
  [[nodiscard]] std::optional<std::uint32_t> scripted_writer(Running& running,
                                                             const KeyName& key);
  [[nodiscard]] std::optional<std::uint32_t> latest_writer(const Running& running,
                                                           const KeyName& key);
  [[nodiscard]] std::string obstacle(const Running& running, const ScriptedRead& wanted);
  [[nodiscard]] const ScriptedTransaction& scripted(const Running& running) const;
  // The script has it rolled back, so what it writes binds nobody.
  [[nodiscard]] bool is_to_fail(const Running& running) const;
  // It was rolled back when the script was written down, and is tried again.
  [[nodiscard]] bool is_try(const Running& running) const;
  void compare_end(const Running& running);
  void diverge(const Running& running, std::string what);
  void record_divergence(const Running& running, std::string what);
  [[nodiscard]] bool allows(const RunTransaction& running) const;
  [[nodiscard]] bool allows_read(const Running& running, const KeyName& key,
                                 std::uint32_t writer);
  [[nodiscard]] std::uint32_t number_of(const KeyName& key);
  [[nodiscard]] std::optional<std::uint32_t> number_of(
      const std::optional<Place>& writer) const;
  std::vector<Version>& versions(const KeyName& key);
  const Program& program_;
  const Arguments& arguments_;
  const Options& options_;
  const KeyUniverse& universe_;
  Random random_;
  std::optional<Script> script_;
  std::vector<std::uint32_t> first_call_;  // of each session, among all calls
  std::unordered_map<KeyName, std::vector<Version>> versions_;
  std::unordered_map<KeyName, std::uint32_t> key_numbers_;
  std::vector<std::uint32_t> next_call_;  // by session
  std::size_t script_next_ = 0;
  std::vector<RunTransaction> committed_;
  std::map<Place, std::uint32_t> committed_number_;  // from 1
  std::vector<RanTransaction> ran_;
  KeyUniverse new_keys_;
  std::optional<Divergence> divergence_;
};

}  // namespace isomer::store
