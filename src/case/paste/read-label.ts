import { type DeclaredLabels, NONE_DECLARED } from './declared-labels.ts';
import { type LabelMeaning, meaningWith } from './labels.ts';

/** A line that begins with a label that we know. */
export interface Labelled extends LabelMeaning {
  /** As written. */
  label: string;
  value: string;
  /** Whether the line says that this is the turn to judge. */
  marked: boolean;
  /** The bullet or arrow before it, which marks the turn to judge where no other turn has it. */
  sign?: string;
  /** Whether nothing separates the label from a value: the label is the whole line. */
  alone: boolean;
  /** The time that a chat or a log put before or behind the label. */
  stamp?: string;
}

/** How far into a line a label may reach. */
const REACH = 100;
const DAY = String.raw`(?:\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.\d{2,4}|\d{1,2}/\d{1,2}/\d{2,4})`;
const STAMP = String.raw`\[?\(?(?:${DAY},?[T ])?\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,6})?(?: ?[AaPp][Mm])?(?:Z|[+-]\d{2}:?\d{2})?\)?\]?`;
/** `[judge] System: …` */
const JUDGE = /^[[(<]{1,2} ?judge(?: this)?(?: one)? ?[\])>]{1,2} ?:? ?/i;
const SIGN = /^(?:\*(?= )|-{1,2}>|={1,2}>|→|⇒|➡|▶|►|👉)/u;
const LEADS: readonly RegExp[] = [
  /^(?:-{1,2}|={1,2})> ?/,
  /^(?:[-•*–·+]|\d{1,3}[.)]) /,
  new RegExp(`^${STAMP} ?[-–|:]? `),
  /^turn \d{1,4} ?[-–:.]? ?/i,
  /^(?:INFO|DEBUG|WARN|TRACE|ERROR)[ :-]{1,3}/,
  /^[^\p{L}\p{N}\s>]{1,6} ?/u,
];
const ANY_STAMP = new RegExp(STAMP);
const TRAILING_STAMP = new RegExp(` ${STAMP}$`);
const SEPARATOR = /[:：]|->|→|=>| [-–—] /g;
const JUDGE_THIS = /[([]?(?:<-|←|<--)? ?judge this(?: one)?[)\]]?/i;
const EMPHASIS = /^[*_~`"“”]{1,6}/u;
const EMPHASIS_END = /[*_~`"“”]{1,6}$/u;
const CLOSERS = /[*_~`"'“”‘’\])>]{1,6}$/u;

interface Start {
  rest: string;
  lead: string;
  sign: string | null;
  marked: boolean;
  declared: DeclaredLabels;
}

/** The line without bullet, timestamp, heading marks, emphasis and the mark `>>>` in front. */
function withoutLead(line: string, declared: DeclaredLabels): Start {
  let rest = line.trimStart();
  let lead = '';
  const mark = rest.startsWith('>>>') ? '>>>' : (JUDGE.exec(rest.slice(0, REACH))?.[0] ?? '');
  rest = rest.slice(mark.length).trimStart();
  const sign = SIGN.exec(rest)?.[0] ?? null;
  for (let step = 0; step < 5; step += 1) {
    const head = rest.slice(0, REACH);
    const found = LEADS.find((pattern) => pattern.test(head))?.exec(head)?.[0];
    if (found === undefined) break;
    lead += found;
    rest = rest.slice(found.length).trimStart();
  }
  return { rest, lead, sign, marked: mark !== '', declared };
}

/** Undoes emphasis or quotes that were opened before the label and closed after it or at the end of the line. */
function withoutEmphasis(value: string, lead: string): string {
  if (!/[*_~`"“”]/u.test(lead)) return value;
  const opened = EMPHASIS.exec(value);
  if (opened) return value.slice(opened[0].length).trimStart();
  return value.replace(EMPHASIS_END, '');
}

function labelled(start: Start, raw: string, rawValue: string, alone: boolean): Labelled | null {
  const trailing = TRAILING_STAMP.exec(raw)?.[0].trim();
  const rawLabel = trailing === undefined ? raw : raw.slice(0, -trailing.length);
  const judgeThis = JUDGE_THIS.test(rawLabel);
  const bare = rawLabel.replace(JUDGE_THIS, '').trim();
  const label = bare
    .replace(CLOSERS, (closers) => (closers.includes(')') || closers.includes(']') ? closers : ''))
    .trim();
  const stamp = ANY_STAMP.exec(start.lead)?.[0] ?? trailing;
  const bareLabel = /[[<]/.test(start.lead) ? label.replace(/[\]>]$/, '') : label;
  const found = meaningWith(bareLabel, rawValue.trim(), start.declared);
  if (found === null) return null;
  const value = label === bare ? withoutEmphasis(rawValue.trim(), start.lead) : rawValue.trim();
  const isQuoted = /["“]/.test(start.lead) && /["”],$/.test(value);
  return {
    ...found,
    label: label.replace(/[\]>]$/, ''),
    value: isQuoted ? value.slice(0, -1) : value,
    marked: start.marked || judgeThis,
    alone,
    ...(start.sign === null ? {} : { sign: start.sign }),
    ...(stamp === undefined ? {} : { stamp: stamp.replace(/^[[(]{1,2}|[)\]]{1,2}$/g, '') }),
  };
}

const isOneLetter = (found: Labelled): boolean => found.word.length === 1;

function separated(start: Start): Labelled | null {
  const head = start.rest.slice(0, REACH);
  let tries = 0;
  for (const match of head.matchAll(SEPARATOR)) {
    if (tries++ === 4) return null;
    const end = match.index + match[0].length;
    // The colon of a time of day separates nothing.
    if (/\d$/.test(head.slice(0, match.index)) && /^\d\d(?!\d)/.test(head.slice(end))) continue;
    const label = head.slice(0, match.index);
    const found = labelled(start, label, start.rest.slice(end), false);
    // "A - well" is prose far more often than an answer.
    if (found && !(isOneLetter(found) && match[0].includes(' '))) return found;
  }
  return null;
}

/** `[User] hello` and `<user> hello`, as chat logs write it. */
function bracketed(start: Start): Labelled | null {
  if (!/[[<]$/.test(start.lead.trimEnd())) return null;
  const match = /^([^\]>\n]{1,40})[\]>] ?/.exec(start.rest);
  const found = match ? labelled(start, match[1] ?? '', start.rest.slice(match[0].length), false) : null;
  return found?.meaning.kind === 'role' ? found : null;
}

function whole(start: Start): Labelled | null {
  if (start.rest.length > REACH) return null;
  const found = labelled(start, start.rest.trimEnd(), '', true);
  return found && !isOneLetter(found) ? found : null;
}

/** The label that a line begins with: `**User 1:** …`, `[10:32] Bot - …`, `"answer": …`, or a label alone. */
export function readLabel(line: string, declared: DeclaredLabels = NONE_DECLARED): Labelled | null {
  const start = withoutLead(line, declared);
  return separated(start) ?? bracketed(start) ?? whole(start);
}
