import * as z from 'zod';

/** When a digest is posted, and where. */
export const DigestSchedule = z.strictObject({
  id: z.string().min(1),
  /** Five cron fields, or six with seconds before them. */
  cron: z.string(),
  /** IANA name of the time zone in which the cron fields are read. */
  timezone: z.string(),
  /** Ids of the platform; the channel as the platform names it. */
  target: z.strictObject({ surface: z.string(), team: z.string(), channel: z.string() }),
  /** Platform id of the person who is told when posting fails; null: whoever made the channel. */
  owner: z.string().nullable(),
  /** Benchmarks to tell of, by name; those that are defined are run before the digest is put together. */
  benchmarks: z.array(z.string()),
  /** ms since the epoch; only slots after it are posted. When it was made, or resumed. */
  since: z.number(),
  paused: z.boolean(),
});
export type DigestSchedule = z.infer<typeof DigestSchedule>;

export interface ScheduleStore {
  /** Keeps a schedule, or what was changed of it; its progress stays. */
  saveSchedule(schedule: DigestSchedule): Promise<void>;
  /** All, by id. */
  schedules(): Promise<DigestSchedule[]>;
  /** Deletes a schedule with its progress. `false` where there is none of that id. */
  removeSchedule(id: string): Promise<boolean>;
  /** How far the digests of a schedule are, as its caller wrote it; empty at first. Null: no schedule of that id. */
  digestProgress(id: string): Promise<{ version: number; text: string } | null>;
  /**
   * Writes how far the digests of a schedule are, unless that was written since `version` was read: `false` then, and where the
   * schedule is gone. This is the lock: a process that reads the next version holds none of the earlier ones.
   */
  replaceDigestProgress(id: string, version: number, text: string): Promise<boolean>;
}
