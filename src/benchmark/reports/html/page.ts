import { createHash } from 'node:crypto';
import { counted, fixed, grouped, rangeText } from '../format.ts';
import { hasDecisions } from '../has-decisions.ts';
import type { Report, SetupReport } from '../report.ts';
import { categoriesSection } from './categories-section.ts';
import { criteriaSection } from './criteria-section.ts';
import { effectivenessSection } from './effectiveness-section.ts';
import { heatMap, publishedHeatMap } from './heat-map.ts';
import { type Html, html, raw } from './html.ts';
import { type Labels, labelsFor } from './labels.ts';
import { mistakesSection } from './mistakes-section.ts';
import { pointsSection } from './points-section.ts';
import { equalCallsSection, reliabilitySection } from './reliability-section.ts';
import { style } from './style.ts';
import { tradeOffSection } from './trade-off-section.ts';

const styleHash = createHash('sha256').update(style).digest('base64');

/** The page loads nothing and runs nothing; its own style is allowed by its hash. */
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`;

interface Section {
  id: string;
  title: string;
  body: Html | null;
}

const f1Of = ({ effectiveness }: SetupReport): number =>
  effectiveness.f1.measure.defined ? effectiveness.f1.measure.value : -1;

/** Scores that are named before the tables. */
const IN_LEAD = 3;

/** What a reader wants to know first. */
function leadOf({ setups, pareto }: Report, labels: Labels): Html {
  const [best] = [...setups].sort((a, b) => f1Of(b) - f1Of(a));
  if (best === undefined || f1Of(best) < 0) {
    const scored = setups.flatMap(({ id, scores }) => (scores === null ? [] : [{ id, mean: scores.mean }]));
    if (scored.length > 0)
      return html`<p class="lead">Scores, not decisions. Mean score: ${scored.slice(0, IN_LEAD).map(({ id, mean }, index) => html`${index > 0 ? '; ' : ''}<b>${fixed(mean.measure, 2)}</b> (${rangeText(mean.interval, 2)}) by ${labels.text(id)}`)}${scored.length > IN_LEAD ? `; the other ${counted(scored.length - IN_LEAD, 'configuration')} below` : ''}.</p>`;
    if (pareto.criteria !== null)
      return html`<p class="lead">Beaten by nobody in ${pareto.criteria.criteria.join(' and ')} together: ${pareto.criteria.front.map((id, index) => html`${index > 0 ? '; ' : ''}<b>${labels.text(id)}</b>`)}.</p>`;
    return html`<p class="lead">No configuration has an F1: the cases have no labels, or none was decided.</p>`;
  }
  const { measure, interval } = best.effectiveness.f1;
  const alike = setups.filter((one) => one.id !== best.id && interval.defined && f1Of(one) >= interval.low);
  const front = pareto.all.front;
  return html`<p class="lead">Highest F1: <b>${fixed(measure)}</b> (95 % interval ${rangeText(interval)}) by <b>${labels.text(best.id)}</b>.${
    alike.length === 0
      ? null
      : ` Within that interval lie ${counted(alike.length, 'other')}: ${alike.map(({ id }) => labels.number(id)).join(', ')}.`
  }${
    front.length === 0
      ? null
      : ` Beaten by nobody in F1, cost and time together: ${front.map((id) => labels.number(id)).join(', ')}.`
  }</p>`;
}

function metaOf({ run, setups, trials, planned }: Report): Html {
  const { dataset, createdAt, rubrics, settings } = run;
  const facts = [
    `${counted(dataset.cases, 'case')} (${grouped(dataset.labeled)} labeled) of ${dataset.source}`,
    `rubric ${rubrics.join(', ')}`,
    counted(setups.length, 'configuration'),
    ...(settings.repeats > 1 ? [`each ${settings.repeats} times`] : []),
    `begun ${createdAt.slice(0, 16).replace('T', ' ')} UTC`,
  ];
  return html`<p class="meta"><bdi>${facts.join(' · ')}</bdi></p>${
    trials < planned
      ? html`<p class="warn">Not complete: ${grouped(trials)} of ${grouped(planned)} trials. Numbers may change.</p>`
      : null
  }`;
}

/**
 * A report as one page that needs nothing else: no network, no script. Whatever was pasted is escaped.
 *
 * @param published whether the papers' figures stand beside
 */
export function reportPage(report: Report, { published }: { published: boolean }): string {
  const labels = labelsFor(report);
  const decides = hasDecisions(report);
  const criteria = {
    id: 'criteria',
    title: 'Criterion by criterion',
    body: criteriaSection(report, labels),
  };
  const sections: Section[] = [
    {
      id: 'f1',
      title: 'F1 by method and model',
      body: decides ? html`${heatMap(report, labels)}${published ? publishedHeatMap() : null}` : null,
    },
    {
      id: 'scores',
      title: 'Precision and recall',
      body: decides ? effectivenessSection(report, labels, published) : null,
    },
    { id: 'points', title: 'Scores', body: pointsSection(report, labels) },
    ...(decides ? [] : [criteria]),
    {
      id: 'trade-off',
      title: decides ? 'Effectiveness, cost and time' : 'Cost and time',
      body: tradeOffSection(report, labels),
    },
    { id: 'errors', title: 'Accuracy by kind of error', body: categoriesSection(report, labels) },
    ...(decides ? [criteria] : []),
    { id: 'equal-calls', title: 'Debate or vote, at equal calls', body: equalCallsSection(report, labels) },
    {
      id: 'reliability',
      title: 'Agreement, steadiness and calibration',
      body: reliabilitySection(report, labels),
    },
    {
      id: 'mistakes',
      title: 'Mistakes, with the judges’ reasoning',
      body: decides ? mistakesSection(report, labels) : null,
    },
  ];
  const present = sections.filter(({ body }) => body !== null);
  const { run } = report;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="referrer" content="no-referrer"><title>${run.name}: benchmark report</title><style>${raw(style)}</style></head>
<body><header><h1>${run.name}</h1>${metaOf(report)}${leadOf(report, labels)}<nav aria-label="Sections">${present.map(({ id, title }) => html`<a href="#${id}">${title}</a>`)}</nav></header>
<main>${present.map(({ id, title, body }) => html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${body}</section>`)}</main>
<footer>Made by Jury. Dataset <code>${run.dataset.hash.slice(0, 16)}</code>; wording ${Object.entries(run.wordings).map(([use, hash], index) => html`${index > 0 ? '; ' : ''}${use} <code>${hash.replace(/^sha256:/, '').slice(0, 8)}</code>`)}.</footer></body></html>
`.markup;
}
