/**
 * What happens after a click or a form: votes, cards, studies, reviews, schedules. One desk for all surfaces. It renders nothing and names
 * no platform. Start reading: `vote-desk.ts`.
 */
export {
  addBySetForm,
  askModel,
  casesOf,
  judgeEdited,
  judgeExample,
  judgeThese,
  judgeWithIt,
  modelToAsk,
  noModel,
  readableVerdict,
  ruleOn,
  SET,
  setForm,
  shareOnce,
  stopRequest,
  tryAgain,
  withItKey,
} from './card-desk.ts';
export {
  readAlert,
  readDigestCommand,
  readScheduleForm,
  reviewBy,
  scheduleForm,
  scheduleProblemAt,
  zoneChoices,
} from './digest-command.ts';
export {
  answerDigestCommand,
  changeSchedule,
  type DigestAnswer,
  type DigestAsker,
  didText,
  nameOfSchedule,
  noteSchedule,
  scheduleDigest,
} from './digest-desk.ts';
export {
  type ManageForm,
  type ManageMenu,
  type Managing,
  manageForm,
  manageMenu,
  mayManage,
  sendManageForm,
} from './manage-desk.ts';
export {
  isReviewCommand,
  keepReview,
  readReviewPress,
  readReviewRef,
  reviewMessage,
  reviewNow,
  reviewPartsFor,
  wholeReview,
} from './review-desk.ts';
export {
  caseSections,
  fieldOf,
  forgetGuides,
  guideSection,
  isFirstLook,
  openSeats,
  readStudyCommand,
  studyForm,
  studyInvitation,
  studyRef,
  takeAnswers,
} from './study-desk.ts';
export {
  castAnswer,
  castCorrection,
  castThumb,
  correctionFor,
  isUndecided,
  offeredAt,
  type ThumbOutcome,
  thumbText,
  type Voting,
  voted,
} from './vote-desk.ts';
