import * as z from 'zod';
import type { Connection } from '../../../stores/redis/connect.ts';

const Page = z.tuple([z.string(), z.array(z.string())]);
const PAGE = 500;

/** All fields of a hash in pages, each once: what changes meanwhile may or may not be among them. */
export async function* scanHash(connection: Connection, key: string): AsyncGenerator<[string, string]> {
  // A hash that grows while it is read may tell a field twice.
  const told = new Set<string>();
  let cursor = '0';
  do {
    const [next, flat] = await connection.command(Page, 'HSCAN', key, cursor, 'COUNT', PAGE);
    for (let at = 0; at + 1 < flat.length; at += 2) {
      const [field = '', value = ''] = [flat[at], flat[at + 1]];
      if (told.has(field)) continue;
      told.add(field);
      yield [field, value];
    }
    cursor = next;
  } while (cursor !== '0');
}
