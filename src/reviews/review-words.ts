import { counted } from '../common/text/index.ts';
import { type Language, wordsIn } from '../words/index.ts';
import type { AnsweredReview, NextReview } from './manage-reviews.ts';
import type { ReviewDesign, ReviewLabel } from './review-sample.ts';

/** What a private message says that asks a person to check answers. */
export interface ReviewInvitation {
  count: number;
  /** `10 answers to check, about 5 minutes`. */
  text: string;
  /** What this is, for people who have not volunteered; null for others. */
  about: string | null;
  buttons: readonly { does: 'start' | 'skip-week' | 'never'; text: string }[];
}

const MINUTES_EACH = 0.5;

/**
 * @param isFirst whether the person has not volunteered
 * @param language of the person
 */
export function reviewInvitation(count: number, isFirst: boolean, language: Language): ReviewInvitation {
  const words = wordsIn(language).reviews;
  return {
    count,
    about: isFirst ? words.about : null,
    text: words.toCheck({ count, minutes: Math.ceil(count * MINUTES_EACH) }),
    buttons: [
      { does: 'start', text: words.start },
      { does: 'skip-week', text: words.notThisWeek },
      { does: 'never', text: words.never },
    ],
  };
}

/** What a person can say about an answer, and the key for it. */
export const reviewChoices: readonly { right: ReviewLabel['right']; key: string; text: string }[] = [
  { right: 'pass', key: 'r', text: 'Response is right' },
  { right: 'fail', key: 'w', text: 'Response is wrong' },
  { right: 'unsure', key: 'u', text: 'Not sure' },
];

/** Why there is nothing to check now. */
export const noReviewText: Readonly<Record<Exclude<NextReview['kind'], 'offer'>, string>> =
  wordsIn('en').reviews.none;

/** Why nothing is drawn of a run that was given the name of an earlier one. */
export const otherRunText = (run: string): string =>
  `Answers of an earlier run named ${run} are drawn already. To draw some of this one, run it under another name.`;

/** What a person is told about an answer that does not count. */
export const answeredText: Readonly<Record<Exclude<AnsweredReview['kind'], 'kept'>, string>> =
  wordsIn('en').reviews.answered;

/** Answers that were not checked are named if they are more than this share of the drawn. */
const SAID_ABOVE = 0.1;

export const isManyUnchecked = ({ drawn, unchecked }: Pick<ReviewDesign, 'drawn' | 'unchecked'>): boolean =>
  unchecked > SAID_ABOVE * drawn;

/** `12 of the 40 answers drawn by chance are not checked`; null if they are a tenth at most. */
export const uncheckedText = ({ drawn, unchecked }: ReviewDesign): string | null =>
  isManyUnchecked({ drawn, unchecked })
    ? `${unchecked} of the ${counted(drawn, 'answer')} drawn by chance ${unchecked === 1 ? 'is' : 'are'} not checked`
    : null;

/** `40 answers drawn by chance, 12 checked`. */
export const drawnText = ({ drawn, checked }: Pick<ReviewDesign, 'drawn' | 'checked'>): string =>
  `${counted(drawn, 'answer')} drawn by chance, ${checked} checked`;
