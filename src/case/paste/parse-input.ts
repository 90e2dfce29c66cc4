import type { CaseFormat } from '../case-format.ts';
import { oncePer, type Words } from '../words.ts';
import { type Draft, finishDraft, joinedPair, speaks } from './draft.ts';
import { readBroken, readJson, readLog, readYaml } from './json-cases.ts';
import { type Role, wordOf } from './labels.ts';
import { begins, phrases, readLabel, rememberingLabels } from './line-starts.ts';
import {
  BOTH_SIDES,
  HOW,
  numbered,
  type Parsed,
  type Paste,
  refused,
  tooLong,
  tooManyLines,
} from './problems.ts';
import { readText } from './read-text.ts';
import { readRows } from './tables.ts';
import { BINARY, cleanText, excerpt, isBlank, stripQuotes, withoutMarks } from './text.ts';
import { recognize } from './transcripts.ts';

const roleOfLine = (line: string, format: CaseFormat): Role | null => {
  const meaning = readLabel(line, format)?.meaning;
  return meaning?.kind === 'role' ? meaning.role : null;
};

/** Most lines of one case, by its most characters: 2,000 for 32,000. Reading takes its time by the line. */
const mostLines = (maxCaseChars: number): number => Math.max(500, Math.floor(maxCaseChars / 16));

/** A way in which cases stand below each other. */
interface Split {
  /** Where one ends, for a message. */
  where: string;
  /** Whether a line begins a part, or divides two and is in none. */
  at: (line: string, before: string | undefined, format: CaseFormat) => 'begins' | 'divides' | null;
  /** Whether a first part without a speaker belongs to the first case. */
  takesLead: boolean;
}

const RULE = /^[ \t]{0,8}(?:-{3,200}|={3,200}|—{3,200}|_{3,200}|\*{3,200})[ \t]{0,8}$/;
const AT_RULES: Split = {
  where: 'the lines of dashes',
  at: (line) => (RULE.test(withoutMarks(line)) ? 'divides' : null),
  takesLead: false,
};
const AT_NUMBERS: Split = {
  where: 'their numbers',
  at: (line, _, { words }) => (begins(line, 'caseHeader', words) ? 'begins' : null),
  takesLead: true,
};
const AT_BLANK_LINES: Split = {
  where: 'the blank lines (remove those if it is one conversation)',
  at: (line, before, format) =>
    before !== undefined && isBlank(before) && roleOfLine(line, format) === 'user' ? 'begins' : null,
  takesLead: true,
};

/** The parts of a text that say anything. */
function cut(lines: readonly string[], { at }: Split, format: CaseFormat): string[] {
  const parts: string[][] = [[]];
  for (const [index, line] of lines.entries()) {
    const kind = at(line, lines[index - 1], format);
    if (kind !== null) parts.push([]);
    if (kind !== 'divides') parts.at(-1)?.push(line);
  }
  return parts.map((part) => part.join('\n')).filter((part) => !isBlank(part));
}

/** The cases of a split, each with both sides; a part without a speaker belongs to the one before it. Null where there are not two. */
function partsOf(lines: readonly string[], split: Split, format: CaseFormat): Draft[] | null {
  const texts = cut(lines, split, format);
  const cases: { text: string; draft: Draft | null }[] = [];
  let lead = '';
  for (const text of texts.length < 2 ? [] : texts) {
    const draft = readText(text, format);
    const last = cases.at(-1);
    if (draft.turns.length > 0) {
      if (!speaks(draft, 'user') || !speaks(draft, 'system')) return null;
      cases.push(lead === '' ? { text, draft } : { text: `${lead}\n${text}`, draft: null });
      lead = '';
    } else if (last) Object.assign(last, { text: `${last.text}\n${text}`, draft: null });
    else if (split.takesLead) lead = text;
    else return null;
  }
  return cases.length < 2 ? null : cases.map(({ text, draft }) => draft ?? readText(text, format));
}

/** Whether a part between blank lines begins with the user, ends with an answer and has no blank line between its turns. */
const isBlock = ({ turns }: Draft): boolean =>
  turns[0]?.role === 'user' &&
  turns.at(-1)?.role === 'system' &&
  turns.slice(0, -1).every(({ text }) => !/\n[ \t]*$/.test(text));

/** Whether one exchange continues with what was said in the one before it. */
function goesOn({ turns: [said] }: Draft, before: Draft | undefined, { words }: CaseFormat): boolean {
  const answer = before?.turns.at(-1)?.text.trimEnd() ?? '';
  return (
    before !== undefined && (/\?["'”“)]?$/.test(answer) || begins(said?.text.trim() ?? '', 'followUp', words))
  );
}

/** Longest last paragraph that may be a remark about the response, in characters. */
const MAX_REMARK = 200;

/** A draft of a text as a case; a short last paragraph may be a remark, and that it was not taken for one is said. */
function finishText(draft: Draft): Parsed {
  const parsed = finishDraft(draft);
  if ('problem' in parsed) return parsed;
  const { response } = parsed.case;
  const at = response.lastIndexOf('\n\n');
  const last = response.slice(at + 2);
  if (at < 0 || last.length > MAX_REMARK) return parsed;
  const said = `the last paragraph ("${excerpt(last, 60)}") was read as part of the response: remove it if it is a remark`;
  return { ...parsed, assumed: [...parsed.assumed, said] };
}

function finishParts(parts: readonly Draft[], assumed: readonly string[], { where }: Split): Parsed[] {
  return parts.map((draft, index) => {
    const split = `split into ${parts.length} cases at ${where}: this is case ${index + 1}`;
    draft.assumed.unshift(...assumed, split);
    return numbered(finishText(draft), `Case ${index + 1} of ${parts.length}`);
  });
}

/** A line that begins with what may be the label of an answer. */
const ANSWER =
  /^[\s>*_#•·-]{0,8}([\p{L}][\p{L}\d _-]{0,30}?)[*_]{0,3}[ \t]{0,3}[:：][*_]{0,3}[ \t]{0,8}(.*)$/u;

/** The pair of each label of an answer, and which of the two it is. */
const placesOf = oncePer(
  (words: Words) =>
    new Map(
      words.answers.flatMap((labels, pair) =>
        labels.map((label, at) => [wordOf(label, words), { pair, at }]),
      ),
    ),
);

/** Two answers to one request, `User: …`, `A: …`, `B: …`, each read like any other; null for any other text. */
function readPair(text: string, format: CaseFormat, assumed: readonly string[]): Parsed | null {
  const lines = text.split('\n');
  const labels = lines.flatMap((whole, line) => {
    const [, name = '', value = ''] = ANSWER.exec(whole) ?? [];
    const place = placesOf(format.words).get(wordOf(name, format.words));
    return place === undefined ? [] : [{ ...place, line, name: name.trim(), value }];
  });
  const [one, other, ...more] = labels;
  if (!one || !other || more.length > 0 || one.pair !== other.pair || one.at === other.at) return null;
  const above = lines.slice(0, one.line);
  const asked = readText(above.join('\n'), format);
  // Options within a turn: a turn follows them.
  const isTurn = (line: string, at: number) =>
    at > one.line && at !== other.line && roleOfLine(line, format) !== null;
  if (!speaks(asked, 'user') || asked.turns.at(-1)?.role !== 'user' || lines.some(isTurn)) return null;
  const read = ({ value, line }: typeof one, end?: number) =>
    finishDraft(readText([...above, `System: ${value}`, ...lines.slice(line + 1, end)].join('\n'), format));
  const [first, second] = [read(one, other.line), read(other)];
  return one.at === 0
    ? joinedPair(first, second, [one.name, other.name], assumed)
    : joinedPair(second, first, [other.name, one.name], assumed);
}

/** The cases of a text with labels: two answers each, or between lines of dashes, below headers or numbers, else between blank lines where nothing says that they continue. */
function readCases(marked: string, format: CaseFormat, assumed: readonly string[]): Parsed[] | Draft {
  const lines = marked.split('\n');
  const texts = cut(lines, AT_RULES, format);
  const pairs = texts.map((part) => readPair(part, format, assumed)).filter((pair) => pair !== null);
  if (pairs.length === texts.length && pairs.length > 0) return pairs;
  const number = lines.findIndex((line) => begins(line, 'caseHeader', format.words));
  const isList = lines.slice(0, number).some((line) => roleOfLine(line, format) !== null);
  // Numbers below the first turn are those of a list.
  for (const split of isList ? [AT_RULES] : [AT_RULES, AT_NUMBERS]) {
    const parts = partsOf(lines, split, format);
    if (parts) return finishParts(parts, assumed, split);
  }
  const parts = partsOf(lines, AT_BLANK_LINES, format);
  const areBlocks = parts?.every(isBlock) ?? false;
  const areExchanges = areBlocks && parts?.every(({ turns }) => turns.length === 2);
  if (parts && areExchanges && !parts.some((part, at) => goesOn(part, parts[at - 1], format)))
    return finishParts(parts, assumed, AT_BLANK_LINES);
  const draft = readText(marked, format);
  draft.assumed.unshift(...assumed);
  if (areBlocks) draft.assumed.push('read as one conversation: put a line "---" between cases of their own');
  return draft;
}

export type { Parsed } from './problems.ts';
export { decodeInput } from './text.ts';

const UNLABELED =
  'No label says who speaks: write "User:" before what the user said and "System:" before the response to judge';

/** Longest text without a label that may be a request, in characters. */
const MAX_REQUEST = 500;

/** What other texts begin with or hold: a name, the time of a log, a key with its value, cells or columns of a table. */
const OTHER =
  /^[^\n:]{1,40}: |^.{0,40}\d{2}:\d{2}:\d{2}|^[[(]?\d{1,4}[-:./]\d|^\w{1,30}=|^<| (?:->|=>|→) |\t| {3}/;

/** Whether a text without labels may be what was said, and not a message to a colleague or to the app. */
const maySay = (text: string, { words }: CaseFormat): boolean =>
  text.includes(' ') &&
  !OTHER.test(text) &&
  !phrases(words).app.test(text) &&
  !begins(text, 'comment', words) &&
  (!begins(text, 'greeting', words) || begins(text, 'wakeWord', words));

/** Whether lines are the rows of a table: all have the same number of cells, and more than one. */
function areRows(lines: readonly string[]): boolean {
  const counts = new Set(lines.map((line) => line.split(/[;\t]|,(?![ \d])/).length));
  return lines.length > 1 && counts.size === 1 && !counts.has(1);
}

/** Two paragraphs, or two lines, are a request and its answer, and that is said; anything else without labels is refused. */
function readUnlabeled({ text, format }: Paste): Parsed {
  const paragraphs = text.split(/\n[ \t]{0,20}\n/).flatMap((part) => part.trim() || []);
  const lines = text.split('\n').flatMap((line) => line.trim() || []);
  const what = areRows(lines)
    ? 'A table whose columns are not known: name one of them "User" and one "System" in a first row, or write one turn a line: "User: …", "System: …".'
    : /<\/\w{1,20}>/.test(text)
      ? 'This is HTML or XML: paste the text as it is shown, with "User: …" and "System: …" on lines of their own.'
      : null;
  if (what !== null) return refused(what, BOTH_SIDES);
  const parts = paragraphs.length > 1 ? paragraphs : lines;
  const isList = parts.every((part, at) => new RegExp(`^(?:${at + 1}[.)]|[-–—•*]) `).test(part));
  const [said = '', answer, ...more] = isList ? parts.map((part) => part.replace(/^\S+ /, '')) : parts;
  const user = { role: 'user' as const, text: stripQuotes(said) };
  if (answer === undefined)
    return refused(`${UNLABELED}.`, ['response'], { conversation: [{ ...user, text: said }] });
  const isPair = more.length === 0 && said.length <= MAX_REQUEST;
  if (!isPair || !maySay(said, format) || !maySay(answer, format))
    return refused(
      `${UNLABELED} (the first paragraph looks like the user, the rest like the response).`,
      [],
      {
        conversation: [{ ...user, text: said }],
        response: [answer, ...more].join('\n\n'),
      },
    );
  return {
    case: { conversation: [user], response: stripQuotes(answer) },
    assumed: [
      `no label says who speaks: "${excerpt(said, 40)}" was read as the user, "${excerpt(answer, 40)}" as the response; write "User:" and "System:" if that is wrong`,
    ],
    isUnlabeled: true,
  };
}

/** Lines with labels, or in a format that tells where labels would be. */
function readLines(paste: Paste): Parsed[] {
  const { marked, format } = paste;
  const found = recognize(marked, format);
  if ('problem' in found) return [refused(found.problem, BOTH_SIDES)];
  const read = readCases(found.text, format, found.assumed);
  if (Array.isArray(read)) return read;
  const isRead = read.turns.length > 0 || read.context.length + read.venue.length > 0;
  return [isRead ? finishText(read) : readUnlabeled(paste)];
}

/**
 * The forms in which people paste cases, in the order in which they are tried; each says null where the text has another.
 * A new one is its own module, and a line here; lines of logs and chats are data, in `prompts/paste/formats.yaml`.
 */
const FORMS: readonly ((paste: Paste) => Parsed[] | null)[] = [
  readJson,
  readBroken,
  readYaml,
  readLog,
  readRows,
  readLines,
];

/** What cases may be. */
export interface PasteOptions {
  /** Most characters of one case (JURY_MAX_CASE_CHARS). */
  maxCaseChars: number;
  format: CaseFormat;
}

/**
 * Reads what people paste as {@link parseInput} does, but without holding up the service: what is long is read beside it, and refused
 * where that takes too long. Everything in a service that reads what someone sent goes through it.
 *
 * @param who whose turn it takes: who sends much does not hold up the others
 */
export type ReadPaste = (text: string, who: string) => Promise<Parsed[]>;

/**
 * One file, paste or standard input as one or more items in input order. Never throws, and takes time in proportion to
 * the length of the text.
 */
export const parseInput = (text: string, options: PasteOptions): Parsed[] =>
  rememberingLabels(options.format, () => readInput(text, options));

function readInput(text: string, { maxCaseChars: limit, format }: PasteOptions): Parsed[] {
  if (text.includes('\0')) return [refused(BINARY)];
  const bare = text.replace(/^\ufeff/, '').trim();
  const nothing = refused(`There is nothing to judge. ${HOW}`, BOTH_SIDES);
  if (bare === '') return [nothing];
  // JSON and tables are read as they stand, and each of their cases may be as long as one case.
  const raw = { text: bare, marked: bare, limit, format };
  const many = readJson(raw) ?? readRows(raw);
  if (many) return many;
  if (bare.length > limit) return [tooLong(bare.length, limit)];
  const lines = bare.split('\n').length;
  if (lines > mostLines(limit)) return [tooManyLines(lines, mostLines(limit))];
  if (!bare.isWellFormed())
    return [
      refused(
        'The text holds half of a character (a lone surrogate), as happens when an emoji is cut: paste it again as UTF-8.',
      ),
    ];
  const marked = cleanText(bare);
  const paste = { text: withoutMarks(marked).trim(), marked, limit, format };
  if (paste.text === '') return [nothing];
  for (const read of FORMS) {
    const items = read(paste);
    if (items) return items;
  }
  return [nothing];
}
