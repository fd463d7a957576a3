// SPDX-License-Identifier: MIT
// Scenes in Graphviz's language: one cluster a scene, one record a transaction.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "report/picture/scene.h"

namespace isomer::report {

// `name` keeps the nodes of several scenes apart.
std::string dot_cluster(const Scene& scene, std::string_view name, std::string_view title);

std::string dot_document(std::span<const std::string> parts);

// Inside a quoted string.
std::string dot_quoted(std::string_view text);

// Graphviz's layout of a DOT text as SVG.
Expected<std::string> svg_of_dot(const std::string& dot);

}  // namespace isomer::report
