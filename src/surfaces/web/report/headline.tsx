import type { ComponentChildren } from 'preact';
import { counted } from '../../../common/text/index.ts';
import { type AssistantReport, changeSections, closingLines } from '../../../reports/assistant/index.ts';
import {
  type Estimate,
  fixed,
  percent,
  type ReportMeasure,
  rangeText,
} from '../../../reports/estimates/index.ts';
import { isRanked, type Report } from '../../../reports/index.ts';
import { highestF1, isLabeled, numberOf, type SetupReport } from '../../../reports/metrics/index.ts';
import { setupName } from './table.tsx';

/** Joins parts of a sentence, like `Array.join`. */
export const joinedBy = (parts: readonly ComponentChildren[], joint: string): ComponentChildren[] =>
  parts.flatMap((part, at) => (at > 0 ? [joint, part] : [part]));

const f1Of = ({ effectiveness }: SetupReport): number =>
  effectiveness.f1.measure.defined ? effectiveness.f1.measure.value : -1;

/** How many setups the first sentence gives values for. */
const LEAD_VALUES = 3;

/** The values of the first setups, in a sentence; null if none has a value. */
function leadValues(
  { setups }: Report,
  what: string,
  of: (setup: SetupReport) => { estimate: Estimate; coverage: ReportMeasure; n: number } | null,
): ComponentChildren {
  const measured = setups.flatMap((setup) => {
    const value = of(setup);
    return value?.estimate.measure.defined === true ? [{ name: setupName(setups, setup.id), ...value }] : [];
  });
  if (measured.length === 0) return null;
  const more = measured.length - LEAD_VALUES;
  const values = measured.slice(0, LEAD_VALUES).map(({ name, estimate, coverage, n }) => (
    <>
      <b>{fixed(estimate.measure, 2)}</b> (95 % interval {rangeText(estimate.interval, 2)}) by {name}, which
      decided {percent(coverage)} of {counted(n, 'trial')}
    </>
  ));
  return (
    <p class="lead">
      {what}: {joinedBy(values, '; ')}
      {more > 0 ? `; ${counted(more, 'other configuration')} below` : ''}.
    </p>
  );
}

const leadScores = (report: Report): ComponentChildren =>
  leadValues(report, 'Scores, not decisions. Mean score', ({ scores, trials }) =>
    scores === null
      ? null
      : {
          estimate: scores.mean,
          n: trials,
          coverage: { defined: trials > 0, n: trials, value: scores.n / trials, why: 'no trials' },
        },
  );

const leadPasses = (report: Report): ComponentChildren =>
  leadValues(report, 'Share of passes', ({ decisions }) =>
    decisions === null
      ? null
      : { estimate: decisions.passRate, coverage: decisions.coverage, n: decisions.n },
  );

const leadFront = ({ setups, pareto: { criteria } }: Report): ComponentChildren =>
  criteria === null || criteria.front.length === 0 ? null : (
    <p class="lead">
      On the Pareto front of {criteria.criteria.join(' and ')} together:{' '}
      {joinedBy(
        criteria.front.map((id) => <b key={id}>{setupName(setups, id)}</b>),
        '; ',
      )}
      .
    </p>
  );

function leadF1({ setups, pareto }: Report): ComponentChildren {
  const best = highestF1(setups);
  if (best === null) return <p class="lead">No configuration has an F1.</p>;
  const { f1, decided, coverage, n } = best.effectiveness;
  const { measure, interval } = f1;
  const alike = setups.filter((one) => one.id !== best.id && interval.defined && f1Of(one) >= interval.low);
  const numbers = (ids: readonly string[]): string => ids.map((id) => numberOf(setups, id)).join(', ');
  return (
    <p class="lead">
      Highest F1: <b>{fixed(measure)}</b> (95 % interval {rangeText(interval)}) by{' '}
      <b>{setupName(setups, best.id)}</b>, which decided {percent(coverage)} of {counted(n, 'trial')}
      {n === decided.f1.measure.n ? '' : ` (F1 of those: ${fixed(decided.f1.measure)})`}.
      {alike.length === 0 ? '' : ` Also within that interval: ${numbers(alike.map(({ id }) => id))}.`}
      {pareto.all.front.length === 0
        ? ''
        : setups.length > 1 && pareto.all.front.length === setups.length
          ? ' None is beaten beyond chance in F1 at no more cost and time: all are on the Pareto front.'
          : ` On the Pareto front of F1, cost and time: ${numbers(pareto.all.front)}.`}
    </p>
  );
}

/** How good the assistant is, at the top of a page. */
export const AssistantLead = ({ report }: { report: AssistantReport }) => (
  <>
    {changeSections(report).map(({ headline, basis }) => (
      <>
        <p class="lead">
          <b>{headline}</b>
        </p>
        <p class="note">
          <bdi>{basis}</bdi>
        </p>
      </>
    ))}
    {closingLines(report).map((line) => (
      <p class="note" key={line}>
        <bdi>{line}</bdi>
      </p>
    ))}
  </>
);

/** The result in a sentence: for the assistant, then for the judges if there are labels to measure them by. */
export function Lead({ report }: { report: Report }): ComponentChildren {
  const { assistant } = report;
  if (!isRanked(report))
    return <p class="lead">The runs have different cases, so none of them is ranked above another.</p>;
  const lead = isLabeled(report)
    ? leadF1(report)
    : (leadScores(report) ?? leadFront(report) ?? leadPasses(report));
  return assistant === null ? (
    (lead ?? <p class="lead">No trial got a decision.</p>)
  ) : (
    <>
      <AssistantLead report={assistant} />
      {isLabeled(report) ? lead : leadFront(report)}
    </>
  );
}
