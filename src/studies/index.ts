/**
 * Annotation studies: the sample, each annotator's order, what they see and say, the report. It knows no forms and no platform.
 * Start reading: `study.ts`, then `manage-studies.ts`.
 */
export {
  type AnnotateOutcome,
  type Annotation,
  caseAt,
  type NoSeat,
  progressOf,
  progressOfAll,
  type Seat,
  type StudyStore,
  shownCase,
  takeSeat,
} from './annotation.ts';
export {
  addAnnotators,
  annotateCase,
  annotationOf,
  findStudy,
  inviteAnnotators,
  makeStudy,
  openStudiesOf,
  requireAnnotator,
  type StudyPoster,
} from './manage-studies.ts';
export {
  Answers,
  answersOf,
  checkAnswers,
  isAskedAfter,
  type Question,
  questionsOf,
  saidTo,
  type Values,
} from './questions.ts';
export { type ShareWishes, unaskedIn } from './shares.ts';
export {
  Annotator,
  casesEach,
  rubricsOfCases,
  Study,
  StudyEntry,
  standardOf,
  standardsOf,
  studyItems,
} from './study.ts';
export { byCategory, categoryOf, type StudyCase } from './study-case.ts';
export {
  annotationCells,
  annotationColumns,
  annotationReader,
  annotationRow,
  labeledStudyCases,
} from './study-data.ts';
export {
  type CriterionReport,
  type LabelReport,
  type RatingReport,
  type StudyReport,
  studyReport,
} from './study-report.ts';
