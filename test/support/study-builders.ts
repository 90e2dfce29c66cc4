import type { EvalCase } from '../../src/case/case.ts';
import type { Annotation } from '../../src/studies/annotation.ts';
import type { Answers } from '../../src/studies/questions.ts';
import type { Study } from '../../src/studies/study.ts';
import type { StudyCase } from '../../src/studies/study-case.ts';
import { aCase } from './builders.ts';
import { saturday } from './store-builders.ts';

/** A case with the label `pass`, or with an error of that type. */
export const labeled = (id: string, label: string, parts: Partial<EvalCase> = {}): StudyCase => ({
  id,
  evalCase: aCase({
    id,
    conversation: [{ role: 'user', text: `Request ${id}` }],
    label: label === 'pass' ? { decision: 'pass' } : { decision: 'fail', errorType: label },
    ...parts,
  }),
});

/** So many annotators `p0`, `p1`, … named `n0`, `n1`, … */
export const annotators = (count: number): Study['annotators'] =>
  Array.from({ length: count }, (_, place) => ({
    id: `p${place}`,
    place,
    person: { surface: 'name', team: '', user: `n${place}` },
  }));

/** Two cases, one correct and one with the error time, for two annotators. */
export const aStudy = (parts: Partial<Study> = {}): Study => ({
  id: 's1',
  name: 'Sample',
  at: saturday,
  seed: 1,
  items: ['user', 'system', 'correct', 'errors', 'comment'],
  standard: { rubric: 'navigation', task: 'Decide.', criteria: [{ title: 'Time', rule: 'It is open.' }] },
  errorTypes: [
    { id: 'time', title: 'Time' },
    { id: 'cost', title: 'Cost' },
    { id: 'other', title: 'Other' },
  ],
  cases: [labeled('c0', 'pass'), labeled('c1', 'time')],
  annotators: annotators(2),
  closed: false,
  ...parts,
});

/** What an annotator says: the ratings and whether it is correct, or which errors it has. */
export const says = (user: number, system: number, ...errors: string[]): Answers => ({
  user,
  system,
  correct: errors.length === 0,
  ...(errors.length === 0 ? {} : { errors }),
});

export const anAnnotation = (parts: Partial<Annotation> = {}): Annotation => ({
  study: 's1',
  annotator: 'p0',
  case: 0,
  answers: says(4, 3),
  at: saturday + 1000,
  ...parts,
});
