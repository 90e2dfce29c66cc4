import { counted, grouped } from '../../../common/text.ts';
import { fixed, NONE, percent, pText, rangeText, shown, signed, signedRange } from '../format.ts';
import { type PublishedResult, publishedResultOf } from '../published-results.ts';
import type { Estimate, Mistake, PairReport, Report, Scores, SetupReport, Words } from '../report.ts';
import { type Html, html } from './html.ts';
import { cell, dataTable, type Labels, noneCell } from './table.ts';

const EFFECTIVENESS_HEADS = [
  'Configuration',
  'Precision',
  'Recall',
  'F1',
  'Accuracy',
  'Balanced acc.',
  'MCC',
  'Decided',
];

const effectivenessCell = ({ measure, interval }: Estimate): Html =>
  measure.defined
    ? cell(fixed(measure), rangeText(interval))
    : html`<td class="none">${'–'}<small>${measure.why}</small></td>`;

const publishedCell = (printed: PublishedResult | null): Html => {
  if (printed === null) return html`<td class="none">·</td>`;
  const [p, r, f] = [printed.precision, printed.recall, printed.f1].map((value) => value?.toFixed(3) ?? '–');
  return cell(`${f}${printed.doubtful ? ' †' : ''}`, `${p} / ${r}`);
};

const decided = ({ effectiveness: { n, undecided, unscored, coverage } }: SetupReport): Html => {
  const missing = [
    ...(undecided > 0 ? [`${grouped(undecided)} undecided`] : []),
    ...(unscored > 0 ? [`${grouped(unscored)} unscored`] : []),
  ];
  return cell(percent(coverage), [`of ${grouped(n)}`, ...missing].join(', '));
};

/** Precision, recall and other scores of every setup, as in table B.5 of Habicht et al., with intervals. */
export function effectivenessSection({ setups }: Report, labels: Labels, published: boolean): Html {
  const printedOf = new Map(setups.map((setup) => [setup.id, published ? publishedResultOf(setup) : null]));
  const withPublished = [...printedOf.values()].some((printed) => printed !== null);
  const rows = setups.map((setup) => {
    const { precision, recall, f1, accuracy, balancedAccuracy, mcc } = setup.effectiveness;
    const cells = [precision, recall, f1, accuracy, balancedAccuracy, mcc].map(effectivenessCell);
    const printed = withPublished ? publishedCell(printedOf.get(setup.id) ?? null) : null;
    return html`${labels.head(setup)}${cells}${decided(setup)}${printed}`;
  });
  return html`${dataTable('Precision, recall and other scores', withPublished ? [...EFFECTIVENESS_HEADS, 'Published F1'] : EFFECTIVENESS_HEADS, rows)}${notes(setups)}${
    withPublished
      ? html`<p class="note">Published: Habicht et al., table B.5, on its own cases; below it precision and recall. † The paper contradicts itself here: <code>jury bench published contextual-b5</code>.</p>`
      : published
        ? html`<p class="note">Habicht et al. print nothing for these methods with these models.</p>`
        : null
  }`;
}

/** Why a score has no interval. */
const pointNote = (setups: readonly SetupReport[]): string => {
  const missing = setups.flatMap(({ effectiveness: { balancedAccuracy, mcc } }) =>
    [balancedAccuracy, mcc].filter(({ measure, interval }) => measure.defined && !interval.defined),
  );
  const [first] = missing;
  return first === undefined || first.interval.defined ? '' : ` No interval: ${first.interval.why}.`;
};

function notes(setups: readonly SetupReport[]): Html {
  const gaps = setups.filter(({ effectiveness: { coverage } }) => coverage.defined && coverage.value < 1);
  const strict = gaps.map(({ id, effectiveness: { strict } }) => ({ id, ...strict }));
  return html`<p class="note">Small numbers: 95 % intervals. Positive class: the response is right.${pointNote(setups)} ${
    gaps.length === 0
      ? 'Every trial got a decision.'
      : html`Trials without a decision are left out of the scores and counted under “Decided”. Counted as wrong decisions instead, F1 is ${strict.map(({ id, f1 }, index) => html`${index > 0 ? ', ' : ''}${fixed(f1)} (${setups.findIndex((one) => one.id === id) + 1})`)}.`
  } ${setups.some(({ unlabeled }) => unlabeled > 0) ? `${counted(Math.max(...setups.map(({ unlabeled }) => unlabeled)), 'trial')} of a configuration have no label and enter no score.` : ''}</p>`;
}

/** Whether a debate gains anything over a plain vote with as many calls. */
export function equalCallsSection({ equalCalls }: Report, labels: Labels): Html | null {
  if (equalCalls.length === 0) return null;
  const rows = equalCalls.map((pair) => {
    const { first, second, difference, interval } = pair.scores.f1;
    return html`<th scope="row">${labels.text(pair.first)}</th>${cell(fixed(first))}${cell(fixed(second))}${cell(signed(difference), signedRange(interval))}${cell(signed(pair.scores.accuracy.difference), signedRange(pair.scores.accuracy.interval))}${cell(`${grouped(pair.onlyFirst)} / ${grouped(pair.onlySecond)}`, `p ${pText(pair.pValue)}`)}${cell(`${gapsText(pair, 'first')} / ${gapsText(pair, 'second')}`, `of ${grouped(pair.gaps.first.n)} / ${grouped(pair.gaps.second.n)}`)}${cell(`${callsText(pair, 'first')} / ${callsText(pair, 'second')}`)}`;
  });
  return html`${dataTable('Debates and votes with equal calls', ['Debate', 'F1 debate', 'F1 vote', 'Vote minus debate', 'Accuracy', 'Only debate / vote right', 'No decision', 'Calls'], rows)}<p class="note">The vote samples the same panel once, case by case with as many calls as the debate took. Intervals: 95 %, paired bootstrap by case; p: McNemar's exact test, in which a case without a decision is not right. An interval that contains 0 means that the debate may gain nothing over the vote.</p>`;
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
  )}<p class="note">Agreement beyond chance: 1 is full agreement, 0 is chance. Cohen's kappa over trials with a decision; Krippendorff's alpha (nominal) over trials in which at least two judges answered in the first round, before they saw each other's answers. Small numbers: 95 % intervals, bootstrap by case, and the number of trials.</p>`;

/** Agreement with labels and between judges, flips over repeats, and calibration. */
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

const estimateCell = (estimate: Estimate | undefined, digits = 3): Html => {
  if (estimate === undefined) return noneCell();
  const { measure, interval } = estimate;
  return measure.defined ? cell(fixed(measure, digits), rangeText(interval, digits)) : noneCell(measure.why);
};

function againstCells(against: Scores['against']): Html {
  if (against === null) return html`${Array.from({ length: 5 }, () => noneCell())}`;
  const { spearman, kendall, pearson, alpha, alphaScale, meanAbsoluteError } = against;
  const alphaCell = alpha.measure.defined
    ? cell(fixed(alpha.measure), `${rangeText(alpha.interval)}, ${alphaScale}`)
    : noneCell(alpha.measure.why);
  return html`${estimateCell(meanAbsoluteError, 2)}${estimateCell(spearman)}${cell(fixed(kendall))}${cell(fixed(pearson))}${alphaCell}`;
}

const SCORE_HEADS = [
  'Configuration',
  'Mean score',
  'Scored',
  'Mean error',
  'Spearman',
  'Kendall',
  'Pearson',
  'Alpha',
];

const hasScores = (setup: SetupReport): setup is SetupReport & { scores: Scores } => setup.scores !== null;

/** Scores and their distance from labels, as in tables 8 and 9 of Chen et al. */
export function pointsSection({ setups }: Report, labels: Labels): Html | null {
  const scored = setups.filter(hasScores);
  if (scored.length === 0) return null;
  const rows = scored.map(({ scores, ...setup }) => {
    const count = cell(grouped(scores.n), `of ${grouped(setup.trials)}`);
    return html`${labels.head({ ...setup, scores })}${estimateCell(scores.mean, 2)}${count}${againstCells(scores.against)}`;
  });
  return html`${dataTable('Scores', SCORE_HEADS, rows)}<p class="note">Small numbers: 95 % intervals, bootstrap by case. Mean error, rank correlations (Spearman, Kendall’s tau-b), Pearson’s and Krippendorff’s alpha compare with the scores that labels state; alpha is ordinal where scores and labels are few whole numbers, else interval.${
    scored.some(({ scores }) => scores.against === null) ? ' · stands where no label states a score.' : ''
  }</p>`;
}

const said: Record<Mistake['outcome'], string> = {
  pass: 'judged right, is wrong',
  fail: 'judged wrong, is right',
  undecided: 'no decision',
  unscored: 'no usable answer',
};

/** Pasted text: escaped, with its own lines and text direction. */
const quoted = (text: string): Html => html`<blockquote dir="auto">${text}</blockquote>`;

const decisionMark = { pass: '✓ pass', fail: '✗ fail', scored: '• score', unscored: '? no answer' } as const;

function judgementOf({
  round,
  persona,
  model,
  sample,
  decision,
  score,
  confidence,
  reason,
  text,
}: Words['judgements'][number]): Html {
  const who = [persona ?? 'judge', model, ...(sample > 0 ? [`sample ${sample + 1}`] : [])].join(' · ');
  const extra = [
    ...(score === null ? [] : [`score ${score}`]),
    ...(confidence === null ? [] : [`confidence ${confidence.toFixed(2)}`]),
    ...(reason === null ? [] : [reason]),
  ];
  return html`<li class="${decision}"><p class="who">Round ${round + 1} · ${who}: <b>${decisionMark[decision]}</b>${extra.length === 0 ? null : ` (${extra.join(', ')})`}</p>${quoted(text)}</li>`;
}

const wordsOf = (words: Words | null): Html =>
  words === null
    ? html`<p class="note">What was said is not kept.</p>`
    : html`${words.conversation.map(({ role, text }) => html`<p class="who">${role === 'user' ? 'User' : 'System'}</p>${quoted(text)}`)}<p class="who">Response that is judged</p>${quoted(words.response)}${words.given === null ? null : html`<details class="given"><summary>What else the judges were given</summary><blockquote><code>${words.given}</code></blockquote></details>`}<ol class="said">${words.judgements.map(judgementOf)}</ol>`;

const mistakeOf = (mistake: Mistake, repeats: number): Html =>
  html`<details class="case"><summary><bdi>${mistake.caseId}</bdi>${repeats > 1 ? ` #${mistake.repeat}` : null} <span class="tag ${mistake.outcome}">${said[mistake.outcome]}</span>${mistake.errorType === null ? null : html` <span class="tag">error: <bdi>${mistake.errorType}</bdi></span>`}<span class="why"><bdi>${mistake.why}</bdi></span></summary>${wordsOf(mistake.words)}</details>`;

function setupMistakes(setup: SetupReport, own: readonly Mistake[], count: number, labels: Labels): Html {
  const { fp, fn } = setup.effectiveness.counts;
  const parts = [
    ...(fp > 0 ? [`${grouped(fp)} wrongly passed`] : []),
    ...(fn > 0 ? [`${grouped(fn)} wrongly failed`] : []),
    ...(count > fp + fn ? [`${grouped(count - fp - fn)} without a decision`] : []),
  ];
  const more = count - own.length;
  return html`<details class="setup" id="mistakes-${labels.number(setup.id)}"><summary>${labels.text(setup.id)} <span class="count">${count === 0 ? 'none' : parts.join(', ')}</span></summary>${own.map((one) => mistakeOf(one, setup.repeats))}${more > 0 ? html`<p class="note">${counted(more, 'more mistake')} of this configuration: in <code>trials.jsonl</code> beside this page.</p>` : null}</details>`;
}

/** The mistakes of each setup, with the judges' rationales. */
export const mistakesSection = ({ setups, mistakes }: Report, labels: Labels): Html =>
  html`${setups.map((setup) =>
    setupMistakes(
      setup,
      mistakes.shown.filter((one) => one.setup === setup.id),
      mistakes.counts[setup.id] ?? 0,
      labels,
    ),
  )}`;
