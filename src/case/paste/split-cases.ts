import type { CaseFormat } from '../case-format.ts';
import { withoutMarks } from './clean-text.ts';
import type { Draft } from './draft.ts';
import { readText } from './read-text.ts';

const isLineOf = (line: string): boolean =>
  /^[ \t]{0,8}(?:-{3,200}|={3,200}|—{3,200}|_{3,200}|\*{3,200})[ \t]{0,8}$/.test(withoutMarks(line));

const speaks = (draft: Draft, role: 'user' | 'system'): boolean =>
  draft.turns.some((turn) => turn.role === role && turn.text.trim() !== '');

/**
 * The parts of a text between lines of dashes or equals signs, each read for itself, where each holds a turn of the user and
 * one of the system; a part where nobody speaks belongs to the one before it. Null for all other texts.
 */
export function splitCases(text: string, format: CaseFormat): Draft[] | null {
  const parts: string[] = [''];
  for (const line of text.split('\n')) {
    if (isLineOf(line)) parts.push('');
    else parts[parts.length - 1] += `${line}\n`;
  }
  if (parts.length === 1) return null;
  const cases: { text: string; draft: Draft | null }[] = [];
  for (const part of parts.filter((candidate) => withoutMarks(candidate).trim() !== '')) {
    const draft = readText(part, format);
    const last = cases.at(-1);
    if (draft.turns.length > 0) {
      if (!speaks(draft, 'user') || !speaks(draft, 'system')) return null;
      cases.push({ text: part, draft });
    } else if (last) Object.assign(last, { text: `${last.text}\n${part}`, draft: null });
    else return null;
  }
  return cases.length < 2 ? null : cases.map(({ text, draft }) => draft ?? readText(text, format));
}
