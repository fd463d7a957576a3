// SPDX-License-Identifier: MIT
#include "database/footprint.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>

namespace isomer::database {

using program::Lock;
using program::TableId;
using program::TableLock;
using program::Value;

// --- locks ---

bool conflict(Lock held, Lock wanted) {
  using enum Lock;
  const auto weaker = std::min(held, wanted);
  const auto stronger = std::max(held, wanted);
  switch (weaker) {
    case None:
      return false;
    case KeyShare:
      return stronger == Update;
    case Share:
      return stronger >= NoKeyUpdate;
    case NoKeyUpdate:
    case Update:
      return true;
  }
  return true;
}

bool conflict(TableLock held, TableLock wanted) {
  // Rows and columns as in the enumeration: the modes that a mode conflicts with.
  constexpr std::array<std::uint8_t, 8> conflicts{
      0b1000'0000,  // AccessShare
      0b1100'0000,  // RowShare
      0b1111'0000,  // RowExclusive
      0b1111'1000,  // ShareUpdateExclusive
      0b1110'1100,  // Share
      0b1111'1100,  // ShareRowExclusive
      0b1111'1110,  // Exclusive
      0b1111'1111,  // AccessExclusive
  };
  return ((conflicts[static_cast<std::size_t>(held)] >> static_cast<unsigned>(wanted)) &
          1U) != 0;
}

// --- regions ---

bool Region::has(const Value& row) const {
  if (row.is_null()) return false;
  return std::all_of(equal.begin(), equal.end(), [&](const auto& pin) {
    return row.items()[pin.first.index] == pin.second;
  });
}

bool overlap(const Region& read, const RowChange& change) {
  return read.table == change.table && (read.has(change.before) || read.has(change.after));
}

// --- footprints ---

namespace {

// Does the one end before the other begins?
bool is_before(const TouchedRange& a, const TouchedRange& b) {
  if (!a.to || !b.from) return false;
  return *a.to < *b.from || (*a.to == *b.from && !(a.has_to && b.has_from));
}

}  // namespace

bool overlap(const TouchedRange& a, const TouchedRange& b) {
  return a.table == b.table && a.index == b.index && !is_before(a, b) && !is_before(b, a);
}

namespace {

template <class A, class B, class Meet>
bool any_meet(const A& a, const B& b, Meet meet) {
  return std::any_of(a.begin(), a.end(), [&](const auto& left) {
    return std::any_of(b.begin(), b.end(),
                       [&](const auto& right) { return meet(left, right); });
  });
}

bool meets(const Region& read, const RowChange& change) {
  return overlap(read, change);
}

// What one step does to the other, in this order or the other one.
bool disturbs(const Footprint& a, const Footprint& b) {
  return any_meet(a.reads, b.commits, meets) || any_meet(a.tracked, b.written, meets);
}

bool is_locked_in_conflict(const Footprint& a, const Footprint& b) {
  using Row = Footprint::TouchedRow;
  using Key = Footprint::TouchedKey;
  // Two that give back locks of one row meet only in whom they wake.
  const bool meet_in_rows = any_meet(a.rows, b.rows, [](const Row& left, const Row& right) {
    return left.table == right.table && left.row == right.row &&
           conflict(left.strength, right.strength);
  });
  const bool meet_in_keys = any_meet(a.keys, b.keys, [](const Key& left, const Key& right) {
    return left.table == right.table && left.index == right.index &&
           left.key == right.key && (left.is_insert || right.is_insert);
  });
  const bool meet_in_tables =
      any_meet(a.tables, b.tables, [](const auto& left, const auto& right) {
        return left.first == right.first && conflict(left.second, right.second);
      });
  const bool meet_in_advice =
      any_meet(a.advised, b.advised, [](const auto& left, const auto& right) {
        return left.first == right.first && !(left.second && right.second);
      });
  return meet_in_rows || meet_in_keys || meet_in_tables || meet_in_advice;
}

bool meet_in_ranges(const Footprint& a, const Footprint& b) {
  using enum TouchedRange::Access;
  return any_meet(a.ranges, b.ranges, [](const auto& left, const auto& right) {
    return (left.access == Write || right.access == Write) && overlap(left, right);
  });
}

}  // namespace

bool conflict(const Footprint& a, const Footprint& b) {
  // Dangerous structures depend on the order of ends and snapshots.
  if (a.is_serializable && b.is_serializable && (a.ends || b.ends)) return true;
  if (a.queues && b.queues) return true;
  return disturbs(a, b) || disturbs(b, a) || is_locked_in_conflict(a, b) ||
         meet_in_ranges(a, b) ||
         any_meet(a.appended, b.appended,
                  [](TableId left, TableId right) { return left == right; });
}

namespace {

template <class Item>
void append(std::vector<Item>& to, std::vector<Item> from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()),
            std::make_move_iterator(from.end()));
}

}  // namespace

void add_footprint(Footprint& to, Footprint other) {
  append(to.reads, std::move(other.reads));
  append(to.rows, std::move(other.rows));
  append(to.keys, std::move(other.keys));
  append(to.commits, std::move(other.commits));
  append(to.written, std::move(other.written));
  append(to.tracked, std::move(other.tracked));
  append(to.tables, std::move(other.tables));
  append(to.advised, std::move(other.advised));
  append(to.appended, std::move(other.appended));
  append(to.ranges, std::move(other.ranges));
  to.queues |= other.queues;
  to.ends |= other.ends;
  to.tries |= other.tries;
  to.is_serializable |= other.is_serializable;
}

// --- names ---

void add_value(Digest& digest, const Value& value) {
  digest.add(value.data().index());
  std::visit(
      [&](const auto& data) {
        using Data = std::decay_t<decltype(data)>;
        if constexpr (std::is_same_v<Data, bool> || std::is_same_v<Data, std::int64_t>) {
          digest.add(static_cast<std::uint64_t>(data));
        } else if constexpr (std::is_same_v<Data, program::Decimal>) {
          digest.add(static_cast<std::uint64_t>(data.digits))
              .add(static_cast<std::uint64_t>(data.digits >> 64))
              .add(data.scale);
        } else if constexpr (std::is_same_v<Data, std::string>) {
          digest.add(std::string_view(data));
        } else if constexpr (std::is_same_v<Data, program::Date>) {
          digest.add(static_cast<std::uint64_t>(data.days));
        } else if constexpr (std::is_same_v<Data, program::Timestamp>) {
          digest.add(static_cast<std::uint64_t>(data.microseconds));
        } else if constexpr (std::is_same_v<Data, program::List>) {
          digest.add(data ? data->size() : 0);
          for (const Value& item : value.items())
            add_value(digest, item);
        }
      },
      value.data());
}

void add_values(Digest& digest, std::span<const Value> values) {
  digest.add(values.size());
  for (const Value& value : values)
    add_value(digest, value);
}

void add_fault(Digest& digest, const program::Fault& fault) {
  digest.add(std::string_view(fault.sqlstate))
      .add(fault.number)
      .add(std::string_view(fault.reason));
}

namespace {

// The columns of a row, without what a model keeps behind them.
std::span<const Value> columns(const program::Program& program, TableId table,
                               const Value& row) {
  return row.items().first(
      std::min(row.items().size(), program.tables[table.index].columns.size()));
}

}  // namespace

void add_reply(Digest& digest, const Reply& reply) {
  digest.add(static_cast<std::uint64_t>(reply.kind))
      .add(static_cast<std::uint64_t>(reply.count))
      .add(reply.rows.size());
  for (const auto& row : reply.rows)
    add_values(digest, row);
  if (reply.kind == Reply::Kind::Failed) add_fault(digest, reply.fault);
}

namespace {

struct FootprintDigest {
  Digest& digest;
  const program::Program& program;

  void add_regions(const std::vector<Region>& regions) {
    digest.add(regions.size());
    for (const Region& region : regions) {
      digest.add(region.table.index).add(region.equal.size());
      for (const auto& [column, value] : region.equal) {
        digest.add(column.index);
        add_value(digest, value);
      }
    }
  }

  void add_changes(const std::vector<RowChange>& changes) {
    digest.add(changes.size());
    for (const RowChange& change : changes) {
      digest.add(change.table.index);
      add_values(digest, columns(program, change.table, change.before));
      add_values(digest, columns(program, change.table, change.after));
    }
  }

  void add_end(const std::optional<std::vector<Value>>& key, bool is_in) {
    digest.add((key ? 1U : 0U) | (is_in ? 2U : 0U));
    if (key) add_values(digest, *key);
  }

  void add_ranges(const std::vector<TouchedRange>& ranges) {
    digest.add(ranges.size());
    for (const TouchedRange& range : ranges) {
      digest.add(range.table.index)
          .add(range.index)
          .add(static_cast<std::uint64_t>(range.access));
      add_end(range.from, range.has_from);
      add_end(range.to, range.has_to);
    }
  }

  void add_locks(const Footprint& of) {
    digest.add(of.rows.size());
    for (const auto& row : of.rows)
      digest.add(row.table.index)
          .add(row.row.session)
          .add(row.row.number)
          .add(static_cast<std::uint64_t>(row.strength));
    digest.add(of.keys.size());
    for (const auto& key : of.keys) {
      digest.add(key.table.index)
          .add(key.index)
          .add(static_cast<std::uint64_t>(key.is_insert));
      add_values(digest, key.key);
    }
    digest.add(of.tables.size());
    for (const auto& [table, mode] : of.tables)
      digest.add(table.index).add(static_cast<std::uint64_t>(mode));
    digest.add(of.advised.size());
    for (const auto& [key, is_shared] : of.advised) {
      add_values(digest, key);
      digest.add(static_cast<std::uint64_t>(is_shared));
    }
  }
};

}  // namespace

Fingerprint fingerprint(const program::Program& program, const Footprint& of) {
  Digest digest;
  FootprintDigest into{.digest = digest, .program = program};
  into.add_regions(of.reads);
  into.add_regions(of.tracked);
  into.add_changes(of.commits);
  into.add_changes(of.written);
  into.add_locks(of);
  digest.add(of.appended.size());
  for (const TableId table : of.appended)
    digest.add(table.index);
  into.add_ranges(of.ranges);
  digest.add((of.ends ? 1U : 0U) | (of.tries ? 2U : 0U) | (of.is_serializable ? 4U : 0U) |
             (of.queues ? 8U : 0U));
  return digest.fingerprint();
}

}  // namespace isomer::database
