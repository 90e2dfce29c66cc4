import type { CaseFormat } from '../case-format.ts';
import { oncePer, type Words } from '../words.ts';
import { readLabel, STAMP } from './label-line.ts';
import type { Role } from './labels.ts';
import { withoutMarks } from './text.ts';

/** The formats of a text, in the order in which they are tried. */
export const formatsOf = oncePer(({ formats }: Words) => {
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

export type Compiled = ReturnType<typeof formatsOf>[number];

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
export function piecesOf(text: string, format: Compiled): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at <= text.length; ) {
    const prefix = matchAt(format.prefixes, text, at);
    const start = at + (prefix?.[0].length ?? 0);
    const turn = matchAt(format.lines, text, start);
    const match = turn ?? matchAt(format.noise, text, start);
    const newline = text.indexOf('\n', match ? start + match[0].length : start);
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

export const LABEL: Readonly<Record<Role, string>> = { user: 'User', system: 'System' };

export const isBlank = (line: string): boolean => withoutMarks(line).trim() === '';
