// Sends digests until it is killed, as one of several replicas. Started, and killed, by tests and the benchmark.
import { Client } from '@microsoft/teams.api';
import { type DigestSender, runDigests } from '../../src/digests/send-digest.ts';
import { openRedisStore } from '../../src/stores/redis/redis-store.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import { createLanguages, noLocales } from '../../src/surfaces/chat/languages.ts';
import { createSlackClients } from '../../src/surfaces/slack/clients.ts';
import { createSlackDigestPoster } from '../../src/surfaces/slack/digests.ts';
import { createTeamsDigestPoster } from '../../src/surfaces/teams/digests.ts';
import { createMessages, createPlaces } from '../../src/surfaces/teams/messages.ts';
import { digestSenderOf } from './digest-sender.ts';
import { tokens } from './slack-double.ts';

const [kind, target = '', prefix = '', surface, url = '', leaseMs = '5000'] = process.argv.slice(2);
const store = await (kind === 'redis' ? openRedisStore(target, { prefix }) : openSqliteStore(target));
const clock = {
  get now() {
    return Date.now();
  },
  get steady() {
    return performance.now();
  },
};
const { now } = Date;
const places = createPlaces(store, now);
const languages = createLanguages({ store }, noLocales);
const poster =
  surface === 'teams'
    ? createTeamsDigestPoster({
        store,
        messages: createMessages(places, () => new Client(url)),
        places,
        now,
        languages,
      })
    : createSlackDigestPoster(createSlackClients(tokens.bot, url), languages);
const plain = digestSenderOf(store, poster, clock, { leaseMs: Number(leaseMs), backoffMs: () => 500 });
/** A benchmark that had a run for every slot, so that each digest has a table and a chart. */
const gather: DigestSender['gather'] = async (schedule, due, last, outcomes, language) => ({
  ...(await plain.gather(schedule, due, last, outcomes, language)),
  benchmarks: [
    {
      name: 'trip',
      subject: 'judges',
      compared: null,
      runs: [due.slot - 86_400_000, due.slot].map((at) => ({
        name: `trip-${at}`,
        at,
        correct: 80,
        n: 100,
        cases: 100,
        costUsd: 0,
      })),
    },
  ],
});
const sender = { ...plain, gather };
const runner = { ...sender, store, everyMs: 200, storeFailed: (reason: string) => console.error(reason) };
await runDigests(runner, new AbortController().signal);
