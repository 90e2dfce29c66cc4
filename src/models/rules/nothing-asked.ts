import { decided, listed, nounOf, type Outcome, quoted, undecidable } from './outcome.ts';
import type { Wishes } from './wishes-for.ts';

const MAX_QUOTED = 3;

/**
 * The outcome where there is no exact wish: a rule about a wish holds where there is none, but only if nothing of the
 * request was left unread.
 */
export function nothingAsked(
  wishes: Exclude<Wishes, { kind: 'asked' }>,
  noun: string,
  field: string,
  unread: readonly string[],
): Outcome {
  const limit = `a ${noun} that the request names must be met`;
  const found = `any ${noun} will do`;
  const gist = `no ${noun} asked`;
  switch (wishes.kind) {
    case 'any':
      return decided(true, {
        asked: `the user said ${wishes.quote}, so any ${noun} will do`,
        found,
        limit,
        meaning: 'so nothing here can be wrong',
        calculation: `${wishes.quote} sets no limit to the ${noun}`,
        gist: `any ${noun} is welcome`,
      });
    case 'unclear':
      return undecidable(wishes.problem, `ask a model, or name the ${nounOf(field)} plainly in the request`, {
        asked: `the user said ${wishes.quote}`,
        limit,
        gist: wishes.problem,
      });
    case 'silent': {
      if (unread.length === 0)
        return decided(true, {
          asked: `the user named no ${noun}`,
          found,
          limit,
          meaning: 'so nothing here can be wrong',
          calculation: `every word of the request was understood and none names a ${noun}, so nothing can be violated`,
          gist,
        });
      const shown = unread.slice(0, MAX_QUOTED).map(quoted);
      const more = unread.length > MAX_QUOTED ? [`${unread.length - MAX_QUOTED} more`] : [];
      const problem = `no ${noun} wish recognized, but ${listed([...shown, ...more])} ${unread.length === 1 ? 'was' : 'were'} not understood`;
      return undecidable(problem, 'ask a model, or add the words to a lexicon', {
        asked: 'the user chose words that are not known here',
        limit,
        gist: problem,
      });
    }
  }
}
