import type { CaseFormat } from '../format/index.ts';
import { excerpt } from './clean-text.ts';
import { PHRASE_REACH, phrases, readLabel } from './line-labels.ts';
import { type Line, linesOf } from './lines.ts';
import { Tracked } from './tracked-text.ts';

/** Punctuation that can end a remark before the first label: `@Jury can you check this? User: …`. */
const REMARK_END = /[:?!.,;] | [-–—] /g;
const MOST_TRIES = 6;

/**
 * Finds where to split a line so that the label of a turn starts the second part. The label may follow a mention
 * (`@Anna User: …`); the first label of a paste may also follow a greeting or a remark (`Hey @Jury, one more: User: …`).
 * @returns the position of the label, or null if there is nothing to split off
 */
function partAt(line: Line, isFirst: boolean, format: CaseFormat): number | null {
  const { addressed, greeted } = phrases(format.words);
  const { text } = line;
  const head = text.slice(0, PHRASE_REACH);
  const lead = (addressed.exec(head) ?? (isFirst ? greeted.exec(head) : null))?.[0].length ?? 0;
  if ((lead === 0 && !isFirst) || line.label !== null) return null;
  const ends = isFirst ? [...head.slice(lead).matchAll(REMARK_END)].slice(0, MOST_TRIES) : [];
  for (const at of [
    ...(lead > 0 ? [lead] : []),
    ...ends.map(({ index, 0: end }) => lead + index + end.length),
  ]) {
    const [before, rest] = [text.slice(0, at).trim(), text.slice(at)];
    const labeled = readLabel(rest, format);
    const isSure =
      (isFirst && at === lead) || (labeled !== null && labeled.word.length > 1 && !labeled.alone);
    // A remark such as `Tested this morning. I said: "…"` needs no mention, because a quote follows the label.
    const isRemark = /^\p{L}[\p{L}\p{N} ,.!?'’-]*[.!?,:–-]$/u.test(before) && /[:,] ?["“„]/.test(rest);
    if (labeled?.meaning.kind === 'role' && isSure && (lead > 0 || isRemark)) return at;
  }
  return null;
}

/**
 * An e-mail header: three or more header lines in a row. It is left out because its date would be taken for the user's.
 */
const MAIL =
  /(?:^[>*]{0,2} ?(?:From|To|Cc|CC|Bcc|Sent|Subject|Date|Reply-To|Von|An|Betreff|Gesendet|Datum)\*? ?:.*(?:\n|$)){3,}/m;

/**
 * Splits a paste into lines so that every label of a turn starts a line. Leaves out an e-mail header that names a sender
 * or a subject, and words to people before a label.
 * @returns `assumed`: a note on each part left out
 */
export function withoutAddress(whole: Tracked, format: CaseFormat): { lines: Line[]; assumed: string[] } {
  const mail = MAIL.exec(whole.text);
  const header = mail?.[0] ?? '';
  const isMail = mail !== null && /^[>* ]{0,3}(?:From|Subject|Von|Betreff)/m.test(header);
  const assumed = isMail ? [`left out: the header of an e-mail ("${excerpt(header)}")`] : [];
  const text = isMail
    ? Tracked.join([whole.slice(0, mail.index), whole.slice(mail.index + header.length)])
    : whole;
  let isFirst = true;
  const lines = linesOf(text, format).flatMap((line) => {
    const at = partAt(line, isFirst, format);
    const wasFirst = isFirst;
    isFirst &&= at === null && line.label?.meaning.kind !== 'role';
    if (at === null) return [line];
    if (wasFirst) return [line.slice(0, at), line.slice(at)];
    assumed.push(`left out: "${excerpt(line.text.slice(0, at).trim())}" before a label`);
    return [line.slice(at)];
  });
  return { lines, assumed };
}
