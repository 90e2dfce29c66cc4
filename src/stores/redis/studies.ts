import * as z from 'zod';
import { type Annotation, Answers, type StudyStore } from '../../studies/annotation.ts';
import { Annotator, Study, StudyEntry } from '../../studies/study.ts';
import { parseStored, parseStoredJson } from '../stored-values.ts';
import { type Connection, Pairs, script } from './connection.ts';
import type { Keys } from './keys.ts';

/** KEYS: entries, bodies, annotators, closed. ARGV: id, entry, body, 1 if closed, then fields and places of annotators. */
const addScript = script(`
if redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2]) == 0 then return 'known' end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
if ARGV[4] == '1' then redis.call('SADD', KEYS[4], ARGV[1]) end
for n = 5, #ARGV, 2 do redis.call('HSET', KEYS[3], ARGV[n], ARGV[n + 1]) end
return 'added'
`);

/** KEYS: entries, annotators, closed. Returns all entries, fields and places of annotators, closed ids. */
const listScript = script(`
return { redis.call('HVALS', KEYS[1]), redis.call('HGETALL', KEYS[2]), redis.call('SMEMBERS', KEYS[3]) }
`);

/** KEYS: bodies, annotators, closed. ARGV: id. */
const findScript = script(`
return { redis.call('HGET', KEYS[1], ARGV[1]), redis.call('HGETALL', KEYS[2]), redis.call('SISMEMBER', KEYS[3], ARGV[1]) }
`);

/** KEYS: entries, closed. ARGV: id, 1 to close. */
const closeScript = script(`
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call(ARGV[2] == '1' and 'SADD' or 'SREM', KEYS[2], ARGV[1])
return 1
`);

/** KEYS: entries, bodies, annotators, closed, then the annotations of each annotator. ARGV: id, then the annotators. */
const removeScript = script(`
for n = 2, #ARGV do redis.call('HDEL', KEYS[3], ARGV[1] .. '|' .. ARGV[n]) end
for n = 5, #KEYS do redis.call('DEL', KEYS[n]) end
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('SREM', KEYS[4], ARGV[1])
return redis.call('HDEL', KEYS[1], ARGV[1])
`);

/** KEYS: entries, annotators, closed, annotations. ARGV: id, annotator, case, at, answers. */
const annotateScript = script(`
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 'unknown-study' end
if redis.call('SISMEMBER', KEYS[3], ARGV[1]) == 1 then return 'closed' end
if redis.call('HEXISTS', KEYS[2], ARGV[1] .. '|' .. ARGV[2]) == 0 then return 'not-asked' end
local old = redis.call('HGET', KEYS[4], ARGV[3])
local stood = false
if old then
  local old_at, answers = string.match(old, '^([^|]*)|(.*)$')
  if tonumber(ARGV[4]) < tonumber(old_at) then return 'outdated' end
  if tonumber(ARGV[4]) == tonumber(old_at) then return 'unchanged' end
  stood = answers == ARGV[5]
end
redis.call('HSET', KEYS[4], ARGV[3], ARGV[4] .. '|' .. ARGV[5])
return stood and 'unchanged' or 'kept'
`);

/** KEYS: annotators, annotations. ARGV: id, annotator. Returns the number of deleted annotations. */
const forgetScript = script(`
local gone = redis.call('HLEN', KEYS[2])
redis.call('DEL', KEYS[2])
redis.call('HDEL', KEYS[1], ARGV[1] .. '|' .. ARGV[2])
return gone
`);

const Body = Study.omit({ annotators: true, closed: true });
const Entry = StudyEntry.omit({ annotators: true, closed: true });
const Texts = z.array(z.string());
const Kept = z.string().regex(/^[^|]+\|/);

const annotatorsOf = (id: string, places: readonly [field: string, text: string][]): Annotator[] =>
  places
    .filter(([field]) => field.startsWith(`${id}|`))
    .map(([, text]) => parseStoredJson(Annotator, text, 'an annotator'))
    .sort((a, b) => a.place - b.place);

function readAnnotation(
  study: string,
  annotator: string,
  [index, kept]: readonly [string, string],
): Annotation {
  const [at = '', ...rest] = parseStored(Kept, kept, 'an annotation').split('|');
  const answers = parseStoredJson(Answers, rest.join('|'), 'an annotation');
  return { study, annotator, case: Number(index), at: Number(at), answers };
}

/** Deletes an annotator and their annotations; atomic per study. Resolves to the number of deleted annotations. */
export async function forgetAnnotations(
  connection: Connection,
  { studies }: Keys,
  annotator: string,
): Promise<number> {
  let gone = 0;
  for (const id of await connection.command(Texts, 'HKEYS', studies.entries))
    gone += await connection.run(
      z.int(),
      forgetScript,
      [studies.annotators, studies.annotations(id, annotator)],
      [id, annotator],
    );
  return gone;
}

export const redisStudies = (
  connection: Connection,
  { studies: { entries, bodies, annotators, closed, annotations } }: Keys,
): StudyStore => ({
  addStudy: ({ annotators: people, closed: isClosed, ...body }) => {
    const { id, name, at, cases } = body;
    const entry: z.infer<typeof Entry> = { id, name, at, cases: cases.length };
    const places = people.flatMap((one) => [`${id}|${one.id}`, JSON.stringify(one)]);
    return connection.run(
      z.enum(['added', 'known']),
      addScript,
      [entries, bodies, annotators, closed],
      [id, JSON.stringify(entry), JSON.stringify(body), isClosed ? '1' : '0', ...places],
    );
  },
  study: async (id) => {
    const [body, places, isClosed] = await connection.run(
      z.tuple([z.string().nullable(), Pairs, z.int()]),
      findScript,
      [bodies, annotators, closed],
      [id],
    );
    if (body === null) return null;
    return {
      ...parseStoredJson(Body, body, 'a study'),
      annotators: annotatorsOf(id, places),
      closed: isClosed === 1,
    };
  },
  studies: async () => {
    const [all, places, ended] = await connection.run(
      z.tuple([Texts, Pairs, Texts]),
      listScript,
      [entries, annotators, closed],
      [],
    );
    return all
      .map((text) => parseStoredJson(Entry, text, 'a study'))
      .map((entry) => ({
        ...entry,
        annotators: annotatorsOf(entry.id, places),
        closed: ended.includes(entry.id),
      }))
      .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  },
  closeStudy: async (id, close) =>
    (await connection.run(z.int(), closeScript, [entries, closed], [id, close ? '1' : '0'])) === 1,
  removeStudy: async (id) => {
    // Annotators are never added to an existing study, so none is missed.
    const people = annotatorsOf(id, await connection.command(Pairs, 'HGETALL', annotators)).map(
      (one) => one.id,
    );
    const said = people.map((one) => annotations(id, one));
    const keys = [entries, bodies, annotators, closed, ...said];
    return (await connection.run(z.int(), removeScript, keys, [id, ...people])) === 1;
  },
  annotate: ({ study, annotator, case: index, at, answers }) =>
    connection.run(
      z.enum(['kept', 'unchanged', 'outdated', 'not-asked', 'closed', 'unknown-study']),
      annotateScript,
      [entries, annotators, closed, annotations(study, annotator)],
      [study, annotator, index, at, JSON.stringify(answers)],
    ),
  annotations: async (study, annotator) => {
    const all =
      annotator === undefined
        ? annotatorsOf(study, await connection.command(Pairs, 'HGETALL', annotators)).map(({ id }) => id)
        : [annotator];
    const said = await Promise.all(
      all
        .sort()
        .map(async (one) =>
          (await connection.command(Pairs, 'HGETALL', annotations(study, one)))
            .map((pair) => readAnnotation(study, one, pair))
            .sort((a, b) => a.case - b.case),
        ),
    );
    return said.flat();
  },
});
