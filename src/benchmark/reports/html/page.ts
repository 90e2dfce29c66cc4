import { createHash } from 'node:crypto';
import { counted, grouped, minuteText } from '../../../common/text.ts';
import { fixed, rangeText } from '../format.ts';
import { agreementTable, calibrationTable, equalCallsTable, flipsTable } from '../reliability-tables.ts';
import type { Report, SetupReport } from '../report.ts';
import {
  criterionScoresTable,
  decisionsTable,
  effectivenessTable,
  effortTable,
  scoresTable,
} from '../score-tables.ts';
import { categoriesTable, criteriaTable, f1Table, publishedF1Table } from '../shaded-tables.ts';
import { isLabeled, numberOf, type ReportTable } from '../tables.ts';
import { assistantLead, assistantSection } from './assistant.ts';
import { type Html, html, raw } from './html.ts';
import { mistakesSection } from './mistakes.ts';
import { setupName, tableHtml } from './table.ts';
import { criteriaChart, tradeOffCharts } from './trade-off.ts';

/**
 * Shades go from pale to deep in one hue, so that they can be told apart without color; in dark mode the other way round.
 */
const style = `
:root{color-scheme:light dark;--bg:#fff;--panel:#f6f7f9;--ink:#1a1d23;--soft:#59616d;--line:#d9dde3;--accent:#0b57a4;--good:#1b6e53;--bad:#a03a12;
--h0:#f4f7fb;--h1:#e2ecf6;--h2:#cfe0f0;--h3:#b6d0e8;--h4:#96bbdd;--h5:#6f9fcd;--h6:#3e77ae;--h7:#24629e;--h8:#0c457d;--low:#1a1d23;--high:#fff}
@media (prefers-color-scheme:dark){:root{--bg:#14171c;--panel:#1d2128;--ink:#e8eaee;--soft:#a4acb8;--line:#363c46;--accent:#7db8f0;--good:#6fcfa9;--bad:#f2a07c;
--h0:#1b222b;--h1:#1c2c3d;--h2:#1d3751;--h3:#1e4567;--h4:#215680;--h5:#35719f;--h6:#62a0cf;--h7:#8cc0e8;--h8:#bbdcf7;--low:#f2f4f7;--high:#0d1117}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;-webkit-text-size-adjust:100%}
main,header{max-width:1180px;margin:0 auto;padding:0 20px}
header{padding-top:28px}
h1{font-size:1.7rem;line-height:1.2;margin:0 0 4px;overflow-wrap:anywhere}
h2{font-size:1.25rem;margin:40px 0 10px;padding-top:14px;border-top:1px solid var(--line)}
h3{font-size:1.02rem;margin:24px 0 6px}
p{margin:6px 0;max-width:80ch}
.lead{font-size:1.06rem;margin-top:14px}
.meta,.note{color:var(--soft);font-size:.88rem}
.warn{border-left:4px solid var(--bad);padding:6px 12px;background:var(--panel)}
nav{margin:14px 0 0;display:flex;flex-wrap:wrap;gap:4px 16px;font-size:.92rem}
a{color:var(--accent)}
code{font-family:ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;font-size:.9em;overflow-wrap:anywhere}
.scroll{overflow-x:auto;margin:8px 0;border:1px solid var(--line);border-radius:8px}
.scroll:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
table{border-collapse:separate;border-spacing:0;width:100%;font-variant-numeric:tabular-nums;font-size:.92rem}
th,td{padding:7px 12px;text-align:right;vertical-align:top;border-bottom:1px solid var(--line);white-space:nowrap}
tbody tr:last-child>*{border-bottom:0}
thead th{color:var(--soft);font-weight:600;font-size:.84rem;background:var(--panel);vertical-align:bottom;white-space:normal;overflow-wrap:break-word;min-width:6em}
th:first-child{text-align:left;position:sticky;left:0;background:var(--bg);z-index:1;font-weight:400;border-right:1px solid var(--line);white-space:normal;min-width:9.5em;max-width:19em}
thead th:first-child{background:var(--panel);font-weight:600}
td small,thead small{display:block;color:var(--soft);font-size:.78rem;font-weight:400}
td.none{color:var(--soft)}
td.none small{white-space:normal;min-width:9em}
td.bins{text-align:left;font-size:.82rem}
.no{display:inline-block;min-width:1.6em;padding:0 4px;margin-right:4px;border-radius:4px;background:var(--panel);border:1px solid var(--line);font-size:.78rem;text-align:center;font-weight:600}
.model{display:block;color:var(--soft);font-size:.82rem;overflow-wrap:anywhere;line-height:1.35}
.scroll:has(.heat){width:fit-content;max-width:100%}.heat{width:auto}.heat td{text-align:center;vertical-align:middle;border-right:1px solid var(--bg);border-bottom:1px solid var(--bg);min-width:6em}
.heat thead th{text-align:center;min-width:7.5em}.heat tbody th{vertical-align:middle}
.heat thead th:first-child{text-align:left}
.heat td small{color:inherit}
.h0{background:var(--h0);color:var(--low)}.h1{background:var(--h1);color:var(--low)}.h2{background:var(--h2);color:var(--low)}.h3{background:var(--h3);color:var(--low)}
.h4{background:var(--h4);color:var(--low)}.h5{background:var(--h5);color:var(--mid,var(--low))}.h6{background:var(--h6);color:var(--high)}.h7{background:var(--h7);color:var(--high)}.h8{background:var(--h8);color:var(--high)}
.legend{display:flex;align-items:center;gap:2px;font-size:.8rem;color:var(--soft);margin:4px 0}
.legend i{width:22px;height:11px;display:block}
.legend span{padding:0 6px}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,420px),1fr));gap:16px}
.chart{margin:8px 0;padding:10px;border:1px solid var(--line);border-radius:8px;max-width:640px}
.chart svg{display:block;width:100%;height:auto;font:12px system-ui,"Noto Sans",sans-serif}
.chart figcaption{text-align:center;font-size:.88rem;color:var(--soft)}
.grid{stroke:var(--line);stroke-width:1}.axis{fill:none;stroke:var(--soft);stroke-width:1}
.tick,.name{fill:var(--soft)}.dot{fill:var(--ink);font-weight:600}
.whisker{stroke:var(--soft);stroke-width:1.5;opacity:.45}.leader{stroke:var(--ink);stroke-width:.75}.dot{paint-order:stroke;stroke:var(--bg);stroke-width:3px;stroke-linejoin:round}
.front{fill:none;stroke:var(--accent);stroke-width:1.5;stroke-dasharray:5 3}
.best{fill:var(--accent);stroke:var(--bg);stroke-width:1}.other{fill:var(--bg);stroke:var(--ink);stroke-width:1.5}
details.setup{border:1px solid var(--line);border-radius:8px;margin:8px 0;padding:0 12px}
details.setup>summary{padding:10px 0;font-weight:600;overflow-wrap:anywhere}
.count{font-weight:400;color:var(--soft);font-size:.9rem;margin-left:6px}
summary{cursor:pointer}
summary:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
details.case{border-top:1px solid var(--line);padding:0 0 0 4px}
details.case>summary{padding:7px 0;overflow-wrap:anywhere}
details.case[open]{padding-bottom:12px}
.tag{display:inline-block;font-size:.78rem;padding:0 7px;border:1px solid var(--line);border-radius:10px;color:var(--soft);margin-left:4px}
.tag.pass,.tag.fail{color:var(--bad);border-color:currentColor}
.why{display:block;color:var(--soft);font-size:.88rem;margin-left:1.1em}
.who{font-size:.86rem;color:var(--soft);margin:10px 0 2px}
.who b{color:var(--ink)}
blockquote{margin:2px 0 6px;padding:8px 12px;background:var(--panel);border-radius:6px;white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:isolate;max-width:90ch;font-size:.94rem}
details.given{margin:4px 0}details.given summary{font-size:.86rem;color:var(--soft)}
ol.said{list-style:none;margin:0;padding:0}
footer{max-width:1180px;margin:40px auto 0;padding:14px 20px 40px;color:var(--soft);font-size:.85rem;border-top:1px solid var(--line)}
@media (max-width:600px){body{font-size:15px}main,header{padding-left:14px;padding-right:14px}th,td{padding:6px 9px}th:first-child{min-width:7.6em;max-width:9.6em}.chart{padding:6px}}
@media print{@page{margin:12mm;size:A4 landscape}body{font-size:10.5pt}nav{display:none}.scroll{overflow:visible;border-radius:0}h2{break-after:avoid}.chart,tr,blockquote{break-inside:avoid}.heat td,.legend i,.no,.best,thead th{print-color-adjust:exact;-webkit-print-color-adjust:exact}
th,td{padding:3px 5px}table{font-size:8.5pt}thead th,.heat thead th,.heat td{min-width:0;font-size:7.5pt}.heat td{font-size:8.5pt}td small,thead small,.model,.no,td.bins{font-size:7pt}td.none small{min-width:0}th:first-child{position:static}details.setup::details-content{content-visibility:visible;display:block;height:auto}details.case::details-content{content-visibility:hidden;display:none}
:root{color-scheme:light;--bg:#fff;--panel:#f6f7f9;--ink:#1a1d23;--soft:#4b525d;--line:#c9ced6;--accent:#0b57a4;--bad:#a03a12;--h0:#f4f7fb;--h1:#e2ecf6;--h2:#cfe0f0;--h3:#b6d0e8;--h4:#96bbdd;--h5:#6f9fcd;--h6:#3e77ae;--h7:#24629e;--h8:#0c457d;--low:#1a1d23;--high:#fff}}
`;

const styleHash = createHash('sha256').update(style).digest('base64');

/** The page loads and runs nothing; its style is allowed by hash. */
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`;

interface Section {
  id: string;
  title: string;
  body: Html | null;
}

const f1Of = ({ effectiveness }: SetupReport): number =>
  effectiveness.f1.measure.defined ? effectiveness.f1.measure.value : -1;

/** Number of setups whose values are named before the tables. */
const LEAD_VALUES = 3;

/** The mean scores of the first setups; null if none gives scores. */
function leadScores({ setups }: Report): Html | null {
  const known = setups.flatMap(({ id, scores }) =>
    scores?.mean.measure.defined === true ? [{ name: setupName(setups, id), ...scores.mean }] : [],
  );
  if (known.length === 0) return null;
  const more = known.length - LEAD_VALUES;
  return html`<p class="lead">Scores, not decisions. Mean score: ${known
    .slice(0, LEAD_VALUES)
    .map(
      ({ name, measure, interval }, index) =>
        html`${index > 0 ? '; ' : ''}<b>${fixed(measure, 2)}</b> (95 % interval ${rangeText(interval, 2)}) by ${name}`,
    )}${more > 0 ? `; ${counted(more, 'other configuration')} below` : ''}.</p>`;
}

const leadFront = ({ setups, pareto: { criteria } }: Report): Html | null =>
  criteria === null
    ? null
    : html`<p class="lead">On the Pareto front of ${criteria.criteria.join(' and ')} together: ${criteria.front.map((id, index) => html`${index > 0 ? '; ' : ''}<b>${setupName(setups, id)}</b>`)}.</p>`;

function leadF1({ setups, pareto }: Report): Html {
  const [best] = [...setups].sort((a, b) => f1Of(b) - f1Of(a));
  if (best === undefined || f1Of(best) < 0) return html`<p class="lead">No configuration has an F1.</p>`;
  const { measure, interval } = best.effectiveness.f1;
  const alike = setups.filter((one) => one.id !== best.id && interval.defined && f1Of(one) >= interval.low);
  const numbers = (ids: readonly string[]): string => ids.map((id) => numberOf(setups, id)).join(', ');
  const within = ` Also within that interval: ${numbers(alike.map(({ id }) => id))}.`;
  const front = ` On the Pareto front of F1, cost and time: ${numbers(pareto.all.front)}.`;
  return html`<p class="lead">Highest F1: <b>${fixed(measure)}</b> (95 % interval ${rangeText(interval)}) by <b>${setupName(setups, best.id)}</b>.${alike.length === 0 ? null : within}${pareto.all.front.length === 0 ? null : front}</p>`;
}

/** The result in a sentence: of the assistant, then of its judges where labels say how well they judge. */
function leadOf(report: Report): Html | null {
  const { assistant } = report;
  const lead = isLabeled(report) ? leadF1(report) : (leadScores(report) ?? leadFront(report));
  return assistant === null
    ? (lead ?? html`<p class="lead">No trial got a decision.</p>`)
    : html`${assistantLead(assistant)}${isLabeled(report) ? lead : leadFront(report)}`;
}

function metaOf({ run, setups, trials, planned }: Report): Html {
  const { dataset, createdAt, rubrics, settings } = run;
  const facts = [
    `${counted(dataset.cases, 'case')} (${grouped(dataset.labeled)} labeled) of ${dataset.source}`,
    `rubric ${rubrics.join(', ')}`,
    counted(setups.length, 'configuration'),
    ...(settings.repeats > 1 ? [`each ${settings.repeats} times`] : []),
    `started ${minuteText(createdAt)}`,
  ];
  return html`<p class="meta"><bdi>${facts.join(' · ')}</bdi></p>${
    trials < planned
      ? html`<p class="warn">Not complete: ${grouped(trials)} of ${grouped(planned)} trials. Numbers may change.</p>`
      : null
  }`;
}

/** Parts of a section, one below the other; null if there are none. Tables after the first part have a heading. */
function sectionBody(
  { setups }: Report,
  parts: readonly (Html | ReportTable | null)[],
  headings = false,
): Html | null {
  const present = parts.filter((part) => part !== null);
  if (present.length === 0) return null;
  return html`${present.map((part, index) =>
    'markup' in part
      ? part
      : html`${headings || index > 0 ? html`<h3>${part.title}</h3>` : null}${tableHtml(setups, part)}`,
  )}`;
}

function sectionsOf(report: Report, published: boolean): Section[] {
  const labeled = isLabeled(report);
  const section = (id: string, title: string, ...parts: readonly (Html | ReportTable | null)[]): Section => ({
    id,
    title,
    body: sectionBody(report, parts, id === 'reliability'),
  });
  const criteria = section(
    'criteria',
    'Criterion by criterion',
    criteriaChart(report),
    criteriaTable(report),
    criterionScoresTable(report),
  );
  return [
    section('changes', 'What changed', report.assistant === null ? null : assistantSection(report.assistant)),
    section('decisions', 'Pass rate', decisionsTable(report)),
    section(
      'f1',
      'F1 by method and model',
      f1Table(report),
      published && labeled ? publishedF1Table() : null,
    ),
    section('scores', 'Precision and recall', effectivenessTable(report, published)),
    section('points', 'Scores', scoresTable(report)),
    ...(labeled ? [] : [criteria]),
    section(
      'trade-off',
      labeled ? 'Effectiveness, cost and time' : 'Cost and time',
      tradeOffCharts(report),
      effortTable(report),
    ),
    section('errors', 'Accuracy by error type', categoriesTable(report)),
    ...(labeled ? [criteria] : []),
    section('equal-calls', 'Debate or vote, at equal calls', equalCallsTable(report)),
    section(
      'reliability',
      'Agreement, steadiness and calibration',
      agreementTable(report),
      flipsTable(report),
      calibrationTable(report),
    ),
    section('mistakes', 'Mistakes, with the judges’ reasoning', labeled ? mistakesSection(report) : null),
  ];
}

/**
 * A report as one self-contained page without network access or scripts. Pasted text is escaped.
 *
 * @param published whether to show the papers' figures too
 */
export function reportPage(report: Report, { published }: { published: boolean }): string {
  const present = sectionsOf(report, published).filter(({ body }) => body !== null);
  const { run } = report;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="referrer" content="no-referrer"><title>${run.name}: benchmark report</title><style>${raw(style)}</style></head>
<body><header><h1>${run.name}</h1>${metaOf(report)}${leadOf(report)}<nav aria-label="Sections">${present.map(({ id, title }) => html`<a href="#${id}">${title}</a>`)}</nav></header>
<main>${present.map(({ id, title, body }) => html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${body}</section>`)}</main>
<footer>Made by Jury. Dataset <code>${run.dataset.hash.slice(0, 16)}</code>; wording ${Object.entries(run.wordings).map(([use, hash], index) => html`${index > 0 ? '; ' : ''}${use} <code>${hash.replace(/^sha256:/, '').slice(0, 8)}</code>`)}.</footer></body></html>
`.markup;
}
