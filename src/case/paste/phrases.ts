import type { CaseFormat } from '../case-format.ts';
import { alternatives, oncePer, type Words } from '../words.ts';
import { readLabel } from './label-line.ts';
import type { Role } from './labels.ts';
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

/** The header of an e-mail, whose date is not the user's: at least three lines in a row, one of them the sender or the subject. */
const MAIL =
  /^(?:[>*]{0,2} ?)(?:From|To|Cc|CC|Bcc|Sent|Subject|Date|Reply-To|Von|An|Betreff|Gesendet|Datum)\*? ?:/;

export function withoutMailHeader(text: string): { text: string; assumed: string[] } {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => MAIL.test(line));
  if (start < 0) return { text, assumed: [] };
  const length = lines.slice(start).findIndex((line) => !MAIL.test(line));
  const header = lines.slice(start, length < 0 ? undefined : start + length);
  if (header.length < 3 || !header.some((line) => /^[>* ]{0,3}(?:From|Subject|Von|Betreff)/.test(line)))
    return { text, assumed: [] };
  return {
    text: [...lines.slice(0, start), ...lines.slice(start + header.length)].join('\n'),
    assumed: [`left out: the header of an e-mail ("${excerpt(header.join(' '))}")`],
  };
}

/** Says who was seen as speaking and how to say who is who; empty where there was none. */
export function seenSpeaking(speakers: ReadonlyMap<string, string>): string {
  const [first] = speakers;
  if (first === undefined) return '';
  return `Speaking: ${listed([...speakers.keys()], 5)}. Nothing says who is the user and who is the system: replace each line such as "${excerpt(first[1], 60)}" with "User:" or "System:".`;
}

/** Longest line that is looked at, in characters. */
const LONGEST = 10_000;

/** A text in quotes, or in brackets at the end of a line, as a log writes what was said. */
const SAID =
  /["“„]((?:[^"“”„\\\n]|\\.)+)["”“]|(?<=[=:( ] ?)'((?:[^'\\\n]|\\.|'(?=\p{L}))+)'(?!\p{L})|(?<=[\w=:(] ?)\[([^[\]\n]* [^[\]\n]*)\]$/gu;
/** `Recognized: find me …`, `[ASR] find me …`: without quotes the text is the rest of the line. */
const BARE =
  /^(\W{0,3}[\w. ]{2,60}?(?:\] ?[-:|>]{0,3}|(?: ?(?:->|[:=|])| -)) {0,3})(?:\w{1,20} ?[=:] ?)?([^"={}[\]\n]{2,2000})$/;
/** To whom. */
const ARROW = /(?:->|=>|→|⇒) ?(\w{1,30})/;
/** The packages of a class. */
const PACKAGES = /\b(?:[a-z]\w{0,40}\.){2,12}/g;

/**
 * The one text in quotes among pairs of keys and values, as a log has it behind a label: `final="…" conf=0.93`. Null where the
 * value says anything else.
 */
export function saidAmongPairs(value: string): string | null {
  if (value.length > LONGEST || !/["“„'[]/.test(value)) return null;
  const said = [...value.matchAll(SAID)];
  const rest = value.replace(SAID, '"').trim();
  const isPairs =
    rest !== '"' &&
    rest.split(/(?:[ ;|]|,(?!\d))+/).every((part) => /^(?:[\w.[\]-]+=\S*|"|[([][\d.,]+[)\]])$/.test(part));
  const [only, ...more] = said;
  return isPairs && only && more.length === 0
    ? unescaped(only.slice(1).find((part) => part !== undefined) ?? '').trim()
    : null;
}

export const unescaped = (text: string): string => text.replace(/\\(["'\\/])/g, '$1').replaceAll('\\n', ' ');

/** The words of names such as `onRecognitionResult` and `asr_final`. */
const wordsIn = (text: string): string[] =>
  text
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .match(/[\p{L}\d]+/gu) ?? [];

/** Whose text stands behind these words: that of the component that they name, else of the nearest cue; of `VA->User` who sends. */
function roleBehind(whole: string, words: Words): Role | null {
  const { logs } = words;
  const text = whole.replace(ARROW, ' ');
  if (text !== whole) {
    const receiver = roleBehind(ARROW.exec(whole)?.[1] ?? '', words);
    return roleBehind(text, words) ?? (receiver === null ? null : receiver === 'user' ? 'system' : 'user');
  }
  const component = wordsIn(text).flatMap((word): Role[] =>
    logs.hears.includes(word) ? ['user'] : logs.speaks.includes(word) ? ['system'] : [],
  );
  const [only, ...more] = new Set(component);
  if (only !== undefined && more.length === 0) return only;
  const last = wordsIn(text.replace(PACKAGES, '')).findLast(
    (word) => logs.user.includes(word) || logs.system.includes(word),
  );
  return last === undefined ? null : logs.user.includes(last) ? 'user' : 'system';
}

/** At most three words before a text, or a component in brackets. */
const START =
  /^[[<(]?([\w.]{2,40})(?:[\])>]|[\])>]?(?:[ :|>-]{1,3}[\w.[\]]{1,30}){0,2} ?[=:|(]? ?(?=["“„'[])|: ?\w{2,20}=(?=\w))/;

/** Whether a line begins with a cue, so that it is a line of a log without anything before it: `[asr] …`, `USER "…"`. */
export const beginsWithCue = (line: string, { logs }: Words): boolean => {
  const names = wordsIn(START.exec(line)?.[1] ?? '');
  return Object.values(logs).some((cues) => names.some((name) => cues?.includes(name)));
};

/** Whether a sentence goes on behind the last quote of a line, as it does in what people write about a log. */
export const endsInProse = (line: string): boolean =>
  /["”“] ?[^"“”„=:|]*\p{L}{2,}[ ,]+\p{L}{2,}[ ,]+\p{L}{2,}[^"“”„=:|]*$/u.test(line);

export interface LogTurn {
  role: Role;
  text: string;
}

/** What a line of a log says was said, and whether it only tells of it: a partial result, what an NLU made of it. */
export function readLogLine(line: string, words: Words): { turns: LogTurn[]; isAside: boolean } {
  if (line.length > LONGEST || /[{[] {0,3}"\w+" ?:/.test(line)) return { turns: [], isAside: false };
  const { text: textKeys, other } = words.logs;
  const found: (LogTurn & { rank: number })[] = [];
  let head = '';
  let at = 0;
  for (const match of line.matchAll(SAID)) {
    const before = line.slice(at, match.index);
    head ||= before;
    const key = wordsIn(/[\w.[\]]{1,40} ?[=:(]? ?$/.exec(before)?.[0] ?? '');
    const ranks = key.flatMap((word) => (textKeys.includes(word) ? [textKeys.indexOf(word)] : []));
    const rank = Math.min(textKeys.length, ...ranks);
    const role = roleBehind(before, words) ?? (at === 0 || ranks.length > 0 ? roleBehind(head, words) : null);
    const text = unescaped(match.slice(1).find((part) => part !== undefined) ?? '').trim();
    if (role !== null && text.length > 1) found.push({ role, text, rank });
    at = match.index + match[0].length;
  }
  if (at === 0) {
    const [, lead, text] = BARE.exec(line.trimEnd()) ?? [];
    const role = lead === undefined ? null : roleBehind(lead, words);
    head = lead ?? line;
    if (role !== null && text !== undefined) found.push({ role, text: text.trim(), rank: 0 });
  }
  const best = (['user', 'system'] as const).flatMap((role) => {
    const [first] = found.filter((turn) => turn.role === role).sort((one, other) => one.rank - other.rank);
    return first ?? [];
  });
  return {
    turns: best.map(({ role, text }) => ({ role, text })),
    isAside: wordsIn(head.replace(PACKAGES, '')).some((word) => other.includes(word)),
  };
}
