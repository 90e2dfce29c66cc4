import * as z from 'zod';
import { JuryError } from '../../../common/errors.ts';
import { Id } from '../../../common/id.ts';
import type { Drawn, Scene, Side } from '../scene.ts';

const Range = z
  .tuple([z.number(), z.number()])
  .refine(([from, to]) => from <= to, 'must run from low to high');

/**
 * What the user has suffices for something that was drawn before, and in the error does not: the range that the car has
 * left, for the way to the station. Here the error lies in the situation, the recommendation stays the same.
 */
export const Reach = z.strictObject({
  id: Id,
  kind: z.literal('reach'),
  /** Path of what the user has. */
  field: z.string().min(1),
  /** The dimension that draws what it must suffice for, and the path of that number. */
  by: Id,
  of: z.string().min(1),
  /** How much of it may be used: 0.9 where a tenth must be left. */
  share: z.number().positive().max(1).default(1),
  /** What is enough, in whole numbers. It must be enough for the other dimension's error, too. */
  enough: Range,
  /** What is not, as a share of what is needed. */
  short: Range,
});
type Reach = z.infer<typeof Reach>;

const numberAt = ({ fields }: Side, path: string): number | null => {
  const value = fields[path];
  return typeof value === 'number' ? value : null;
};

/** @throws JuryError `bad-file` where the other dimension draws no such number, or `enough` is not enough for it */
export function drawReach(
  { id, field, by, of, share, enough, short }: Reach,
  { before, random }: Scene,
): Drawn {
  const other = before.get(by);
  const [right, wrong] = [other?.right, other?.wrong].map((side) =>
    side === undefined ? null : numberAt(side, of),
  );
  if (typeof right !== 'number' || typeof wrong !== 'number')
    throw new JuryError(
      'bad-file',
      `Dimension "${id}" goes by ${of} of "${by}", which stands behind it or draws no such number.`,
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
