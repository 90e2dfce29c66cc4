import pLimit from 'p-limit';
import { lastRequest } from '../../case/index.ts';
import { groupedBy, isBadInput, type KeyValue } from '../../common/index.ts';
import { plainKey } from '../../common/text/index.ts';
import type { Verdict } from '../../judging/verdict/index.ts';
import type { Library } from '../../prompting/index.ts';
import {
  isSameRight,
  isUnsure,
  readRight,
  rightOf,
  type VerdictRecord,
  type VerdictStore,
  type Vote,
} from '../record/index.ts';
import {
  type Adjudication,
  type AdjudicationStore,
  keepRuling,
  type NoteRuling,
  noteRulingsToShow,
  type Ruled,
  type Ruling,
  rulingOn,
  type VoteStore,
  voteOf,
} from '../voting/index.ts';

/** What a row of a file refers to. */
export interface RowSubject {
  /** Its position in the file: `Row 3`. */
  where: string;
  verdictId: string | null;
  /** The id of a case, for rows without the id of a verdict that is there. */
  caseId: string | null;
  /** The request and the answer, for rows without a verdict id. */
  exchange: { user: string; response: string } | null;
  rubric: string | null;
}

/** One row of a labels file. */
export type LabelRow = RowSubject & { ruling: Ruling };

export interface ImportParts {
  store: VerdictStore & AdjudicationStore & KeyValue;
  library: Pick<Library, 'rubrics'>;
  /** Milliseconds since the epoch. */
  now: number;
  /** Returns the function that records a ruling on this verdict in the audit log. */
  note: (record: VerdictRecord) => NoteRuling;
}

interface Problem {
  where: string;
  problem: string;
}

const exchangeKey = (user: string, response: string): string => `${plainKey(user)}\n${plainKey(response)}`;

const keyOfExchange = ({ evalCase }: VerdictRecord): string =>
  exchangeKey(lastRequest(evalCase), evalCase.response);

/** The verdicts that rows name by id, and for the other rows those on the case of that id, or on the same exchange. */
async function candidatesFor(store: VerdictStore, rows: readonly RowSubject[]) {
  const named = new Map<string, VerdictRecord>();
  for (const id of new Set(rows.flatMap(({ verdictId }) => verdictId ?? []))) {
    const record = await store.verdict(id);
    if (record !== null) named.set(id, record);
  }
  const onExchange = new Map<string, VerdictRecord[]>();
  const ofCase = new Map<string, VerdictRecord[]>();
  for (const { verdictId, caseId, exchange } of rows) {
    if (named.has(verdictId ?? '')) continue;
    if (caseId !== null) ofCase.set(caseId, []);
    if (exchange !== null) onExchange.set(exchangeKey(exchange.user, exchange.response), []);
  }
  if (onExchange.size + ofCase.size > 0)
    for await (const record of store.allVerdicts()) {
      onExchange.get(keyOfExchange(record))?.push(record);
      ofCase.get(record.evalCase.id ?? '')?.push(record);
    }
  return { named, onExchange, ofCase };
}

/** The verdicts of a row: the one it names, otherwise all on its case or its exchange. A string says what is wrong with the row. */
function verdictsOf(
  { verdictId, caseId, exchange, rubric }: RowSubject,
  { named, onExchange, ofCase }: Awaited<ReturnType<typeof candidatesFor>>,
): VerdictRecord[] | string {
  const record = named.get(verdictId ?? '');
  if (record !== undefined) return [record];
  const own = exchange === null ? (ofCase.get(caseId ?? '') ?? []) : [];
  // Ids are only unique within a dataset.
  if (new Set(own.map(keyOfExchange)).size > 1)
    return `verdicts on different texts have the case id "${caseId}": add the columns "user" and "response"`;
  if (exchange === null && own.length === 0) {
    if (verdictId !== null) return `there is no verdict "${verdictId}"`;
    return caseId === null
      ? 'has no id of a verdict or a case, and no user text with a response'
      : `there is no verdict on a case "${caseId}"`;
  }
  const all = exchange === null ? own : (onExchange.get(exchangeKey(exchange.user, exchange.response)) ?? []);
  const records = all.filter(({ verdict }) => rubric === null || verdict.rubric === rubric);
  const rubrics = new Set(records.map(({ verdict }) => verdict.rubric));
  if (records.length === 0)
    return `there is no verdict on this text${all.length > 0 ? ` by the rubric "${rubric}"` : ''}`;
  if (rubrics.size === 1) return records;
  return `the text was judged by several rubrics (${[...rubrics].sort().join(', ')}): add a "rubric" column that names one`;
}

/**
 * Each row with each verdict it refers to.
 *
 * @param problems receives the rows that match no verdict
 */
async function* matchedRows<Row extends RowSubject>(
  store: VerdictStore,
  rows: readonly Row[],
  problems: Problem[],
): AsyncGenerator<{ row: Row; record: VerdictRecord }> {
  const candidates = await candidatesFor(store, rows);
  for (const row of rows) {
    const records = verdictsOf(row, candidates);
    if (typeof records === 'string') problems.push({ where: row.where, problem: records });
    else for (const record of records) yield { row, record };
  }
}

interface Planned {
  where: string;
  record: VerdictRecord;
  ruling: Adjudication;
}

/** At most this many contradicting rows are named; the rest are counted. */
const MAX_NAMED = 3;

function namedRows(rows: readonly Planned[]): string {
  const more = rows.length - MAX_NAMED;
  const named = rows.slice(0, MAX_NAMED).map(({ where }) => where);
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** One ruling per verdict; none where rows contradict each other. */
function withoutContradictions(planned: readonly Planned[], problems: Problem[]): Planned[] {
  return [...groupedBy(planned, ({ ruling }) => ruling.verdictId).values()].flatMap((same) => {
    const [first, ...others] = same;
    if (first === undefined) return [];
    if (others.every(({ ruling }) => isSameRight(ruling.right, first.ruling.right))) return [first];
    for (const { where, ruling } of same) {
      const against = same.filter((other) => !isSameRight(other.ruling.right, ruling.right));
      problems.push({
        where,
        problem: `contradicts ${namedRows(against)} on verdict ${first.ruling.verdictId}`,
      });
    }
    return [];
  });
}

/**
 * Imports labels made elsewhere as rulings. A row without a verdict id applies to every verdict on the same exchange.
 * Rows that match nothing or contradict each other are reported and skipped. Importing the same file again changes
 * nothing.
 */
export async function importLabels({ store, library, now, note }: ImportParts, rows: readonly LabelRow[]) {
  const problems: Problem[] = [];
  const planned: Planned[] = [];
  for await (const { row, record } of matchedRows(store, rows, problems)) {
    const { where } = row;
    const made = rulingOn(record, library.rubrics.get(record.verdict.rubric), row.ruling, now);
    if ('problem' in made) problems.push({ where, problem: made.problem });
    else planned.push({ where, record, ruling: made.ruling });
  }
  const standing = new Map((await store.adjudications()).map((ruling) => [ruling.verdictId, ruling]));
  const counts: Record<Ruled, number> = { kept: 0, replaced: 0, unchanged: 0 };
  const ruled: string[] = [];
  for (const { where, record, ruling } of withoutContradictions(planned, problems)) {
    const kept = await keepRuling(store, ruling, standing.get(ruling.verdictId) ?? null, note(record));
    if ('problem' in kept) problems.push({ where, problem: kept.problem });
    else {
      counts[kept.ruled] += 1;
      if (kept.ruled !== 'unchanged') ruled.push(ruling.verdictId);
    }
  }
  await noteRulingsToShow(store, ruled, now);
  return { counts, problems };
}

/** One person's vote in a file. */
export type VoteRow = RowSubject & {
  /** Pseudonym. */
  voter: string;
  /** What is right: `pass`, `fail`, a score, an answer's name, or `unsure`. */
  label: string;
};

/** The result of importing a vote. `other`: the person has already voted differently here, and that vote stands. */
type Outcome = 'counted' | 'unchanged' | 'other' | { problem: string };

/** Votes written concurrently, so that they share one wait for the disk. */
const AT_ONCE = 100;

const says = (vote: Vote, text: string, verdict: Verdict): boolean => {
  if (text === 'unsure') return isUnsure(vote);
  const read = readRight(text, verdict);
  const right = rightOf(vote, verdict);
  return 'right' in read && right !== null && isSameRight(right, read.right);
};

async function importVote(
  store: VoteStore,
  record: VerdictRecord,
  { voter, label }: VoteRow,
  at: number,
): Promise<Outcome> {
  const { id: verdictId, verdict } = record;
  const text = label.trim().toLowerCase();
  const read = text === 'unsure' ? null : readRight(text, verdict);
  if (read !== null && 'problem' in read) return read;
  const standing = (await store.votes(verdictId)).find((vote) => vote.voter === voter);
  if (standing !== undefined) return says(standing, text, verdict) ? 'unchanged' : 'other';
  try {
    const vote = voteOf(read === null ? { kind: 'unsure' } : read.right, verdict);
    await store.castVote({ verdictId, voter, surface: 'import', offered: { why: 'import' }, at, ...vote });
    return 'counted';
  } catch (thrown) {
    if (isBadInput(thrown)) return { problem: thrown.message };
    throw thrown;
  }
}

/**
 * Imports votes cast elsewhere, or exported from here. A row without a verdict id applies to every verdict on the same
 * exchange. A vote that the person has already cast on a verdict stands, so importing a file again changes nothing.
 *
 * @param now time of the votes, ms since the epoch
 */
export async function importVotes(store: VerdictStore & VoteStore, rows: readonly VoteRow[], now: number) {
  const limit = pLimit(AT_ONCE);
  const counts = { counted: 0, unchanged: 0, other: 0 };
  const problems: Problem[] = [];
  const firsts = new Map<string, { row: VoteRow; record: VerdictRecord }>();
  for await (const { row, record } of matchedRows(store, rows, problems)) {
    const key = `${record.id}\n${row.voter}`;
    const first = firsts.get(key);
    const problem = `is a second vote of the same person, after ${first?.row.where}`;
    if (first === undefined) firsts.set(key, { row, record });
    else problems.push({ where: row.where, problem });
  }
  await Promise.all(
    [...firsts.values()].map(({ row, record }) =>
      limit(async () => {
        const outcome = await importVote(store, record, row, now);
        if (typeof outcome === 'string') counts[outcome] += 1;
        else problems.push({ where: row.where, ...outcome });
      }),
    ),
  );
  return { counts, problems };
}
