import * as z from 'zod';
import { JuryError } from '../../../common/errors.ts';
import { Id } from '../../../common/schema.ts';
import type { Random } from '../../../statistics/random.ts';
import { type Drawn, line, Phrase, type Scene, type Side, slotsOf } from '../scene.ts';

const DrawnTerm = z.strictObject({
  /** The field's value. */
  value: line,
  /** The system's wording; default: the value. */
  said: line.optional(),
  /** The wish in words. */
  phrases: z.array(Phrase).min(1),
  /** Values too similar to be a clear error: a Lebanese place for a Turkish wish. */
  unlike: z.array(line).default([]),
  /** Other fields that go with the value, with lists to draw their entries from: dishes of a cuisine. */
  along: z.record(line, z.array(line).min(1)).default({}),
});
type DrawnTerm = z.infer<typeof DrawnTerm>;

/** The user asks for one of several terms. The place has it, and in the error it has another. */
export const TermDimension = z
  .strictObject({
    id: Id,
    kind: z.literal('term'),
    field: z.string().min(1),
    /** Number of entries drawn from each list under `along`. */
    alongCount: z.int().min(1).default(4),
    /** If the field is a list: its maximum length. */
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

const folded = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Some of the entries, in order, including those that contain one of the words. */
function drawnFrom(
  entries: readonly string[],
  count: number,
  words: readonly string[],
  random: Random,
): string[] {
  const order = random.shuffled(entries);
  const holds = (entry: string) => words.some((word) => folded(entry).includes(folded(word)));
  const taken = [...order.filter(holds), ...order.filter((entry) => !holds(entry))].slice(0, count);
  return entries.filter((entry) => taken.includes(entry));
}

/**
 * A place with the first of `terms` and, if the field is a list, some of the others.
 *
 * @param words the user's words: the menu contains the ramen they ask for
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
  return {
    id,
    wish: slotsOf(id, phrase),
    chosen: wished.value,
    right: sideOf(dimension, [wished, ...others], Object.values(phrase), random),
    wrong: sideOf(dimension, others, [], random),
  };
}
