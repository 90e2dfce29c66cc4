import { personText } from '../labels/person.ts';
import { createRandom } from '../statistics/random.ts';
import type { Annotation } from './annotation.ts';
import { byCategory } from './sample-cases.ts';
import { type Annotator, categoryOf, type Study } from './study.ts';

/**
 * The order in which an annotator sees the cases, as indexes: another one for each, fixed by the seed. It goes in rounds of
 * one case of each category, so that whoever stops early has seen of all kinds.
 */
export function orderOf({ cases, seed }: Pick<Study, 'cases' | 'seed'>, { place }: Annotator): number[] {
  const random = createRandom(seed, 'study order', place);
  const groups = byCategory([...cases.keys()], (index) => categoryOf(cases[index]?.evalCase ?? {})).map(
    (group) => random.shuffled(group),
  );
  const order: number[] = [];
  while (order.length < cases.length)
    order.push(...random.shuffled(groups).flatMap((group) => group.splice(0, 1)));
  return order;
}

/** How far an annotator is. */
export interface StudyProgress {
  done: number;
  total: number;
  /** Where in their order the first case stands that they have not annotated; null where there is none. */
  next: number | null;
}

export function progressOf(
  study: Pick<Study, 'cases' | 'seed'>,
  annotator: Annotator,
  annotations: readonly Annotation[],
): StudyProgress {
  const done = new Set(annotations.flatMap((one) => (one.annotator === annotator.id ? [one.case] : [])));
  const next = orderOf(study, annotator).findIndex((index) => !done.has(index));
  return { done: done.size, total: study.cases.length, next: next < 0 ? null : next };
}

/** How far everybody is, by who they are. */
export function progressOfAll(
  { annotators, cases }: Pick<Study, 'annotators' | 'cases'>,
  annotations: readonly Annotation[],
): { person: string; done: number; total: number }[] {
  const done = new Map<string, number>();
  for (const { annotator } of annotations) done.set(annotator, (done.get(annotator) ?? 0) + 1);
  return annotators.map(({ id, person }) => ({
    person: personText(person),
    done: done.get(id) ?? 0,
    total: cases.length,
  }));
}
