import { oncePer } from '../../common/index.ts';
import { alternatives, type CaseFormat, type Words } from '../format/index.ts';
import { type LabelMeaning, meaningOf, type Role } from './labels.ts';

/** A line that begins with a label that we know. */
export interface Labeled extends LabelMeaning {
  /** As written. */
  label: string;
  value: string;
  /** Where in the line the value begins. */
  at: number;
  /** Whether the line says that this is the turn to judge. */
  marked: boolean;
  /** The bullet or arrow before it, which marks the turn to judge where no other turn has it. */
  sign?: string | undefined;
  /** Whether nothing separates the label from a value: the label is the whole line. */
  alone: boolean;
  /** The time that a chat or a log put before or behind the label; empty where there is none. */
  stamp: string;
}

/** How far into a line a label may reach. */
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
/** A key with its value, as logs print them. */
const PAIRS = /^(?:[\w.-]{1,30} ){0,2}[\w.[\]-]{1,30}=["'“[({]/;
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
  /** Where in the line it begins. */
  at: number;
  lead: string;
  sign: string | undefined;
  marked: boolean;
  format: CaseFormat;
}

/** The line without bullet, timestamp, heading marks, emphasis and the mark `>>>` in front. */
function withoutLead(line: string, format: CaseFormat): Start {
  const { judgeFirst, leads } = patterns(format.words);
  let rest = line.trimStart();
  const mark = rest.startsWith('>>>') ? '>>>' : (judgeFirst.exec(rest.slice(0, REACH))?.[0] ?? '');
  rest = rest.slice(mark.length).trimStart();
  const sign = SIGN.exec(rest)?.[0];
  let lead = '';
  for (let step = 0; step < 5; step += 1) {
    const head = rest.slice(0, REACH);
    const found = leads.find((pattern) => pattern.test(head))?.exec(head)?.[0] ?? '';
    lead += found;
    rest = rest.slice(found.length).trimStart();
  }
  return { rest, at: line.length - rest.length, lead, sign, marked: mark !== '', format };
}

/** Undoes emphasis or quotes that were opened before the label and closed after it or at the end of the line. */
function withoutEmphasis(value: string, lead: string): string {
  // The star of a bullet opens nothing.
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
  const found = meaningOf(/[[<]/.test(lead) ? label.replace(/[\]>]$/, '') : label, format, bareValue);
  // "Score: 9" and "Title: …" say anything; they are a venue's as keys and columns only.
  if (found === null || format.words.labelKinds.doubtful.includes(found.word)) return null;
  const stamp = (ANY_STAMP.exec(lead)?.[0] ?? trailing.trim()).replace(/^[[(]{1,2}|[)\]]{1,2}$/g, '');
  // `[asr] final="…" conf=0.9`: what a component prints is not what anyone says.
  if (found.meaning.kind === 'role' && PAIRS.test(text.trim().slice(0, REACH))) return null;
  const value = /["“]/.test(lead) ? bareValue.replace(/(?<=["”]),$/, '') : bareValue;
  return {
    ...found,
    label: label.replace(/[\]>]$/, ''),
    value,
    at: at + rest.length - text.length + text.indexOf(value),
    marked: marked || judgeThis.test(rawLabel),
    alone,
    sign,
    stamp,
  };
}

/** Signs but the colon stand behind a speaker only: "Rating > 4" is a condition, "A - well" prose, "<@U123>" a mention. */
const isSpeaker = (
  { meaning, word, value }: Labeled,
  sign: string,
  around: string,
  { lead, format: { words } }: Start,
): boolean =>
  meaning.kind === 'role' &&
  // "Auto = an" is what a car reports.
  !(sign === ' = ' && [...words.labelKinds.alsoThings, ...words.labelKinds.described].includes(word)) &&
  !(isLetter(word) && around.includes(' ')) &&
  // Fahrer sagt "…"
  (sign !== ' ' || /^["“„][^"“”„]+["“”][.!]?$/.test(value)) &&
  !(sign === '>' && /[<@]/.test(lead));

/** What a label means that a sign such as a colon parts from what follows. */
function separated(start: Start, isReceiver = false): Labeled | null {
  const head = start.rest.slice(0, REACH);
  for (const { index, 0: sign } of [...head.matchAll(SEPARATOR)].slice(0, 4)) {
    const end = index + sign.length;
    // The colon of a time of day separates nothing.
    if (/\d$/.test(head.slice(0, index)) && /^\d\d(?!\d)/.test(head.slice(end))) continue;
    const found = labeled(start, head.slice(0, index), start.rest.slice(end), false);
    const isColon = /[:：]/.test(sign);
    if (found === null || !(isColon || isSpeaker(found, sign, head.slice(index - 1, end), start))) continue;
    // `Driver -> Car: …`: whom the words are for is no part of them.
    const receiver =
      !isReceiver && /[>→]$/.test(sign) && separated({ ...start, rest: found.value, at: found.at }, true);
    return receiver && receiver.meaning.kind === 'role'
      ? { ...found, value: receiver.value, at: receiver.at }
      : found;
  }
  return null;
}

/** `[User] hello` and `<user> hello`, as chat logs write it. */
function bracketed(start: Start): Labeled | null {
  const [all = '', label = ''] = /^([^\]>\n]{1,40})[\]>] ?/.exec(start.rest) ?? [];
  const isOpen = label !== '' && /[[<]$/.test(start.lead.trimEnd());
  const found = isOpen ? labeled(start, label, start.rest.slice(all.length), false) : null;
  return found?.meaning.kind === 'role' || found?.meaning.kind === 'metadata' ? found : null;
}

function whole(start: Start): Labeled | null {
  const found = start.rest.length > REACH ? null : labeled(start, start.rest.trimEnd(), '', true);
  const { neverAlone } = start.format.words.labelKinds;
  return found === null || isLetter(found.word) || neverAlone.includes(found.word) ? null : found;
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
  const mark = patterns(words).judgeLast.exec(text.slice(-LONGEST_MARK))?.[0] ?? '';
  return mark === '' ? { text, marked: false } : { text: text.slice(0, -mark.length).trim(), marked: true };
}

/** The two letters that stand for user and system in one text: `u` and `s`. */
export type Letters = Readonly<Record<Role, string>>;

/** Whether a label is a letter, which counts only as one of a pair. */
export const isLetter = (word: string): boolean => word.length === 1;

/** The pair of letters that a text labels its turns with. Null where a label in words comes first: then a letter is text. */
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

/** What people say around a conversation, to the app or to each other; each pattern is tried at the start of a text. */
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
    /** A mention, and the label follows at once. */
    addressed: new RegExp(`^ {0,20}(?:${greeting}[ ,]{0,2})?${mentions}(?:${mentions}){0,4}`, 'iu'),
    /** A greeting by itself, with or without a name: `Hi all, …`. */
    greeted: new RegExp(`^ {0,20}${greeting}(?: \\p{L}{1,20}){0,3}[,:;!–-]{0,2} `, 'iu'),
    /** A line below an answer that is a remark about it, from its beginning to its end. */
    remark: wholeLine(patterns.remarks),
    /** The same with people named before or behind it: `wdyt @anna`. */
    remarkTo: wholeLine(patterns.remarks, people),
    /** A line that ends a message or a session: nothing below it is said in the conversation. */
    closing: wholeLine(patterns.closings),
    /** `Hey Mercedes, …`: what only a user says. */
    wakeWord: atStart(patterns.wakeWords),
    /** A line that begins a case of several. */
    caseHeader: atStart(patterns.caseHeaders),
    /** A name of an assistant, anywhere. */
    assistant: new RegExp(patterns.assistants.join('|'), 'u'),
    /** A mention of the app that reads the paste, anywhere. */
    app: new RegExp(`(?:${patterns.app.join('|')})`, 'iu'),
  };
});

/** Longest beginning of a text in which phrases are looked for, in characters. */
export const PHRASE_REACH = 300;

/** Whether a text begins with such a phrase. */
export const begins = (
  text: string,
  phrase: 'greeting' | 'wakeWord' | 'caseHeader' | 'assistant',
  words: Words,
): boolean => phrases(words)[phrase].test(text.slice(0, PHRASE_REACH));

/** Whether a line, from its beginning to its end, ends a message. */
export const isClosing = (line: string, words: Words): boolean =>
  line.length <= MAX_CLOSING && phrases(words).closing.test(line);

/** Longest line that may end a message, in characters. */
const MAX_CLOSING = 120;

/** Whether a line is a remark about the answer above it, from its beginning to its end (of several sentences, each of them), or speaks to the app. */
export function isRemark(line: string, words: Words): boolean {
  if (line.length > PHRASE_REACH) return false;
  const { app, remark, remarkTo } = phrases(words);
  if (remark.test(line) || (/[@<]/.test(line) && (app.test(line) || remarkTo.test(line)))) return true;
  const sentences = /[.!?] /.test(line) ? line.trim().split(/(?<=[.!?]) +/) : [];
  return sentences.length > 1 && sentences.every((sentence) => remark.test(sentence));
}

/** Whether a line is the number of a case and nothing else: `2)`, `Case 3:`. */
export const isCaseNumber = (line: string, words: Words): boolean =>
  begins(line, 'caseHeader', words) &&
  /^[^\p{L}\d]*(?:\p{L}{1,12} ?)*[#-]?(?:\d{1,5}|[A-Z])[^\p{L}\d]*$/u.test(line);
