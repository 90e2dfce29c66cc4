import { oncePer } from '../../common/index.ts';
import { counted } from '../../common/text/index.ts';
import type { CaseFormat, Words } from '../format/index.ts';
import { BLOCK_BEGINS, BLOCK_ENDS, excerpt, isBlank, listed } from './clean-text.ts';
import { momentLine } from './dates-and-times.ts';
import { meaningOf, type Role } from './label-meanings.ts';
import { begins, findLetters, STAMP } from './line-labels.ts';
import { joined, type Line, lineOf } from './lines.ts';
import { withoutAddress } from './mail-header-and-greeting.ts';
import type { Tracked } from './tracked-text.ts';

/** The formats of a text, in the order in which they are tried. */
const formatsOf = oncePer(({ formats }: Words) => {
  // A pattern must match to the end of the line, or the rest would be lost.
  const whole = (source: string) => new RegExp(`(?:${source})$`, 'muyd');
  return formats.map((format) => ({
    ...format,
    lines: format.lines.map(whole),
    noise: format.noise.map(whole),
    hasSpeakers: format.lines.some((source) => source.includes('(?<speaker>')),
  }));
});
type Format = ReturnType<typeof formatsOf>[number];

/** One line as a format reads it; several if its pattern spans them, such as a name above a time. */
interface Piece {
  lines: readonly Line[];
  /** The lines as written. */
  line: string;
  /** The named groups of the pattern; null if none matches. */
  found: Readonly<Record<string, Tracked | undefined>> | null;
  isNoise: boolean;
}

const matchAt = (sources: readonly RegExp[], text: string, at: number): RegExpExecArray | null => {
  for (const pattern of sources) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) return match;
  }
  return null;
};

/** Reads the lines of a text in a format. Each pattern is tried once per line, so the time is linear. */
function piecesOf(lines: readonly Line[], whole: Tracked, format: Format): Piece[] {
  const { text } = whole;
  const pieces: Piece[] = [];
  for (let [at, index] = [0, 0]; index < lines.length; ) {
    const turn = matchAt(format.lines, text, at);
    const match = turn ?? matchAt(format.noise, text, at);
    const count = (match?.[0].split('\n').length ?? 1) || 1;
    const pieceLines = lines.slice(index, index + count);
    const groups = Object.entries(turn?.indices?.groups ?? {});
    pieces.push({
      lines: pieceLines,
      line: pieceLines.map((line) => line.text).join('\n'),
      found: turn && Object.fromEntries(groups.map(([name, at]) => [name, at && whole.slice(...at)])),
      isNoise: turn === null && match !== null,
    });
    at += pieceLines.reduce((sum, line) => sum + line.text.length + 1, 0);
    index += count;
  }
  return pieces;
}

const roleIn = ({ label }: Line): Role | null =>
  label?.meaning.kind === 'role' && label.word.length > 1 && !label.alone ? label.meaning.role : null;

const WHOLE_STAMP = new RegExp(`^${STAMP}$`);
/** A time in brackets to put before a label; empty if labels cannot have a time of this form. */
const stamp = (time: Tracked | undefined): string => {
  const plain = (time?.text ?? '')
    .replace(/[[\]]/g, '')
    .trim()
    .replace(/[.,]\d+$| (?:-|–|-->) .*$/, '');
  return WHOLE_STAMP.test(plain) ? `[${plain}] ` : '';
};

const LABEL: Readonly<Record<Role, string>> = { user: 'User', system: 'System' };

/** The first line of a turn, with a label. */
const turnLine = (role: Role, text: Tracked | null, time: Tracked | undefined, format: CaseFormat): Line =>
  lineOf(format, `${stamp(time)}${LABEL[role]}: `, ...(text ? [text] : []));

/** Lines with labels before the turns, or why the speakers cannot be told apart. */
export type Recognized =
  | {
      lines: Line[];
      /** The lines that a format read; what was not said in them is markup. */
      marks: Tracked[];
      assumed: string[];
    }
  | { problem: string };

/** Unescapes quotes, slashes and line breaks in a text. */
const unescaped = (text: Tracked): Tracked =>
  text.replace(/\\(["'\\/])/g, () => [1, 2]).replace(/\\n/g, () => ' ');

/** Turns a line that the format matches into lines with labels; null if it does not match. */
function ownLines(piece: Piece, all: readonly Piece[], format: CaseFormat): Line[] | null {
  const { found } = piece;
  const turns = (['user', 'system'] as const).flatMap((role) => {
    const speech = found?.[role];
    return speech === undefined ? [] : [{ role, text: unescaped(speech) }];
  });
  const [{ role } = { role: 'user' }] = turns;
  const isOther =
    found?.sign && all.find((one) => one.found?.[role] !== undefined)?.found?.sign?.text !== found.sign.text;
  if (found === null || isOther) return null;
  const lines = turns.map((turn) => turnLine(turn.role, turn.text, found.time, format));
  // A number before a request and its answer begins a case.
  return found.number && turns.length > 1 ? [lineOf(format, `${all.indexOf(piece) + 1})`), ...lines] : lines;
}

/** Reads a format whose lines show by themselves whose turn they are: `"…" -> "…"`. */
function labelLines(
  pieces: readonly Piece[],
  { name, whole, signs }: Format,
  format: CaseFormat,
): Recognized | null {
  const hasRole = ({ lines }: Piece) => lines.some((line) => roleIn(line) !== null);
  if (signs && pieces.some(hasRole)) return null;
  if (whole && pieces.some((piece) => (piece.found ? hasRole(piece) : !isBlank(piece.line)))) return null;
  const read = pieces.map((piece) => ({ piece, own: ownLines(piece, pieces, format) }));
  const kept = read.flatMap(({ piece, own }) => own ?? (piece.isNoise ? [] : piece.lines));
  if (!read.some(({ own }) => own !== null) || new Set(kept.flatMap((line) => roleIn(line) ?? [])).size < 2)
    return null;
  const count = pieces.filter(({ isNoise }) => isNoise).length;
  // Text of three words or more beside the turns is noted, because it is lost.
  const asides = pieces
    .flatMap(({ found }) => [found?.before?.text ?? '', found?.after?.text ?? ''])
    .filter((text) => /\p{L}+\P{L}+\p{L}+\P{L}+\p{L}/u.test(text));
  return {
    lines: kept,
    marks: read.flatMap(({ piece, own }) => (own === null ? [] : piece.lines.map(({ from }) => from))),
    assumed: [
      ...(signs ? [] : [`read as ${name}`]),
      ...(count === 0 ? [] : [`left out: ${counted(count, 'other line')}`]),
      ...asides.map((text) => `left out: text beside what was said ("${excerpt(text.trim())}")`),
    ],
  };
}

/** One message of a speaker. */
interface Message {
  speaker: string;
  /** The line that names the speaker. */
  line: string;
  mark: Tracked[];
  time: Tracked | undefined;
  isApp: boolean;
  /** Whether the line has the label of a role. */
  isLabeled: boolean;
  /** The text on the same line. */
  said: Tracked | null;
  /** The lines below it. */
  below: Line[];
}

const textsOf = ({ said, below }: Message): string[] => [
  ...(said === null ? [] : [said.text]),
  ...below.map(({ text }) => text),
];

function messagesOf(pieces: readonly Piece[], format: CaseFormat): { before: Line[]; messages: Message[] } {
  const before: Line[] = [];
  const messages: Message[] = [];
  for (const { line, lines, found, isNoise } of pieces) {
    const { speaker, text, app, time } = found ?? {};
    // "Mo 04.03.24, 22:15" names no speaker.
    if (speaker !== undefined && momentLine(line, format) === null)
      messages.push({
        speaker: speaker.text.trim(),
        line: line.replaceAll('\n', ' '),
        mark: lines.map(({ from }) => from),
        time,
        isApp: app !== undefined,
        isLabeled: lines[0]?.label?.meaning.kind === 'role',
        said: text && text.text !== '' ? text : null,
        below: [],
      });
    else if (!isNoise) (messages.at(-1)?.below ?? before).push(...lines);
  }
  return { before, messages };
}

function leftOut(message: Message): string {
  const { line } = message;
  const body = textsOf(message).join(' ').trim();
  return `left out: a message that belongs to no turn ("${excerpt(line.includes(body) ? line : `${line} ${body}`)}")`;
}

/** Reads messages that quote a conversation with labels; other messages are about it and left out. Null if none does. */
function quoting(before: readonly Line[], messages: readonly Message[], format: CaseFormat) {
  const bodies = messages.map((message) => ({
    message,
    lines: [...(message.said ? [lineOf(format, message.said)] : []), ...message.below],
  }));
  const hasLetters =
    findLetters(
      bodies.flatMap(({ lines }) => lines),
      format,
    ) !== null;
  const isTurn = (line: Line) =>
    roleIn(line) !== null || (hasLetters && line.label?.meaning.kind === 'role' && !line.label.alone);
  const quotes = bodies.filter(({ lines }) => lines.some(isTurn));
  if (quotes.length === 0) return null;
  const senders = [...new Set(quotes.map(({ message }) => `"${excerpt(message.line, 60)}"`))];
  const others = messages.filter((one) => !quotes.some(({ message }) => message === one));
  return {
    lines: [
      ...before,
      ...quotes.flatMap(({ lines }, at) => (at === 0 ? lines : [lineOf(format, '---'), ...lines])),
    ],
    marks: [],
    assumed: [`left out: who sent it (${senders.join(', ')})`, ...others.map(leftOut)],
  };
}

/**
 * Finds the role of each speaker. A name or a wake word may show it. If only one side is known, the other is the speaker
 * just before the system, or the only other speaker.
 * @returns `why`: how each role that is not a plain label was found, for a note
 */
function rolesOf(messages: readonly Message[], isWhole: boolean, format: CaseFormat) {
  const roles = new Map<string, Role>();
  const why: string[] = [];
  const take = (speaker: string, role: Role, because = '') => {
    roles.set(speaker, role);
    why.push(`"${speaker}" as the ${role}${because}`);
  };
  for (const message of messages) {
    const { speaker, isApp } = message;
    const meaning = meaningOf(speaker, format)?.meaning;
    if (roles.has(speaker)) continue;
    if (meaning?.kind === 'role') roles.set(speaker, meaning.role);
    else if (isApp || begins(speaker, 'assistant', format.words)) take(speaker, 'system');
    else if (textsOf(message).some((line) => begins(line, 'wakeWord', format.words)))
      take(speaker, 'user', ', who says the wake word');
  }
  const [onlyRole, other] = new Set(roles.values());
  const [stranger, ...more] = new Set(
    messages.flatMap(({ speaker }) => (roles.has(speaker) ? [] : [speaker])),
  );
  const first = messages.findIndex(({ speaker }) => roles.get(speaker) === 'system');
  const asker =
    onlyRole === 'system' ? messages[first - 1]?.speaker : more.length === 0 ? stranger : undefined;
  const takesTurns =
    messages.length > 2 && messages.every(({ speaker }, at) => speaker !== messages[at - 1]?.speaker);
  // "Notes: …" beside "User: …" is the system only if the two take turns.
  const isGuess = isWhole && onlyRole === 'user' && why.length === 0 && !takesTurns;
  if (onlyRole !== undefined && other === undefined && asker !== undefined && !isGuess)
    take(asker, onlyRole === 'user' ? 'system' : 'user');
  return { roles, why };
}

/** Labels the messages of named speakers, or says that user and system cannot be told apart. Null for any other text. */
function labelSpeakers(pieces: readonly Piece[], isWhole: boolean, format: CaseFormat): Recognized | null {
  const { before, messages } = messagesOf(pieces, format);
  const names = [...new Set(messages.map(({ speaker }) => speaker))];
  const isLabeled = messages.every((message) => message.isLabeled);
  const isName = (name: string) => ['role', undefined].includes(meaningOf(name, format)?.meaning.kind);
  const others = [
    ...before,
    ...messages.flatMap(({ said, below }) => (said === null ? below.slice(1) : below)),
  ];
  // In plain lines with names, two speakers must have said everything.
  const areTwo =
    messages.length > 1 &&
    names.length === 2 &&
    names.every(isName) &&
    others.every(({ text }) => isBlank(text));
  if (isLabeled || (isWhole && !areTwo)) return null;
  const quoted = quoting(before, messages, format);
  if (quoted) return quoted;
  const { roles, why } = rolesOf(messages, isWhole, format);
  const last = messages.findLastIndex(({ speaker }) => roles.get(speaker) === 'system');
  const isStranger = ({ speaker }: Message) => !roles.has(speaker);
  if (new Set(roles.values()).size < 2 || messages.slice(0, last).some(isStranger))
    return {
      problem: `No label says who speaks. Speaking: ${listed(names, 5)}. Nothing says who is the user and who is the system: replace each line such as "${excerpt(messages[0]?.line ?? '', 60)}" with "User:" or "System:".`,
    };
  const turns = messages.flatMap(({ speaker, time, said, below }) => {
    const role = roles.get(speaker);
    if (role === undefined) return [];
    const [first, ...more] = said === null ? below : [null, ...below];
    // Marked as a block, so that every line of the message belongs to the user's turn.
    if (role === 'user' && said === null && more.some((line) => line !== null && !isBlank(line.text)))
      return [
        turnLine(role, null, time, format),
        lineOf(format, BLOCK_BEGINS),
        ...below,
        lineOf(format, BLOCK_ENDS),
      ];
    return [turnLine(role, first?.from ?? said, time, format), ...more.flatMap((line) => line ?? [])];
  });
  const readNotes = why.length > 0 ? [`read ${why.join(', ')}`] : [];
  return {
    lines: [...before, ...turns],
    marks: messages.flatMap(({ speaker, mark }) => (roles.has(speaker) ? mark : [])),
    assumed: [...readNotes, ...messages.filter(isStranger).map(leftOut)],
  };
}

/** Puts labels before the turns if a format of `prompts/paste/formats.yaml` matches; otherwise keeps the lines. */
export function recognize(text: Tracked, format: CaseFormat): Recognized {
  const { lines, assumed } = withoutAddress(text, format);
  const whole = joined(lines);
  for (const one of formatsOf(format.words)) {
    const pieces = piecesOf(lines, whole, one);
    const read = one.hasSpeakers ? labelSpeakers(pieces, one.whole, format) : labelLines(pieces, one, format);
    if (read) return 'lines' in read ? { ...read, assumed: [...assumed, ...read.assumed] } : read;
  }
  return { lines, marks: [], assumed };
}
