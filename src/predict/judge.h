// SPDX-License-Identifier: MIT
// What becomes of a candidate: some order explains it, or the level forbids it, or it is a
// prediction.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "check/check.h"
#include "predict/orders.h"
#include "predict/predict.h"

namespace isomer::predict {

struct Explained {
  TxnOrder order;  // of all transactions; what can be learned from
};

struct Forbidden {
  check::Violated violation;       // keys are KeyNumbers
  std::vector<TxnNumber> numbers;  // by transaction of the violated history
};

// No order explains it (Exact), or none that contains pco (Approx).
struct Unexplained {};

struct Undecided {
  std::string reason;  // "timeout", "memory", ...
};

using Judgement = std::variant<Explained, Forbidden, Unexplained, Undecided>;

class Judge {
 public:
  Judge(const Observed& observed, const Options& options);

  // Of the observed run; absent if none was found.
  [[nodiscard]] const std::optional<std::vector<TxnNumber>>& observed_order() const {
    return observed_order_;
  }

  // Not empty: why it is not known whether an order explains the observed run.
  [[nodiscard]] const std::string& unknown() const { return unknown_; }

  // Told: the level is known to allow the candidate.  Briefly: a violation has no evidence.
  enum class Asks : std::uint8_t { Told, Briefly, Fully };
  [[nodiscard]] Judgement judge(const CandidateRun& candidate, Asks asks,
                                const Budget& budget) const;

 private:
  [[nodiscard]] Judgement allowed(const CandidateRun& candidate, Asks asks,
                                  const Budget& budget) const;

  const Observed& observed_;
  const Options& options_;
  std::optional<std::vector<TxnNumber>> observed_order_;
  std::string unknown_;
};

}  // namespace isomer::predict
