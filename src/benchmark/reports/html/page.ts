import { createHash } from 'node:crypto';
import { counted, grouped, minuteText } from '../../../common/text.ts';
import { rubricTexts } from '../../run.ts';
import { fixed, percent, rangeText } from '../format.ts';
import type { Estimate } from '../measures.ts';
import type { Report, SetupReport } from '../report.ts';
import { reportSections } from '../report-sections.ts';
import { isLabeled, isRanked, numberOf, type ReportTable } from '../tables.ts';
import { assistantLead, assistantSection } from './assistant.ts';
import { type Html, html, raw } from './html.ts';
import { mistakesSection } from './mistakes.ts';
import pageStyle from './page-style.json' with { type: 'json' };
import { setupName, tableHtml } from './table.ts';
import { criteriaChart, tradeOffCharts } from './trade-off.ts';

const variables = (colors: Readonly<Record<string, string>>): string =>
  Object.entries(colors)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');

const { light, dark, print } = pageStyle.colors;

/** Shades go from pale to deep in one hue, so that they can be told apart without color; in dark mode the other way round. */
const style = [
  `:root{color-scheme:light dark;${variables(light)}}`,
  `@media (prefers-color-scheme:dark){:root{${variables(dark)}}}`,
  ...pageStyle.rules,
  `@media print{:root{color-scheme:light;${variables({ ...light, ...print })}}}`,
].join('\n');

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

/** Sections with tables of one kind, each under its own heading. */
const SEVERAL_TABLES = new Set(['reliability', 'group-criteria', 'correlation-matrices']);

/** Number of setups whose values are named before the tables. */
const LEAD_VALUES = 3;

/** What the first setups came to; null if none came to anything. */
function leadValues(
  { setups }: Report,
  what: string,
  of: (setup: SetupReport) => Estimate | null | undefined,
): Html | null {
  const known = setups.flatMap((setup) => {
    const estimate = of(setup);
    return estimate?.measure.defined === true ? [{ name: setupName(setups, setup.id), ...estimate }] : [];
  });
  if (known.length === 0) return null;
  const more = known.length - LEAD_VALUES;
  return html`<p class="lead">${what}: ${known
    .slice(0, LEAD_VALUES)
    .map(
      ({ name, measure, interval }, index) =>
        html`${index > 0 ? '; ' : ''}<b>${fixed(measure, 2)}</b> (95 % interval ${rangeText(interval, 2)}) by ${name}`,
    )}${more > 0 ? `; ${counted(more, 'other configuration')} below` : ''}.</p>`;
}

const leadScores = (report: Report): Html | null =>
  leadValues(report, 'Scores, not decisions. Mean score', ({ scores }) => scores?.mean);

const leadPasses = (report: Report): Html | null =>
  leadValues(report, 'Share of passes', ({ decisions }) => decisions?.passRate);

const leadFront = ({ setups, pareto: { criteria } }: Report): Html | null =>
  criteria === null || criteria.front.length === 0
    ? null
    : html`<p class="lead">On the Pareto front of ${criteria.criteria.join(' and ')} together: ${criteria.front.map((id, index) => html`${index > 0 ? '; ' : ''}<b>${setupName(setups, id)}</b>`)}.</p>`;

function leadF1({ setups, pareto }: Report): Html {
  const [best] = [...setups].sort((a, b) => f1Of(b) - f1Of(a));
  if (best === undefined || f1Of(best) < 0) return html`<p class="lead">No configuration has an F1.</p>`;
  const { f1, decided, coverage, n } = best.effectiveness;
  const { measure, interval } = f1;
  const covered = html`, which decided ${percent(coverage)} of ${counted(n, 'trial')}${n === decided.f1.measure.n ? null : html` (F1 of those: ${fixed(decided.f1.measure)})`}`;
  const alike = setups.filter((one) => one.id !== best.id && interval.defined && f1Of(one) >= interval.low);
  const numbers = (ids: readonly string[]): string => ids.map((id) => numberOf(setups, id)).join(', ');
  const within = ` Also within that interval: ${numbers(alike.map(({ id }) => id))}.`;
  const front = ` On the Pareto front of F1, cost and time: ${numbers(pareto.all.front)}.`;
  return html`<p class="lead">Highest F1: <b>${fixed(measure)}</b> (95 % interval ${rangeText(interval)}) by <b>${setupName(setups, best.id)}</b>${covered}.${alike.length === 0 ? null : within}${pareto.all.front.length === 0 ? null : front}</p>`;
}

/** The result in a sentence: of the assistant, then of its judges where labels say how well they judge. */
function leadOf(report: Report): Html | null {
  const { assistant } = report;
  const lead = isLabeled(report)
    ? leadF1(report)
    : (leadScores(report) ?? leadFront(report) ?? leadPasses(report));
  if (!isRanked(report))
    return html`<p class="lead">The runs have different cases, so none of them is ranked above another.</p>`;
  return assistant === null
    ? (lead ?? html`<p class="lead">No trial got a decision.</p>`)
    : html`${assistantLead(assistant)}${isLabeled(report) ? lead : leadFront(report)}`;
}

function metaOf({ run, setups, trials, planned, notes }: Report): Html {
  const { dataset, createdAt, settings } = run;
  const facts = [
    `${counted(dataset.cases, 'case')} (${grouped(dataset.labeled)} labeled) of ${dataset.source}`,
    `rubric ${rubricTexts(run).join(', ')}`,
    counted(setups.length, 'configuration'),
    ...(settings.repeats > 1 ? [`each ${settings.repeats} times`] : []),
    `started ${minuteText(createdAt)}`,
  ];
  return html`<p class="meta"><bdi>${facts.join(' · ')}</bdi></p>${notes.map((note) => html`<p class="meta">${note}</p>`)}${
    trials < planned
      ? html`<p class="warn">Not complete: ${grouped(trials)} of ${grouped(planned)} trials. Numbers may change.</p>`
      : null
  }`;
}

/** Parts of a section, one below the other; null if there are none. Tables after the first part have a heading. */
function sectionBody(
  { setups }: Report,
  parts: readonly (Html | ReportTable | null)[],
  headings: boolean,
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
  const charts = new Map([
    ['trade-off', tradeOffCharts(report)],
    ['criteria', criteriaChart(report)],
  ]);
  return [
    {
      id: 'changes',
      title: 'What changed',
      body: report.assistant === null ? null : assistantSection(report.assistant),
    },
    ...reportSections(report, published).map(({ id, title, tables }) => ({
      id,
      title,
      body: sectionBody(report, [charts.get(id) ?? null, ...tables], SEVERAL_TABLES.has(id)),
    })),
    {
      id: 'mistakes',
      title: 'Mistakes, with the judges’ reasoning',
      body: isLabeled(report) ? mistakesSection(report) : null,
    },
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
