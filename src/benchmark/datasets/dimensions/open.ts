import * as z from 'zod';
import { JuryError } from '../../../common/errors.ts';
import { Id } from '../../../common/id.ts';
import type { Drawn, Scene, Side } from '../scene.ts';
import { clockOf, minutesLeft, openingHoursOf, Week } from '../week.ts';

/** Open at the user's moment; its error is another week of hours, in which it is closed then. */
export const Open = z.strictObject({
  id: Id,
  kind: z.literal('open'),
  /** Path of the opening hours. */
  field: z.string().min(1),
  /** For how many minutes the right place must still be open, so that a visit makes sense. */
  leastLeft: z.int().min(1),
  weeks: z.array(Week).min(1),
});
type Open = z.infer<typeof Open>;

/** @throws JuryError `bad-file` where no week is open, or none closed, at the moment */
export function drawOpen({ id, field, leastLeft, weeks }: Open, scene: Scene): Drawn {
  const { weekday, minute, random } = scene;
  const draw = (fits: (left: number) => boolean, what: string): Side => {
    const fitting = weeks.filter((week) => fits(minutesLeft(week, weekday, minute)));
    if (fitting.length === 0)
      throw new JuryError(
        'bad-file',
        `No week of dimension "${id}" is ${what} on ${weekday} at ${clockOf(minute)}: add one.`,
      );
    return { fields: { [field]: openingHoursOf(random.pick(fitting)) }, said: {} };
  };
  const right = draw((left) => left >= leastLeft, `open for another ${leastLeft} minutes`);
  const wrong = draw((left) => left === 0, 'closed');
  return { id, wish: {}, chosen: null, right, wrong };
}
