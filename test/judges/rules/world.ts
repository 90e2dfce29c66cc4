import { readdirSync, readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { type EvalCase, Recommendation } from '../../../src/case/case.ts';
import { createRulesJudge } from '../../../src/judges/rules/rules-judge.ts';
import type { Question } from '../../../src/judging/ask.ts';
import type { Persona } from '../../../src/judging/standards/persona.ts';
import { Rubric } from '../../../src/judging/standards/rubric.ts';
import { Lexicon } from '../../../src/judging/standards/rubric-checks.ts';
import { aMethod } from '../../support/builders.ts';
import { contractFormat as format } from '../../support/format.ts';

/** The built-in lexicons and rubric as they stand in `prompts/`, and builders for questions about them. */
const folder = new URL('../../../prompts/', import.meta.url);
const read = (path: string): unknown => load(readFileSync(new URL(path, folder), 'utf8'));

const idOf = (file: string): string => file.replace(/\.yaml$/, '');

const withId = (id: string, content: unknown): unknown =>
  typeof content === 'object' && content !== null ? { id, ...content } : content;

export const lexicons: ReadonlyMap<string, Lexicon> = new Map(
  readdirSync(new URL('lexicons/', folder))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => [idOf(file), Lexicon.parse(withId(idOf(file), read(`lexicons/${file}`)))]),
);

export const navigation = Rubric.parse(withId('navigation', read('rubrics/navigation.yaml')));

export const method = aMethod({ id: 'io', seats: 'one' });

export const persona = (id: string): Persona => ({ id, title: id, source: 'test', voice: 'v' });

type Venue = Recommendation;
/** Changes to the venue; undefined takes a field away. */
export type VenueChanges = { [Key in keyof Venue]?: Venue[Key] | undefined };

const rightVenue: Venue = {
  name: 'Zum Test',
  cuisine: 'Italian',
  cost: 'medium',
  rating: 4.5,
  durationMin: 6,
  openingHours: { monday: '12:00-23:00' },
};

const venueWith = (changes: VenueChanges): Venue =>
  Recommendation.parse(
    Object.fromEntries(
      Object.entries({ ...rightVenue, ...changes }).filter(([, value]) => value !== undefined),
    ),
  );

/** A case in which all is right but what is changed: Italian, medium, 4.5, open, 6 minutes away. */
export const aCase = (text: string | readonly string[], venue: VenueChanges = {}): EvalCase => ({
  conversation: (typeof text === 'string' ? [text] : text).map((turn) => ({ role: 'user', text: turn })),
  response: 'How about this place?',
  context: { date: '2024-03-04', time: '19:00', location: { latitude: 52.53, longitude: 13.41 } },
  recommendation: venueWith(venue),
});

export const aQuestion = (evalCase: EvalCase, changes: Partial<Question> = {}): Question => ({
  judge: { persona: changes.persona?.id ?? null, model: 'rules', sample: 0 },
  persona: null,
  cast: [],
  rubric: navigation,
  criteria: navigation.criteria,
  method,
  evalCase,
  round: 0,
  seen: [],
  temperature: 0,
  seed: null,
  signal: new AbortController().signal,
  deadlineAt: Number.POSITIVE_INFINITY,
  ...changes,
});

export const ask = createRulesJudge(lexicons, format, () => 'sha256:test');

/** The finding on one criterion. */
export async function findingOn(criterion: string, evalCase: EvalCase) {
  const judgement = await ask(aQuestion(evalCase));
  const finding = judgement.criteria.find(({ id }) => id === criterion);
  if (finding === undefined) throw new Error(`no finding on ${criterion}: ${JSON.stringify(judgement)}`);
  return finding;
}
