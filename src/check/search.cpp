// SPDX-License-Identifier: MIT
#include "check/search.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>

#include "base/assert.h"
#include "check/choices.h"
#include "check/schedule.h"
#include "check/vis.h"
#include "logic/sat.h"

namespace isomer::check {
namespace {

using logic::Literal;
using logic::SatAnswer;

constexpr std::uint32_t no_read = 0xffffffffU;

// How much a round of learning may look at, so that no round outweighs the guess by far.
constexpr std::size_t cycles_max = 5000;
constexpr std::size_t steps_max = 20'000'000;

class Search {
 public:
  Search(const Selection& selection, Level level, const OrderGraph& known,
         const Effort& effort)
      : selection_(selection),
        level_(level),
        known_(known),
        shape_(known.shape()),
        budget_(effort.budget),
        rounds_max_(effort.rounds_max),
        solver_(effort.budget),
        choices_(selection, solver_, effort.budget) {}

  Decision run() {
    while (true) {
      if (budget_.is_exhausted() || decision_.stats.solver_calls >= rounds_max_)
        return unknown();
      ++decision_.stats.solver_calls;
      const SatAnswer answer = solver_.solve(budget_);
      if (answer == SatAnswer::Unknown) return unknown();
      if (answer == SatAnswer::Unsatisfiable) return violated();
      if (!choices_.is_empty()) chosen_.emplace(selection_.resolve(choices_.model()));
      if (budget_.is_exhausted()) return unknown();
      if (guess()) return allowed();
    }
  }

 private:
  // A link that may not hold, and the ambiguous read it rests on, if any.
  struct Guessed {
    Link link;
    std::uint32_t read;
  };

  [[nodiscard]] const ResolvedHistory& in() const {
    return chosen_ ? *chosen_ : known_.resolved();
  }

  // One round.  True if the guess is a witness; else at least one clause was learned.
  bool guess() {
    guessed_.clear();
    version_reads_.emplace(in());
    add_chosen_reads();
    for (const auto& [pair, literal] : pairs_)
      if (solver_.is_true(literal))
        add_order(pair.first, pair.second);
      else
        add_order(pair.second, pair.first);
    if (!learn_from_cycles()) return false;
    order_ = schedule(in(), level_, known_.links(), links_of(guessed_), budget_);
    if (order_.empty()) return false;  // out of time
    place_.assign(in().txn_count(), 0);
    for (std::uint32_t i = 0; i < order_.size(); ++i)
      place_[order_[i].index] = i;
    add_guessed_orders();
    return learn_from_cycles() && (level_ != Level::PSI || learn_from_vis());
  }

  static std::vector<Link> links_of(const std::vector<Guessed>& guessed) {
    std::vector<Link> links;
    links.reserve(guessed.size());
    for (const Guessed& g : guessed)
      links.push_back(g.link);
    return links;
  }

  void add(TxnId from, TxnId to, EdgeKind kind, KeyId key, TxnId via, std::uint32_t read) {
    guessed_.push_back({{from, to, kind, key, via}, read});
  }

  void add_chosen_reads() {
    if (choices_.is_empty()) return;
    for (std::uint32_t t = 0; t < in().txn_count(); ++t)
      for (std::uint32_t r = in().first_read({t}); r < in().first_read({t + 1}); ++r)
        if (in().all_reads()[r].writer != init && choices_.is_ambiguous(in(), r))
          add(in().all_reads()[r].writer, {t}, EdgeKind::Wr, in().all_reads()[r].key,
              TxnId::none(), r);
  }

  // a before b, with what that means for the keys that both write.
  void add_order(TxnId a, TxnId b) {
    std::vector<KeyId> both;
    std::set_intersection(in().writes(a).begin(), in().writes(a).end(),
                          in().writes(b).begin(), in().writes(b).end(),
                          std::back_inserter(both));
    for (const KeyId x : both) {
      add(a, b, EdgeKind::Ww, x, TxnId::none(), no_read);
      add_reads(x, version_reads_->of_writer(x, a), a, b);
    }
  }

  void add_reads(KeyId x, std::span<const VersionReads::Reader> readers, TxnId a, TxnId b) {
    for (const auto& [reader, read] : readers)
      if (reader != b) add(reader, b, EdgeKind::Rw, x, a, read);
  }

  // The writers of each key in the order of the guess.  Neighbours imply the rest.
  void add_guessed_orders() {
    std::vector<TxnId> writers;
    for (std::uint32_t x = 0; x < in().key_count(); ++x) {
      writers.assign(in().writers({x}).begin(), in().writers({x}).end());
      std::sort(writers.begin(), writers.end(),
                [&](TxnId a, TxnId b) { return place_[a.index] < place_[b.index]; });
      if (!writers.empty())
        add_reads({x}, version_reads_->of_initial({x}), init, writers.front());
      for (std::size_t i = 1; i < writers.size(); ++i) {
        add(writers[i - 1], writers[i], EdgeKind::Ww, {x}, TxnId::none(), no_read);
        add_reads({x}, version_reads_->of_writer({x}, writers[i - 1]), writers[i - 1],
                  writers[i]);
      }
    }
  }

  // --- learning ---

  // True if there is no cycle.
  bool learn_from_cycles() {
    const std::vector<Link> links = links_of(guessed_);
    NodeGraph nodes(in(), shape_, known_.links(), links);
    if (topological_order(nodes.digraph())) {
      node_graph_.emplace(std::move(nodes));
      return true;
    }
    const Components components = strongly_connected_components(nodes.digraph());
    const auto known_count = static_cast<std::uint32_t>(known_.links().size());
    const auto is_inside = [&](std::uint32_t arc) {
      const Arc& a = nodes.arc(arc);
      return components.component[a.from] == components.component[a.to];
    };
    steps_ = 0;
    std::size_t learned = 0;
    for (std::uint32_t arc = 0; nodes.has_arc(arc); ++arc) {
      const std::uint32_t link = nodes.link_of(arc);
      if (link == NodeGraph::no_link || link < known_count || !is_inside(arc)) continue;
      if (learned > 0 && (learned >= cycles_max || steps_ > steps_max)) break;
      auto path =
          path_of_few_guesses(nodes, nodes.arc(arc).to, nodes.arc(arc).from, is_inside);
      ISOMER_ASSERT(path.has_value());
      path->push_back(link);
      learned += learn(*path) ? 1 : 0;
    }
    return false;
  }

  // PSI: t3 sees, through vis, a version newer than the one it read.
  bool learn_from_vis() {
    const Vis vis(in(), known_.links(), links_of(guessed_));
    steps_ = 0;
    std::size_t learned = 0;
    bool is_good = true;
    for (std::uint32_t t = 1; t < in().txn_count(); ++t)
      for (std::uint32_t r = in().first_read({t}); r < in().first_read({t + 1}); ++r) {
        const Read& read = in().all_reads()[r];
        const auto newer = vis.newer_version({t}, read, place_);
        if (!newer) continue;
        is_good = false;
        if (learned > 0 && (learned >= cycles_max || steps_ > steps_max)) return false;
        auto path =
            path_of_few_guesses(*node_graph_, known_.node(*newer, 0), known_.node({t}, 0),
                                [](std::uint32_t) { return true; });
        ISOMER_ASSERT(path.has_value());
        path->push_back(
            static_cast<std::uint32_t>(known_.links().size() + guessed_.size()));
        add({t}, *newer, EdgeKind::Rw, read.key, read.writer, r);
        learned += learn(*path) ? 1 : 0;
      }
    return is_good;
  }

  // The links of a path with as few guessed links as possible (0-1 breadth first).
  template <class Allows>
  std::optional<std::vector<std::uint32_t>> path_of_few_guesses(const NodeGraph& nodes,
                                                                std::uint32_t from,
                                                                std::uint32_t to,
                                                                const Allows& allows) {
    constexpr std::uint32_t unseen = 0xffffffffU;
    const auto known_count = static_cast<std::uint32_t>(known_.links().size());
    const auto is_guess = [&](std::uint32_t arc) {
      return nodes.link_of(arc) != NodeGraph::no_link && nodes.link_of(arc) >= known_count;
    };
    if (distance_.size() != nodes.digraph().node_count()) {
      distance_.assign(nodes.digraph().node_count(), unseen);
      arrived_by_.assign(nodes.digraph().node_count(), unseen);
    }
    std::vector<std::uint32_t> touched{from};
    std::deque<std::uint32_t> queue{from};
    distance_[from] = 0;
    while (!queue.empty() && queue.front() != to) {
      const std::uint32_t node = queue.front();
      queue.pop_front();
      for (const auto& [next, arc] : nodes.digraph().out(node)) {
        ++steps_;
        if (!allows(arc)) continue;
        const std::uint32_t distance = distance_[node] + (is_guess(arc) ? 1 : 0);
        if (distance >= distance_[next]) continue;
        if (distance_[next] == unseen) touched.push_back(next);
        distance_[next] = distance;
        arrived_by_[next] = arc;
        if (is_guess(arc))
          queue.push_back(next);
        else
          queue.push_front(next);
      }
    }
    std::optional<std::vector<std::uint32_t>> path;
    if (!queue.empty()) {
      path.emplace();
      for (std::uint32_t node = to; node != from; node = nodes.arc(arrived_by_[node]).from)
        if (nodes.link_of(arrived_by_[node]) != NodeGraph::no_link)
          path->push_back(nodes.link_of(arrived_by_[node]));
    }
    for (const std::uint32_t node : touched)
      distance_[node] = arrived_by_[node] = unseen;
    return path;
  }

  // These links cannot hold together.  False if that was known already.
  bool learn(const std::vector<std::uint32_t>& cycle) {
    const auto known_count = static_cast<std::uint32_t>(known_.links().size());
    std::vector<Literal> literals;
    for (const std::uint32_t link : cycle) {
      if (link < known_count) {
        used_links_.insert(link);
        continue;
      }
      explain(guessed_[link - known_count], literals);
    }
    for (Literal& literal : literals)
      literal = -literal;
    std::sort(literals.begin(), literals.end());
    literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
    if (!clauses_.insert(literals).second) return false;
    solver_.add_clause(literals);
    ++decision_.stats.learned_clauses;
    return true;
  }

  void explain(const Guessed& g, std::vector<Literal>& literals) {
    const Link& link = g.link;
    for (const TxnId t : {link.from, link.to, link.via})
      if (!t.is_none()) met_.insert(t);
    if (g.read != no_read) choices_.explain_read(in(), g.read, literals);
    if (link.kind == EdgeKind::Wr) return;
    const TxnId a = link.kind == EdgeKind::Rw ? link.via : link.from;
    choices_.explain_effect(in(), a, literals);
    choices_.explain_effect(in(), link.to, literals);
    if (a != init) literals.push_back(before(a, link.to));
  }

  // The literal that says that a comes before b.
  Literal before(TxnId a, TxnId b) {
    const std::pair pair = std::minmax(a, b);
    const auto [found, is_new] = pairs_.try_emplace(pair, 0);
    if (is_new) {
      found->second = solver_.new_variable();
      solver_.prefer(pair.first == a ? found->second : -found->second);
    }
    return pair.first == a ? found->second : -found->second;
  }

  // --- answers ---

  Decision unknown() {
    decision_.reason = budget_.reason();
    return std::move(decision_);
  }

  Decision allowed() {
    decision_.kind = Decision::Kind::Allowed;
    // Commit nodes in topological order; under PSI, the order of the guess.
    if (level_ != Level::PSI) {
      order_.clear();
      const auto nodes = topological_order(node_graph_->digraph());
      ISOMER_ASSERT(nodes.has_value());
      for (const std::uint32_t node : *nodes)
        if (node % shape_.node_count == shape_.node_count - 1)
          order_.push_back({node / shape_.node_count});
    }
    for (const TxnId t : order_)
      if (in().took_effect(t)) decision_.order.push_back(in().original(t));
    decision_.writers = choices_.is_empty()
                            ? Writers(selection_.history().ambiguous_reads().size())
                            : choices_.model();
    return std::move(decision_);
  }

  Decision violated() {
    decision_.kind = Decision::Kind::Violated;
    std::set<TxnId> support;
    for (const TxnId t : known_.support({used_links_.begin(), used_links_.end()}))
      support.insert(in().original(t));
    for (const TxnId t : met_)
      if (t != init) support.insert(in().original(t));
    for (const TxnId t : choices_.support())
      support.insert(t);
    decision_.support.assign(support.begin(), support.end());
    return std::move(decision_);
  }

  const Selection& selection_;
  Level level_;
  const OrderGraph& known_;
  const Shape& shape_;
  const Budget& budget_;
  std::uint64_t rounds_max_;
  logic::SatSolver solver_;
  Choices choices_;
  std::optional<ResolvedHistory> chosen_;
  std::optional<VersionReads> version_reads_;
  std::vector<Guessed> guessed_;
  std::vector<TxnId> order_;
  std::vector<std::uint32_t> place_;  // by transaction: its place in order_
  std::optional<NodeGraph> node_graph_;
  std::map<std::pair<TxnId, TxnId>, Literal> pairs_;
  std::set<std::vector<Literal>> clauses_;
  std::set<std::uint32_t> used_links_;  // known links of learned cycles
  std::set<TxnId> met_;                 // transactions of guessed links of learned cycles
  std::vector<std::uint32_t> distance_;
  std::vector<std::uint32_t> arrived_by_;
  std::size_t steps_ = 0;
  Decision decision_;
};

}  // namespace

Decision search(const Selection& selection, Level level, const OrderGraph& known,
                const Effort& effort) {
  return Search(selection, level, known, effort).run();
}

}  // namespace isomer::check
