import type { CaseFormat } from '../case-format.ts';
import { finishDraft } from './finish-draft.ts';
import { recognize } from './formats.ts';
import { BINARY } from './json.ts';
import { readBroken, readJson, readLog, readYaml } from './json-cases.ts';
import { readLabel } from './label-line.ts';
import { finishPair, splitPair } from './pair.ts';
import { begins, phrases, seenSpeaking } from './phrases.ts';
import {
  BOTH_SIDES,
  type Draft,
  HOW,
  numbered,
  type Parsed,
  type Paste,
  refused,
  speaks,
  tooLong,
} from './problems.ts';
import { readText } from './read-text.ts';
import { readRows } from './tables.ts';
import { cleanText, excerpt, stripQuotes, withoutMarks } from './text.ts';

const isRule = (line: string): boolean =>
  /^[ \t]{0,8}(?:-{3,200}|={3,200}|—{3,200}|_{3,200}|\*{3,200})[ \t]{0,8}$/.test(withoutMarks(line));

const isBlank = (line: string): boolean => withoutMarks(line).trim() === '';

const isUserLine = (line: string, format: CaseFormat): boolean => {
  const meaning = readLabel(line, format)?.meaning;
  return meaning?.kind === 'role' && meaning.role === 'user';
};

/** A way in which cases stand below each other. */
interface Split {
  /** Where one ends, for a message. */
  where: string;
  /** Whether a line begins a part, or divides two and is in none. */
  at: (line: string, before: string | undefined, format: CaseFormat) => 'begins' | 'divides' | null;
  /** The fewest such lines. */
  least: number;
  /** Whether a first part in which nobody speaks belongs to the first case. */
  takesLead: boolean;
}

const AT_RULES: Split = {
  where: 'the lines of dashes',
  at: (line) => (isRule(line) ? 'divides' : null),
  least: 1,
  takesLead: false,
};

const AT_NUMBERS: Split = {
  where: 'their numbers',
  at: (line, _, { words }) => (begins(line, 'caseHeader', words) ? 'begins' : null),
  least: 2,
  takesLead: true,
};

const AT_BLANK_LINES: Split = {
  where: 'the blank lines (remove those if it is one conversation)',
  at: (line, before, format) =>
    before !== undefined && isBlank(before) && isUserLine(line, format) ? 'begins' : null,
  least: 1,
  takesLead: true,
};

interface Part {
  text: string;
  draft: Draft;
}

/** The lines of a text in parts; null where they are not several. */
function cut(lines: readonly string[], split: Split, format: CaseFormat): string[] | null {
  const { at, least } = split;
  const parts: string[][] = [[]];
  for (const [index, line] of lines.entries()) {
    const kind = at(line, lines[index - 1], format);
    if (kind !== null) parts.push([]);
    if (kind !== 'divides') parts.at(-1)?.push(line);
  }
  const filled = parts.map((part) => part.join('\n')).filter((part) => !isBlank(part));
  // Numbers below the first turn are those of a list.
  if (split === AT_NUMBERS && parts[0]?.some((line) => readLabel(line, format)?.meaning.kind === 'role'))
    return null;
  return parts.length <= least || filled.length < 2 ? null : filled;
}

/** The cases of a split, each with both sides; a part where nobody speaks belongs to the one before it. Null where there are not two. */
function partsOf(lines: readonly string[], split: Split, format: CaseFormat): Part[] | null {
  const cases: { text: string; draft: Draft | null }[] = [];
  let lead = '';
  for (const text of cut(lines, split, format) ?? []) {
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
  if (cases.length < 2) return null;
  return cases.map(({ text, draft }) => ({ text, draft: draft ?? readText(text, format) }));
}

/** Whether a part between blank lines begins with the user, ends with an answer and has no blank line between its turns. */
const isBlock = ({ draft: { turns } }: Part): boolean =>
  turns[0]?.role === 'user' &&
  turns.at(-1)?.role === 'system' &&
  turns.slice(0, -1).every(({ text }) => !/\n[ \t]*$/.test(text));

/** Whether one exchange goes on with what was said in the one before it. */
function goesOn({ draft: { turns } }: Part, before: Part | undefined, { words }: CaseFormat): boolean {
  const answer = before?.draft.turns.at(-1)?.text.trimEnd();
  const isAsked = answer !== undefined && /\?["'”“)]?$/.test(answer);
  return before !== undefined && (isAsked || begins(turns[0]?.text.trim() ?? '', 'followUp', words));
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

function finishParts(parts: readonly Part[], assumed: readonly string[], { where }: Split): Parsed[] {
  return parts.map(({ draft }, index) => {
    const split = `split into ${parts.length} cases at ${where}: this is case ${index + 1}`;
    draft.assumed.unshift(...assumed, split);
    return numbered(finishText(draft), `Case ${index + 1} of ${parts.length}`);
  });
}

/** Two answers to one request, or several such between lines of dashes; null for any other text. */
function readPairs(text: string, format: CaseFormat, assumed: readonly string[]): Parsed[] | null {
  const texts = cut(text.split('\n'), AT_RULES, format) ?? [text];
  const pairs = texts.map((part) => splitPair(part, format)).filter((pair) => pair !== null);
  return pairs.length < texts.length ? null : pairs.map((pair) => finishPair(pair, format, assumed));
}

/** The cases of a text with labels: between lines of dashes, below headers or numbers, else between blank lines where nothing says that they go on. */
function readCases(marked: string, format: CaseFormat, assumed: readonly string[]): Parsed[] | Draft {
  const pairs = readPairs(marked, format, assumed);
  if (pairs) return pairs;
  const lines = marked.split('\n');
  for (const split of [AT_RULES, AT_NUMBERS]) {
    const parts = partsOf(lines, split, format);
    if (parts) return finishParts(parts, assumed, split);
  }
  const parts = partsOf(lines, AT_BLANK_LINES, format);
  const areBlocks = parts?.every(isBlock) ?? false;
  const areExchanges = areBlocks && parts?.every(({ draft: { turns } }) => turns.length === 2);
  if (parts && areExchanges && !parts.some((part, at) => goesOn(part, parts[at - 1], format)))
    return finishParts(parts, assumed, AT_BLANK_LINES);
  const draft = readText(marked, format);
  draft.assumed.unshift(...assumed);
  if (areBlocks) draft.assumed.push('read as one conversation: put a line "---" between cases of their own');
  return draft;
}

export { decodeInput } from './json.ts';
export type { Parsed } from './problems.ts';

const MAX_REQUEST = 500;

/** Whether a text without labels may be what was said, and not a message to a colleague or to the app. */
function maySay(text: string, { words }: CaseFormat): boolean {
  return (
    text.includes(' ') &&
    // A name, the time of a log, or cells of a table stand at the beginning of other texts.
    !/^[^\n:]{1,40}: |^.{0,40}\d{2}:\d{2}:\d{2}|^[[(]?\d{1,4}[-:./]\d|^\w{1,30}=|^<| (?:->|=>|→) |\t/.test(
      text,
    ) &&
    !phrases(words).app.test(text) &&
    !begins(text, 'comment', words) &&
    (!begins(text, 'greeting', words) || begins(text, 'wakeWord', words))
  );
}

/** Whether lines are the rows of a table: all have the same number of cells, and more than one. */
function areRows(lines: readonly string[]): boolean {
  const [first, ...others] = lines.map((line) => line.split(/[;\t]|,(?![ \d])/).length);
  return first !== undefined && first > 1 && others.length > 0 && others.every((count) => count === first);
}

/** Two paragraphs, or two lines, are a request and its answer, and that is said; anything else without labels is refused. */
function readUnlabeled({ text, format }: Paste): Parsed {
  const paragraphs = text.split(/\n[ \t]{0,20}\n/).flatMap((part) => part.trim() || []);
  const lines = text.split('\n').flatMap((line) => line.trim() || []);
  if (areRows(lines))
    return refused(
      'A table whose columns are not known: name one of them "User" and one "System" in a first row, or write one turn a line: "User: …", "System: …".',
      BOTH_SIDES,
    );
  if (/<\/\w{1,20}>/.test(text))
    return refused(
      'This is HTML or XML: paste the text as it is shown, with "User: …" and "System: …" on lines of their own.',
      BOTH_SIDES,
    );
  const parts = paragraphs.length > 1 ? paragraphs : lines;
  const isList = parts.every((part, at) => new RegExp(`^(?:${at + 1}[.)]|[-–—•*]) `).test(part));
  const [said, ...answered] = isList ? parts.map((part) => part.replace(/^\S+ /, '')) : parts;
  const [answer, ...more] = answered;
  const isPair = said !== undefined && answer !== undefined && more.length === 0;
  if (isPair && said.length <= MAX_REQUEST && maySay(said, format) && maySay(answer, format))
    return {
      case: {
        conversation: [{ role: 'user', text: stripQuotes(said) }],
        response: stripQuotes(answer),
      },
      assumed: [
        `no label says who speaks: "${excerpt(said, 40)}" was read as the user, "${excerpt(answer, 40)}" as the response; write "User:" and "System:" if that is wrong`,
      ],
      isUnlabeled: true,
    };
  return refused(
    `No label says who speaks: write "User:" before what the user said and "System:" before the response to judge${answer === undefined ? '' : ' (the first paragraph looks like the user, the rest like the response)'}.`,
    answer === undefined ? ['response'] : [],
    {
      ...(said === undefined ? {} : { conversation: [{ role: 'user', text: said }] }),
      ...(answer === undefined ? {} : { response: answered.join('\n\n') }),
    },
  );
}

/** Lines with labels, or in a format that tells where labels would be. */
function readLines(paste: Paste): Parsed[] {
  const { marked, format } = paste;
  const found = recognize(marked, format);
  if ('speakers' in found)
    return [refused(`No label says who speaks. ${seenSpeaking(found.speakers)}`, BOTH_SIDES)];
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

/**
 * One file, paste or standard input as one or more items in input order. Never throws, and takes time in proportion to
 * the length of the text.
 *
 * @param options.maxCaseChars most characters of one case (JURY_MAX_CASE_CHARS)
 * @param options.format what a case may look like
 */
export function parseInput(text: string, options: { maxCaseChars: number; format: CaseFormat }): Parsed[] {
  const { maxCaseChars: limit, format } = options;
  if (text.includes('\0')) return [refused(BINARY)];
  const bare = text.replace(/^\ufeff/, '').trim();
  const nothing = refused(`There is nothing to judge. ${HOW}`, BOTH_SIDES);
  if (bare === '') return [nothing];
  // JSON and tables are read as they stand, and each of their cases may be as long as one case.
  const raw = { text: bare, marked: bare, limit, format };
  const many = readJson(raw) ?? readRows(raw);
  if (many) return many;
  if (bare.length > limit) return [tooLong(bare.length, limit)];
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
