import { counted } from '../../common/text.ts';
import type { CaseFormat } from '../case-format.ts';
import { oncePer, type Words } from '../words.ts';
import { meaningOf, type Role } from './labels.ts';
import { begins, readLabel, STAMP, withoutAddress } from './line-starts.ts';
import { beginsWithCue, endsInProse, readLogLine, unescaped } from './log-lines.ts';
import { momentLine } from './moments.ts';
import { excerpt, isBlank, listed } from './text.ts';

/** The formats of a text, in the order in which they are tried. */
const formatsOf = oncePer(({ formats }: Words) => {
  const sticky = (source: string) => new RegExp(source, 'muy');
  // What stands behind what a pattern found would be lost.
  const whole = (source: string) => sticky(`(?:${source})$`);
  return formats.map((format) => ({
    ...format,
    prefixes: format.prefixes.map(sticky),
    lines: format.lines.map(whole),
    noise: format.noise.map(whole),
    hasSpeakers: format.lines.some((source) => source.includes('(?<speaker>')),
  }));
});
type Format = ReturnType<typeof formatsOf>[number];

/** One line (or two, where a name stands above its time), as a format reads it. */
interface Piece {
  /** As written. */
  line: string;
  /** What its pattern found; null where none fits. */
  found: Readonly<Record<string, string | undefined>> | null;
  isNoise: boolean;
  /** The line without what a log puts before it, where it has that. */
  rest: string | null;
  time: string | undefined;
  /** The component that a log names before it. */
  tag: string | undefined;
}

const matchAt = (sources: readonly RegExp[], text: string, at: number): RegExpExecArray | null => {
  for (const pattern of sources) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) return match;
  }
  return null;
};

/** The lines of a text as a format reads them; each position is looked at once by each pattern. */
function piecesOf(text: string, format: Format): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at <= text.length; ) {
    const prefix = matchAt(format.prefixes, text, at);
    const start = at + (prefix?.[0].length ?? 0);
    const turn = matchAt(format.lines, text, start);
    const match = turn ?? matchAt(format.noise, text, start);
    const newline = text.indexOf('\n', start + (match?.[0].length ?? 0));
    const end = newline < 0 ? text.length : newline;
    pieces.push({
      line: text.slice(at, end),
      found: turn?.groups ?? null,
      isNoise: turn === null && match !== null,
      rest: prefix ? text.slice(start, end) : null,
      time: prefix?.groups?.time ?? match?.groups?.time,
      tag: prefix?.groups?.tag,
    });
    at = end + 1;
  }
  return pieces;
}

const roleIn = (line: string, format: CaseFormat): Role | null => {
  const found = readLabel(line, format);
  return found?.meaning.kind === 'role' && found.word.length > 1 && !found.alone ? found.meaning.role : null;
};

const WHOLE_STAMP = new RegExp(`^${STAMP}$`);
/** A time before a label is read as one, where it is one that labels can have. */
const stamped = (time: string | undefined, line: string): string => {
  const plain = (time ?? '').trim().replace(/[.,]\d+$| (?:-|–|-->) .*$/, '');
  return WHOLE_STAMP.test(plain) ? `[${plain}] ${line}` : line;
};

const LABEL: Readonly<Record<Role, string>> = { user: 'User', system: 'System' };

/** A text with labels before its turns; or why nothing tells its speakers apart. */
export type Recognized = { text: string; assumed: string[] } | { problem: string };

/** What a line became: lines with labels, or nothing where it is left out. */
interface Read {
  lines: string[] | null;
  /** Whether it is written as the format has it. */
  isOwn: boolean;
  /** Whether it may tell of what another line says. */
  isAside?: boolean;
}

const turnLines = (turns: readonly { role: Role; text: string }[], time: string | undefined): string[] => [
  ...turns.map(({ role, text }) => stamped(time, `${LABEL[role]}: ${text}`)),
  // A blank line parts pairs: each is a case where nothing says that they continue.
  ...(turns.length > 1 ? [''] : []),
];

/** A line of a log, which has a prefix or begins with a cue: what was said in it, or a label. */
function logLine({ line, rest, time, tag }: Piece, format: CaseFormat): Read {
  const { words } = format;
  // Arrows tell what goes in and out.
  const text = (rest ?? line).trim().replace(/^(?:<{1,3}|>{1,3}|<?-{1,2}>?|<?={1,2}>?) (?=\S)/, '');
  const isCue = rest !== null || (beginsWithCue(text, words) && !endsInProse(text));
  const { turns, isAside } = isCue
    ? readLogLine(tag === undefined ? text : `${tag}: ${text}`, words)
    : { turns: [], isAside: false };
  const label = readLabel(text, format);
  // "User: …" says whose words these are; "[asr] final=…" what among its pairs was said.
  if (label && !label.alone && !/=["'“[]|^\[\w+\] \w+ ?: ?["'“]/.test(text) && !isAside) {
    const isOwn = readLabel(line, format) === null;
    return { lines: [isOwn ? stamped(time, text) : line], isOwn };
  }
  if (turns.length > 0) return { lines: turnLines(turns, time), isOwn: true, isAside };
  return isAside || rest !== null ? { lines: null, isOwn: true, isAside } : { lines: [line], isOwn: false };
}

/** A line that a pattern of the format fits, or any other. */
function plainLine({ line, found, isNoise, time }: Piece, all: readonly Piece[]): Read {
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
  { name, whole, cues, signs }: Format,
  format: CaseFormat,
): Recognized | null {
  const hasRole = ({ line }: Piece) => roleIn(line, format) !== null;
  if (signs && pieces.some(hasRole)) return null;
  if (whole && pieces.some((piece) => (piece.found ? hasRole(piece) : !isBlank(piece.line)))) return null;
  const read = pieces.map((piece) =>
    cues && !piece.isNoise && !isBlank(piece.line) ? logLine(piece, format) : plainLine(piece, pieces),
  );
  const rolesIn = (some: readonly Read[]) =>
    new Set(some.flatMap(({ lines }) => lines?.flatMap((line) => roleIn(line, format) ?? []) ?? []));
  // What an NLU made of an utterance counts where no other line has it.
  const isSaidElsewhere = rolesIn(read.filter(({ isAside }) => !isAside)).size === 2;
  const kept = read.map((one) => (isSaidElsewhere && one.isAside ? { ...one, lines: null } : one));
  if (!kept.some(({ isOwn }) => isOwn) || rolesIn(kept).size < 2) return null;
  const count = kept.filter(({ lines }) => lines === null).length;
  // Text around what was said would be lost: more than a word or two.
  const asides = pieces
    .flatMap(({ found }) => [found?.before ?? '', found?.after ?? ''])
    .filter((text) => /\p{L}+\P{L}+\p{L}+\P{L}+\p{L}/u.test(text));
  return {
    text: kept.flatMap(({ lines }) => lines ?? []).join('\n'),
    assumed: [
      ...(signs ? [] : [`read as ${name}`]),
      ...(count === 0 ? [] : [`left out: ${counted(count, 'other line')}`]),
      ...asides.map((text) => `left out: text beside what was said ("${excerpt(text.trim())}")`),
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
  const senders = [...new Set(quotes.map(({ line }) => `"${excerpt(line, 60)}"`))];
  const others = messages.filter((message) => !quotes.includes(message));
  return {
    text: [...before, quotes.map(({ lines }) => lines.join('\n')).join('\n---\n')].join('\n'),
    assumed: [`left out: who sent it (${senders.join(', ')})`, ...others.map(leftOut)],
  };
}

/**
 * Who is who, and what is said of it: a name or the words themselves may show it; beside one side that is known, the other is who asked
 * just before, or the only one left.
 */
function rolesOf(messages: readonly Message[], isWhole: boolean, format: CaseFormat) {
  const roles = new Map<string, Role>();
  const why: string[] = [];
  const take = (speaker: string, role: Role, because = '') => {
    roles.set(speaker, role);
    why.push(`"${speaker}" as the ${role}${because}`);
  };
  for (const { speaker, isApp, lines } of messages) {
    const meaning = meaningOf(speaker, format)?.meaning;
    if (roles.has(speaker)) continue;
    if (meaning?.kind === 'role') roles.set(speaker, meaning.role);
    else if (isApp || begins(speaker, 'assistant', format.words)) take(speaker, 'system');
    else if (lines.some((line) => begins(line, 'wakeWord', format.words)))
      take(speaker, 'user', ', who says the wake word');
  }
  const [known, other] = new Set(roles.values());
  const [stranger, ...more] = new Set(
    messages.flatMap(({ speaker }) => (roles.has(speaker) ? [] : [speaker])),
  );
  const first = messages.findIndex(({ speaker }) => roles.get(speaker) === 'system');
  const asker = known === 'system' ? messages[first - 1]?.speaker : more.length === 0 ? stranger : undefined;
  // "Notes: …" beside "User: …" is no system.
  const isGuess = isWhole && known === 'user' && why.length === 0;
  if (known !== undefined && other === undefined && asker !== undefined && !isGuess)
    take(asker, known === 'user' ? 'system' : 'user');
  return { roles, why };
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
  if (new Set(roles.values()).size < 2 || messages.slice(0, last).some(isStranger))
    return {
      problem: `No label says who speaks. Speaking: ${listed(names, 5)}. Nothing says who is the user and who is the system: replace each line such as "${excerpt(messages[0]?.line ?? '', 60)}" with "User:" or "System:".`,
    };
  const text = messages.flatMap(({ speaker, time, lines: [first = '', ...below] }) => {
    const role = roles.get(speaker);
    return role === undefined ? [] : [stamped(time, `${LABEL[role]}: ${first}`), ...below];
  });
  const said = why.length > 0 ? [`read ${why.join(', ')}`] : [];
  return {
    text: [...before, ...text].join('\n'),
    assumed: [...said, ...messages.filter(isStranger).map(leftOut)],
  };
}

/** The text with labels before its turns, where a format of `prompts/paste/formats.yaml` tells them; as it stands where none does. */
export function recognize(whole: string, format: CaseFormat): Recognized {
  const { text, assumed } = withoutAddress(whole, format);
  for (const one of formatsOf(format.words)) {
    const pieces = piecesOf(text, one);
    const read = one.hasSpeakers ? labelSpeakers(pieces, one.whole, format) : labelLines(pieces, one, format);
    if (read) return 'text' in read ? { text: read.text, assumed: [...assumed, ...read.assumed] } : read;
  }
  return { text, assumed };
}
