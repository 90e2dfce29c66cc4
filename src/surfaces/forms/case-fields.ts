import { type EvalCase, fieldOf, missingFields } from '../../case/case.ts';
import { type CaseFormat, declaredFields } from '../../case/case-format.ts';
import { type Field, pathOfField } from '../../case/field.ts';
import { howToWrite, labelOfField, lineFor } from '../../case/lines.ts';
import type { Understood } from '../../case/paste/draft.ts';
import { pathsOfCheck } from '../../judging/check.ts';
import type { Criterion, Rubric } from '../../judging/rubric.ts';

/** What a form and a message say of a field of a case. */
interface Described {
  kind: 'date' | 'time' | 'number' | 'text' | 'long-text';
  label: string;
  hint?: string;
  /** A line of a paste that gives it. */
  example: string;
}

type TopField = Exclude<keyof EvalCase, 'id' | 'rubric' | 'label' | 'context'>;
export type ContractPath = TopField | 'context.date' | 'context.time' | 'context.location';

/** In the order in which forms ask for them. */
const CONTRACT: Readonly<Record<ContractPath, Described>> = {
  conversation: {
    kind: 'long-text',
    label: 'Conversation',
    hint: 'What was said before the response. With several turns, begin each with "User:" or "System:".',
    example: 'User: Find me a sushi place',
  },
  response: {
    kind: 'long-text',
    label: 'Response',
    hint: 'What your system answered. This is judged.',
    example: 'System: Sakura is five minutes away',
  },
  'context.date': {
    kind: 'date',
    label: 'Date of the request',
    hint: "The user's own date.",
    example: 'Date: 2024-03-04',
  },
  'context.time': {
    kind: 'time',
    label: 'Time of the request',
    hint: "The user's own clock.",
    example: 'Time: 20:35',
  },
  'context.location': {
    kind: 'text',
    label: "The user's location",
    hint: 'A name, coordinates or both: Prenzlauer Berg, Berlin (52.53, 13.41)',
    example: 'Location: 52.53, 13.41',
  },
  recommendation: {
    kind: 'long-text',
    label: 'Recommendation',
    hint: 'A line each, such as "Cuisine: French", "Rating: 4.6", "Monday: 12:00-20:00", or JSON.',
    example: 'Cuisine: French',
  },
  documents: {
    kind: 'long-text',
    label: 'Documents',
    hint: 'Begin each with "Document NAME:"; otherwise, all of it is one document.',
    example: 'Document m12: The tire pressure is 2.4 bar.',
  },
  recommendations: {
    kind: 'long-text',
    label: 'Recommendation lists',
    hint: 'A list a line, its items separated by semicolons, or JSON.',
    example: 'a JSON case with "recommendations": [["item", "item"]]',
  },
  groundTruth: { kind: 'text', label: 'Ground truth', example: 'Ground truth: Alien' },
  history: {
    kind: 'long-text',
    label: 'History',
    hint: 'Begin each turn with "User:" or "System:".',
    example: 'a JSON case with "history": [{"role": "user", "text": "…"}]',
  },
  latencyMs: { kind: 'number', label: 'Latency', hint: 'In milliseconds.', example: 'Latency: 1.8 s' },
  language: { kind: 'text', label: 'Language', hint: 'For example: en', example: 'Language: en' },
};

const SITUATION = { label: 'Situation', example: 'Date: 2024-03-04' };

const contractPaths = Object.keys(CONTRACT).filter(isContractPath);

function isContractPath(path: string): path is ContractPath {
  return Object.hasOwn(CONTRACT, path);
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A field of a case that a form can ask for. `path` is where in the case its value goes. */
export type CaseField = Described &
  ({ declared: null; path: ContractPath } | { declared: Field; path: string });

function declaredField(field: Field): CaseField {
  const { hint, example } = howToWrite(field);
  return {
    declared: field,
    path: pathOfField(field),
    kind: field.type === 'hours' ? 'long-text' : 'text',
    label: capitalized(field.title),
    ...(hint === '' ? {} : { hint }),
    example: `${labelOfField(field)}: ${example}`,
  };
}

/** Id of the field of a form. Neither keys of the contract nor names of declared fields have underscores. */
export const caseFieldId = (path: string): string => `case_${path.replaceAll('.', '_')}`;

/** What a draft holds at a path; undefined where it holds nothing there. */
export const valueAt = (understood: Understood, path: string): unknown =>
  missingFields(understood, [path]).length === 0 ? fieldOf(understood, path) : undefined;

/** What stands under a key of a case. */
export const titleOfKey = (key: string): string => knownAt(key)?.label ?? key;

const knownAt = (path: string): Pick<Described, 'label' | 'example'> | undefined =>
  isContractPath(path) ? CONTRACT[path] : path === 'context' ? SITUATION : undefined;

/** What to call a path of a case and how to give it. */
export function describeField(
  path: string,
  format: Pick<CaseFormat, 'groups'>,
): Pick<Described, 'label' | 'example'> {
  const declared = declaredFields(format).find((field) => pathOfField(field) === path);
  if (declared !== undefined) return declaredField(declared);
  const known = knownAt(path);
  if (known !== undefined) return known;
  const example = lineFor(path, format);
  if (example !== null) return { label: example.split(':')[0] ?? path, example };
  return { label: path, example: `a JSON case with "${path}"` };
}

/**
 * Every field that a form can have. Fields declared for a recommendation are lines of that one; each other one stands by
 * itself: those of the situation after the location, the rest after the recommendation.
 */
function caseFields(format: CaseFormat): CaseField[] {
  const declared = declaredFields(format).filter(({ of }) => of !== 'recommendation');
  const after: Partial<Record<ContractPath, CaseField[]>> = {
    'context.location': declared.filter(({ of }) => of === 'context').map(declaredField),
    recommendation: declared.filter(({ of }) => of !== 'context').map(declaredField),
  };
  return contractPaths.flatMap((path): CaseField[] => [
    { declared: null, path, ...CONTRACT[path] },
    ...(after[path] ?? []),
  ]);
}

/** A field with why the form asks for it. */
export type AskedField = CaseField & {
  /** What of it has to be given; null where nothing has to. */
  needed: string | null;
  /** Titles of criteria that are set aside without it. */
  neededFor: string[];
};

/** Whether the field at `path` is where something at `wanted` goes: `recommendation` takes `recommendation.rating`. */
const takes = (path: string, wanted: string): boolean => path === wanted || wanted.startsWith(`${path}.`);

/** The same, or it is a part of that: `action` is wanted where `action.device` is looked at. */
const touches = (path: string, wanted: string): boolean =>
  takes(path, wanted) || path.startsWith(`${wanted}.`);

/** Paths that a criterion or its exact check looks at. */
const pathsOf = ({ needs, check }: Criterion): string[] => [
  ...needs,
  ...(check === undefined ? [] : pathsOfCheck(check).flatMap(([, paths]) => paths)),
];

/** The lines of a recommendation that a rubric looks at, as a paste would name them. */
const linesFor = (wanted: readonly string[], format: CaseFormat): string[] =>
  [...new Set(wanted)]
    .filter((path) => path.startsWith('recommendation.'))
    .flatMap((path) => lineFor(path, format)?.split(':')[0] ?? []);

/** The fields for a rubric: what it needs or looks at, and whatever the draft holds already. */
export function fieldsFor(
  rubric: Pick<Rubric, 'needs' | 'criteria'> | null,
  understood: Understood,
  format: CaseFormat,
): AskedField[] {
  const { needs, criteria } = rubric ?? { needs: [], criteria: [] };
  const wanted = [...needs, ...criteria.flatMap(pathsOf)];
  const lines = linesFor(wanted, format);
  return caseFields(format).flatMap((field): AskedField[] => {
    const { path } = field;
    const always = path === 'conversation' || path === 'response' ? path : null;
    const needed = always ?? needs.find((one) => takes(path, one)) ?? null;
    const neededFor = criteria
      .filter((criterion) => criterion.needs.some((one) => takes(path, one)))
      .map(({ title }) => title);
    const isAsked = needed !== null || wanted.some((one) => touches(path, one));
    if (!isAsked && valueAt(understood, path) === undefined) return [];
    const hint =
      path === 'recommendation' && lines.length > 0
        ? `${field.hint ?? ''} This rubric looks at: ${lines.join(', ')}.`
        : field.hint;
    return [{ ...field, ...(hint === undefined ? {} : { hint }), needed, neededFor }];
  });
}
