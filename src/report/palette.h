// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "check/check.h"

namespace isomer::report {

// The colour of an edge on a light ground: so grey, wr green, ww blue, rw red.
constexpr std::string_view colour_of(check::EdgeKind kind) {
  switch (kind) {
    case check::EdgeKind::So:
      return "#6b7280";
    case check::EdgeKind::Wr:
      return "#15803d";
    case check::EdgeKind::Ww:
      return "#1d4ed8";
    case check::EdgeKind::Rw:
      return "#c81e1e";
  }
  return "#000000";
}

}  // namespace isomer::report
