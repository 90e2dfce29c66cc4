import { fixed, grouped, NONE, percent, pText, rangeText, shown, signed, signedRange } from '../format.ts';
import type { Estimate, PairReport, Report, SetupReport } from '../report.ts';
import { type Html, html } from './html.ts';
import type { Labels } from './labels.ts';
import { cell, dataTable } from './table.ts';

/** Whether a debate gains anything over as many calls spent on a plain vote. */
export function equalCallsSection({ equalCalls }: Report, labels: Labels): Html | null {
  if (equalCalls.length === 0) return null;
  const rows = equalCalls.map((pair) => {
    const { first, second, difference, interval } = pair.scores.f1;
    return html`<th scope="row">${labels.text(pair.first)}</th>${cell(fixed(first))}${cell(fixed(second))}${cell(signed(difference), signedRange(interval))}${cell(signed(pair.scores.accuracy.difference), signedRange(pair.scores.accuracy.interval))}${cell(`${grouped(pair.onlyFirst)} / ${grouped(pair.onlySecond)}`, `p ${pText(pair.pValue)}`)}${cell(`${gapsText(pair, 'first')} / ${gapsText(pair, 'second')}`, `of ${grouped(pair.gaps.first.n)} / ${grouped(pair.gaps.second.n)}`)}${cell(`${callsText(pair, 'first')} / ${callsText(pair, 'second')}`)}`;
  });
  return html`${dataTable('Debates beside votes of equal calls', ['Debate', 'F1 debate', 'F1 vote', 'Vote less debate', 'Accuracy', 'Only debate / vote right', 'No decision', 'Calls'], rows)}<p class="note">The vote samples the same panel once, case by case with as many calls as the debate took. Intervals: 95 %, paired bootstrap by case; p: McNemar's exact test, in which a case without a decision is not right. An interval that holds 0 means that the debate may gain nothing over the vote.</p>`;
}

const gapsText = ({ gaps }: PairReport, side: 'first' | 'second'): string =>
  grouped(gaps[side].undecided + gaps[side].unscored);

const callsText = ({ calls }: PairReport, side: 'first' | 'second'): string =>
  shown(calls[side], (n) => n.toFixed(1));

const binText = ({ bins }: NonNullable<SetupReport['calibration']>): Html =>
  html`${bins
    .filter(({ n }) => n > 0)
    .map(
      ({ from, to, n, accuracy }, index) =>
        html`${index > 0 ? html`<br>` : null}${from.toFixed(1)}–${to.toFixed(1)}: ${fixed(accuracy, 2)} (${grouped(n)})`,
    )}`;

const agreementCell = (estimate: Estimate | null): Html =>
  estimate === null
    ? html`<td class="none">·</td>`
    : estimate.measure.defined
      ? cell(fixed(estimate.measure), `${rangeText(estimate.interval)}, of ${grouped(estimate.measure.n)}`)
      : html`<td class="none">${NONE}<small>${estimate.measure.why}</small></td>`;

const agreementTable = (setups: readonly SetupReport[], labels: Labels): Html =>
  html`<h3>Agreement</h3>${dataTable(
    'Agreement',
    ['Configuration', 'Decisions and labels: kappa', 'Judges of a panel: alpha'],
    setups.map(
      (setup) =>
        html`${labels.head(setup)}${agreementCell(setup.agreement.labels)}${agreementCell(setup.agreement.judges)}`,
    ),
  )}<p class="note">Beyond chance: 1 is full agreement, 0 what chance gives. Cohen's kappa over the trials that got a decision; Krippendorff's alpha (nominal) over the trials in which at least two judges answered, in the first round, before they saw each other's answers. Small numbers: 95 %, bootstrap by case, and how many trials.</p>`;

/** How far judges agree with labels and each other, how steady the decisions are over repeats, and how far stated confidence holds. */
export function reliabilitySection({ setups }: Report, labels: Labels): Html | null {
  const repeated = setups.filter(({ flips }) => flips !== null);
  const confident = setups.filter(({ calibration }) => calibration !== null);
  const agreeing = setups.filter(
    ({ agreement: { labels: kappa, judges } }) => judges !== null || kappa.measure.n > 0,
  );
  if (agreeing.length + repeated.length + confident.length === 0) return null;
  return html`${agreeing.length === 0 ? null : agreementTable(agreeing, labels)}${
    repeated.length === 0
      ? null
      : html`<h3>Flips over repeats</h3>${dataTable(
          'Flips over repeats',
          ['Configuration', 'Repeats', 'Cases that flip', 'Pairs that differ'],
          repeated.map(
            (setup) =>
              html`${labels.head(setup)}${cell(String(setup.repeats))}${cell(setup.flips === null ? NONE : percent(setup.flips.anyFlip), setup.flips === null ? undefined : `of ${grouped(setup.flips.anyFlip.n)}`)}${cell(setup.flips === null ? NONE : percent(setup.flips.pairwise))}`,
          ),
        )}`
  }${
    confident.length === 0
      ? null
      : html`<h3>Calibration</h3>${dataTable(
          'Calibration',
          ['Configuration', 'Brier', 'ECE, 10 bins', 'Confidence: share right (n)'],
          confident.map(({ calibration, ...setup }) =>
            calibration === null
              ? html``
              : html`${labels.head({ calibration, ...setup })}${cell(fixed(calibration.brier))}${cell(fixed(calibration.ece), calibration.missing > 0 ? `${grouped(calibration.missing)} without` : undefined)}<td class="bins">${binText(calibration)}</td>`,
          ),
        )}<p class="note">The verdict's confidence (the share of the weight behind it), or that of the only judge. Brier and ECE (expected calibration error): 0 is best.</p>`
  }`;
}
