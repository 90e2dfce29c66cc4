import { oncePer } from '../../common/index.ts';
import { alternatives, type CaseFormat, type Words } from '../format/index.ts';
import { type LabelMeaning, meaningOf, type Role } from './label-meanings.ts';

/** A line that starts with a known label. */
export interface Labeled extends LabelMeaning {
  /** As written. */
  label: string;
  value: string;
  /** The position of the value in the line. */
  at: number;
  /** Whether the line marks its turn as the one to judge. */
  marked: boolean;
  /** The star or arrow before the label. If only one turn has one, it marks the turn to judge. */
  sign?: string | undefined;
  /** Whether the label is the whole line, with no separator and no value. */
  alone: boolean;
  /** The time that a chat or a log adds before or after the label; empty if there is none. */
  stamp: string;
}

/** The part of a line in which a label must end, in characters. */
const REACH = 100;
const DAY = String.raw`(?:\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.\d{2,4}|\d{1,2}/\d{1,2}/\d{2,4})`;
export const STAMP = String.raw`\[?\(?(?:${DAY},?[T ])?\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,6})?(?: ?[AaPp][Mm])?(?:Z|[+-]\d{2}:?\d{2})?\)?\]?`;
const ANY_STAMP = new RegExp(STAMP);
const TRAILING_STAMP = new RegExp(` ${STAMP}$`);
const SIGN = /^(?:\*(?= )|-{1,2}>|={1,2}>|→|⇒|➡|▶|►|👉)/u;
const SEPARATOR = /[:：]|(?<=^[QAUSF])\.(?= )|->|→|=>|>(?= )| [-–—=] | (?=["“„])/gu;
const EMPHASIS = /^[*_~`"“”]{1,6}/u;
const EMPHASIS_END = /[*_~`"“”]{1,6}$/u;
const CLOSERS = /[*_~`"'“”‘’\])>]{1,6}$/u;
/** A key and its value as printed in logs: `conf=[0.9]`. */
const PAIRS = /^(?:[\w.-]{1,30} ){0,2}[\w.[\]-]{1,30}=["'“[({]/;
/** Maximum length of a mark at the end of a line, in characters. */
const LONGEST_MARK = 24;

const patterns = oncePer(({ speakers }: Words) => {
  const judge = alternatives(speakers.judgeThis);
  return {
    /** `[judge] System: …` */
    judgeFirst: new RegExp(String.raw`^[[(<]{1,2} ?${judge} ?[\])>]{1,2} ?:? ?`, 'iu'),
    judgeThis: new RegExp(String.raw`[([]?(?:<-|←|<--)? ?${judge}[)\]]?`, 'iu'),
    /** `[judge]`, `<- judge this` and `<<<` at the end of a line mark its turn as the one to judge. */
    judgeLast: new RegExp(String.raw` ?(?:[([]${judge}[)\]]|(?:<--?|←) ?${judge}|<<<|←)$`, 'iu'),
    /** What may come before a label: arrows, bullets, times, turn numbers, log levels and other signs. */
    leads: [
      /^(?:-{1,2}|={1,2})> ?/,
      /^(?:[-•*–·+]|\d{1,3}[.)]) /,
      new RegExp(`^${STAMP} ?[-–|:]? `),
      new RegExp(String.raw`^${alternatives(speakers.turn)} \d{1,4} ?[-–:.]? ?`, 'iu'),
      /^(?:INFO|DEBUG|WARN|TRACE|ERROR)[ :-]{1,3}/,
      /^[^\p{L}\p{N}\s>]{1,6} ?/u,
    ],
    /** A line that holds only the number of a turn. */
    turnNumber: new RegExp(
      String.raw`^[\s*#_[(-]{0,8}${alternatives(speakers.turn)} \d{1,4}[\s*:._\])-]{0,6}$`,
      'iu',
    ),
    pairs: new Set(speakers.letters),
  };
});

interface Start {
  rest: string;
  /** The position of `rest` in the line. */
  at: number;
  lead: string;
  sign: string | undefined;
  marked: boolean;
  format: CaseFormat;
}

/** Strips what may come before a label: bullets, times, heading marks, emphasis, and marks such as `>>>`. */
function withoutLead(line: string, format: CaseFormat): Start {
  const { judgeFirst, leads } = patterns(format.words);
  let rest = line.trimStart();
  const mark = rest.startsWith('>>>') ? '>>>' : (judgeFirst.exec(rest.slice(0, REACH))?.[0] ?? '');
  rest = rest.slice(mark.length).trimStart();
  const sign = SIGN.exec(rest)?.[0];
  let lead = '';
  for (let step = 0; step < 5; step += 1) {
    const head = rest.slice(0, REACH);
    const leading = leads.find((pattern) => pattern.test(head))?.exec(head)?.[0] ?? '';
    lead += leading;
    rest = rest.slice(leading.length).trimStart();
  }
  return { rest, at: line.length - rest.length, lead, sign, marked: mark !== '', format };
}

/** Strips emphasis or quote marks that open before the label and close after it or at the end of the line. */
function withoutEmphasis(value: string, lead: string): string {
  // The star of a bullet is not emphasis.
  if (!/[*_~`"“”]/u.test(lead.replace(/^\* /, ''))) return value;
  const opened = EMPHASIS.exec(value);
  return opened ? value.slice(opened[0].length).trimStart() : value.replace(EMPHASIS_END, '');
}

function labeled(
  { rest, at, lead, sign, marked, format }: Start,
  raw: string,
  text: string,
  alone: boolean,
): Labeled | null {
  const { judgeThis } = patterns(format.words);
  const trailing = TRAILING_STAMP.exec(raw)?.[0] ?? '';
  const rawLabel = raw.slice(0, raw.length - trailing.length);
  const bare = rawLabel.replace(judgeThis, '').trim();
  const label = bare.replace(CLOSERS, (closers) => (/[)\]]/.test(closers) ? closers : '')).trim();
  const bareValue = label === bare ? withoutEmphasis(text.trim(), lead) : text.trim();
  const labelMeaning = meaningOf(/[[<]/.test(lead) ? label.replace(/[\]>]$/, '') : label, format, bareValue);
  // "Score: 9" and "Title: …" can mean anything in a text; they mean a venue's only as keys and columns.
  if (labelMeaning === null || format.words.labelKinds.doubtful.includes(labelMeaning.word)) return null;
  const stamp = (ANY_STAMP.exec(lead)?.[0] ?? trailing.trim()).replace(/^[[(]{1,2}|[)\]]{1,2}$/g, '');
  // `[asr] final="…" conf=0.9` is a component's output, not speech.
  if (labelMeaning.meaning.kind === 'role' && PAIRS.test(text.trim().slice(0, REACH))) return null;
  const value = /["“]/.test(lead) ? bareValue.replace(/(?<=["”]),$/, '') : bareValue;
  return {
    ...labelMeaning,
    label: label.replace(/[\]>]$/, ''),
    value,
    at: at + rest.length - text.length + text.indexOf(value),
    marked: marked || judgeThis.test(rawLabel),
    alone,
    sign,
    stamp,
  };
}

/**
 * Whether a label before a separator other than a colon is a speaker. Other labels need a colon: "Rating > 4" is a
 * condition, "A - well" is prose, and "<@U123>" is a mention.
 */
const isSpeaker = (
  { meaning, word, value }: Labeled,
  sign: string,
  around: string,
  { lead, format: { words } }: Start,
): boolean =>
  meaning.kind === 'role' &&
  // "Auto = an" is a car's reported state.
  !(sign === ' = ' && [...words.labelKinds.alsoThings, ...words.labelKinds.described].includes(word)) &&
  !(isLetter(word) && around.includes(' ')) &&
  // A space separates only if the whole value is quoted: `Fahrer sagt "…"`.
  (sign !== ' ' || /^["“„][^"“”„]+["“”][.!]?$/.test(value)) &&
  !(sign === '>' && /[<@]/.test(lead));

/** Reads a label that a colon or another separator follows. */
function separated(start: Start, isReceiver = false): Labeled | null {
  const head = start.rest.slice(0, REACH);
  for (const { index, 0: sign } of [...head.matchAll(SEPARATOR)].slice(0, 4)) {
    const end = index + sign.length;
    // The colon of a time of day is no separator.
    if (/\d$/.test(head.slice(0, index)) && /^\d\d(?!\d)/.test(head.slice(end))) continue;
    const candidate = labeled(start, head.slice(0, index), start.rest.slice(end), false);
    const isColon = /[:：]/.test(sign);
    if (candidate === null || !(isColon || isSpeaker(candidate, sign, head.slice(index - 1, end), start)))
      continue;
    // In `Driver -> Car: …`, the receiver is not part of what is said.
    const receiver =
      !isReceiver &&
      /[>→]$/.test(sign) &&
      separated({ ...start, rest: candidate.value, at: candidate.at }, true);
    return receiver && receiver.meaning.kind === 'role'
      ? { ...candidate, value: receiver.value, at: receiver.at }
      : candidate;
  }
  return null;
}

/** Reads a label in brackets, as in chat logs: `[User] hello`, `<user> hello`. */
function bracketed(start: Start): Labeled | null {
  const [all = '', label = ''] = /^([^\]>\n]{1,40})[\]>] ?/.exec(start.rest) ?? [];
  const isOpen = label !== '' && /[[<]$/.test(start.lead.trimEnd());
  const bracketed = isOpen ? labeled(start, label, start.rest.slice(all.length), false) : null;
  return bracketed?.meaning.kind === 'role' || bracketed?.meaning.kind === 'metadata' ? bracketed : null;
}

function whole(start: Start): Labeled | null {
  const wholeLabel = start.rest.length > REACH ? null : labeled(start, start.rest.trimEnd(), '', true);
  const { neverAlone } = start.format.words.labelKinds;
  return wholeLabel === null || isLetter(wholeLabel.word) || neverAlone.includes(wholeLabel.word)
    ? null
    : wholeLabel;
}

/**
 * Reads the label at the start of a line: `**User 1:** …`, `[10:32] Bot - …`, `"answer": …`, or a label on its own. Null
 * if there is none.
 */
export function readLabel(line: string, format: CaseFormat): Labeled | null {
  const start = withoutLead(line, format);
  return separated(start) ?? bracketed(start) ?? whole(start);
}

/** Whether a line holds only the number of the next turn. */
export const isTurnNumber = (line: string, words: Words): boolean =>
  line.length < REACH && patterns(words).turnNumber.test(line);

/** Strips the mark of the turn to judge from the end of a turn's text. */
export function withoutMark(text: string, words: Words): { text: string; marked: boolean } {
  const mark = patterns(words).judgeLast.exec(text.slice(-LONGEST_MARK))?.[0] ?? '';
  return mark === '' ? { text, marked: false } : { text: text.slice(0, -mark.length).trim(), marked: true };
}

/** The letters that stand for user and system in a text, such as `u` and `s`. */
export type Letters = Readonly<Record<Role, string>>;

/** Whether a label is a single letter, which counts only as one of a pair. */
export const isLetter = (word: string): boolean => word.length === 1;

/** The pair of letters that label a text's turns. Null if a role in words comes first: then letters are text. */
export function findLetters(lines: readonly { label: Labeled | null }[], format: CaseFormat): Letters | null {
  const { pairs } = patterns(format.words);
  const last: { user?: string; system?: string } = {};
  for (const { label } of lines) {
    const { word = '', meaning } = label ?? {};
    if (meaning?.kind !== 'role') continue;
    if (!isLetter(word)) return null;
    last[meaning.role] = word;
    const { user, system } = last;
    if (user !== undefined && system !== undefined && pairs.has(user + system)) return { user, system };
  }
  return null;
}

/** Patterns for what people say around a conversation, to the app or to each other. */
export const phrases = oncePer(({ speakers, patterns }: Words) => {
  const greeting = `${alternatives(speakers.greetings)}(?!\\p{L})`;
  const mentions = `(?:${patterns.mentions.join('|')})[ ,:;!]{0,3}`;
  const atStart = (sources: readonly string[]) => new RegExp(`^ {0,20}(?:${sources.join('|')})`, 'u');
  const people = `(?:[ ,:;]{0,3}(?:${patterns.mentions.join('|')})){0,3}[ ,:;]{0,3}`;
  const wholeLine = (sources: readonly string[], beside = '') =>
    new RegExp(
      `^[\\s_*~]{0,20}${beside}(?:${sources.length === 0 ? '(?!)' : sources.join('|')})${beside}[\\s_*~]{0,20}$`,
      'iu',
    );
  return {
    greeting: new RegExp(`^ {0,20}${greeting}`, 'iu'),
    /** Mentions directly before a label. */
    addressed: new RegExp(`^ {0,20}(?:${greeting}[ ,]{0,2})?${mentions}(?:${mentions}){0,4}`, 'iu'),
    /** A greeting with or without names, before other text: `Hi all, …`. */
    greeted: new RegExp(`^ {0,20}${greeting}(?: \\p{L}{1,20}){0,3}[,:;!–-]{0,2} `, 'iu'),
    /** A line that is nothing but a remark about the answer above. */
    remark: wholeLine(patterns.remarks),
    /** The same with mentions before or after it: `wdyt @anna`. */
    remarkTo: wholeLine(patterns.remarks, people),
    /** A line that ends a message or a session; the conversation ends there. */
    closing: wholeLine(patterns.closings),
    /** A wake word, which only a user says: `Hey Mercedes, …`. */
    wakeWord: atStart(patterns.wakeWords),
    /** A line that starts one of several cases. */
    caseHeader: atStart(patterns.caseHeaders),
    /** The name of an assistant, anywhere. */
    assistant: new RegExp(patterns.assistants.join('|'), 'u'),
    /** A mention of the app that reads the paste, anywhere. */
    app: new RegExp(`(?:${patterns.app.join('|')})`, 'iu'),
  };
});

/** The part of a text, from its start, in which phrases are searched for, in characters. */
export const PHRASE_REACH = 300;

/** Whether a text starts with a phrase, or has an assistant's name within {@link PHRASE_REACH} characters. */
export const begins = (
  text: string,
  phrase: 'greeting' | 'wakeWord' | 'caseHeader' | 'assistant',
  words: Words,
): boolean => phrases(words)[phrase].test(text.slice(0, PHRASE_REACH));

/** Whether a line as a whole ends a message. */
export const isClosing = (line: string, words: Words): boolean =>
  line.length <= MAX_CLOSING && phrases(words).closing.test(line);

/** Maximum length of a line that may end a message, in characters. */
const MAX_CLOSING = 120;

/** Whether a line as a whole, or each of its sentences, is a remark about the answer above, or mentions the app. */
export function isRemark(line: string, words: Words): boolean {
  if (line.length > PHRASE_REACH) return false;
  const { app, remark, remarkTo } = phrases(words);
  if (remark.test(line) || (/[@<]/.test(line) && (app.test(line) || remarkTo.test(line)))) return true;
  const sentences = /[.!?] /.test(line) ? line.trim().split(/(?<=[.!?]) +/) : [];
  return sentences.length > 1 && sentences.every((sentence) => remark.test(sentence));
}

/** Whether a line holds only the number of a case: `2)`, `Case 3:`. */
export const isCaseNumber = (line: string, words: Words): boolean =>
  begins(line, 'caseHeader', words) &&
  /^[^\p{L}\d]*(?:\p{L}{1,12} ?)*[#-]?(?:\d{1,5}|[A-Z])[^\p{L}\d]*$/u.test(line);
