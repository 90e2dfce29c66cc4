import { counted } from '../common/text/index.ts';
import type { AnsweredReview, NextReview } from './manage-reviews.ts';
import type { ReviewDesign, ReviewLabel } from './review-sample.ts';

/** What a private message says that asks a person to check answers. */
export interface ReviewInvitation {
  /** `10 answers to check, about 5 minutes`. */
  text: string;
  /** What this is, for people who have not volunteered; null for others. */
  about: string | null;
  buttons: readonly { does: 'start' | 'skip-week' | 'never'; text: string }[];
}

const MINUTES_EACH = 0.5;

const ABOUT =
  'They were drawn by chance, to find out how far the judges can be trusted. You see each without the verdict, and no list shows who said what.';

/** @param isFirst whether the person has not volunteered */
export const reviewInvitation = (count: number, isFirst: boolean): ReviewInvitation => ({
  about: isFirst ? ABOUT : null,
  text: `${counted(count, 'answer')} to check, about ${counted(Math.ceil(count * MINUTES_EACH), 'minute')}`,
  buttons: [
    { does: 'start', text: 'Start' },
    { does: 'skip-week', text: 'Not this week' },
    { does: 'never', text: 'Never' },
  ],
});

/** What a person can say about an answer, and the key for it. */
export const reviewChoices: readonly { right: ReviewLabel['right']; key: string; text: string }[] = [
  { right: 'pass', key: 'r', text: 'Response is right' },
  { right: 'fail', key: 'w', text: 'Response is wrong' },
  { right: 'unsure', key: 'u', text: 'Not sure' },
];

/** Why there is nothing to check now. */
export const noReviewText: Readonly<Record<Exclude<NextReview['kind'], 'offer'>, string>> = {
  'not-volunteer': 'You have not volunteered to check answers.',
  never: 'You asked never to be offered answers to check.',
  'not-this-week': 'You’re skipping this week. There may be more from Monday.',
  enough: 'Thank you, that is all for this week.',
  'not-asked': 'This run does not ask you to check answers.',
  past: 'Answers of this run were drawn more than 30 days ago and are no longer offered.',
  none: 'There is nothing left to check. Thank you.',
};

/** Why nothing is drawn of a run that was given the name of an earlier one. */
export const otherRunText = (run: string): string =>
  `Answers of an earlier run named ${run} are drawn already. To draw some of this one, run it under another name.`;

/** What a person is told about an answer that does not count. */
export const answeredText: Readonly<Record<Exclude<AnsweredReview['kind'], 'kept'>, string>> = {
  stood: 'You answered this before. Your first answer counts, this one does not.',
  late: 'Someone else has since been asked about this one.',
  gone: 'This answer is no longer there to check.',
};

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
