import type { CaseFormat } from '../case-format.ts';
import { type Draft, type Parsed, speaks } from './draft.ts';
import { finishDraft } from './finish-draft.ts';
import { BINARY, parseJson } from './json.ts';
import { readJson, readLog, readYaml } from './json-cases.ts';
import { HOW, numbered, type Paste, refused, tooLong } from './problems.ts';
import { readText } from './read-text.ts';
import { seenSpeaking } from './speakers.ts';
import { cleanText, withoutMarks } from './text.ts';

export type { Parsed } from './draft.ts';
export { decodeInput } from './json.ts';

const isRule = (line: string): boolean =>
  /^[ \t]{0,8}(?:-{3,200}|={3,200}|—{3,200}|_{3,200}|\*{3,200})[ \t]{0,8}$/.test(withoutMarks(line));

/**
 * The parts of a text between lines of dashes or equals signs, each a case, where each holds a turn of the user and one of
 * the system; a part where nobody speaks belongs to the one before it. Null for all other texts.
 */
function readSections({ marked, format }: Paste): Parsed[] | null {
  const parts: string[] = [''];
  for (const line of marked.split('\n')) {
    if (isRule(line)) parts.push('');
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
  if (cases.length < 2) return null;
  return cases.map((one, index) => {
    const draft = one.draft ?? readText(one.text, format);
    draft.assumed.unshift(
      `split into ${cases.length} cases at the lines of dashes: this is case ${index + 1}`,
    );
    return numbered(finishDraft(draft), `Case ${index + 1} of ${cases.length}`);
  });
}

/** Two paragraphs without labels are a guess to begin a form with, and no more. */
function unlabeled(text: string, { speakers }: Draft): Parsed {
  if (speakers.size > 0)
    return refused(`No label says who speaks. ${seenSpeaking(speakers)}`, ['conversation', 'response']);
  const paragraphs = text.split(/\n[ \t]{0,20}\n/).flatMap((part) => part.trim() || []);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const [said, ...answered] = paragraphs.length > 1 ? paragraphs : lines;
  const isAnswered = answered.length > 0;
  return refused(
    `No label says who speaks: write "User:" before what the user said and "System:" before the response to judge${isAnswered ? ' (the first paragraph looks like the user, the rest like the response)' : ''}.`,
    isAnswered ? [] : ['response'],
    {
      ...(said ? { conversation: [{ role: 'user', text: said.toWellFormed() }] } : {}),
      ...(isAnswered ? { response: answered.join('\n\n').toWellFormed() } : {}),
    },
  );
}

/** Lines with labels; what has none is refused, and what was broken JSON is called that. */
function readLabeled({ text, marked, format }: Paste): Parsed[] {
  const draft = readText(marked, format);
  if (draft.turns.length > 0) return [finishDraft(draft)];
  if (/^[{[] ?["'{\n]/.test(text)) {
    const parsed = parseJson(text);
    return [
      refused(
        `Not valid JSON${'error' in parsed ? ` (${parsed.error})` : ''}: fix it, or write "User: …" and "System: …" lines.`,
        ['conversation', 'response'],
      ),
    ];
  }
  return [draft.context.length + draft.venue.length > 0 ? finishDraft(draft) : unlabeled(text, draft)];
}

/**
 * The forms in which people paste cases, in the order in which they are tried; each says null where the text has another.
 * A new one is its own module, and a line here.
 */
const FORMS: readonly ((paste: Paste) => Parsed[] | null)[] = [
  readJson,
  readYaml,
  readLog,
  readSections,
  readLabeled,
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
  const nothing = refused(`There is nothing to judge. ${HOW}`, ['conversation', 'response']);
  if (bare === '') return [nothing];
  // JSON is read as it stands, and each of its cases may be as long as one case.
  const json = readJson({ text: bare, marked: bare, limit, format });
  if (json) return json;
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
