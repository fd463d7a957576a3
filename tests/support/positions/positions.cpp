// SPDX-License-Identifier: MIT
#include "support/positions/positions.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "support/positions/execution.h"

namespace isomer::positions {

namespace {

using Wanted = std::vector<std::pair<Resource, Mode>>;

struct Event {
  enum class Kind : std::uint8_t {
    Snapshot,
    Lock,     // it has what it wanted
    Decided,  // it got an answer without a lock: the row is gone, or has changed
    Skips,    // it did not wait
    Fails,    // the key is there
    Waits,    // for ever: it was the victim
  };

  Kind kind = Kind::Snapshot;
  int gap = 0;
  Wanted wanted{};   // while it waits; nothing if it never does
  Wanted granted{};  // what others wait for from then on
  // A row that was found, with what would make an answer of it before anybody waits.
  std::optional<Version> found{};
  Wanted skipped{};  // Skips: somebody else had locked it

  friend bool operator==(const Event&, const Event&) = default;
};

struct End {
  std::size_t session = 0;
  int number = 0;  // of the transaction
  int start = 0;   // the gap in which it can begin
  std::string status;
  std::vector<std::string> told;
  std::map<RowName, std::optional<Version>> own;
  std::vector<Event> events;
  Looked looked;

  [[nodiscard]] bool is_committed() const { return status == "committed"; }

  friend bool operator==(const End&, const End&) = default;
};

// A place in the heap, and the gap in which it was taken.
struct Written {
  Mark mark;
  int gap = 0;
};

bool conflict(const Wanted& wanted, const Wanted& granted) {
  return std::any_of(wanted.begin(), wanted.end(), [&](const auto& left) {
    return std::any_of(granted.begin(), granted.end(), [&](const auto& right) {
      return left.first == right.first && positions::conflict(left.second, right.second);
    });
  });
}

class Enumeration {
 public:
  Enumeration(const Application& application, Omission omission)
      : application_(application), omission_(omission), next_(application.sessions.size()) {
    for (const auto& session : application.sessions) {
      first_number_.push_back(count_);
      count_ += static_cast<int>(session.size());
    }
    needs_heap_ = omission != Omission::EveryHeapIsSorted && depends_on_heap();
  }

  Outcomes run() {
    Rows initial;
    int number = 0;
    for (const auto& [table, rows] : application_.rows)
      for (const Values& values : rows) {
        const Mark mark{.transaction = nobody, .number = number++};
        initial[{.table = table, .made = mark}] = {
            .written = mark, .key_written = mark, .values = values};
      }
    committed_.push_back(std::move(initial));
    next_end();
    return std::move(outcomes_);
  }

 private:
  // Statements that lock several rows do so in the order of the heap, unless they sort.
  [[nodiscard]] bool depends_on_heap() const {
    for (const auto& session : application_.sessions)
      for (const Transaction& transaction : session)
        for (const Statement& statement : transaction.statements) {
          const bool changes = statement.kind == Statement::Kind::Update ||
                               statement.kind == Statement::Kind::Delete;
          if (changes && !key_of(statement.where)) return true;
          if (application_.has_foreign_key && statement.kind == Statement::Kind::Delete &&
              statement.table == Table::T)
            return true;
        }
    return false;
  }

  // --- who ends next ---

  void next_end() {
    if (static_cast<int>(ends_.size()) == count_) return finish();
    for (std::size_t session = 0; session < next_.size(); ++session) {
      if (next_[session] == application_.sessions[session].size()) continue;
      for (Candidate& candidate : candidates(session)) {
        ends_.push_back(std::move(candidate.end));
        ++next_[session];
        const auto heap = std::exchange(heap_, std::move(candidate.heap));
        const End& end = ends_.back();
        committed_.push_back(end.is_committed() ? with_writes(committed_.back(), end.own)
                                                : committed_.back());
        next_end();
        committed_.pop_back();
        heap_ = heap;
        --next_[session];
        ends_.pop_back();
      }
    }
  }

  struct Candidate {
    End end;
    std::vector<Written> heap;
  };

  // Everything that the next transaction of the session can have done if it ends now.
  std::vector<Candidate> candidates(std::size_t session) {
    const std::size_t index = next_[session];
    found_.clear();
    Walk walk;
    walk.end.session = session;
    walk.end.number = first_number_[session] + static_cast<int>(index);
    for (std::size_t i = 0; i < ends_.size(); ++i)
      if (ends_[i].session == session) walk.end.start = static_cast<int>(i) + 1;
    walk.gap = walk.end.start;
    walk.heap = heap_;
    walk.transaction = &application_.sessions[session][index];
    go_on(walk);
    return std::move(found_);
  }

  struct Walk {
    End end;
    std::vector<Reply> replies;
    std::vector<Written> heap;
    const Transaction* transaction = nullptr;
    int gap = 0;
  };

  [[nodiscard]] int last_gap() const { return static_cast<int>(ends_.size()); }

  State state_of(const Walk& walk) const {
    Heap heap;
    for (const Written& written : walk.heap)
      heap.push_back(written.mark);
    const World world{.application = application_, .committed = committed_, .heap = heap};
    return state_after(world, *walk.transaction, walk.end.number, walk.replies);
  }

  void end_with(Walk walk, State state, std::string status) {
    walk.end.status = std::move(status);
    walk.end.told = std::move(state.told);
    walk.end.looked = std::move(state.looked);
    if (walk.end.is_committed())
      walk.end.own = std::move(state.own);
    else
      walk.heap = heap_;
    const auto same = [&](const Candidate& other) {
      return other.end == walk.end &&
             std::ranges::equal(other.heap, walk.heap, {}, &Written::mark, &Written::mark);
    };
    if (std::none_of(found_.begin(), found_.end(), same))
      found_.push_back({.end = std::move(walk.end), .heap = std::move(walk.heap)});
  }

  Walk answered(const Walk& walk, Reply reply, Event event) const {
    Walk out = walk;
    out.replies.push_back(std::move(reply));
    out.gap = event.gap;
    out.end.events.push_back(std::move(event));
    return out;
  }

  void go_on(const Walk& walk) {
    State state = state_of(walk);
    const Request request = state.next;
    switch (request.kind) {
      case Request::Kind::Snapshot:
        return take_snapshot(walk);
      case Request::Kind::Lock:
        return lock(walk, state, request);
      case Request::Kind::Key:
        return enter_key(walk, state, request);
      case Request::Kind::Insert:
        return insert(walk, request);
      case Request::Kind::Write:
        return write(walk, request, walk.gap);
      case Request::Kind::Commit:
        return end_with(walk, std::move(state), "committed");
      case Request::Kind::GiveUp:
        return end_with(walk, std::move(state), "P0001");
      case Request::Kind::Fail:
        if (walk.gap == last_gap() || request.can_be_later ||
            omission_ == Omission::ErrorsAreEarly)
          end_with(walk, std::move(state), request.sqlstate);
        return;
    }
  }

  // --- snapshots ---

  void take_snapshot(const Walk& walk) {
    for (int gap = walk.gap; gap <= last_gap(); ++gap)
      go_on(answered(walk, {.gap = gap}, {.kind = Event::Kind::Snapshot, .gap = gap}));
  }

  // --- the heap ---

  void insert(const Walk& walk, const Request& request) {
    for (int gap = walk.gap; gap <= (needs_heap_ ? last_gap() : walk.gap); ++gap)
      write(walk, request, gap);
  }

  // Behind everything of earlier gaps and behind its own, before everything of later ones.
  void write(const Walk& walk, const Request& request, int gap) {
    std::size_t first = 0;
    std::size_t last = 0;
    for (std::size_t i = 0; i < walk.heap.size(); ++i) {
      const Written& other = walk.heap[i];
      if (other.gap < gap || other.mark.transaction == walk.end.number) first = i + 1;
      if (other.gap <= gap) last = i + 1;
    }
    last = std::max(first, last);
    for (std::size_t place = needs_heap_ ? first : last; place <= last; ++place) {
      Walk next = walk;
      next.heap.insert(next.heap.begin() + static_cast<std::ptrdiff_t>(place),
                       Written{.mark = request.mark, .gap = gap});
      next.replies.emplace_back();
      next.gap = gap;
      go_on(next);
    }
  }

  // --- locks ---

  // The first gap, from this one on, in which nobody who has ended since holds it.
  [[nodiscard]] int first_free(const Wanted& wanted, int gap) const {
    for (auto i = static_cast<std::size_t>(gap); i < ends_.size(); ++i) {
      if (omission_ == Omission::AbortsHoldNothing && !ends_[i].is_committed()) continue;
      for (const Event& event : ends_[i].events)
        if (conflict(wanted, event.granted)) gap = static_cast<int>(i) + 1;
    }
    return gap;
  }

  [[nodiscard]] const Version* newest(const Wanted& wanted, int gap) const {
    const Rows& rows = committed_[static_cast<std::size_t>(gap)];
    const auto found = rows.find(wanted.front().first.row);
    return found == rows.end() ? nullptr : &found->second;
  }

  static bool has_changed(const Wanted& wanted, const Version& found, const Version& now) {
    return wanted.front().second == Mode::KeyShare ? found.key_written != now.key_written
                                                   : found.written != now.written;
  }

  // Nobody waits for a row that is gone, nor for one whose change is an error anyway.
  [[nodiscard]] bool is_decided(const Wanted& wanted, const std::optional<Version>& found,
                                int gap, bool is_at_read_committed) const {
    if (!found) return false;
    const Version* now = newest(wanted, gap);
    return now == nullptr || (!is_at_read_committed && has_changed(wanted, *found, *now));
  }

  static bool is_at_read_committed(const Walk& walk) {
    return walk.transaction->level == database::IsolationLevel::ReadCommitted;
  }

  void lock(const Walk& walk, const State& state, const Request& request) {
    const bool can_wait = request.patience == Patience::Waits;
    decide_at_once(walk, request);
    if (!can_wait) skip(walk, request);
    const bool is_free = request.wanted.front().second == Mode::KeyShare;
    const int from = first_free(request.wanted, walk.gap);
    for (int gap = from; gap <= (is_free ? last_gap() : from); ++gap)
      lock_in(walk, state, request, gap, is_free);
    if (can_wait) wait(walk, state, request);
  }

  Event event_of(Event::Kind kind, int gap, const Request& request) const {
    Event out{.kind = kind, .gap = gap, .found = request.found};
    if (request.patience == Patience::Waits) out.wanted = request.wanted;
    return out;
  }

  void decide_at_once(const Walk& walk, const Request& request) {
    for (int gap = walk.gap; gap <= last_gap(); ++gap) {
      if (!is_decided(request.wanted, request.found, gap, is_at_read_committed(walk)))
        continue;
      if (is_at_read_committed(walk))
        go_on(answered(walk, {.kind = Reply::Kind::Gone},
                       event_of(Event::Kind::Decided, gap, request)));
      else
        go_on(answered(walk, {.kind = Reply::Kind::Failed, .sqlstate = "40001"},
                       event_of(Event::Kind::Decided, last_gap(), request)));
      return;
    }
  }

  void skip(const Walk& walk, const Request& request) {
    const bool fails = request.patience == Patience::NoWait;
    for (int gap = fails ? last_gap() : walk.gap; gap <= last_gap(); ++gap) {
      if (is_decided(request.wanted, request.found, gap, is_at_read_committed(walk)))
        continue;
      Event event = event_of(Event::Kind::Skips, gap, request);
      event.skipped = request.wanted;
      go_on(answered(walk,
                     {.kind = fails ? Reply::Kind::Failed : Reply::Kind::Skipped,
                      .sqlstate = fails ? "55P03" : ""},
                     std::move(event)));
    }
  }

  void lock_in(const Walk& walk, const State& before, const Request& request, int gap,
               bool is_free) {
    if (is_decided(request.wanted, request.found, gap, is_at_read_committed(walk))) return;
    Reply reply{.kind = Reply::Kind::Granted};
    if (request.wanted.front().first.kind == Resource::Kind::Row)
      if (const Version* now = newest(request.wanted, gap)) reply.version = *now;
    Event event = event_of(Event::Kind::Lock, gap, request);
    Walk next = answered(walk, std::move(reply), std::move(event));
    const State after = state_of(next);
    Wanted& granted = next.end.events.back().granted;
    std::set_difference(after.held.begin(), after.held.end(), before.held.begin(),
                        before.held.end(), std::back_inserter(granted));
    if (omission_ == Omission::FailedLooksAreUnlocked && after.own == before.own &&
        request.wanted.front().second >= Mode::NoKeyUpdate && request.found)
      granted.clear();
    // A change is of keys too, for which others may have asked.
    const int free = first_free(granted, gap);
    if (free > gap) {
      if (!is_free) lock_in(walk, before, request, free, is_free);
      return;
    }
    if (omission_ == Omission::LocksDoNotPush) next.gap = walk.gap;
    go_on(next);
  }

  void enter_key(const Walk& walk, const State& state, const Request& request) {
    const Resource& resource = request.wanted.front().first;
    const auto is_there = [&](int gap) {
      Rows rows = with_writes(committed_[static_cast<std::size_t>(gap)], state.own);
      rows.erase(request.row);
      return has_key(rows, resource.row.table, resource.index, resource.number);
    };
    const int gap = first_free(request.wanted, walk.gap);
    if (!is_there(gap)) {
      Event event = event_of(Event::Kind::Lock, gap, request);
      event.granted = request.wanted;
      go_on(answered(walk, {}, std::move(event)));
    }
    if (is_there(last_gap())) fail_by_key(walk, state, request);
    wait(walk, state, request);
  }

  void fail_by_key(const Walk& walk, const State& state, const Request& request) {
    const Resource& resource = request.wanted.front().first;
    Rows own = with_writes({}, state.own);
    own.erase(request.row);
    Event event = event_of(Event::Kind::Fails, last_gap(), request);
    const bool is_own = has_key(own, resource.row.table, resource.index, resource.number);
    if (!is_own && omission_ != Omission::FailedKeysHoldNothing)
      event.granted = request.wanted;
    go_on(answered(walk, {.kind = Reply::Kind::Failed, .sqlstate = "23505"},
                   std::move(event)));
  }

  void wait(const Walk& walk, State state, const Request& request) {
    Walk next = walk;
    next.end.events.push_back(event_of(Event::Kind::Waits, last_gap(), request));
    end_with(std::move(next), std::move(state), "40P01");
  }

  // --- deadlocks ---

  using EventPlace = std::pair<std::size_t, std::size_t>;  // of an end, in its events
  // Who waits for the lock of a row behind whom.  One holds the place in front of the
  // queue, and the others wait for that too.
  using Queue = std::set<std::pair<EventPlace, EventPlace>>;

  // What everybody holds and waits for in the gap before an end.
  struct Moment {
    std::vector<Wanted> held;
    std::vector<Wanted> wanted;
    std::vector<EventPlace> request;  // what it waits with
  };

  [[nodiscard]] Moment moment_of(std::size_t victim) const {
    const int gap = static_cast<int>(victim);
    Moment out{.held = std::vector<Wanted>(ends_.size()),
               .wanted = std::vector<Wanted>(ends_.size()),
               .request = std::vector<EventPlace>(ends_.size())};
    for (std::size_t i = victim; i < ends_.size(); ++i) {
      if (ends_[i].start > gap) continue;
      for (std::size_t n = 0; n < ends_[i].events.size(); ++n) {
        const Event& event = ends_[i].events[n];
        if (event.gap <= gap && event.kind != Event::Kind::Waits) {
          if (event.kind == Event::Kind::Lock)
            out.held[i].insert(out.held[i].end(), event.granted.begin(),
                               event.granted.end());
          continue;
        }
        out.request[i] = {i, n};
        if (event.wanted.empty() ||
            !is_decided(event.wanted, event.found, gap, is_relaxed(ends_[i])))
          out.wanted[i] = event.wanted;
        break;
      }
    }
    return out;
  }

  [[nodiscard]] const Event& event_at(const EventPlace& place) const {
    return ends_[place.first].events[place.second];
  }

  // Does somebody hold what it waits for, whoever else waits?
  [[nodiscard]] static bool waits(const Moment& moment, std::size_t who) {
    for (std::size_t i = 0; i < moment.held.size(); ++i)
      if (i != who && conflict(moment.wanted[who], moment.held[i])) return true;
    return false;
  }

  [[nodiscard]] static bool holds_row(const Moment& moment, std::size_t who) {
    return std::ranges::any_of(moment.held[who], [&](const auto& lock) {
      return lock.first == moment.wanted[who].front().first;
    });
  }

  // Can one wait for the same row behind the other?  Then it goes on later, if it does.
  [[nodiscard]] bool may_queue(const Moment& moment, std::size_t who,
                               std::size_t front) const {
    if (omission_ == Omission::NobodyQueues) return false;
    const Wanted& wanted = moment.wanted[who];
    if (wanted.empty() || wanted.front().first.kind != Resource::Kind::Row) return false;
    if (!conflict(wanted, moment.wanted[front])) return false;
    if (!waits(moment, who) || !waits(moment, front)) return false;
    // Who has locked the row before asks the others directly.
    if (holds_row(moment, who) || holds_row(moment, front)) return false;
    const Event& own = event_at(moment.request[who]);
    const Event& other = event_at(moment.request[front]);
    if (own.kind == Event::Kind::Waits) return true;
    return other.kind == Event::Kind::Waits ? own.gap > other.gap : own.gap >= other.gap;
  }

  // What there was to see of deadlocks: who waited behind whom, and who was asleep before
  // which end.
  struct Sleep {
    Queue queue;
    std::set<std::pair<EventPlace, std::size_t>> asleep;
  };

  // Nobody sleeps behind somebody who asked later.
  [[nodiscard]] bool is_possible(const Sleep& sleep) const {
    return std::ranges::none_of(sleep.queue, [&](const auto& pair) {
      const auto& [behind, front] = pair;
      return sleep.queue.contains({front, behind}) ||
             std::ranges::any_of(sleep.asleep, [&](const auto& known) {
               return known.first == behind && asked_from(front) > known.second;
             });
    });
  }

  // The first gap in which a request can have been made.
  [[nodiscard]] std::size_t asked_from(const EventPlace& request) const {
    const End& end = ends_[request.first];
    return static_cast<std::size_t>(
        request.second == 0 ? end.start : end.events[request.second - 1].gap);
  }

  // All circles of waits through the victim, by who had to be in front of whom.
  void circles(const Moment& moment, std::size_t victim, std::vector<std::size_t>& way,
               Queue& queue, std::vector<Sleep>& out) const {
    const std::size_t who = way.back();
    for (std::size_t i = victim; i < ends_.size(); ++i) {
      const bool is_way_back = i == victim;
      if (i == who || (!is_way_back && std::ranges::count(way, i) > 0)) continue;
      const bool is_held = conflict(moment.wanted[who], moment.held[i]);
      if (!is_held && !may_queue(moment, who, i)) continue;
      const std::pair<EventPlace, EventPlace> behind{moment.request[who],
                                                     moment.request[i]};
      const bool is_new = !is_held && queue.insert(behind).second;
      if (is_way_back) {
        Sleep& sleep = out.emplace_back(Sleep{.queue = queue, .asleep = {}});
        for (const std::size_t member : way)
          sleep.asleep.emplace(moment.request[member], victim);
      } else {
        way.push_back(i);
        circles(moment, victim, way, queue, out);
        way.pop_back();
      }
      if (is_new) queue.erase(behind);
    }
  }

  // Is there a circle for each victim, with one order of each queue?
  [[nodiscard]] bool are_in_circles(std::size_t from, const Sleep& sleep) const {
    while (from < ends_.size() && ends_[from].status != "40P01")
      ++from;
    if (from == ends_.size()) return true;
    std::vector<Sleep> choices;
    std::vector<std::size_t> way{from};
    Queue none;
    circles(moment_of(from), from, way, none, choices);
    return std::ranges::any_of(choices, [&](const Sleep& choice) {
      Sleep both = sleep;
      both.queue.insert(choice.queue.begin(), choice.queue.end());
      both.asleep.insert(choice.asleep.begin(), choice.asleep.end());
      return is_possible(both) && are_in_circles(from + 1, both);
    });
  }

  [[nodiscard]] database::IsolationLevel level_of(const End& end) const {
    const auto index = static_cast<std::size_t>(end.number - first_number_[end.session]);
    return application_.sessions[end.session][index].level;
  }

  [[nodiscard]] bool is_relaxed(const End& end) const {
    return level_of(end) == database::IsolationLevel::ReadCommitted;
  }

  // --- who skips a row comes behind the one who locked it ---

  // Who may have locked it when it was skipped; behind these it comes in the same gap.
  [[nodiscard]] std::vector<EventPlace> holders(const EventPlace& skip) const {
    const Event& event = ends_[skip.first].events[skip.second];
    std::vector<EventPlace> out;
    for (auto i = static_cast<std::size_t>(event.gap); i < ends_.size(); ++i)
      for (std::size_t n = 0; i != skip.first && n < ends_[i].events.size(); ++n) {
        const Event& other = ends_[i].events[n];
        if (other.gap <= event.gap && other.kind == Event::Kind::Lock &&
            conflict(event.skipped, other.granted))
          out.emplace_back(i, n);
      }
    return out;
  }

  [[nodiscard]] bool can_skip() const {
    std::vector<EventPlace> skips;
    for (std::size_t i = 0; i < ends_.size(); ++i)
      for (std::size_t n = 0; n < ends_[i].events.size(); ++n)
        if (ends_[i].events[n].kind == Event::Kind::Skips) skips.emplace_back(i, n);
    std::vector<std::pair<EventPlace, EventPlace>> behind;
    return can_skip(skips, 0, behind);
  }

  bool can_skip(const std::vector<EventPlace>& skips, std::size_t index,
                std::vector<std::pair<EventPlace, EventPlace>>& behind) const {
    if (index == skips.size())
      return omission_ == Omission::SkipsHaveNoOrder || is_acyclic(behind);
    for (const EventPlace& holder : holders(skips[index])) {
      behind.emplace_back(skips[index], holder);
      const bool is_possible = can_skip(skips, index + 1, behind);
      behind.pop_back();
      if (is_possible) return true;
    }
    return false;
  }

  // With the order of each transaction's own events.
  static bool is_acyclic(const std::vector<std::pair<EventPlace, EventPlace>>& behind) {
    const auto reaches = [&](const EventPlace& from, const EventPlace& to) {
      std::vector<EventPlace> open{from};
      std::set<EventPlace> seen;
      while (!open.empty()) {
        const EventPlace place = open.back();
        open.pop_back();
        for (const auto& [later, earlier] : behind) {
          // The transaction did `later` at or before this place.
          if (later.first != place.first || later.second > place.second) continue;
          if (earlier.first == to.first && earlier.second >= to.second) return true;
          if (seen.insert(earlier).second) open.push_back(earlier);
        }
      }
      return false;
    };
    return std::none_of(behind.begin(), behind.end(),
                        [&](const auto& edge) { return reaches(edge.first, edge.first); });
  }

  // --- dangerous structures ---

  [[nodiscard]] bool is_serializable(std::size_t i) const {
    return level_of(ends_[i]) == database::IsolationLevel::Serializable &&
           ends_[i].is_committed();
  }

  // The gap of its snapshot.
  [[nodiscard]] std::size_t snapshot_of(std::size_t i) const {
    for (const Event& event : ends_[i].events)
      if (event.kind == Event::Kind::Snapshot) return static_cast<std::size_t>(event.gap);
    return i;
  }

  // Did one look at what the other wrote, before and after?
  [[nodiscard]] bool looked_at(const End& reader, std::size_t writer) const {
    const auto meets = [&](Table table, const Version& version) {
      return reader.looked.contains({table, std::nullopt}) ||
             reader.looked.contains({table, version.values[0]});
    };
    for (const auto& [row, version] : ends_[writer].own) {
      if (version && meets(row.table, *version)) return true;
      const Rows& before = committed_[writer];
      if (const auto old = before.find(row); old != before.end())
        if (meets(row.table, old->second)) return true;
    }
    return false;
  }

  // The reader looked at what the writer then changed, and both were on their way.
  [[nodiscard]] bool depends(std::size_t reader, std::size_t writer) const {
    return reader != writer && is_serializable(reader) && is_serializable(writer) &&
           snapshot_of(reader) <= writer && snapshot_of(writer) <= reader &&
           looked_at(ends_[reader], writer);
  }

  // Two such dependencies in a row, and the last of the three commits first.
  [[nodiscard]] bool is_safe() const {
    if (omission_ == Omission::StructuresAreHarmless) return true;
    for (std::size_t last = 0; last < ends_.size(); ++last)
      for (std::size_t middle = last + 1; middle < ends_.size(); ++middle)
        for (std::size_t first = last; first < ends_.size(); ++first)
          if (depends(middle, last) && depends(first, middle)) return false;
    return true;
  }

  // --- outcomes ---

  void finish() {
    if (are_in_circles(0, {}) && can_skip() && is_safe()) outcomes_.insert(outcome());
  }

  [[nodiscard]] Outcome outcome() const {
    Outcome out;
    out.told.resize(application_.sessions.size());
    for (const End& end : ends_) {
      std::string text;
      for (const std::string& reply : end.told)
        text += reply + "; ";
      out.told[end.session].push_back(text + end.status);
    }
    out.rows = rows_text();
    return out;
  }

  [[nodiscard]] std::string rows_text() const {
    std::set<std::pair<Table, Values>> rows;
    for (const auto& [row, version] : committed_.back())
      rows.emplace(row.table, version.values);
    std::string out;
    for (const auto& [table, values] : rows)
      out += fmt::format("{}({},{},{}) ", name(table), text_of(values[0]),
                         text_of(values[1]), text_of(values[2]));
    return out;
  }

  const Application& application_;
  Omission omission_;
  std::vector<std::size_t> next_;  // by session: the transaction that ends next
  std::vector<int> first_number_;
  int count_ = 0;
  bool needs_heap_ = false;
  std::vector<Rows> committed_;  // by gap
  std::vector<End> ends_;
  std::vector<Written> heap_;
  std::vector<Candidate> found_;
  Outcomes outcomes_;
};

}  // namespace

std::string text_of(const Outcome& outcome) {
  std::string out;
  for (const auto& session : outcome.told) {
    for (const std::string& told : session)
      out += fmt::format("[{}]", told);
    out += " ";
  }
  return out + outcome.rows;
}

bool is_committed(const std::string& told) {
  return told.ends_with("committed");
}

bool all_commit(const Outcome& outcome) {
  return std::ranges::all_of(outcome.told, [](const auto& session) {
    return std::ranges::all_of(session, is_committed);
  });
}

Outcomes outcomes(const Application& application, Omission omission) {
  return Enumeration(application, omission).run();
}

}  // namespace isomer::positions
