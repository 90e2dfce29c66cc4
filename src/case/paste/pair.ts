import type { CaseFormat } from '../case-format.ts';
import { oncePer, type Words } from '../words.ts';
import { finishDraft } from './finish-draft.ts';
import { joinedPair } from './foreign.ts';
import { readLabel } from './label-line.ts';
import { wordOf } from './labels.ts';
import { type Parsed, speaks } from './problems.ts';
import { readText } from './read-text.ts';

/** A line that begins with what may be the label of an answer. */
const LABELED =
  /^[\s>*_#•·-]{0,8}([\p{L}][\p{L}\d _-]{0,30}?)[*_]{0,3}[ \t]{0,3}[:：][*_]{0,3}[ \t]{0,8}(.*)$/u;

/** The pair of each label, and which of the two it is. */
const placesOf = oncePer((words: Words) => {
  const places = new Map<string, { pair: number; at: 0 | 1 }>();
  for (const [pair, [first, second]] of words.answers.entries()) {
    places.set(wordOf(first, words), { pair, at: 0 });
    places.set(wordOf(second, words), { pair, at: 1 });
  }
  return places;
});

interface Labeled {
  line: number;
  name: string;
  pair: number;
  at: 0 | 1;
  value: string;
}

function labelsIn(lines: readonly string[], { words }: CaseFormat): Labeled[] {
  return lines.flatMap((text, line): Labeled[] => {
    const [, name = '', value = ''] = LABELED.exec(text) ?? [];
    const place = name === '' ? undefined : placesOf(words).get(wordOf(name, words));
    return place === undefined ? [] : [{ ...place, line, name, value }];
  });
}

/** Two answers to one request, each with what stands above both. */
export interface SplitPair {
  names: [string, string];
  texts: [string, string];
}

/** Reads `User: …`, `A: …`, `B: …` as two answers to one request; null for any other text. */
export function splitPair(text: string, format: CaseFormat): SplitPair | null {
  const lines = text.split('\n');
  const labels = labelsIn(lines, format);
  const [one, other, ...more] = labels;
  if (one === undefined || other === undefined || more.length > 0) return null;
  if (one.pair !== other.pair || one.at === other.at) return null;
  const above = lines.slice(0, one.line);
  const below = { one: lines.slice(one.line + 1, other.line), other: lines.slice(other.line + 1) };
  // Options within a turn: somebody speaks after them.
  const isTurn = (line: string) => readLabel(line, format)?.meaning.kind === 'role';
  const asked = readText(above.join('\n'), format);
  if (
    !speaks(asked, 'user') ||
    asked.turns.at(-1)?.role !== 'user' ||
    [...below.one, ...below.other].some(isTurn)
  )
    return null;
  const textOf = ({ value }: Labeled, after: readonly string[]) =>
    [...above, `System: ${value}`, ...after].join('\n');
  const split: SplitPair = {
    names: [one.name.trim(), other.name.trim()],
    texts: [textOf(one, below.one), textOf(other, below.other)],
  };
  if (one.at === 0) return split;
  return { names: [split.names[1], split.names[0]], texts: [split.texts[1], split.texts[0]] };
}

/** Reads both answers like any other and makes one case of them. */
export const finishPair = (
  { names, texts: [first, second] }: SplitPair,
  format: CaseFormat,
  assumed: readonly string[],
): Parsed =>
  joinedPair(finishDraft(readText(first, format)), finishDraft(readText(second, format)), names, assumed);
