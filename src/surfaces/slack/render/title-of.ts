import type { EvalCase } from '../../../case/case.ts';
import { oneLine, shortened } from './safe-text.ts';

const LONGEST = 60;

/** What a case is called in a list: its own id, else what the user said last. */
export const titleOf = ({ id, conversation }: Pick<EvalCase, 'id' | 'conversation'>): string =>
  id === undefined ? wordsOf({ conversation }) : oneLine(id);

/** What the user said last: for who must not know more of a case than what was said, as ids can tell what is wrong. */
export function wordsOf({ conversation }: Pick<EvalCase, 'conversation'>): string {
  const asked = conversation.findLast(({ role }) => role === 'user');
  return `“${shortened(oneLine(asked?.text ?? ''), LONGEST)}”`;
}
