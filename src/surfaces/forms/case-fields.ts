import * as z from 'zod';
import {
  type CaseFormat,
  declaredFields,
  type Field,
  howToWrite,
  labelOfField,
  lineFor,
  pathOfField,
} from '../../case/format/index.ts';
import { fieldOf, missingFields, placeText } from '../../case/index.ts';
import type { Understood } from '../../case/paste/index.ts';
import { capital } from '../../common/text/index.ts';
import { type Criterion, pathsOfCheck, type Rubric } from '../../judging/standards/index.ts';
import { type Language, wordsIn } from '../../words/index.ts';
import words from './case-fields.json' with { type: 'json' };
import {
  conversationText,
  declaredText,
  type ReadField,
  readDeclared,
  readers,
  writeTurns,
} from './case-values.ts';
import { type FormPart, isField } from './form.ts';

/** How forms and messages describe a case field. `example`: a line of a paste that sets it. */
const Kind = z.strictObject({
  kind: z.enum(['date', 'time', 'number', 'text', 'long-text']),
  example: z.string(),
});

interface Described extends z.infer<typeof Kind> {
  label: string;
  hint?: string;
}

const KINDS = new Map(Object.entries(z.record(z.string(), Kind).parse(words)));

/** A field of the contract in a language; undefined if there is none at the path. */
function builtIn(path: string, language: Language): Described | undefined {
  const kind = KINDS.get(path);
  const said = wordsIn(language).fields.contract[path];
  if (kind === undefined || said === undefined) return undefined;
  const { label, hint } = said;
  return { ...kind, label, ...(hint === null ? {} : { hint }) };
}

/** A case field that a form can ask for. */
export interface CaseField extends Described {
  /** The path of its value in the case. */
  path: string;
  /** The value in a draft, as people would type it. */
  write: (understood: Understood) => string | undefined;
  read: (text: string, format: CaseFormat) => ReadField;
}

/** How the fields of the case contract are shown and read, in the order of the form. */
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

function declaredField(field: Field, language: Language): CaseField {
  const { hint, example } = howToWrite(field, language);
  const path = pathOfField(field);
  return {
    path,
    kind: field.type === 'hours' ? 'long-text' : 'text',
    label: capital(field.title),
    ...(hint === '' ? {} : { hint }),
    example: `${labelOfField(field)}: ${example}`,
    write: (understood) => declaredText(valueAt(understood, path)),
    read: (text, format) => readDeclared(field, text, format),
  };
}

/** The id of the form field for a path. Ids are unique, since neither contract keys nor declared names have underscores. */
export const caseFieldId = (path: string): string => `case_${path.replaceAll('.', '_')}`;

const SAID: readonly string[] = [caseFieldId('conversation'), caseFieldId('response')];
/** Whether a part of a form asks for data of the case, not for what was said or how to judge. */
export const isData = (part: FormPart): boolean =>
  isField(part) && part.id.startsWith(caseFieldId('')) && !SAID.includes(part.id);

/** The value in a draft at a path; undefined if empty. */
export const valueAt = (understood: Understood, path: string): unknown =>
  missingFields(understood, [path]).length === 0 ? fieldOf(understood, path) : undefined;

/** The value of a field in a draft, as people would type it; undefined if empty. */
export const textOfField = (understood: Understood, { path, write }: CaseField): string | undefined =>
  valueAt(understood, path) === undefined ? undefined : write(understood);

/** A label for a path of a case, and a line of a paste that sets it. */
export function describeField(
  path: string,
  format: Pick<CaseFormat, 'groups'>,
  language: Language,
): Pick<Described, 'label' | 'example'> {
  const declared = declaredFields(format).find((field) => pathOfField(field) === path);
  if (declared !== undefined) return declaredField(declared, language);
  const described = builtIn(path, language);
  if (described !== undefined) return described;
  const example = lineFor(path, format);
  if (example !== null) return { label: example.split(':')[0] ?? path, example };
  return { label: path, example: wordsIn(language).fields.jsonWith(path) };
}

/**
 * All case fields that a form can have. Fields declared for a recommendation are lines of its field; every other declared field
 * has its own: those of the context after the location, the rest after the recommendation.
 */
function caseFields(format: CaseFormat, language: Language): CaseField[] {
  const declared = declaredFields(format).filter(({ of }) => of !== 'recommendation');
  const after = (path: string): Field[] =>
    path === 'context.location'
      ? declared.filter(({ of }) => of === 'context')
      : path === 'recommendation'
        ? declared.filter(({ of }) => of !== 'context')
        : [];
  return Object.entries(CONTRACT).flatMap(([path, [write, read]]) => {
    const described = builtIn(path, language);
    const field = described === undefined ? [] : [{ ...described, path, write, read }];
    return [...field, ...after(path).map((one) => declaredField(one, language))];
  });
}

/** A field, and why the form asks for it. */
export interface AskedField extends CaseField {
  /** The required path in it; null if the field is optional. */
  needed: string | null;
  /** Titles of criteria that are not judged without it. */
  neededFor: string[];
}

/** Whether the field at `path` holds the value at `wanted`: `recommendation` takes `recommendation.rating`. */
const takes = (path: string, wanted: string): boolean => path === wanted || wanted.startsWith(`${path}.`);

/** Whether one path contains the other, in either direction: a field `action.device` is asked for if a rubric uses `action`. */
const touches = (path: string, wanted: string): boolean =>
  takes(path, wanted) || path.startsWith(`${wanted}.`);

/** Paths that a criterion or its exact check uses. */
const pathsOf = ({ needs, check }: Criterion): string[] => [
  ...needs,
  ...(check === undefined ? [] : pathsOfCheck(check).flatMap(([, paths]) => paths)),
];

/** The lines of a recommendation that a rubric uses, by their names in a paste. */
const linesFor = (wanted: readonly string[], format: CaseFormat): string[] =>
  [...new Set(wanted)]
    .filter((path) => path.startsWith('recommendation.'))
    .flatMap((path) => lineFor(path, format)?.split(':')[0] ?? []);

/** The fields for a rubric: those that it needs or uses, and all that have a value in the draft. */
export function fieldsFor(
  rubric: Pick<Rubric, 'needs' | 'criteria'> | null,
  understood: Understood,
  format: CaseFormat,
  language: Language,
): AskedField[] {
  const { needs, criteria } = rubric ?? { needs: [], criteria: [] };
  const wanted = [...needs, ...criteria.flatMap(pathsOf)];
  const lines = linesFor(wanted, format);
  return caseFields(format, language).flatMap((field): AskedField[] => {
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
        ? `${field.hint ?? ''}${wordsIn(language).fields.rubricLooksAt(lines)}`
        : field.hint;
    return [{ ...field, ...(hint === undefined ? {} : { hint }), needed, neededFor }];
  });
}
