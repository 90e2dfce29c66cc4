import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { endsWithin, isEndpointRefused, JuryError, remembered } from '../../common/index.ts';
import type { Env } from '../../env.ts';
import { knownModels } from '../../judges/llm/index.ts';
import { RULES } from '../../judges/rules/index.ts';
import {
  allJudgements,
  isScored,
  NO_MODEL,
  outcomeOfVerdict,
  troubleOf,
  type Verdict,
} from '../../judging/verdict/index.ts';
import { createTrust } from '../../labels/agreement/index.ts';
import { type CheckObserver, createFairQueue, createSpotChecks } from '../../requests/index.ts';
import { openTrialStore } from '../../stores/index.ts';
import { caseOptions, namedReviewers, type OpenSurface, openDigests, type Parts } from '../index.ts';
import {
  consoleAccess,
  consoleOrigin,
  consoleUrl,
  createConsoleKey,
  createMetrics,
  createWebHost,
  linkWith,
  type Metrics,
  ownOrigin,
  PAGE,
  type Readiness,
  requireKey,
  requireScraper,
  serveAboutPages,
  servePublicPages,
} from '../web/index.ts';
import {
  type Background,
  startDigests,
  startMaintenance,
  startReviews,
  startRulings,
  startStudies,
} from './background-tasks.ts';
import { createPasteReader } from './paste-reader.ts';
import { logStatus, serviceStatus } from './service-status.ts';
import { createSurfaceStarter, reached } from './start-surfaces.ts';

export interface Service {
  port: number;
  /** A link to the console with its key; never log it. Null if the console needs no key or is off. */
  link: string | null;
  /** Commands that open other surfaces, with keys; never log them. */
  invitations: readonly string[];
  /**
   * Stops taking requests and waits for those in progress; the next start resumes the rest.
   * @param graceMs how long to wait for them; default: 20 seconds
   * @param letGoMs how long to wait for what is still to be sent after that; default: some seconds
   */
  close: (graceMs?: number, letGoMs?: number) => Promise<void>;
}

/** How long a stop waits for requests in progress. */
const DRAIN_MS = 20_000;
/** How long a successful write proves that the store is ready. */
const PROOF_MS = 3_000;

/** What the endpoint of a model said, as it is kept with the verdict: without keys, and short. */
const endpointSaid = (verdict: Verdict): string | undefined =>
  verdict.remarks.find((remark) => remark.startsWith(NO_MODEL)) ??
  allJudgements(verdict)
    .flatMap((one) => (isScored(one) ? [] : [one.message]))
    .at(0);

const observing = (metrics: Metrics, log: Logger): CheckObserver => ({
  judged: (record) => {
    metrics.observer.judged(record);
    const { rubric, method, durationMs } = record.verdict;
    const decision = outcomeOfVerdict(record.verdict);
    log.info({ verdict: record.id, rubric, method, decision, durationMs }, 'judged');
    const trouble = troubleOf(record.verdict);
    if (trouble !== null)
      log.warn({ verdict: record.id, trouble, why: endpointSaid(record.verdict) }, 'a model did not answer');
  },
  ended: (check, outcome, ms) => {
    metrics.observer.ended(check, outcome, ms);
    log.info({ surface: check.surface, outcome, ms }, 'request done with');
  },
  failed: (where, check, thrown) => {
    metrics.observer.failed(where, check, thrown);
    const error = thrown instanceof Error ? thrown.name : 'unknown';
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
    // What a chat refuses is for its admins: our own words say why, such as a missing scope. People fix their own input; everything
    // else is for the operators of the service.
    const isChat = where === 'chat';
    const level = isChat ? 'warn' : code === 'bad-input' || code === 'usage' ? 'info' : 'error';
    const isOurs = thrown instanceof JuryError && (isChat || isEndpointRefused(thrown));
    const why = isOurs ? { why: thrown.message } : {};
    log[level]({ surface: check.surface, where, error, code, ...why }, 'a request failed');
  },
});

/** The models that forms offer: the default, the exact checks, and known models whose provider has a key. */
function offeredModels({ settings, provider }: Env): string[] {
  const ready = knownModels().filter(({ id }) => provider(id.slice(0, id.indexOf('/'))).apiKey !== undefined);
  return [...new Set([settings.JURY_MODEL, RULES, ...ready.map(({ id }) => id)])];
}

/**
 * Starts the web server and every configured surface, and logs what the others need.
 * @param warned warnings that were already logged; they are not repeated. Default: none
 * @throws JuryError `config` or `store-unavailable`; the message says what to fix
 */
export async function startService(
  parts: Parts,
  log: Logger,
  warned: readonly string[] = [],
): Promise<Service> {
  const { env, library, requireModel, now } = parts;
  const { settings } = env;
  const store = await parts.store();
  const metrics = createMetrics();
  const written = remembered(() => store.proveWrite(now()), PROOF_MS, now);
  const storeReady = async () => {
    await store.ping();
    await written('');
  };
  const isKeyed = consoleAccess(settings).kind === 'local';
  const keyed = isKeyed ? requireKey(env, now) : null;
  const guard = keyed === null ? [] : [keyed];
  const readiness: Readiness[] = [{ name: `store (${store.kind})`, check: storeReady }];
  const host = createWebHost(settings.HOST, settings.PORT, readiness, metrics, [
    requireScraper(settings.JURY_METRICS_TOKEN, keyed),
  ]);
  const pastes = createPasteReader({
    ...caseOptions(parts),
    script: env.pasteWorker,
    promptFolders: env.promptFolders,
    redactor: library.redactor,
  });
  const digests = await openDigests(parts, (message) => log.warn(message), consoleUrl(settings));
  const starter = createSurfaceStarter(
    parts,
    {
      env,
      library,
      readPaste: pastes.read,
      reader: parts.reader,
      timeoutMs: parts.timeoutMs,
      store,
      pseudonym: await parts.pseudonym(),
      requireModel,
      models: offeredModels(env),
      digestSources: digests,
      benchmarkRuns: digests.runs,
      surfaces: parts.surfaces,
      consoleUrl: consoleUrl(settings),
      onVote: metrics.vote,
      now,
      log,
    },
    host.place,
    metrics.error,
  );
  const { surfaces } = starter;
  const onEach = (act: (surface: OpenSurface) => Promise<void>) =>
    Promise.all([...surfaces.open.values()].map(act));
  const queue = createFairQueue(settings.JURY_CALLS_AT_ONCE);
  const checks = createSpotChecks({
    store,
    library,
    ask: parts.ask,
    explain: parts.explain,
    reader: parts.reader,
    queue,
    pseudonym: await parts.pseudonym(),
    spentBy: parts.limits.spentBy,
    readTrust: createTrust(store, now),
    surfaces: surfaces.open,
    defaultModel: settings.JURY_MODEL,
    settings: settings.JURY_SETTINGS,
    requireModel,
    timeoutMs: parts.timeoutMs,
    now,
    observer: observing(metrics, log),
    owner: randomUUID(),
  });
  metrics.gauges(async () => ({ ...queue.depth(), pending: await store.pendingSpotChecks() }));
  const status = () => serviceStatus(parts, surfaces, store, storeReady);
  await serveAboutPages(host.app, env);
  await servePublicPages(host.app, env, status, guard);
  await starter.start(checks);
  for (const name of surfaces.away.keys())
    readiness.push({ name, check: async () => reached(surfaces, name) });
  // Only reached if the console is off; otherwise this is its first page.
  host.app.get('/', (_request, response) => response.redirect('/status'));
  const port = await host.listen().catch(async (thrown) => {
    // An open connection would keep the process alive and take requests that are never answered.
    await onEach(({ stop }) => stop());
    throw thrown;
  });
  logStatus(await status(), log, warned);
  log.info(`web: ${ownOrigin(settings.HOST, port)}/ (/status shows what is on)`);
  const keeping = startMaintenance({
    checks,
    store,
    answers: parts.answers,
    runs: () => openTrialStore(settings, () => {}),
    retentionDays: settings.JURY_RETENTION_DAYS,
    now,
    log,
  });
  const posting: Background[] = [startRulings(store, surfaces.open, { now })];
  const post = ({ digests: digestPoster, studies, reviews }: OpenSurface): void => {
    if (digestPoster !== null) posting.push(startDigests(digests, digestPoster, { now, log }));
    if (studies !== null) posting.push(startStudies(store, studies, { now, log }));
    if (reviews !== null)
      posting.push(
        startReviews(store, () => namedReviewers(parts, store, reviews.surface), reviews, { now, log }),
      );
  };
  for (const surface of surfaces.open.values()) post(surface);
  const stopRetrying = starter.retry(checks, post);
  const key =
    isKeyed && surfaces.open.has(PAGE) ? await createConsoleKey(settings.JURY_DATA_DIR, now).keep() : null;
  if (key !== null) env.secrets.add(key, 'console-key');
  return {
    port,
    link: key === null ? null : linkWith(consoleOrigin(settings, port), key),
    invitations: [...surfaces.open.values()].flatMap(({ invitation }) => invitation ?? []),
    close: async (graceMs = DRAIN_MS, letGoMs) => {
      stopRetrying();
      await keeping.stop();
      // A benchmark that takes longer is still writing to its run, which then stays open until the process ends.
      if (await endsWithin(DRAIN_MS, Promise.all(posting.map(({ stop }) => stop())))) await digests.close();
      await onEach(({ stop }) => stop());
      await host.close(letGoMs);
      await checks.close(graceMs, () => onEach(({ flush }) => flush()), letGoMs);
      await pastes.close();
    },
  };
}
