import * as z from 'zod';

const Chosen = z.object({ value: z.string() });

/** What Slack says of one input: only what we use of it. */
const InputState = z.object({
  value: z.string().nullish(),
  selected_date: z.string().nullish(),
  selected_time: z.string().nullish(),
  selected_option: Chosen.nullish(),
  selected_options: z.array(Chosen).nullish(),
});

/** `view.state`: values by block id and action id. */
const FormState = z.object({ values: z.record(z.string(), z.record(z.string(), InputState)) });

/** What a form was filled with; undefined or empty where an input was left empty or is not part of it. */
export interface Filled {
  text: (blockId: string) => string | undefined;
  one: (blockId: string) => string | undefined;
  several: (blockId: string) => string[];
  has: (blockId: string) => boolean;
}

/**
 * Reads the state of a submitted form. Each input block holds one input, so the block id names it.
 *
 * @throws z.ZodError where it is no state of a form
 */
export function readState(state: unknown): Filled {
  const { values } = FormState.parse(state);
  const inputOf = (blockId: string) =>
    Object.hasOwn(values, blockId) ? Object.values(values[blockId] ?? {})[0] : undefined;
  const filled = (text: string | null | undefined): string | undefined =>
    text === null || text === undefined || text.trim() === '' ? undefined : text;
  return {
    text: (blockId) => {
      const input = inputOf(blockId);
      return filled(input?.value) ?? filled(input?.selected_date) ?? filled(input?.selected_time);
    },
    one: (blockId) => inputOf(blockId)?.selected_option?.value,
    several: (blockId) => (inputOf(blockId)?.selected_options ?? []).map(({ value }) => value),
    has: (blockId) => inputOf(blockId) !== undefined,
  };
}
