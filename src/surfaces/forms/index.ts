/**
 * Forms as data: fields with labels, hints and errors, and what was filled in, read back. It knows no platform's dialogs. Start
 * reading: `form.ts`, then `ask-form.ts`.
 */
export {
  answerIn,
  chooseReading,
  type Draft,
  draftAgain,
  emptyDraft,
  expandDraft,
  findDraft,
  forgetDrafts,
  hasModel,
  keepDraft,
  type OpenForm,
  openDraft,
  reshapeDraft,
  saveSettings,
  sendDraft,
  settingsFor,
  trustReading,
  understand,
} from './ask-desk.ts';
export { PASTE } from './ask-form.ts';
export { describeField, isData } from './case-fields.ts';
export {
  correctionForm,
  knownAnswerForm,
  RIGHT,
  readCorrectionForm,
  readKnownAnswer,
  readRulingForm,
  rulingForm,
} from './corrections.ts';
export {
  type Choice,
  type FilledIn,
  type Form,
  type FormErrors,
  type FormField,
  type FormPart,
  isField,
  matchingChoices,
  readForm,
  refilled,
  type SelectField,
  severalIn,
  shownErrors,
  shownParts,
  shownText,
  textIn,
} from './form.ts';
export { judging } from './judging-fields.ts';
