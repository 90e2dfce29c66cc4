import * as z from 'zod';
import { type EvalCase, missingFields } from '../case/case.ts';
import { Id } from '../common/id.ts';
import { Check } from './check.ts';

/** How a criterion is answered: pass or fail, or a number between two bounds, with the meaning of each level. */
export const Scale = z.union([
  z.literal('binary'),
  z
    .strictObject({
      min: z.number(),
      max: z.number(),
      /** Meaning of levels, keyed by the number; where given, only whole numbers count as an answer. */
      levels: z.record(z.string().regex(/^-?\d+$/, 'must be a whole number'), z.string().min(1)).optional(),
    })
    .refine((scale) => scale.min < scale.max, 'min must be below max')
    .refine(
      ({ min, max, levels = {} }) =>
        Object.keys(levels).every((level) => Number(level) >= min && Number(level) <= max),
      'levels must lie between min and max',
    ),
]);
export type Scale = z.infer<typeof Scale>;

export const isBinary = (scale: Scale): scale is 'binary' => scale === 'binary';

/** The bounds of a number scale; null for pass or fail. */
export const rangeOf = (scale: Scale): { min: number; max: number } | null =>
  isBinary(scale) ? null : { min: scale.min, max: scale.max };

const line = z.string().trim().min(1);

export const Criterion = z.strictObject({
  id: Id,
  title: line,
  /** The rule in words, as every judge reads it. */
  rule: line,
  /** What it looks at, where a rubric's criteria fall into groups; for readers, never part of a prompt. */
  dimension: line.optional(),
  scale: Scale.default('binary'),
  /** How to work through a case for this criterion, told to judges that reason step by step. */
  steps: line.optional(),
  /** Fields without which no judge can judge this criterion; when one is missing it is set aside, and said so. */
  needs: z.array(line).default([]),
  /** Whether a case can be such that this criterion has nothing to say about it; then it neither passes nor fails. */
  mayNotApply: z.boolean().default(false),
  /** The exact check of the `rules` judge, where there is one. */
  check: Check.optional(),
  /** `rules`: always decided by the exact check, whatever model judges the rest. */
  judgedBy: z.enum(['panel', 'rules']).default('panel'),
});
export type Criterion = z.infer<typeof Criterion>;

/** The id of the one criterion that stands for a rubric's overall question. */
const OVERALL = 'overall';

/** The one question that a panel answers after the criteria have been rated, on a scale of its own. */
const Overall = z.strictObject({
  title: line,
  /** What the panel is to decide, in words, in place of the rubric's own task. */
  task: line,
  rule: line,
  scale: Scale.refine((scale) => !isBinary(scale), 'must be a number scale {min, max}'),
});

/** The standard that a case is held against, read from `prompts/rubrics/<id>.yaml`. */
export const Rubric = z
  .strictObject({
    id: Id,
    title: line,
    source: line,
    /** What the judge is to decide, in words. */
    task: line,
    /** What is judged: the one response, or all that the system says in the conversation. */
    judged: z.enum(['response', 'interaction']).default('response'),
    /** Dotted paths that a case must carry to be judged at all. */
    needs: z.array(line).default([]),
    /** Dotted paths whose presence in a case without a rubric of its own selects this one; of a list within, any one will do. */
    selectedBy: z.array(z.union([line, z.array(line).min(1)])).default([]),
    /** Where several rubrics are selected by a case, the one with the lowest rank is taken. */
    rank: z.number().default(100),
    criteria: z.array(Criterion).min(1),
    /** How to work through a case, told to judges that reason step by step. */
    steps: line.optional(),
    /** Kinds of error that this rubric knows beside its criteria, for people who correct a verdict. */
    errorTypes: z.array(z.strictObject({ id: Id, title: line, meaning: line })).default([]),
    /** Most characters of documents that a judge reads; whole documents are left out beyond it, and said so. */
    documentChars: z.int().positive().default(24_000),
    /** `all`: passes when every criterion passes. `mean`: the score is the mean of the criteria's scores. */
    decide: z.enum(['all', 'mean']),
    panel: z.array(Id).min(1),
    /** For methods that rate the criteria first: the question that the panel then answers. */
    overall: Overall.optional(),
    /** Which ratings a persona is shown then, by persona id; one that is not named here is shown all. */
    interests: z.record(Id, z.array(Id).min(1)).default({}),
    method: Id,
  })
  .superRefine((rubric, context) => {
    const ids = rubric.criteria.map((criterion) => criterion.id);
    for (const id of new Set(ids.filter((id, index) => ids.indexOf(id) !== index)))
      context.addIssue({ code: 'custom', path: ['criteria'], message: `criterion id "${id}" is used twice` });
    for (const [persona, wanted] of Object.entries(rubric.interests))
      for (const id of wanted.filter((one) => !ids.includes(one)))
        context.addIssue({
          code: 'custom',
          path: ['interests', persona],
          message: `there is no criterion "${id}"; there is: ${ids.join(', ')}`,
        });
    rubric.criteria.forEach((criterion, index) => {
      if (isBinary(criterion.scale) !== (rubric.decide === 'all'))
        context.addIssue({
          code: 'custom',
          path: ['criteria', index, 'scale'],
          message:
            rubric.decide === 'all'
              ? 'must be binary where decide is "all"'
              : 'must be a number scale {min, max} where decide is "mean"',
        });
      if (criterion.mayNotApply && !isBinary(criterion.scale))
        context.addIssue({
          code: 'custom',
          path: ['criteria', index, 'mayNotApply'],
          message: 'goes with a binary scale only',
        });
      if (criterion.judgedBy === 'rules' && criterion.check === undefined)
        context.addIssue({
          code: 'custom',
          path: ['criteria', index, 'check'],
          message: 'is missing, and judgedBy is "rules"',
        });
    });
  });
export type Rubric = z.infer<typeof Rubric>;

/** A criterion that is not judged in this case, with the reason. */
export interface SetAside {
  criterion: Criterion;
  reason: string;
}

/**
 * Splits a rubric's criteria into those that this case can be judged by and those that it cannot, because the case
 * lacks what the criterion needs. Decided before anyone is asked, the same for every judge.
 */
export function criteriaInForce(
  rubric: Rubric,
  evalCase: EvalCase,
): { inForce: Criterion[]; setAside: SetAside[] } {
  const inForce: Criterion[] = [];
  const setAside: SetAside[] = [];
  for (const criterion of rubric.criteria) {
    const missing = missingFields(evalCase, criterion.needs);
    if (missing.length === 0) inForce.push(criterion);
    else setAside.push({ criterion, reason: `the case has no ${missing.join(' and no ')}` });
  }
  return { inForce, setAside };
}

/** The rubric that a panel judges by once the criteria have been rated: its overall question alone. */
export function overallRubric(rubric: Rubric): Rubric | null {
  if (rubric.overall === undefined) return null;
  const { steps: _steps, ...rest } = rubric;
  const { task, ...question } = rubric.overall;
  const criterion: Criterion = {
    ...question,
    id: OVERALL,
    needs: [],
    mayNotApply: false,
    judgedBy: 'panel',
  };
  return { ...rest, task, criteria: [criterion], decide: 'mean' };
}
