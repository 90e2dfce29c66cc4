import * as z from 'zod';
import type { Connection } from './connect.ts';

/** Where Redis is and what of its setup could lose data. A server that does not tell is not complained about. */
export async function inspectRedis(connection: Connection): Promise<{ where: string; warnings: string[] }> {
  const info = await connection.command(z.string(), 'INFO');
  const field = (name: string): string | undefined => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
  const warnings: string[] = [];
  if (field('aof_enabled') === '0')
    warnings.push('Redis keeps no append-only file, so a crash loses votes: set "appendonly yes"');
  const policy = field('maxmemory_policy');
  if (policy !== undefined && policy !== 'noeviction')
    warnings.push(`Redis drops data when its memory is full (${policy}): set "maxmemory-policy noeviction"`);
  return { where: `Redis ${field('redis_version') ?? ''} at ${connection.where}`, warnings };
}
