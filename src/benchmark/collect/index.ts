/**
 * Where the cases of a benchmark come from: a file, a set, a generator, or a system under test that is asked for each answer. It
 * judges nothing. Start reading: `collect-answers.ts`.
 */
export {
  type BenchmarkCaseSource,
  benchmarkCases,
  hasDay,
  pairBuilds,
  sampled,
  underRubrics,
} from './benchmark-cases.ts';
export { type CaseShelf, type CollectEnd, type CollectProgress, collectAnswers } from './collect-answers.ts';
export {
  casesById,
  identified,
  requestFormat,
  requireSameOrigin,
  unansweredReason,
} from './collected-case.ts';
export { readSystemFile } from './system-file.ts';
export { openSystem, type SystemPorts } from './system-under-test.ts';
