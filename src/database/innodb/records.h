// SPDX-License-Identifier: MIT
// How records change: versions and delete marks, undo, and purge.  What a change touched
// goes into the footprint.
#pragma once

#include "database/footprint.h"
#include "database/innodb/state.h"

namespace isomer::database::innodb {

// --- changes ---

// A new version of the row, or the row's first one; Null: it is delete-marked.
void write_row(State& state, TrxId trx, TableId table, const Key& key, const Value& row,
               Footprint& touched);
void insert_entry(State& state, TrxId trx, const RecordId& entry, Footprint& touched);
void mark_entry(State& state, TrxId trx, const RecordId& entry, Footprint& touched);

// --- ends ---

// Takes back what the transaction did behind its first changes.
void undo_to(State& state, TrxId trx, std::size_t changes, Footprint& touched);
// Removes what nobody can see any more; what somebody waits for stays until the next time.
void purge(State& state, Footprint& touched);

// --- footprints ---

void touch_record(const RecordId& record, TouchedRange::Access access, Footprint& touched);
// Who stands there before whom, also among those who share.
void touch_queue(const RecordId& record, Footprint& touched);
// The gap before the record.
void touch_gap(const State& state, const RecordId& record, TouchedRange::Access access,
               Footprint& touched);

}  // namespace isomer::database::innodb
