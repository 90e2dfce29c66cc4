import { lazily, oncePer } from '../../common/index.ts';
import type { CaseFormat, Words } from '../format/index.ts';
import {
  BINARY,
  BLOCK_BEGINS,
  BLOCK_ENDS,
  cleanText,
  excerpt,
  isBlank,
  stripQuotes,
  withoutMarks,
} from './clean-text.ts';
import { type Draft, finishDraft, joinedPair, speaks } from './draft.ts';
import { readBroken, readEmbedded, readJson, readYaml } from './json-cases.ts';
import { type Role, wordOf } from './label-meanings.ts';
import { begins, isRemark, phrases } from './line-labels.ts';
import { type Line, lineOf } from './lines.ts';
import { LABELS_IN_LINE, turnsOfLine } from './one-line-turns.ts';
import {
  BOTH_SIDES,
  HOW,
  numbered,
  type Parsed,
  type Paste,
  type ReadItem,
  refused,
  tooLong,
  tooManyLines,
} from './problems.ts';
import { readLines } from './read-lines.ts';
import { type Claim, claim, spansOf } from './spans.ts';
import { segmentsIn, subtitlesIn } from './subtitles.ts';
import { readRows } from './tables.ts';
import { readTraced } from './trace-cases.ts';
import { type Range, Tracked } from './tracked-text.ts';
import { recognize } from './transcripts.ts';

const roleOf = ({ label }: Line): Role | null => (label?.meaning.kind === 'role' ? label.meaning.role : null);

/** Maximum number of lines of one case: 1,000 for 32,000 characters, at least 500. Each line takes time to read. */
export const mostLines = (maxCaseChars: number): number => Math.max(500, Math.floor(maxCaseChars / 32));

/** A way to split a text into several cases. */
interface Split {
  /** Where it splits, for a message. */
  where: string;
  /** Whether a line begins a part, or divides two parts and belongs to neither. */
  at: (line: Line, format: CaseFormat) => 'begins' | 'divides' | null;
  /** Whether a first part without a speaker belongs to the first case. */
  takesLead: boolean;
}

const RULE = /^[ \t]{0,8}(?:-{3,200}|={3,200}|—{3,200}|_{3,200}|\*{3,200})[ \t]{0,8}$/;
const isRule = ({ text }: Line): boolean => RULE.test(withoutMarks(text));
const AT_RULES: Split = {
  where: 'the lines of dashes',
  at: (line) => (isRule(line) ? 'divides' : null),
  takesLead: false,
};
const AT_NUMBERS: Split = {
  where: 'their numbers',
  at: ({ text }, { words }) => (begins(text, 'caseHeader', words) ? 'begins' : null),
  takesLead: true,
};

/** Splits a text into parts; blank ones are dropped. */
function cut(lines: readonly Line[], { at }: Split, format: CaseFormat): Line[][] {
  const parts: Line[][] = [[]];
  for (const line of lines) {
    const kind = at(line, format);
    if (kind !== null) parts.push([]);
    if (kind !== 'divides') parts.at(-1)?.push(line);
  }
  return parts.filter((part) => !part.every(({ text }) => isBlank(text)));
}

/** One of several cases. `draft` is null if lines were added after it was read. */
interface Part {
  lines: Line[];
  draft: Draft | null;
}

/**
 * Splits a text into cases. A part without a speaker belongs to the case before it.
 * @returns null if there are fewer than two cases, or if one lacks the user or the system
 */
function partsOf(lines: readonly Line[], split: Split, format: CaseFormat): Required<Part>[] | null {
  const cases: Part[] = [];
  let lead: Line[] = [];
  const parts = cut(lines, split, format);
  for (const part of parts.length < 2 ? [] : parts) {
    const draft = readLines(part, format);
    const last = cases.at(-1);
    if (draft.turns.length > 0) {
      if (!speaks(draft, 'user') || !speaks(draft, 'system')) return null;
      cases.push(lead.length === 0 ? { lines: part, draft } : { lines: [...lead, ...part], draft: null });
      lead = [];
    } else if (last) {
      last.lines.push(...part);
      last.draft = null;
    } else if (split.takesLead) lead = part;
    else return null;
  }
  return cases.length < 2 ? null : cases;
}

function finishParts(
  parts: readonly Part[],
  assumed: readonly string[],
  { where }: Split,
  format: CaseFormat,
): ReadItem[] {
  return parts.map(({ lines, draft: read }, index) => {
    const draft = read ?? readLines(lines, format);
    const split = `split into ${parts.length} cases at ${where}: this is case ${index + 1}`;
    draft.assumed.unshift(...assumed, split);
    const item = numbered(finishDraft(draft), `Case ${index + 1} of ${parts.length}`);
    return index === parts.length - 1 ? item : { ...item, end: endOf(lines) };
  });
}

/** The end of the last of these lines in the text as received. */
const endOf = (lines: readonly Line[]): number =>
  Math.max(0, ...lines.slice(-20).map(({ from }) => from.end(from.text.length)));

/** A line that may start with the label of an answer. */
const ANSWER =
  /^[\s>*_#•·-]{0,8}(?<name>[\p{L}][\p{L}\d _-]{0,30}?)[*_]{0,3}[ \t]{0,3}[:：][*_]{0,3}[ \t]{0,8}(?<value>.*)$/u;

/** For each label of an answer, the index of its pair and its position in the pair (0 or 1). */
const placesOf = oncePer(
  (words: Words) =>
    new Map(
      words.answers.flatMap((labels, pair) =>
        labels.map((label, at) => [wordOf(label, words), { pair, at }]),
      ),
    ),
);

/** Reads two answers to one request, `User: …`, `A: …`, `B: …`, as a pair; null for any other text. */
function readPair(lines: readonly Line[], format: CaseFormat, assumed: readonly string[]): ReadItem | null {
  const labels = lines.flatMap(({ text }, line) => {
    const { name = '', value = '' } = ANSWER.exec(text)?.groups ?? {};
    const place = placesOf(format.words).get(wordOf(name, format.words));
    return place === undefined ? [] : [{ ...place, line, name: name.trim(), value }];
  });
  const [firstLabel, secondLabel, ...more] = labels;
  if (
    !firstLabel ||
    !secondLabel ||
    more.length > 0 ||
    firstLabel.pair !== secondLabel.pair ||
    firstLabel.at === secondLabel.at
  )
    return null;
  const above = lines.slice(0, firstLabel.line);
  const asked = readLines(above, format);
  // If a turn follows, A and B are options within a turn.
  const isTurn = (line: Line, at: number) =>
    at > firstLabel.line && at !== secondLabel.line && roleOf(line) !== null;
  if (!speaks(asked, 'user') || asked.turns.at(-1)?.role !== 'user' || lines.some(isTurn)) return null;
  const labelOf = ({ line, value }: typeof firstLabel): Tracked => {
    const from = lines[line]?.from ?? Tracked.added('');
    return from.slice(0, from.text.length - value.length);
  };
  const read = (answer: typeof firstLabel, end?: number): ReadItem => {
    const answerText = lines[answer.line]?.from.slice(labelOf(answer).text.length) ?? Tracked.added('');
    const below = lines.slice(answer.line + 1, end);
    const draft = readLines([...above, lineOf(format, 'System: ', answerText), ...below], format);
    draft.labels.push(labelOf(answer));
    return finishDraft(draft);
  };
  const [first, second] = [read(firstLabel, secondLabel.line), read(secondLabel)];
  return firstLabel.at === 0
    ? joinedPair(first, second, [firstLabel.name, secondLabel.name], assumed)
    : joinedPair(second, first, [secondLabel.name, firstLabel.name], assumed);
}

/**
 * Reads a text with labels. It holds a pair of answers, or one per part between lines of dashes; or several cases, split
 * at lines of dashes or at headers with numbers; or a single case, which is returned as a draft.
 */
function readCases(
  lines: readonly Line[],
  format: CaseFormat,
  assumed: readonly string[],
): ReadItem[] | Draft {
  const parts = cut(lines, AT_RULES, format);
  const pairs = parts.map((part, at) => {
    const pair = readPair(part, format, assumed);
    return pair === null || at === parts.length - 1 ? pair : { ...pair, end: endOf(part) };
  });
  if (pairs.length > 0 && !pairs.includes(null)) return pairs.filter((pair) => pair !== null);
  const number = lines.findIndex(({ text }) => begins(text, 'caseHeader', format.words));
  const isList = lines.slice(0, Math.max(0, number)).some((line) => roleOf(line) !== null);
  // Numbers after the first turn belong to a list in it.
  for (const split of isList ? [AT_RULES] : [AT_RULES, AT_NUMBERS]) {
    const cases = partsOf(lines, split, format);
    if (cases) return finishParts(cases, assumed, split, format);
  }
  const draft = readLines(lines, format);
  draft.assumed.unshift(...assumed);
  return draft;
}

export { decodeInput } from './clean-text.ts';
export type { Parsed } from './problems.ts';

const UNLABELED =
  'No label says who speaks: write "User:" before what the user said and "System:" before the response to judge';

/** Maximum length of a request without a label, in characters. */
const MAX_REQUEST = 500;

/**
 * Signs that a text is not plain speech: a name or a letter as a label, a message header, a log's time, a key with its
 * value, cells or columns of a table.
 */
const OTHER =
  /^[^\n:]{1,40}: |^\p{Lu}[.)] |^[^\n]{1,60} {0,4}[[(]?\d{1,2}:\d{2}(?: ?[AaPp][Mm])?[\])]? {0,4}\n|^.{0,40}\d{2}:\d{2}:\d{2}|^[[(]?\d{1,4}[-:./]\d|^\w{1,30}=|^<| (?:->|=>|→) |\t| {3}/u;

/** Whether a text without labels may be part of the conversation, and not a message to a colleague or to the app. */
const maySay = (text: string, { words }: CaseFormat): boolean =>
  text.includes(' ') &&
  !OTHER.test(text) &&
  !phrases(words).app.test(text) &&
  !isRemark(text, words) &&
  (!begins(text, 'greeting', words) || begins(text, 'wakeWord', words));

/** Whether lines are rows of a table: all have the same number of cells, more than one. */
function areRows(lines: readonly string[]): boolean {
  const counts = new Set(lines.map((line) => line.split(/[;\t]|,(?![ \d])/).length));
  return lines.length > 1 && counts.size === 1 && !counts.has(1);
}

/** Reads a text without labels: two paragraphs or lines as a request and its answer, with a note. Refuses all else. */
function readUnlabeled({ text: from, format }: Paste): ReadItem {
  const { text } = from;
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
  const at = text.lastIndexOf(answer);
  return {
    claims: () => [
      claim({ is: 'system' }, from.slice(at, at + answer.length)),
      claim({ is: 'user' }, from.slice(text.indexOf(said), text.indexOf(said) + said.length)),
    ],
    case: { conversation: [user], response: stripQuotes(answer) },
    assumed: [
      `no label says who speaks: "${excerpt(said, 40)}" was read as the user, "${excerpt(answer, 40)}" as the response; write "User:" and "System:" if that is wrong`,
    ],
    isUnlabeled: true,
  };
}

/** Reads lines with labels, or in a format that shows who speaks. A text with neither goes to {@link readUnlabeled}. */
function readLabeled(paste: Paste): ReadItem[] {
  const { marked, format } = paste;
  const turns = turnsOfLine(marked, format);
  if (turns === 'unclear') return [refused(LABELS_IN_LINE, BOTH_SIDES)];
  const recognized = recognize(turns === null ? marked : Tracked.join(turns, '\n'), format);
  if ('problem' in recognized) return [refused(recognized.problem, BOTH_SIDES)];
  const dropped = turns === null ? [] : [`read as ${turns.length} turns in one line`];
  const read = readCases(recognized.lines, format, [...dropped, ...recognized.assumed]);
  const isRead = Array.isArray(read) || read.turns.length > 0 || read.context.length + read.venue.length > 0;
  if (!isRead) return [readUnlabeled(paste)];
  const marks = claim({ is: 'label' }, ...recognized.marks);
  return (Array.isArray(read) ? read : [finishDraft(read)]).map((item) =>
    'claims' in item ? { ...item, claims: () => [...item.claims(), marks] } : item,
  );
}

/**
 * The readers of all forms of input, in the order in which they are tried. Each returns null for a text in another form.
 * A new form gets its own module and a line here, except for chat formats, which are data in
 * `prompts/paste/formats.yaml`.
 */
const FORMS: readonly ((paste: Paste) => ReadItem[] | null)[] = [
  readJson,
  readBroken,
  readYaml,
  readEmbedded,
  readRows,
  readLabeled,
];

/** Limits and format of cases. */
export interface PasteOptions {
  /** Maximum length of one case, in characters (JURY_MAX_CASE_CHARS). */
  maxCaseChars: number;
  format: CaseFormat;
}

/**
 * Reads pastes like {@link parseInput}, but without blocking the service: long ones are read in another thread and
 * refused if that takes too long. A service must read all that it receives this way.
 * @param who the sender; senders take turns, so that one who sends a lot does not delay the others
 */
export type ReadPaste = (text: string, who: string) => Promise<Parsed[]>;

/** The dividing lines of a text. */
const linesOfMarks = (marked: Tracked): Tracked[] => marked.lines().filter(({ text }) => RULE.test(text));

/**
 * Adds spans to the items. Each item covers the paste from the end of the one before it.
 * @param shown the readable text, whose unclaimed characters are left out; all others are markup
 */
export function withSpans(items: readonly ReadItem[], text: string, shown: Tracked): Parsed[] {
  const rest: Claim[] = [
    claim({ is: 'label' }, ...linesOfMarks(shown)),
    claim({ is: 'left out', why: 'belongs to no turn' }, shown),
  ];
  let start = 0;
  return items.map((item) => {
    const { end = text.length, ...read } = item;
    const from = start;
    start = Math.max(start, end);
    if ('problem' in read) return read;
    const { claims, ...parsed } = read;
    const range: Range = [from, start];
    const spans = lazily(() => spansOf(text, range, [...claims(), ...rest]));
    return {
      ...parsed,
      get spans() {
        return spans();
      },
    };
  });
}

/**
 * Reads a file, a paste or standard input as one or more items, in input order. Never throws: an item that is not a case
 * says what is wrong. The time is proportional to the length of the text.
 */
export function parseInput(text: string, { maxCaseChars: limit, format }: PasteOptions): Parsed[] {
  if (text.includes('\0')) return [refused(BINARY)];
  const lead = text.startsWith('\ufeff') ? 1 : 0;
  const whole = Tracked.received(text.slice(lead), lead).trim();
  const bare = segmentsIn(whole) ?? whole;
  const nothing = refused(`There is nothing to judge. ${HOW}`, BOTH_SIDES);
  if (bare.text === '') return [nothing];
  // JSON and tables may hold many cases, so the limit applies to each of those. They are read before any cleaning.
  const raw = { text: bare, marked: bare, limit, format };
  const many = readTraced(raw) ?? readJson(raw) ?? readRows(raw);
  if (many) return withSpans(many, text, Tracked.added(''));
  const { length } = bare.text;
  if (length > limit) return [tooLong(length, limit)];
  const lines = bare.text.split('\n').length;
  if (lines > mostLines(limit)) return [tooManyLines(lines, mostLines(limit))];
  if (!bare.text.isWellFormed())
    return [
      refused(
        'The text holds half of a character (a lone surrogate), as happens when an emoji is cut: paste it again as UTF-8.',
      ),
    ];
  const subtitles = subtitlesIn(bare, format);
  if (subtitles !== null && 'problem' in subtitles) return [refused(subtitles.problem, BOTH_SIDES)];
  const marked = subtitles?.text ?? cleanText(bare);
  const paste = { text: marked.replace(MARKS, () => '').trim(), marked, limit, format };
  if (paste.text.text === '') return [nothing];
  for (const read of FORMS) {
    const items = read(paste);
    if (items)
      return withSpans(
        items.map((item) =>
          'case' in item ? { ...item, assumed: [...(subtitles?.assumed ?? []), ...item.assumed] } : item,
        ),
        text,
        read === readLabeled || read === readEmbedded ? paste.text : Tracked.added(''),
      );
  }
  return [nothing];
}

/** The marks of blocks in a cleaned text. */
export const MARKS = new RegExp(`[${BLOCK_BEGINS}${BLOCK_ENDS}]`, 'g');
