import type { CaseFormat } from '../format/index.ts';
import { readLabel } from './line-labels.ts';
import type { Tracked } from './tracked-text.ts';

/** A word with a colon, which may be the label of a turn. */
const LABEL = /(?<=^|\s)(\p{L}{2,20}):(?=\s)/gu;

/**
 * Splits a conversation that a chat client put on one line: `User: … System: … User: … System: …`.
 * @returns the turns; `unclear` if there are three or more labels, the first the user's, but user and system do not
 * alternate under one name each; null for any other text (two turns in a line are one of the declared formats)
 */
export function turnsOfLine(line: Tracked, format: CaseFormat): Tracked[] | 'unclear' | null {
  const { text } = line;
  if (text.includes('\n')) return null;
  const labels = [...text.matchAll(LABEL)].flatMap(({ index, 1: name = '' }) => {
    const meaning = readLabel(`${name}: …`, format)?.meaning;
    return meaning?.kind === 'role' ? [{ index, name, role: meaning.role }] : [];
  });
  const [first, second] = labels;
  if (first?.index !== 0 || first.role !== 'user' || labels.length < 3) return null;
  const takeTurns = labels.every(({ name, role }, at) =>
    at % 2 === 0 ? name === first.name && role === 'user' : name === second?.name && role === 'system',
  );
  if (!takeTurns) return 'unclear';
  const ends = [...labels.slice(1).map(({ index }) => index), text.length];
  return labels.map(({ index }, at) => line.slice(index, ends[at]).trim());
}

/** The problem with a line that is `unclear`. */
export const LABELS_IN_LINE =
  'Several labels stand in one line, and it is not clear where each turn ends: write every turn on a line of its own.';
