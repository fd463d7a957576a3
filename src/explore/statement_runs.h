// SPDX-License-Identifier: MIT
// The same scenario by whole statements, as people in terminals schedule it: a statement
// runs to its end or falls asleep, and goes on by itself as soon as it can.  Where a circle
// of waits is closed, the next move is that of its victim.  A statement that comes to a
// choice stops there, and nobody else moves before it.
#pragma once

#include "explore/fine_run.h"

namespace isomer::explore {

class StatementRuns {
 public:
  using State = FineRun;
  using Footprint = FineRuns::Footprint;
  // Sees each step that is done.
  using OnStep = std::function<void(SessionIndex session, const FineRun& before,
                                    const FineRun& after)>;

  // The scenario must outlive it.
  explicit StatementRuns(const Scenario& scenario, FineRuns::OnReply on_reply = {},
                         OnStep on_step = {}, FineRuns::Log log = FineRuns::Log::Without)
      : runs_(scenario, std::move(on_reply), log), on_step_(std::move(on_step)) {}

  [[nodiscard]] FineRun start() const { return runs_.start(); }

  [[nodiscard]] std::vector<SessionIndex> sessions(const FineRun& run) const;
  Footprint move(FineRun& run, const Move& move) const;

  [[nodiscard]] std::size_t choices(const FineRun& run, SessionIndex session) const {
    return runs_.choices(run, session);
  }

  [[nodiscard]] Fingerprint fingerprint(const FineRun& run) const {
    return runs_.fingerprint(run);
  }

  // What a move does to others goes on in their own statements, so moves are not reduced.
  [[nodiscard]] Fingerprint digest(const Footprint& footprint) const {
    return runs_.digest(footprint);
  }

  [[nodiscard]] static bool conflict(const Footprint&, const Footprint&) { return true; }

  [[nodiscard]] std::vector<SessionIndex> waits_for(const FineRun& run,
                                                    SessionIndex session) const {
    return runs_.waits_for(run, session);
  }

 private:
  void step(FineRun& run, const Move& move) const;
  void run_to_reply(FineRun& run, const Move& move) const;
  void settle(FineRun& run) const;

  FineRuns runs_;
  OnStep on_step_;
};

}  // namespace isomer::explore
