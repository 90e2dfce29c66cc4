import { contentOf, type EvalCase, isRecord, Place, placeText } from '../case/case.ts';
import { pairParts } from '../case/pair.ts';

/** A titled part of a case. */
export interface ShownPart {
  title: string;
  text: string;
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

const isFlat = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** Any value as readable text; lists of simple values in one line, objects one line per field. */
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

/** With its weekday, which opening hours depend on. */
const dateText = (date: string): string =>
  `${DAYS[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? ''} ${date}`.trim();

/** Context and recommendation become one part per field, everything else one part. */
function partsOf(key: string, value: unknown): ShownPart[] {
  if (value === undefined) return [];
  const isWhole = isRecord(value) && (key === 'context' || key === 'recommendation');
  if (!isWhole) return [{ title: titleOf(key), text: textOf(value) }];
  return Object.entries(value).flatMap(([inner, part]: [string, unknown]) =>
    part === undefined ? [] : [{ title: titleOf(inner), text: textOf(part) }],
  );
}

/** The user's part of a case, or an answer of the system. */
export interface ShownSection {
  title: string;
  parts: ShownPart[];
}

/** An answer: its text, then what belongs to it. */
const answerParts = ({ response, ...rest }: Readonly<Record<string, unknown>>): ShownPart[] => [
  ...partsOf('response', response),
  ...Object.entries(rest).flatMap(([key, value]) => partsOf(key, value)),
];

/**
 * A case as an annotator sees it: what the user brings and what the system answers, the two answers of a pair side by side. Never its
 * label, id, rubric or tags, nor what people call the answers, which may say what is right.
 */
export function shownCase(evalCase: EvalCase): ShownSection[] {
  const content = contentOf(evalCase);
  const { context, language, history = [], conversation, response, closing, alternative, ...rest } = content;
  const user: ShownPart[] = [
    ...partsOf(
      'context',
      context?.date === undefined ? context : { ...context, date: dateText(context.date) },
    ),
    ...partsOf('language', language),
    ...history.map(({ role, text }) => ({ title: `${ROLES[role]}, before`, text })),
    ...conversation.map(({ role, text }) => ({ title: ROLES[role], text })),
  ];
  const last = closing === undefined ? [] : [{ title: 'User, after the response', text: closing }];
  if (alternative === undefined)
    return [
      { title: 'User', parts: user },
      { title: 'System', parts: [...answerParts({ response, ...rest }), ...last] },
    ];
  const { first, second } = pairParts(content);
  const shared = Object.entries(rest).filter(([key]) => !Object.hasOwn(first, key));
  return [
    { title: 'User', parts: [...user, ...shared.flatMap(([key, value]) => partsOf(key, value)), ...last] },
    { title: 'Answer A', parts: answerParts(first) },
    { title: 'Answer B', parts: answerParts(second) },
  ];
}
