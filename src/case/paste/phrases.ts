import type { CaseFormat } from '../case-format.ts';
import { alternatives, oncePer, type Words } from '../words.ts';
import { readLabel } from './label-line.ts';
import { excerpt } from './text.ts';

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

/**
 * A line parted before the label of a turn that follows a mention (`@Anna User: …`), before the first label also a
 * greeting or a remark (`Hey @Jury, one more: User: …`).
 */
function parted(line: string, isFirst: boolean, format: CaseFormat): [string, string] | null {
  const { addressed, greeted } = phrases(format.words);
  const head = line.slice(0, REACH);
  const lead = (addressed.exec(head) ?? (isFirst ? greeted.exec(head) : null))?.[0].length ?? 0;
  if ((lead === 0 && !isFirst) || readLabel(line, format) !== null) return null;
  const ends = isFirst ? [...head.slice(lead).matchAll(REMARK_END)].slice(0, MOST_TRIES) : [];
  for (const at of [
    ...(lead > 0 ? [lead] : []),
    ...ends.map(({ index, 0: end }) => lead + index + end.length),
  ]) {
    const [before, rest] = [line.slice(0, at).trim(), line.slice(at)];
    const labeled = readLabel(rest, format);
    const isSure =
      (isFirst && at === lead) || (labeled !== null && labeled.word.length > 1 && !labeled.alone);
    // Tested this morning. I said: "…"
    const isRemark = /^\p{L}[\p{L}\p{N} ,.!?'’-]*[.!?,:–-]$/u.test(before) && /[:,] ?["“„]/.test(rest);
    if (labeled?.meaning.kind === 'role' && isSure && (lead > 0 || isRemark)) return [before, rest];
  }
  return null;
}

/** The header of an e-mail, whose date is not the user's: at least three lines in a row, one of them the sender or the subject. */
const MAIL =
  /(?:^[>*]{0,2} ?(?:From|To|Cc|CC|Bcc|Sent|Subject|Date|Reply-To|Von|An|Betreff|Gesendet|Datum)\*? ?:.*(?:\n|$)){3,}/m;

/** The text with each label of a turn at the start of a line; the header of an e-mail, and what was said to people before a label, are left out. */
export function withoutAddress(whole: string, format: CaseFormat): { text: string; assumed: string[] } {
  const header = MAIL.exec(whole)?.[0] ?? '';
  const isMail = /^[>* ]{0,3}(?:From|Subject|Von|Betreff)/m.test(header);
  const assumed = isMail ? [`left out: the header of an e-mail ("${excerpt(header)}")`] : [];
  let isFirst = true;
  const lines = (isMail ? whole.replace(header, '') : whole).split('\n').flatMap((line) => {
    const found = parted(line, isFirst, format);
    const wasFirst = isFirst;
    isFirst &&= found === null && readLabel(line, format)?.meaning.kind !== 'role';
    if (found === null || wasFirst) return found ?? [line];
    assumed.push(`left out: "${excerpt(found[0])}" before a label`);
    return [found[1]];
  });
  return { text: lines.join('\n'), assumed };
}
