// SPDX-License-Identifier: MIT
// The observed run and the prediction side by side.  Both show the transactions that the
// prediction is about: those of its cycle, and those whose reads change with whom they read
// from.  The reads that change are marked in both.
#include <algorithm>

#include <fmt/format.h>

#include "report/check/finding.h"
#include "report/check/wording.h"
#include "report/picture/picture.h"
#include "report/predict/words.h"

namespace isomer::report {
namespace {

using check::Edge;
using check::EdgeKind;
using history::History;
using history::KeyId;
using history::TxnId;
using predict::ChangedRead;
using predict::Prediction;

// The transaction of the prediction that an observed one is; none() if it takes no part.
TxnId predicted_id(const Prediction& prediction, TxnId observed) {
  const auto found = std::ranges::find(prediction.origin, observed);
  if (found == prediction.origin.end()) return TxnId::none();
  return {static_cast<std::uint32_t>(found - prediction.origin.begin())};
}

// By name: keys of the two histories are numbered each for itself.
std::vector<KeyId> keys_named(const History& history,
                              const std::vector<std::string>& names) {
  std::vector<KeyId> out;
  for (const KeyId x : all_keys(history))
    if (std::ranges::find(names, history.key_name(x)) != names.end()) out.push_back(x);
  return out;
}

std::vector<std::string> names_that_matter(const Predicted& p,
                                           const Prediction& prediction) {
  std::vector<std::string> out;
  for (const ChangedRead& read : prediction.changed)
    out.push_back(p.observed.key_name(read.key));
  for (const KeyId x : keys_that_matter(prediction.history, prediction.violation))
    out.push_back(prediction.history.key_name(x));
  return out;
}

// In ids of the observed history.
std::vector<TxnId> txns_that_matter(const Prediction& prediction) {
  std::vector<TxnId> out;
  for (const TxnId t : shown_txns(prediction.violation))
    out.push_back(prediction.origin[t.index]);
  for (const ChangedRead& read : prediction.changed) {
    out.push_back(read.reader);
    out.push_back(read.observed);
    out.push_back(read.predicted);
  }
  std::ranges::sort(out);
  const auto rest = std::ranges::unique(out);
  out.erase(rest.begin(), rest.end());
  return out;
}

Edge wr(TxnId from, TxnId to, KeyId key) {
  return {
      .from = from, .to = to, .kind = EdgeKind::Wr, .key = key, .via = {}, .because = {}};
}

Scene observed_scene(const Predicted& p, const Prediction& prediction,
                     const std::vector<std::string>& keys) {
  std::vector<Edge> marked;
  for (const ChangedRead& read : prediction.changed)
    marked.push_back(wr(read.observed, read.reader, read.key));
  return part_scene(p.observed, "observed (the marked reads change)",
                    txns_that_matter(prediction), keys_named(p.observed, keys), nullptr,
                    marked);
}

Scene predicted_scene(const Predicted& p, const Prediction& prediction,
                      const std::vector<std::string>& keys) {
  const History& history = prediction.history;
  const std::vector<KeyId> own_keys = keys_named(history, keys);
  std::vector<TxnId> txns;
  for (const TxnId t : txns_that_matter(prediction))
    if (const TxnId own = predicted_id(prediction, t); !own.is_none()) txns.push_back(own);
  std::vector<Edge> marked;
  for (const ChangedRead& read : prediction.changed) {
    const std::string name = p.observed.key_name(read.key);
    const auto key =
        std::ranges::find(own_keys, name, [&](KeyId x) { return history.key_name(x); });
    if (key != own_keys.end())
      marked.push_back(wr(predicted_id(prediction, read.predicted),
                          predicted_id(prediction, read.reader), *key));
  }
  const Finding finding = finding_of(prediction);
  return part_scene(history,
                    fmt::format("predicted: allowed by {}, not serializable: {}",
                                p.options.level.name, finding_title(history, finding)),
                    std::move(txns), own_keys, &finding, marked);
}

}  // namespace

PicturePair picture_pair(const Predicted& p, std::size_t index) {
  const Prediction& prediction = p.result.predictions[index];
  const std::vector<std::string> keys = names_that_matter(p, prediction);
  return {.observed = observed_scene(p, prediction, keys),
          .predicted = predicted_scene(p, prediction, keys)};
}

std::string predict_dot(const Predicted& p) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < p.result.predictions.size(); ++i) {
    const PicturePair pair = picture_pair(p, i);
    parts.push_back(dot_cluster(pair.observed, fmt::format("o{}", i), pair.observed.title));
    parts.push_back(
        dot_cluster(pair.predicted, fmt::format("p{}", i), pair.predicted.title));
  }
  if (parts.empty())
    parts.emplace_back("  none [shape=note, label=\"nothing was predicted\"];\n");
  return dot_document(parts);
}

}  // namespace isomer::report
