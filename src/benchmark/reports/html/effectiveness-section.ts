import { counted, fixed, grouped, percent, rangeText } from '../format.ts';
import { type PublishedTwin, publishedTwin } from '../published-twin.ts';
import type { Estimate, Report, SetupReport } from '../report.ts';
import { type Html, html } from './html.ts';
import type { Labels } from './labels.ts';
import { cell, dataTable } from './table.ts';

const heads = ['Configuration', 'Precision', 'Recall', 'F1', 'Accuracy', 'Balanced acc.', 'MCC', 'Decided'];

const estimated = ({ measure, interval }: Estimate): Html =>
  measure.defined
    ? cell(fixed(measure), rangeText(interval))
    : html`<td class="none">${'–'}<small>${measure.why}</small></td>`;

const publishedCell = (twin: PublishedTwin | null): Html => {
  if (twin === null) return html`<td class="none">·</td>`;
  const [p, r, f] = [twin.precision, twin.recall, twin.f1].map((value) => value?.toFixed(3) ?? '–');
  return cell(`${f}${twin.doubtful ? ' †' : ''}`, `${p} / ${r}`);
};

const decided = ({ effectiveness: { n, undecided, unscored, coverage } }: SetupReport): Html => {
  const missing = [
    ...(undecided > 0 ? [`${grouped(undecided)} undecided`] : []),
    ...(unscored > 0 ? [`${grouped(unscored)} unscored`] : []),
  ];
  return cell(percent(coverage), [`of ${grouped(n)}`, ...missing].join(', '));
};

/** Precision, recall and the rest of every setup, as table B.5 of Habicht et al., with intervals and what is left out. */
export function effectivenessSection({ setups }: Report, labels: Labels, published: boolean): Html {
  const twins = new Map(setups.map((setup) => [setup.id, published ? publishedTwin(setup) : null]));
  const withTwins = [...twins.values()].some((twin) => twin !== null);
  const rows = setups.map((setup) => {
    const { precision, recall, f1, accuracy, balancedAccuracy, mcc } = setup.effectiveness;
    const cells = [precision, recall, f1, accuracy, balancedAccuracy, mcc].map(estimated);
    const twin = withTwins ? publishedCell(twins.get(setup.id) ?? null) : null;
    return html`${labels.head(setup)}${cells}${decided(setup)}${twin}`;
  });
  return html`${dataTable('Precision, recall and other scores', withTwins ? [...heads, 'Published F1'] : heads, rows)}${notes(setups)}${
    withTwins
      ? html`<p class="note">Published: Habicht et al., table B.5, on its own cases; below it precision and recall. † The paper contradicts itself here: <code>jury bench published contextual-b5</code>.</p>`
      : published
        ? html`<p class="note">Habicht et al. print nothing for these methods with these models.</p>`
        : null
  }`;
}

/** Why an interval is missing where the score is there. */
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
