/**
 * What to judge by and who judges: rubrics with their checks, personas, methods, and the library of them. Every method, rubric and
 * persona is a file in `prompts/`; no code asks which one it is. Start reading: `method.ts`.
 */
export { Car, type CarArgument, type CarEffect, type Cars, type CarTool } from './car.ts';
export { defaultMethod, rubricFor, selectingFields } from './choose-rubric.ts';
export {
  currentOf,
  type Exemplar,
  entry,
  exemplarOf,
  exemplarsFor,
  type JudgingLibrary,
  libraryIn,
} from './library.ts';
export {
  examplesOf,
  explainMisfit,
  Method,
  type MethodOverrides,
  overrideMethod,
  type Panel,
  ratingMethod,
  type Seat,
  seatPanel,
} from './method.ts';
export {
  Persona,
  readSettings,
  requireKnownSettings,
  type SettingValues,
  settingsOf,
  valuesWithDefaults,
  withSettings,
} from './persona.ts';
export {
  Criterion,
  comparing,
  criteriaInForce,
  fittedTo,
  fittedToAny,
  hiddenFields,
  isBinary,
  isCriterionFor,
  OVERALL,
  overallRubric,
  Rubric,
  rangeOf,
  type SetAside,
  variantFor,
  variantNamed,
  visibilityOf,
} from './rubric.ts';
export { type Check, Lexicon, type Lexicons, type LexiconTerm, pathsOfCheck } from './rubric-checks.ts';
export { rubricIn, titleIn, withoutTitles } from './titles.ts';
