import { JuryError } from '../../common/index.ts';
import { counted } from '../../common/text/index.ts';
import {
  inputName,
  type ReadLabel,
  readLabelRows,
  readTableFile,
  refusalLines,
  type TableFormat,
} from '../../datasets/index.ts';
import {
  importLabels,
  importVotes,
  type LabelRow,
  type RowSubject,
  type VoteRow,
} from '../../labels/exchange/index.ts';
import type { VerdictRecord } from '../../labels/record/index.ts';
import type { NoteRuling } from '../../labels/voting/index.ts';
import { importedPerson, noteRuling, type Parts } from '../index.ts';
import { type CommandContext, type ExitCode, exitCode } from '../terminal/index.ts';
import { commandChanges } from './audit.ts';
import { rulingOf } from './labels.ts';

interface ImportOptions {
  /** The role for rulings whose row names none. */
  as?: string;
  /** `column=field`: what a column of the file holds. */
  map?: readonly (readonly [column: string, field: string])[];
  mapValue?: readonly string[];
  format?: TableFormat;
  /** Whether voters are given by the pseudonyms of an export. */
  pseudonyms?: boolean;
}

const NO_ROLE = 'the role of the ruling is missing: add --as "safety lead", or a column "role"';

type Problem = { where: string; problem: string };

/** Prints the rows that were left out. @returns how many there are */
function tellLeftOut({ err }: CommandContext, problems: readonly Problem[]): number {
  // A row about several verdicts can have the same problem with each.
  const distinct = new Map(problems.map((one) => [`${one.where}: ${one.problem}`, one]));
  const reasons = [...distinct.values()].map(({ where, problem }) => ({ where, reason: `${problem}.` }));
  for (const line of refusalLines(reasons)) err(line);
  return new Set(problems.map(({ where }) => where)).size;
}

/** What a row is about. */
const subjectOf = ({ where, verdictId, caseId, user, response, rubric }: ReadLabel): RowSubject => ({
  where,
  verdictId,
  // A column "id" or "task" may hold either.
  caseId: caseId ?? verdictId,
  exchange: user !== null && response !== null ? { user, response } : null,
  rubric,
});

/** A row as a ruling, or its problem; null if it has no label. */
function rowOf(read: ReadLabel, as: string | undefined): LabelRow | Problem | null {
  const { where, label, errorType, note } = read;
  const role = read.role ?? as;
  if (label === null) return null;
  if (role === undefined) return { where, problem: NO_ROLE };
  return {
    ...subjectOf(read),
    ruling: rulingOf(label, role, errorType ?? undefined, note ?? undefined),
  };
}

/** A pseudonym as in exports: 16 bytes in base64url. */
const PSEUDONYM = /^[\w-]{21}[AQgw]$/;
const LOOKS_LIKE_PSEUDONYM =
  'the voter looks like a pseudonym: add --pseudonyms if "jury labels export" wrote the file, or write "name:" before a name';

/** Reads the voter of a row as a pseudonym. Takes a person as commands do, or a name from another tool; never returns a name itself. */
async function voterReader(
  parts: Parts,
  areExported: boolean,
): Promise<(text: string) => { voter: string } | { problem: string }> {
  const pseudonym = await parts.pseudonym();
  return (text) => {
    const isLike = PSEUDONYM.test(text);
    if (areExported) return isLike ? { voter: text } : { problem: 'the voter is not a pseudonym' };
    return isLike
      ? { problem: LOOKS_LIKE_PSEUDONYM }
      : { voter: pseudonym(importedPerson(text, parts.surfaces)) };
  };
}

async function takeVotes(
  context: CommandContext,
  parts: Parts,
  { labels, problems: unread }: ReturnType<typeof readLabelRows>,
  file: string,
  areExported: boolean,
): Promise<ExitCode> {
  const { err, out } = context;
  const voterOf = await voterReader(parts, areExported);
  const made = labels.flatMap((one): (VoteRow | Problem)[] => {
    const { label, voter, where } = one;
    if (label === null) return [];
    const named = voter === null ? { problem: 'does not say who voted' } : voterOf(voter);
    return 'problem' in named ? [{ where, ...named }] : [{ ...subjectOf(one), ...named, label }];
  });
  const rows = made.flatMap((row) => ('problem' in row ? [] : [row]));
  const early = made.flatMap((row) => ('problem' in row ? [row] : []));
  const { counts, problems } = await importVotes(await parts.store(), rows, parts.now());
  const left = tellLeftOut(context, [...unread, ...early, ...problems]);
  if (left > 0) err(`${counted(left, 'row')} left out.`);
  const { counted: fresh, unchanged, other } = counts;
  if (fresh + unchanged + other === 0)
    throw new JuryError('bad-input', `No row of ${inputName(file)} became a vote. Nothing was changed.`);
  const others = other === 0 ? '' : `, ${other} not taken because the person voted otherwise here`;
  out(`${counted(fresh, 'vote')} counted, ${unchanged} already there${others}.`);
  return left > 0 ? exitCode.failed : exitCode.ok;
}

/**
 * `jury labels import`: turns labels made elsewhere into rulings, or votes into votes. Rows that do not fit are counted by reason and
 * left out.
 *
 * @returns 1 if rows were left out
 * @throws JuryError `bad-input` if no row became a ruling or a vote, `usage` if a role is missing
 */
export async function importRulings(
  context: CommandContext,
  file: string,
  { as, map = [], mapValue = [], format, pseudonyms = false }: ImportOptions,
): Promise<ExitCode> {
  const { err, out } = context;
  const table = await readTableFile(context, file, format, context.stop);
  const read = readLabelRows(table, new Map(map), mapValue);
  const parts = await context.parts();
  if (read.votes) return takeVotes(context, parts, read, file, pseudonyms);
  if (pseudonyms)
    throw new JuryError(
      'usage',
      '--pseudonyms goes with a column "worker" or "annotator": it says who voted.',
    );
  if (as === undefined && read.labels.every(({ role }) => role === null))
    throw new JuryError('usage', `${inputName(file)}: ${NO_ROLE}. Nothing was changed.`);
  const made = read.labels.map((one) => rowOf(one, as));
  const rows = made.flatMap((row) => (row !== null && 'ruling' in row ? [row] : []));
  const early = made.flatMap((row) => (row !== null && 'problem' in row ? [row] : []));
  const empty = made.filter((row) => row === null).length;
  const store = await parts.store();
  const changes = await commandChanges(parts, err);
  const ruled = new Map<string, VerdictRecord[]>();
  const note = (record: VerdictRecord): NoteRuling => {
    const noted = noteRuling(changes, changes.actor, record);
    return async (after, before) => {
      await noted(after, before);
      const { surface, channel } = record.source;
      const key = JSON.stringify([surface, channel]);
      ruled.set(key, [...(ruled.get(key) ?? []), record]);
    };
  };
  const imported = await importLabels({ store, library: parts.library, now: parts.now(), note }, rows);
  for (const [first, ...more] of ruled.values())
    if (first !== undefined)
      await changes.say(first.source, ({ importedRulings }) => importedRulings(1 + more.length));
  const problems = [...read.problems, ...early, ...imported.problems];
  const left = tellLeftOut(context, problems);
  if (empty > 0) err(`${counted(empty, 'row')} without a label left out.`);
  if (left > 0) err(`${counted(left, 'row')} left out, for some or all verdicts on the same words.`);
  const { kept, replaced, unchanged } = imported.counts;
  if (kept + replaced + unchanged === 0)
    throw new JuryError('bad-input', `No row of ${inputName(file)} became a ruling. Nothing was changed.`);
  out(
    `${counted(kept + replaced + unchanged, 'verdict')} ruled on: ${kept} new, ${replaced} replaced, ${unchanged} unchanged.`,
  );
  return problems.length > 0 ? exitCode.failed : exitCode.ok;
}
