import * as z from 'zod';
import { type CaseFormat, explainMissing } from '../../case/format/index.ts';
import { type EvalCase, missingFields } from '../../case/index.ts';
import { Id, oncePer } from '../../common/index.ts';
import { fold } from '../../common/text/index.ts';
import { Check } from './rubric-checks.ts';

/** Pass or fail, or a number between two bounds. */
export const Scale = z.union([
  z.literal('binary'),
  z
    .strictObject({
      min: z.number(),
      max: z.number(),
      /** Meaning of levels by number; if given, answers must be whole numbers. */
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

/** Null for pass or fail. */
export const rangeOf = (scale: Scale): { min: number; max: number } | null =>
  isBinary(scale) ? null : { min: scale.min, max: scale.max };

const line = z.string().trim().min(1);

export const Criterion = z.strictObject({
  id: Id,
  title: line,
  /** The rule, as judges read it. */
  rule: line,
  /** A group of criteria, for readers; not part of prompts. */
  dimension: line.optional(),
  scale: Scale.default('binary'),
  /** How to work through a case for this criterion, for judges that reason step by step. */
  steps: line.optional(),
  /** Fields that this criterion needs; if one is missing, the criterion is set aside, */
  needs: z.array(line).default([]),
  /** unless the user says one of these words or phrases ("open now"): then it is judged, and cannot simply hold. */
  unlessSaid: z.array(line).default([]),
  /** What a paste should add so that it can be judged: `add what the car reported, such as “Result: done”`. */
  ask: line.optional(),
  /** Whether judges may find the criterion not relevant to a case; it then neither passes nor fails. */
  mayNotApply: z.boolean().default(false),
  /** The exact check for the `rules` judge. */
  check: Check.optional(),
  /** `rules`: always decided by the exact check, whichever model judges the rest. */
  judgedBy: z.enum(['panel', 'rules']).default('panel'),
});
export type Criterion = z.infer<typeof Criterion>;

/** The id of the criterion that a rubric's overall question becomes. */
export const OVERALL = 'overall';

/** The question that the panel answers after the criteria have been rated, on its own scale. */
const Overall = z.strictObject({
  title: line,
  /** What the panel decides; replaces the rubric's task. */
  task: line,
  rule: line,
  scale: Scale.refine((scale) => !isBinary(scale), 'must be a number scale {min, max}'),
});

/** The standard that cases are judged by, from `prompts/rubrics/<id>.yaml`. */
export const Rubric = z
  .strictObject({
    id: Id,
    title: line,
    source: line,
    /** Incremented with each change of what judges read; earlier versions are named `navigation@1`. */
    version: z.int().min(1).optional(),
    /** What the judge decides. */
    task: line,
    /** What is judged: the response alone, or everything the system says in the conversation. */
    judged: z.enum(['response', 'interaction']).default('response'),
    /** Dotted paths that a case must have to be judged at all. */
    needs: z.array(line).default([]),
    /** Dotted paths that select this rubric for a case that names none; of an inner list, any one suffices. */
    selectedBy: z.array(z.union([line, z.array(line).min(1)])).default([]),
    /** If a case selects several rubrics, the one with the lowest rank is used. */
    rank: z.number().default(100),
    criteria: z.array(Criterion).min(1),
    /** How to work through a case, for judges that reason step by step. */
    steps: line.optional(),
    /** Further error types besides the criteria, for people who correct a verdict. */
    errorTypes: z.array(z.strictObject({ id: Id, title: line, meaning: line })).default([]),
    /** Characters of documents that judges read at most; documents beyond the limit are left out, with a remark. */
    documentChars: z.int().positive().default(24_000),
    /** `all`: passes when every criterion passes. `mean`: the score is the mean of the criteria's scores. */
    decide: z.enum(['all', 'mean']),
    panel: z.array(Id).min(1),
    /** For methods that rate criteria first. */
    overall: Overall.optional(),
    /** The criteria whose ratings a persona sees, by persona id; by default all. */
    interests: z.record(Id, z.array(Id).min(1)).default({}),
    method: Id,
  })
  .superRefine(({ criteria, decide, interests }, context) => {
    const reject = (message: string, ...path: (string | number)[]) =>
      context.addIssue({ code: 'custom', path, message });
    const ids = criteria.map(({ id }) => id);
    for (const id of new Set(ids.filter((id, index) => ids.indexOf(id) !== index)))
      reject(`criterion id "${id}" is used twice`, 'criteria');
    for (const [persona, wanted] of Object.entries(interests))
      for (const id of wanted.filter((one) => !ids.includes(one)))
        reject(`there is no criterion "${id}"; choose from: ${ids.join(', ')}`, 'interests', persona);
    criteria.forEach(({ scale, mayNotApply, judgedBy, check }, index) => {
      const at = (key: string, message: string) => reject(message, 'criteria', index, key);
      if (isBinary(scale) && decide === 'mean')
        at('scale', 'must be a number scale {min, max} if decide is "mean"');
      if (!isBinary(scale) && decide === 'all') at('scale', 'must be binary if decide is "all"');
      if (mayNotApply && !isBinary(scale)) at('mayNotApply', 'is only allowed with a binary scale');
      if (judgedBy === 'rules' && check === undefined) at('check', 'is required if judgedBy is "rules"');
    });
  });

/** A rubric as it is used. `pair`: judges say by which of two answers it is met better; see `comparing`. */
export type Rubric = Omit<z.infer<typeof Rubric>, 'decide'> & {
  decide: z.infer<typeof Rubric>['decide'] | 'pair';
  /** For an earlier version: ids of the templates and worked examples that its judges read instead of the current ones. */
  wording?: { templates: Readonly<Record<string, string>>; exemplars: string };
};

/** A criterion that is not judged for a case. */
export interface SetAside {
  criterion: Criterion;
  reason: string;
}

const worded = (text: string): string => ` ${fold(text).replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `;

/** Whether the user uses one of these phrases. */
function isSaid(phrases: readonly string[], { conversation }: EvalCase): boolean {
  const userWords = conversation.map(({ role, text }) => (role === 'user' ? worded(text) : '')).join('');
  return phrases.some((phrase) => userWords.includes(worded(phrase)));
}

/** Sets aside criteria whose fields the case lacks. Decided before judges are asked, so it is the same for all of them. */
export function criteriaInForce(
  rubric: Rubric,
  evalCase: EvalCase,
  format: Pick<CaseFormat, 'groups'>,
): { inForce: Criterion[]; setAside: SetAside[] } {
  const inForce: Criterion[] = [];
  const setAside: SetAside[] = [];
  for (const criterion of rubric.criteria) {
    const missing = missingFields(evalCase, criterion.needs);
    if (missing.length === 0 || isSaid(criterion.unlessSaid, evalCase)) inForce.push(criterion);
    else setAside.push({ criterion, reason: explainMissing(missing, format) });
  }
  return { inForce, setAside };
}

/** The rubric for a panel after the rating stage, with the overall question as its only criterion. */
export function overallRubric(rubric: Rubric): (Rubric & { decide: 'mean' }) | null {
  if (rubric.overall === undefined) return null;
  const { steps: _steps, ...rest } = rubric;
  const { task, ...question } = rubric.overall;
  const criterion: Criterion = {
    ...question,
    id: OVERALL,
    needs: [],
    unlessSaid: [],
    mayNotApply: false,
    judgedBy: 'panel',
  };
  return { ...rest, task, criteria: [criterion], decide: 'mean' };
}

/**
 * A preference between two answers is a score: −1 for the first, 0 for neither, 1 for the second. So the same engine decides, the same
 * votes count and the same statistics apply, and a pair in the other order has the negated scores.
 */
const PREFERENCE = { min: -1, max: 1 };

/** The rubric for comparing two answers: each criterion asks which of them meets it better. */
export const comparing = oncePer((rubric: Rubric): Rubric => {
  const { overall: _overall, ...rest } = rubric;
  const criteria = rubric.criteria.map((criterion) => ({
    ...criterion,
    scale: PREFERENCE,
    mayNotApply: false,
  }));
  return { ...rest, criteria, decide: 'pair' };
});
