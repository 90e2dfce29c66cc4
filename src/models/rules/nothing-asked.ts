import { FILLER, type Vocabulary } from './find-mentions.ts';
import type { Matter } from './matter.ts';
import { decided, listed, type Outcome, quoted, undecidable } from './outcome.ts';
import type { Wishes } from './wishes-for.ts';

const MAX_QUOTED = 2;
const MAX_LENGTH = 32;

type Doubt = { problem: string; next: string };

const subjectOf = (vocabulary: Vocabulary): string =>
  vocabulary.lexicons.get(FILLER)?.terms.get('subject')?.title ?? 'what the checks are about';

/** Why a wish may be one about something else ("a cheap hotel"), or null. */
export function otherSubject({ request, vocabulary }: Matter): Doubt | null {
  const [elsewhere] = request.elsewhere;
  if (elsewhere === undefined) return null;
  return {
    problem: `${quoted(elsewhere, MAX_LENGTH)} may be what is looked for, and not ${subjectOf(vocabulary)}`,
    next: 'ask a model',
  };
}

/** Why a wish cannot be held against what the checks are about: nothing says that it is wanted; or null. */
export function missingSubject({ request, vocabulary }: Matter): Doubt | null {
  if (request.namesSubject) return null;
  return { problem: `the request does not say that ${subjectOf(vocabulary)} is wanted`, next: 'ask a model' };
}

/** Why silence about a wish does not mean that there is none, and what would settle it; null where it does. */
function doubt(noun: string, matter: Matter): Doubt | null {
  const { request } = matter;
  const other = otherSubject(matter);
  if (other !== null && request.namesSubject) return other;
  const unread = request.unread.filter((words) => !request.elsewhere.includes(words));
  if (unread.length > 0) {
    const shown = unread.slice(0, MAX_QUOTED).map((words) => quoted(words, MAX_LENGTH));
    const more = unread.length > MAX_QUOTED ? [`${unread.length - MAX_QUOTED} more`] : [];
    return {
      problem: `no ${noun} wish recognized, but ${listed([...shown, ...more])} ${unread.length === 1 ? 'was' : 'were'} not understood`,
      next: 'ask a model, or add the words to a lexicon',
    };
  }
  return missingSubject(matter);
}

/**
 * The outcome where there is no exact wish: a rule about a wish holds where there is none, but only if nothing of the
 * request was left unread and it is about what the checks are about.
 */
export function nothingAsked(
  wishes: Exclude<Wishes, { kind: 'asked' }>,
  noun: string,
  matter: Matter,
): Outcome {
  const limit = `a ${noun} that the request names must be met`;
  const meaning = `so any ${noun} is right`;
  switch (wishes.kind) {
    case 'any':
      return decided(true, {
        asked: `the user said ${wishes.quote}`,
        found: '',
        limit,
        meaning,
        calculation: `${wishes.quote} sets no limit to the ${noun}`,
        gist: `any ${noun} is welcome`,
      });
    case 'unclear':
      return undecidable(wishes.problem, `ask a model, or name the ${noun} plainly in the request`, {
        asked: `the user said ${wishes.quote}`,
        limit,
        gist: wishes.problem,
      });
    case 'silent': {
      const doubted = doubt(noun, matter);
      if (doubted !== null) return undecidable(doubted.problem, doubted.next, { limit });
      return decided(true, {
        asked: `the user named no ${noun}`,
        found: '',
        limit,
        meaning,
        calculation: `every word of the request was understood and none names a ${noun}`,
        gist: `no ${noun} asked`,
      });
    }
  }
}
