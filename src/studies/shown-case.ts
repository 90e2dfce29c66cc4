import { type EvalCase, Place } from '../case/case.ts';
import { isRecord } from '../case/is-record.ts';

/** Something of a case with its name, to be read by people. */
export interface ShownPart {
  title: string;
  text: string;
}

/** A case as an annotator sees it: what the user brings and what the system answers. Nothing of its label, id or rubric. */
export interface ShownCase {
  user: ShownPart[];
  system: ShownPart[];
}

const ROLES = { user: 'User', system: 'System' } as const;

/** `openingHours` is `Opening hours`, `distanceKm` is `Distance (km)`. */
function titleOf(key: string): string {
  const spaced = key
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replace(/ (km|kw|min|ms)$/, ' ($1)');
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

function placeText({ latitude, longitude, description }: Place): string {
  const point = latitude === undefined || longitude === undefined ? '' : `${latitude}, ${longitude}`;
  if (description === undefined) return point;
  return point === '' ? description : `${description} (${point})`;
}

const isFlat = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** Any value as people read it; lists of short things in one line, objects line by line. */
function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) {
    if (value.length === 0) return 'none';
    return value.map(textOf).join(value.every(isFlat) ? ', ' : '\n');
  }
  if (!isRecord(value)) return String(value);
  const place = Place.safeParse(value);
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  if (place.success && entries.length > 0) return placeText(place.data);
  return entries.map(([key, inner]) => `${titleOf(key)}: ${textOf(inner)}`).join('\n');
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

/** A date with its weekday, by which opening hours are read. */
const dateText = (date: string): string =>
  `${DAYS[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? ''} ${date}`.trim();

/** The parts of a field: those of an object one by one, a list of documents one by one. */
function partsOf(key: string, value: unknown): ShownPart[] {
  if (value === undefined) return [];
  const isWhole = isRecord(value) && (key === 'context' || key === 'recommendation');
  if (!isWhole) return [{ title: titleOf(key), text: textOf(value) }];
  return Object.entries(value).flatMap(([inner, part]: [string, unknown]) =>
    part === undefined ? [] : [{ title: titleOf(inner), text: textOf(part) }],
  );
}

export function shownCase(evalCase: EvalCase): ShownCase {
  const { id: _id, rubric: _rubric, label: _label, ...shown } = evalCase;
  const { context, language, history = [], conversation, response, ...rest } = shown;
  return {
    user: [
      ...partsOf(
        'context',
        context?.date === undefined ? context : { ...context, date: dateText(context.date) },
      ),
      ...partsOf('language', language),
      ...history.map(({ role, text }) => ({ title: `${ROLES[role]}, before`, text })),
      ...conversation.map(({ role, text }) => ({ title: ROLES[role], text })),
    ],
    system: [
      { title: 'Response', text: response },
      ...Object.entries(rest).flatMap(([key, value]: [string, unknown]) => partsOf(key, value)),
    ],
  };
}
