// SPDX-License-Identifier: MIT
#include "report/page/page.h"

#include <fmt/format.h>

#include "report/picture/palette.h"

namespace isomer::report {
namespace {

// Each relation has a variable, and a class that sets --colour to it.
std::string relation_colours() {
  std::string light;
  std::string dark;
  std::string classes;
  for (const Shade& shade : palette) {
    light += fmt::format(" --{}: {};", shade.name, shade.light);
    dark += fmt::format(" --{}: {};", shade.name, shade.dark);
    classes += fmt::format(".{0} {{ --colour: var(--{0}); }}\n", shade.name);
  }
  return fmt::format(
      ":root {{{}}}\n@media (prefers-color-scheme: dark) {{ :root {{{}}} }}\n{}", light,
      dark, classes);
}

constexpr std::string_view rules = R"css(
:root { color-scheme: light dark;
  --ground: #f6f7f9; --paper: #ffffff; --ink: #1c2430; --soft: #667085; --hair: #d8dde5;
  --band: #f1f4f8; --box: #ffffff; --box-line: #9aa4b2;
  --ok: #15803d; --ok-ground: #e7f6ec; --no: #c81e1e; --no-ground: #fdeaea;
  --unknown: #92610a; --unknown-ground: #fdf3dc; }
@media (prefers-color-scheme: dark) { :root {
  --ground: #12161c; --paper: #1a2029; --ink: #e6eaf0; --soft: #9aa6b5; --hair: #303a47;
  --band: #202833; --box: #161b22; --box-line: #5b6878;
  --ok: #4ade80; --ok-ground: #14301f; --no: #f87171; --no-ground: #3a1a1c;
  --unknown: #fbbf24; --unknown-ground: #382c10; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 2rem 1rem 3rem; background: var(--ground); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main, header, footer { max-width: 68rem; margin: 0 auto; }
header { color: var(--soft); font-size: .9rem; margin-bottom: 1rem; }
header b { color: var(--ink); }
footer { color: var(--soft); font-size: .75rem; margin-top: 2rem; }
section { background: var(--paper); border: 1px solid var(--hair); border-radius: 14px;
  padding: 1.4rem 1.6rem; margin-bottom: 1.5rem; }
h1 { font-size: 1.5rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2rem 0 .3rem; padding-top: 1.2rem;
  border-top: 1px solid var(--hair); }
h3 { font-size: .95rem; margin: 1.2rem 0 .3rem; }
p { margin: .3rem 0 .8rem; }
.facts, .aside { color: var(--soft); }
.lead { font-size: 1.05rem; font-weight: 600; border-radius: 8px; padding: .5rem .8rem;
  margin: .8rem 0; overflow-wrap: anywhere; }
code, .mono { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
  font-size: .87em; }
.verdicts { display: block; overflow-x: auto; border-collapse: separate; border-spacing: 6px;
  margin: .6rem 0 .6rem -6px; }
.verdicts th { font-weight: 600; font-size: .85rem; color: var(--soft); }
.verdicts .level { text-align: right; padding-right: .4rem; }
.verdicts td, .chip { text-align: center; border-radius: 8px; padding: .25rem .9rem;
  font-weight: 650; }
.chip { font-size: .8rem; padding: .1rem .5rem; margin-left: .25rem; }
p > .chip:first-child { margin-left: 0; }
.ok { color: var(--ok); background: var(--ok-ground); }
.no { color: var(--no); background: var(--no-ground); }
.unknown { color: var(--unknown); background: var(--unknown-ground); }
figure { margin: 1rem 0; overflow-x: auto; }
figcaption { color: var(--soft); font-size: .88rem; margin-top: .5rem; }
.key { display: inline-block; margin-right: 1.1rem; white-space: nowrap; }
.key i { display: inline-block; width: 1.6em; border-top: 3px solid var(--colour, var(--soft));
  vertical-align: middle; margin-right: .4em; }
.key i.inferred { border-top-style: dashed; }
.key b { margin-right: .4em; }
ol.reasons, ol.reasons ol { padding-left: 1.4rem; margin: .3rem 0; }
ol.reasons li { margin: .25rem 0; }
ol.reasons ol { color: var(--soft); list-style: "\2190\00a0"; font-size: .94em; }
b.so, b.wr, b.ww, b.rw, b.vis, b.co { color: var(--colour); }
.picture { max-width: 100%; height: auto; display: block; }
.picture text { font: 13px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
  fill: var(--ink); }
.picture .column { fill: var(--band); }
.picture .session { text-anchor: middle; fill: var(--soft); font-size: 12px; }
.picture .box rect { fill: var(--box); stroke: var(--box-line); stroke-width: 1.2; }
.picture .box .rule { stroke: var(--hair); }
.picture .box .name { font-weight: 700; }
.picture .box .place { font-weight: 400; fill: var(--soft); font-size: 11px; }
.picture .box .number { text-anchor: end; fill: var(--co); font-weight: 700; }
.picture .undone rect { stroke-dasharray: 5 4; }
.picture .init rect { fill: var(--band); }
.head path { fill: var(--colour); }
.arrow .line { fill: none; stroke: var(--colour); stroke-width: 1.6; }
.arrow .reach { fill: none; stroke: transparent; stroke-width: 14; pointer-events: stroke; }
.arrow.cycle .line { stroke-width: 2.8; }
.arrow.context .line { stroke-width: 1.2; opacity: .75; }
.arrow.inferred .line { stroke-dasharray: 7 5; }
.arrow.marked .line { stroke-width: 5; opacity: 1; }
.arrow:hover .line, .arrow.lit .line { stroke-width: 4; opacity: 1; }
.label rect { fill: var(--paper); stroke: var(--colour); stroke-width: 1; }
.picture .label text { text-anchor: middle; font-size: 11.5px; fill: var(--colour); }
.picture .label.cycle text { font-weight: 700; }
.label.cycle rect { stroke-width: 1.8; }
.label.context rect { stroke: none; }
.picture .label.marked text { font-weight: 700; fill: var(--paper); }
.label.marked rect { fill: var(--colour); }
.picture .transaction rect { fill: none; stroke: var(--soft); stroke-width: 1.2; }
.picture .transaction.undone rect { stroke: var(--no); stroke-dasharray: 5 4; }
.picture .transaction .call { font-weight: 700; }
.picture .step .result { fill: var(--soft); }
.picture .step .good { fill: var(--ok); }
.picture .step .bad { fill: var(--no); }
.picture .step .waiting { fill: var(--unknown); }
.picture .step .at { text-anchor: end; fill: var(--soft); font-size: 11px; }
.picture .step .turn { font-weight: 700; }
.picture .wait { stroke: var(--unknown); stroke-width: 2; stroke-dasharray: 2 5; fill: none; }
.wakes { --colour: var(--unknown); }
.picture .wakes.line { stroke: var(--colour); stroke-width: 1.8; fill: none; }
.pair { display: flex; flex-wrap: wrap; gap: 0 1.5rem; }
.pair > div { flex: 1 1 24rem; min-width: 0; }
pre { overflow-x: auto; background: var(--band); border-radius: 8px; padding: .6rem .8rem;
  font: 13px/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
mark { background: var(--unknown-ground); color: inherit; }
.answers th, .verdicts .why { text-align: left; }
.answers td { white-space: nowrap; }
.verdicts .why { white-space: normal; font-weight: 400; padding-left: .3rem; }
summary { cursor: pointer; font-weight: 600; margin: .6rem 0; }
@media (max-width: 40rem) { .answers tr, .answers .why { display: block; }
  .answers th { padding-top: .5rem; } .answers .heads, .answers td:empty { display: none; } }
.steps { list-style: none; padding: 0; margin: .3rem 0 1rem; }
.steps > li { margin: .5rem 0; }
.steps pre { margin: 0; padding: .25rem .6rem; }
.steps ul { margin: .15rem 0; padding-left: 2.2rem; }
.lattice svg { max-width: 100%; height: auto; min-width: 30rem; }
.lattice .node path { fill: var(--band); stroke: var(--box-line); }
.lattice .node text { fill: var(--ink); }
.lattice .edge path { stroke: var(--soft); }
.lattice .edge polygon { fill: var(--soft); stroke: var(--soft); }
.lattice .edge text { fill: var(--no); }
@media (max-width: 40rem) {
  body { padding: 1rem .5rem 2rem; }
  section { padding: 1rem .9rem; }
  h1 { font-size: 1.2rem; }
  .verdicts { border-spacing: 4px; }
  .verdicts td { padding: .2rem .4rem; font-size: .85rem; }
  ol.reasons, .steps ul, ul { padding-left: 1.3rem; } }
)css";

}  // namespace

std::string style_sheet() {
  return relation_colours() + std::string(rules);
}

}  // namespace isomer::report
