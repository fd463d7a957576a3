// SPDX-License-Identifier: MIT
// How transactions, operations and edges are called in front of people.  Text, DOT and HTML
// use the same words.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "check/check.h"
#include "history/history.h"

namespace isomer::report {

// Safe to show in a terminal: valid UTF-8 stays, every other byte and every control
// character becomes \xNN, and of what is longer than `width_max` characters the middle is
// left out.
std::string printable(std::string_view text, std::size_t width_max = 36);

std::string key_text(const history::History& history, history::KeyId key);

// The key inside a sentence: "balance", but "key 8", lest it be taken for a value.
std::string key_noun(const history::History& history, history::KeyId key);

std::string txn_text(const history::History& history, history::TxnId txn);

// "60", or "[1 2 3]" for the read of a list (the end of a long one).
std::string value_text(const history::History& history, std::uint32_t op);

// "r(balance)=60", "w(balance)=10", "append(x)=3".
std::string operation_text(const history::History& history, std::uint32_t op);

// Where the program made it: "bank.sql:12", without the folder; empty if nobody said so.
std::string place_text(const history::History& history, std::uint32_t op);

// "rw balance", or "so".
std::string label(const history::History& history, const check::Edge& edge);

// "--rw x-->"
std::string shaft(const history::History& history, const check::Edge& edge);

// "a/1 --rw balance--> b/1".
std::string arrow(const history::History& history, const check::Edge& edge);

// Why the edge is there: "a/1 read 60, the version that b/1 overwrote".
std::string reason(const history::History& history, const check::Edge& edge);

// One sentence about a read that no built-in level allows.
std::string sentence(const history::History& history, const history::Problem& problem);

std::string_view name(history::ProblemKind kind);  // "aborted read"

// "PSI, SI, SER", or "all seven levels" if these are the built-in ones.
std::string list(std::span<const check::AskedLevel> levels);

// Whether these are the built-in levels, all of them.
bool is_every_level(std::span<const check::AskedLevel> levels);

// Whether it is known which of them imply which: then only the strongest are of interest.
bool are_comparable(std::span<const check::AskedLevel> levels);

// How much of a level's name is shown; it may be that of a file.
inline constexpr std::size_t level_width_max = 60;

// "axiom Conflict", "axioms EXT, NoConflict".
std::string axioms_text(const check::Violated& violation);

// "1 session", "2 sessions".
std::string counted(std::uint64_t count, std::string_view noun);

}  // namespace isomer::report
