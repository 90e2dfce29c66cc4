import * as z from 'zod';
import { type CaseFormat, explainMissing } from '../../case/format/index.ts';
import { type EvalCase, isWithheld, missingFields, WITHHELD_FIELDS } from '../../case/index.ts';
import { Id, memoized, oncePer } from '../../common/index.ts';
import { fold } from '../../common/text/index.ts';
import { Check } from './rubric-checks.ts';
import { Titles } from './titles.ts';

/** Pass or fail, or a number between two bounds. */
export const Scale = z.union([
  z.literal('binary'),
  z
    .strictObject({
      min: z.number().describe('The worst score.'),
      max: z.number().describe('The best score.'),
      levels: z
        .record(z.string().regex(/^-?\d+$/, 'must be a whole number'), z.string().min(1))
        .optional()
        .describe(
          'What each score means, by number; judges read it. Without levels, judges may give fractions.',
        ),
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
  id: Id.describe('Names the criterion in verdicts, labels and votes.'),
  title: line.describe('Its name for readers; judges read it beside the rule.'),
  titles: Titles,
  rule: line.describe('The rule, as judges read it.'),
  dimension: line
    .optional()
    .describe('A group of criteria, for readers of lists and reports. Judges never read it.'),
  scale: Scale.default('binary').describe(
    '`binary` (the default) for pass or fail, or the bounds of a score.',
  ),
  steps: line
    .optional()
    .describe('How to work through a case for this criterion. Only judges that reason step by step read it.'),
  needs: z
    .array(line)
    .default([])
    .describe(
      'Paths of a case, such as `context.date`. If one is missing, the criterion is not judged, and the verdict says so.',
    ),
  onlyWith: z
    .array(line)
    .exactOptional()
    .describe(
      'Paths of a case. The rubric has this criterion only for cases with one of them; for others, it is as if it were not in the file.',
    ),
  notWith: z
    .array(line)
    .exactOptional()
    .describe('Paths of a case. The rubric lacks this criterion for cases with one of them.'),
  unlessSaid: z
    .array(line)
    .default([])
    .describe(
      'Words or phrases, such as `open now`. If the user says one, the criterion is judged even if a needed field is missing.',
    ),
  ask: line
    .optional()
    .describe('What a card asks for if a needed field is missing; by default, a sample line for that field.'),
  mayNotApply: z
    .boolean()
    .default(false)
    .describe('Whether judges may find it not relevant to a case; it then neither passes nor fails.'),
  check: Check.optional().describe('The exact check by which the judge `rules` decides it, without a model.'),
  judgedBy: z
    .enum(['panel', 'rules'])
    .default('panel')
    .describe('`rules`: always decided by the exact check, whichever model judges the rest.'),
  severity: z
    .literal('blocker')
    .optional()
    .describe(
      '`blocker`: an answer that newly fails it leads the digest and is posted by alerts at once. Judges never read it.',
    ),
});
export type Criterion = z.infer<typeof Criterion>;

/** The id of the criterion that a rubric's overall question becomes. */
export const OVERALL = 'overall';

/** The question that the panel answers after the criteria have been rated, on its own scale. */
const Overall = z.strictObject({
  title: line.describe('Its name for readers; judges read it beside the rule.'),
  titles: Titles,
  task: line.describe("What the panel decides; replaces the rubric's task."),
  rule: line.describe('The rule, as judges read it.'),
  forPeople: line.optional().describe('The question as people in a study read it. Default: the rule.'),
  scale: Scale.refine((scale) => !isBinary(scale), 'must be a number scale {min, max}').describe(
    'The bounds of the score.',
  ),
});

/** What every judge needs, and what none is shown. */
const UNHIDDEN: ReadonlySet<string> = new Set([
  ...['response', 'alternative'],
  ...['id', 'rubric', 'tags', 'label', 'answerNames', 'trace'],
]);

/** The standard that cases are judged by, from `prompts/rubrics/<id>.yaml`. */
export const Rubric = z
  .strictObject({
    id: Id,
    title: line.describe('Its name for people.'),
    titles: Titles,
    source: line.describe('Where it comes from, such as a section of a paper or of your own guideline.'),
    version: z
      .int()
      .min(1)
      .optional()
      .describe(
        'Raise it with every change of what judges read. An earlier version kept in `archive` is named `navigation@1`. Default: 1.',
      ),
    task: line.describe('What judges are to decide, as they read it.'),
    judged: z
      .enum(['response', 'interaction'])
      .default('response')
      .describe(
        'What is judged: the response alone, or everything that the system says in the conversation.',
      ),
    needs: z
      .array(line)
      .default([])
      .describe('Paths that a case must have, such as `recommendation`. A case without one is refused.'),
    needsUnless: z
      .array(line)
      .exactOptional()
      .describe('Paths of a case, such as `toolCalls`. A case with one of them may lack what `needs` names.'),
    selectedBy: z
      .array(z.union([line, z.array(line).min(1)]))
      .default([])
      .describe(
        'Paths of a case that select this rubric if the case names none: all of them, but of an inner list any one. Empty: only cases that name the rubric are judged by it.',
      ),
    rank: z
      .number()
      .default(100)
      .describe(
        'Of several rubrics that fit a case, the one with the lowest rank judges it; equal ranks are an error.',
      ),
    criteria: z.array(Criterion).min(1).describe('The criteria, in the order in which judges read them.'),
    steps: line
      .optional()
      .describe('How to work through a case. Only judges that reason step by step read it.'),
    errorTypes: z
      .array(z.strictObject({ id: Id, title: line, titles: Titles, meaning: line }))
      .default([])
      .describe('Kinds of error, besides the criteria, that people can name when they correct a verdict.'),
    documentChars: z
      .int()
      .positive()
      .default(24_000)
      .describe(
        'How many characters of documents judges read at most. Documents beyond that are left out, and the verdict says so.',
      ),
    decide: z
      .enum(['all', 'mean'])
      .describe(
        "`all`: a case passes if every criterion passes. `mean`: its score is the mean of the criteria's scores.",
      ),
    panel: z.array(Id).min(1).describe('Ids of the personas on the panel, unless a request names others.'),
    overall: Overall.optional().describe(
      'The one question that the panel answers once the criteria are rated. For methods with `ratedFirst`.',
    ),
    interests: z
      .record(Id, z.array(Id).min(1))
      .default({})
      .describe(
        'The criteria whose ratings a persona is shown, by persona id. Other personas see all ratings.',
      ),
    seenBy: z
      .record(line, z.array(Id))
      .optional()
      .describe(
        'Who is shown a field, by its path, such as `groundTruth`: ids of criteria and of personas. A judge is shown it when asked about one of these criteria, or as one of these personas; people in a study, beside the questions about these criteria. An empty list: nobody. Other fields are shown to all, except `expectedCalls`, `initialState` and `expectedState`: only to those named here, and beside criteria that need them.',
      ),
    weekday: z
      .boolean()
      .optional()
      .describe("Whether judges are told the weekday of the request's date. Default: true."),
    mayLeaveOpen: z
      .boolean()
      .optional()
      .describe(
        'Whether judges may leave a criterion open, as `unscored`, where the case lacks what its rule needs. Default: true.',
      ),
    method: Id.describe('Id of the method that judges unless a request names another.'),
  })
  .superRefine(({ criteria, decide, interests, seenBy = {}, mayLeaveOpen }, context) => {
    const reject = (message: string, ...path: (string | number)[]) =>
      context.addIssue({ code: 'custom', path, message });
    const ids = criteria.map(({ id }) => id);
    for (const id of new Set(ids.filter((id, index) => ids.indexOf(id) !== index)))
      reject(`criterion id "${id}" is used twice`, 'criteria');
    for (const [persona, wanted] of Object.entries(interests))
      for (const id of wanted.filter((one) => !ids.includes(one)))
        reject(`there is no criterion "${id}"; choose from: ${ids.join(', ')}`, 'interests', persona);
    for (const path of Object.keys(seenBy).filter((path) => UNHIDDEN.has(path.split('.')[0] ?? '')))
      reject('judges see this in every case or in none', 'seenBy', path);
    criteria.forEach(({ scale, mayNotApply, judgedBy, check, severity }, index) => {
      const at = (key: string, message: string) => reject(message, 'criteria', index, key);
      if (isBinary(scale) && decide === 'mean')
        at('scale', 'must be a number scale {min, max} if decide is "mean"');
      if (!isBinary(scale) && decide === 'all') at('scale', 'must be binary if decide is "all"');
      if (mayNotApply && mayLeaveOpen === false) at('mayNotApply', 'is not allowed if mayLeaveOpen is false');
      if (mayNotApply && !isBinary(scale)) at('mayNotApply', 'is only allowed with a binary scale');
      if (severity !== undefined && !isBinary(scale))
        at('severity', 'is only allowed with a binary scale: a score does not fail');
      if (judgedBy === 'rules' && check === undefined) at('check', 'is required if judgedBy is "rules"');
    });
  });

/** A rubric as it is used. `pair`: judges say by which of two answers it is met better; see `comparing`. */
export type Rubric = Omit<z.infer<typeof Rubric>, 'decide'> & {
  decide: z.infer<typeof Rubric>['decide'] | 'pair';
  /** For an earlier version: ids of the templates and worked examples that its judges read instead of the current ones. */
  wording?: { templates: Readonly<Record<string, string>>; exemplars: string };
};

/** Who looks at a case: the ids of the criteria that they are asked about, and of the personas that they are. */
interface Viewer {
  criteria: readonly string[];
  personas: readonly string[];
}

const headOf = (path: string): string => path.split('.')[0] ?? '';

/**
 * The paths of the fields that a rubric shows only to others. What says what is right, such as `expectedCalls`, is shown only to those
 * whom `seenBy` names and beside criteria that need it.
 */
export function hiddenFields(
  { seenBy = {}, criteria: all }: Pick<Rubric, 'seenBy' | 'criteria'>,
  { criteria, personas }: Viewer,
): string[] {
  const hidden = Object.entries(seenBy).flatMap(([path, ids]) =>
    ids.some((id) => criteria.includes(id) || personas.includes(id)) ? [] : [path],
  );
  const needed = all.flatMap(({ id, needs }) => (criteria.includes(id) ? needs.map(headOf) : []));
  const named = new Set([...Object.keys(seenBy).map(headOf), ...needed]);
  return [...hidden, ...WITHHELD_FIELDS.filter((field) => !named.has(field))];
}

/** What a judge sees of the fields that are not shown to all, for the hash of its prompt: nothing where a rubric says nothing of them. */
export const visibilityOf = (hidden: readonly string[]): string[] => [
  ...hidden.filter((path) => !isWithheld(path)).map((path) => `hidden: ${path}`),
  ...WITHHELD_FIELDS.filter((field) => !hidden.includes(field)).map((field) => `shown: ${field}`),
];

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

/** The fields by which criteria of a rubric, or what it needs, differ between cases. */
const distinguishingFields = ({ criteria, needsUnless = [] }: Rubric): string[] => [
  ...new Set([
    ...needsUnless,
    ...criteria.flatMap(({ onlyWith = [], notWith = [] }) => [...onlyWith, ...notWith]),
  ]),
];

const hasField = (evalCase: EvalCase, path: string): boolean => missingFields(evalCase, [path]).length === 0;

/** For which cases a rubric has a criterion. */
type Bounds = { [K in 'onlyWith' | 'notWith']?: readonly string[] | undefined };

const isWithin = ({ onlyWith, notWith = [] }: Bounds, isGiven: (path: string) => boolean): boolean =>
  (onlyWith?.some(isGiven) ?? true) && !notWith.some(isGiven);

/** Whether a rubric has a criterion for a case. */
export const isCriterionFor = (criterion: Bounds, evalCase: EvalCase): boolean =>
  isWithin(criterion, (path) => hasField(evalCase, path));

const fittedBy = oncePer((rubric: Rubric) =>
  memoized(
    (given: readonly string[]): Rubric => {
      const { needsUnless = [], seenBy, ...rest } = rubric;
      const isGiven = (path: string) => given.includes(path);
      const criteria = rubric.criteria.flatMap(({ onlyWith, notWith, ...criterion }) =>
        isWithin({ onlyWith, notWith }, isGiven) ? [criterion] : [],
      );
      const isGone = (id: string) =>
        rubric.criteria.some((one) => one.id === id) && !criteria.some((one) => one.id === id);
      // What says what is right is hidden anyway if nobody here is named or needs it; any other field would be shown to all without its entry.
      const kept = new Set([
        ...Object.entries(seenBy ?? {}).flatMap(([path, ids]) => (ids.every(isGone) ? [] : [headOf(path)])),
        ...criteria.flatMap(({ needs }) => needs.map(headOf)),
      ]);
      const seen = Object.entries(seenBy ?? {}).filter(
        ([path]) => !isWithheld(headOf(path)) || kept.has(headOf(path)),
      );
      return {
        ...rest,
        needs: needsUnless.some(isGiven) ? [] : rubric.needs,
        criteria,
        ...(seen.length > 0 ? { seenBy: Object.fromEntries(seen) } : {}),
      };
    },
    (given) => given.join(),
  ),
);

/** Between the fields in the name of a variant. */
const AND = ' and ';

/** The name of the variant of a rubric that fits a case: the fields that make it, or '' if none does. */
export const variantFor = (rubric: Rubric, evalCase: EvalCase): string =>
  distinguishingFields(rubric)
    .filter((path) => hasField(evalCase, path))
    .join(AND);

/** A variant of a rubric by its name. */
export const variantNamed = (rubric: Rubric, name: string): Rubric =>
  distinguishingFields(rubric).length === 0
    ? rubric
    : fittedBy(rubric)(name.split(AND).filter((path) => path !== ''));

/**
 * A rubric with the criteria that it has for a case: as if the others, and the keys that tell them apart, were not in its file. So the
 * prompts and hashes of cases without a field do not depend on criteria about that field.
 */
export const fittedTo = (rubric: Rubric, evalCase: EvalCase): Rubric =>
  variantNamed(rubric, variantFor(rubric, evalCase));

/** A rubric with every criterion that it has for any of some cases. */
export function fittedToAny(rubric: Rubric, cases: readonly EvalCase[]): Rubric {
  const variants = [...new Set(cases.map((evalCase) => fittedTo(rubric, evalCase)))];
  const [only = rubric, ...more] = variants;
  if (more.length === 0) return only;
  const ids = new Set(variants.flatMap(({ criteria }) => criteria.map(({ id }) => id)));
  return { ...rubric, criteria: rubric.criteria.filter(({ id }) => ids.has(id)) };
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
  const { task, forPeople: _forPeople, ...question } = rubric.overall;
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
