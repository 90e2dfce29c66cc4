import { grouped } from '../../common/text.ts';
import { type EvalCase, isRecord } from '../case.ts';
import type { CaseFormat } from '../case-format.ts';
import { type Draft, emptyDraft, type Parsed } from './draft.ts';
import { finishDraft } from './finish-draft.ts';
import { BINARY, findJson, isTooDeep, MAX_DEPTH, parseLoosely } from './json.ts';
import { addTurns } from './keys.ts';
import { momentHint } from './moments.ts';
import { holdsExchange, readObject } from './object.ts';
import { readText } from './read-text.ts';
import { seenSpeaking } from './speakers.ts';
import { cleanText, excerpt, withoutMarks } from './text.ts';
import { turnOf } from './turns.ts';

const isLineOf = (line: string): boolean =>
  /^[ \t]{0,8}(?:-{3,200}|={3,200}|—{3,200}|_{3,200}|\*{3,200})[ \t]{0,8}$/.test(withoutMarks(line));

const speaks = (draft: Draft, role: 'user' | 'system'): boolean =>
  draft.turns.some((turn) => turn.role === role && turn.text.trim() !== '');

/**
 * The parts of a text between lines of dashes or equals signs, each read for itself, where each holds a turn of the user and
 * one of the system; a part where nobody speaks belongs to the one before it. Null for all other texts.
 */
function splitCases(text: string, format: CaseFormat): Draft[] | null {
  const parts: string[] = [''];
  for (const line of text.split('\n')) {
    if (isLineOf(line)) parts.push('');
    else parts[parts.length - 1] += `${line}\n`;
  }
  if (parts.length === 1) return null;
  const cases: { text: string; draft: Draft | null }[] = [];
  for (const part of parts.filter((candidate) => withoutMarks(candidate).trim() !== '')) {
    const draft = readText(part, format);
    const last = cases.at(-1);
    if (draft.turns.length > 0) {
      if (!speaks(draft, 'user') || !speaks(draft, 'system')) return null;
      cases.push({ text: part, draft });
    } else if (last) Object.assign(last, { text: `${last.text}\n${part}`, draft: null });
    else return null;
  }
  return cases.length < 2 ? null : cases.map(({ text, draft }) => draft ?? readText(text, format));
}

export type { Parsed } from './draft.ts';
export { decodeInput } from './json.ts';

/** Most items of one input; more belong into several files. */
const MAX_ITEMS = 10_000;

interface Setting {
  /** Most characters of one case. */
  limit: number;
  format: CaseFormat;
}

const fail = (problem: string, missing: string[] = [], understood: Partial<EvalCase> = {}): Parsed => ({
  problem,
  missing,
  understood,
});

const tooLong = (length: number, limit: number): Parsed =>
  fail(
    `Too long: ${grouped(length)} characters, the limit for one case is ${grouped(limit)}: shorten it, or raise JURY_MAX_CASE_CHARS.`,
  );

const tooDeep = (): Parsed =>
  fail(`The brackets are nested more than ${MAX_DEPTH} deep: give a case as described in the README.`);

const tooMany = (length: number): Parsed[] => [
  fail(
    `Too many cases: ${grouped(length)} in one input, the limit is ${grouped(MAX_ITEMS)}: split it into several files.`,
  ),
];

const HOW = 'Write "User: …" on one line and "System: …" on the next, or give a JSON case.';

/** @param length characters of its JSON, where they are known */
function fromValue(value: unknown, { limit, format }: Setting, length?: number): Parsed {
  if (!isRecord(value))
    return fail(
      `Not a case: an object such as {"conversation":[…],"response":"…"} was expected, found ${Array.isArray(value) ? 'a list' : JSON.stringify(value)?.slice(0, 40)}.`,
      ['conversation', 'response'],
    );
  const size = length ?? JSON.stringify(value).length;
  return size > limit ? tooLong(size, limit) : readObject(value, format);
}

function fromTurns(turns: readonly unknown[], { limit, format }: Setting): Parsed {
  const length = JSON.stringify(turns).length;
  if (length > limit) return tooLong(length, limit);
  const draft = emptyDraft(format);
  addTurns(draft, turns, 'list');
  draft.assumed.push('the list was read as one conversation, its last turn as the response');
  return finishDraft(draft);
}

function fromArray(list: readonly unknown[], setting: Setting): Parsed[] {
  if (list.length === 0)
    return [fail(`The list is empty: there is no case in it. ${HOW}`, ['conversation', 'response'])];
  if (list.every((item) => turnOf(item, setting.format) !== null)) return [fromTurns(list, setting)];
  if (list.length > MAX_ITEMS) return tooMany(list.length);
  return list.map((item, index) => numbered(fromValue(item, setting), `Item ${index + 1}`));
}

const numbered = (parsed: Parsed, where: string): Parsed =>
  'problem' in parsed ? { ...parsed, problem: `${where}: ${parsed.problem}` } : parsed;

function parseJson(text: string): { value: unknown } | { error: string } {
  try {
    const value: unknown = JSON.parse(text);
    return { value };
  } catch (thrown) {
    return { error: thrown instanceof Error ? thrown.message.slice(0, 120) : 'not JSON' };
  }
}

interface Line {
  text: string;
  number: number;
}

/** Lines of JSON: at least half begin like an object, the first one does, and one of the first hundred is one. */
function jsonLines(text: string): Line[] | null {
  const lines = text
    .split('\n')
    .map((line, index) => ({ text: line.trim(), number: index + 1 }))
    .filter((line) => line.text !== '');
  const starting = lines.filter((line) => line.text.startsWith('{'));
  if (
    lines.length < 2 ||
    starting.length * 2 < lines.length ||
    (!lines[0]?.text.startsWith('{') && starting.length * 3 < lines.length * 2)
  )
    return null;
  const isLine = (line: Line) =>
    line.text.endsWith('}') && !isTooDeep(line.text) && 'value' in parseJson(line.text);
  return starting.slice(0, 100).some(isLine) ? lines : null;
}

/** What one line holds, or why nothing was read from it. */
function readLine({ text, number }: Line, { limit }: Setting): { value: unknown } | { failed: Parsed } {
  const where = `Line ${number}`;
  if (text.length > limit) return { failed: numbered(tooLong(text.length, limit), where) };
  if (isTooDeep(text)) return { failed: numbered(tooDeep(), where) };
  const parsed = parseJson(text);
  if ('value' in parsed) return parsed;
  const problem = `${where}: not valid JSON (${parsed.error}). Give one JSON case a line.`;
  return { failed: fail(problem, ['conversation', 'response']) };
}

function fromLines(lines: readonly Line[], setting: Setting): Parsed[] {
  if (lines.length > MAX_ITEMS) return tooMany(lines.length);
  const read = lines.map((line) => readLine(line, setting));
  const turns = read.flatMap((one) =>
    'value' in one && turnOf(one.value, setting.format) !== null ? [one.value] : [],
  );
  if (turns.length === lines.length) return [fromTurns(turns, setting)];
  return read.map((one, index) => {
    if ('failed' in one) return one.failed;
    const { value } = one;
    const isDialog = Array.isArray(value) && value.some((item) => turnOf(item, setting.format));
    const { number, text = '' } = lines[index] ?? {};
    return numbered(
      isDialog ? fromTurns(value, setting) : fromValue(value, setting, text.length),
      `Line ${number}`,
    );
  });
}

/** JSON in its usual forms, or null where the text is something else. */
function fromJson(text: string, setting: Setting): Parsed[] | null {
  if (!/^[{[]/.test(text)) {
    const lines = text.includes('\n{') ? jsonLines(text) : null;
    return lines && fromLines(lines, setting);
  }
  const lines = jsonLines(text);
  if (lines) return fromLines(lines, setting);
  if (isTooDeep(text)) return [tooDeep()];
  const parsed = parseJson(text);
  if ('error' in parsed) return null;
  return Array.isArray(parsed.value) ? fromArray(parsed.value, setting) : [fromValue(parsed.value, setting)];
}

/** A case in YAML: told by a key that holds a list of turns. */
function fromYaml(text: string, format: CaseFormat): Parsed | null {
  if (!/^(?:conversation|messages|turns) ?: ?$/m.test(text)) return null;
  const loose = parseLoosely(text);
  return loose && holdsExchange(loose.value, format) ? readObject(loose.value, format) : null;
}

/** The beginning of a line of a log before the object at `start`, where that begins with a time; else nothing. */
function logLead(text: string, start: number, format: CaseFormat): string {
  const near = text.slice(Math.max(0, start - 200), start);
  const lead = near.slice(near.lastIndexOf('\n') + 1);
  return /^[ [(]{0,3}\d/.test(lead) && momentHint(lead, format) !== null ? lead : '';
}

function leadLeftOut(lead: string, format: CaseFormat): string[] {
  return lead === ''
    ? []
    : [`left out: "${excerpt(lead)}" before the object: ${momentHint(lead, format) ?? ''}`];
}

/** Whole exchanges as objects among other text, such as lines of a log: a case each. */
function fromLog(text: string, format: CaseFormat): Parsed[] | null {
  const objects = findJson(text).filter(({ value }) => isRecord(value) && holdsExchange(value, format));
  if (objects.length === 0) return null;
  const pieces = objects.map(({ start }, index) =>
    text.slice(objects[index - 1]?.end ?? 0, start - logLead(text, start, format).length),
  );
  const around = readText(pieces.join('') + text.slice(objects.at(-1)?.end), format);
  const isBare = around.turns.length === 0 && around.context.length === 0 && around.venue.length === 0;
  if (!isBare && (objects.length === 1 || around.turns.length > 0)) return null;
  return objects.map(({ value, isStrict, start }) =>
    readObject(value, format, [
      ...leadLeftOut(logLead(text, start, format), format),
      ...(isStrict ? [] : ['an object that is not strict JSON was read all the same']),
      ...around.assumed,
    ]),
  );
}

function ofSeveral(draft: Draft, number: number, count: number): Parsed {
  draft.assumed.unshift(`lines of dashes read as the borders of ${count} cases: this is case ${number}`);
  return numbered(finishDraft(draft), `Case ${number} of ${count}`);
}

/** Two paragraphs without labels are a guess to begin a form with, and no more. */
function unlabeled(text: string, { speakers }: Draft): Parsed {
  if (speakers.size > 0)
    return fail(`No label says who speaks. ${seenSpeaking(speakers)}`, ['conversation', 'response']);
  const paragraphs = text
    .split(/\n[ \t]{0,20}\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const [said, ...answered] =
    paragraphs.length > 1
      ? paragraphs
      : text
          .trim()
          .split('\n')
          .filter((line) => line.trim() !== '');
  const understood: Partial<EvalCase> = {
    ...(said ? { conversation: [{ role: 'user' as const, text: said.toWellFormed() }] } : {}),
    ...(answered.length > 0 ? { response: answered.join('\n\n').toWellFormed() } : {}),
  };
  return fail(
    `No label says who speaks: write "User:" before what the user said and "System:" before the response to judge${answered.length > 0 ? ' (the first paragraph looks like the user, the rest like the response)' : ''}.`,
    answered.length > 0 ? [] : ['response'],
    understood,
  );
}

/** A text whose quotes and fences are marked, and the same text without the marks. */
function fromText(marked: string, text: string, format: CaseFormat): Parsed[] {
  const yaml = fromYaml(text, format);
  if (yaml) return [yaml];
  const log = fromLog(text, format);
  if (log) return log;
  const drafts = splitCases(marked, format);
  if (drafts) return drafts.map((draft, index) => ofSeveral(draft, index + 1, drafts.length));
  const draft = readText(marked, format);
  if (draft.turns.length > 0) return [finishDraft(draft)];
  if (/^[{[] ?["'{\n]/.test(text)) {
    const parsed = parseJson(text);
    return [
      fail(
        `Not valid JSON${'error' in parsed ? ` (${parsed.error})` : ''}: mend it, or write "User: …" and "System: …" lines.`,
        ['conversation', 'response'],
      ),
    ];
  }
  return [draft.context.length + draft.venue.length > 0 ? finishDraft(draft) : unlabeled(text, draft)];
}

/**
 * One file, paste or standard input as one or more items in input order. Never throws, and takes time in proportion to
 * the length of the text.
 *
 * @param options.maxCaseChars most characters of one case (JURY_MAX_CASE_CHARS)
 * @param options.format what a case may look like
 */
export function parseInput(text: string, options: { maxCaseChars: number; format: CaseFormat }): Parsed[] {
  const { maxCaseChars: limit, format } = options;
  const setting = { limit, format };
  if (text.includes('\0')) return [fail(BINARY)];
  const bare = text.replace(/^\ufeff/, '').trim();
  if (bare === '') return [fail(`There is nothing to judge. ${HOW}`, ['conversation', 'response'])];
  const json = fromJson(bare, setting);
  if (json) return json;
  if (bare.length > limit) return [tooLong(bare.length, limit)];
  if (!bare.isWellFormed())
    return [
      fail(
        'The text holds half of a character (a lone surrogate), as happens when an emoji is cut: paste it again as UTF-8.',
      ),
    ];
  const marked = cleanText(bare);
  const clean = withoutMarks(marked).trim();
  if (clean === '') return [fail(`There is nothing to judge. ${HOW}`, ['conversation', 'response'])];
  return fromJson(clean, setting) ?? fromText(marked, clean, format);
}
