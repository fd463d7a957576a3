// SPDX-License-Identifier: MIT
// The picture of a run by a schedule: a column for each session, a box for each step, time
// going down.  Around the boxes of a transaction runs a frame.  From a step that waits a
// broken line goes down to where it goes on, and there an arrow comes from whoever woke it.
#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/check/wording.h"
#include "report/database/told_schedule.h"
#include "report/picture/picture.h"

namespace isomer::report {
namespace {

using database::SessionIndex;

constexpr double character_width = 7.8;  // as in pictures of histories
constexpr double line_height = 18;
constexpr double padding = 10;
constexpr double between_steps = 14;
constexpr double frame = 8;         // around the steps of a transaction
constexpr double call_height = 24;  // of its name
constexpr double heading = 34;
constexpr double between_columns = 40;
constexpr double edge = 12;
// As pictures of histories do: on a narrow page it shrinks so far, and scrolls from there.
constexpr double smallest_scale = 0.6;

struct Line {
  std::string text;
  std::string_view style;
};

struct StepBox {
  std::size_t event = 0;
  std::size_t column = 0;
  std::vector<Line> lines;
  double y = 0;

  [[nodiscard]] double height() const {
    return double(lines.size()) * line_height + padding;
  }

  [[nodiscard]] double middle() const { return y + height() / 2; }
};

std::string_view style_of(Mood mood) {
  constexpr std::string_view styles[] = {"result", "good", "bad", "waiting"};
  return styles[static_cast<std::size_t>(mood)];
}

// How many characters a line may have, so that the columns fit on a page.
std::size_t line_width(std::size_t columns) {
  return columns <= 2 ? 50 : columns == 3 ? 34 : 30;
}

class SchedulePicture {
 public:
  explicit SchedulePicture(const ScheduledRun& run)
      : run_(run), events_(told_events(run)), sessions_(active_sessions(run)) {
    make_boxes();
    place();
  }

  [[nodiscard]] std::string svg(std::string_view title) const {
    std::string out = fmt::format(
        "<svg class=\"picture\" role=\"img\" aria-label=\"{}\" viewBox=\"0 0 {:.0f} "
        "{:.0f}\" width=\"{:.0f}\" height=\"{:.0f}\" style=\"min-width: {:.0f}px\">\n"
        "<desc>{}</desc>\n<defs><marker id=\"wakes\" class=\"head wakes\" viewBox=\"0 0 10 "
        "10\" refX=\"9\" refY=\"5\" markerWidth=\"10\" markerHeight=\"10\" "
        "markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0.5 L10 5 L0 9.5 "
        "z\"/></marker></defs>\n",
        escape_html(title), width_, height_, width_, height_, smallest_scale * width_,
        escape_html(description()));
    for (std::size_t i = 0; i < sessions_.size(); ++i)
      out += column(i);
    out += frames();
    for (std::size_t i = 0; i < boxes_.size(); ++i)
      out += wait(i);
    for (const StepBox& box : boxes_)
      out += shown(box);
    return out + "</svg>\n";
  }

 private:
  void make_boxes() {
    const std::size_t width = line_width(sessions_.size());
    for (std::size_t i = 0; i < events_.size(); ++i) {
      const ToldEvent& event = events_[i];
      StepBox& box = boxes_.emplace_back();
      box.event = i;
      box.column = static_cast<std::size_t>(std::ranges::find(sessions_, event.session) -
                                            sessions_.begin());
      for (std::string& line : wrapped(event.statement, width, 2))
        box.lines.push_back({std::move(line), "statement"});
      for (const ToldLine& told : event.lines)
        for (std::string& line : wrapped(told.text, width, 2))
          box.lines.push_back({std::move(line), style_of(told.mood)});
    }
  }

  [[nodiscard]] std::string name(std::size_t column) const {
    return printable(run_.program.sessions[sessions_[column]].name, 30);
  }

  void place() {
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < sessions_.size(); ++i)
      widths.push_back(width_of(name(i)) + 4);
    for (const StepBox& box : boxes_) {
      const ToldEvent& event = events_[box.event];
      std::size_t& width = widths[box.column];
      for (const Line& line : box.lines)
        width = std::max(width, width_of(line.text));
      width = std::max(width, width_of(event.begins) + 2);
      if (event.statement.empty()) continue;
      // The number stands in the first line, the place in the last.
      width = std::max(width, width_of(box.lines.front().text) + 3);
      if (!event.place.empty())
        width =
            std::max(width, width_of(box.lines.back().text) + width_of(event.place) + 1);
    }
    double x = edge;
    for (const std::size_t width : widths) {
      lefts_.push_back(x + frame);
      box_widths_.push_back(double(width) * character_width + 2 * padding);
      x += box_widths_.back() + 2 * frame + between_columns;
    }
    width_ = x - between_columns + edge;
    double y = heading;
    for (StepBox& box : boxes_) {
      const ToldEvent& event = events_[box.event];
      if (!event.begins.empty()) y += call_height;
      box.y = y;
      y += box.height() + between_steps;
      if (event.ends_transaction) y += frame;
    }
    height_ = y + edge;
  }

  [[nodiscard]] std::string description() const {
    std::vector<std::string> out;
    for (const StepBox& box : boxes_) {
      std::vector<std::string> parts;
      for (const Line& line : box.lines)
        parts.push_back(line.text);
      out.push_back(fmt::format("{}: {}", name(box.column), fmt::join(parts, " ")));
    }
    return fmt::format("{}", fmt::join(out, "\n"));
  }

  [[nodiscard]] std::string column(std::size_t i) const {
    return fmt::format(
        "<rect class=\"column\" x=\"{:.1f}\" y=\"0\" width=\"{:.1f}\" height=\"{:.1f}\" "
        "rx=\"10\"/><text class=\"session\" x=\"{:.1f}\" y=\"20\">{}</text>\n",
        lefts_[i] - frame - 4, box_widths_[i] + 2 * frame + 8, height_ - 4,
        lefts_[i] + box_widths_[i] / 2, escape_html(name(i)));
  }

  // Of each transaction, from where it begins to where it ends.
  [[nodiscard]] std::string frames() const {
    std::string out;
    std::map<SessionIndex, const StepBox*> first;
    std::map<SessionIndex, const StepBox*> last;
    const auto close = [&](SessionIndex session) {
      if (first[session] == nullptr) return;
      out += framed(*first[session], *last[session]);
      first[session] = nullptr;
    };
    for (const StepBox& box : boxes_) {
      const ToldEvent& event = events_[box.event];
      if (!event.begins.empty()) {
        close(event.session);
        first[event.session] = &box;
      }
      last[event.session] = &box;
      if (event.ends_transaction) close(event.session);
    }
    for (const SessionIndex session : sessions_)
      close(session);
    return out;
  }

  [[nodiscard]] std::string framed(const StepBox& first, const StepBox& last) const {
    const double top = first.y - call_height;
    const bool is_undone = std::ranges::any_of(
        last.lines, [](const Line& line) { return line.style == "bad"; });
    return fmt::format(
        "<g class=\"transaction{}\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
        "height=\"{:.1f}\" rx=\"9\"/><text class=\"call\" x=\"{:.1f}\" "
        "y=\"{:.1f}\">{}</text></g>\n",
        is_undone ? " undone" : "", lefts_[first.column] - frame, top,
        box_widths_[first.column] + 2 * frame, last.y + last.height() + frame - top,
        lefts_[first.column] + 2, top + 17, escape_html(events_[first.event].begins));
  }

  // From a step under way down to where it goes on, and the arrow of whoever woke it.
  [[nodiscard]] std::string wait(std::size_t i) const {
    const StepBox& box = boxes_[i];
    if (!events_[box.event].is_pending) return {};
    const auto next =
        std::find_if(boxes_.begin() + static_cast<std::ptrdiff_t>(i) + 1, boxes_.end(),
                     [&](const StepBox& other) { return other.column == box.column; });
    const double x = lefts_[box.column] + 2 * padding;
    const double end = next == boxes_.end() ? height_ - edge : next->y;
    std::string out = fmt::format("<path class=\"wait\" d=\"M{:.1f} {:.1f} V{:.1f}\"/>\n",
                                  x, box.y + box.height(), end);
    if (next != boxes_.end()) out += wake(*next);
    return out;
  }

  [[nodiscard]] std::string wake(const StepBox& woken) const {
    const std::optional<std::uint32_t> waker = events_[woken.event].woken_by;
    if (!waker) return {};
    const StepBox* from = nullptr;
    for (const StepBox& box : boxes_)
      if (events_[box.event].step == *waker && box.y < woken.y) from = &box;
    if (from == nullptr || from->column == woken.column) return {};
    const bool goes_right = from->column < woken.column;
    const auto side = [&](const StepBox& box, bool is_right) {
      return lefts_[box.column] + (is_right ? box_widths_[box.column] : 0);
    };
    const double x1 = side(*from, goes_right);
    const double x2 = side(woken, !goes_right);
    // The last stretch is straight, so that the head lies on it.
    const double turn = goes_right ? x2 - between_columns / 2 : x2 + between_columns / 2;
    return fmt::format(
        "<path class=\"wakes line\" d=\"M{:.1f} {:.1f} H{:.1f} V{:.1f} H{:.1f}\" "
        "marker-end=\"url(#wakes)\"/>\n",
        x1, from->middle(), turn, woken.middle(), x2);
  }

  [[nodiscard]] std::string shown(const StepBox& box) const {
    const ToldEvent& event = events_[box.event];
    const double x = lefts_[box.column];
    std::string out = fmt::format(
        "<g class=\"box step\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
        "height=\"{:.1f}\" rx=\"7\"/>",
        x, box.y, box_widths_[box.column], box.height());
    double y = box.y + line_height - 2;
    for (const Line& line : box.lines) {
      out += fmt::format(
          "<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" xml:space=\"preserve\">{}</text>",
          line.style, x + padding, y, escape_html(line.text));
      y += line_height;
    }
    if (event.statement.empty()) return out + "</g>\n";
    const double right = x + box_widths_[box.column] - padding / 2;
    const auto note = [&](std::string_view style, double at, const std::string& text) {
      out += fmt::format("<text class=\"at{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", style,
                         right, at, escape_html(text));
    };
    note(" turn", box.y + line_height - 2, fmt::format("{}", event.step + 1));
    if (!event.place.empty()) note("", y - line_height, event.place);
    return out + "</g>\n";
  }

  const ScheduledRun& run_;
  std::vector<ToldEvent> events_;
  std::vector<SessionIndex> sessions_;
  std::vector<StepBox> boxes_;
  std::vector<double> lefts_;  // of the boxes in a column
  std::vector<double> box_widths_;
  double width_ = 0;
  double height_ = 0;
};

}  // namespace

std::string schedule_figure(const ScheduledRun& run, std::string_view title) {
  if (run.steps.empty()) return {};
  return fmt::format("<figure>\n{}</figure>\n", SchedulePicture(run).svg(title));
}

}  // namespace isomer::report
