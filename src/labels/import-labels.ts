import { plainKey } from '../common/text.ts';
import type { Library } from '../prompting/library.ts';
import {
  type Adjudication,
  type AdjudicationStore,
  keepRuling,
  type Ruled,
  type Ruling,
  rulingOn,
} from './adjudication.ts';
import { allVerdicts, type VerdictRecord, type VerdictStore } from './verdict-record.ts';
import { isSameRight } from './vote.ts';

/** What one row of a file says is right, and about what. */
export interface LabelRow {
  /** Where it stands in its file: `Row 3`. */
  where: string;
  verdictId: string | null;
  /** What was asked and answered, for rows that know no verdict. */
  exchange: { user: string; response: string } | null;
  rubric: string | null;
  ruling: Ruling;
}

export interface ImportParts {
  store: VerdictStore & AdjudicationStore;
  library: Pick<Library, 'rubrics'>;
  /** Milliseconds since the epoch. */
  now: number;
}

export interface ImportedLabels {
  counts: Record<Ruled, number>;
  problems: { where: string; problem: string }[];
}

type Found = { records: VerdictRecord[] } | { problem: string };

const exchangeKey = (user: string, response: string): string => `${plainKey(user)}\n${plainKey(response)}`;

/** The verdicts that rows name, by id. */
async function verdictsNamed(
  store: ImportParts['store'],
  rows: readonly LabelRow[],
): Promise<ReadonlyMap<string, VerdictRecord>> {
  const named = new Map<string, VerdictRecord>();
  for (const { verdictId } of rows) {
    const record = verdictId === null || named.has(verdictId) ? null : await store.verdict(verdictId);
    if (record !== null) named.set(record.id, record);
  }
  return named;
}

/** The verdicts on each exchange that rows ask for, by what was asked and answered. */
async function verdictsOn(
  store: ImportParts['store'],
  rows: readonly LabelRow[],
): Promise<ReadonlyMap<string, VerdictRecord[]>> {
  const wanted = new Map<string, VerdictRecord[]>();
  for (const { exchange } of rows)
    if (exchange !== null) wanted.set(exchangeKey(exchange.user, exchange.response), []);
  if (wanted.size === 0) return wanted;
  for await (const record of allVerdicts(store)) {
    const { conversation, response } = record.evalCase;
    const asked = conversation.findLast(({ role }) => role === 'user')?.text ?? '';
    wanted.get(exchangeKey(asked, response))?.push(record);
  }
  return wanted;
}

/** The verdicts that each row is about: the one it names, else those on the words that it holds. */
async function matcher(
  store: ImportParts['store'],
  rows: readonly LabelRow[],
): Promise<(row: LabelRow) => Found> {
  const named = await verdictsNamed(store, rows);
  const isNamed = ({ verdictId }: LabelRow) => verdictId !== null && named.has(verdictId);
  const onExchange = await verdictsOn(
    store,
    rows.filter((row) => !isNamed(row)),
  );
  return ({ verdictId, exchange, rubric }) => {
    const record = verdictId === null ? undefined : named.get(verdictId);
    if (record !== undefined) return { records: [record] };
    if (exchange === null)
      return {
        problem:
          verdictId === null
            ? 'names no verdict, and no user text with a response'
            : `no verdict "${verdictId}" is kept`,
      };
    const all = onExchange.get(exchangeKey(exchange.user, exchange.response)) ?? [];
    const records = all.filter(({ verdict }) => rubric === null || verdict.rubric === rubric);
    const rubrics = new Set(records.map(({ verdict }) => verdict.rubric));
    if (records.length === 0)
      return {
        problem: `no verdict on this text is kept${all.length > 0 ? ` under the rubric "${rubric}"` : ''}`,
      };
    return rubrics.size > 1
      ? {
          problem: `was judged by several rubrics (${[...rubrics].sort().join(', ')}): name one in a column "rubric"`,
        }
      : { records };
  };
}

interface Planned {
  where: string;
  ruling: Adjudication;
}

/** Rows that are named where many say otherwise; the others are counted, or each of them would name all. */
const NAMED = 3;

function namedRows(rows: readonly Planned[]): string {
  const more = rows.length - NAMED;
  const named = rows.slice(0, NAMED).map(({ where }) => where);
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** One ruling a verdict; where rows contradict each other none of them counts. */
function withoutContradictions(planned: readonly Planned[], problems: ImportedLabels['problems']): Planned[] {
  const byVerdict = new Map<string, Planned[]>();
  for (const one of planned)
    byVerdict.set(one.ruling.verdictId, [...(byVerdict.get(one.ruling.verdictId) ?? []), one]);
  return [...byVerdict.values()].flatMap((same) => {
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
 * Takes labels that were made elsewhere as rulings. A row without the id of a verdict is about every verdict on the same
 * words. Rows that fit nothing, or contradict each other, are told and left out; the same file again changes nothing.
 */
export async function importLabels(parts: ImportParts, rows: readonly LabelRow[]): Promise<ImportedLabels> {
  const { store, library, now } = parts;
  const problems: ImportedLabels['problems'] = [];
  const planned: Planned[] = [];
  const verdictsOf = await matcher(store, rows);
  for (const row of rows) {
    const { where } = row;
    const matched = verdictsOf(row);
    if ('problem' in matched) {
      problems.push({ where, problem: matched.problem });
      continue;
    }
    for (const record of matched.records) {
      const made = rulingOn(record, library.rubrics.get(record.verdict.rubric), row.ruling, now);
      if ('problem' in made) problems.push({ where, problem: made.problem });
      else planned.push({ where, ruling: made.ruling });
    }
  }
  const standing = new Map((await store.adjudications()).map((ruling) => [ruling.verdictId, ruling]));
  const counts: Record<Ruled, number> = { kept: 0, replaced: 0, unchanged: 0 };
  for (const { where, ruling } of withoutContradictions(planned, problems)) {
    const kept = await keepRuling(store, ruling, standing.get(ruling.verdictId) ?? null);
    if ('problem' in kept) problems.push({ where, problem: kept.problem });
    else counts[kept.ruled] += 1;
  }
  return { counts, problems };
}
