import { counted } from '../../common/text.ts';
import { costText } from '../../judging/card.ts';
import { timeText } from '../../judging/make-card.ts';
import type { Verdict } from '../../judging/verdict.ts';
import type { JudgeRow, MatrixCell, RoundCell, TitledMatrix } from '../verdict-matrix.ts';
import { toneMark } from '../wording.ts';

const signOf = ({ shows, tone }: MatrixCell): string => shows ?? toneMark(tone);

/** @param judge null where there is one column, whose name stands above @param id of the reason where that opens; else it stands there */
function Cell({ cell, judge, id }: { cell: MatrixCell | null; judge: string | null; id: string | null }) {
  const by = judge === null ? '' : `${judge}: `;
  if (cell === null)
    return (
      <td class="cell">
        <span aria-hidden="true">–</span>
        <span class="sr">{by}not asked</span>
      </td>
    );
  const said = (
    <>
      <span aria-hidden="true">{signOf(cell)} </span>
      <span class="who">
        {by}
        {cell.stance}
      </span>
    </>
  );
  if (cell.reason === '') return <td class="cell">{said}</td>;
  return (
    <td class="cell">
      {id === null ? (
        <span class={`sign ${cell.tone}`}>{said}</span>
      ) : (
        <button type="button" class={`sign ${cell.tone}`} aria-describedby={id}>
          {said}
        </button>
      )}
      <div class="why" id={id ?? undefined} role={id === null ? undefined : 'tooltip'}>
        <b class="of">
          {by}
          {cell.stance}
        </b>
        <div class="pre">{cell.reason}</div>
      </div>
    </td>
  );
}

/** More judges than that are below each other. */
const MOST_COLUMNS = 14;

/** Criteria by judges. A reason opens below its sign, and stands there where there is one column or no room. */
export function MatrixTable({ titled: { title, matrix }, id }: { titled: TitledMatrix; id: string }) {
  const { judges, rows } = matrix;
  const isStacked = judges.length === 1 || judges.length > MOST_COLUMNS;
  return (
    <table class={isStacked ? 'matrix stacked' : 'matrix'}>
      <caption class="sr">{title}</caption>
      <thead>
        <tr>
          <th scope="col">Criterion</th>
          {judges.map((judge) => (
            <th scope="col" key={judge}>
              {judge}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ title: criterion, cells }, row) => (
          <tr key={criterion}>
            <th scope="row">{criterion}</th>
            {cells.map((cell, column) => (
              <Cell
                key={judges[column]}
                cell={cell}
                judge={judges.length === 1 ? null : (judges[column] ?? '')}
                id={isStacked ? null : `${id}-${row}-${column}`}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const known = (tokens: number | null): string =>
  tokens === null ? 'not known' : tokens.toLocaleString('en');

/** `2 calls`, `1,624 + 180 tokens`, `$0.0008`, `3.2 s`. */
const tookOf = ({ usage, calls, latencyMs }: Pick<JudgeRow, 'usage' | 'calls' | 'latencyMs'>): string[] => [
  counted(calls, 'call'),
  `${known(usage.promptTokens)} + ${known(usage.completionTokens)} tokens`,
  usage.costUsd === null ? 'cost not known' : costText(usage.costUsd),
  timeText(latencyMs),
];

/** What a verdict took: its judges at the same time. */
export const totalText = ({ usage, calls, durationMs }: Verdict): string =>
  tookOf({ usage, calls, latencyMs: durationMs }).join(' · ');

const Took = (row: JudgeRow) => (
  <td class="took">
    {[...tookOf(row), ...(row.isCached ? ['from cache'] : [])].map((fact) => (
      <div key={fact}>{fact}</div>
    ))}
  </td>
);

function Said({ cell, round, id }: { cell: RoundCell | null; round: string; id: string }) {
  if (cell === null) return <td class="pale">not asked</td>;
  return (
    <td class={cell.before === null ? undefined : 'changed'}>
      <b class="round">{round}</b>
      <b>
        <span aria-hidden="true">{toneMark(cell.tone)} </span>
        {cell.stance}
      </b>
      {cell.before === null ? null : <div class="mind">↻ changed its mind, before: {cell.before}</div>}
      <div class="pre">{cell.reason}</div>
      {cell.isAsked ? (
        <a class="pale" href={`/verdicts/${id}/prompts/${cell.index}`}>
          Prompt
        </a>
      ) : null}
    </td>
  );
}

/** Every judge, its rounds side by side, and what it took. */
export function Judges({
  title,
  verdict,
  rows,
  id,
}: {
  title: string;
  verdict: Verdict;
  rows: readonly JudgeRow[];
  id: string;
}) {
  if (rows.length === 0) return null;
  const rounds = (rows[0]?.rounds ?? []).map((_, round) =>
    rows[0]?.rounds.length === 1 ? 'Said' : `Round ${round + 1}`,
  );
  const changed = rows.filter((row) => row.rounds.some((cell) => cell?.before)).map(({ name }) => name);
  return (
    <section>
      <h2>{title}</h2>
      {rounds.length < 2 ? null : (
        <p>
          {changed.length === 0
            ? 'No judge changed its mind.'
            : `${changed.join(', ')} changed ${changed.length === 1 ? 'its mind' : 'their minds'}.`}
        </p>
      )}
      <table class="judges">
        <thead>
          <tr>
            <th scope="col">Judge</th>
            {rounds.map((round, index) => (
              <th scope="col" key={round}>
                {round}
                {rounds.length > 1 && index === verdict.decidedInRound ? ' (decisive)' : ''}
              </th>
            ))}
            <th scope="col">Took</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name + row.model}>
              <th scope="row">
                {row.name}
                {row.name === row.model ? null : <small class="pale"> {row.model}</small>}
              </th>
              {row.rounds.map((cell, index) => (
                <Said key={rounds[index]} cell={cell} round={rounds[index] ?? ''} id={id} />
              ))}
              <Took {...row} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
