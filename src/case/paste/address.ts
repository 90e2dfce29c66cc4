import type { CaseFormat } from '../case-format.ts';
import { PHRASE_REACH, phrases, readLabel } from './line-starts.ts';
import { type Line, linesOf } from './lines.ts';
import { excerpt } from './text.ts';
import { Tracked } from './tracked.ts';

/** Where a remark before the label may end: `@Jury can you check this? User: …`. */
const REMARK_END = /[:?!.,;] | [-–—] /g;
const MOST_TRIES = 6;

/**
 * Where a line is parted before the label of a turn that follows a mention (`@Anna User: …`), before the first label also a
 * greeting or a remark (`Hey @Jury, one more: User: …`); null where it is not.
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
    // Tested this morning. I said: "…"
    const isRemark = /^\p{L}[\p{L}\p{N} ,.!?'’-]*[.!?,:–-]$/u.test(before) && /[:,] ?["“„]/.test(rest);
    if (labeled?.meaning.kind === 'role' && isSure && (lead > 0 || isRemark)) return at;
  }
  return null;
}

/** The header of an e-mail, whose date is not the user's: at least three lines in a row, one of them the sender or the subject. */
const MAIL =
  /(?:^[>*]{0,2} ?(?:From|To|Cc|CC|Bcc|Sent|Subject|Date|Reply-To|Von|An|Betreff|Gesendet|Datum)\*? ?:.*(?:\n|$)){3,}/m;

/** The lines with each label of a turn at the start of one; the header of an e-mail, and what was said to people before a label, are left out. */
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
