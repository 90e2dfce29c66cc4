import type { Recommendation } from '../../../case/case.ts';
import { type CaseFormat, declaredFields } from '../../../case/case-format.ts';
import { pathOfField } from '../../../case/field.ts';
import type { Understood } from '../../../case/paste/draft.ts';
import { pathsOfCheck } from '../../../judging/check.ts';
import type { Criterion, Rubric } from '../../../judging/rubric.ts';
import { type CaseInput, caseInputs } from './case-inputs.ts';
import { labelOf } from './declared-field.ts';
import { valueAt } from './input-text.ts';

/** An input with whether the form must, or only can, be given it, and for what. */
export type AskedInput = CaseInput & {
  required: boolean;
  /** Titles of criteria that are set aside without it. */
  neededFor: string[];
};

type Asking = Pick<Rubric, 'needs' | 'criteria'> | null;

/** Most inputs for a case; with those of the wish a form stays well below the most blocks of a view. */
const MOST_INPUTS = 60;

/** Whether the input at `path` is where something at `wanted` goes: `recommendation` takes `recommendation.rating`. */
const takes = (path: string, wanted: string): boolean => path === wanted || wanted.startsWith(`${path}.`);

/** The same, or it is a part of that: `action` is wanted where `action.device` is looked at. */
const touches = (path: string, wanted: string): boolean =>
  takes(path, wanted) || path.startsWith(`${wanted}.`);

/** Fields that a criterion or its exact check looks at. */
const fieldsOf = ({ needs, check }: Criterion): string[] => [
  ...needs,
  ...(check === undefined ? [] : pathsOfCheck(check).flatMap(([, paths]) => paths)),
];

const RECOMMENDATION: Readonly<Record<keyof Recommendation, string>> = {
  name: 'Name',
  location: 'Address',
  cuisine: 'Cuisine',
  menu: 'Menu',
  cost: 'Cost',
  rating: 'Rating',
  openingHours: 'Opening hours',
  distanceKm: 'Distance',
  durationMin: 'Duration',
};

/** The lines of a recommendation that a rubric looks at, as a paste would name them. */
function linesFor(wanted: readonly string[], format: CaseFormat): string[] {
  const labels = new Map<string, string>([
    ...Object.entries(RECOMMENDATION).map(([key, label]): [string, string] => [
      `recommendation.${key}`,
      label,
    ]),
    ...declaredFields(format).map((field): [string, string] => [pathOfField(field), labelOf(field)]),
  ]);
  return [...labels]
    .filter(([path]) => path.startsWith('recommendation.') && wanted.includes(path))
    .map(([, label]) => label);
}

/** The inputs for a rubric: what it needs or looks at, and whatever the draft holds already. */
export function inputsFor(rubric: Asking, understood: Understood, format: CaseFormat): AskedInput[] {
  const { needs, criteria } = rubric ?? { needs: [], criteria: [] };
  const wanted = [...needs, ...criteria.flatMap(fieldsOf)];
  const lines = linesFor(wanted, format);
  return caseInputs(format).flatMap((input): AskedInput[] => {
    const { path } = input;
    const required = path === 'conversation' || path === 'response' || needs.some((one) => takes(path, one));
    const neededFor = criteria
      .filter((criterion) => criterion.needs.some((one) => takes(path, one)))
      .map(({ title }) => title);
    const isAsked = required || wanted.some((one) => touches(path, one));
    if (!isAsked && valueAt(understood, path) === undefined) return [];
    const hint =
      path === 'recommendation' && lines.length > 0
        ? `${input.hint ?? ''} This rubric looks at: ${lines.join(', ')}.`
        : input.hint;
    return [{ ...input, ...(hint === undefined ? {} : { hint }), required, neededFor }];
  });
}

/** Those of the inputs that a form has room for, the required ones first of all, and how many it has not. */
export function shownInputs(inputs: readonly AskedInput[]): { shown: AskedInput[]; left: number } {
  const chosen = new Set(
    [...inputs].sort((a, b) => Number(b.required) - Number(a.required)).slice(0, MOST_INPUTS),
  );
  return { shown: inputs.filter((input) => chosen.has(input)), left: inputs.length - chosen.size };
}
