import { useEffect, useRef, useState } from 'preact/hooks';
import {
  type CaseDetails,
  isBad,
  type MatrixCell,
  type MatrixRow,
  type TrialDetails,
} from '../../../reports/index.ts';
import type { Address, MatrixColumn, MatrixData } from './matrix-rows.ts';

/** Pasted text, with its own line breaks and text direction. */
const Quoted = ({ text }: { text: string }) => (
  <blockquote class="pasted" dir="auto">
    {text}
  </blockquote>
);

const DECISIONS = {
  pass: '✓ pass',
  fail: '✗ fail',
  scored: '• score',
  unscored: '? no answer',
} as const;

const OUTCOMES = {
  pass: { mark: '✅', text: 'pass' },
  fail: { mark: '❌', text: 'fail' },
  undecided: { mark: '◻️', text: 'not decided' },
  'no-quorum': { mark: '◻️', text: 'no quorum' },
  unanswered: { mark: '◻️', text: 'no answer' },
} as const;

/** The outcomes that the letters in cells stand for; see `MatrixRow`. */
const LETTERS: Readonly<Record<string, (typeof OUTCOMES)[keyof typeof OUTCOMES]>> = {
  p: OUTCOMES.pass,
  f: OUTCOMES.fail,
  u: OUTCOMES.undecided,
  n: OUTCOMES['no-quorum'],
  a: OUTCOMES.unanswered,
};

const number = (value: number): string => String(Math.round(value * 100) / 100);

/**
 * The content of a matrix cell: a score, or the most frequent outcome. With a label it says whether that is right: quietly if it is, and
 * what was decided if it isn't.
 */
export function Mark({ cell, truth }: { cell: MatrixCell; truth: MatrixRow['truth'] }) {
  if (cell === null) return <span class="pale">·</span>;
  if (typeof cell === 'number') return <>{number(cell)}</>;
  const { mark, text } = LETTERS[cell.charAt(0)] ?? { mark: '?', text: cell };
  const repeats = cell.slice(1);
  const isMixed = [...repeats].some((one) => one !== repeats.charAt(0));
  const wanted = (truth ?? 'pass').charAt(0);
  const count = repeats.split(wanted).length - 1;
  return (
    <>
      {truth === null ? (
        <>
          <span aria-hidden="true">{mark}</span>
          <span class="sr">{text}</span>
        </>
      ) : isBad({ truth }, cell) ? (
        <>
          <b class="wrong">{text}</b>
          <span class="sr">, differs from the label</span>
        </>
      ) : (
        <>
          <span class="pale" aria-hidden="true">
            ✓
          </span>
          <span class="sr">right: {text}</span>
        </>
      )}
      {isMixed ? (
        <small>
          {count} of {repeats.length} {truth === null ? 'pass' : 'right'}
        </small>
      ) : null}
    </>
  );
}

function Said({ said }: { said: TrialDetails['judgements'][number] }) {
  const { round, persona, model, sample, decision, score, confidence, reason, text } = said;
  const who = [persona ?? 'judge', model, ...(sample > 0 ? [`sample ${sample + 1}`] : [])].join(' · ');
  const more = [
    ...(score === null ? [] : [`score ${number(score)}`]),
    ...(confidence === null ? [] : [`confidence ${confidence.toFixed(2)}`]),
    ...(reason === null ? [] : [reason]),
  ];
  return (
    <li>
      <p class="who">
        Round {round + 1} · {who}: <b>{DECISIONS[decision]}</b>
        {more.length === 0 ? '' : ` (${more.join(', ')})`}
      </p>
      {text === '' ? null : <Quoted text={text} />}
    </li>
  );
}

function Trial({ trial, repeats }: { trial: TrialDetails; repeats: number }) {
  const { outcome, score, why, failed, judgements, repeat } = trial;
  const { mark, text } = OUTCOMES[outcome];
  return (
    <div class="trial">
      <p>
        {score === null ? (
          <>
            <span aria-hidden="true">{mark} </span>
            <b>{text}</b>
          </>
        ) : (
          <b>{number(score)}</b>
        )}
        {repeats > 1 ? ` · repeat ${repeat}` : ''}
        {failed.length === 0 ? '' : ` · ✗ ${failed.join(', ')}`}
      </p>
      <p class="pale">{why}</p>
      {judgements.length === 0 ? null : (
        <ol class="plain">
          {judgements.map((judgement, at) => (
            <Said key={at} said={judgement} />
          ))}
        </ol>
      )}
    </div>
  );
}

/** One case: the conversation, then what the judges of every configuration said about it, side by side. */
export function CaseView({
  details,
  columns,
}: {
  details: CaseDetails;
  /** In the order to show them, left to right. */
  columns: readonly MatrixColumn[];
}) {
  const { conversation, response, responseBefore, given, trials } = details;
  return (
    <>
      <section aria-label="The case" class="case-texts">
        {conversation.map(({ role, text }, at) => (
          <div key={at}>
            <p class="who">{role === 'user' ? 'User' : 'System'}</p>
            <Quoted text={text} />
          </div>
        ))}
        {responseBefore === undefined ? null : (
          <>
            <p class="who">Response before</p>
            <Quoted text={responseBefore} />
          </>
        )}
        <p class="who">{responseBefore === undefined ? 'Response that is judged' : 'Response now'}</p>
        <Quoted text={response} />
        {given === null ? null : (
          <details>
            <summary>What else the judges were given</summary>
            <blockquote class="pasted">
              <code>{given}</code>
            </blockquote>
          </details>
        )}
      </section>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section aria-label="What each configuration says" class="sides" tabIndex={0}>
        {columns.map(({ id, number: no, method, models }) => {
          const ofSetup = trials.filter(({ setup }) => setup === id);
          return (
            <article key={id} class="side">
              <h3>
                <span class="no">{no}</span> {method} <span class="model">{models}</span>
              </h3>
              {ofSetup.length === 0 ? <p class="pale">Nothing is kept of its judges’ words here.</p> : null}
              {ofSetup.map((trial) => (
                <Trial key={trial.repeat} trial={trial} repeats={ofSetup.length} />
              ))}
            </article>
          );
        })}
      </section>
    </>
  );
}

/** The open case, in a dialog over the page. */
export function CaseDialog({
  data,
  open: { row, column },
  load,
  onStep,
  onClose,
}: {
  data: MatrixData;
  open: NonNullable<Address['open']>;
  load: (row: number) => Promise<CaseDetails>;
  onStep: (by: number) => void;
  onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [loaded, setFound] = useState<{ row: number; details: CaseDetails | string } | null>(null);
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    let isStale = false;
    load(row)
      .then((details) => isStale || setFound({ row, details }))
      .catch(
        () =>
          isStale ||
          setFound({ row, details: 'This case cannot be read. Reload the page, or try again in a moment.' }),
      );
    return () => {
      isStale = true;
    };
  }, [row, load]);
  const openRow = data.rows[row];
  if (openRow === undefined) return null;
  // First the column that the case was opened from, together with the one it is compared with.
  const [before = column, after = column] = data.pairs.find((pair) => pair.includes(column)) ?? [];
  const isChosen = (_: MatrixColumn, at: number) => at === before || at === after;
  const columns = [...data.columns.filter(isChosen), ...data.columns.filter((one, at) => !isChosen(one, at))];
  const details = loaded?.row === row ? loaded.details : null;
  return (
    <dialog ref={dialog} class="case" aria-label={`Case ${openRow.id}`} onClose={onClose}>
      <div class="case-head">
        <h2>
          <bdi>{openRow.id}</bdi>
          {openRow.truth === null ? null : (
            <span class="pale">
              {' '}
              · label: {openRow.truth}
              {openRow.errorType === null ? '' : ` (${openRow.errorType})`}
            </span>
          )}
        </h2>
        <p class="actions">
          <button type="button" onClick={() => onStep(-1)}>
            Previous
          </button>
          <button type="button" onClick={() => onStep(1)}>
            Next
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </p>
      </div>
      {details === null ? <p class="pale">Reading…</p> : null}
      {typeof details === 'string' ? <p role="alert">{details}</p> : null}
      {details !== null && typeof details === 'object' ? (
        <CaseView details={details} columns={columns} />
      ) : null}
    </dialog>
  );
}
