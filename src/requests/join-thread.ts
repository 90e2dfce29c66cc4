import type { CaseFormat } from '../case/format/index.ts';
import type { EvalCase } from '../case/index.ts';
import {
  begins,
  cleanText,
  excerpt,
  findLetters,
  isBlank,
  isLetter,
  isRemark,
  type Line,
  linesOf,
  listed,
  type Parsed,
  Tracked,
  withoutMarks,
} from '../case/paste/index.ts';
import { yieldToEventLoop } from '../common/index.ts';
import { counted, grouped } from '../common/text/index.ts';
import { askedCase, type JudgedCases, type MessageInput } from './spot-check.ts';

/**
 * Decides which messages of a thread form one conversation. This is certain if labels show it or one person talked to one app;
 * otherwise, a person is asked.
 */

type Role = EvalCase['conversation'][number]['role'];

/** A message of a thread. */
export interface ThreadMessage {
  input: MessageInput;
  /** The author's id on the platform. */
  author: string;
  /** Whether it was written by an app. */
  isByApp: boolean;
  /** Whether it addresses this app: a request or a question, and not part of the conversation to be judged. */
  isToUs: boolean;
}

/** The messages of a thread, oldest first, without this app's own. */
export interface Thread {
  messages: readonly ThreadMessage[];
  /** Which part of the thread was not read, in words; null if all of it was. */
  unread: string | null;
}

/** One message of a joined conversation. */
interface Said {
  /** The speaker, if no label names one. */
  as: Role | null;
  /** Starts at its first label. */
  text: string;
}

/** Messages that may be one conversation, or several cases of one paste. */
interface Choice {
  said: Said[];
  /** All of them as one paste. */
  text: string;
  /** How it was joined, for the card. */
  notes: string[];
  cases: JudgedCases;
}

/** Messages that may or may not belong together: a person decides. */
export interface ThreadQuestion {
  /** What is uncertain, as a sentence. */
  why: string;
  /** Most likely first. */
  choices: readonly [Choice, ...Choice[]];
  /** Texts that are in none of the choices. */
  leftOut: readonly string[];
}

/** The result of reading a thread. `none`: nothing that could be a conversation. */
export type Found =
  | { kind: 'none' }
  | { kind: 'sure'; items: Parsed[]; text: string; notes: string[] }
  | ({ kind: 'unsure' } & ThreadQuestion);

const hasCase = (items: readonly Parsed[]): boolean => items.some((item) => 'case' in item);

/** Whether only a guess at the speakers makes it a case: among other messages it is just talk. */
const isGuess = (items: readonly Parsed[]): boolean =>
  items.every((item) => 'case' in item && item.isUnlabeled === true);

export const holdsPaste = (items: readonly Parsed[]): boolean => hasCase(items) && !isGuess(items);

/** A message, classified by the labels on its lines. */
interface Piece {
  message: ThreadMessage;
  /**
   * `whole`: a paste with both sides. `turns`: labels of one or some turns. `fields`: only fields of a case. `plain`:
   * no labels.
   */
  kind: 'whole' | 'turns' | 'fields' | 'plain';
  /** Its speakers in order, according to its labels. */
  roles: Role[];
  text: string;
  /** Text before its first label. */
  lead: string;
  /** Whether it opens the way people address each other rather than an assistant. */
  isTalk: boolean;
  items: readonly Parsed[];
}

/** Kinds of labels that mark fields of a case. */
const VALUES: ReadonlySet<string> = new Set(['context', 'place', 'venue', 'venue-or-name', 'field']);

const linesIn = (text: string, format: CaseFormat): Line[] =>
  linesOf(cleanText(Tracked.received(text)), format);

/** The speaker from a line on, according to its label. */
const roleOf = ({ label }: Line, hasLetters: boolean): Role | null =>
  label?.meaning.kind === 'role' && (hasLetters || !isLetter(label.word)) ? label.meaning.role : null;

/** Closes an open code fence, which would otherwise swallow the messages below. */
const closed = (text: string): string =>
  (text.split('```').length - 1) % 2 === 0 ? text : `${text}\n\`\`\``;

function isTalk(text: string, { words }: CaseFormat): boolean {
  const isGreeting = begins(text, 'greeting', words) && !begins(text, 'wakeWord', words);
  return isGreeting || isRemark(text, words) || /[:：]\s*$/.test(text);
}

function pieceOf(
  message: ThreadMessage,
  items: readonly Parsed[],
  lines: readonly Line[],
  format: CaseFormat,
  hasLetters: boolean,
): Piece {
  const { text } = message.input;
  const roleAt = lines.map((line) => roleOf(line, hasLetters));
  const roles = roleAt.filter((role) => role !== null);
  const filled = lines.filter((line) => !isBlank(line.text));
  const isFields = filled.length > 0 && filled.every(({ label }) => VALUES.has(label?.meaning.kind ?? ''));
  const kind = holdsPaste(items) ? 'whole' : roles.length > 0 ? 'turns' : isFields ? 'fields' : 'plain';
  if (kind !== 'turns')
    return { message, kind, roles: [], text, lead: '', isTalk: isTalk(text, format), items };
  const first = roleAt.findIndex((role) => role !== null);
  const from = (part: readonly Line[]) => withoutMarks(part.map((line) => line.text).join('\n')).trim();
  const lead = from(lines.slice(0, first));
  const speech = lead === '' ? text : from(lines.slice(first));
  return { message, kind, roles, text: speech, lead, isTalk: false, items };
}

/** A message in a joined conversation; `as` is the speaker inferred from its author. */
interface Part {
  piece: Piece;
  as: Role | null;
}

const rolesOf = ({ piece, as }: Part): readonly Role[] => (as === null ? piece.roles : [as]);

/** Sets of messages that may belong together, most likely first, and why it is uncertain. */
interface Plan {
  sets: Part[][];
  why: string | null;
}

const nothing: Plan = { sets: [], why: null };
const labeled = (piece: Piece): Part => ({ piece, as: null });
const isPlain = ({ kind }: Piece): boolean => kind === 'plain';
const authorsOf = (parts: readonly Part[], isByApp: boolean): Set<string> =>
  new Set(parts.flatMap(({ piece: { message } }) => (message.isByApp === isByApp ? message.author : [])));

/** Most choices offered to a person. */
const MOST_CHOICES = 3;

/** Plans for pastes that are complete by themselves, with or without other turns beside them. */
function planWholes(pieces: readonly Piece[]): Plan | null {
  const byText = new Map(
    pieces.flatMap((piece) => {
      const { text, files } = piece.message.input;
      return piece.kind === 'whole'
        ? [[JSON.stringify([text, files.map(({ id }) => id)]), piece] as const]
        : [];
    }),
  );
  const wholes = [...byText.values()];
  const [only] = wholes;
  if (only === undefined) return null;
  if (wholes.length > 1)
    return {
      sets: wholes.reverse().map((piece) => [labeled(piece)]),
      why: `There are ${wholes.length} pastes above.`,
    };
  const turns = pieces.filter(({ kind }) => kind === 'turns');
  if (turns.length === 0) return { sets: [[labeled(only)]], why: null };
  const all = pieces.filter((piece) => piece === only || piece.kind === 'turns').map(labeled);
  return { sets: [all, [labeled(only)]], why: 'There are turns beside the paste.' };
}

/** Plans for messages by people only, without labels. */
function planPeople(pieces: readonly Piece[]): Plan {
  const plain = pieces.filter(isPlain);
  const [first, second] = plain;
  if (first === undefined || second === undefined) return nothing;
  const why = 'No label says who speaks.';
  if (hasCase(first.items)) return { sets: [[labeled(first)]], why };
  const takeTurns =
    plain.length % 2 === 0 &&
    plain.every(({ message: { author } }, at) => author === (at % 2 === 0 ? first : second).message.author);
  // A person can check ten messages at a glance; of more, only the first exchange is offered.
  const chosen = takeTurns && plain.length <= 10 ? plain : [first, second];
  return { sets: [chosen.map((piece, at) => ({ piece, as: at % 2 === 0 ? 'user' : 'system' }))], why };
}

/** Keeps the parts up to the answer, which is the last thing the system says. */
function planAnswer(parts: readonly Part[], isUnsure: string | null): Plan {
  const isSystem = (part: Part | undefined) => part !== undefined && rolesOf(part).at(-1) === 'system';
  const end = parts.findLastIndex(isSystem);
  const spoken = parts.slice(0, end + 1);
  if (!spoken.some((part) => rolesOf(part).includes('user'))) return nothing;
  const run = spoken.slice(spoken.findLastIndex((part) => rolesOf(part).some((role) => role === 'user')) + 1);
  const before = spoken.slice(0, spoken.length - run.length);
  if (run.length > 1)
    return {
      sets: [...run.reverse().map((part) => [...before, part])],
      why: 'More than one message may be the answer.',
    };
  const roles = spoken.flatMap(rolesOf);
  const repeats = roles.some((role, at) => role === roles[at + 1]);
  const [asked] = before.slice(-1);
  const nearest = asked !== undefined && run[0] !== undefined ? [[asked, run[0]]] : [];
  if (repeats || isUnsure !== null)
    return {
      sets: [spoken, ...(spoken.length > 2 ? nearest : [])],
      why: isUnsure ?? 'One side speaks twice in a row.',
    };
  return { sets: [spoken], why: end + 1 < parts.length ? 'Something was said after the answer.' : null };
}

const NO_REQUEST = 'What stands above the answer may be no request.';

/**
 * Plans from labeled messages. A side without labels is taken from the authors of the unlabeled messages.
 *
 * @param isChosen whether a person picked the answer
 */
function planTurns(pieces: readonly Piece[], isChosen: boolean): Plan {
  const turns = pieces.filter(({ kind }) => kind === 'turns');
  const labels = new Set(turns.flatMap(({ roles }) => roles));
  const at = (piece: Piece | undefined) => (piece === undefined ? -1 : pieces.indexOf(piece));
  const apps = pieces.filter((piece) => isPlain(piece) && piece.message.isByApp);
  const people = pieces.filter((piece) => isPlain(piece) && !piece.message.isByApp);
  const as = (role: Role) => (piece: Piece) => ({ piece, as: role });
  const inOrder = (parts: readonly Part[]) => [...parts].sort((a, b) => at(a.piece) - at(b.piece));
  const several = (parts: readonly Part[]) =>
    [true, false].some((isByApp) => authorsOf(parts, isByApp).size > 1)
      ? 'Several people or apps wrote without saying who speaks.'
      : null;

  if (labels.size === 2) return planAnswer(turns.map(labeled), null);
  if (labels.has('user')) {
    const answers = apps.filter((piece) => at(piece) > at(turns[0]));
    if (answers.length > 0) {
      const guessed = answers.map(as('system'));
      return planAnswer(inOrder([...turns.map(labeled), ...guessed]), several(guessed));
    }
    const below = people.filter((piece) => at(piece) > at(turns.at(-1)));
    return {
      sets: below.map((piece) => [...turns.map(labeled), as('system')(piece)]),
      why: 'No label says which message is the answer.',
    };
  }
  if (labels.has('system')) {
    const above = people.filter((piece) => at(piece) < at(turns.at(-1))).reverse();
    const [only, ...more] = above;
    const why =
      more.length > 0
        ? 'Several messages above the answer have no label.'
        : only?.isTalk === true && !isChosen
          ? NO_REQUEST
          : null;
    const sets = above.map((piece) => inOrder([as('user')(piece), ...turns.map(labeled)]));
    return why !== null || sets[0] === undefined ? { sets, why } : planAnswer(sets[0], null);
  }
  const asked = people.filter((piece) => at(piece) < at(apps.at(-1)));
  const answers = apps.filter((piece) => at(piece) > at(asked[0]));
  const parts = inOrder([...asked.map(as('user')), ...answers.map(as('system'))]);
  const isUnsure = asked.some((piece) => piece.isTalk) || answers.length < apps.length;
  return planAnswer(parts, several(parts) ?? (isUnsure ? NO_REQUEST : null));
}

/**
 * Adds messages that hold only fields: they belong to the paste if its author wrote them, and may belong if someone
 * else did.
 */
function withFields({ sets, why }: Plan, pieces: readonly Piece[]): Plan {
  const authors = new Set(sets[0]?.map(({ piece }) => piece.message.author));
  const start = sets[0]?.[0];
  if (start === undefined) return { sets, why };
  const below = pieces.slice(pieces.indexOf(start.piece) + 1);
  const fields = below.filter(({ kind }) => kind === 'fields').map(labeled);
  if (fields.length === 0) return { sets, why };
  const added = sets.map((set) =>
    [...set, ...fields].sort((one, other) => pieces.indexOf(one.piece) - pieces.indexOf(other.piece)),
  );
  return fields.every(({ piece }) => authors.has(piece.message.author))
    ? { sets: added, why }
    : { sets: [...added, ...sets], why: why ?? 'Someone else wrote values below it.' };
}

function planOf(pieces: readonly Piece[], isChosen: boolean): Plan {
  const wholes = planWholes(pieces);
  if (wholes !== null) return withFields(wholes, pieces);
  const isByPeople = !pieces.some(
    ({ kind, message }) => kind === 'turns' || (kind === 'plain' && message.isByApp),
  );
  return isByPeople ? planPeople(pieces) : withFields(planTurns(pieces, isChosen), pieces);
}

const WORDS = 60;
const MOST_NAMED = 6;
const quoted = (text: string): string => `"${excerpt(text, WORDS)}"`;

const textOf = (set: readonly Part[]): string =>
  set
    .map(({ piece, as }) =>
      closed(as === null ? piece.text : `${as === 'user' ? 'User' : 'System'}: ${piece.text}`),
    )
    .join('\n');

/** What a card says about how its conversation was joined: few notes, because a card shows only a few. */
function notesOn(set: readonly Part[], left: readonly Piece[]): string[] {
  const joined = set.map(
    ({ piece, as }) => `${quoted(piece.text)}${as === null ? '' : ` (read as the ${as})`}`,
  );
  const leads = set.flatMap(({ piece: { lead } }) => (lead === '' ? [] : quoted(lead)));
  const names = left.map(({ message: { input } }) => quoted(input.text === '' ? 'a file' : input.text));
  return [
    `joined ${set.length} messages of this thread: ${listed(joined, MOST_NAMED)}`,
    ...(leads.length === 0 ? [] : [`left out: text before a label (${listed(leads, MOST_NAMED)})`]),
    ...(names.length === 0
      ? []
      : [
          `left out: ${counted(names.length, 'other message')} of this thread (${listed(names, MOST_NAMED)})`,
        ]),
  ];
}

/** Whether the paste was parsed with the same speakers as the messages, turn by turn. */
function isAsSaid(item: Parsed, set: readonly Part[]): boolean {
  if (!('case' in item)) return false;
  const read = [...item.case.conversation.map(({ role }) => role), 'system'];
  return read.join() === set.flatMap(rolesOf).join();
}

/** Most messages read per thread: the first and the newest. */
const MOST_MESSAGES = 200;
/** Most characters read per thread. */
const MOST_CHARS = 200_000;

/** Most messages per thread whose files are read. */
const MOST_WITH_FILES = 10;

/** Keeps the files of the first message and the newest ones only. */
function withFewFiles({ messages, unread }: Thread): Thread {
  const holders = messages.filter(({ input }) => input.files.length > 0);
  if (holders.length <= MOST_WITH_FILES) return { messages, unread };
  const read = new Set([holders[0], ...holders.slice(1 - MOST_WITH_FILES)]);
  return {
    messages: messages.map((message) =>
      read.has(message) ? message : { ...message, input: { ...message.input, files: [] } },
    ),
    unread: unread ?? `Many messages of this thread have files: I looked at those of ${MOST_WITH_FILES}.`,
  };
}

/** The first message and the newest, within the limits. */
function bounded({ messages, unread }: Thread): Thread {
  const [first, ...rest] = messages;
  if (first === undefined) return { messages, unread };
  let chars = first.input.text.length;
  const newest: ThreadMessage[] = [];
  for (const message of rest.reverse()) {
    chars += message.input.text.length;
    if (newest.length + 1 >= MOST_MESSAGES || chars > MOST_CHARS) break;
    newest.unshift(message);
  }
  const left = messages.length - 1 - newest.length;
  const why =
    left === 0
      ? unread
      : `This thread is long: I looked at its first message and its newest ${grouped(newest.length)}, and not at ${grouped(left)} between them.`;
  return withFewFiles({ messages: [first, ...newest], unread: why });
}

/** How to read the messages of a thread. */
export interface ThreadReading {
  format: CaseFormat;
  /** The cases in one message, from its text and its files. */
  readOne: (input: MessageInput) => Promise<Parsed[]>;
  readPaste: (text: string) => Promise<Parsed[]>;
}

/**
 * Whether a text has turn labels of only one side.
 *
 * @param side the side it must have
 */
export function isHalf(text: string, format: CaseFormat, side?: Role): boolean {
  const roles = linesIn(text, format).flatMap((line) => roleOf(line, false) ?? []);
  return new Set(roles).size === 1 && (side === undefined || roles.includes(side));
}

async function piecesOf(
  messages: readonly ThreadMessage[],
  { format, readOne }: ThreadReading,
): Promise<Piece[]> {
  const read: { message: ThreadMessage; items: Parsed[]; lines: Line[] }[] = [];
  for (const message of messages) {
    const { input } = message;
    read.push({ message, items: await readOne(input), lines: linesIn(input.text, format) });
    await yieldToEventLoop();
  }
  const all = read.flatMap(({ lines }) => lines);
  const hasLetters = findLetters(all, format) !== null;
  return read
    .map(({ message, items, lines }) => pieceOf(message, items, lines, format, hasLetters))
    .filter(({ kind, message }) => kind === 'whole' || kind === 'turns' || !message.isToUs);
}

/** All that an app wrote is the system's answer: none of its lines can be a remark by someone else. */
function allOfApp(item: Parsed, set: readonly Part[]): Parsed {
  if ('problem' in item || item.unsure === undefined || set.at(-1)?.as !== 'system') return item;
  const { unsure, ...rest } = item;
  return { ...rest, case: unsure.withIt };
}

/**
 * Joins the messages of a thread into a conversation: by their labels, otherwise by their authors, with an app as the
 * system and a single person as the user. Where that is uncertain, a person is asked.
 *
 * @param answer the message to be judged, the last one of the thread, if a person picked it
 */
export async function joinThread(
  thread: Thread,
  reading: ThreadReading,
  answer: ThreadMessage | null = null,
): Promise<Found> {
  const { messages, unread } = bounded(thread);
  const all = await piecesOf(messages, reading);
  const pieces = all.map((piece): Piece => {
    const isAnswer = piece.message.input === answer?.input && isPlain(piece) && !piece.message.isByApp;
    return isAnswer ? { ...piece, kind: 'turns', roles: ['system'], text: `System: ${piece.text}` } : piece;
  });
  const plan = planOf(pieces, answer !== null);
  const why = plan.why ?? (plan.sets.length === 0 ? null : unread);
  const [first] = plan.sets;
  if (first === undefined) return { kind: 'none' };
  const [part] = first;
  if (why === null && first.length === 1 && part !== undefined)
    return { kind: 'sure', items: [...part.piece.items], text: part.piece.message.input.text, notes: [] };

  const leftOf = (set: readonly Part[]) => pieces.filter((one) => !set.some(({ piece }) => piece === one));
  const read = async (set: readonly Part[]): Promise<{ text: string; notes: string[]; items: Parsed[] }> => {
    const [one] = set;
    const isAlone = set.length === 1 && one !== undefined;
    const text = isAlone ? one.piece.message.input.text : textOf(set);
    const notes = [
      ...(isAlone ? [] : notesOn(set, leftOf(set))),
      ...(unread === null ? [] : [`left out: not all was read. ${unread}`]),
    ];
    const items = (isAlone ? one.piece.items : await reading.readPaste(text))
      .map((item) => (isAlone ? item : allOfApp(item, set)))
      .map((item) => ('case' in item ? { ...item, assumed: [...notes, ...item.assumed] } : item));
    return { text, notes, items };
  };
  const joined = await read(first);
  const [item, ...more] = joined.items;
  if (why === null && item !== undefined && more.length === 0 && isAsSaid(item, first))
    return { kind: 'sure', ...joined };

  const choices: Choice[] = [];
  for (const set of plan.sets) {
    if (choices.length === MOST_CHOICES) break;
    const { text, notes, items } = set === first ? joined : await read(set);
    const unread = items.flatMap((one) => ('problem' in one ? `left out: ${one.problem}` : []));
    const cases = items.flatMap((one) =>
      'case' in one ? [askedCase({ ...one, assumed: [...unread, ...one.assumed] })] : [],
    );
    const speeches = set.map(({ piece, as }) => ({ as, text: piece.text }));
    if (cases.length > 0) choices.push({ said: speeches, text, notes, cases });
  }
  const [likeliest, ...others] = choices;
  if (likeliest === undefined) return why === null ? { kind: 'sure', ...joined } : { kind: 'none' };
  const offered = new Set(plan.sets.slice(0, MOST_CHOICES).flatMap((set) => set.map(({ piece }) => piece)));
  return {
    kind: 'unsure',
    why: why ?? 'It may be one conversation, or several.',
    choices: [likeliest, ...others],
    leftOut: pieces.flatMap((piece) => (offered.has(piece) || piece.text === '' ? [] : [piece.text])),
  };
}
