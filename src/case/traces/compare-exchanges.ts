import type { Exchange } from './exchanges.ts';
import { endsWith, holds, ofUser, startsWith } from './turns.ts';

const asked = (exchange: Exchange): string =>
  ofUser(exchange.turns.slice(exchange.fresh))
    .map(({ text }) => text)
    .join('\n');

export const isSameRequest = (one: Exchange, other: Exchange): boolean =>
  holds(asked(one), asked(other)) || holds(asked(other), asked(one));

export const answerOf = ({ turns }: Exchange): string =>
  (turns.findLast(({ role }) => role === 'system')?.text ?? '').replace(/\s+/g, ' ').trim();

/** How an exchange follows the one before it in the same trace; `unclear` if nothing says so. */
export function following(
  before: Exchange,
  exchange: Exchange,
): 'replaces' | 'repeats' | 'follows' | 'unclear' {
  const fresh = exchange.turns.slice(exchange.fresh);
  if (endsWith(exchange.turns.slice(0, exchange.fresh), before.turns.slice(before.fresh))) return 'follows';
  if (isSameRequest(before, exchange)) {
    if (
      startsWith(fresh, before.turns.slice(before.fresh)) &&
      fresh.length > before.turns.length - before.fresh
    )
      return 'replaces';
    return answerOf(before) === answerOf(exchange) ? 'repeats' : 'unclear';
  }
  const areNamed = [before, exchange].every(({ record }) => record.session !== undefined);
  const areRoots = [before, exchange].every(({ record }) => record.parent === undefined);
  return (areNamed || areRoots) && before.instructions === exchange.instructions ? 'follows' : 'unclear';
}
