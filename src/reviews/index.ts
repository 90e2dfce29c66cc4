/**
 * Review samples: answers of a run drawn by chance for people to check, who is asked about which, and what they said. It counts no
 * votes, estimates nothing and knows no platform. Start reading: `draw-sample.ts`, then `manage-reviews.ts`.
 */
export { countToReview, inviteReviewer, type ReviewPoster } from './invite-reviewer.ts';
export { choiceOf, listSamples } from './kept-reviews.ts';
export {
  answerReview,
  beginReview,
  checkedThisWeek,
  forgetReviewer,
  isNamedReviewer,
  type NextReview,
  nextReview,
  type ReviewOffer,
  type ReviewParts,
  type ReviewStatus,
  type ReviewWish,
  reviewStatus,
  skipReviews,
  volunteer,
} from './manage-reviews.ts';
export {
  ALIKE_MS,
  reviewedAnswersLike,
  reviewedAnswersOf,
  reviewedFor,
  signaturesOf,
} from './read-reviews.ts';
export {
  isSampleOf,
  type ReviewDesign,
  type ReviewedAnswer,
  type ReviewedRun,
  type ReviewLabel,
} from './review-sample.ts';
export {
  answeredText,
  drawnText,
  isManyUnchecked,
  noReviewText,
  otherRunText,
  type ReviewInvitation,
  reviewChoices,
  reviewInvitation,
  uncheckedText,
} from './review-words.ts';
