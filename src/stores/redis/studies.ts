import * as z from 'zod';
import { groupedBy } from '../../common/index.ts';
import {
  type AnnotateOutcome,
  Annotator,
  Answers,
  casesEach,
  Study,
  StudyEntry,
  type StudyStore,
} from '../../studies/index.ts';
import { parseStored, parseStoredJson } from '../store.ts';
import { type Connection, type Keys, Pairs, Stamped, script } from './connection.ts';

/**
 * KEYS: entries, bodies, annotators, closed. ARGV: id, entry, body, 1 if closed, then annotators as pairs of field and
 * entry.
 */
const add = script(z.enum(['added', 'known']))`
if redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2]) == 0 then return 'known' end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
if ARGV[4] == '1' then redis.call('SADD', KEYS[4], ARGV[1]) end
for n = 5, #ARGV, 2 do redis.call('HSET', KEYS[3], ARGV[n], ARGV[n + 1]) end
return 'added'`;

/** KEYS: entries, annotators, closed. Returns all entries, all annotators, and the ids of closed studies. */
const list = script(z.tuple([z.array(z.string()), Pairs, z.array(z.string())]))`
return { redis.call('HVALS', KEYS[1]), redis.call('HGETALL', KEYS[2]), redis.call('SMEMBERS', KEYS[3]) }`;

/** KEYS: bodies, annotators, closed. ARGV: id. Returns the body, all annotators, and 1 if closed. */
const find = script(z.tuple([z.string().nullable(), Pairs, z.int()]))`
return { redis.call('HGET', KEYS[1], ARGV[1]), redis.call('HGETALL', KEYS[2]), redis.call('SISMEMBER', KEYS[3], ARGV[1]) }`;

/** KEYS: entries, closed. ARGV: id, SADD to close or SREM to reopen. */
const close = script(z.int())`
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call(ARGV[2], KEYS[2], ARGV[1])
return 1`;

/**
 * KEYS: entries, bodies, annotators, closed, then the annotations of each annotator. ARGV: id, then the annotators.
 * Returns 0 if there is no such study, and -1 if its annotators are not exactly these.
 */
const remove = script(z.int())`
local people = 0
for _, field in ipairs(redis.call('HKEYS', KEYS[3])) do
  if string.sub(field, 1, #ARGV[1] + 1) == ARGV[1] .. '|' then people = people + 1 end
end
if people ~= #ARGV - 1 then return -1 end
for n = 2, #ARGV do redis.call('HDEL', KEYS[3], ARGV[1] .. '|' .. ARGV[n]) end
for n = 5, #KEYS do redis.call('DEL', KEYS[n]) end
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('SREM', KEYS[4], ARGV[1])
return redis.call('HDEL', KEYS[1], ARGV[1])`;

/**
 * KEYS: entries, annotators, closed. ARGV: id, lowest place, then pseudonyms and people. Returns the entries of new
 * annotators, or false if there is no such open study.
 */
const join = script(z.array(z.string()).nullable())`
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 or redis.call('SISMEMBER', KEYS[3], ARGV[1]) == 1 then return false end
local place = tonumber(ARGV[2])
local stood = redis.call('HGETALL', KEYS[2])
for n = 1, #stood, 2 do
  if string.sub(stood[n], 1, #ARGV[1] + 1) == ARGV[1] .. '|' then
    place = math.max(place, cjson.decode(stood[n + 1]).place + 1)
  end
end
local added = {}
for n = 3, #ARGV, 2 do
  local entry = string.format('{"id":%s,"place":%d,"person":%s}', cjson.encode(ARGV[n]), place, ARGV[n + 1])
  if redis.call('HSETNX', KEYS[2], ARGV[1] .. '|' .. ARGV[n], entry) == 1 then
    added[#added + 1] = entry
    place = place + 1
  end
end
return added`;

/**
 * KEYS: entries, annotators, closed, annotations. ARGV: id, annotator, then case, at and answers of each annotation.
 * Returns an outcome for each.
 */
const annotate = script(
  z.array(z.enum(['kept', 'unchanged', 'outdated', 'not-asked', 'closed', 'unknown-study'])),
)`
local refused
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then refused = 'unknown-study'
elseif redis.call('SISMEMBER', KEYS[3], ARGV[1]) == 1 then refused = 'closed'
elseif redis.call('HEXISTS', KEYS[2], ARGV[1] .. '|' .. ARGV[2]) == 0 then refused = 'not-asked' end
local outcomes = {}
for n = 3, #ARGV, 3 do
  local stood_at, answers = split(redis.call('HGET', KEYS[4], ARGV[n]))
  local outcome = refused or not_newer(ARGV[n + 1], stood_at)
  if not outcome then
    redis.call('HSET', KEYS[4], ARGV[n], ARGV[n + 1] .. '|' .. ARGV[n + 2])
    outcome = answers == ARGV[n + 2] and 'unchanged' or 'kept'
  end
  outcomes[#outcomes + 1] = outcome
end
return outcomes`;

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
      const { id, name, at } = body;
      const entry: z.infer<typeof Entry> = { id, name, at, cases: casesEach(body) };
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
      for (;;) {
        const people = await annotatorIds(id);
        const annotationKeys = people.map((one) => studies.annotations(id, one));
        const gone = await redis.run(
          remove,
          [entries, bodies, annotators, closed, ...annotationKeys],
          [id, ...people],
        );
        // Annotators added in the meantime have annotations of their own: try again.
        if (gone >= 0) return gone === 1;
      }
    },
    addAnnotators: async (id, people, from) => {
      const given = people.flatMap((one) => [one.id, JSON.stringify(one.person)]);
      const added = await redis.run(join, [entries, annotators, closed], [id, from, ...given]);
      return added?.map((text) => parseStoredJson(Annotator, text, 'an annotator')) ?? null;
    },
    annotate: async (given) => {
      const outcomes: AnnotateOutcome[] = [];
      const places = given.map((one, place) => ({ one, place }));
      const groups = [...groupedBy(places, ({ one }) => `${one.study}|${one.annotator}`).values()];
      await Promise.all(
        groups.map(async (group) => {
          const [{ study, annotator } = { study: '', annotator: '' }] = group.map(({ one }) => one);
          const kept = await redis.run(
            annotate,
            [entries, annotators, closed, studies.annotations(study, annotator)],
            [
              study,
              annotator,
              ...group.flatMap(({ one }) => [one.case, one.at, JSON.stringify(one.answers)]),
            ],
          );
          for (const [index, { place }] of group.entries()) outcomes[place] = kept[index] ?? 'unknown-study';
        }),
      );
      return outcomes;
    },
    annotations: async (study, annotator) => {
      const people = annotator === undefined ? (await annotatorIds(study)).sort() : [annotator];
      return (await Promise.all(people.map((one) => annotationsBy(study, one)))).flat();
    },
  };
}
