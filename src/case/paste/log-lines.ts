import type { Words } from '../words.ts';
import type { Role } from './labels.ts';

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

/** Whether a sentence continues behind the last quote of a line, as it does in what people write about a log. */
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
