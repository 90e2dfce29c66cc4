import * as z from 'zod';
import { fieldOf, missingFields, placeText } from '../../case/case.ts';
import {
  type CaseFormat,
  declaredFields,
  type Field,
  howToWrite,
  labelOfField,
  lineFor,
  pathOfField,
} from '../../case/case-format.ts';
import type { Understood } from '../../case/paste/problems.ts';
import { pathsOfCheck } from '../../judging/check.ts';
import type { Criterion, Rubric } from '../../judging/rubric.ts';
import words from './case-fields.json' with { type: 'json' };
import {
  conversationText,
  declaredText,
  type ReadField,
  readDeclared,
  readers,
  writeTurns,
} from './case-values.ts';

/** What a form and a message say of a field of a case. `example`: a line of a paste that gives it. */
const Described = z.strictObject({
  kind: z.enum(['date', 'time', 'number', 'text', 'long-text']),
  label: z.string(),
  hint: z.string().optional(),
  example: z.string(),
});
type Described = z.infer<typeof Described>;

const WORDS = new Map(Object.entries(z.record(z.string(), Described).parse(words)));

/** A field of a case that a form can ask for. */
export interface CaseField extends Described {
  /** Where in the case its value goes. */
  path: string;
  /** What a draft that holds it has there, as people would type it. */
  write: (understood: Understood) => string | undefined;
  read: (text: string, format: CaseFormat) => ReadField;
}

/** The fields that every case may have, in the order in which forms ask for them: how each is shown and read. */
const CONTRACT: Readonly<Record<string, readonly [write: CaseField['write'], read: CaseField['read']]>> = {
  conversation: [({ conversation }) => conversationText(conversation ?? []), readers.turns],
  response: [({ response }) => response, readers.response],
  'alternative.response': [({ alternative }) => alternative?.response, readers.response],
  'context.date': [({ context }) => context?.date, readers.date],
  'context.time': [({ context }) => context?.time, readers.time],
  'context.location': [({ context }) => placeText(context?.location ?? {}), readers.location],
  recommendation: [({ recommendation }) => JSON.stringify(recommendation, null, 1), readers.recommendation],
  documents: [
    ({ documents = [] }) =>
      documents.map(({ id, text }, index) => `Document ${id ?? index + 1}: ${text}`).join('\n\n'),
    readers.documents,
  ],
  recommendations: [
    ({ recommendations = [] }) => recommendations.map((items) => items.join('; ')).join('\n'),
    readers.recommendations,
  ],
  groundTruth: [({ groundTruth }) => groundTruth, readers.text],
  history: [({ history }) => writeTurns(history ?? []), readers.history],
  latencyMs: [({ latencyMs }) => String(latencyMs), readers.latency],
  language: [({ language }) => language, readers.language],
};

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function declaredField(field: Field): CaseField {
  const { hint, example } = howToWrite(field);
  const path = pathOfField(field);
  return {
    path,
    kind: field.type === 'hours' ? 'long-text' : 'text',
    label: capitalized(field.title),
    ...(hint === '' ? {} : { hint }),
    example: `${labelOfField(field)}: ${example}`,
    write: (understood) => declaredText(valueAt(understood, path)),
    read: (text, format) => readDeclared(field, text, format),
  };
}

/** Id of the field of a form. Neither keys of the contract nor names of declared fields have underscores. */
export const caseFieldId = (path: string): string => `case_${path.replaceAll('.', '_')}`;

/** What a draft holds at a path; undefined where it holds nothing there. */
export const valueAt = (understood: Understood, path: string): unknown =>
  missingFields(understood, [path]).length === 0 ? fieldOf(understood, path) : undefined;

/** What a draft holds of a field, as people would type it; undefined if it holds nothing. */
export const textOfField = (understood: Understood, { path, write }: CaseField): string | undefined =>
  valueAt(understood, path) === undefined ? undefined : write(understood);

/** What to call a path of a case and how to give it. */
export function describeField(
  path: string,
  format: Pick<CaseFormat, 'groups'>,
): Pick<Described, 'label' | 'example'> {
  const declared = declaredFields(format).find((field) => pathOfField(field) === path);
  if (declared !== undefined) return declaredField(declared);
  const known = WORDS.get(path);
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
  const after = (path: string): Field[] =>
    path === 'context.location'
      ? declared.filter(({ of }) => of === 'context')
      : path === 'recommendation'
        ? declared.filter(({ of }) => of !== 'context')
        : [];
  return Object.entries(CONTRACT).flatMap(([path, [write, read]]) => {
    const described = WORDS.get(path);
    const field = described === undefined ? [] : [{ ...described, path, write, read }];
    return [...field, ...after(path).map(declaredField)];
  });
}

/** A field with why the form asks for it. */
export interface AskedField extends CaseField {
  /** What of it has to be given; null where nothing has to. */
  needed: string | null;
  /** Titles of criteria that are set aside without it. */
  neededFor: string[];
}

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
