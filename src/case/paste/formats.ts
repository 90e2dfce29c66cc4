import { counted } from '../../common/text.ts';
import type { CaseFormat } from '../case-format.ts';
import { oncePer, type Words } from '../words.ts';
import { readLabel, STAMP } from './label-line.ts';
import type { Role } from './labels.ts';

/** A text whose turns are marked in a known way, with labels before them; or whose speakers nothing tells apart. */
export type Recognized = { text: string; assumed: string[] } | { speakers: ReadonlyMap<string, string> };

/** The formats of a text, in the order in which they are tried. */
export const formatsOf = oncePer(({ formats }: Words) => {
  const sticky = (source: string) => new RegExp(source, 'muy');
  return formats.map((format) => ({
    ...format,
    prefixes: format.prefixes.map(sticky),
    lines: format.lines.map(sticky),
    noise: format.noise.map(sticky),
    hasSpeakers: format.lines.some((source) => source.includes('(?<speaker>')),
  }));
});

type Compiled = ReturnType<typeof formatsOf>[number];

/** One line (or two, where a name stands above its time), as a format reads it. */
export interface Piece {
  /** As written. */
  line: string;
  /** What its pattern found; null where none fits. */
  found: Readonly<Record<string, string | undefined>> | null;
  isNoise: boolean;
  /** The line without what a log puts before it, where it has that. */
  rest: string | null;
  time: string | undefined;
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
export function piecesOf(text: string, format: Compiled): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at <= text.length; ) {
    const prefix = matchAt(format.prefixes, text, at);
    const start = at + (prefix?.[0].length ?? 0);
    const noise = matchAt(format.noise, text, start);
    const match = noise ?? matchAt(format.lines, text, start);
    const newline = text.indexOf('\n', match ? start + match[0].length : start);
    const end = newline < 0 ? text.length : newline;
    pieces.push({
      line: text.slice(at, end),
      found: noise ? null : (match?.groups ?? null),
      isNoise: noise !== null,
      rest: prefix ? text.slice(start, end) : null,
      time: prefix?.groups?.time ?? match?.groups?.time,
    });
    at = end + 1;
  }
  return pieces;
}

export const roleIn = (line: string, format: CaseFormat): Role | null => {
  const found = readLabel(line, format);
  return found?.meaning.kind === 'role' && found.word.length > 1 && !found.alone ? found.meaning.role : null;
};

const WHOLE_STAMP = new RegExp(`^${STAMP}$`);
/** A time before a label is read as one, where it is one that labels can have. */
export const stamped = (time: string | undefined, line: string): string => {
  const plain = time
    ?.trim()
    .replace(/[.,]\d+$/, '')
    .replace(/ (?:-|–|-->) .*$/, '');
  return plain !== undefined && WHOLE_STAMP.test(plain) ? `[${plain}] ${line}` : line;
};

const unescaped = (text: string): string => text.replace(/\\(["\\/])/g, '$1').replaceAll('\\n', ' ');

/** A line with labels before what its format found; null where the line is left out. */
function labeled({ line, found, isNoise, rest, time }: Piece, format: CaseFormat): string[] | null {
  if (isNoise) return null;
  if (found === null && rest === null) return [line];
  if (found === null)
    return readLabel(rest ?? '', format)?.alone === false ? [stamped(time, rest ?? '')] : null;
  const { user, system } = found;
  return [
    ...(user === undefined ? [] : [stamped(time, `User: ${unescaped(user)}`)]),
    ...(system === undefined ? [] : [stamped(time, `System: ${unescaped(system)}`)]),
    // A blank line parts pairs: each is a case where nothing says that they go on.
    ...(user === undefined || system === undefined ? [] : ['']),
  ];
}

/** Lines that say by themselves whose turn they are: `[asr] final="…"`, `"…" -> "…"`. */
export function labelLines(pieces: readonly Piece[], name: string, format: CaseFormat): Recognized | null {
  const read = pieces.map((piece) => ({ piece, lines: labeled(piece, format) }));
  const isOwn = read.some(({ piece, lines }) => lines && (piece.found ?? piece.rest) !== null);
  const roles = new Set(read.flatMap(({ lines }) => lines?.map((line) => roleIn(line, format)) ?? []));
  if (!isOwn || !roles.has('user') || !roles.has('system')) return null;
  const count = read.filter(({ lines }) => lines === null).length;
  const more = count === 0 ? [] : [`left out: ${counted(count, 'other line')}`];
  return { text: read.flatMap(({ lines }) => lines ?? []).join('\n'), assumed: [`read as ${name}`, ...more] };
}
