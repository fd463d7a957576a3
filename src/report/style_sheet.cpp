// SPDX-License-Identifier: MIT
#include "report/style_sheet.h"

namespace isomer::report {

std::string_view style_sheet() {
  return R"css(
:root { color-scheme: light dark;
  --ground: #f6f7f9; --paper: #ffffff; --ink: #1c2430; --soft: #667085; --hair: #d8dde5;
  --band: #f1f4f8; --box: #ffffff; --box-line: #9aa4b2;
  --ok: #15803d; --ok-ground: #e7f6ec; --no: #c81e1e; --no-ground: #fdeaea;
  --unknown: #92610a; --unknown-ground: #fdf3dc;
  --so: #6b7280; --wr: #15803d; --ww: #1d4ed8; --rw: #c81e1e; }
@media (prefers-color-scheme: dark) { :root {
  --ground: #12161c; --paper: #1a2029; --ink: #e6eaf0; --soft: #9aa6b5; --hair: #303a47;
  --band: #202833; --box: #161b22; --box-line: #5b6878;
  --ok: #4ade80; --ok-ground: #14301f; --no: #f87171; --no-ground: #3a1a1c;
  --unknown: #fbbf24; --unknown-ground: #382c10;
  --so: #9ca3af; --wr: #4ade80; --ww: #7aa2ff; --rw: #f87171; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 2rem 1rem 3rem; background: var(--ground); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main, header, footer { max-width: 68rem; margin: 0 auto; }
header { color: var(--soft); font-size: .9rem; margin-bottom: 1rem; }
footer { color: var(--soft); font-size: .75rem; margin-top: 2rem; }
section { background: var(--paper); border: 1px solid var(--hair); border-radius: 14px;
  padding: 1.4rem 1.6rem; margin-bottom: 1.5rem; }
h1 { font-size: 1.5rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2rem 0 .3rem; padding-top: 1.2rem;
  border-top: 1px solid var(--hair); }
h3 { font-size: .95rem; margin: 1.2rem 0 .3rem; }
p { margin: .3rem 0 .8rem; }
.facts, .aside { color: var(--soft); }
code, .mono { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
  font-size: .87em; }
.verdicts { border-collapse: separate; border-spacing: 6px; margin: .6rem 0 .6rem -6px; }
.verdicts th { font-weight: 600; font-size: .85rem; color: var(--soft); }
.verdicts td, .chip { text-align: center; border-radius: 8px; padding: .25rem .9rem;
  font-weight: 650; }
.chip { font-size: .8rem; padding: .1rem .5rem; margin-left: .25rem; }
.ok { color: var(--ok); background: var(--ok-ground); }
.no { color: var(--no); background: var(--no-ground); }
.unknown { color: var(--unknown); background: var(--unknown-ground); }
figure { margin: 1rem 0; overflow-x: auto; }
figcaption { color: var(--soft); font-size: .88rem; margin-top: .5rem; }
.key { display: inline-block; margin-right: 1.1rem; white-space: nowrap; }
.key i { display: inline-block; width: 1.6em; border-top: 3px solid; vertical-align: middle;
  margin-right: .4em; }
.key i.inferred { border-top-style: dashed; border-color: var(--soft); }
.key .so { border-color: var(--so); } .key .wr { border-color: var(--wr); }
.key .ww { border-color: var(--ww); } .key .rw { border-color: var(--rw); }
ol.reasons, ol.reasons ol { padding-left: 1.4rem; margin: .3rem 0; }
ol.reasons li { margin: .25rem 0; }
ol.reasons ol { color: var(--soft); list-style: "\2190\00a0"; font-size: .94em; }
b.so { color: var(--so); } b.wr { color: var(--wr); }
b.ww { color: var(--ww); } b.rw { color: var(--rw); }
.picture { max-width: none; display: block; }
.picture text { font: 13px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
  fill: var(--ink); }
.picture .column { fill: var(--band); }
.picture .session { text-anchor: middle; fill: var(--soft); font-size: 12px; }
.picture .box rect { fill: var(--box); stroke: var(--box-line); stroke-width: 1.2; }
.picture .box .rule { stroke: var(--hair); }
.picture .box .name { font-weight: 700; }
.picture .box .place { font-weight: 400; fill: var(--soft); font-size: 11px; }
.picture .box .number { text-anchor: end; fill: var(--ok); font-weight: 700; }
.picture .undone rect { stroke-dasharray: 5 4; }
.picture .init rect { fill: var(--band); }
.arrow, .label, .head { --colour: var(--so); }
.arrow.wr, .label.wr, .head.wr { --colour: var(--wr); }
.arrow.ww, .label.ww, .head.ww { --colour: var(--ww); }
.arrow.rw, .label.rw, .head.rw { --colour: var(--rw); }
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
.pair { display: flex; flex-wrap: wrap; gap: 1rem; }
.pair > div { flex: 1 1 auto; max-width: 100%; }
.pair svg { max-width: max(100%, 85rem); height: auto; }
pre { overflow-x: auto; background: var(--band); border-radius: 8px; padding: .6rem .8rem;
  font: 13px/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
mark { background: var(--unknown-ground); color: inherit; }
.lattice { background: #ffffff; border-radius: 10px; padding: .6rem; }
.lattice svg { max-width: 100%; height: auto; }
.answers th, .verdicts .why { text-align: left; }
.answers td { white-space: nowrap; }
.verdicts .why { white-space: normal; font-weight: 400; padding-left: .3rem; }
summary { cursor: pointer; font-weight: 600; margin: .6rem 0; }
@media (max-width: 40rem) { .answers tr, .answers .why { display: block; }
  .answers th { padding-top: .5rem; } .answers .heads, .answers td:empty { display: none; } }
)css";
}

}  // namespace isomer::report
