import { randomUUID } from 'node:crypto';
import { schedule } from 'node-cron';
import type { Logger } from 'pino';
import { eraseInRuns, type TrialStore } from '../../benchmark/index.ts';
import { isFromChat } from '../../case/index.ts';
import { DAY_MS, type KeyValue, messageOf, repeatedly } from '../../common/index.ts';
import { dayOf } from '../../common/text/index.ts';
import { type DigestPoster, runDigests } from '../../digests/index.ts';
import type { AnswerCache } from '../../judges/llm/index.ts';
import { isOpenToAll } from '../../labels/access/index.ts';
import { pruneExpired, type VerdictStore } from '../../labels/record/index.ts';
import { noteRulingShown, rulingsToShow } from '../../labels/voting/index.ts';
import type { SpotChecks } from '../../requests/index.ts';
import { inviteReviewer, listSamples, type ReviewPoster } from '../../reviews/index.ts';
import { inviteAnnotators, type StudyEntry, type StudyPoster, type StudyStore } from '../../studies/index.ts';
import {
  digestSender,
  eraseForgotten,
  type NamedReviewer,
  type OpenDigests,
  type OpenSurface,
} from '../index.ts';

/** A task that repeats while the service runs. */
export interface Background {
  stop: () => Promise<void>;
}

interface Clocked {
  now: () => number;
  log: Logger;
}

/** How often to look for requests without an owner. */
const RECOVER_MS = 2_000;
/** How often to look for new studies and due digests. */
const LOOK_MS = 5_000;
/** How often to look for people to be asked to check answers: nothing is lost by a minute. */
const ASK_REVIEWERS_MS = 60_000;
/** How long after an invitation not to look at a person again. */
const INVITED_MS = 3_600_000;
/** Once a day at a quiet time, UTC. */
const PRUNE_AT = '17 3 * * *';
interface MaintenanceParts extends Clocked {
  checks: SpotChecks;
  store: Pick<VerdictStore, 'prune'> & Pick<KeyValue, 'get' | 'setIfAbsent' | 'delete'>;
  answers: Pick<AnswerCache, 'sweep'>;
  /** Opens the store of benchmark runs. */
  runs: () => Promise<TrialStore>;
  retentionDays: number;
}

/** Deletes expired verdicts; of several replicas, one does it each day. Failures are logged. */
export async function pruneDaily(
  parts: Pick<MaintenanceParts, 'store' | 'retentionDays' | 'now' | 'log'>,
): Promise<void> {
  const { store, retentionDays, now, log } = parts;
  const day = dayOf(now());
  try {
    const claim = await store.setIfAbsent(`prune:${day}`, 'begun', now(), 2 * DAY_MS);
    if (!claim.set) return;
    const verdicts = await pruneExpired(store, retentionDays, now());
    log.info({ verdicts }, 'deleted expired verdicts');
  } catch {
    log.warn('expired verdicts could not be deleted; the next day tries again');
  }
}

/** Erases chat cases in benchmark runs: those of forgotten people, and those past the retention time. Failures are logged. */
export async function eraseCopies(
  parts: Omit<MaintenanceParts, 'answers' | 'checks' | 'store'> & { store: Pick<KeyValue, 'get' | 'delete'> },
): Promise<void> {
  const { runs: open, retentionDays, now, log } = parts;
  const before = retentionDays === 0 ? Number.NEGATIVE_INFINITY : now() - retentionDays * DAY_MS;
  let runs: TrialStore | null = null;
  try {
    const opened = await open();
    runs = opened;
    const isOld: Parameters<typeof eraseInRuns>[1] = (one, { createdAt }) =>
      isFromChat(one) && Date.parse(createdAt) < before;
    const forgotten = await eraseForgotten({ ...parts, runs: async () => opened }, now());
    const old = await eraseInRuns(opened, isOld);
    const cases = forgotten.cases + old.cases;
    if (cases > 0) log.info({ cases }, 'erased expired cases in benchmark runs');
    for (const one of [...forgotten.failed, ...old.failed])
      log.warn(one, 'cases of a benchmark run could not be erased; the next day tries again');
  } catch {
    log.warn('expired cases in benchmark runs could not be erased; the next day tries again');
  } finally {
    await runs?.close();
  }
}

/** Resumes requests that a crash interrupted, and deletes expired data every day. */
export function startMaintenance(parts: MaintenanceParts): Background {
  const { checks, log } = parts;
  let reported = 0;
  const stopRecovery = repeatedly(RECOVER_MS, async () => {
    try {
      const { taken, unreadable } = await checks.recover();
      if (taken > 0) log.info({ taken }, 'resumed requests that were left behind');
      // Warn only when there are more than before, not every time.
      if (unreadable > reported)
        log.warn(
          { unreadable },
          'some waiting requests cannot be read by this version; the version that wrote them can',
        );
      reported = unreadable;
    } catch {
      // The store is unavailable; the next attempt follows soon.
    }
  });
  const pruning = schedule(
    PRUNE_AT,
    // The cache is swept in every replica: each has its own.
    () => Promise.all([pruneDaily(parts), parts.answers.sweep(), eraseCopies(parts)]),
    { timezone: 'UTC' },
  );
  return {
    stop: async () => {
      // Not awaited: an attempt that waits for the store would delay the stop.
      void stopRecovery();
      await pruning.destroy();
    },
  };
}

/** How long a card has to show a ruling before it is told again. */
const SHOWN_AGAIN_MS = 10_000;
/** Chats limit how fast messages may change. */
const RULINGS_AT_ONCE = 20;

/** Has cards show rulings that were made in other processes, such as the terminal, or before a crash. */
export function startRulings(
  store: KeyValue & Pick<VerdictStore, 'verdict'>,
  surfaces: ReadonlyMap<string, Pick<OpenSurface, 'refresh'>>,
  { now }: Pick<Clocked, 'now'>,
): Background {
  const told = new Map<string, number>();

  async function show(id: string): Promise<void> {
    const record = await store.verdict(id);
    if (record === null || record.source.message === null || !isOpenToAll(record))
      return noteRulingShown(store, id, now());
    surfaces.get(record.source.surface)?.refresh(record);
  }
  const stop = repeatedly(RECOVER_MS, async () => {
    try {
      const all = await rulingsToShow(store, now());
      for (const id of told.keys()) if (!all.includes(id)) told.delete(id);
      const due = all.filter((id) => (told.get(id) ?? 0) <= now() - SHOWN_AGAIN_MS);
      for (const id of due.slice(0, RULINGS_AT_ONCE)) {
        told.set(id, now());
        await show(id);
      }
    } catch {
      // The store is unavailable; the next attempt follows soon.
    }
  });
  return { stop };
}

/** Posts the scheduled digests of a surface. */
export function startDigests(digests: OpenDigests, poster: DigestPoster, { now, log }: Clocked): Background {
  const stop = new AbortController();
  const sender = digestSender(
    digests,
    poster,
    now,
    (message, fields) => log.warn(fields, message),
    stop.signal,
  );
  const storeFailed = (reason: string) =>
    log.warn({ reason }, 'digest: schedules cannot be read, trying again');
  const running = runDigests({ ...sender, store: digests.store, everyMs: LOOK_MS, storeFailed }, stop.signal);
  return {
    stop: async () => {
      stop.abort();
      await running;
    },
  };
}

/** Invites the annotators of new studies. */
export function startStudies(
  store: StudyStore & KeyValue,
  poster: StudyPoster,
  { now, log }: Clocked,
): Background {
  const inviter = { store, poster, holder: randomUUID(), now };
  /** Studies whose annotators are all invited; they are skipped. */
  const allInvited = new Set<string>();
  let failing = false;

  async function invite(study: StudyEntry): Promise<void> {
    const key = `${study.id} ${study.at}`;
    if (study.closed || allInvited.has(key)) return;
    const invited = await inviteAnnotators(inviter, study);
    for (const one of invited)
      if (one.outcome === 'failed')
        log.warn({ study: study.id, reason: one.reason }, 'study: an annotator could not be invited');
    if (invited.every(({ outcome }) => outcome === 'sent' || outcome === 'known')) allInvited.add(key);
  }
  const stop = repeatedly(LOOK_MS, async () => {
    try {
      for (const study of await store.studies()) await invite(study);
      failing = false;
    } catch (thrown) {
      if (!failing) log.warn({ reason: messageOf(thrown) }, 'study: studies cannot be read, trying again');
      failing = true;
    }
  });
  return { stop };
}

/**
 * Invites people to check answers of runs that were drawn by chance.
 *
 * @param reviewers the people whom benchmarks name now
 */
export function startReviews(
  store: KeyValue,
  reviewers: () => Promise<readonly NamedReviewer[]>,
  poster: ReviewPoster,
  { now, log }: Clocked,
): Background {
  const sender = { store, holder: randomUUID(), now };
  /** By pseudonym: when to look at a person again who was invited. */
  const lookAgainAt = new Map<string, number>();
  let failing = false;

  async function invite(reviewer: NamedReviewer): Promise<void> {
    if ((lookAgainAt.get(reviewer.voter) ?? 0) > now()) return;
    const invited = await inviteReviewer(sender, poster, reviewer);
    if (invited.outcome === 'failed')
      log.warn({ reason: invited.reason }, 'review: a person could not be asked to check answers');
    if (invited.outcome === 'sent' || invited.outcome === 'known')
      lookAgainAt.set(reviewer.voter, now() + INVITED_MS);
  }
  const stop = repeatedly(ASK_REVIEWERS_MS, async () => {
    try {
      if ((await listSamples(store, now())).length > 0)
        for (const reviewer of await reviewers()) await invite(reviewer);
      failing = false;
    } catch (thrown) {
      if (!failing) log.warn({ reason: messageOf(thrown) }, 'review: samples cannot be read, trying again');
      failing = true;
    }
  });
  return { stop };
}
