import type { EvalCase } from '../../../core/case.ts';
import { oneLine, shortened } from './safe-text.ts';

const LONGEST = 60;

/** What a case is called in a list: its own id, else what the user said last. */
export function titleOf({ id, conversation }: Pick<EvalCase, 'id' | 'conversation'>): string {
  if (id !== undefined) return oneLine(id);
  const asked = conversation.findLast(({ role }) => role === 'user');
  return `“${shortened(oneLine(asked?.text ?? ''), LONGEST)}”`;
}
