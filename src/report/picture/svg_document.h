// SPDX-License-Identifier: MIT
// The pictures of a page as one SVG document: the same boxes, arrows and colours, so that a
// picture looks alike wherever it stands.
#pragma once

#include <string>
#include <string_view>

namespace isomer::report {

// Of a page that page() made; empty if it has no pictures.  They stand below each other,
// each under its title and over its legend, on the ground of the page, light or dark.
std::string svg_document(std::string_view page);

}  // namespace isomer::report
