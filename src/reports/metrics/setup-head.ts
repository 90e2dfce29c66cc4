import * as z from 'zod';

/** What a report says of a configuration besides its metrics. */
export const setupHead = {
  /** The configuration's id without its repeat. */
  id: z.string(),
  /** Its run, if a report is about several; otherwise null. */
  run: z.string().nullable().default(null),
  method: z.string(),
  models: z.array(z.string()),
  /** Null: the method's own. */
  temperature: z.number().nullable(),
  /** For a plain vote: ID of the debate whose number of calls it matches; null for other setups. */
  equalCallsOf: z.string().nullable(),
  /** IDs of the setups whose answers it uses instead of asking the same again. Older reports have none. */
  pooledFrom: z.array(z.string()).default([]),
  repeats: z.int(),
  trials: z.int(),
  planned: z.int(),
  /** Number of unlabeled trials; they count for decisions, efficiency and flip rate only. */
  unlabeled: z.int(),
};
const SetupHead = z.strictObject(setupHead);
export type SetupHead = z.infer<typeof SetupHead>;

/** A configuration's report as far as one metric needs it. */
export type With<Key extends string, Value> = SetupHead & Readonly<Record<Key, Value>>;
