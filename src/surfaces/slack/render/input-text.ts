import { fieldOf, missingFields, Place, type Turn } from '../../../case/case.ts';
import type { Understood } from '../../../case/paste/draft.ts';
import type { CaseInput, ContractPath } from './case-inputs.ts';
import { readTurns, writeTurns } from './turns-text.ts';

/** What a draft holds at a path; undefined where it holds nothing there. */
export const valueAt = (understood: Understood, path: string): unknown =>
  missingFields(understood, [path]).length === 0 ? fieldOf(understood, path) : undefined;

function placeText({ latitude, longitude, description }: Place): string {
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

function contractText(understood: Understood, path: ContractPath): string | undefined {
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

function listText(items: readonly unknown[]): string {
  const words = items.map(String);
  return words.length === 0 ? 'none' : words.join(words.some((word) => word.includes(',')) ? '; ' : ', ');
}

/** The value of a declared field: what it is was checked when the draft was read. */
function declaredText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return listText(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const place = Place.safeParse(value);
  return place.success && Object.keys(value).length > 0
    ? placeText(place.data)
    : Object.entries(value)
        .map(([day, spans]) => `${day}: ${spans}`)
        .join('\n');
}

/** What a draft holds, as somebody would type it; undefined where it holds nothing. */
export function inputText(understood: Understood, input: CaseInput): string | undefined {
  const value = valueAt(understood, input.path);
  if (value === undefined) return undefined;
  return input.of === 'contract' ? contractText(understood, input.path) : declaredText(value);
}
