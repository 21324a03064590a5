#include "lnverify/report_page.hpp"

namespace lnverify {

const char* const report_style = R"css(
:root{color-scheme:light dark;--page:#fff;--soft:#f4f5f7;--line:#d5d9e0;--text:#1c2330;--dim:#5a6475;--link:#0b57b7;
--good:#14713d;--good-back:#e3f4e9;--bad:#a8161d;--bad-back:#fce5e4;--warn:#7a5200;--warn-back:#fbf0d4;
--f16:#b3261e;--bf16:#8e5a00;--f32:#0b57b7;--f64:#6a3aa8;--right:#cfe9d8;--inaccurate:#f5dc96;--wrong:#ee9a8f;
--nonfinite:#b9a3e3;--unsupported:#dde1e8;--crashed:#3a3f4a;--cell:#1c2330}
@media (prefers-color-scheme:dark){:root{--page:#14181f;--soft:#1c222c;--line:#374151;--text:#e6eaf1;--dim:#a3adbd;
--link:#8ab8ff;--good:#7ed9a0;--good-back:#163524;--bad:#ff9c94;--bad-back:#43191a;--warn:#f0c766;--warn-back:#3a2e10;
--f16:#ff9c94;--bf16:#f0c766;--f32:#8ab8ff;--f64:#cbaaff;--right:#23563a;--inaccurate:#8a6d1c;--wrong:#96362f;
--nonfinite:#5f479b;--unsupported:#323a47;--crashed:#e6eaf1;--cell:#f4f6fa}}
*{box-sizing:border-box}
html{scroll-behavior:smooth}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0 auto;max-width:72rem;padding:1.5rem clamp(.8rem,3vw,2rem) 4rem;background:var(--page);color:var(--text);
font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
h1{font-size:1.7rem;line-height:1.2;margin:.2rem 0 .4rem}
h2{font-size:1.35rem;margin:2.6rem 0 .5rem;padding-top:.7rem;border-top:2px solid var(--line)}
h3{font-size:1.08rem;margin:1.6rem 0 .4rem}
p{margin:.4rem 0 .8rem;max-width:46rem}
.dim,figcaption,caption{color:var(--dim)}
a{color:var(--link)}
:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:3px}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:.5rem;background:var(--page);padding:.3rem .6rem}
.scroll{overflow:auto;border:1px solid var(--line);border-radius:8px;max-width:100%}
.tall{max-height:44rem}
table{border-collapse:separate;border-spacing:0;font-size:.89rem;width:100%}
caption{text-align:left;padding:.5rem .7rem;font-size:.89rem}
th,td{padding:.32rem .6rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
tbody tr:last-child>*{border-bottom:0}
thead th{background:var(--soft);position:sticky;top:0;z-index:1;vertical-align:bottom}
tbody th{font-weight:600;background:var(--page)}
.matrix tbody th,.matrix thead th:first-child{position:sticky;left:0;border-right:1px solid var(--line)}
.matrix thead th:first-child{z-index:2}
.matrix tbody th{font:600 .83rem/1.45 ui-monospace,"DejaVu Sans Mono",monospace;max-width:17rem}
.matrix td{white-space:nowrap}
.matrix tbody th.group{font:600 .89rem/1.5 inherit;color:var(--dim);background:var(--soft)}
th button{font:inherit;font-weight:600;color:inherit;background:none;border:0;padding:0;cursor:pointer;text-align:left}
th button::after{content:" \2195";color:var(--dim);font-weight:400}
th[aria-sort=ascending] button::after{content:" \2191";color:inherit}
th[aria-sort=descending] button::after{content:" \2193";color:inherit}
.good{color:var(--good)}.bad{color:var(--bad);font-weight:650}.warn{color:var(--warn)}
.mark{display:inline-block;min-width:1.1em}
.grade{display:inline-block;min-width:1.7em;text-align:center;border-radius:5px;font-weight:700;border:1px solid}
.controls{display:flex;flex-wrap:wrap;gap:.5rem 1.2rem;align-items:center;margin:.6rem 0}
.controls[hidden]{display:none}
.controls label{display:flex;flex-wrap:wrap;gap:.2rem .5rem;align-items:center}
input[type=search]{font:inherit;padding:.25rem .6rem;border:1px solid var(--dim);border-radius:6px;background:var(--page);
color:inherit;width:min(14rem,100%)}
.facts{display:grid;grid-template-columns:auto 1fr;gap:.15rem 1rem;font-size:.92rem;margin:.6rem 0}
.facts dt{color:var(--dim)}.facts dd{margin:0;overflow-wrap:anywhere}
code,pre{font:.86rem/1.5 ui-monospace,"DejaVu Sans Mono",monospace}
pre{background:var(--soft);border-radius:6px;padding:.55rem .8rem;margin:.4rem 0;overflow:auto;white-space:pre-wrap;
overflow-wrap:anywhere}
details{border:1px solid var(--line);border-radius:8px;margin:.5rem 0;padding:0 .9rem}
details[open]{padding-bottom:.5rem}
summary{cursor:pointer;padding:.45rem 0;font-weight:600}
summary span{font-weight:400}
.finding{border-left:5px solid var(--bad)}
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,20rem),1fr));gap:1rem;margin:1rem 0;
align-items:start}
.curves{grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr))}
#kernels td:last-child{min-width:15rem}#kernels tbody th{min-width:9rem}
figure{margin:0;padding:.7rem;border:1px solid var(--line);border-radius:8px;break-inside:avoid}
figcaption{font-size:.84rem;margin-top:.3rem}figcaption b{color:var(--text)}
figure svg.plot,figure svg.map{width:100%;height:auto;display:block}
svg text{font:11px system-ui,"DejaVu Sans",sans-serif;fill:var(--dim)}
svg tspan{font-size:8px}
.axes path{stroke:var(--line);stroke-width:.7;fill:none}
.curve .line{fill:none;stroke-width:1.5}
.f16{stroke:var(--f16);fill:var(--f16)}.bf16{stroke:var(--bf16);fill:var(--bf16)}
.f32{stroke:var(--f32);fill:var(--f32)}.f64{stroke:var(--f64);fill:var(--f64)}
.f16 .line{stroke-dasharray:2 2}.bf16 .line{stroke-dasharray:6 2}.f64 .line{stroke-dasharray:8 2 2 2}
.bound{stroke:var(--bad);stroke-width:1.6;fill:none}.unit{stroke:var(--dim);stroke-width:1;stroke-dasharray:4 3;fill:none}
.legend{display:flex;flex-wrap:wrap;gap:.2rem 1rem;list-style:none;margin:.2rem 0;padding:0;font-size:.84rem}
rect.right{fill:var(--right)}rect.inaccurate{fill:var(--inaccurate)}rect.wrong{fill:var(--wrong)}
rect.nonfinite{fill:var(--nonfinite)}rect.unsupported{fill:var(--unsupported)}rect.crashed{fill:var(--crashed)}
rect.unjudged{fill:none;stroke:var(--line);stroke-width:.7}
svg text.cell{font-size:9px;text-anchor:middle;fill:var(--cell)}
.key svg{vertical-align:-2px}.key{display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;font-size:.84rem;padding:0;list-style:none}
tr[hidden]{display:none}
@media (max-width:40rem){body{font-size:15px}th,td{padding:.28rem .42rem}.matrix tbody th{max-width:9.5rem}
.facts{grid-template-columns:1fr}.facts dd{margin-bottom:.35rem}}
@media print{:root{--page:#fff;--text:#000}body{max-width:none;font-size:10pt;padding:0}.controls,.skip{display:none}
.scroll{overflow:visible;max-height:none;border:0}thead th,.matrix tbody th{position:static}table{font-size:7.5pt}
th,td{padding:.12rem .25rem}.matrix td{white-space:normal}h2{break-after:avoid}details{break-inside:avoid}
th button::after{content:""}}
)css";

const char* const report_script = R"js(
"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const value = (row, i) => row.cells[i].dataset.sort ?? row.cells[i].textContent.trim();
  heads.forEach((head, i) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...body.rows];
      rows.sort((a, b) => value(a, i).localeCompare(value(b, i), "en", {numeric: true}));
      body.append(...(down ? rows.reverse() : rows));
    });
  });
}
for (const controls of document.querySelectorAll(".controls")) {
  const table = document.getElementById(controls.dataset.table);
  const text = controls.querySelector("input[type=search]");
  const failing = controls.querySelector("input[type=checkbox]");
  const status = controls.querySelector("[role=status]");
  const filter = () => {
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of table.tBodies[0].rows) {
      const content = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => content.includes(word)) || (failing?.checked && !row.dataset.fails);
      shown += row.hidden ? 0 : 1;
    }
    status.textContent = shown + " of " + table.tBodies[0].rows.length + " shown";
  };
  text.addEventListener("input", filter);
  failing?.addEventListener("change", filter);
  controls.hidden = false;
  filter();
}
const openTarget = () => {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (target instanceof HTMLDetailsElement) target.open = true;
};
addEventListener("hashchange", openTarget);
addEventListener("beforeprint", () => document.querySelectorAll("details.finding").forEach((d) => { d.open = true; }));
openTarget();
)js";

}  // namespace lnverify
