// SPDX-License-Identifier: MIT
#include "report/errors_report.h"

#include "report/diagnostics_json.h"
#include "report/synth/outcome_json.h"

namespace isomer::report {

std::string errors_json(const Diagnostics& errors) {
  return document_text({{"errors", diagnostics_json(errors)}});
}

}  // namespace isomer::report
