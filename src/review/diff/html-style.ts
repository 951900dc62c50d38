/** The style of the page: plain, one colour for each kind of change, light and dark. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #f6f5f2; --sheet: #ffffff; --ink: #23211e; --soft: #625d55; --line: #e2ded6; --code: #f1efea;
  --new: #17683a; --new-bg: #e4f4e9; --gone: #a5281b; --gone-bg: #fcebe8;
  --moved: #1d55ab; --moved-bg: #e7eefb; --changed: #7a5200; --changed-bg: #fbf1da;
  --warn: #7a4100; --warn-bg: #fff2da; --warn-line: #e9b869;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #171614; --sheet: #201f1c; --ink: #eae6df; --soft: #aaa399; --line: #37342f; --code: #2b2926;
    --new: #7fd6a0; --new-bg: #183325; --gone: #ff9f92; --gone-bg: #3e211d;
    --moved: #9cc2ff; --moved-bg: #1d2c47; --changed: #edc472; --changed-bg: #362b16;
    --warn: #ffcf8a; --warn-bg: #36290f; --warn-line: #7d5c22;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: anywhere;
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
code { font: 0.875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
header, main, footer { max-width: 72rem; margin: 0 auto; padding: 0 clamp(1rem, 4vw, 2.5rem); }
header { padding-top: clamp(1.75rem, 5vw, 3.25rem); padding-bottom: 1.25rem; }
h1 { font-size: clamp(1.5rem, 4vw, 2.125rem); line-height: 1.2; letter-spacing: -0.02em; margin: 0 0 0.4rem; font-weight: 650; }
h2 { font-size: 1.2rem; line-height: 1.35; margin: 0; font-weight: 650; }
h2 code { font-size: 1.1rem; font-weight: 650; }
h3 { font-size: 0.8125rem; margin: 1.6rem 0 0.6rem; color: var(--soft); font-weight: 600; }
h4 { font-size: 0.8125rem; margin: 0 0 0.5rem; color: var(--soft); font-weight: 600; }
p { margin: 0.35rem 0; }
ul { list-style: none; margin: 0; padding: 0; }
a { color: inherit; text-decoration-color: var(--line); text-underline-offset: 0.2em; text-decoration-thickness: 2px; }
a:hover { text-decoration-color: currentColor; }
:focus-visible { outline: 2px solid var(--moved); outline-offset: 2px; border-radius: 4px; }
.soft { color: var(--soft); }
.range code { background: none; }
.chips { display: flex; flex-wrap: wrap; gap: 0.4rem; margin-top: 1rem; }
.chip {
  display: inline-block; padding: 0.1rem 0.65rem; border-radius: 99px; font-size: 0.8125rem; font-weight: 550;
  background: var(--code); color: var(--soft); max-width: 100%;
}
.new { --tone: var(--new); --tint: var(--new-bg); }
.gone { --tone: var(--gone); --tint: var(--gone-bg); }
.moved { --tone: var(--moved); --tint: var(--moved-bg); }
.changed { --tone: var(--changed); --tint: var(--changed-bg); }
.title .chip, .chips .chip { font-variant-numeric: tabular-nums; }
a.chip { text-decoration: none; padding-block: 0.2rem; }
a.chip:hover { text-decoration: underline; }
.chip.new, .chip.gone, .chip.moved, .chip.changed { color: var(--tone); background: var(--tint); }
.sheet {
  background: var(--sheet); border: 1px solid var(--line); border-radius: 14px; margin: 0 0 1.25rem;
  padding: clamp(1.1rem, 3vw, 1.75rem); scroll-margin-top: 1rem;
}
.warning { background: var(--warn-bg); border-color: var(--warn-line); }
.warning h2 { color: var(--warn); }
.called ul { margin-top: 0.7rem; display: grid; gap: 0.6rem; }
.title { display: flex; flex-wrap: wrap; gap: 0.2rem 0.7rem; align-items: baseline; }
.title .chip { margin-inline-start: auto; }
.name { font-weight: 600; }
.counts::before { content: "·"; padding-inline: 0.5rem; }
.changes > li {
  display: grid; grid-template-columns: 1.6rem minmax(0, 1fr) auto; gap: 0 0.6rem; padding: 0.6rem 0;
  border-top: 1px solid var(--line); align-items: baseline;
}
.changes > li:first-child { border-top: 0; padding-top: 0; }
.sign {
  display: inline-grid; place-items: center; width: 1.45rem; height: 1.45rem; border-radius: 6px; flex: none;
  font-weight: 700; font-size: 0.875rem; line-height: 1; color: var(--tone, transparent); background: var(--tint, none);
}
.place { color: var(--soft); text-align: end; }
.values { margin: 0.15rem 0 0; display: grid; gap: 0.15rem; }
.values dt, .values dd { display: inline; margin: 0; }
.values dt { color: var(--soft); margin-inline-end: 0.45rem; }
.facts { display: flex; flex-wrap: wrap; gap: 0.15rem 1.25rem; }
.facts > div { min-width: 0; }
.values .from { color: var(--soft); }
.arrow { color: var(--soft); padding: 0 0.35rem; }
.flag { color: var(--warn); background: var(--warn-bg); }
.trees { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 1.25rem; }
.tree { border: 1px solid var(--line); border-radius: 10px; padding: 0.9rem 1rem 1rem; min-width: 0; }
.tree ul ul { margin-inline-start: 0.7rem; padding-inline-start: 0.75rem; border-inline-start: 1px solid var(--line); }
.row { display: flex; gap: 0.5rem; padding: 0.2rem 0.35rem; border-radius: 7px; align-items: baseline; }
.row > .text { min-width: 0; }
.row.new, .row.gone, .row.moved, .row.changed { background: var(--tint); margin: 2px 0; }
.row .sign { width: 1rem; height: auto; background: none; }
.row.gone .label { text-decoration: line-through; text-decoration-thickness: 1px; }
.row code, .row .note { color: var(--soft); font-size: 0.8125rem; }
.row.new code, .row.gone code, .row.moved code, .row.changed code, .row .note { color: var(--ink); opacity: 0.86; }
.row .note { display: block; }
.guard { border: 1px solid var(--line); border-radius: 5px; padding: 0 0.35rem; }
.rule { display: inline-block; width: 4rem; border-top: 1px solid var(--soft); vertical-align: middle; }
summary { color: var(--soft); cursor: pointer; padding: 0.2rem 0.35rem; font-size: 0.8125rem; min-height: 24px; }
.problems { display: grid; gap: 1rem; margin-top: 0.8rem; }
.problems > li { min-width: 0; }
.problems pre { margin: 0.4rem 0; padding: 0.7rem 0.9rem; background: var(--code); border-radius: 8px; overflow-x: auto; }
footer { padding-bottom: 3rem; color: var(--soft); font-size: 0.875rem; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 40rem) {
  .changes > li { grid-template-columns: 1.6rem minmax(0, 1fr); }
  .place { grid-column: 2; text-align: start; }
  .facts { display: grid; }
  .title .chip { margin-inline-start: 0; }
}
@media print {
  body { background: none; font-size: 10pt; }
  .sheet { border-radius: 0; border-width: 1px 0 0; padding: 1rem 0; background: none; break-inside: auto; }
  .changes > li, .row { break-inside: avoid; }
  nav { display: none; }
  .row.new, .row.gone, .row.moved, .row.changed, .sign, .chip { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`
