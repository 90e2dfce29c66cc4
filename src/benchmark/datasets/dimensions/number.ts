import * as z from 'zod';
import { JuryError } from '../../../common/errors.ts';
import { Id } from '../../../common/id.ts';
import { type Drawn, Phrase, type Scene, type Side, slotsOf } from '../scene.ts';

const RELATIONS = ['at-least', 'above', 'at-most', 'below', 'between', 'around', 'exactly'] as const;
type Relation = (typeof RELATIONS)[number];

const Range = z
  .tuple([z.number(), z.number()])
  .refine(([from, to]) => from <= to, 'must run from low to high');

/** A number is wished, or must hold unasked; the place has one that fits, and in the error one that clearly does not. */
export const NumberDimension = z.strictObject({
  id: Id,
  kind: z.literal('number'),
  field: z.string().min(1),
  /** The numbers that places have. */
  scale: z.strictObject({ from: z.number(), to: z.number(), step: z.number().positive() }),
  /** The numbers that are wished; `by` another dimension's value where they depend on it: who pays little expects less. */
  wishes: z.union([Range, z.strictObject({ by: Id, ranges: z.record(z.string(), Range) })]),
  /** How much wider than its first number a wish "between" is, in steps. */
  width: Range.default([3, 6]),
  /** How far from what was wished the right number lies at most. */
  spread: z.number().positive(),
  /** How far outside of what was wished the wrong number lies at least and at most. */
  off: Range,
  /** Wishes in words by what they mean; each "#" is a number. One without words holds unasked. */
  phrases: z.partialRecord(z.enum(RELATIONS), z.array(Phrase)),
  /** What must hold where nobody wishes for it, in place of phrases. */
  unasked: z.enum(RELATIONS).optional(),
});
type NumberDimension = z.infer<typeof NumberDimension>;

/** Whole steps of the scale, so that nothing depends on how decimals are stored. */
interface Steps {
  of: (value: number) => number;
  /** Without the noise of floating point. */
  value: (steps: number) => number;
  text: (steps: number) => string;
}

function stepsOf(step: number): Steps {
  const decimals = /\.(\d+)$/.exec(String(step))?.[1]?.length ?? 0;
  const text = (steps: number) => (steps * step).toFixed(decimals);
  return { of: (value) => Math.round(value / step), value: (steps) => Number(text(steps)), text };
}

/** The numbers that a relation allows, from lowest to highest, both included; in steps. */
function allowed(relation: Relation, first: number, second: number, tolerance: number): [number, number] {
  switch (relation) {
    case 'at-least':
      return [first, Number.POSITIVE_INFINITY];
    case 'above':
      return [first + 1, Number.POSITIVE_INFINITY];
    case 'at-most':
      return [Number.NEGATIVE_INFINITY, first];
    case 'below':
      return [Number.NEGATIVE_INFINITY, first - 1];
    case 'between':
      return [first, second];
    case 'around':
      return [first - tolerance, first + tolerance];
    case 'exactly':
      return [first, first];
  }
}

/** Phrases with what they mean, or the one meaning that needs no words. */
function meanings({
  phrases,
  unasked,
  id,
}: NumberDimension): { relation: Relation; phrase: Phrase | null }[] {
  if (unasked !== undefined) return [{ relation: unasked, phrase: null }];
  const found = RELATIONS.flatMap((relation) =>
    (phrases[relation] ?? []).map((phrase) => ({ relation, phrase })),
  );
  if (found.length === 0)
    throw new JuryError('bad-file', `Dimension "${id}" has neither phrases nor what holds unasked.`);
  return found;
}

function rangeOf({ id, wishes }: NumberDimension, before: Scene['before']): readonly [number, number] {
  if (!('by' in wishes)) return wishes;
  const range = wishes.ranges[before.get(wishes.by)?.chosen ?? ''];
  if (range === undefined)
    throw new JuryError(
      'bad-file',
      `Dimension "${id}" goes by "${wishes.by}", which stands behind it or has a value without a range here.`,
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

/** @throws JuryError `bad-file` where the scale has no number that fits, or none that does not */
export function drawNumber(dimension: NumberDimension, { before, criterion, random }: Scene): Drawn {
  const { id, field, scale, spread, off, width } = dimension;
  const steps = stepsOf(scale.step);
  const between = (from: number, to: number) => from + random.below(to - from + 1);
  const { relation, phrase } = random.pick(meanings(dimension));
  const [lowest, highest] = rangeOf(dimension, before);
  const first = between(steps.of(lowest), steps.of(highest));
  const second = relation === 'between' ? Math.min(first + between(...width), steps.of(scale.to)) : first;
  const tolerance = criterion.check?.type === 'number-wish' ? criterion.check.tolerance : 0;
  const [from, to] = allowed(relation, first, second, steps.of(tolerance));
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
  return {
    id,
    wish: phrase === null ? {} : slotsOf(id, filled(phrase, [steps.text(first), steps.text(second)])),
    chosen: null,
    right: draw((number) => distance(number) === 0 && near(number), 'meets'),
    wrong: draw(
      (number) => distance(number) >= steps.of(off[0]) && distance(number) <= steps.of(off[1]),
      'clearly misses',
    ),
  };
}
