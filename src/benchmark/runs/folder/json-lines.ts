import { truncate } from 'node:fs/promises';
import type * as z from 'zod';
import { JuryError } from '../../../common/errors.ts';
import { readLines } from './read-lines.ts';

/** Null where the text is not of the schema. */
export function parseJsonLine<T extends z.ZodType>(schema: T, text: string): { value: z.output<T> } | null {
  try {
    const read = schema.safeParse(JSON.parse(text));
    return read.success ? { value: read.data } : null;
  } catch {
    return null;
  }
}

/**
 * The values of a file of JSON lines. The last line may be torn, by a crash or because it is being written: it is passed
 * over.
 *
 * @param onTorn told where the torn line begins, in bytes
 * @param isWanted whether a line is read at all, by its text
 * @throws JuryError `bad-file` for any other line that cannot be read
 */
export async function* readJsonLines<T extends z.ZodType>(
  path: string,
  schema: T,
  onTorn: (at: number) => void = () => {},
  isWanted: (text: string) => boolean = () => true,
): AsyncGenerator<z.output<T>> {
  let broken: { number: number; at: number } | null = null;
  let number = 0;
  for await (const { text, at, whole } of readLines(path)) {
    if (broken !== null)
      throw new JuryError(
        'bad-file',
        `${path}: line ${broken.number} cannot be read. Was it changed by hand, or written by another version? Delete that line to judge its trial again.`,
      );
    number += 1;
    if (whole && !isWanted(text)) continue;
    const read = whole ? parseJsonLine(schema, text) : null;
    if (read === null) broken = { number, at };
    else yield read.value;
  }
  if (broken !== null) onTorn(broken.at);
}

/** Reads a file of JSON lines whole and cuts off a torn last line, so that it can be appended to. */
export async function mendJsonLines<T extends z.ZodType>(
  path: string,
  schema: T,
  each: (value: z.output<T>) => void,
): Promise<void> {
  let tornAt: number | null = null;
  for await (const value of readJsonLines(path, schema, (at) => {
    tornAt = at;
  }))
    each(value);
  if (tornAt !== null) await truncate(path, tornAt);
}
