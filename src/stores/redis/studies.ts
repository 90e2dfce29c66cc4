import * as z from 'zod';
import { Answers, type StudyStore } from '../../studies/annotation.ts';
import { Annotator, Study, StudyEntry } from '../../studies/study.ts';
import { parseStored, parseStoredJson } from '../stored-values.ts';
import { type Connection, Pairs, Stamped, script } from './connection.ts';
import type { Keys } from './keys.ts';

/** KEYS: entries, bodies, annotators, closed. ARGV: id, entry, body, 1 if closed, then fields and places of annotators. */
const add = script(z.enum(['added', 'known']))`
if redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2]) == 0 then return 'known' end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
if ARGV[4] == '1' then redis.call('SADD', KEYS[4], ARGV[1]) end
for n = 5, #ARGV, 2 do redis.call('HSET', KEYS[3], ARGV[n], ARGV[n + 1]) end
return 'added'`;

/** KEYS: entries, annotators, closed. Returns all entries, fields and places of annotators, closed ids. */
const list = script(z.tuple([z.array(z.string()), Pairs, z.array(z.string())]))`
return { redis.call('HVALS', KEYS[1]), redis.call('HGETALL', KEYS[2]), redis.call('SMEMBERS', KEYS[3]) }`;

/** KEYS: bodies, annotators, closed. ARGV: id. */
const find = script(z.tuple([z.string().nullable(), Pairs, z.int()]))`
return { redis.call('HGET', KEYS[1], ARGV[1]), redis.call('HGETALL', KEYS[2]), redis.call('SISMEMBER', KEYS[3], ARGV[1]) }`;

/** KEYS: entries, closed. ARGV: id, SADD to close or SREM. */
const close = script(z.int())`
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call(ARGV[2], KEYS[2], ARGV[1])
return 1`;

/** KEYS: entries, bodies, annotators, closed, then the annotations of each annotator. ARGV: id, then the annotators. */
const remove = script(z.int())`
for n = 2, #ARGV do redis.call('HDEL', KEYS[3], ARGV[1] .. '|' .. ARGV[n]) end
for n = 5, #KEYS do redis.call('DEL', KEYS[n]) end
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('SREM', KEYS[4], ARGV[1])
return redis.call('HDEL', KEYS[1], ARGV[1])`;

/** KEYS: entries, annotators, closed, annotations. ARGV: id, annotator, case, at, answers. */
const annotate = script(z.enum(['kept', 'unchanged', 'outdated', 'not-asked', 'closed', 'unknown-study']))`
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 'unknown-study' end
if redis.call('SISMEMBER', KEYS[3], ARGV[1]) == 1 then return 'closed' end
if redis.call('HEXISTS', KEYS[2], ARGV[1] .. '|' .. ARGV[2]) == 0 then return 'not-asked' end
local stood_at, answers = split(redis.call('HGET', KEYS[4], ARGV[3]))
local late = not_newer(ARGV[4], stood_at)
if late then return late end
redis.call('HSET', KEYS[4], ARGV[3], ARGV[4] .. '|' .. ARGV[5])
return answers == ARGV[5] and 'unchanged' or 'kept'`;

/** KEYS: annotators, annotations. ARGV: id, annotator. Returns the number of deleted annotations. */
const forget = script(z.int())`
local gone = redis.call('HLEN', KEYS[2])
redis.call('DEL', KEYS[2])
redis.call('HDEL', KEYS[1], ARGV[1] .. '|' .. ARGV[2])
return gone`;

const Body = Study.omit({ annotators: true, closed: true });
const Entry = StudyEntry.omit({ annotators: true, closed: true });

const annotatorsOf = (id: string, places: readonly [field: string, text: string][]): Annotator[] =>
  places
    .filter(([field]) => field.startsWith(`${id}|`))
    .map(([, text]) => parseStoredJson(Annotator, text, 'an annotator'))
    .sort((a, b) => a.place - b.place);

/** Deletes an annotator and their annotations; atomic per study. Resolves to the number of deleted annotations. */
export async function forgetAnnotations(
  redis: Connection,
  { studies }: Keys,
  annotator: string,
): Promise<number> {
  let gone = 0;
  for (const id of await redis.texts('HKEYS', studies.entries)) {
    const keys = [studies.annotators, studies.annotations(id, annotator)];
    gone += await redis.run(forget, keys, [id, annotator]);
  }
  return gone;
}

export function redisStudies(redis: Connection, { studies }: Keys): StudyStore {
  const { entries, bodies, annotators, closed } = studies;
  /** Ids. Annotators are never added to an existing study, so none is missed. */
  const annotatorIds = async (study: string): Promise<string[]> =>
    annotatorsOf(study, await redis.pairs('HGETALL', annotators)).map(({ id }) => id);
  const annotationsBy = async (study: string, annotator: string) => {
    const kept = await redis.pairs('HGETALL', studies.annotations(study, annotator));
    return kept
      .map(([index, value]) => {
        const { number: at, text } = parseStored(Stamped, value, 'an annotation');
        const answers = parseStoredJson(Answers, text, 'an annotation');
        return { study, annotator, case: Number(index), at, answers };
      })
      .sort((a, b) => a.case - b.case);
  };
  return {
    addStudy: ({ annotators: people, closed: isClosed, ...body }) => {
      const { id, name, at, cases } = body;
      const entry: z.infer<typeof Entry> = { id, name, at, cases: cases.length };
      const places = people.flatMap((one) => [`${id}|${one.id}`, JSON.stringify(one)]);
      const args = [id, JSON.stringify(entry), JSON.stringify(body), isClosed ? '1' : '0', ...places];
      return redis.run(add, [entries, bodies, annotators, closed], args);
    },
    study: async (id) => {
      const [body, places, isClosed] = await redis.run(find, [bodies, annotators, closed], [id]);
      if (body === null) return null;
      const study = parseStoredJson(Body, body, 'a study');
      return { ...study, annotators: annotatorsOf(id, places), closed: isClosed === 1 };
    },
    studies: async () => {
      const [all, places, ended] = await redis.run(list, [entries, annotators, closed], []);
      return all
        .map((text) => parseStoredJson(Entry, text, 'a study'))
        .map((entry) => ({
          ...entry,
          annotators: annotatorsOf(entry.id, places),
          closed: ended.includes(entry.id),
        }))
        .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
    },
    closeStudy: async (id, closing) =>
      (await redis.run(close, [entries, closed], [id, closing ? 'SADD' : 'SREM'])) === 1,
    removeStudy: async (id) => {
      const people = await annotatorIds(id);
      const said = people.map((one) => studies.annotations(id, one));
      return (await redis.run(remove, [entries, bodies, annotators, closed, ...said], [id, ...people])) === 1;
    },
    annotate: ({ study, annotator, case: index, at, answers }) =>
      redis.run(
        annotate,
        [entries, annotators, closed, studies.annotations(study, annotator)],
        [study, annotator, index, at, JSON.stringify(answers)],
      ),
    annotations: async (study, annotator) => {
      const people = annotator === undefined ? (await annotatorIds(study)).sort() : [annotator];
      return (await Promise.all(people.map((one) => annotationsBy(study, one)))).flat();
    },
  };
}
