import { endsWithin, isStoreAway, isUndelivered, JuryError, messageOf } from '../common/index.ts';
import { EndpointRefusedError } from '../judging/index.ts';
import type { EndpointTrouble } from '../judging/verdict/index.ts';
import { type CheckRun, isLeft, type SpotCheckParts } from './check-run.ts';
import { failedRequest, keepFailed, reopen } from './failed-requests.ts';
import { finishCheck, withdraw } from './finish-check.ts';
import type { CheckSurface } from './presenter.ts';
import { noteShown, shownFor } from './shown-messages.ts';
import { type SpotCheck, verdictIdOf } from './spot-check.ts';

/** A check whose lease is not renewed for this long is taken over by another process. */
const LEASE_MS = 10_000;
const RENEW_MS = 3_000;
const STOP_LOOK_MS = 1_000;
const STOP_KEPT_MS = 3_600_000;
/** The same event can be redelivered for hours after its check is finished. */
const KNOWN_MS = 48 * 3_600_000;
/** A check without a verdict is given up if it could not be shown for this long. */
const GIVE_UP_MS = 6 * 3_600_000;
/** Pauses between attempts to show something grow; meanwhile no process works on the check. */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 5 * 60_000;
const RECOVER_AT_ONCE = 20;
/** At a shutdown, checks being stopped and results not yet shown get this long. */
const LET_GO_MS = 3_000;

const isUsage = (thrown: unknown): boolean => thrown instanceof JuryError && thrown.code === 'usage';

/**
 * Pauses differ by up to a quarter, so that checks do not all try again at once.
 *
 * @param failures how many earlier attempts to show it failed
 */
const pauseAfter = (failures: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures) * (0.75 + Math.random() / 4);

const stopKey = (id: string): string => `stop:${id}`;

export type SpotChecks = ReturnType<typeof createSpotChecks>;

/** Judges recorded requests and shows each result once, despite crashes and restarts. */
export function createSpotChecks(parts: SpotCheckParts) {
  const { store, now, owner, observer, library } = parts;
  const runs = new Map<string, { run: CheckRun; done: Promise<void> }>();
  let closing = false;

  /**
   * Renews the lease and watches for a stop recorded by another process.
   *
   * @returns a function that stops this
   */
  function attend(run: CheckRun): () => void {
    let renewedAt = now();
    let busy = false;
    let told = false;
    const look = async () => {
      const stopper = await store.get(stopKey(run.check.id), now());
      if (stopper !== null) run.stop('user', stopper);
      // Absolute, because the clock may have been set back.
      if (Math.abs(now() - renewedAt) < RENEW_MS) return;
      if (!(await store.noteSpotCheck(run.check, owner, now(), LEASE_MS))) run.stop('lost');
      renewedAt = now();
    };
    const timer = setInterval(() => {
      if (busy) return;
      busy = true;
      look()
        .then(() => {
          told = false;
        })
        .catch((thrown) => {
          // Report it once, not every second while the store is down.
          if (!told) observer.failed('store', run.check, thrown);
          told = true;
        })
        .finally(() => {
          busy = false;
        });
    }, STOP_LOOK_MS);
    return () => clearInterval(timer);
  }

  function begin(check: SpotCheck, surface: CheckSurface, isRetry: boolean): CheckRun {
    const controller = new AbortController();
    const run: CheckRun = {
      check,
      surface,
      isRetry,
      signal: controller.signal,
      stoppedBy: null,
      stopper: null,
      watcher: null,
      isShown: false,
      spent: null,
      stop: (by, who) => {
        if (run.stoppedBy !== null) return;
        run.stoppedBy = by;
        run.stopper = who || null;
        if (by === 'user') run.watcher?.stopping();
        controller.abort();
      },
      note: async (progress) => {
        run.check = { ...run.check, ...progress };
        if (!(await store.noteSpotCheck(run.check, owner, now(), LEASE_MS))) run.stop('lost');
      },
    };
    return run;
  }

  async function work(run: CheckRun): Promise<void> {
    const start = now();
    const unattended = attend(run);
    try {
      const stopper = run.isRetry ? await store.get(stopKey(run.check.id), now()) : null;
      if (stopper !== null) run.stop('user', stopper);
      const outcome = await finishCheck(parts, run);
      if (outcome === 'left') {
        // So that the next process to start need not wait for the lease to run out.
        if (run.stoppedBy === 'shutdown') await store.noteSpotCheck(run.check, owner, now(), 0);
        return observer.ended(run.check, 'left', now() - start);
      }
      // Already shown: if this cannot be saved, the next process shows it again in the same message.
      await store
        .finishSpotCheck(run.check.id, now(), KNOWN_MS)
        // Who stopped it is kept beside its verdict, where forgetting them finds it.
        .then(() => (run.stoppedBy === 'user' ? store.delete(stopKey(run.check.id)) : undefined))
        .catch((thrown) => observer.failed('store', run.check, thrown));
      observer.ended(run.check, outcome, now() - start);
    } catch (thrown) {
      // If the store is down, the check is resumed once the lease has run out.
      await failed(run, thrown).catch(() => {});
      observer.ended(run.check, 'left', now() - start);
    } finally {
      unattended();
      await run.watcher?.end().catch(() => {});
    }
  }

  /** Whether any case of a check has a verdict. */
  async function isJudged({ id, input }: SpotCheck): Promise<boolean> {
    const cases = input.kind === 'cases' ? input.cases.length : 1;
    for (let index = 0; index < cases; index += 1)
      if ((await store.verdict(verdictIdOf(id, index))) !== null) return true;
    return false;
  }

  /** Releases a check that could not be shown, to be resumed after a pause by whichever process is running then. */
  async function pause(run: CheckRun): Promise<void> {
    const { progress } = run.check;
    const { failures = 0 } = progress;
    run.check = { ...run.check, progress: { ...progress, failures: failures + 1 } };
    await store.noteSpotCheck(run.check, owner, now(), pauseAfter(failures));
  }

  /** Until the store is back, the request waits. An answer that is shown stands: what was left to do after it is done then. */
  async function sayStoreAway(run: CheckRun): Promise<void> {
    if (run.isShown) return;
    await report(
      run,
      'The store cannot be reached at the moment, so the verdict could not be kept. The case will be judged as soon as it is back.',
      true,
    );
  }

  /** Shows why there is no verdict, or no card for it, and releases the check to be resumed if that can help. */
  async function failed(run: CheckRun, thrown: unknown): Promise<void> {
    if (isLeft(run)) return;
    const atStore = isStoreAway(thrown);
    const atChat = isUndelivered(thrown);
    // Nothing else throws `usage` here.
    observer.failed(atStore ? 'store' : atChat || isUsage(thrown) ? 'chat' : 'elsewhere', run.check, thrown);
    await run.watcher?.end().catch(() => {});
    if (atStore) return sayStoreAway(run);
    const judged = await isJudged(run.check);
    const isOld = now() - run.check.at > GIVE_UP_MS;
    const isPassing = atChat && thrown.retryable;
    const isSaid = isPassing ? await sayNeeded(run, thrown) : await sayFinally(run, thrown, judged);
    // Once reported, there is nothing left to do: another attempt would only fail again. A verdict is shown as soon as
    // the chat accepts it.
    if (isSaid || (isOld && !(isPassing && judged)))
      await store.finishSpotCheck(run.check.id, now(), KNOWN_MS);
    else await pause(run);
  }

  /** Tells once what someone must change before anything can be shown; that is then shown as soon as they have. */
  async function sayNeeded(run: CheckRun, { message, needsChange }: JuryError): Promise<false> {
    if (!needsChange || (run.check.progress.failures ?? 0) > 0) return false;
    await keepFailed(store, run.check, library.redactor, now());
    await tellElsewhere(run, message);
    return false;
  }

  /** @returns whether what went wrong could be said, there or elsewhere */
  async function sayFinally(run: CheckRun, thrown: unknown, judged: boolean): Promise<boolean> {
    await keepFailed(store, run.check, library.redactor, now());
    return isUsage(thrown) ? tellElsewhere(run, messageOf(thrown)) : say(run, thrown, judged);
  }

  /**
   * Says what went wrong in the message that was to become the card.
   *
   * @returns whether it could be said, there or elsewhere
   */
  async function say(run: CheckRun, thrown: unknown, judged: boolean): Promise<boolean> {
    const why = messageOf(thrown);
    if (!judged && !isUndelivered(thrown)) {
      const trouble = thrown instanceof EndpointRefusedError ? (thrown.trouble ?? undefined) : undefined;
      return report(run, `This could not be judged: ${why}`, false, trouble);
    }
    const isShown = await report(
      run,
      `${judged ? 'The verdict stands, but it' : 'The answer'} cannot be shown here: ${why}`,
    );
    return isShown && tellElsewhere(run, why);
  }

  /** @param isWaiting whether it is tried again without anyone asking */
  async function report(
    run: CheckRun,
    message: string,
    isWaiting = false,
    trouble?: EndpointTrouble,
  ): Promise<boolean> {
    const { check, surface } = run;
    const { placeholder } = check.progress;
    if (placeholder === null) return false;
    const problem = {
      ...{ kind: 'failed' as const, message },
      ...(isWaiting ? { isWaiting } : {}),
      ...(trouble === undefined ? {} : { trouble }),
    };
    return surface.presenter.problem(check, placeholder, problem).then(
      () => true,
      (again) => isUsage(again) && tellElsewhere(run, messageOf(again)),
    );
  }

  /**
   * Nothing can be shown where the request was made, so this counts as said even if the requester cannot be notified
   * elsewhere.
   */
  async function tellElsewhere({ check, surface }: CheckRun, refusal: string): Promise<true> {
    const shown = await shownFor(store, check.id, now()).catch(() => null);
    if (shown?.withdrawn === true) return true;
    const record = await store.verdict(verdictIdOf(check.id, 0)).catch(() => null);
    await surface.presenter
      .unshowable(check, record, refusal)
      .catch((thrown) => observer.failed('chat', check, thrown));
    return true;
  }

  async function take(id: string, isRetry: boolean): Promise<void> {
    if (closing || runs.has(id)) return;
    const claimed = await store.claimSpotCheck(id, owner, now(), LEASE_MS);
    if (claimed === null || runs.has(id)) return;
    if (closing) {
      await store.noteSpotCheck(claimed, owner, now(), 0);
      return;
    }
    const surface = parts.surfaces.get(claimed.surface);
    if (surface === undefined) return;
    const run = begin(claimed, surface, isRetry);
    const done = work(run).finally(() => runs.delete(id));
    runs.set(id, { run, done });
    await done;
  }

  /**
   * Cancels the calls of a check, wherever it runs; answers already given are kept.
   *
   * @param who platform id of the person who stops it
   */
  async function stop(id: string, who = ''): Promise<void> {
    const here = runs.get(id);
    here?.run.stop('user', who);
    // Record it in any case: if this process dies before showing it, the next one must not judge again.
    const kept = store.setIfAbsent(stopKey(id), who, now(), STOP_KEPT_MS);
    await (here === undefined ? kept : kept.catch(() => {}));
    // The check may be waiting to be shown.
    if (here === undefined) void take(id, true).catch(() => {});
  }

  /** Removes the answer to a deleted request. If the chat is unavailable, retries for as long as this process runs. */
  async function takeAway(id: string, surface: CheckSurface, failures = 0): Promise<void> {
    try {
      await withdraw(parts, id, surface);
    } catch (thrown) {
      if (!isUndelivered(thrown) || !thrown.retryable) throw thrown;
      const again = () => void (closing || takeAway(id, surface, failures + 1).catch(() => {}));
      setTimeout(again, pauseAfter(failures)).unref();
    }
  }

  return {
    /** Takes up a recorded check unless another process has it. Resolves when it is finished; never rejects. */
    take: (id: string, isRetry = false): Promise<void> =>
      take(id, isRetry).catch(() => {
        // The store is down: the check stays recorded and is found by the next search for abandoned ones.
      }),
    stop,
    /**
     * Takes up a request that failed once more, wherever it failed.
     *
     * @returns whether it is still kept
     * @throws JuryError `store-unavailable`
     */
    tryAgain: async (id: string): Promise<boolean> => {
      const failed = await failedRequest(store, id, now());
      if (failed === null) return false;
      await store.delete(stopKey(id));
      await reopen(store, failed, now());
      void take(id, true).catch(() => {});
      return true;
    },
    /** Stops a deleted request wherever it runs, and removes its answer. */
    withdraw: async (id: string, name: string): Promise<void> => {
      const surface = parts.surfaces.get(name);
      if (surface === undefined) return;
      const all = new Set([id]);
      // A follow-up may have had follow-ups of its own.
      for (const one of all)
        for (const next of (await shownFor(store, one, now()))?.edits ?? []) all.add(next);
      for (const one of all) {
        await noteShown(store, one, () => ({ withdrawn: true, edit: null }), now());
        await stop(one);
        await takeAway(one, surface);
      }
    },
    /**
     * Resumes what a crash or restart left behind. Resolves to how many checks that was, and how many this version
     * cannot read.
     */
    recover: async (): Promise<{ taken: number; unreadable: number }> => {
      if (closing) return { taken: 0, unreadable: 0 };
      const { readable, unreadable } = await store.abandonedSpotChecks(now(), RECOVER_AT_ONCE);
      const mine = readable.filter(({ id, surface }) => !runs.has(id) && parts.surfaces.has(surface));
      for (const { id } of mine) take(id, true).catch(() => {});
      return { taken: mine.length, unreadable };
    },
    running: (): number => runs.size,
    /**
     * Waits for running checks, then stops them: the next process to start resumes them.
     *
     * @param flush shows what is still to be shown; checks being stopped may wait for the same replies, so both share
     * one time limit
     * @param letGoMs this limit
     */
    close: async (
      graceMs: number,
      flush: () => Promise<unknown>,
      letGoMs: number = LET_GO_MS,
    ): Promise<void> => {
      closing = true;
      const all = () => Promise.all([...runs.values()].map(({ done }) => done));
      await endsWithin(graceMs, all());
      for (const { run } of runs.values()) run.stop('shutdown');
      // Checks waiting for an external reply are abandoned: their lease runs out.
      await endsWithin(letGoMs, Promise.allSettled([all(), flush()]));
    },
  };
}
