import type { ComponentChildren } from 'preact';
import { capital, counted } from '../../../common/text/index.ts';
import {
  COMPARISON_NOTE,
  type Comparison,
  casesOf,
  comparisonLead,
  differenceRows,
  differenceTitles,
  labeledTexts,
  leftOutTexts,
  nameOfPair,
  type PairReport,
  pointTexts,
} from '../../../reports/comparison/index.ts';
import { type ComparedCases, sideId } from '../../../reports/index.ts';
import { AssistantLead } from './headline.tsx';
import { type MatrixData, presetsOf } from './matrix-rows.ts';
import { changesOf } from './run-report.tsx';
import { LiveMatrix, TableView } from './table.tsx';

/** How many of the cases and configurations that were left out are named. */
const MOST_NAMED = 10;

/** The result in a sentence. */
function JudgesLead({ pairs }: Pick<Comparison, 'pairs'>): ComponentChildren {
  const lead = comparisonLead({ pairs });
  return lead === null ? null : (
    <p class="lead">
      {lead.claim === '' ? null : <b>{lead.claim}</b>}
      {lead.rest}
    </p>
  );
}

/** The numbers of one pair. */
function PairView({ pair, shared }: { pair: PairReport; shared: number }) {
  const [head = '', ...columns] = differenceTitles(pair).map(capital);
  const cases = casesOf(pair);
  return (
    <>
      <h3>
        {nameOfPair(pair)} ({counted(cases, 'case')})
      </h3>
      {cases === 0 ? (
        <p>No case has been judged by both.</p>
      ) : (
        <TableView
          table={{
            title: nameOfPair(pair),
            head,
            columns: columns.map((title) => ({ title })),
            rows: differenceRows(pair).map(([name = '', ...cells]) => ({
              head: name,
              cells: cells.slice(0, columns.length).map((text) => ({ text })),
            })),
          }}
        />
      )}
      {[...labeledTexts(pair), ...pointTexts(pair, shared)].map((text) => (
        <p class="note" key={text}>
          {capital(text)}.
        </p>
      ))}
    </>
  );
}

/** The place of the pair whose second side has the highest F1; without labels, of the first pair. */
function bestPair({ pairs }: Pick<Comparison, 'pairs'>): number {
  const f1s = pairs.map(({ pair: { scores } }) => (scores.f1.second.defined ? scores.f1.second.value : -1));
  return Math.max(0, f1s.indexOf(Math.max(...f1s)));
}

/** The matrix of a comparison, with two columns per pair. @param url the address of its cases; null if they are in the file itself */
export const comparedMatrix = (
  comparison: Pick<Comparison, 'pairs'>,
  { matrix, pairs }: ComparedCases,
  url: string | null,
): MatrixData => ({
  columns: pairs.flatMap((pair, at) => [
    {
      id: sideId('before', pair.first),
      number: at + 1,
      method: 'before',
      models: pair.first,
    },
    {
      id: sideId('after', pair.second),
      number: at + 1,
      method: 'after',
      models: pair.second,
    },
  ]),
  rows: matrix.rows,
  pairs: pairs.map((_, at) => [2 * at, 2 * at + 1] as const),
  url,
  best: 2 * bestPair(comparison),
});

/** How many cases got worse and better, as buttons that show them. */
const Turned = ({ data }: { data: MatrixData }) => (
  <p class="actions">
    {presetsOf(data)
      .filter(({ id }) => id === 'worse' || id === 'better')
      .map(({ id, title, has }) => {
        const n = data.rows.filter(has).length;
        return (
          <button type="button" key={id} data-show={id} disabled={n === 0}>
            {n === 0 ? 'No case' : counted(n, 'case')} {title}
          </button>
        );
      })}
  </p>
);

interface ComparisonProps {
  comparison: Comparison;
  cases: ComparedCases;
  url: string | null;
  note?: string | null;
}

/** A comparison of two runs or two configurations: the result in a sentence, the cases that changed, then all numbers. */
export function ComparisonReport({ comparison, cases, url, note = null }: ComparisonProps) {
  const { first, second, assistant, pairs, changes, notes } = comparison;
  const data = comparedMatrix(comparison, cases, url);
  const leftOut = leftOutTexts(comparison, MOST_NAMED);
  const remarks = [
    ...changes.map((change) => `Changed: ${change}.`),
    ...notes,
    ...(leftOut.length === 0 ? [] : [`Left out: ${leftOut.join('; ')}.`]),
  ];
  const broken = assistant === null ? null : changesOf(assistant);
  return (
    <div class="report">
      <h1>{first === second ? `${second}: two configurations` : `${second} against ${first}`}</h1>
      {assistant === null ? <JudgesLead pairs={pairs} /> : <AssistantLead report={assistant} />}
      {remarks.length === 0 ? null : <p class="note">{remarks.join(' ')}</p>}
      {broken === null ? null : (
        <section aria-labelledby="changes">
          <h2 id="changes">What changed</h2>
          {broken}
        </section>
      )}
      <section aria-labelledby="cases">
        <h2 id="cases">Cases</h2>
        <Turned data={data} />
        <LiveMatrix data={data} />
        {note === null ? null : <p class="note">{note}</p>}
      </section>
      {pairs.length === 0 ? null : (
        <section aria-labelledby="numbers">
          <h2 id="numbers">{assistant === null ? 'Numbers' : 'The judges'}</h2>
          {assistant === null ? null : (
            <p class="note">
              On the {counted(comparison.cases.shared, 'case')} whose answer is the same in both runs.
            </p>
          )}
          {pairs.map(({ pair }) => (
            <PairView key={nameOfPair(pair)} pair={pair} shared={comparison.cases.shared} />
          ))}
          <p class="note">{COMPARISON_NOTE}</p>
        </section>
      )}
    </div>
  );
}
