import type * as z from 'zod';
import { JuryError } from '../common/errors.ts';

/**
 * Reads what a store holds.
 *
 * @throws JuryError `internal` where it is not what this version writes: damaged, or changed by something else
 */
export function parseStored<T extends z.ZodType>(schema: T, value: unknown, what: string): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new JuryError(
    'internal',
    `The store holds ${what} that this version cannot read. Was it changed by hand, or written by another version? ${parsed.error.issues[0]?.message ?? ''} (at ${parsed.error.issues[0]?.path.join('.') ?? ''})`,
    { cause: parsed.error },
  );
}

/** The same for a text of JSON. */
export function parseStoredJson<T extends z.ZodType>(schema: T, text: string, what: string): z.output<T> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new JuryError('internal', `The store holds ${what} that is damaged: it is no JSON.`, { cause });
  }
  return parseStored(schema, value, what);
}

/** Reads what can be read, and counts what cannot: it is left to the version that wrote it. */
export function parseReadable<T extends z.ZodType>(
  schema: T,
  texts: readonly string[],
): { readable: z.output<T>[]; unreadable: number } {
  const readable = texts.flatMap((text) => {
    try {
      return [parseStoredJson(schema, text, 'an entry')];
    } catch {
      return [];
    }
  });
  return { readable, unreadable: texts.length - readable.length };
}
