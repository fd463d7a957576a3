// SPDX-License-Identifier: MIT
#include "audit/chain.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "audit/statements/evaluate.h"
#include "audit/statements/interpret.h"
#include "base/assert.h"

namespace isomer::audit {
namespace {

constexpr DependencyKind dependency_kinds[] = {
    DependencyKind::WriteRead, DependencyKind::ReadWrite, DependencyKind::WriteWrite};

}  // namespace

std::string_view name(DependencyKind kind) {
  switch (kind) {
    case DependencyKind::WriteRead:
      return "wr";
    case DependencyKind::ReadWrite:
      return "rw";
    case DependencyKind::WriteWrite:
      return "ww";
  }
  ISOMER_UNREACHABLE();
}

// --- fields ---

FieldClasses::FieldClasses(const Schema& schema, const std::vector<TypeRun>& types) {
  const std::size_t tables = schema.program().tables.size();
  // By table and field: the touches that write it.
  std::vector<std::vector<std::vector<std::size_t>>> writers(tables);
  for (std::uint32_t t = 0; t < tables; ++t)
    writers[t].resize(schema.field_count({t}));
  std::size_t number = 0;
  for (const TypeRun& type : types)
    for (const Event& event : type.events)
      for (const Touch& touch : event.touches) {
        ++number;
        for (std::size_t f = 0; touch.is_write && f < touch.fields.size(); ++f)
          if (touch.fields[f]) writers[touch.table.index][f].push_back(number);
      }
  for (const auto& fields : writers) {
    std::map<std::vector<std::size_t>, std::size_t> seen;
    std::vector<std::size_t> classes;
    for (const auto& writing : fields)
      classes.push_back(seen.emplace(writing, seen.size()).first->second);
    count_ = std::max(count_, seen.size());
    classes_.push_back(std::move(classes));
  }
}

// --- the application ---

Application::Application(const Program& program, const Model& model, const Budget& budget)
    : program_(program), model_(model), schema_(terms_, program_, model_) {
  const auto count = static_cast<std::uint32_t>(program.types.size());
  for (std::uint32_t type = 0; type < count; ++type)
    types_.push_back(run_type(schema_, type, program.types[type].name));
  classes_.emplace(schema_, types_);
  pairs_ = Matrix<std::vector<TouchPair>>(count, count, {});
  for (std::uint32_t from = 0; from < count; ++from)
    for (std::uint32_t to = 0; to < count; ++to)
      pairs_(from, to) = pairs_between(from, to);
  if (model_.has_counters) numbered_ = numbered_tables(schema_, types_, budget);
}

std::vector<TouchPair> Application::pairs_between(std::uint32_t from,
                                                  std::uint32_t to) const {
  std::vector<TouchPair> out;
  const bool counts_locks = model_.reads == Reads::Scanned;
  const auto counts = [&](const Touch& touch, bool as_write) {
    return touch.is_write == as_write && (counts_locks || !touch.is_lock);
  };
  const auto add_all = [&](std::size_t a, std::size_t i, std::size_t b, std::size_t j,
                           DependencyKind kind) {
    const Touch& first = types_[from].events[a].touches[i];
    const Touch& second = types_[to].events[b].touches[j];
    std::set<std::size_t> seen;
    for (std::size_t field = 0; field < first.fields.size(); ++field) {
      if (!first.fields[field] || !second.fields[field]) continue;
      const std::size_t of = classes_->class_of(first.table, field);
      if (seen.insert(of).second) out.push_back({kind, a, i, b, j, field, of});
    }
  };
  for (std::size_t a = 0; a < types_[from].events.size(); ++a) {
    if (types_[from].events[a].copy == Copy::In) continue;
    for (std::size_t b = 0; b < types_[to].events.size(); ++b) {
      if (types_[to].events[b].copy == Copy::Out) continue;
      const auto& first = types_[from].events[a].touches;
      const auto& second = types_[to].events[b].touches;
      for (std::size_t i = 0; i < first.size(); ++i)
        for (std::size_t j = 0; j < second.size(); ++j) {
          if (first[i].table != second[j].table) continue;
          for (const DependencyKind kind : dependency_kinds)
            if (counts(first[i], kind != DependencyKind::ReadWrite) &&
                counts(second[j], kind != DependencyKind::WriteRead))
              add_all(a, i, b, j, kind);
        }
    }
  }
  return out;
}

bool Application::has_kind(std::uint32_t from, std::uint32_t to,
                           DependencyKind kind) const {
  const auto& pairs = pairs_(from, to);
  return std::any_of(pairs.begin(), pairs.end(),
                     [&](const TouchPair& pair) { return pair.kind == kind; });
}

// --- the chain ---

Chain::Chain(const Application& application, const Plan& plan,
             std::vector<std::uint32_t> types, std::vector<Slot> slots)
    : application_(application),
      schema_(terms_, application.program(), application.model()),
      plan_(plan),
      types_(std::move(types)),
      slots_(std::move(slots)),
      never_(terms_.truth(false)) {
  for (std::size_t i = 0; i < types_.size(); ++i)
    runs_.push_back(run_type(schema_, types_[i], fmt::format("t{}", i)));
  for (const TypeRun& run : runs_)
    formulas_.insert(formulas_.end(), run.facts.begin(), run.facts.end());
  visibility_ = open_visibility(terms_, types_.size(), formulas_);
  records_.resize(slots_.size());
  possible_dependencies_.resize(slots_.size());
  for (std::size_t slot = 0; slot < slots_.size(); ++slot)
    add_possible_dependencies(slot);
  add_keys();
  add_changed_records();
  formulas_.push_back(demanded(terms_, plan_, types_, visibility_));
  add_overwritten();
  add_knowledge();
  add_unique();
  add_counters();
}

const Record& Chain::record(std::size_t slot, TableId table) const {
  const auto& records = records_[slot];
  const auto found = std::find_if(records.begin(), records.end(),
                                  [&](const auto& entry) { return entry.first == table; });
  ISOMER_ASSERT(found != records.end());
  return found->second;
}

// WR: the reader sees the writer.  RW: the reader does not see the writer.  WW: by order.
Term Chain::is_ordered(DependencyKind kind, const Slot& slot) {
  const auto [from, to] = slot;
  switch (kind) {
    case DependencyKind::WriteRead:
      return visibility_.vis(from, to);
    case DependencyKind::ReadWrite:
      return terms_.negation(visibility_.vis(to, from));
    case DependencyKind::WriteWrite:
      return visibility_.ar(from, to);
  }
  ISOMER_UNREACHABLE();
}

// A read of what the transaction itself has written before depends on nobody.
Term Chain::is_external(const TypeRun& reader, const Event& event, const Record& record,
                        TableId table, std::size_t field) {
  std::vector<Term> parts;
  const bool counts_locks = application_.model().reads == Reads::Scanned;
  for (const Event& earlier : reader.events) {
    if (!is_earlier(earlier, event)) continue;
    for (const Touch& touch : earlier.touches)
      if (touch.is_write && touch.must && touch.table == table && touch.fields[field] &&
          (counts_locks || !touch.is_lock))
        parts.push_back(terms_.negation(touch.must(record)));
  }
  return terms_.all(parts);
}

// A reader depends on the next change of what it saw; on later ones only through that one.
// To who does not see a record, that is an INSERT; to who sees it, an UPDATE or DELETE, if
// nobody can insert a record that is there.
Term Chain::is_relevant(const Touch& read, const Touch& write, const Record& record) {
  if (application_.model().reads == Reads::Scanned || !read.is_alive)
    return terms_.truth(true);
  if (!write.is_insert) return read.is_alive(record);
  return application_.model().inserts_conflict[record.table.index]
             ? terms_.negation(read.is_alive(record))
             : terms_.truth(true);
}

void Chain::add_possible_dependencies(std::size_t slot) {
  const auto [from, to] = slots_[slot];
  std::vector<Term> chosen;
  for (const TouchPair& pair : application_.pairs(types_[from], types_[to])) {
    const Event& first = runs_[from].events[pair.from_event];
    const Event& second = runs_[to].events[pair.to_event];
    const Touch& a = first.touches[pair.from_touch];
    const Touch& b = second.touches[pair.to_touch];
    const auto known =
        std::find_if(records_[slot].begin(), records_[slot].end(),
                     [&](const auto& entry) { return entry.first == a.table; });
    if (known == records_[slot].end())
      records_[slot].emplace_back(
          a.table,
          schema_.open_record(
              a.table, fmt::format("r{}.{}", slot,
                                   application_.program().tables[a.table.index].name)));
    const Record& on = record(slot, a.table);
    std::vector<Term> parts{a.may(on), b.may(on), is_ordered(pair.kind, slots_[slot])};
    if (pair.kind == DependencyKind::WriteRead)
      parts.push_back(is_external(runs_[to], second, on, a.table, pair.field));
    if (pair.kind == DependencyKind::ReadWrite) {
      parts.push_back(is_external(runs_[from], first, on, a.table, pair.field));
      parts.push_back(is_relevant(a, b, on));
    }
    const Term condition = terms_.all(parts);
    if (terms_.is_false(condition)) continue;
    PossibleDependency candidate{
        .kind = pair.kind,
        .from = &first,
        .to = &second,
        .table = a.table,
        .field = pair.field,
        .field_class = pair.field_class,
        .chosen = terms_.variable(
            fmt::format("edge{}.{}", slot, possible_dependencies_[slot].size()),
            TermSort::Bool)};
    formulas_.push_back(terms_.implies(candidate.chosen, condition));
    chosen.push_back(candidate.chosen);
    possible_dependencies_[slot].push_back(candidate);
  }
  formulas_.push_back(terms_.any(chosen));
}

Term Chain::slot_has(std::size_t slot, TableId table) {
  std::vector<Term> parts;
  for (const PossibleDependency& candidate : possible_dependencies_[slot])
    if (candidate.table == table) parts.push_back(candidate.chosen);
  return terms_.any(parts);
}

Term Chain::has_kind(std::size_t slot, DependencyKind kind) {
  std::vector<Term> parts;
  for (const PossibleDependency& candidate : possible_dependencies_[slot])
    if (candidate.kind == kind) parts.push_back(candidate.chosen);
  return terms_.any(parts);
}

// The transaction certainly touches a field of the class so.
Term Chain::touches(const TypeRun& run, Touching how, const Record& record,
                    std::size_t field_class) {
  std::vector<Term> parts;
  const bool is_write = how != Touching::Read;
  const bool counts_locks =
      how == Touching::Conflict || application_.model().reads == Reads::Scanned;
  for (const Event& event : run.events)
    for (const Touch& touch : event.touches) {
      if (touch.is_write != is_write || !touch.must || touch.table != record.table)
        continue;
      if (touch.is_lock && !counts_locks) continue;
      for (std::size_t f = 0; f < touch.fields.size(); ++f)
        if (touch.fields[f] &&
            application_.classes().class_of(record.table, f) == field_class) {
          parts.push_back(touch.must(record));
          break;
        }
    }
  return terms_.any(parts);
}

// By transaction: it touches that class of the slot's record so.
std::vector<Term> Chain::who_touches(std::size_t slot, Touching how, std::size_t c) {
  std::vector<Term> out(visibility_.vis.rows(), never_);
  for (std::size_t t = 0; t < types_.size(); ++t) {
    std::vector<Term> parts;
    for (const auto& [table, on] : records_[slot])
      parts.push_back(terms_.both(slot_has(slot, table), touches(runs_[t], how, on, c)));
    out[t] = terms_.any(parts);
  }
  return out;
}

// The keys that the levels speak of: for each slot, and each class of fields, that class of
// the slot's record.  A lock is a write to a key of its own, which nobody reads.
void Chain::add_keys() {
  const std::size_t class_count = application_.classes().count();
  const std::size_t count = visibility_.vis.rows();
  const Matrix<Term> unread(count, count, never_);
  for (std::size_t slot = 0; slot < slots_.size(); ++slot)
    for (std::size_t c = 0; c < class_count; ++c) {
      std::vector<Term> writers = who_touches(slot, Touching::Change, c);
      std::vector<Term> lockers = who_touches(slot, Touching::Conflict, c);
      if (lockers != writers) {
        visibility_.writers.push_back(std::move(lockers));
        visibility_.wr.push_back(unread);
      }
      Matrix<Term> wr = unread;
      const bool is_used = std::any_of(writers.begin(), writers.end(),
                                       [&](Term term) { return !terms_.is_false(term); });
      std::vector<Term> read;
      for (const PossibleDependency& candidate : possible_dependencies_[slot])
        if (candidate.kind == DependencyKind::WriteRead && candidate.field_class == c)
          read.push_back(candidate.chosen);
      wr(slots_[slot].first, slots_[slot].second) = terms_.any(read);
      if (!is_used && read.empty()) continue;
      visibility_.writers.push_back(std::move(writers));
      visibility_.wr.push_back(std::move(wr));
    }
}

// More keys: the records that the transactions insert, or look for to change them, whether
// or not a slot is about them.
void Chain::add_changed_records() {
  for (const TypeRun& run : runs_)
    for (const RowSeen& row : run.rows) {
      if (!row.is_insert && !row.is_change) continue;
      bool is_used = false;
      std::set<std::size_t> classes;
      for (std::size_t f = 0; f < schema_.field_count(row.record.table); ++f)
        classes.insert(application_.classes().class_of(row.record.table, f));
      for (const std::size_t c : classes) {
        std::vector<Term> writers;
        std::size_t count = 0;
        for (const TypeRun& other : runs_) {
          writers.push_back(touches(other, Touching::Conflict, row.record, c));
          count += terms_.is_false(writers.back()) ? 0 : 1;
        }
        if (count < 2) continue;
        is_used = true;
        writers.resize(visibility_.vis.rows(), never_);
        visibility_.writers.push_back(std::move(writers));
        visibility_.wr.emplace_back(visibility_.vis.rows(), visibility_.vis.rows(), never_);
      }
      if (is_used) changed_.push_back(row.record);
    }
}

// Who reads x and misses the write of c read from one before c.  So every writer of x that
// the reader sees is before c as well.
void Chain::add_overwritten() {
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
    const auto [reader, writer] = slots_[slot];
    for (const PossibleDependency& candidate : possible_dependencies_[slot]) {
      if (candidate.kind != DependencyKind::ReadWrite) continue;
      const Record& on = record(slot, candidate.table);
      for (std::size_t other = 0; other < types_.size(); ++other) {
        if (other == reader || other == writer) continue;
        const Term writes =
            touches(runs_[other], Touching::Change, on, candidate.field_class);
        const Term seen = visibility_.vis(other, reader);
        formulas_.push_back(
            terms_.implies(terms_.all(std::array{candidate.chosen, writes, seen}),
                           visibility_.ar(other, writer)));
      }
    }
  }
}

void Chain::add_knowledge() {
  std::vector<Record> all = changed_;
  for (const auto& records : records_)
    for (const auto& [table, on] : records)
      all.push_back(on);
  for (const TypeRun& run : runs_)
    for (const Knowledge& knowledge : run.knowledge)
      for (const Record& on : all)
        if (on.table == knowledge.table) formulas_.push_back(knowledge.fact(on));
}

// UNIQUE, where rows neither come nor go: two records with the same values are one.  (Where
// they come, transactions that do not see each other may each insert one.)
void Chain::add_unique() {
  std::vector<Record> all = changed_;
  for (const auto& records : records_)
    for (const auto& [table, on] : records)
      all.push_back(on);
  for (const TypeRun& run : runs_)
    for (const RowSeen& row : run.rows)
      all.push_back(row.record);
  const Viewer nobody{.transaction = "", .epochs = {}};
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      if (all[i].table != all[j].table || !schema_.is_existence_fixed(all[i].table))
        continue;
      for (const auto& columns : application_.program().tables[all[i].table.index].unique) {
        std::vector<Term> parts;
        for (const ColumnId column : columns) {
          if (!schema_.is_fixed(all[i].table, column)) break;
          parts.push_back(equal(terms_, schema_.column(all[i], column, nobody),
                                schema_.column(all[j], column, nobody)));
        }
        if (parts.size() != columns.size()) continue;
        for (const Record* record : {&all[i], &all[j]})
          parts.push_back(schema_.is_alive(*record, nobody));
        formulas_.push_back(
            terms_.implies(terms_.all(parts), schema_.same(all[i], all[j])));
      }
    }
}

// --- counters ---

void Chain::add_counters() {
  for (const Numbered& numbered : application_.numbered())
    for (std::size_t inserts = 0; inserts < types_.size(); ++inserts)
      for (std::size_t sees = 0; sees < types_.size(); ++sees)
        if (inserts != sees) add_counter(numbered, inserts, sees);
}

// Who sees a record sees who inserts one with a smaller number of the same counter.
void Chain::add_counter(const Numbered& numbered, std::size_t inserts, std::size_t sees) {
  for (const RowSeen& made : runs_[inserts].rows)
    for (const RowSeen& seen : runs_[sees].rows) {
      if (made.record.table != numbered.table || seen.record.table != numbered.table)
        continue;
      if (!made.is_insert) continue;
      std::vector<Term> parts{
          made.when, seen.when,
          terms_.less(made.record.key[numbered.place], seen.record.key[numbered.place])};
      for (const std::size_t place : numbered.shared)
        parts.push_back(terms_.same(made.record.key[place], seen.record.key[place]));
      formulas_.push_back(
          terms_.implies(terms_.all(parts), visibility_.vis(inserts, sees)));
    }
}

// One changes what the other touches so.
Term Chain::share(std::size_t from, std::size_t to, Touching how) {
  std::vector<Term> parts;
  const auto add = [&](const Record& on) {
    for (std::size_t c = 0; c < application_.classes().count(); ++c)
      parts.push_back(terms_.both(touches(runs_[from], Touching::Change, on, c),
                                  touches(runs_[to], how, on, c)));
  };
  for (const auto& records : records_)
    for (const auto& [table, on] : records)
      add(on);
  for (const Record& on : changed_)
    add(on);
  return terms_.any(parts);
}

Term Chain::depends_directly(std::size_t from, std::size_t to) {
  return terms_.both(share(from, to, Touching::Change), visibility_.ar(from, to));
}

// The reader saw the write or a later one, so there is a path of at most two.
Term Chain::depends_nearly(std::size_t from, std::size_t to) {
  return terms_.both(share(from, to, Touching::Read), visibility_.vis(from, to));
}

}  // namespace isomer::audit
