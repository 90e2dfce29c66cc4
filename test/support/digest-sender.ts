import { randomUUID } from 'node:crypto';
import type { DigestPoster } from '../../src/digests/delivery.ts';
import { gatherDigest } from '../../src/digests/gather-digest.ts';
import { nextSlotOf } from '../../src/digests/next-digest-time.ts';
import type { DigestSender } from '../../src/digests/send-digest.ts';
import type { Store } from '../../src/stores/store.ts';
import { createLanguages, noLocales } from '../../src/surfaces/chat/languages.ts';
import { createSlackClients } from '../../src/surfaces/slack/clients.ts';
import { createSlackDigestPoster } from '../../src/surfaces/slack/digests.ts';
import { tokens } from './slack-double.ts';

/** A process's sender as the service puts it together, with clocks of the test's own. */
export function digestSenderOf(
  store: Store,
  poster: DigestPoster,
  clock: { now: number; steady: number },
  parts: Partial<DigestSender> = {},
): DigestSender {
  const now = () => clock.now;
  return {
    store,
    poster,
    gather: (schedule, due, last, outcomes, language) =>
      gatherDigest(
        { store, benchmarks: null, now, personas: new Map() },
        schedule,
        due,
        last,
        outcomes,
        language,
      ),
    runBenchmarks: async () => [],
    readFigures: async () => null,
    callWebhook: async () => {},
    nextSlotOf,
    holder: randomUUID(),
    now,
    monotonicNow: () => clock.steady,
    leaseMs: 60_000,
    backoffMs: () => 1000,
    warn: () => {},
    stop: new AbortController().signal,
    ...parts,
  };
}

/** One that posts to a Slack. */
export const aSender = (
  store: Store,
  apiUrl: string,
  clock: { now: number; steady: number },
  parts: Partial<DigestSender> = {},
): DigestSender => {
  const clients = createSlackClients(tokens.bot, apiUrl);
  const languages = createLanguages({ store }, noLocales);
  return digestSenderOf(store, createSlackDigestPoster(clients, languages), clock, parts);
};
