// SPDX-License-Identifier: MIT
// The parts that all our pages share.  A page needs nothing but itself.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/picture/scene.h"

namespace isomer::report {

std::string page(std::string_view title, std::string_view purpose,
                 std::span<const std::string> sections);

// The answer in one sentence, which stands under the heading of a page.
enum class Tone : std::uint8_t { Good, Bad, Unknown };

std::string lead(Tone tone, std::string_view text);

// A scene with its legend.  `id` keeps the pictures of one page apart.
std::string figure(const history::History& history, const Scene& scene,
                   std::string_view id);

// Edges as a list, and under each what it was inferred from.  Pointing at one lights up its
// arrow in the picture `id`.
std::string reasons_list(const history::History& history,
                         const std::vector<check::Edge>& edges, std::string_view id);

// The style of our pages, light or dark as the reader's system is.
std::string style_sheet();

// The pictures of a page as one SVG document: the same boxes, arrows and colours, so that a
// picture looks alike wherever it stands.  They stand below each other, each under its
// title and over its legend, on the ground of the page, light or dark.  Empty if there are
// none.
std::string svg_document(std::string_view page);

}  // namespace isomer::report
