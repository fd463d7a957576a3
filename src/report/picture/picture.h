// SPDX-License-Identifier: MIT
// Draws a scene as inline SVG: sessions as columns, time downwards.
#pragma once

#include <string>
#include <string_view>

#include "report/picture/scene.h"

namespace isomer::report {

// `id` keeps the names of several pictures on one page apart.
std::string picture(const history::History& history, const Scene& scene,
                    std::string_view id);

// For text inside HTML and SVG, also inside attributes.
std::string escape_html(std::string_view text);

}  // namespace isomer::report
