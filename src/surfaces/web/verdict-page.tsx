import { counted } from '../../common/text/index.ts';
import { costText, judgeName, judgesOf, stanceOf, timeText } from '../../judging/card/index.ts';
import { isExact, type Judgement, type Verdict } from '../../judging/verdict/index.ts';
import type { SentPrompt } from '../../prompting/index.ts';
import {
  type JudgeRow,
  judgeRows,
  type MatrixCell,
  matricesOf,
  type RoundCell,
  settingsOf,
  type TitledMatrix,
} from '../views/index.ts';
import { toneMark } from '../wording/index.ts';
import { Case, Section } from './card.tsx';
import { MarkedPaste } from './marked-paste.tsx';
import { People, type PeopleSaid, type Shown, VerdictView } from './verdict-view.tsx';

/**
 * A cell of the matrix: what a judge said about a criterion.
 * @param judge null if there is only one column, whose head names the judge
 * @param id of the reason, if it opens on demand; null if it always shows
 */
function Cell({ cell, judge, id }: { cell: MatrixCell | null; judge: string | null; id: string | null }) {
  const by = judge === null ? '' : `${judge}: `;
  if (cell === null)
    return (
      <td class="cell">
        <span aria-hidden="true">–</span>
        <span class="sr">{by}not asked</span>
      </td>
    );
  const stance = (
    <>
      <span aria-hidden="true">{cell.shows ?? toneMark(cell.tone)} </span>
      <span class="who">
        {by}
        {cell.stance}
      </span>
    </>
  );
  if (cell.reason === '') return <td class="cell">{stance}</td>;
  return (
    <td class="cell">
      {id === null ? (
        <span class={`sign ${cell.tone}`}>{stance}</span>
      ) : (
        <button type="button" class={`sign ${cell.tone}`} aria-describedby={id}>
          {stance}
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

/** With more judges than this, the matrix is stacked: judges below each other instead of in columns. */
const MOST_COLUMNS = 14;

/** A table of criteria by judges. Reasons open on demand; with one judge, or too many for columns, they always show. */
function MatrixTable({ titled: { title, matrix }, id }: { titled: TitledMatrix; id: string }) {
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

const tokensText = (tokens: number | null): string =>
  tokens === null ? 'not known' : tokens.toLocaleString('en');

/** Calls, prompt + completion tokens, cost and time: `2 calls`, `1,624 + 180 tokens`, `$0.0008`, `3.2 s`. */
const tookOf = ({ usage, calls, latencyMs }: Pick<JudgeRow, 'usage' | 'calls' | 'latencyMs'>): string[] => [
  counted(calls, 'call'),
  `${tokensText(usage.promptTokens)} + ${tokensText(usage.completionTokens)} tokens`,
  usage.costUsd === null ? 'cost not known' : costText(usage.costUsd),
  timeText(latencyMs, 'en'),
];

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

/** All judges, with their rounds side by side, and the calls, tokens, cost and time of each. */
function Judges({
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

/** A verdict with all details; while it is hidden, only the case. @param people null while it is hidden */
export function VerdictBody({ shown, people }: { shown: Shown; people: PeopleSaid | null }) {
  const { record, kind } = shown.visible;
  if (kind === 'hidden' || people === null) return <VerdictView shown={shown} isWhole />;
  const { verdict } = record;
  const { texts } = shown.input;
  const [criteria, ...others] = matricesOf(verdict, texts);
  const judges = isExact(verdict) ? [] : judgeRows(verdict, verdict.judgements, texts);
  return (
    <>
      <div class="beside">
        <div>
          <VerdictView shown={shown} isWhole />
          <People people={people} shown={shown} />
        </div>
        <Case evalCase={record.evalCase} texts={texts} />
      </div>
      <h2>{criteria.title}</h2>
      <MatrixTable titled={criteria} id="why" />
      <Judges title="Judges" verdict={verdict} rows={judges} id={record.id} />
      <Judges
        title="Ratings shown to the panel"
        verdict={verdict}
        rows={judgeRows(verdict, verdict.ratings ?? [], texts)}
        id={record.id}
      />
      {judges.length === 0 ? null : (
        <p class="pale">In all: {tookOf({ ...verdict, latencyMs: verdict.durationMs }).join(' · ')}</p>
      )}
      {others.map((titled, index) => (
        <details key={titled.title}>
          <summary>{titled.title}</summary>
          <MatrixTable titled={titled} id={`why${index}`} />
        </details>
      ))}
      {record.received === undefined ? null : (
        <details>
          <summary>How the paste was read</summary>
          <MarkedPaste {...record.received} />
        </details>
      )}
      <details>
        <summary>Settings and usage</summary>
        <Section section={settingsOf(record, 'en')} />
      </details>
    </>
  );
}

export const VerdictPage = (props: { shown: Shown; people: PeopleSaid | null }) => (
  <>
    <h1 class="sr">Verdict</h1>
    <div class="view" data-verdict={props.shown.visible.record.id} data-whole>
      <VerdictBody {...props} />
    </div>
  </>
);

/** The prompts that a judge was sent in one round. @param prompts null if they cannot be rendered again */
export function PromptPage({
  shown,
  judgement,
  prompts,
}: {
  shown: Shown;
  judgement: Judgement;
  prompts: readonly SentPrompt[] | null;
}) {
  const { verdict, id } = shown.visible.record;
  const { promptHash, round, judge, usage } = judgement;
  const isRating = verdict.ratings?.includes(judgement) === true;
  const name = judgeName(judgement, isRating ? [judge] : judgesOf(verdict), shown.input.texts);
  return (
    <>
      <p>
        <a href={`/verdicts/${id}`}>← Verdict</a>
      </p>
      <h1>
        Prompt of {name}, {isRating ? 'rating' : `round ${round + 1}`}
      </h1>
      <p>
        {judge.model} answered: {stanceOf(judgement, verdict, 'en')}
      </p>
      {prompts === null ? (
        <p class="notice">
          The prompt cannot be shown: its files have changed since, or the panel was chosen by hand. Only its
          hash is kept.
        </p>
      ) : (
        <p class="pale">
          As it was sent: rendered again from the case and the prompt files, with the same hash as then.
          {usage.attempts > 1
            ? ` It took ${usage.attempts} attempts; what was sent again, such as a request to repair the reply, is not kept.`
            : ''}
        </p>
      )}
      <p class="pale">{promptHash ?? 'No prompt was sent.'}</p>
      {(prompts ?? []).map(({ system, user, schema }, index, all) => (
        <section key={`${index} ${user.length}`}>
          {all.length === 1 ? null : (
            <h2>
              Question {index + 1} of {all.length}
            </h2>
          )}
          <h3>System message</h3>
          <pre>{system}</pre>
          <h3>User message</h3>
          <pre>{user}</pre>
          <details>
            <summary>Form of the reply (JSON schema)</summary>
            <pre>{schema}</pre>
          </details>
        </section>
      ))}
    </>
  );
}
