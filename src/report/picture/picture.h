// SPDX-License-Identifier: MIT
// Draws scenes: as inline SVG, sessions as columns and time downwards; and in Graphviz's
// language (dot.cpp), one cluster a scene and one record a transaction.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "report/picture/scene.h"

namespace isomer::report {

// `id` keeps the names of several pictures on one page apart.
std::string picture(const history::History& history, const Scene& scene,
                    std::string_view id);

// For text inside HTML and SVG, also inside attributes.
std::string escape_html(std::string_view text);

// --- DOT ---

// `name` keeps the nodes of several scenes apart.
std::string dot_cluster(const Scene& scene, std::string_view name, std::string_view title);

std::string dot_document(std::span<const std::string> parts);

// Inside a quoted string.
std::string dot_quoted(std::string_view text);

// Graphviz's layout of a DOT text as SVG.
Expected<std::string> svg_of_dot(const std::string& dot);

}  // namespace isomer::report
