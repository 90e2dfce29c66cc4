import type { EvalCase, Turn } from '../../../core/case.ts';
import type { Understood } from '../../../core/paste/draft.ts';
import type { Criterion, Rubric } from '../../../core/rubric.ts';
import { readTurns, writeTurns } from './turns-text.ts';

/** How a field of a case is asked for in a form. */
interface CaseInput {
  /** Path in the case; the block id of its input is derived from it. */
  path: InputPath;
  kind: 'date' | 'time' | 'number' | 'line' | 'lines';
  label: string;
  hint?: string;
}

export type InputPath =
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

const INPUTS: readonly CaseInput[] = [
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

export const inputId = (path: InputPath): string => `case_${path.replace('.', '_')}`;

/** Whether the input at `path` is where something at `wanted` goes: `recommendation` takes `recommendation.rating`. */
const covers = (path: string, wanted: string): boolean =>
  path === wanted || wanted.startsWith(`${path}.`) || path.startsWith(`${wanted}.`);

/** Fields that a criterion or its exact check looks at. */
function fieldsOf({ needs, check }: Criterion): string[] {
  switch (check?.type) {
    case 'drive-at-most':
      return [...needs, 'context.location'];
    case 'open-at':
      return [...needs, check.hours];
    case 'within-range':
    case 'same-term':
    case 'number-wish':
      return [...needs, check.field];
    default:
      return needs;
  }
}

/** An input with whether the form must, or only can, be given it, and for what. */
export interface AskedInput extends CaseInput {
  required: boolean;
  /** Titles of criteria that are set aside without it. */
  neededFor: string[];
}

const ALWAYS: readonly InputPath[] = ['conversation', 'response'];

/** The inputs for a rubric: what it needs or looks at, and whatever the draft holds already. */
export function inputsFor(
  rubric: Pick<Rubric, 'needs' | 'criteria'> | null,
  understood: Understood,
): AskedInput[] {
  return INPUTS.flatMap((input) => {
    const { path } = input;
    const always = ALWAYS.includes(path);
    const required = always || (rubric?.needs ?? []).some((wanted) => covers(path, wanted));
    const criteria = rubric?.criteria ?? [];
    const used = criteria.some((criterion) => fieldsOf(criterion).some((wanted) => covers(path, wanted)));
    const neededFor = criteria
      .filter(({ needs }) => needs.some((wanted) => covers(path, wanted)))
      .map(({ title }) => title);
    const held = valueAt(understood, path) !== undefined;
    return required || used || held ? [{ ...input, required, neededFor }] : [];
  });
}

/** What a draft holds for an input. */
export function valueAt(understood: Understood, path: InputPath): unknown {
  switch (path) {
    case 'context.date':
      return understood.context?.date;
    case 'context.time':
      return understood.context?.time;
    case 'context.location':
      return understood.context?.location;
    default: {
      const value = understood[path];
      return Array.isArray(value) && value.length === 0 ? undefined : value;
    }
  }
}

function placeText({
  latitude,
  longitude,
  description,
}: NonNullable<EvalCase['context']>['location'] & object): string {
  const point = latitude === undefined || longitude === undefined ? '' : `${latitude}, ${longitude}`;
  if (description === undefined) return point;
  return point === '' ? description : `${description} (${point})`;
}

/** One turn of the user needs no label, unless it would be read as more than that. */
function conversationText(turns: readonly Turn[]): string {
  const [only, ...more] = turns;
  if (only?.role !== 'user' || more.length > 0) return writeTurns(turns);
  const [read, ...others] = readTurns(only.text);
  return read?.role === 'user' && read.text === only.text && others.length === 0
    ? only.text
    : writeTurns(turns);
}

/** What a draft holds, as somebody would type it; undefined where it holds nothing. */
export function inputText(understood: Understood, path: InputPath): string | undefined {
  if (valueAt(understood, path) === undefined) return undefined;
  switch (path) {
    case 'conversation':
      return conversationText(understood.conversation ?? []);
    case 'history':
      return writeTurns(understood.history ?? []);
    case 'response':
    case 'groundTruth':
    case 'language':
      return understood[path];
    case 'context.date':
      return understood.context?.date;
    case 'context.time':
      return understood.context?.time;
    case 'context.location':
      return placeText(understood.context?.location ?? {});
    case 'latencyMs':
      return String(understood.latencyMs);
    case 'documents':
      return (understood.documents ?? [])
        .map(({ id, text }, index) => `Document ${id ?? index + 1}: ${text}`)
        .join('\n\n');
    case 'recommendations':
      return (understood.recommendations ?? []).map((list) => list.join('; ')).join('\n');
    case 'recommendation':
      return JSON.stringify(understood.recommendation, null, 1);
  }
}
