import type { CaseFormat } from '../case-format.ts';
import { alternatives, oncePer, type Words } from '../words.ts';
import { type LabelMeaning, meaningOf, type Role } from './labels.ts';

/** A line that begins with a label that we know. */
export interface Labeled extends LabelMeaning {
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
export const STAMP = String.raw`\[?\(?(?:${DAY},?[T ])?\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,6})?(?: ?[AaPp][Mm])?(?:Z|[+-]\d{2}:?\d{2})?\)?\]?`;
const ANY_STAMP = new RegExp(STAMP);
const TRAILING_STAMP = new RegExp(` ${STAMP}$`);
const SIGN = /^(?:\*(?= )|-{1,2}>|={1,2}>|→|⇒|➡|▶|►|👉)/u;
const SEPARATOR = /[:：]|->|→|=>|>(?= )|=(?=\S)| [-–—] | (?=["“„])| {3,}(?![ :=|>-])/g;
const EMPHASIS = /^[*_~`"“”]{1,6}/u;
const EMPHASIS_END = /[*_~`"“”]{1,6}$/u;
const CLOSERS = /[*_~`"'“”‘’\])>]{1,6}$/u;
/** The longest mark at the end of a line. */
const LONGEST_MARK = 24;

const patterns = oncePer(({ speakers }: Words) => {
  const judge = alternatives(speakers.judgeThis);
  return {
    /** `[judge] System: …` */
    judgeFirst: new RegExp(String.raw`^[[(<]{1,2} ?${judge} ?[\])>]{1,2} ?:? ?`, 'iu'),
    judgeThis: new RegExp(String.raw`[([]?(?:<-|←|<--)? ?${judge}[)\]]?`, 'iu'),
    /** `[judge]`, `<- judge this` and `<<<` at the end of a line mark its turn as the one to judge. */
    judgeLast: new RegExp(String.raw` ?(?:[([]${judge}[)\]]|(?:<--?|←) ?${judge}|<<<|←)$`, 'iu'),
    /** What may stand before a label: arrows, bullets, the time of a chat or a log, numbers of turns, levels of logs, signs. */
    leads: [
      /^(?:-{1,2}|={1,2})> ?/,
      /^(?:[-•*–·+]|\d{1,3}[.)]) /,
      new RegExp(`^${STAMP} ?[-–|:]? `),
      new RegExp(String.raw`^${alternatives(speakers.turn)} \d{1,4} ?[-–:.]? ?`, 'iu'),
      /^(?:INFO|DEBUG|WARN|TRACE|ERROR)[ :-]{1,3}/,
      /^[^\p{L}\p{N}\s>]{1,6} ?/u,
    ],
    /** A line that only counts turns. */
    turnNumber: new RegExp(
      String.raw`^[\s*#_[(-]{0,8}${alternatives(speakers.turn)} \d{1,4}[\s*:._\])-]{0,6}$`,
      'iu',
    ),
    pairs: new Set(speakers.letters),
  };
});

interface Start {
  rest: string;
  lead: string;
  sign: string | null;
  marked: boolean;
  format: CaseFormat;
}

/** The line without bullet, timestamp, heading marks, emphasis and the mark `>>>` in front. */
function withoutLead(line: string, format: CaseFormat): Start {
  const { judgeFirst, leads } = patterns(format.words);
  let rest = line.trimStart();
  let lead = '';
  const mark = rest.startsWith('>>>') ? '>>>' : (judgeFirst.exec(rest.slice(0, REACH))?.[0] ?? '');
  rest = rest.slice(mark.length).trimStart();
  const sign = SIGN.exec(rest)?.[0] ?? null;
  for (let step = 0; step < 5; step += 1) {
    const head = rest.slice(0, REACH);
    const found = leads.find((pattern) => pattern.test(head))?.exec(head)?.[0];
    if (found === undefined) break;
    lead += found;
    rest = rest.slice(found.length).trimStart();
  }
  return { rest, lead, sign, marked: mark !== '', format };
}

/** Undoes emphasis or quotes that were opened before the label and closed after it or at the end of the line. */
function withoutEmphasis(value: string, lead: string): string {
  // The star of a bullet opens nothing.
  if (!/[*_~`"“”]/u.test(lead.replace(/^\* /, ''))) return value;
  const opened = EMPHASIS.exec(value);
  if (opened) return value.slice(opened[0].length).trimStart();
  return value.replace(EMPHASIS_END, '');
}

function labeled(start: Start, raw: string, rawValue: string, alone: boolean): Labeled | null {
  const { judgeThis } = patterns(start.format.words);
  const trailing = TRAILING_STAMP.exec(raw)?.[0].trim();
  const rawLabel = trailing === undefined ? raw : raw.slice(0, -trailing.length);
  const bare = rawLabel.replace(judgeThis, '').trim();
  const label = bare
    .replace(CLOSERS, (closers) => (closers.includes(')') || closers.includes(']') ? closers : ''))
    .trim();
  const bareLabel = /[[<]/.test(start.lead) ? label.replace(/[\]>]$/, '') : label;
  const found = meaningOf(bareLabel, start.format, rawValue.trim());
  if (found === null) return null;
  const stamp = ANY_STAMP.exec(start.lead)?.[0] ?? trailing;
  const value = label === bare ? withoutEmphasis(rawValue.trim(), start.lead) : rawValue.trim();
  const isQuoted = /["“]/.test(start.lead) && /["”],$/.test(value);
  return {
    ...found,
    label: label.replace(/[\]>]$/, ''),
    value: isQuoted ? value.slice(0, -1) : value,
    marked: start.marked || judgeThis.test(rawLabel),
    alone,
    ...(start.sign === null ? {} : { sign: start.sign }),
    ...(stamp === undefined ? {} : { stamp: stamp.replace(/^[[(]{1,2}|[)\]]{1,2}$/g, '') }),
  };
}

/** Whether a speaker is followed by what was said and nothing else: `Fahrer sagt "…"`. */
const isQuote = ({ meaning, value }: Labeled): boolean =>
  meaning.kind === 'role' && /^["“„][^"“”„]+["“”][.!]?$/.test(value);

/** `Driver -> Car: …`: whom the words are for is no part of them. */
function withoutReceiver(found: Labeled, start: Start): Labeled {
  const receiver = separated({ ...start, rest: found.value }, true);
  return receiver?.meaning.kind === 'role' ? { ...found, value: receiver.value } : found;
}

function separated(start: Start, isReceiver = false): Labeled | null {
  const head = start.rest.slice(0, REACH);
  let tries = 0;
  for (const match of head.matchAll(SEPARATOR)) {
    if (tries++ === 4) return null;
    const end = match.index + match[0].length;
    // The colon of a time of day separates nothing.
    if (/\d$/.test(head.slice(0, match.index)) && /^\d\d(?!\d)/.test(head.slice(end))) continue;
    const label = head.slice(0, match.index);
    const found = labeled(start, label, start.rest.slice(end), false);
    // "A - well" is prose far more often than an answer, "Rating > 4" and "rating=4" are conditions, and "<@U123>" a mention.
    const isDoubtful =
      found &&
      match[0] !== ':' &&
      ((isLetter(found.word) && / /.test(head.slice(match.index - 1, end))) ||
        (match[0] === ' ' && !isQuote(found)) ||
        (match[0].length > 2 && found.meaning.kind !== 'role'));
    const isCondition =
      /^[>=]$/.test(match[0]) && (found?.meaning.kind !== 'role' || /[<@]/.test(start.lead));
    if (!found || isDoubtful || isCondition) continue;
    return isReceiver || !/[>→]$/.test(match[0]) ? found : withoutReceiver(found, start);
  }
  return null;
}

/** `[User] hello` and `<user> hello`, as chat logs write it. */
function bracketed(start: Start): Labeled | null {
  if (!/[[<]$/.test(start.lead.trimEnd())) return null;
  const match = /^([^\]>\n]{1,40})[\]>] ?/.exec(start.rest);
  const found = match ? labeled(start, match[1] ?? '', start.rest.slice(match[0].length), false) : null;
  return found?.meaning.kind === 'role' || found?.meaning.kind === 'metadata' ? found : null;
}

function whole(start: Start): Labeled | null {
  if (start.rest.length > REACH) return null;
  const found = labeled(start, start.rest.trimEnd(), '', true);
  const isText =
    found && (isLetter(found.word) || start.format.words.labelKinds.neverAlone.includes(found.word));
  return isText ? null : found;
}

/** The label that a line begins with: `**User 1:** …`, `[10:32] Bot - …`, `"answer": …`, or a label alone. */
export function readLabel(line: string, format: CaseFormat): Labeled | null {
  const start = withoutLead(line, format);
  return separated(start) ?? bracketed(start) ?? whole(start);
}

/** Whether a line says no more than which turn comes next. */
export const isTurnNumber = (line: string, words: Words): boolean =>
  line.length < REACH && patterns(words).turnNumber.test(line);

/** The text of a turn without the mark at its end that says that it is the one to judge, and whether it had one. */
export function withoutMark(text: string, words: Words): { text: string; marked: boolean } {
  const mark = patterns(words).judgeLast.exec(text.slice(-LONGEST_MARK))?.[0];
  return mark === undefined
    ? { text, marked: false }
    : { text: text.slice(0, -mark.length).trim(), marked: true };
}

/** The two letters that stand for user and system in one text: `u` and `s`. */
export type Letters = Readonly<Record<Role, string>>;

/** Whether a label is a letter, which counts only as one of a pair. */
export const isLetter = (word: string): boolean => word.length === 1;

/** The pair of letters that a text labels its turns with. Null where a label in words comes first: then a letter is text. */
export function findLetters(lines: readonly string[], format: CaseFormat): Letters | null {
  const { pairs } = patterns(format.words);
  let before: { word: string; role: Role } | null = null;
  for (const line of lines) {
    const found = readLabel(line, format);
    if (found?.meaning.kind !== 'role') continue;
    const next = { word: found.word, role: found.meaning.role };
    if (!isLetter(next.word)) return null;
    const [user, system] = next.role === 'user' ? [next, before] : [before, next];
    before = next;
    if (user?.role === 'user' && system?.role === 'system' && pairs.has(user.word + system.word))
      return { user: user.word, system: system.word };
  }
  return null;
}
