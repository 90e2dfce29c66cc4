import { type CaseFormat, declaredFields } from '../../../case/case-format.ts';
import { type Field, pathOfField } from '../../../case/field.ts';
import { capitalized, howToWrite } from './declared-field.ts';

type Kind = 'date' | 'time' | 'number' | 'line' | 'lines';

/** How a field of a case is asked for in a form. */
interface Shown {
  kind: Kind;
  label: string;
  hint?: string;
}

export type ContractPath =
  | 'conversation'
  | 'response'
  | 'context.date'
  | 'context.time'
  | 'context.location'
  | 'recommendation'
  | 'documents'
  | 'recommendations'
  | 'groundTruth'
  | 'history'
  | 'latencyMs'
  | 'language';

/** An input of a form. `path` is where in the case its value goes. */
export type CaseInput = Shown &
  ({ of: 'contract'; path: ContractPath } | { of: 'declared'; path: string; field: Field });

const CONTRACT: readonly (Shown & { path: ContractPath })[] = [
  {
    path: 'conversation',
    kind: 'lines',
    label: 'Conversation',
    hint: 'What was said before the response. With several turns, begin each with "User:" or "System:".',
  },
  { path: 'response', kind: 'lines', label: 'Response to judge' },
  { path: 'context.date', kind: 'date', label: 'Date of the request', hint: "The user's own date." },
  { path: 'context.time', kind: 'time', label: 'Time of the request', hint: "The user's own clock." },
  {
    path: 'context.location',
    kind: 'line',
    label: "The user's location",
    hint: 'A name, coordinates or both: Prenzlauer Berg, Berlin (52.53, 13.41)',
  },
  {
    path: 'recommendation',
    kind: 'lines',
    label: 'Recommendation',
    hint: 'A line each, such as "Cuisine: French", "Rating: 4.6", "Monday: 12:00-20:00", or JSON.',
  },
  {
    path: 'documents',
    kind: 'lines',
    label: 'Documents',
    hint: 'Begin each with "Document NAME:"; without that, all of it is one document.',
  },
  {
    path: 'recommendations',
    kind: 'lines',
    label: 'Recommendation lists',
    hint: 'A list a line, its items separated by semicolons, or JSON.',
  },
  { path: 'groundTruth', kind: 'line', label: 'Ground truth' },
  { path: 'history', kind: 'lines', label: 'History', hint: 'Begin each turn with "User:" or "System:".' },
  { path: 'latencyMs', kind: 'number', label: 'Latency in milliseconds' },
  { path: 'language', kind: 'line', label: 'Language', hint: 'For example: en' },
];

/** Block id of an input. Neither keys of the contract nor names of declared fields have underscores. */
export const inputId = (path: string): string => `case_${path.replaceAll('.', '_')}`;

function declaredInput(field: Field): CaseInput {
  const hint = howToWrite(field);
  return {
    of: 'declared',
    path: pathOfField(field),
    field,
    kind: field.type === 'hours' ? 'lines' : 'line',
    label: capitalized(field.title),
    ...(hint === '' ? {} : { hint }),
  };
}

/**
 * Every input that a form can have. Fields declared for a recommendation are lines of its input; each other one has its
 * own: those of the situation after the location, the rest after the recommendation.
 */
export function caseInputs(format: CaseFormat): CaseInput[] {
  const fields = declaredFields(format).filter(({ of }) => of !== 'recommendation');
  const after: Partial<Record<ContractPath, CaseInput[]>> = {
    'context.location': fields.filter(({ of }) => of === 'context').map(declaredInput),
    recommendation: fields.filter(({ of }) => of !== 'context').map(declaredInput),
  };
  return CONTRACT.flatMap((input) => [{ ...input, of: 'contract' as const }, ...(after[input.path] ?? [])]);
}
