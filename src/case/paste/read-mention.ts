import { type Labelled, readLabel } from './read-label.ts';

const NAMED = String.raw`(?:<@\w{1,30}(?:\|[^<>\n]{0,60})?>|@[\p{L}\p{N}._-]{1,40})`;
const MENTIONS = `${NAMED}[ ,:;!]{0,3}`;
const GREETING = String.raw`(?:hey|hi|hello|hallo|moin|servus|good (?:morning|evening)|guten (?:tag|morgen|abend))(?!\p{L})`;
/** Somebody is addressed, and the label follows at once. */
const ADDRESSED = new RegExp(`^ {0,20}(?:${GREETING}[ ,]{0,2})?${MENTIONS}(?:${MENTIONS}){0,4}`, 'iu');
/** A greeting by itself, with or without a name: `Hi all, …`. */
const GREETED = new RegExp(`^ {0,20}${GREETING}(?: \\p{L}{1,20}){0,3}[,:;!–-]{0,2} `, 'iu');
/** Where a remark before the label may end: `@Jury can you check this? User: …`. */
const REMARK_END = /[:?!.,;] | [-–—] /g;
const MOST_TRIES = 6;

/** A label behind a mention or a greeting: what stands before it, and the line from the label on. */
export interface Mentioned {
  lead: string;
  rest: string;
  labelled: Labelled;
}

function at(line: string, position: number): Mentioned | null {
  const rest = line.slice(position);
  const labelled = readLabel(rest);
  return labelled?.meaning.kind === 'role' ? { lead: line.slice(0, position).trim(), rest, labelled } : null;
}

/**
 * The label of a turn after a leading mention (`<@U123> User: …`); before the first label also after a greeting or a
 * remark (`Hey @Jury, one more: User: …`).
 */
export function afterMention(line: string, isFirst: boolean): Mentioned | null {
  const head = line.slice(0, 300);
  const addressed = ADDRESSED.exec(head)?.[0];
  const lead = addressed ?? (isFirst ? GREETED.exec(head)?.[0] : undefined);
  if (lead === undefined) return null;
  const direct = at(line, lead.length);
  if (direct || !isFirst) return direct;
  let tries = 0;
  for (const end of head.slice(lead.length).matchAll(REMARK_END)) {
    if (tries++ === MOST_TRIES) return null;
    const found = at(line, lead.length + end.index + end[0].length);
    if (found && found.labelled.word.length > 1 && !found.labelled.alone) return found;
  }
  return null;
}

/** Whether a text speaks to the app that reads it: `@jury`, or a mention as Slack writes it. */
export const addressesApp = (text: string): boolean => /@jury(?!\p{L})|<@[UW]\w{1,20}[|>]/iu.test(text);

/** Whether it begins with that. */
export const beginsWithApp = (line: string): boolean =>
  /^ {0,20}(?:@jury(?!\p{L})|<@[UW]\w{1,20}[|>])/iu.test(line);
