import * as z from 'zod';
import { Id, JuryError, line } from '../common/index.ts';
import { fold } from '../common/text/index.ts';
import type { Random } from '../statistics/index.ts';
import { type Drawn, Phrase, Range, type Scene, type Side, slotsOf } from './generator-scene.ts';

const RELATIONS = ['at-least', 'above', 'at-most', 'below', 'between', 'around', 'exactly'] as const;
type Relation = (typeof RELATIONS)[number];

/** The user asks for a number, or a rule always applies. The right place has a number that fits, the wrong one a number that clearly does not. */
export const NumberDimension = z.strictObject({
  id: Id,
  kind: z.literal('number'),
  field: z.string().min(1),
  /** Possible numbers of places. */
  scale: z.strictObject({ from: z.number(), to: z.number(), step: z.number().positive() }),
  /** Numbers that users ask for. With `by`, they depend on another dimension's value, such as lower ratings for cheap places. */
  wishes: z.union([Range, z.strictObject({ by: Id, ranges: z.record(z.string(), Range) })]),
  /** Width of a "between", in steps. */
  width: Range.default([3, 6]),
  /** Maximum distance of the right number from the requested one. */
  spread: z.number().positive(),
  /** Lowest right number, whatever the wish leaves open: "around 3.6" would allow less. Default: the wish alone decides. */
  least: z.number().optional(),
  /** Minimum and maximum distance of the wrong number from the allowed ones. */
  off: Range,
  /** What separates decimals in what people say. */
  decimal: z.enum(['.', ',']).default('.'),
  /** Phrases by meaning; each "#" is replaced by a number. */
  phrases: z.partialRecord(z.enum(RELATIONS), z.array(Phrase)),
  /** How the wish is put in a later turn, by meaning: the form `joined` of the grammar. */
  joined: z.partialRecord(z.enum(RELATIONS), z.array(line).min(1)).default({}),
  /** For a rule that always applies: its meaning, instead of phrases. */
  unasked: z.enum(RELATIONS).optional(),
});
type NumberDimension = z.infer<typeof NumberDimension>;

/** Converts values to integer steps of the scale, so that floating-point errors don't matter. */
interface Steps {
  of: (value: number) => number;
  /** The value of a number of steps, without floating-point error. */
  value: (steps: number) => number;
  text: (steps: number) => string;
}

function stepsOf(step: number, decimal: string): Steps {
  const decimals = /\.(\d+)$/.exec(String(step))?.[1]?.length ?? 0;
  const fixed = (steps: number) => (steps * step).toFixed(decimals);
  return {
    of: (value) => Math.round(value / step),
    value: (steps) => Number(fixed(steps)),
    text: (steps) => fixed(steps).replace('.', decimal),
  };
}

/** The lowest and highest number that a relation allows, in steps. */
const allowed: Readonly<
  Record<Relation, (first: number, second: number, tolerance: number) => [from: number, to: number]>
> = {
  'at-least': (first) => [first, Number.POSITIVE_INFINITY],
  above: (first) => [first + 1, Number.POSITIVE_INFINITY],
  'at-most': (first) => [Number.NEGATIVE_INFINITY, first],
  below: (first) => [Number.NEGATIVE_INFINITY, first - 1],
  between: (first, second) => [first, second],
  around: (first, _second, tolerance) => [first - tolerance, first + tolerance],
  exactly: (first) => [first, first],
};

/** Phrases with their meanings, or the single meaning of an unasked rule. */
function meanings({
  phrases,
  unasked,
  id,
}: NumberDimension): { relation: Relation; phrase: Phrase | null }[] {
  if (unasked !== undefined) return [{ relation: unasked, phrase: null }];
  const choices = RELATIONS.flatMap((relation) =>
    (phrases[relation] ?? []).map((phrase) => ({ relation, phrase })),
  );
  if (choices.length === 0)
    throw new JuryError('bad-file', `Dimension "${id}" has neither phrases nor what holds unasked.`);
  return choices;
}

function rangeOf({ id, wishes }: NumberDimension, before: Scene['before']): readonly [number, number] {
  if (!('by' in wishes)) return wishes;
  const range = wishes.ranges[before.get(wishes.by)?.chosen ?? ''];
  if (range === undefined)
    throw new JuryError(
      'bad-file',
      `Dimension "${id}" depends on "${wishes.by}", which comes later or has a value without a range here.`,
    );
  return range;
}

const filled = (phrase: Phrase, numbers: readonly string[]): Phrase =>
  Object.fromEntries(
    Object.entries(phrase).map(([form, text]) => {
      const left = [...numbers];
      return [form, text.replaceAll('#', () => left.shift() ?? '#')];
    }),
  );

/** One of the ways to put a wish in a later turn, as a phrase; empty if there is none. Drawn last, so that it changes no other draw. */
const joinedOf = (texts: readonly string[] | undefined, random: Random): Phrase =>
  texts === undefined ? {} : { joined: random.pick(texts.map((text) => ({ text }))).text };

/** @throws JuryError `bad-file` if the scale has no number that fits, or none that doesn't */
export function drawNumber(dimension: NumberDimension, { before, criterion, random }: Scene): Drawn {
  const { id, field, scale, spread, off, width, decimal, least = Number.NEGATIVE_INFINITY } = dimension;
  const steps = stepsOf(scale.step, decimal);
  const between = (from: number, to: number) => from + random.below(to - from + 1);
  const { relation, phrase } = random.pick(meanings(dimension));
  const [lowest, highest] = rangeOf(dimension, before);
  const first = between(steps.of(lowest), steps.of(highest));
  const second = relation === 'between' ? Math.min(first + between(...width), steps.of(scale.to)) : first;
  const tolerance = criterion.check?.type === 'number-wish' ? criterion.check.tolerance : 0;
  const [from, to] = allowed[relation](first, second, steps.of(tolerance));
  const all = Array.from(
    { length: steps.of(scale.to) - steps.of(scale.from) + 1 },
    (_none, index) => steps.of(scale.from) + index,
  );
  const distance = (number: number) => Math.max(from - number, number - to, 0);
  const draw = (fits: (number: number) => boolean, what: string): Side => {
    const numbers = all.filter(fits).map((number) => ({ number }));
    if (numbers.length === 0)
      throw new JuryError(
        'bad-file',
        `The scale of dimension "${id}" has no number that ${what} ${relation} ${steps.text(first)}.`,
      );
    const { number } = random.pick(numbers);
    return { fields: { [field]: steps.value(number) }, said: { [`${id}.said`]: steps.text(number) } };
  };
  const near = (number: number) =>
    Math.min(Math.abs(number - first), Math.abs(number - second)) <= steps.of(spread);
  const numbers = [steps.text(first), steps.text(second)];
  const right = draw(
    (number) => distance(number) === 0 && near(number) && number >= steps.of(least),
    'meets',
  );
  const wrong = draw(
    (number) => distance(number) >= steps.of(off[0]) && distance(number) <= steps.of(off[1]),
    'clearly misses',
  );
  const joined = filled(joinedOf(dimension.joined[relation], random), numbers);
  return {
    id,
    wish: phrase === null ? {} : slotsOf(id, { ...filled(phrase, numbers), ...joined }),
    chosen: null,
    right,
    wrong,
  };
}

/**
 * The user has enough of something for a number that an earlier dimension drew: the car's range covers the distance to the station. In
 * the wrong case it does not. There the error is in the user's situation; the recommendation stays the same.
 */
export const Reach = z.strictObject({
  id: Id,
  kind: z.literal('reach'),
  /** Path of the user's amount. */
  field: z.string().min(1),
  /** ID of the dimension that draws the required number; `of` is the path of that number. */
  by: Id,
  of: z.string().min(1),
  /** Usable share: 0.9 if a tenth must remain. */
  share: z.number().positive().max(1).default(1),
  /** Sufficient amounts, in whole numbers. They must also suffice for the other dimension's wrong number. */
  enough: Range,
  /** Insufficient amounts, as a share of what is needed. */
  short: Range,
});
type Reach = z.infer<typeof Reach>;

/** @throws JuryError `bad-file` if the other dimension draws no such number, or `enough` is not enough */
export function drawReach(
  { id, field, by, of, share, enough, short }: Reach,
  { before, random }: Scene,
): Drawn {
  const other = before.get(by);
  const [right, wrong] = [other?.right.fields[of], other?.wrong.fields[of]];
  if (typeof right !== 'number' || typeof wrong !== 'number')
    throw new JuryError(
      'bad-file',
      `Dimension "${id}" depends on ${of} of "${by}", which comes later or draws no such number.`,
    );
  const least = Math.max(Math.ceil(enough[0]), Math.ceil(Math.max(right, wrong) / share));
  const most = Math.floor(enough[1]);
  if (least > most)
    throw new JuryError(
      'bad-file',
      `Dimension "${id}": ${most} is not enough where ${of} is ${Math.max(right, wrong)}.`,
    );
  const part = short[0] + (random.below(1001) / 1000) * (short[1] - short[0]);
  const sideOf = (value: number): Side => ({
    fields: { [field]: value },
    said: { [`${id}.said`]: String(value) },
  });
  return {
    id,
    wish: {},
    chosen: null,
    right: sideOf(least + random.below(most - least + 1)),
    wrong: sideOf(Math.floor(right * part * 10) / 10),
  };
}

const DrawnTerm = z.strictObject({
  /** The field's value. */
  value: line,
  /** The system's wording; default: the value. */
  said: line.optional(),
  /** The wish in words. */
  phrases: z.array(Phrase).min(1),
  /** How the wish is put in a later turn: the form `joined` of the grammar. */
  joined: z.array(line).min(1).optional(),
  /** Values too similar to be a clear error, such as a Lebanese place for a Turkish wish. */
  unlike: z.array(line).default([]),
  /** Other fields that go with the value, each with a list to draw entries from, such as dishes of a cuisine. */
  along: z.record(line, z.array(line).min(1)).default({}),
});
type DrawnTerm = z.infer<typeof DrawnTerm>;

/** The user asks for one of several terms. The right place has it, the wrong one has another. */
export const TermDimension = z
  .strictObject({
    id: Id,
    kind: z.literal('term'),
    field: z.string().min(1),
    /** Number of entries drawn from each list in `along`. */
    alongCount: z.int().min(1).default(4),
    /** Maximum length, if the field is a list. */
    list: z.int().min(1).optional(),
    terms: z.array(DrawnTerm).min(2),
  })
  .superRefine(({ terms }, context) => {
    const values = terms.map(({ value }) => value);
    terms.forEach(({ value, unlike }, index) => {
      const reject = (key: string, message: string) =>
        context.addIssue({ code: 'custom', path: ['terms', index, key], message });
      if (values.indexOf(value) !== index) reject('value', `"${value}" is there twice`);
      for (const other of unlike)
        if (!values.includes(other)) reject('unlike', `"${other}" is not a value here`);
      if (values.every((other) => other === value || unlike.includes(other)))
        reject('unlike', 'leaves no value that could be an error');
    });
  });
type TermDimension = z.infer<typeof TermDimension>;

/** Up to `count` random entries in their original order, preferring those that contain one of the words. */
function drawnFrom(
  entries: readonly string[],
  count: number,
  words: readonly string[],
  random: Random,
): string[] {
  const order = random.shuffled(entries);
  const holds = (entry: string) => words.some((word) => fold(entry).includes(fold(word)));
  const taken = [...order.filter(holds), ...order.filter((entry) => !holds(entry))].slice(0, count);
  return entries.filter((entry) => taken.includes(entry));
}

/**
 * A place with the first of `terms` and, if the field is a list, some of the others.
 * @param words the user's words; if they ask for ramen, the menu includes it
 */
function sideOf(
  dimension: TermDimension,
  [first, ...others]: readonly DrawnTerm[],
  words: readonly string[],
  random: Random,
): Side {
  if (first === undefined)
    throw new JuryError('internal', `Dimension "${dimension.id}" has no value to draw.`);
  const more = dimension.list === undefined ? 0 : random.below(Math.min(dimension.list, others.length + 1));
  const values = random.shuffled([first, ...others.slice(0, more)]);
  const along = Object.entries(first.along).map(([path, entries]) => [
    path,
    drawnFrom(entries, dimension.alongCount, words, random),
  ]);
  const held = values.map(({ value }) => value);
  return {
    fields: {
      [dimension.field]: dimension.list === undefined ? first.value : held,
      ...Object.fromEntries(along),
    },
    said: { [`${dimension.id}.said`]: values.map(({ said, value }) => said ?? value).join(' and ') },
  };
}

export function drawTerm(dimension: TermDimension, { random }: Scene): Drawn {
  const { id, terms } = dimension;
  const wished = random.pick(terms);
  const phrase = random.pick(wished.phrases);
  const others = random.shuffled(
    terms.filter((term) => term !== wished && !wished.unlike.includes(term.value)),
  );
  const right = sideOf(dimension, [wished, ...others], Object.values(phrase), random);
  const wrong = sideOf(dimension, others, [], random);
  const wish = slotsOf(id, { ...phrase, ...joinedOf(wished.joined, random) });
  return { id, wish, chosen: wished.value, right, wrong };
}
