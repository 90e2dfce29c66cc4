import type { CaseFormat } from '../case-format.ts';
import { BINARY } from './json.ts';
import { readBroken, readJson, readLog, readYaml } from './json-cases.ts';
import { begins, phrases } from './phrases.ts';
import { BOTH_SIDES, HOW, type Parsed, type Paste, refused, tooLong } from './problems.ts';
import { finishText, readCases } from './split-cases.ts';
import { readRows } from './tables.ts';
import { cleanText, excerpt, stripQuotes, withoutMarks } from './text.ts';
import { recognize } from './transcripts.ts';

export { decodeInput } from './json.ts';
export type { Parsed } from './problems.ts';

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
