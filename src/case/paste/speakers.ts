import { type DeclaredLabels, type LabelMeaning, meaningWith, NONE_DECLARED, type Role } from './labels.ts';
import { excerpt } from './text.ts';

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

const MENTION = String.raw`(?:<@\w{1,30}(?:\|[^<>\n]{0,60})?>|@[\p{L}\p{N}._-]{1,40})`;
const MENTIONS = `${MENTION}[ ,:;!]{0,3}`;
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

/** The two short signs that stand for user and system in one text: letters (`u`, `s`) or pictures (`👤`, `🤖`). */
export type Signs = Readonly<Record<Role, string>>;

/** Letters that stand together; any other two are answers to choose from, or a list. */
const LETTERS = new Set(['us', 'ua', 'ub', 'qa', 'ha', 'hb', 'dc', 'ds', 'ns', 'fa']);

const PICTURES: Readonly<Record<Role, string>> = {
  user: '👤 🧑 👩 👨 👱 🧔 👦 👧 👵 👴 🙋 🗣 🙂 😀 :bust_in_silhouette: :adult: :man: :woman: :raising_hand: :speaking_head_in_silhouette:',
  system:
    '🤖 🚗 🚘 🚙 🏎 🚕 💻 🖥 📱 🔊 :robot_face: :car: :red_car: :blue_car: :oncoming_automobile: :computer:',
};
const ROLE_OF: ReadonlyMap<string, Role> = new Map([
  ...PICTURES.user.split(' ').map((sign): [string, Role] => [sign, 'user']),
  ...PICTURES.system.split(' ').map((sign): [string, Role] => [sign, 'system']),
]);

/** What may follow the first character of a picture: a skin tone, a joined second picture. */
const PICTURE =
  /^((?::[a-z_]{2,30}:)|\p{Extended_Pictographic})(?:\ufe0f|\p{Emoji_Modifier}|\u200d\p{Extended_Pictographic}|\u200d[♀♂]){0,5} {0,3}[:：]? ?/u;

/** Whether a label is a letter or a picture, which counts only as one of a pair. */
export const isSign = (word: string): boolean => word.length === 1 || ROLE_OF.has(word);

/** `👤 find pizza`: the picture that a line begins with, where it stands for somebody, and what follows. */
function pictureOf(line: string): { sign: string; role: Role; value: string } | null {
  const start = line
    .slice(0, 100)
    .trimStart()
    .replace(/^[-•*] /, '');
  const match = PICTURE.exec(start);
  const role = match?.[1] === undefined ? undefined : ROLE_OF.get(match[1]);
  if (!match?.[1] || role === undefined) return null;
  const from = line.indexOf(match[0]) + match[0].length;
  return { sign: match[1], role, value: line.slice(from).trim() };
}

interface Sign {
  sign: string;
  role: Role;
  isWord: boolean;
}

function signOf(line: string): Sign | null {
  const labelled = readLabel(line) ?? afterMention(line, true)?.labelled ?? null;
  if (labelled?.meaning.kind === 'role')
    return { sign: labelled.word, role: labelled.meaning.role, isWord: labelled.word.length > 1 };
  const picture = pictureOf(line);
  return picture && { ...picture, isWord: false };
}

/**
 * The pair of short signs that a text labels its turns with. Null where a label in words comes first: then a letter or
 * a picture at the start of a line is text.
 */
export function findSigns(lines: readonly string[]): Signs | null {
  let letter: Sign | null = null;
  let picture: Sign | null = null;
  for (const line of lines) {
    const sign = signOf(line);
    if (sign === null) continue;
    if (sign.isWord) return null;
    const isPicture = ROLE_OF.has(sign.sign);
    const pair = pairOf(isPicture ? picture : letter, sign);
    if (pair && (isPicture || LETTERS.has(pair.user + pair.system))) return pair;
    if (isPicture) picture = sign;
    else letter = sign;
  }
  return null;
}

function pairOf(last: Sign | null, next: Sign): Signs | null {
  if (last === null || last.role === next.role) return null;
  return next.role === 'user'
    ? { user: next.sign, system: last.sign }
    : { user: last.sign, system: next.sign };
}

/** A line that begins with one of the two pictures of this text. */
export function readPicture(line: string, signs: Signs | null): Labelled | null {
  if (signs === null || !ROLE_OF.has(signs.user)) return null;
  const picture = pictureOf(line);
  if (picture === null || signs[picture.role] !== picture.sign) return null;
  const { sign, role, value } = picture;
  return { word: sign, meaning: { kind: 'role', role }, label: sign, value, marked: false, alone: false };
}

/** `Anna  10:32 AM`, the line above each message that Slack copies; names of roles are labels and never come here. */
const NAME_AND_TIME =
  /^ {0,4}(\p{Lu}[\p{L}\p{M}\p{N}.'’_-]{0,30}(?: [\p{L}\p{M}\p{N}.'’_()-]{1,30}){0,3}?)(?: {1,3}APP)?(?: {2,8}\[?\d{1,2}:\d{2}(?: ?[AaPp][Mm])?\]?| \[?\d{1,2}:\d{2} ?[AaPp][Mm]\]?) {0,4}$/u;

/** Who a line names as speaking, in Slack's way of copying. */
export const speakerOf = (line: string): string | null =>
  line.length > 160 ? null : (NAME_AND_TIME.exec(line.replaceAll('\t', '  '))?.[1]?.trim() ?? null);

/** Most names told. */
const MAX_TOLD = 5;

/** Says who was seen as speaking and how to say who is who; empty where nobody was. */
export function seenSpeaking(speakers: ReadonlyMap<string, string>): string {
  const [first] = speakers;
  if (first === undefined) return '';
  const names = [...speakers.keys()];
  const more = names.length > MAX_TOLD ? ` and ${names.length - MAX_TOLD} more` : '';
  return `Seen as speaking: ${names.slice(0, MAX_TOLD).join(', ')}${more}, but not who is the user and who the system: in place of each line such as "${excerpt(first[1], 60)}" write "User:" or "System:".`;
}
