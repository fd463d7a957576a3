// SPDX-License-Identifier: MIT
// The paper numbers transactions by their place in the arbitration order, ar_i, and has
// states X_i, X'_i and Y_i for each place.  Here they belong to transactions, and ar is a
// relation: "k < j < i" reads "ar(k, j) and ar(j, i)".  The rest is as printed.  A state
// has a row for each site: no other key changes.
#include "verify/paper.h"

#include <array>

#include <fmt/format.h>

#include "base/assert.h"

namespace isomer::verify {
namespace {

using State = std::vector<Row>;  // by site

constexpr std::array<std::pair<std::string_view, PaperLevel>, 5> levels{{
    {"CC", PaperLevel::CC},
    {"PSI", PaperLevel::PSI},
    {"PC", PaperLevel::PC},
    {"SI", PaperLevel::SI},
    {"SER", PaperLevel::SER},
}};

class PaperEncoding {
 public:
  explicit PaperEncoding(SymbolicProgram& symbolic)
      : in_(symbolic), terms_(symbolic.terms), count_(symbolic.transactions.size()) {}

  ExecutionTerms encode(PaperLevel level) {
    arbitration();
    states();
    output_states();
    input_states();
    if (level == PaperLevel::PC || level == PaperLevel::SI) phi_prefix();
    if (level == PaperLevel::PSI || level == PaperLevel::SI) phi_no_conflict();
    if (level == PaperLevel::SER) phi_total_vis();
    read_inputs();
    out_.last = state_after(count_ + 1);
    say_who_is_last();
    out_.witnesses.emplace_back("ar", with_observer());
    out_.total_order = "ar";
    return std::move(out_);
  }

 private:
  void require(Term fact) { out_.facts.push_back(fact); }

  [[nodiscard]] const Summary& transaction(std::size_t t) const {
    return in_.transactions[t - 1];
  }

  // (Arbitration): a total order; 0 is the initial state, before all.
  void arbitration() {
    ar_ = {count_ + 1, count_ + 1, terms_.truth(false)};
    for (std::size_t a = 1; a <= count_; ++a) {
      ar_(0, a) = terms_.truth(true);
      for (std::size_t b = a + 1; b <= count_; ++b) {
        ar_(a, b) = terms_.variable(fmt::format("ar.t{}.t{}", a, b), TermSort::Bool);
        ar_(b, a) = terms_.negation(ar_(a, b));
      }
    }
    for (std::size_t a = 1; a <= count_; ++a)
      for (std::size_t b = 1; b <= count_; ++b)
        for (std::size_t c = 1; c <= count_; ++c)
          if (a != b && b != c && a != c)
            require(terms_.implies(terms_.both(ar_(a, b), ar_(b, c)), ar_(a, c)));
  }

  // X, X' and Wr of each transaction; X_0 = X'_0 = Y_0 is the initial state (Initial).
  void states() {
    for (std::size_t t = 0; t <= count_; ++t) {
      State& x = x_.emplace_back();
      State& x_out = x_out_.emplace_back();
      std::vector<Term>& wr = wr_.emplace_back();
      for (std::size_t s = 0; s < in_.sites.size(); ++s) {
        const Site& site = in_.sites[s];
        if (t == 0) {
          x.push_back(in_.possible_rows->initial(site.table, site.key));
          x_out.push_back(x.back());
          wr.push_back(terms_.truth(false));
          continue;
        }
        x.push_back(unknown_state(site, fmt::format("X{}.{}", t, s + 1)));
        wr.push_back(terms_.both(site.exists,
                                 transaction(t).writes_key(terms_, site.table, site.key)));
        x_out.push_back(
            choose(terms_, wr.back(),
                   transaction(t).written(terms_, in_.program.tables[site.table.index],
                                          site.table, site.key),
                   x.back()));
      }
    }
  }

  Row unknown_state(const Site& site, const std::string& name) {
    const program::Table& table = in_.program.tables[site.table.index];
    Row row{.exists = terms_.variable(name + ".exists", TermSort::Bool), .columns = {}};
    for (const program::Column& column : table.columns)
      row.columns.push_back(
          unknown_cell(terms_, column.type, name + "." + column.name, !column.is_not_null));
    for (std::size_t i = 0; i < site.key.size(); ++i)
      row.columns[table.primary_key[i].index] = site.key[i];
    return row;
  }

  Term same_state(const State& a, const State& b) {
    Term out = terms_.truth(true);
    for (std::size_t s = 0; s < in_.sites.size(); ++s)
      out = terms_.both(out,
                        terms_.implies(in_.sites[s].exists, identical(terms_, a[s], b[s])));
    return out;
  }

  // u is arbitrated before t; all are before the observer, count + 1.
  Term before(std::size_t u, std::size_t t) {
    return t > count_ ? terms_.truth(true) : ar_(u, t);
  }

  // The effects of all that were arbitrated before t: the last writer wins.
  State state_after(std::size_t t) {
    State out = x_[0];
    for (std::size_t s = 0; s < in_.sites.size(); ++s)
      for (std::size_t u = 1; u <= count_; ++u) {
        if (u == t || terms_.is_false(wr_[u][s])) continue;
        out[s] = choose(terms_, is_last_writer(u, t, s), x_out_[u][s], out[s]);
      }
    return out;
  }

  Term is_last_writer(std::size_t u, std::size_t t, std::size_t site) {
    Term out = terms_.both(wr_[u][site], before(u, t));
    for (std::size_t v = 1; v <= count_; ++v)
      if (v != u && v != t)
        out = terms_.both(
            out,
            terms_.negation(terms_.all(std::array{wr_[v][site], before(v, t), ar_(u, v)})));
    return out;
  }

  // (Output-States): Y after each transaction.
  void output_states() {
    y_.push_back(x_[0]);
    for (std::size_t t = 1; t <= count_; ++t) {
      y_before_.push_back(state_after(t));
      State& y = y_.emplace_back(y_before_.back());
      for (std::size_t s = 0; s < in_.sites.size(); ++s)
        y[s] = choose(terms_, wr_[t][s], x_out_[t][s], y[s]);
    }
  }

  // (Input-States): the output of an earlier transaction, or the effects of a prefix.
  void input_states() {
    for (std::size_t t = 1; t <= count_; ++t) {
      Term any = terms_.truth(false);
      for (std::size_t u = 0; u <= count_; ++u) {
        if (u == t) continue;
        const Term either =
            terms_.either(same_state(x_[t], x_out_[u]), same_state(x_[t], y_[u]));
        any = terms_.either(any, terms_.both(ar_(u, t), either));
      }
      require(any);
    }
  }

  // (phi-Prefix): the input is a prefix state.
  void phi_prefix() {
    for (std::size_t t = 1; t <= count_; ++t) {
      Term any = terms_.truth(false);
      for (std::size_t u = 0; u <= count_; ++u)
        if (u != t)
          any = terms_.either(any, terms_.both(ar_(u, t), same_state(x_[t], y_[u])));
      require(any);
    }
  }

  // (phi-TotalVis): the input is the state after all that are before.
  void phi_total_vis() {
    for (std::size_t t = 1; t <= count_; ++t)
      require(same_state(x_[t], y_before_[t - 1]));
  }

  // (phi-NoConflict): if the input of i is the output of k, nobody between them writes what
  // i writes.
  void phi_no_conflict() {
    for (std::size_t i = 1; i <= count_; ++i)
      for (std::size_t k = 0; k <= count_; ++k) {
        if (k == i) continue;
        const Term reads_k = terms_.both(ar_(k, i), same_state(x_[i], x_out_[k]));
        for (std::size_t j = 1; j <= count_; ++j) {
          if (j == i || j == k) continue;
          const Term between = terms_.both(ar_(k, j), ar_(j, i));
          for (std::size_t s = 0; s < in_.sites.size(); ++s)
            require(terms_.negation(
                terms_.all(std::array{reads_k, between, wr_[i][s], wr_[j][s]})));
        }
      }
  }

  // The summary's reads are reads of X.
  void read_inputs() {
    for (std::size_t t = 1; t <= count_; ++t)
      for (const ReadEvent& read : transaction(t).reads) {
        Row row = in_.possible_rows->initial(read.table, read.key);
        for (std::size_t s = 0; s < in_.sites.size(); ++s)
          if (in_.sites[s].table == read.table)
            row = choose(terms_, in_.is_at(in_.sites[s], read.table, read.key), x_[t][s],
                         row);
        require(terms_.implies(read.when, identical(terms_, read.row, row)));
        say_who_wrote(t, read);
      }
  }

  // States have no writers.  For a run that can be shown, a read is said to be from the
  // last one before it that wrote what it read.
  void say_who_wrote(std::size_t t, const ReadEvent& read) {
    ReadChoice& choice = out_.choices.emplace_back();
    choice.transaction = static_cast<std::uint32_t>(t);
    choice.read = static_cast<std::size_t>(&read - transaction(t).reads.data());
    choice.writer.assign(count_ + 2, terms_.truth(false));
    const program::Table& table = in_.program.tables[read.table.index];
    std::vector<Term> could(count_ + 1, terms_.truth(false));
    for (std::size_t u = 1; u <= count_; ++u)
      if (u != t)
        could[u] = terms_.all(std::array{
            read.when, ar_(u, t), transaction(u).writes_key(terms_, read.table, read.key),
            identical(terms_, read.row,
                      transaction(u).written(terms_, table, read.table, read.key))});
    choice.writer[0] = terms_.both(read.when, terms_.negation(terms_.any(could)));
    for (std::size_t u = 1; u <= count_; ++u) {
      choice.writer[u] = could[u];
      for (std::size_t v = 1; v <= count_; ++v)
        if (v != u)
          choice.writer[u] = terms_.both(choice.writer[u],
                                         terms_.negation(terms_.both(could[v], ar_(u, v))));
    }
  }

  void say_who_is_last() {
    for (std::size_t s = 0; s < in_.sites.size(); ++s) {
      ReadChoice& choice = out_.choices.emplace_back();
      choice.transaction = static_cast<std::uint32_t>(count_ + 1);
      choice.read = s;
      choice.writer.assign(count_ + 2, terms_.truth(false));
      for (std::size_t u = 1; u <= count_; ++u)
        choice.writer[u] = is_last_writer(u, count_ + 1, s);
    }
  }

  Matrix<Term> with_observer() {
    Matrix<Term> out(count_ + 2, count_ + 2, terms_.truth(false));
    for (std::size_t a = 0; a <= count_; ++a) {
      out(a, count_ + 1) = terms_.truth(true);
      for (std::size_t b = 0; b <= count_; ++b)
        out(a, b) = ar_(a, b);
    }
    return out;
  }

  SymbolicProgram& in_;
  Terms& terms_;
  std::size_t count_;
  Matrix<Term> ar_;
  std::vector<State> x_;
  std::vector<State> x_out_;
  std::vector<State> y_;
  std::vector<State> y_before_;        // from transaction 1 on
  std::vector<std::vector<Term>> wr_;  // by transaction, then site
  ExecutionTerms out_;
};

}  // namespace

std::optional<PaperLevel> paper_level_named(std::string_view name) {
  for (const auto& [known, level] : levels)
    if (known == name) return level;
  return std::nullopt;
}

ExecutionTerms encode_paper(SymbolicProgram& symbolic, PaperLevel level) {
  return PaperEncoding(symbolic).encode(level);
}

}  // namespace isomer::verify
