import type { CaseFormat } from '../case-format.ts';
import { alternatives, oncePer, type Words } from '../words.ts';
import { readLabel } from './label-line.ts';
import { excerpt, listed } from './text.ts';

/** What people say around a conversation, to the app or to each other; each pattern is tried at the start of a text. */
export const phrases = oncePer(({ speakers, patterns }: Words) => {
  const greeting = `${alternatives(speakers.greetings)}(?!\\p{L})`;
  const mentions = `(?:${patterns.mentions.join('|')})[ ,:;!]{0,3}`;
  const app = `(?:${patterns.app.join('|')})`;
  const atStart = (sources: readonly string[]) => new RegExp(`^ {0,20}(?:${sources.join('|')})`, 'u');
  return {
    greeting: new RegExp(`^ {0,20}${greeting}`, 'iu'),
    /** A mention, and the label follows at once. */
    addressed: new RegExp(`^ {0,20}(?:${greeting}[ ,]{0,2})?${mentions}(?:${mentions}){0,4}`, 'iu'),
    /** A greeting by itself, with or without a name: `Hi all, …`. */
    greeted: new RegExp(`^ {0,20}${greeting}(?: \\p{L}{1,20}){0,3}[,:;!–-]{0,2} `, 'iu'),
    /** A mention of the app that reads the paste, anywhere. */
    app: new RegExp(app, 'iu'),
    appFirst: new RegExp(`^ {0,20}${app}`, 'iu'),
    /** What a colleague says below an answer, after a blank line. */
    comment: atStart(patterns.comments),
    /** The same on any line. */
    remark: atStart(patterns.remarks),
    /** `Hey Mercedes, …`: what only a user says. */
    wakeWord: atStart(patterns.wakeWords),
    /** A line that begins a case of several. */
    caseHeader: atStart(patterns.caseHeaders),
    /** A user's turn that goes on with what was said before. */
    followUp: atStart(patterns.followUps),
    /** A name of an assistant, anywhere. */
    assistant: new RegExp(patterns.assistants.join('|'), 'u'),
  };
});

/** Longest beginning of a text in which phrases are looked for, in characters. */
const REACH = 300;

/** Whether a text begins with such a phrase. */
export const begins = (text: string, phrase: keyof ReturnType<typeof phrases>, words: Words): boolean =>
  phrases(words)[phrase].test(text.slice(0, REACH));

/** Whether a line is the number of a case and nothing else: `2)`, `Case 3:`. */
export const isCaseNumber = (line: string, words: Words): boolean =>
  begins(line, 'caseHeader', words) &&
  /^[^\p{L}\d]*(?:\p{L}{1,12} ?)*[#-]?(?:\d{1,5}|[A-Z])[^\p{L}\d]*$/u.test(line);

/** Where a remark before the label may end: `@Jury can you check this? User: …`. */
const REMARK_END = /[:?!.,;] | [-–—] /g;
const MOST_TRIES = 6;

/** A line parted before a label of a turn; null where none stands there. */
function partedAt(
  line: string,
  position: number,
  isSure: boolean,
  format: CaseFormat,
): [string, string] | null {
  const labeled = readLabel(line.slice(position), format);
  const isTurn = labeled?.meaning.kind === 'role' && (!isSure || (labeled.word.length > 1 && !labeled.alone));
  return isTurn ? [line.slice(0, position).trim(), line.slice(position)] : null;
}

/**
 * A line parted before the label of a turn that follows a mention (`@Anna User: …`), before the first label also a
 * greeting or a remark (`Hey @Jury, one more: User: …`).
 */
function parted(line: string, isFirst: boolean, format: CaseFormat): [string, string] | null {
  const { addressed, greeted } = phrases(format.words);
  const head = line.slice(0, REACH);
  const lead = addressed.exec(head)?.[0] ?? (isFirst ? greeted.exec(head)?.[0] : undefined);
  if ((lead === undefined && !isFirst) || readLabel(line, format) !== null) return null;
  const start = lead?.length ?? 0;
  const direct = lead === undefined ? null : partedAt(line, start, !isFirst, format);
  if (direct || !isFirst) return direct;
  const ends = [...head.slice(start).matchAll(REMARK_END)].slice(0, MOST_TRIES);
  for (const end of ends) {
    const found = partedAt(line, start + end.index + end[0].length, true, format);
    // Tested this morning. I said: "…"
    if (
      found &&
      (lead !== undefined ||
        (/^\p{L}[\p{L}\p{N} ,.!?'’-]*[.!?,:–-]$/u.test(found[0]) && /[:,] ?["“„]/.test(found[1])))
    )
      return found;
  }
  return null;
}

/** The text with each label of a turn at the start of a line, and what was said to people before one is left out. */
export function withoutMentions(text: string, format: CaseFormat): { text: string; assumed: string[] } {
  const assumed: string[] = [];
  let isFirst = true;
  const lines = text.split('\n').flatMap((line) => {
    const found = parted(line, isFirst, format);
    const wasFirst = isFirst;
    isFirst &&= found === null && readLabel(line, format)?.meaning.kind !== 'role';
    if (found && !wasFirst) assumed.push(`left out: "${excerpt(found[0])}" before a label`);
    return found && !wasFirst ? [found[1]] : (found ?? [line]);
  });
  return { text: lines.join('\n'), assumed };
}

/** Says who was seen as speaking and how to say who is who; empty where there was none. */
export function seenSpeaking(speakers: ReadonlyMap<string, string>): string {
  const [first] = speakers;
  if (first === undefined) return '';
  return `Speaking: ${listed([...speakers.keys()], 5)}. Nothing says who is the user and who is the system: replace each line such as "${excerpt(first[1], 60)}" with "User:" or "System:".`;
}
