import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { runShelf } from '../src/benchmark/collect/collect-answers.ts';
import { createSpendingLimits } from '../src/judges/llm/all-budgets.ts';
import type { Person } from '../src/labels/access/permissions.ts';
import { castBlind, castByReaction } from '../src/labels/voting/cast-vote.ts';
import { noteEdit } from '../src/requests/edited-requests.ts';
import { keepPeople } from '../src/requests/requesters.ts';
import { noteShown } from '../src/requests/shown-messages.ts';
import { inviteReviewer } from '../src/reviews/invite-reviewer.ts';
import { answerReview, beginReview, nextReview, volunteer } from '../src/reviews/manage-reviews.ts';
import { openStore, openTrialStore } from '../src/stores/open-store.ts';
import { createPseudonyms } from '../src/stores/pseudonyms.ts';
import type { Store } from '../src/stores/store.ts';
import { isFirstLook } from '../src/surfaces/desks/study-desk.ts';
import { emptyDraft, keepDraft } from '../src/surfaces/forms/ask-desk.ts';
import { createPlaces } from '../src/surfaces/teams/messages.ts';
import { createHalves } from '../src/surfaces/teams/partial-requests.ts';
import { CONVERSATION, personOf } from '../src/surfaces/web/ids.ts';
import { createViews } from '../src/surfaces/web/live-views.ts';
import { createSessions } from '../src/surfaces/web/sessions.ts';
import { aChange } from './contracts/store-audit.ts';
import { call } from './support/page-service.ts';
import { GOOD_PASTE } from './support/pastes.ts';
import { redisOfRun } from './support/redis.ts';
import { closeAfterEach, closing } from './support/resources.ts';
import { aWish, reviewParts } from './support/reviews.ts';
import { aManifest, casesOf } from './support/run-builders.ts';
import { jury, scratch } from './support/run-jury.ts';
import { type RunningService, runService } from './support/run-service.ts';
import { aBallot, aCheck, aRecord, aSchedule, dayMs } from './support/store-builders.ts';
import { anAnnotation, aStudy } from './support/study-builders.ts';
import { aPerson, GROUP, startTeamsJury, withTeams } from './support/teams-service.ts';

closeAfterEach();

const secret = 'for this test';
const pseudonym = createPseudonyms(secret, ['slack', 'page']);
const inSlack = (user: string): Person => ({ surface: 'slack', team: '', user });
const OPEN_ID = 'oidc:https://id.example:ada';
const [TENANT, OBJECT_ID] = ['11111111-0000-4000-8000-000000000000', '22222222-0000-4000-8000-000000000000'];
/** A verdict with an id like those of chats. */
const ASKED = '0123456789abcdef0123';
const ada = pseudonym(inSlack('UADA'));
const adaInConsole = pseudonym(personOf(OPEN_ID));
const bea = pseudonym(inSlack('UBEA'));

/** What names the person, and what only they wrote: each text stands in one kind of thing that is kept. */
const names = [ada, adaInConsole, 'UADA', OPEN_ID, 'Ada Lovelace', 'ada@example.com', OBJECT_ID];
const written = {
  vote: 'zebra-comment',
  annotation: 'zebra-annotation',
  form: 'zebra-form',
  edit: 'zebra-edit',
  view: 'zebra-view',
  request: 'zebra-request',
  run: 'zebra-run',
  collected: 'zebra-collected',
  half: 'zebra-half',
};

const now = Date.now();
const slack = { surface: 'slack', team: 'T1', channel: 'C1' } as const;

/** Everything that can hold something of a person, of one who is to be forgotten and one who is not. */
async function fill(store: Store, openRuns: () => ReturnType<typeof openTrialStore>): Promise<void> {
  const clock = () => now;
  for (const id of ['v1', 'v2', 'v3', 'v5']) await store.saveVerdict(aRecord({ id, at: now }));
  const blind = { ...aRecord({ id: 'v4', at: now }), blind: true };
  await store.saveVerdict(blind);
  for (const voter of [bea, ada]) {
    const correction = { criteria: [], judges: [], comment: written.vote };
    const comment = voter === ada ? { value: 'disagree' as const, correction } : {};
    await store.castVote(aBallot({ verdictId: 'v1', voter, at: now, ...comment }));
    await castByReaction(store, { verdictId: 'v2', voter, surface: 'slack', at: now }, 'agree', now);
    await castBlind(store, blind, { voter, surface: 'slack', at: now }, { kind: 'unsure' });
    // Taken back.
    await store.castVote(aBallot({ verdictId: 'v5', voter, at: now }));
    await store.castVote({ verdictId: 'v5', voter, surface: 'slack', value: null, at: now + 1 });
  }
  await keepPeople(store, 'v3', { askedBy: 'UADA', stoppedBy: 'UADA' }, now);
  await keepPeople(store, 'v1', { askedBy: 'UBEA', stoppedBy: 'UADA' }, now);
  const runs = await openRuns();
  await runs.create(aManifest(), [
    ...casesOf(1, { id: 'v3', response: written.run }),
    ...casesOf(1, { id: 'v1' }),
  ]);

  // A benchmark's system answered it, and the run is not there yet.
  await store.saveVerdict(aRecord({ id: ASKED, at: now }));
  await keepPeople(store, ASKED, { askedBy: 'UADA', stoppedBy: null }, now);
  const [collected] = casesOf(1, { id: ASKED, response: written.collected });
  if (collected !== undefined)
    for (const run of ['nightly-1', 'nightly-2']) await runShelf(store, run, [ASKED], clock).add(collected);

  const message = (text: string) => ({ kind: 'message' as const, message: '1.0', text, files: [] });
  const chat = { surface: 'teams', team: TENANT, channel: 'a:own', thread: null } as const;
  const half = aCheck({ id: 'h1', ...chat, requestedBy: OBJECT_ID, input: message(written.half) });
  await createHalves(store, clock).keep(half);
  await createPlaces(store, clock).keep(
    {
      serviceUrl: 'https://teams.example/',
      recipient: { id: '28:jury' },
      from: { id: 'x' },
      type: 'message',
      conversation: { id: 'a:own' },
    },
    { tenant: TENANT, channel: 'a:own', kind: 'direct', user: OBJECT_ID, thread: null, at: now },
  );
  await store.addSpotCheck(aCheck({ id: 'r1', requestedBy: 'UADA', input: message(written.request) }));
  await store.finishSpotCheck('r1', now, 2 * dayMs);
  await noteShown(store, 'r1', () => ({ channel: 'C1', messages: ['1.1'], cases: 1 }), now);
  const edit = { ...slack, thread: null, requestedBy: 'UADA', key: 'e1', input: message(written.edit) };
  await noteEdit(store, 'r1', edit, now);
  const draft = { ...emptyDraft, team: 'T1', paste: written.form, by: { surface: 'slack', user: 'UADA' } };
  await keepDraft(store, draft, now);

  const visitor = { user: OPEN_ID, name: 'Ada Lovelace', email: 'ada@example.com' };
  await createSessions(store, pseudonym, clock).begin({ ...visitor, person: inSlack('UADA') });
  const views = createViews(store, clock);
  await views.begin('view-1', OPEN_ID, CONVERSATION);
  const answer = { kind: 'answer' as const, headline: null, text: written.view, quotes: [], lines: [] };
  await views.change('view-1', { ...answer, note: null, verdict: null });

  await store.addSchedule(aSchedule({ id: 'd1', owner: 'UADA' }));
  const rule = { measure: 'pass-rate', limit: 0.8 } as const;
  const {
    cron: _cron,
    timezone: _zone,
    benchmarks: _all,
    by: _by,
    ...posting
  } = aSchedule({ id: 'a1', owner: 'UADA' });
  await store.addSchedule({ ...posting, benchmark: 'nightly', rule, webhook: null });

  const annotators = [
    { id: ada, place: 0, person: inSlack('UADA') },
    { id: bea, place: 1, person: inSlack('UBEA') },
  ];
  const study = aStudy({ annotators });
  await store.addStudy(study);
  const answers = { user: 4, system: 3, correct: true, comment: written.annotation };
  await store.annotate([anAnnotation({ annotator: ada, answers }), anAnnotation({ annotator: bea })]);
  const [annotator] = annotators;
  const [shown] = study.cases;
  if (annotator === undefined || shown === undefined) throw new Error('the study is empty');
  const desk = { store, now: clock };
  const seat = { study, annotator, annotations: [] };
  expect([await isFirstLook(desk, seat, shown), await isFirstLook(desk, seat, shown)]).toEqual([true, false]);

  const reviews = reviewParts(store, clock);
  await beginReview(reviews, 'weekly-1', aWish({ people: [ada, bea] }));
  const poster = { surface: 'slack', invite: async () => {} };
  for (const { id: voter, person } of annotators) {
    await volunteer(reviews, voter);
    await inviteReviewer({ ...reviews, holder: 'h' }, poster, { person, voter });
    const next = await nextReview(reviews, voter);
    if (next.kind !== 'offer') throw new Error(`no offer: ${next.kind}`);
    await answerReview(reviews, voter, next.offer, 'pass');
    await nextReview(reviews, voter);
  }
}

/** What docs/privacy.md says `forget` does not reach. */
async function fillKept(store: Store): Promise<void> {
  await store.addChange(aChange({ by: { people: [inSlack('UADA')], email: 'ada@example.com' } }));
  const limits = createSpendingLimits(
    { person: 5 },
    { store: async () => store, callMs: 1000, now: () => now },
  );
  const held = await limits.budget.reserve(1, new AbortController().signal, { person: ada });
  if (held === null || typeof held === 'string') throw new Error('nothing could be spent');
  held.charge(1);
  await limits.budget.flush();
}

const filesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
    : [];

/** Every row of the database, by table. */
function rowsOf(file: string): [place: string, text: string][] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .all()
      .flatMap(({ name }) =>
        database
          .prepare(`SELECT * FROM "${String(name)}"`)
          .all()
          .map((row): [string, string] => [String(name), JSON.stringify(row)]),
      );
  } finally {
    database.close();
  }
}

/** Every key of a Redis with its value. */
async function keysOf(redis: Redis): Promise<[place: string, text: string][]> {
  const readers: Record<string, (key: string) => Promise<unknown>> = {
    string: (key) => redis.get(key),
    hash: (key) => redis.hgetall(key),
    set: (key) => redis.smembers(key),
    zset: (key) => redis.zrange(key, '0', '-1', 'WITHSCORES'),
    list: (key) => redis.lrange(key, 0, -1),
    stream: (key) => redis.xrange(key, '-', '+'),
  };
  const found: [string, string][] = [];
  for (const key of (await redis.keys('*')).sort()) {
    const read = readers[await redis.type(key)];
    if (read === undefined) throw new Error(`${key} is of a kind that is not read`);
    found.push([key.replace(/\d{4}-\d\d-\d\d.*/, ''), `${key} ${JSON.stringify(await read(key))}`]);
  }
  return found;
}

interface Place {
  env: Record<string, string>;
  /** All that is kept, with the table, key or file that it is in; after the store was closed. */
  everything: (folder: string) => Promise<[place: string, text: string][]>;
}

const sqlite: Place = {
  env: {},
  everything: async (folder) => {
    const files = filesIn(folder).map((path): [string, string] => [path, readFileSync(path, 'latin1')]);
    // A text may be split between two pages of the file.
    return [...files, ...rowsOf(join(folder, 'jury.db'))];
  },
};

const { url } = redisOfRun();
/** A database of its own: commands use the same names of keys everywhere. */
const DATABASE = 9;

function inRedis(server: string): Place {
  const isSocket = server.startsWith('unix:');
  const address = isSocket ? `${server}?db=${DATABASE}` : `${server.replace(/\/\d*$/, '')}/${DATABASE}`;
  return {
    env: { REDIS_URL: address },
    everything: async (folder) => {
      const redis = new Redis(server.replace(/^unix:\/\//, ''), { db: DATABASE });
      try {
        const files = filesIn(folder).map((path): [string, string] => [path, readFileSync(path, 'latin1')]);
        return [...(await keysOf(redis)), ...files];
      } finally {
        redis.disconnect();
      }
    },
  };
}

describe.each<[string, Place | null]>([
  ['SQLite', sqlite],
  ['Redis', url === null ? null : inRedis(url)],
])('a person who is forgotten, in %s', (_, place) => {
  const { env, everything } = place ?? sqlite;

  async function filled(
    ...fills: readonly ((store: Store, runs: () => ReturnType<typeof openTrialStore>) => Promise<void>)[]
  ) {
    const cwd = scratch();
    const folder = join(cwd, 'data');
    const settings = { ...env, JURY_DATA_DIR: folder };
    if (url !== null && env.REDIS_URL !== undefined) {
      const redis = new Redis(url.replace(/^unix:\/\//, ''), { db: DATABASE });
      if ((await redis.dbsize()) > 0)
        throw new Error(`database ${DATABASE} of the Redis for tests is in use`);
      closing(async () => {
        await redis.flushdb();
        redis.disconnect();
      });
    }
    const store = await openStore(settings, () => {});
    const open: { close?: () => Promise<void> }[] = [];
    for (const one of fills)
      await one(store, async () => {
        const runs = await openTrialStore(settings, () => {});
        open.push(runs);
        return runs;
      });
    for (const runs of open) await runs.close?.();
    await store.close();
    const forget = (who: string) =>
      jury(['labels', 'forget', who], { cwd, env: { ...env, JURY_SECRET: secret } });
    return { forget, everything: () => everything(folder) };
  }

  const holding = (all: readonly [string, string][], trace: string) =>
    all.filter(([, text]) => text.includes(trace));

  test.skipIf(place === null)('is in nothing that is kept, and neither is what they wrote', async () => {
    const { forget, everything } = await filled(fill);
    const before = await everything();
    // A request is empty once it is finished.
    const traces = [...names, ...Object.values(written)].filter((trace) => trace !== written.request);
    expect(traces.filter((trace) => holding(before, trace).length === 0)).toEqual([]);
    expect(await forget('UADA')).toEqual({
      code: 0,
      out: [
        'Erased 3 votes, 1 annotation, 1 checked answer, 3 requests, 1 edited request, 1 unfinished request, 1 copied case, and 1 session of UADA.',
        '2 digests and alerts of theirs go on without an owner.\n',
      ].join('\n'),
      err: '',
    });
    expect(await forget(OPEN_ID)).toMatchObject({ code: 0, out: `Erased 1 console answer of ${OPEN_ID}.\n` });
    expect(await forget(`teams:${TENANT}:${OBJECT_ID}`)).toMatchObject({ code: 0 });
    const after = await everything();
    expect(
      [...names, ...Object.values(written)].flatMap((trace) =>
        holding(after, trace).map(([where]) => [trace, where]),
      ),
    ).toEqual([]);
    expect(holding(after, bea)).not.toEqual([]);
  });

  test.skipIf(place === null)(
    'stays where the page on privacy says that forgetting does not reach',
    async () => {
      const { forget, everything } = await filled(fillKept);
      await forget('UADA');
      const after = await everything();
      const rows = after.filter(([where]) => !where.includes('jury.db'));
      const found = names.flatMap((trace) => holding(rows, trace)).map(([, text]) => text);
      const kinds = found.map(
        (text) => /spending:\d{4}-\d\d-\d\d:person|settings/.exec(text)?.[0].replace(/\d/g, '0') ?? text,
      );
      expect([...new Set(kinds)].sort()).toEqual(['settings', 'spending:0000-00-00:person']);
    },
  );
});

/** The ids of all requests that a service records from now on. */
async function recordedIn({ parts }: RunningService): Promise<string[]> {
  const store = await parts.store();
  const { addSpotCheck } = store;
  const ids: string[] = [];
  store.addSpotCheck = (check) => {
    ids.push(check.id);
    return addSpotCheck(check);
  };
  return ids;
}

describe('the id of a request, which outlives who asked, does not name them', () => {
  test('from a form in Teams', async () => {
    const teams = await withTeams();
    const service = await startTeamsJury(teams);
    const ids = await recordedIn(service);
    const ann = aPerson(teams, 'Ann');
    const id = await keepDraft(
      await service.parts.store(),
      { ...emptyDraft, team: '', channel: GROUP },
      Date.now(),
    );
    const data = { do: 'ask', id, paste: GOOD_PASTE };
    await ann.deliver(service.service.port, ann.invoke(GROUP, null, 'task/submit', { data }));
    expect(ids).toHaveLength(1);
    expect(ids.join()).not.toContain(ann.user);
  });

  test('from the API', async () => {
    const token = 'a-token-for-ci-0123456789';
    const service = await runService({ JURY_API_TOKENS: `nightly:${token}` });
    const ids = await recordedIn(service);
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': 'build-17' };
    await call(service.service.port, '/api/v1/verdicts', {
      method: 'POST',
      body: { paste: GOOD_PASTE },
      headers,
    });
    expect(ids).toHaveLength(1);
    expect(ids.join()).not.toContain('nightly');
  });
});
