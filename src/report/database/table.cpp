// SPDX-License-Identifier: MIT
// The table of a run by a schedule, for terminals: a column for each session, one step
// below the other.  While a session waits, dots run down its column.
#include <algorithm>

#include <fmt/format.h>

#include "report/check/wording.h"
#include "report/database/told_schedule.h"
#include "report/program/report.h"

namespace isomer::report {
namespace {

using database::SessionIndex;

// Statements in narrower columns cannot be read.
constexpr std::size_t column_width_min = 26;
constexpr std::size_t hang = 4;
constexpr std::string_view separator = " | ";

enum class Style : std::uint8_t { Plain, Bold, Good, Bad, Waiting };

struct Line {
  std::string text;
  Style style = Style::Plain;
  std::size_t hang = 0;
};

Style style_of(Mood mood) {
  switch (mood) {
    case Mood::Plain:
      return Style::Plain;
    case Mood::Good:
      return Style::Good;
    case Mood::Bad:
      return Style::Bad;
    case Mood::Waiting:
      return Style::Waiting;
  }
  return Style::Plain;
}

std::string inked(const Line& line, const Ink& ink) {
  switch (line.style) {
    case Style::Plain:
      return line.text;
    case Style::Bold:
      return ink.bold(line.text);
    case Style::Good:
      return ink.good(line.text);
    case Style::Bad:
      return ink.bad(line.text);
    case Style::Waiting:
      return ink.doubtful(line.text);
  }
  return line.text;
}

// What an event is in its column, before it is wrapped.
std::vector<Line> lines_of(const ToldEvent& event) {
  std::vector<Line> out;
  if (!event.begins.empty()) out.push_back({event.begins, Style::Bold, hang});
  if (!event.statement.empty()) out.push_back({event.statement, Style::Plain, hang});
  std::string place = event.place.empty() ? "" : event.place + "  ";
  for (const ToldLine& line : event.lines) {
    out.push_back({fmt::format("  {}{}", place, line.text), style_of(line.mood), hang});
    place.clear();
  }
  return out;
}

std::vector<Line> fitted(const std::vector<Line>& lines, std::size_t width) {
  std::vector<Line> out;
  for (const Line& line : lines)
    for (std::string& part : wrapped(line.text, width, line.hang))
      out.push_back({std::move(part), line.style});
  return out;
}

class Table {
 public:
  Table(const ScheduledRun& run, std::size_t width, const Ink& ink)
      : run_(run), ink_(ink), events_(told_events(run)), sessions_(active_sessions(run)) {
    number_width_ = fmt::formatted_size("{}", run.steps.size()) + 2;
    widths_.resize(sessions_.size());
    natural_widths();
    is_list_ = !fit(width);
  }

  std::string text() {
    std::string out = is_list_ ? "" : heading();
    std::vector<bool> is_waiting(sessions_.size());
    for (const ToldEvent& event : events_) {
      const std::size_t column = column_of(event.session);
      out += row(event, column, is_waiting);
      is_waiting[column] = event.is_pending;
    }
    return out;
  }

 private:
  [[nodiscard]] std::size_t column_of(SessionIndex session) const {
    return static_cast<std::size_t>(std::ranges::find(sessions_, session) -
                                    sessions_.begin());
  }

  [[nodiscard]] std::string name(std::size_t column) const {
    return printable(run_.program.sessions[sessions_[column]].name, 20);
  }

  void natural_widths() {
    for (std::size_t i = 0; i < widths_.size(); ++i)
      widths_[i] = width_of(name(i));
    for (const ToldEvent& event : events_)
      for (const Line& line : lines_of(event)) {
        std::size_t& width = widths_[column_of(event.session)];
        width = std::max(width, width_of(line.text));
      }
  }

  // The widest columns are cut down until all fit; false if one would be too narrow.
  bool fit(std::size_t width) {
    const std::size_t around = number_width_ + 2 + separator.size() * (widths_.size() - 1);
    const std::size_t room = width > around ? width - around : 0;
    const auto needed = [&](std::size_t limit) {
      std::size_t sum = 0;
      for (const std::size_t natural : widths_)
        sum += std::min(natural, limit);
      return sum;
    };
    std::size_t limit = std::ranges::max(widths_);
    while (limit > column_width_min && needed(limit) > room)
      --limit;
    if (needed(limit) <= room) {
      for (std::size_t& natural : widths_)
        natural = std::min(natural, limit);
      return true;
    }
    list_names_ = 0;
    for (std::size_t i = 0; i < sessions_.size(); ++i)
      list_names_ = std::max(list_names_, width_of(name(i)));
    const std::size_t gutter = number_width_ + list_names_ + 4;
    list_width_ = std::max(width > gutter ? width - gutter : 0, column_width_min);
    return false;
  }

  [[nodiscard]] std::string heading() const {
    std::string names(number_width_ + 2, ' ');
    std::string rule(number_width_ + 2, ' ');
    for (std::size_t i = 0; i < widths_.size(); ++i) {
      const bool is_last = i + 1 == widths_.size();
      const std::string padding(is_last ? 0 : widths_[i] - width_of(name(i)), ' ');
      names += ink_.bold(name(i)) + padding + (is_last ? "" : std::string(separator));
      rule += std::string(widths_[i], '-') + (is_last ? "" : "-+-");
    }
    return names + "\n" + rule + "\n";
  }

  [[nodiscard]] std::string row(const ToldEvent& event, std::size_t column,
                                const std::vector<bool>& is_waiting) const {
    const std::vector<Line> lines =
        fitted(lines_of(event), is_list_ ? list_width_ : widths_[column]);
    std::string out;
    bool is_numbered = event.statement.empty();
    for (const Line& line : lines) {
      // The number stands beside the statement.
      const bool is_statement = !is_numbered && line.style == Style::Plain;
      std::string number = is_statement
                               ? fmt::format("{:>{}}  ", event.step + 1, number_width_)
                               : std::string(number_width_ + 2, ' ');
      is_numbered |= is_statement;
      out += ink_.dim(number) + (is_list_ ? list_line(line, column, &line == lines.data())
                                          : table_line(line, column, is_waiting));
      out.erase(out.find_last_not_of(' ') + 1);
      out += '\n';
    }
    return out;
  }

  [[nodiscard]] std::string list_line(const Line& line, std::size_t column,
                                      bool is_first) const {
    const std::string shown = is_first ? name(column) : "";
    return ink_.bold(shown) + std::string(list_names_ - width_of(shown) + 2, ' ') +
           inked(line, ink_);
  }

  [[nodiscard]] std::string table_line(const Line& line, std::size_t column,
                                       const std::vector<bool>& is_waiting) const {
    std::string out;
    for (std::size_t i = 0; i < widths_.size(); ++i) {
      const std::string mark = is_waiting[i] ? ":" : "";
      const std::size_t used = width_of(i == column ? line.text : mark);
      out += i == column ? inked(line, ink_) : ink_.doubtful(mark);
      out += std::string(widths_[i] - used, ' ');
      if (i + 1 < widths_.size()) out += separator;
    }
    return out;
  }

  const ScheduledRun& run_;
  const Ink& ink_;
  std::vector<ToldEvent> events_;
  std::vector<SessionIndex> sessions_;
  std::vector<std::size_t> widths_;
  std::size_t number_width_ = 0;
  bool is_list_ = false;
  std::size_t list_names_ = 0;
  std::size_t list_width_ = 0;
};

}  // namespace

std::string schedule_table(const ScheduledRun& run, std::size_t width, const Ink& ink) {
  if (run.steps.empty()) return "  no step\n";
  return Table(run, width, ink).text();
}

std::string schedule_end_text(const ScheduledRun& run, const Ink& ink) {
  std::string out = "in the end\n";
  for (std::size_t i = 0; i < run.program.tables.size(); ++i)
    out += rows_text(run.program.tables[i], run.rows[i], EmptyTables::Hide, ink);
  if (!run.invariants.empty())
    out += fmt::format("\ninvariants\n{}", invariants_text(run.invariants, 1, ink));
  return out;
}

}  // namespace isomer::report
