import { STATUSES } from '../model/status.js';

/** Light and dark colours; text has a contrast of 4.5 or more in both. */
const COLOURS = `
:root{color-scheme:light dark;
--ground:#fbfbfa;--card:#fff;--ink:#1d2327;--quiet:#5a646b;--line:#dfe3e6;--soft:#f1f3f4;--link:#0b5cad;
--good:#14703b;--good-soft:#e4f3e9;--bad:#b3261e;--bad-soft:#fbe9e7;--doubt:#7a4a00;--doubt-soft:#fdf0d5;
--mute:#566069;--mute-soft:#eceff1;
--f-succeeded:#2e9e5b;--f-accepted:#7cc49a;--f-rejected:#d0453b;--f-failed:#e58a82;--f-unknown:#e0a030;
--f-invalid:#b065c0;--f-skipped:#b4bcc2;--f-not_sent:#d5dadd;--f-valid:#5b9bd5;
--chart:#4a7fb5;--chart-other:#d0453b;--p50:#1f5f9e;--p90:#7a4fb0;--p99:#c05a1c}
@media screen and (prefers-color-scheme:dark){:root{
--ground:#15191c;--card:#1d2226;--ink:#e4e8ea;--quiet:#a3adb4;--line:#343b41;--soft:#262c31;--link:#7fb8f0;
--good:#7ed3a0;--good-soft:#173524;--bad:#f5a29b;--bad-soft:#42201d;--doubt:#f0c77a;--doubt-soft:#3b2c10;
--mute:#b3bcc3;--mute-soft:#2b3237;
--f-succeeded:#3fae6c;--f-accepted:#2a7549;--f-rejected:#e0635a;--f-failed:#a8453e;--f-unknown:#d69a34;
--f-invalid:#b878c6;--f-skipped:#59636a;--f-not_sent:#41494f;--f-valid:#4f8cc4;
--chart:#5f97cf;--chart-other:#e0635a;--p50:#7fb8f0;--p90:#c1a1ec;--p99:#f0a06a}}
`;

const PAGE = `
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--ink);
font:1rem/1.55 system-ui,-apple-system,"Segoe UI","Noto Sans","PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif;
overflow-wrap:anywhere}
main{max-width:64rem;margin:0 auto;padding:1.5rem 1rem 3rem}
h1{font-size:1.75rem;line-height:1.25;margin:.1rem 0 .4rem}
h2{font-size:1.2rem;line-height:1.3;margin:0 0 .9rem}
h3{font-size:1rem;margin:1.4rem 0 .5rem}
p{margin:.5rem 0}
a{color:var(--link)}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.quiet{color:var(--quiet)}
.eyebrow{color:var(--quiet);margin:0}
.lead{font-size:1.05rem}
.id,.path,td.order,td.code,pre{font-family:ui-monospace,"SF Mono","Cascadia Mono",Consolas,"DejaVu Sans Mono",monospace;font-size:.9em}
.sandbox{display:inline-block;padding:0 .5em;border-radius:.3rem;background:var(--doubt-soft);color:var(--doubt);
font-size:.85em;letter-spacing:.06em}
.state{font-weight:600}
.state-completed{color:var(--good)}.state-invalid,.state-stopped,.state-interrupted,.state-cut_off,.state-going{color:var(--doubt)}
section{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:1.25rem;margin:1rem 0}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.1rem;list-style:none;margin:1rem 0;padding:0}
table{width:100%;border-collapse:collapse}
th,td{text-align:left;vertical-align:top;padding:.4rem .75rem .4rem 0;border-bottom:1px solid var(--line);font-weight:400}
th:last-child,td:last-child{padding-right:0}
thead th{color:var(--quiet);font-size:.875rem;white-space:nowrap}
tfoot th,tfoot td{font-weight:600;border-bottom:0}
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.figures .wide{width:100%}
:is(.figures,.problems) td.code{min-width:4.5rem}
.figures .n,.problems .n{padding-right:1.25rem}
.figures .n:last-child{padding-right:0}
.label{display:inline-block;padding:0 .5em;border-radius:.3rem;white-space:nowrap;font-size:.9em;line-height:1.6;
background:var(--mute-soft);color:var(--mute)}
.s-succeeded,.s-accepted,.s-valid{background:var(--good-soft);color:var(--good)}
.s-rejected,.s-failed,.s-invalid{background:var(--bad-soft);color:var(--bad)}
.s-unknown{background:var(--doubt-soft);color:var(--doubt)}
.bar{display:block;width:100%;height:1.1rem;border-radius:.3rem;margin-bottom:1rem}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr));gap:.6rem 2rem;margin:0}
.facts dt{color:var(--quiet);font-size:.875rem}.facts dd{margin:0}
.steps{margin:0;padding-left:1.4rem}.steps li{margin:.75rem 0}.steps p{margin:.25rem 0}
pre{margin:.35rem 0;padding:.5rem .7rem;background:var(--soft);border-radius:.35rem;white-space:pre-wrap}
.notice{padding:.5rem .75rem;background:var(--doubt-soft);color:var(--doubt);border-radius:.35rem}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(10rem,1fr));gap:.75rem;margin:0 0 .5rem}
.tiles dt{color:var(--quiet);font-size:.875rem}.tiles dd{margin:0;font-size:1.35rem;font-variant-numeric:tabular-nums}
.search{display:flex;flex-wrap:wrap;gap:.6rem 1rem;align-items:end;margin:.75rem 0}
.search[hidden]{display:none}
.search label{display:flex;flex-direction:column;gap:.15rem;color:var(--quiet);font-size:.875rem}
.search label:first-child{flex:1 1 15rem}
.search p{margin:0;flex:1 1 100%}
input,select,button{font:inherit;color:var(--ink);background:var(--card);border:1px solid var(--quiet);border-radius:.35rem;
padding:.35rem .6rem;min-width:0;min-height:2.5rem}
input::placeholder{color:var(--quiet);opacity:1}
.problems .message{width:65%}
tr[hidden]{display:none!important}
footer{color:var(--quiet);font-size:.875rem;margin-top:1.5rem}
.scroll{overflow-x:auto}
details{margin-top:1rem}
summary{cursor:pointer;color:var(--link)}
`;

const CHARTS = `
.chart{margin:1.5rem 0 0}
figcaption{font-weight:600}
.legend{display:flex;flex-wrap:wrap;gap:.1rem 1.1rem;list-style:none;margin:.2rem 0;padding:0;color:var(--quiet);font-size:.875rem}
.key{display:inline-block;width:1.1rem;height:.7rem;margin-right:.4rem;border-radius:.15rem}
.k-p50,.k-p90,.k-p99{height:0;vertical-align:.25rem;border-radius:0}
.k-p50{border-top:.15rem solid var(--p50)}.k-p90{border-top:.15rem dashed var(--p90)}.k-p99{border-top:.15rem dotted var(--p99)}
.k-answered{background:var(--chart)}.k-others{background:var(--chart-other)}
.plot{display:grid;grid-template-columns:auto 1fr;gap:.2rem .5rem;margin-top:.6rem;font-size:.8rem;color:var(--quiet)}
.plot svg{display:block;width:100%;height:9rem;overflow:visible}
.y{min-width:3.6rem;display:flex;flex-direction:column;justify-content:space-between;text-align:right;line-height:1;margin:-.4rem 0;
font-variant-numeric:tabular-nums}
.x{grid-column:2;display:flex;justify-content:space-between;font-variant-numeric:tabular-nums}
.grid,.line,.pause{fill:none;vector-effect:non-scaling-stroke}
.grid{stroke:var(--line);stroke-width:1}
.pause{stroke:var(--quiet);stroke-width:1;stroke-dasharray:4 3}
.line{stroke-width:2;stroke-linejoin:round;stroke-linecap:round}
.l-p50{stroke:var(--p50)}.l-p90{stroke:var(--p90);stroke-dasharray:6 4}.l-p99{stroke:var(--p99);stroke-dasharray:1 4}
.hit{fill:transparent}.hit:hover{fill:var(--quiet);fill-opacity:.15}
.f-answered{fill:var(--chart)}.f-others{fill:var(--chart-other)}
`;

/** On phones, rows that need attention are cards, and long cells of other tables have their own line. */
const NARROW = `
@media screen and (max-width:40rem){
main{padding:1rem .75rem 2rem}
section{padding:1rem .85rem}
h1{font-size:1.4rem}
.problems,.problems tbody{display:block}
.problems thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.problems tr{display:flex;flex-wrap:wrap;gap:.15rem .75rem;align-items:baseline;padding:.7rem 0;border-bottom:1px solid var(--line)}
.problems tr>*{border:0;padding:0;text-align:left}
.problems th.n::before{content:var(--row);color:var(--quiet)}
.problems td.message{flex:1 1 100%;width:auto}
.problems td.order{flex:1 1 100%}
.problems td:empty,.problems td:has(>bdi:empty){display:none}
.figures:not(.scroll .figures){display:block}
.figures:not(.scroll .figures) :is(thead,tbody,tfoot){display:block}
.figures:not(.scroll .figures) tr{display:flex;flex-wrap:wrap;gap:0 .9rem;align-items:baseline;padding:.35rem 0;
border-bottom:1px solid var(--line)}
.figures:not(.scroll .figures) :is(th,td){border:0;padding:0;white-space:normal}
.figures:not(.scroll .figures) .wide{flex:1 1 100%;width:auto}
.figures:not(.scroll .figures) tfoot tr{border:0}
.figures:not(.scroll .figures) thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.figures:not(.scroll .figures) td[data-label]::before{content:attr(data-label) " ";color:var(--quiet)}
.figures:not(.scroll .figures) td:empty{display:none}
}
`;

const PRINTED = `
@media print{
@page{margin:14mm}
body{background:#fff;font-size:10pt}
main{max-width:none;padding:0}
nav,.search,details:not([open]){display:none}
section{border:0;padding:0;margin:1.2rem 0;border-radius:0}
h2{border-bottom:1px solid var(--line);padding-bottom:.2rem}
h2,h3,figcaption{break-after:avoid}
tr,figure,.steps li,.facts>div{break-inside:avoid}
.problems{font-size:9pt}.problems :is(th,td){padding-top:.15rem;padding-bottom:.15rem}
thead{display:table-header-group}tfoot{display:table-row-group}
.bar,.label,.plot,.key,.sandbox,.notice,pre{print-color-adjust:exact;-webkit-print-color-adjust:exact}
}
`;

/** The page's style. @param row the word for a row, shown before the row number if the header is hidden */
export function styleOf(row: string): string {
  const fills = STATUSES.map((it) => `.f-${it}{fill:var(--f-${it})}`).join('');
  return `${COLOURS}:root{--row:${cssText(`${row} `)}}${PAGE}${fills}${CHARTS}${NARROW}${PRINTED}`;
}

/** A CSS string literal. All characters except ASCII letters are escaped, so that no text can end it. */
function cssText(text: string): string {
  const inside = Array.from(text, (char) =>
    /[A-Za-z]/.test(char) ? char : `\\${(char.codePointAt(0) ?? 0).toString(16).padStart(6, '0')}`,
  );
  return `"${inside.join('')}"`;
}

/**
 * Search and filter of the rows that need attention. It only hides existing rows: it creates no HTML, and sends and
 * stores nothing.
 */
export const SCRIPT = `
'use strict';
(function () {
  var box = document.getElementById('search');
  var table = document.getElementById('problem-rows');
  if (!box || !table) return;
  var text = document.getElementById('search-text');
  var status = document.getElementById('search-status');
  var shown = document.getElementById('search-shown');
  var rows = Array.prototype.slice.call(table.tBodies[0].rows);
  var contents;
  var timer;
  function apply() {
    if (!contents) {
      contents = rows.map(function (row) {
        return Array.prototype.map.call(row.cells, function (cell) { return cell.textContent; })
          .join('\\n').toLowerCase();
      });
    }
    var words = text.value.toLowerCase().split(/\\s+/).filter(Boolean);
    var chosen = status.value;
    var left = 0;
    rows.forEach(function (row, index) {
      var fits = (chosen === '' || row.getAttribute('data-status') === chosen) &&
        words.every(function (word) { return contents[index].indexOf(word) >= 0; });
      row.hidden = !fits;
      if (fits) left += 1;
    });
    showCount(left);
  }
  function showCount(left) {
    shown.textContent = shown.getAttribute('data-text')
      .replace('{shown}', String(left)).replace('{all}', String(rows.length));
  }
  text.addEventListener('input', function () {
    clearTimeout(timer);
    timer = setTimeout(apply, 120);
  });
  status.addEventListener('change', apply);
  document.getElementById('search-clear').addEventListener('click', function () {
    text.value = '';
    status.value = '';
    apply();
    text.focus();
  });
  box.hidden = false;
  showCount(rows.length);
})();
`;
