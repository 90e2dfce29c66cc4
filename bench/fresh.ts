// How often texts are read wrong that language models invented with the docs alone: npm run bench:fresh [-- FILE…]
// Requests (test/fixtures/fresh/requests-*.jsonl) are judged by exact checks; `right` is what a careful person says of the place. Pastes
// (pastes-*.jsonl) are read; `expect` is how a careful colleague reads them. Wrong is what is stated and not so: silence, a question, and
// a line that is named as left out are not. Prints each wrong one, the counts, and the 95 % interval of the share.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import * as z from 'zod';
import { type EvalCase, isRecord } from '../src/case/case.ts';
import { parseInput } from '../src/case/paste/parse-input.ts';
import { createJury } from '../src/index.ts';

import { wilsonInterval } from '../src/statistics/proportions.ts';
import { builtInLibrary } from '../test/support/built-in.ts';

const FOLDER = 'test/fixtures/fresh';

const FreshRequest = z.strictObject({
  id: z.string(),
  kind: z.enum(['single', 'refinement', 'withdrawal', 'count', 'other']),
  lang: z.enum(['en', 'de']),
  plain: z.boolean(),
  case: z.unknown(),
  right: z.enum(['pass', 'fail', 'open']),
  why: z.string(),
});

const Turn = z.object({ role: z.enum(['user', 'system']), text: z.string() });
const FreshPaste = z.strictObject({
  id: z.string(),
  form: z.string(),
  lang: z.enum(['en', 'de']),
  paste: z.string(),
  expect: z.strictObject({
    outcome: z.enum(['judged', 'ask', 'refuse']),
    cases: z
      .array(
        z.strictObject({
          conversation: z.array(Turn),
          response: z.string(),
          fields: z.record(z.string(), z.unknown()).default({}),
          leftOut: z.array(z.string()).default([]),
        }),
      )
      .default([]),
    why: z.string().optional(),
  }),
});
type FreshPaste = z.infer<typeof FreshPaste>;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { verbose: { type: 'boolean', default: false } },
});
const files =
  positionals.length > 0
    ? positionals
    : readdirSync(FOLDER)
        .filter((name) => name.endsWith('.jsonl'))
        .sort()
        .map((name) => join(FOLDER, name));

const linesOf = (file: string): unknown[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

function shareText(hits: number, n: number): string {
  const interval = wilsonInterval(hits, n);
  const bounds = interval.defined ? ` (95 %: ${percent(interval.low)}–${percent(interval.high)})` : '';
  return `${hits} of ${n}${bounds}`;
}

const jury = createJury({ variables: { JURY_MODEL: 'rules', JURY_DAILY_BUDGET_USD: '' } });
const format = builtInLibrary().caseFormat;
const readerOptions = { maxCaseChars: 32_000, format };

/** Why a verdict by exact checks is wrong; null if it is not. */
const wrongness = (decision: string, right: string, namesUnchecked: boolean): string | null =>
  (decision === 'fail' && right !== 'fail') ||
  (decision === 'pass' && (right === 'fail' || (right === 'open' && !namesUnchecked)))
    ? `${decision.toUpperCase()} instead of ${right}`
    : null;

async function tryRequests(file: string): Promise<void> {
  const requests = linesOf(file).map((line) => FreshRequest.parse(line));
  const count = { wrong: 0, decided: 0, plain: 0, plainDecided: 0 };
  const kinds = new Map<string, [decided: number, of: number]>();
  for (const { id, kind, plain, case: given, right, why } of requests) {
    const evalCase = format.schema.parse(given);
    const verdict = await jury.judge(evalCase, { models: ['rules'] });
    const namesUnchecked = /not checked/i.test(JSON.stringify(verdict));
    const wrong = wrongness(verdict.decision, right, namesUnchecked);
    const isDecided = verdict.decision === 'pass' || verdict.decision === 'fail';
    const [decided, of] = kinds.get(kind) ?? [0, 0];
    kinds.set(kind, [decided + Number(isDecided), of + 1]);
    count.decided += Number(isDecided);
    if (plain) count.plain += 1;
    if (plain && isDecided) count.plainDecided += 1;
    const said = evalCase.conversation.map(({ role, text }) => `${role}: ${text}`).join(' | ');
    if (wrong !== null) {
      count.wrong += 1;
      console.log(
        `WRONG ${id} [${kind}] ${wrong}: ${said}\n      right because: ${why}\n      said: ${verdict.why}`,
      );
    } else if (values.verbose && plain && !isDecided)
      console.log(`SILENT ${id} ${right}: ${said}\n      said: ${verdict.why}`);
  }
  const byKind = [...kinds].map(([kind, [decided, of]]) => `${kind} ${decided}/${of}`).join(', ');
  console.log(
    `${basename(file)}: wrong ${shareText(count.wrong, requests.length)}; decided ${count.decided} (${byKind}); of plain wishes ${shareText(count.plainDecided, count.plain)}`,
  );
}

/** A text as two people would compare it: white space aside. */
const plainly = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** A case's fields beside the turns, by their paths. */
function fieldsOf(value: unknown, path = ''): [string, unknown][] {
  if (!isRecord(value) || /location$/.test(path)) return [[path, value]];
  // A day that is not named is closed.
  if (path.endsWith('openingHours'))
    return [[path, Object.fromEntries(Object.entries(value).filter(([, hours]) => hours !== 'closed'))]];
  return Object.entries(value).flatMap(([key, inner]) =>
    path === '' && ['conversation', 'response'].includes(key)
      ? []
      : fieldsOf(inner, path === '' ? key : `${path}.${key}`),
  );
}

type ReadCase = Extract<ReturnType<typeof parseInput>[number], { case: unknown }>;

/** Whether exact checks come to another outcome with the lines that are not sure to belong to the answer: then people are asked. */
async function matters(without: EvalCase, withIt: EvalCase): Promise<boolean> {
  const outcome = async (evalCase: EvalCase) => {
    const { decision, criteria } = await jury.judge(evalCase, { models: ['rules'] });
    return [decision, ...criteria.map((one) => one.decision)];
  };
  const [one, other] = await Promise.all(
    [without, withIt].map((evalCase) => outcome(evalCase).catch(() => [])),
  );
  return !isDeepStrictEqual(one, other);
}
type Expected = FreshPaste['expect']['cases'][number];

/** Whether a value stands in the paste beside what was said: in a labeled line, a table, or an object. */
function standsBeside(
  path: string,
  value: unknown,
  paste: string,
  { conversation, response }: Expected,
): boolean {
  const said = [response, ...conversation.map(({ text }) => text)];
  const rest = said.reduce((left, text) => left.replace(text, ' '), paste).toLowerCase();
  // What the car reports in several lines is one value.
  const parts = path === 'context.reportedState' ? String(value).split('; ') : [value];
  const leaves = isRecord(value) ? Object.values(value) : Array.isArray(value) ? value : parts;
  return leaves.every((leaf: unknown) => {
    const text = String(leaf).toLowerCase();
    return [text, text.replace('.', ',')].some((one) => rest.includes(one));
  });
}

/** What a reading states that is not so, and what it lacks. A value as it was written is right, in either language. */
async function compare({ case: own, unsure }: ReadCase, expected: Expected, paste: string) {
  const wrong: string[] = [];
  const { conversation, response } = own;
  const said = (turns: readonly { role: string; text: string }[]) =>
    turns.map(({ role, text }) => `${role}: ${plainly(text)}`).join(' | ');
  const [meantText, ownText] = [plainly(expected.response), plainly(response)];
  // What was left out as unsure is named, and may be a part of the turn or more than it.
  const isNamed = (own: string, meant: string) =>
    unsure !== undefined &&
    meant.startsWith(own) &&
    plainly(unsure.text).includes(meant.slice(own.length).trim());
  const isSame = meantText === ownText || isNamed(ownText, meantText);
  const areSame =
    conversation.length === expected.conversation.length &&
    expected.conversation.every(({ role, text }, at) => {
      const [turn, meant] = [conversation[at], plainly(text)];
      return turn?.role === role && (plainly(turn.text) === meant || isNamed(plainly(turn.text), meant));
    });
  if (!areSame) wrong.push(`turns: ${said(conversation)} INSTEAD OF ${said(expected.conversation)}`);
  if (!isSame) wrong.push(`answer: ${ownText} INSTEAD OF ${meantText}`);
  const found = new Map(fieldsOf(own));
  const meant = new Map(fieldsOf(expected.fields));
  const lost = [...meant.keys()].filter((path) => !found.has(path));
  for (const [path, read] of found) {
    const value = meant.get(path);
    const isAsWritten = typeof read !== 'number' && standsBeside(path, read, paste, expected);
    if (value === undefined && !standsBeside(path, read, paste, expected))
      wrong.push(`${path}: ${JSON.stringify(read)} was not to be read`);
    if (value !== undefined && !isDeepStrictEqual(read, value) && !isAsWritten)
      wrong.push(`${path}: ${JSON.stringify(read)} INSTEAD OF ${JSON.stringify(value)}`);
  }
  const isUnsure = unsure !== undefined;
  return { wrong, lost, isUnsure, isAsked: isUnsure && (await matters(own, unsure.withIt)) };
}

/** What became of one paste: what is wrong, and whether anything was left open or not read. */
async function tryPaste({ paste, expect }: FreshPaste) {
  const items = parseInput(paste, readerOptions);
  const problem = items.find((item) => 'problem' in item)?.problem ?? null;
  const read = items.filter((item) => 'case' in item);
  const compared: Awaited<ReturnType<typeof compare>>[] = [];
  for (const [at, expected] of expect.cases.entries()) {
    const one = read[at];
    if (one !== undefined) compared.push(await compare(one, expected, paste));
  }
  const isAsked = compared.some((one) => one.isAsked);
  const isUnsure = compared.some((one) => one.isUnsure);
  const wrong =
    expect.outcome === 'refuse'
      ? ['was to be refused']
      : [
          ...(read.length === expect.cases.length
            ? []
            : [`${read.length} cases instead of ${expect.cases.length}`]),
          ...compared.flatMap((one) => one.wrong),
          ...(expect.outcome === 'ask' && !isUnsure ? ['was to be asked about'] : []),
        ];
  const lost = compared.flatMap((one) => one.lost);
  return { problem, isAsked, isUnsure, lost, wrong: problem === null ? wrong : [] };
}

async function tryPastes(file: string): Promise<void> {
  const pastes = linesOf(file).map((line) => FreshPaste.parse(line));
  const count = { wrong: 0, judged: 0, refused: 0, asked: 0, unsure: 0, lost: 0 };
  for (const fresh of pastes) {
    const { problem, isAsked, isUnsure, lost, wrong } = await tryPaste(fresh);
    const say = (what: string, why: string, isNews: boolean) => {
      if (isNews || values.verbose)
        console.log(`${what} ${fresh.id} [${fresh.form}] ${why}\n      ${JSON.stringify(fresh.paste)}`);
    };
    const isMeant = fresh.expect.outcome === 'judged';
    if (problem !== null) count.refused += 1;
    else if (isAsked) count.asked += 1;
    else count.judged += 1;
    if (isUnsure) count.unsure += 1;
    if (lost.length > 0) count.lost += 1;
    if (wrong.length > 0) count.wrong += 1;
    if (problem !== null && isMeant) say('REFUSED', problem, false);
    if (isUnsure && isMeant) say(isAsked ? 'ASKED' : 'UNSURE', '', false);
    if (lost.length > 0) say('LOST', lost.join(', '), false);
    if (wrong.length > 0) say('WRONG', wrong.join('\n      '), true);
  }
  console.log(
    `${basename(file)}: wrong ${shareText(count.wrong, pastes.length)}; judged without a question ${shareText(count.judged, pastes.length)}, an unsure line in ${count.unsure}, asked ${count.asked}, refused ${count.refused}; a field not read in ${count.lost}`,
  );
}

for (const file of files) {
  if (basename(file).startsWith('requests')) await tryRequests(file);
  else await tryPastes(file);
}
await jury.close();
