// SPDX-License-Identifier: MIT
// Re-derives the edges of a cycle, and that the level forbids a cycle of that shape.
//
// so, wr and ww are in co, and in vis for PSI.  An edge rw from t3 to t2 on x says that t3
// read x from t1 and co(t1, t2); the axiom of the level then says not phi(t2, t3).  So a
// cycle is forbidden at
//
//   RC, RA, CC  if it has no rw, or one, and the rest of it is in phi;
//   PC          if so or wr stands before each rw: (so | wr) ; rw is in co, since the other
//               way round, t2 co* ; (so | wr) t3;
//   SI          if no two rw are adjacent: (so | wr | ww) ; rw is in co by Prefix and
//               Conflict (Cerone & Gotsman, PODC'16);
//   PSI         if it has at most one rw: the rest is in vis;
//   SER         always: rw is in co.
//
// The same rule justifies single edges.  Of two versions of one key one is older, so "t is
// older than u" follows if a path together with "u is older than t" would close a forbidden
// cycle: a path from t to u and ww from u back to t; or, if t3 read from u, a path from t
// to t3 and rw from t3 to t.
#include <algorithm>

#include <fmt/format.h>

#include "check/certify/evidence.h"

namespace isomer::check {
namespace {

class Judge {
 public:
  Judge(const History& history, Level level) : h_(history), level_(level) {}

  [[nodiscard]] Failure cycle(const std::vector<Edge>& edges) const;

 private:
  [[nodiscard]] Failure edge(const Edge& e) const;
  [[nodiscard]] Failure write_read(const Edge& e) const;
  [[nodiscard]] Failure write_write(const Edge& e) const;
  [[nodiscard]] Failure read_write(const Edge& e) const;
  [[nodiscard]] Failure path(const std::vector<Edge>& edges, TxnId from, TxnId to) const;
  [[nodiscard]] Failure closed_by(const Edge& assumed,
                                  const std::vector<Edge>& because) const;

  [[nodiscard]] bool is_forbidden(const std::vector<Edge>& edges) const;
  [[nodiscard]] bool is_seen(const std::vector<Edge>& edges, std::size_t rw) const;
  [[nodiscard]] bool reads_before(TxnId t3, const Edge& wr, const Edge& rw) const;
  [[nodiscard]] bool reads_from(TxnId reader, KeyId x, TxnId writer) const;
  [[nodiscard]] bool may_read_from(TxnId reader, std::size_t read, TxnId writer) const;
  [[nodiscard]] bool writes(TxnId t, KeyId x) const;
  [[nodiscard]] bool is_known_older(TxnId from, TxnId to, KeyId x) const;
  [[nodiscard]] std::string text(const Edge& e) const;

  const History& h_;
  Level level_;
};

// --- shapes ---

bool is_so_or_wr(const Edge& e) {
  return e.kind == EdgeKind::So || e.kind == EdgeKind::Wr;
}

bool Judge::is_forbidden(const std::vector<Edge>& edges) const {
  const std::size_t count = edges.size();
  std::vector<std::size_t> rw;
  for (std::size_t i = 0; i < count; ++i)
    if (edges[i].kind == EdgeKind::Rw) rw.push_back(i);
  const auto before = [&](std::size_t i) -> const Edge& {
    return edges[(i + count - 1) % count];
  };
  switch (level_) {
    case Level::RC:
    case Level::RA:
    case Level::CC:
      return rw.empty() || (rw.size() == 1 && is_seen(edges, rw.front()));
    case Level::PC:
      return std::all_of(rw.begin(), rw.end(),
                         [&](std::size_t i) { return is_so_or_wr(before(i)); });
    case Level::PSI:
      return rw.size() <= 1;
    case Level::SI:
      return std::all_of(rw.begin(), rw.end(),
                         [&](std::size_t i) { return before(i).kind != EdgeKind::Rw; });
    case Level::SER:
      return true;
  }
  return false;
}

// Is the rest of the cycle in phi?
//   RC  wr ; po to the read of the rw edge     RA  so | wr     CC  (so | wr)+
bool Judge::is_seen(const std::vector<Edge>& edges, std::size_t rw) const {
  for (std::size_t i = 0; i < edges.size(); ++i)
    if (i != rw && !is_so_or_wr(edges[i])) return false;
  if (level_ == Level::CC) return true;
  if (edges.size() != 2) return false;
  const Edge& other = edges[1 - rw];
  if (level_ == Level::RA) return true;
  return other.kind == EdgeKind::Wr && reads_before(edges[rw].from, other, edges[rw]);
}

// Does t3 read wr.key from wr.from before it reads rw.key from rw.via?
bool Judge::reads_before(TxnId t3, const Edge& wr, const Edge& rw) const {
  bool has_read = false;
  for (std::size_t i = 0; i < h_.reads(t3).size(); ++i) {
    const KeyId x = h_.reads(t3)[i].key;
    if (has_read && x == rw.key && may_read_from(t3, i, rw.via)) return true;
    has_read = has_read || (x == wr.key && may_read_from(t3, i, wr.from));
  }
  return false;
}

// --- edges ---

// An ambiguous read is taken to read from any of its candidates here; whether the others
// are excluded is up to the search over all choices.
bool Judge::may_read_from(TxnId reader, std::size_t read, TxnId writer) const {
  const TxnId known = h_.reads(reader)[read].writer;
  if (!known.is_none()) return known == writer;
  const ReadId id{h_.read_offsets()[reader.index] + static_cast<std::uint32_t>(read)};
  const auto ambiguous = h_.ambiguous_reads();
  const auto at = std::lower_bound(ambiguous.begin(), ambiguous.end(), id);
  if (at == ambiguous.end() || *at != id) return false;
  const auto all = h_.candidates(static_cast<std::size_t>(at - ambiguous.begin()));
  return std::find(all.begin(), all.end(), writer) != all.end();
}

bool Judge::reads_from(TxnId reader, KeyId x, TxnId writer) const {
  if (h_.status(reader) != history::Status::Committed) return false;
  for (std::size_t i = 0; i < h_.reads(reader).size(); ++i)
    if (h_.reads(reader)[i].key == x && may_read_from(reader, i, writer)) return true;
  return false;
}

bool Judge::writes(TxnId t, KeyId x) const {
  return t == init || h_.is_writer(t, x);
}

// By what is given: init is oldest, session order, and the lists of list-append reads.
bool Judge::is_known_older(TxnId from, TxnId to, KeyId x) const {
  if (h_.so(from, to)) return true;
  const auto versions = h_.version_order(x);
  const auto older = std::find(versions.begin(), versions.end(), from);
  if (older == versions.end()) return false;
  return std::find(older, versions.end(), to) != versions.end() ||
         std::find(versions.begin(), versions.end(), to) == versions.end();
}

std::string Judge::text(const Edge& e) const {
  return fmt::format("edge {} from {} to {}", name(e.kind), h_.txn_name(e.from),
                     h_.txn_name(e.to));
}

Failure Judge::write_read(const Edge& e) const {
  if (!reads_from(e.to, e.key, e.from)) return text(e) + ": no such read";
  return std::nullopt;
}

Failure Judge::write_write(const Edge& e) const {
  if (!writes(e.from, e.key) || !writes(e.to, e.key))
    return text(e) + ": not two writers of one key";
  if (!e.via.is_none()) {
    if (!reads_from(e.via, e.key, e.to)) return text(e) + ": via did not read that version";
    return closed_by({e.via, e.from, EdgeKind::Rw, e.key, e.to, {}}, e.because);
  }
  if (!e.because.empty())
    return closed_by({e.to, e.from, EdgeKind::Ww, e.key, {}, {}}, e.because);
  if (is_known_older(e.from, e.to, e.key)) return std::nullopt;
  return text(e) + ": nothing shows which version is older";
}

Failure Judge::read_write(const Edge& e) const {
  if (e.via.is_none() || !reads_from(e.from, e.key, e.via))
    return text(e) + ": no such read";
  if (!writes(e.to, e.key) || e.via == e.to) return text(e) + ": nothing is overwritten";
  if (!e.because.empty())
    return closed_by({e.to, e.via, EdgeKind::Ww, e.key, {}, {}}, e.because);
  if (is_known_older(e.via, e.to, e.key) || reads_from(e.to, e.key, e.via))
    return std::nullopt;
  return text(e) + ": nothing shows which version is older";
}

Failure Judge::edge(const Edge& e) const {
  if (e.from.index >= h_.txn_count() || e.to.index >= h_.txn_count() || e.from == e.to)
    return "an edge without two transactions";
  if (e.kind != EdgeKind::So && e.key.index >= h_.key_count())
    return text(e) + ": no such key";
  if (!e.via.is_none() && e.via.index >= h_.txn_count()) return text(e) + ": no such via";
  for (const TxnId t : {e.from, e.to})
    if (h_.status(t) == history::Status::Aborted) return text(e) + ": an aborted one";
  switch (e.kind) {
    case EdgeKind::So:
      if (h_.so(e.from, e.to)) return std::nullopt;
      return text(e) + ": not in session order";
    case EdgeKind::Wr:
      return write_read(e);
    case EdgeKind::Ww:
      return write_write(e);
    case EdgeKind::Rw:
      return read_write(e);
  }
  return "an edge of no kind";
}

// `because` and the assumed edge close a forbidden cycle, so the assumption is wrong.
Failure Judge::closed_by(const Edge& assumed, const std::vector<Edge>& because) const {
  if (auto failure = path(because, assumed.to, assumed.from)) return failure;
  std::vector<Edge> closed = because;
  closed.push_back(assumed);
  if (is_forbidden(closed)) return std::nullopt;
  return text(assumed) + " would be possible with the path that is to exclude it";
}

Failure Judge::path(const std::vector<Edge>& edges, TxnId from, TxnId to) const {
  if (edges.empty()) return "an empty path";
  TxnId at = from;
  for (const Edge& e : edges) {
    if (e.from != at)
      return fmt::format("{} does not continue the path at {}", text(e), h_.txn_name(at));
    if (auto failure = edge(e)) return failure;
    at = e.to;
  }
  if (at != to) return fmt::format("a path does not end at {}", h_.txn_name(to));
  return std::nullopt;
}

Failure Judge::cycle(const std::vector<Edge>& edges) const {
  if (auto failure = path(edges, edges.front().from, edges.front().from)) return failure;
  if (is_forbidden(edges)) return std::nullopt;
  return fmt::format("{} does not forbid a cycle of this shape", info(level_).name);
}

}  // namespace

std::optional<std::string> refute_cycle(const History& history, Level level,
                                        const std::vector<Edge>& cycle) {
  return Judge(history, level).cycle(cycle);
}

}  // namespace isomer::check
