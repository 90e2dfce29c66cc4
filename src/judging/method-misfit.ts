import type { Method } from './method.ts';
import type { Rubric } from './rubric.ts';

/** Why a method cannot judge by a rubric, as the rest of a sentence that begins with the method; null where it can. */
export function methodMisfit(method: Method, rubric: Rubric): string | null {
  if (method.ratedFirst !== undefined)
    return rubric.overall === undefined
      ? `has criteria rated first and then asks an overall question, but rubric "${rubric.id}" has no "overall"`
      : null;
  return method.reduce === 'mean' && rubric.decide === 'all'
    ? `takes the mean of scores, but rubric "${rubric.id}" passes or fails`
    : null;
}
