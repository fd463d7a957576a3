// SPDX-License-Identifier: MIT
// One transaction after another, each seeing all that took effect before: serializable.
#include "history/simulate/recorder.h"
#include "history/simulate/sessions.h"
#include "history/simulate/simulate.h"

namespace isomer::history::simulate {

namespace {

class SerialDatabase {
 public:
  explicit SerialDatabase(const GenerateOptions& options)
      : options_(options), workload_(options), recorder_(options), values_(options.keys) {}

  Random& random() { return workload_.random; }

  void run(std::uint32_t session) {
    workload_.draw(txn_);
    while (!txn_.is_done())
      workload_.execute(txn_, [this](std::uint32_t key) { return values_[key]; });
    recorder_.record(session, txn_);
    if (!takes_effect(txn_.fate)) return;
    for_each_last_write(
        txn_, [this](std::uint32_t key, std::int64_t value) { values_[key] = value; });
  }

  // The guest's own accesses in their order, among reads of ordinary keys.
  void admit(const Guest& guest) {
    const HistoryBuilder::Token token = recorder_.begin(guest.session, guest.status);
    std::size_t own = guest.accesses.size();
    std::size_t padding = options_.operations > own ? options_.operations - own : 0;
    auto access = guest.accesses.begin();
    while (own + padding > 0) {
      if (random().below(own + padding) < own) {
        recorder_.append(token, access->kind, access->key, access->value);
        ++access;
        --own;
      } else {
        const auto key = static_cast<std::uint32_t>(random().below(options_.keys));
        recorder_.append(token, OpKind::Read, key, values_[key]);
        --padding;
      }
    }
  }

  History history() { return recorder_.history(); }

 private:
  GenerateOptions options_;
  Workload workload_;
  Recorder recorder_;
  Transaction txn_;
  std::vector<std::int64_t> values_;  // by key
};

}  // namespace

History serial(const GenerateOptions& options, std::span<const Guest> guests) {
  SerialDatabase database(options);
  Sessions sessions(options);
  auto guest = guests.begin();
  for (std::uint32_t position = 0;; ++position) {
    for (; guest != guests.end() && guest->position == position; ++guest)
      database.admit(*guest);
    if (sessions.are_done()) break;
    database.run(sessions.draw(database.random()));
    sessions.finish_transaction();
  }
  return database.history();
}

}  // namespace isomer::history::simulate
