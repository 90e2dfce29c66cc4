/**
 * What an exact check found, as data; `explain.ts` words it from a persona's side. Clauses begin in lower case and have
 * no full stop, so that they can be put together.
 */
export interface Outcome {
  decision: 'pass' | 'fail' | 'unscored';
  /** What the user asked or stands at: `the user asked for at least 4.5`. */
  asked: string;
  /** What the case says of the venue: `the venue is rated 4.6`. */
  found: string;
  /** What had to hold here: `the rating must be at least 4.5`. */
  limit: string;
  /** The comparison in full: `4.6 ≥ 4.5, 0.1 to spare`. */
  calculation: string;
  /** What was assumed to get there, or null. */
  assumption: string | null;
  /** What a reader should know beside it. */
  notes: readonly string[];
  /** Why there is no decision and what would settle it; null where there is one. */
  problem: string | null;
  next: string | null;
  /** What it means for the user: `within the limit of 15`; may be empty. */
  meaning: string;
  /** The finding in a few words: `rated 4.6`. */
  gist: string;
}

const blank = { assumption: null, notes: [], problem: null, next: null } as const;

type Facts = Pick<Outcome, 'asked' | 'found' | 'limit' | 'calculation' | 'meaning' | 'gist'> &
  Partial<Pick<Outcome, 'assumption' | 'notes'>>;

export const decided = (holds: boolean, facts: Facts): Outcome => ({
  ...blank,
  ...facts,
  decision: holds ? 'pass' : 'fail',
});

/** No decision. `facts` is what could be said all the same. */
export const undecidable = (problem: string, next: string | null, facts: Partial<Facts> = {}): Outcome => ({
  asked: '',
  found: '',
  limit: '',
  calculation: '',
  meaning: '',
  gist: problem,
  ...blank,
  ...facts,
  decision: 'unscored',
  problem,
  next,
});

/** A number without the noise of floating point, at most two decimals. */
export const shown = (value: number): string => String(Number(value.toFixed(2)));

/** `1 minute`, `2.5 minutes`. */
export const counted = (value: number, unit: string): string =>
  `${shown(value)} ${unit}${shown(value) === '1' ? '' : 's'}`;

/** `recommendation.openingHours` → `opening hours`. */
export const nounOf = (path: string): string =>
  (path.split('.').at(-1) ?? path).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

export const listed = (items: readonly string[], joint = 'and'): string =>
  items.length <= 1 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} ${joint} ${items.at(-1)}`;

export const quoted = (text: string, most = 60): string =>
  `"${text.length > most ? `${text.slice(0, most - 1)}…` : text}"`;
