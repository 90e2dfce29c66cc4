import { counted } from '../../common/text.ts';
import type { CaseFormat } from '../case-format.ts';
import { readLabel } from './label-line.ts';
import { meaningOf, type Role } from './labels.ts';
import { momentLine } from './moments.ts';
import {
  begins,
  beginsWithCue,
  endsInProse,
  type LogTurn,
  readLogLine,
  unescaped,
  withoutMailHeader,
  withoutMentions,
} from './phrases.ts';
import { type Compiled, formatsOf, isBlank, LABEL, type Piece, piecesOf, roleIn, stamped } from './pieces.ts';
import { excerpt } from './text.ts';

/** A text whose turns are marked in a known way, with labels before them; or whose speakers nothing tells apart. */
export type Recognized = { text: string; assumed: string[] } | { speakers: ReadonlyMap<string, string> };

const turnLines = (turns: readonly LogTurn[], time: string | undefined): string[] => [
  ...turns.map(({ role, text }) => stamped(time, `${LABEL[role]}: ${text}`)),
  // A blank line parts pairs: each is a case where nothing says that they go on.
  ...(turns.length > 1 ? [''] : []),
];

/** A line of a log, which has a prefix or begins with a cue: what was said in it, or a label; null where neither. */
function logLines({ line, rest, time, tag }: Piece, format: CaseFormat): Read {
  const { words } = format;
  // Arrows tell what goes in and out.
  const text = (rest ?? line).trim().replace(/^(?:<{1,3}|>{1,3}|<?-{1,2}>?|<?={1,2}>?) (?=\S)/, '');
  const isCue = rest !== null || (beginsWithCue(text, words) && !endsInProse(text));
  const { turns, isAside } = isCue
    ? readLogLine(tag === undefined ? text : `${tag}: ${text}`, words)
    : { turns: [], isAside: false };
  const label = readLabel(text, format);
  // "User: …" says whose words these are; "[asr] final=…" what among its pairs was said.
  if (label && !label.alone && !/=["'“[]|^\[\w+\] \w+ ?: ?["'“]/.test(text) && !isAside)
    return readLabel(line, format)
      ? { lines: [line], isOwn: false }
      : { lines: [stamped(time, text)], isOwn: true };
  if (!isCue) return { lines: [line], isOwn: false };
  if (turns.length > 0 || isAside || rest !== null)
    return { lines: turns.length > 0 ? turnLines(turns, time) : null, isOwn: true, isAside };
  return { lines: [line], isOwn: false };
}

/** Text around what was said that would be lost: more than a word or two. */
const aside = (text: string | undefined): string[] =>
  text !== undefined && /\p{L}+\P{L}+\p{L}+\P{L}+\p{L}/u.test(text) ? [text.trim()] : [];

/** What a line became: lines with labels, or nothing where it is left out. */
interface Read {
  lines: string[] | null;
  /** Whether it is written as the format has it. */
  isOwn: boolean;
  /** Whether it may tell of what another line says. */
  isAside?: boolean;
}

function lineOf(piece: Piece, all: readonly Piece[]): Read {
  const { line, found, isNoise, time } = piece;
  if (isNoise || found === null) return { lines: isNoise ? null : [line], isOwn: false };
  const turns = (['user', 'system'] as const).flatMap((role) => {
    const said = found[role];
    return said === undefined ? [] : [{ role, text: unescaped(said) }];
  });
  const [{ role } = { role: 'user' }] = turns;
  const isOther =
    found.sign && all.find((one) => one.found?.[role] !== undefined)?.found?.sign !== found.sign;
  return isOther ? { lines: [line], isOwn: false } : { lines: turnLines(turns, time), isOwn: true };
}

/** Lines that say by themselves whose turn they are: `[asr] final="…"`, `"…" -> "…"`. */
function labelLines(
  pieces: readonly Piece[],
  { name, whole, cues, signs }: Compiled,
  format: CaseFormat,
): Recognized | null {
  if (signs && pieces.some(({ line }) => roleIn(line, format) !== null)) return null;
  const isOther = ({ line, found }: Piece) => (found ? roleIn(line, format) !== null : !isBlank(line));
  if (whole && pieces.some(isOther)) return null;
  const read = pieces.map((piece) =>
    cues && !piece.isNoise && !isBlank(piece.line) ? logLines(piece, format) : lineOf(piece, pieces),
  );
  const rolesIn = (some: readonly Read[]) =>
    new Set(some.flatMap(({ lines }) => lines?.flatMap((line) => roleIn(line, format) ?? []) ?? []));
  // What an NLU made of an utterance counts where no other line has it.
  const isSaidElsewhere = rolesIn(read.filter(({ isAside }) => !isAside)).size === 2;
  const kept = read.map((one) => (isSaidElsewhere && one.isAside ? { ...one, lines: null } : one));
  if (!kept.some(({ isOwn }) => isOwn) || rolesIn(kept).size < 2) return null;
  const count = kept.filter(({ lines }) => lines === null).length;
  const asides = pieces.flatMap(({ found }) => [...aside(found?.before), ...aside(found?.after)]);
  return {
    text: kept.flatMap(({ lines }) => lines ?? []).join('\n'),
    assumed: [
      ...(signs ? [] : [`read as ${name}`]),
      ...(count === 0 ? [] : [`left out: ${counted(count, 'other line')}`]),
      ...asides.map((text) => `left out: text beside what was said ("${excerpt(text)}")`),
    ],
  };
}

/** What one speaker said at once. */
interface Message {
  speaker: string;
  /** The line that names the speaker. */
  line: string;
  time: string | undefined;
  isApp: boolean;
  lines: string[];
}

function messagesOf(pieces: readonly Piece[], format: CaseFormat): { before: string[]; messages: Message[] } {
  const before: string[] = [];
  const messages: Message[] = [];
  for (const { line, found, isNoise, time } of pieces) {
    const { speaker, text, app } = found ?? {};
    // "Mo 04.03.24, 22:15" names no speaker.
    if (speaker !== undefined && momentLine(line, format) === null)
      messages.push({
        speaker: speaker.trim(),
        line: line.replaceAll('\n', ' '),
        time,
        isApp: app !== undefined,
        lines: text ? [text] : [],
      });
    else if (!isNoise) (messages.at(-1)?.lines ?? before).push(line);
  }
  return { before, messages };
}

function leftOut({ line, lines }: Message): string {
  const body = lines.join(' ').trim();
  return `left out: a message that belongs to no turn ("${excerpt(line.includes(body) ? line : `${line} ${body}`)}")`;
}

/** Messages that quote a conversation with labels: what stands in those without is about it. */
function quoting(before: readonly string[], messages: readonly Message[], format: CaseFormat) {
  const quotes = messages.filter(({ lines }) => lines.some((line) => roleIn(line, format) !== null));
  if (quotes.length === 0) return null;
  const others = messages.filter((message) => !quotes.includes(message));
  return {
    text: [...before, quotes.map(({ lines }) => lines.join('\n')).join('\n---\n')].join('\n'),
    assumed: [
      `left out: who sent it (${[...new Set(quotes.map(({ line }) => `"${excerpt(line, 60)}"`))].join(', ')})`,
      ...others.map(leftOut),
    ],
  };
}

/** Who is who, and what is said of it. */
interface Roles {
  roles: ReadonlyMap<string, Role>;
  why: string[];
}

/** Who says by name, or by what they say, who they are. */
function evidentRoles(messages: readonly Message[], format: CaseFormat): Roles {
  const roles = new Map<string, Role>();
  const why: string[] = [];
  for (const { speaker, isApp, lines } of messages) {
    const meaning = meaningOf(speaker, format)?.meaning;
    const isAssistant = isApp || begins(speaker, 'assistant', format.words);
    const wakes = lines.some((line) => begins(line, 'wakeWord', format.words));
    if (roles.has(speaker)) continue;
    if (meaning?.kind === 'role') roles.set(speaker, meaning.role);
    else if (isAssistant || wakes) {
      roles.set(speaker, isAssistant ? 'system' : 'user');
      why.push(`"${speaker}" as the ${isAssistant ? 'system' : 'user, who says the wake word'}`);
    }
  }
  return { roles, why };
}

/** Who is who, where that is evident: beside one side that is known, the other is who asked just before, or the only one left. */
function rolesOf(messages: readonly Message[], isWhole: boolean, format: CaseFormat): Roles {
  const { roles, why } = evidentRoles(messages, format);
  const [role, ...others] = new Set(roles.values());
  const [unknown, ...more] = new Set(
    messages.flatMap(({ speaker }) => (roles.has(speaker) ? [] : [speaker])),
  );
  const first = messages.findIndex(({ speaker }) => roles.get(speaker) === 'system');
  const asker = role === 'system' ? messages[first - 1]?.speaker : more.length === 0 ? unknown : undefined;
  // "Notes: …" beside "User: …" is no system.
  const isGuess = isWhole && role === 'user' && why.length === 0;
  if (role === undefined || others.length > 0 || asker === undefined || isGuess) return { roles, why };
  const missing: Role = role === 'user' ? 'system' : 'user';
  return { roles: new Map([...roles, [asker, missing]]), why: [...why, `"${asker}" as the ${missing}`] };
}

/** Messages of speakers: theirs are turns where it is evident who is who, and else it has to be said. */
function labelSpeakers(pieces: readonly Piece[], isWhole: boolean, format: CaseFormat): Recognized | null {
  const { before, messages } = messagesOf(pieces, format);
  const names = [...new Set(messages.map(({ speaker }) => speaker))];
  const isLabeled = messages.every(({ line }) => readLabel(line, format)?.meaning.kind === 'role');
  const isName = (name: string) => ['role', undefined].includes(meaningOf(name, format)?.meaning.kind);
  const others = [...before, ...messages.flatMap(({ lines: [_, ...below] }) => below)];
  // Of lines with names, two speakers say all.
  const areTwo = messages.length > 1 && names.length === 2 && names.every(isName) && others.every(isBlank);
  if (isLabeled || (isWhole && !areTwo)) return null;
  const quoted = quoting(before, messages, format);
  if (quoted) return quoted;
  const { roles, why } = rolesOf(messages, isWhole, format);
  const last = messages.findLastIndex(({ speaker }) => roles.get(speaker) === 'system');
  const isStranger = ({ speaker }: Message) => !roles.has(speaker);
  const isSettled = new Set(roles.values()).size === 2 && !messages.slice(0, last).some(isStranger);
  const firstOf = (name: string) => messages.find(({ speaker }) => speaker === name)?.line ?? '';
  if (!isSettled) return { speakers: new Map(names.map((name) => [name, firstOf(name)])) };
  const text = messages.flatMap(({ speaker, time, lines: [first = '', ...below] }) => {
    const role = roles.get(speaker);
    return role === undefined ? [] : [stamped(time, `${LABEL[role]}: ${first}`), ...below];
  });
  return {
    text: [...before, ...text].join('\n'),
    assumed: [
      ...(why.length > 0 ? [`read ${why.join(', ')}`] : []),
      ...messages.filter(isStranger).map(leftOut),
    ],
  };
}

/** The text with labels before its turns, where a format of `prompts/paste/formats.yaml` tells them; as it stands where none does. */
export function recognize(whole: string, format: CaseFormat): Recognized {
  const mail = withoutMailHeader(whole);
  const { text, assumed: mentions } = withoutMentions(mail.text, format);
  const assumed = [...mail.assumed, ...mentions];
  for (const one of formatsOf(format.words)) {
    const pieces = piecesOf(text, one);
    const read = one.hasSpeakers ? labelSpeakers(pieces, one.whole, format) : labelLines(pieces, one, format);
    if (read) return 'text' in read ? { text: read.text, assumed: [...assumed, ...read.assumed] } : read;
  }
  return { text, assumed };
}
