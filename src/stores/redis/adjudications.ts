import * as z from 'zod';
import type { AdjudicationStore } from '../../labels/adjudication.ts';
import { Adjudication } from '../../labels/adjudication.ts';
import { parseStoredJson } from '../parse-stored.ts';
import { type Connection, script } from './connect.ts';
import type { Keys } from './keys.ts';

/** KEYS: verdict, adjudications. ARGV: verdict id, at, ruling. */
const adjudicateScript = script(`
if redis.call('EXISTS', KEYS[1]) == 0 then return 'unknown-verdict' end
local old = redis.call('HGET', KEYS[2], ARGV[1])
if old then
  local old_at = tonumber(string.match(old, '^([^|]*)|'))
  if tonumber(ARGV[2]) < old_at then return 'outdated' end
  if tonumber(ARGV[2]) == old_at then return 'unchanged' end
end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2] .. '|' .. ARGV[3])
return 'kept'
`);

export const redisAdjudications = (connection: Connection, keys: Keys): AdjudicationStore => ({
  adjudicate: (ruling) =>
    connection.run(
      z.enum(['kept', 'unchanged', 'outdated', 'unknown-verdict']),
      adjudicateScript,
      [keys.verdict(ruling.verdictId), keys.adjudications],
      [ruling.verdictId, ruling.at, JSON.stringify(ruling)],
    ),
  adjudications: async () =>
    (await connection.command(z.array(z.string()), 'HVALS', keys.adjudications))
      .map((kept) => parseStoredJson(Adjudication, kept.slice(kept.indexOf('|') + 1), 'a ruling'))
      .sort((a, b) => a.at - b.at || (a.verdictId < b.verdictId ? -1 : 1)),
});
