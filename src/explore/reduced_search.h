// SPDX-License-Identifier: MIT
// Every end that sessions can come to, moving one at a time in any order, without trying
// every order.
//
// Dynamic partial order reduction (Flanagan, Godefroid: POPL'05) on a graph of states: at
// each state one session moves first, and another one is tried there only if it later does
// something that conflicts with what was done there.  A state that was reached before is
// not searched again; what was done behind it is known from the first time, as a set of
// actions, and is held against the way that led there now (Yang et al.: Efficient stateful
// dynamic partial order reduction, SPIN'08).  That is sound since no way leads back to a
// state: behind a state that was left everything is known.
//
// Two things are simpler than in the papers.  All steps of the way that conflict with an
// action are looked at, not only the last one that does not happen before it; that tries
// more, and known states make it cheap.  And if the session in question waits at that
// place, those are tried that it waits for, since nothing else can let it go on; not
// everybody.
//
// A System says what there is to search:
//   State                                     a value; copies are independent
//   Footprint                                 what a move touched
//   sessions(state)                           those that can move; none: an end
//   choices(state, session)                   in how many ways it can move
//   waits_for(state, session)                 whom a session waits for that cannot move;
//                                             each of them has to move before it can
//   move(state, Move) -> Footprint
//   fingerprint(state) -> Fingerprint         equal only if everything that can come is
//   digest(footprint) -> Fingerprint          equal only if they conflict with the same
//   conflict(footprint, footprint) -> bool    false only if the moves commute
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "base/budget.h"
#include "base/fingerprint.h"
#include "explore/fine_run.h"
#include "explore/schedules.h"

namespace isomer::explore {

using database::SessionIndex;

// Indexes of sessions or actions.
class IndexSet {
 public:
  void add(std::size_t index) {
    if (index / 64 >= words_.size()) words_.resize(index / 64 + 1);
    words_[index / 64] |= std::uint64_t{1} << (index % 64);
  }

  [[nodiscard]] bool has(std::size_t index) const {
    return index / 64 < words_.size() && ((words_[index / 64] >> (index % 64)) & 1U) != 0;
  }

  void add_all(const IndexSet& other) {
    if (other.words_.size() > words_.size()) words_.resize(other.words_.size());
    for (std::size_t i = 0; i < other.words_.size(); ++i)
      words_[i] |= other.words_[i];
  }

  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      for (std::uint64_t word = words_[i]; word != 0; word &= word - 1)
        visit(i * 64 + static_cast<std::size_t>(std::countr_zero(word)));
  }

  friend auto operator<=>(const IndexSet&, const IndexSet&) = default;

 private:
  std::vector<std::uint64_t> words_;
};

template <class System>
class ReducedSearch {
 public:
  using State = typename System::State;
  using Footprint = typename System::Footprint;
  // What a way led to; false: that is enough.
  using OnEnd = std::function<bool(const State&)>;

  ReducedSearch(const System& system, Reduction reduction, Budget budget)
      : system_(system), reduction_(reduction), budget_(budget) {}

  // Called now and then while it searches.
  void set_on_work(std::function<void()> on_work) { on_work_ = std::move(on_work); }

  // False if it was stopped.
  bool run(State initial, const OnEnd& on_end) {
    on_end_ = &on_end;
    IndexSet behind;
    visit(std::move(initial), behind);
    return !is_stopped_;
  }

  // Who moved, on the way to where it is.
  [[nodiscard]] std::vector<Move> way() const {
    std::vector<Move> out;
    for (const Place& place : way_)
      out.push_back({.session = actions_[place.action].session, .choice = place.choice});
    return out;
  }

  [[nodiscard]] std::uint64_t schedules() const { return schedules_; }

  [[nodiscard]] std::uint64_t states() const { return states_; }

  // Did it stop since a way has no end, or hardly one?
  [[nodiscard]] bool is_too_deep() const { return is_too_deep_; }

  static constexpr std::size_t steps_max = 5'000;  // of a way

 private:
  using ActionId = std::uint32_t;

  static constexpr std::uint64_t states_between_calls = 256;

  // What a session did, wherever it did the same.
  struct Action {
    SessionIndex session = 0;
    Footprint footprint;
    IndexSet asked{};      // actions it was held against
    IndexSet conflicts{};  // of these
  };

  struct Place {
    State state;
    std::vector<SessionIndex> sessions;  // that can move
    IndexSet to_try{};
    std::size_t to_try_count = 0;
    IndexSet tried{};
    ActionId action = 0;     // that is tried now
    std::size_t choice = 0;  // with it

    [[nodiscard]] bool is_full() const { return to_try_count == sessions.size(); }

    [[nodiscard]] bool can_move(SessionIndex session) const {
      return std::find(sessions.begin(), sessions.end(), session) != sessions.end();
    }

    void want(SessionIndex session) {
      if (to_try.has(session)) return;
      to_try.add(session);
      ++to_try_count;
    }
  };

  // --- the search ---

  // Adds what is done behind the state.
  void visit(State state, IndexSet& behind) {
    if (is_stopped_ || budget_.is_exhausted()) {
      is_stopped_ = true;
      return;
    }
    if (way_.size() == steps_max) {
      is_too_deep_ = true;
      is_stopped_ = true;
      return;
    }
    Fingerprint known_as{};
    if (reduction_ != Reduction::None) {
      known_as = system_.fingerprint(state);
      if (const auto known = known_.find(known_as); known != known_.end()) {
        ++schedules_;
        meet(*known->second);
        behind.add_all(*known->second);
        return;
      }
    }
    ++states_;
    if (on_work_ && states_ % states_between_calls == 0) on_work_();
    auto sessions = system_.sessions(state);
    IndexSet done;
    if (sessions.empty()) {
      ++schedules_;
      is_stopped_ = !(*on_end_)(state);
    } else {
      way_.push_back({.state = std::move(state), .sessions = std::move(sessions)});
      try_moves(done);
      way_.pop_back();
    }
    if (reduction_ == Reduction::None || is_stopped_) return;
    known_.emplace(known_as, &*sets_.insert(done).first);
    behind.add_all(done);
  }

  void try_moves(IndexSet& done) {
    const std::size_t depth = way_.size() - 1;
    if (reduction_ == Reduction::Reduced)
      way_[depth].want(first_choice(way_[depth]));
    else
      for (const SessionIndex session : way_[depth].sessions)
        way_[depth].want(session);
    for (std::size_t i = 0; i < way_[depth].sessions.size() && !is_stopped_;) {
      const SessionIndex session = way_[depth].sessions[i++];
      if (!way_[depth].to_try.has(session) || way_[depth].tried.has(session)) continue;
      way_[depth].tried.add(session);
      const std::size_t choices = system_.choices(way_[depth].state, session);
      for (std::size_t choice = 0; choice < choices && !is_stopped_; ++choice)
        try_move({.session = session, .choice = choice}, depth, done);
      i = 0;  // others may have become worth trying
    }
  }

  void try_move(const Move& move, std::size_t depth, IndexSet& done) {
    State next = way_[depth].state;
    const ActionId action = known_action(move.session, system_.move(next, move));
    way_[depth].action = action;
    way_[depth].choice = move.choice;
    done.add(action);
    meet_one(action, depth);
    visit(std::move(next), done);
  }

  // Who moved last moves on: ways with few switches are the ones that people understand.
  SessionIndex first_choice(const Place& place) const {
    if (way_.size() > 1) {
      const SessionIndex last = actions_[way_[way_.size() - 2].action].session;
      if (place.can_move(last)) return last;
    }
    return place.sessions.front();
  }

  // --- conflicts ---

  ActionId known_action(SessionIndex session, Footprint footprint) {
    if (reduction_ == Reduction::None) {
      if (actions_.size() <= session) actions_.resize(session + 1);
      actions_[session].session = session;
      return session;
    }
    const auto [found, is_new] = action_ids_.try_emplace(
        {session, system_.digest(footprint)}, static_cast<ActionId>(actions_.size()));
    if (is_new) actions_.push_back({.session = session, .footprint = std::move(footprint)});
    return found->second;
  }

  bool conflict(ActionId a, ActionId b) {
    Action& left = actions_[a];
    if (!left.asked.has(b)) {
      left.asked.add(b);
      if (left.session != actions_[b].session &&
          system_.conflict(left.footprint, actions_[b].footprint))
        left.conflicts.add(b);
    }
    return left.conflicts.has(b);
  }

  // Holds an action against the first `depth` steps of the way.
  void meet_one(ActionId action, std::size_t depth) {
    if (reduction_ != Reduction::Reduced) return;
    for (std::size_t i = 0; i < depth; ++i)
      if (!way_[i].is_full() && conflict(way_[i].action, action))
        try_before(way_[i], actions_[action].session);
  }

  void meet(const IndexSet& behind) {
    if (reduction_ != Reduction::Reduced) return;
    for (Place& place : way_)
      behind.for_each([&](std::size_t action) {
        if (!place.is_full() && conflict(place.action, static_cast<ActionId>(action)))
          try_before(place, actions_[action].session);
      });
  }

  // The session did something that conflicts with what was done at that place.
  void try_before(Place& place, SessionIndex session) {
    std::vector<SessionIndex> open{session};
    IndexSet seen;
    seen.add(session);
    while (!open.empty()) {
      const SessionIndex who = open.back();
      open.pop_back();
      if (place.can_move(who)) {
        place.want(who);
        continue;
      }
      for (const SessionIndex next : system_.waits_for(place.state, who))
        if (!seen.has(next)) {
          seen.add(next);
          open.push_back(next);
        }
    }
  }

  const System& system_;
  Reduction reduction_;
  Budget budget_;
  const OnEnd* on_end_ = nullptr;
  std::function<void()> on_work_;
  std::vector<Place> way_;
  std::vector<Action> actions_;
  std::map<std::pair<SessionIndex, Fingerprint>, ActionId> action_ids_;
  std::set<IndexSet> sets_;
  std::unordered_map<Fingerprint, const IndexSet*, FingerprintHash> known_;
  std::uint64_t schedules_ = 0;
  std::uint64_t states_ = 0;
  bool is_stopped_ = false;
  bool is_too_deep_ = false;
};

}  // namespace isomer::explore
