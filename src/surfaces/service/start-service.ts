import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { settlesWithin } from '../../common/wait.ts';
import { createTrust } from '../../labels/trust.ts';
import type { CheckObserver } from '../../requests/check-run.ts';
import { createFairQueue } from '../../requests/fair-queue.ts';
import type { CheckSurface } from '../../requests/presenter.ts';
import { createSpotChecks } from '../../requests/take-up.ts';
import { type OpenDigests, openDigests } from '../open-digests.ts';
import type { Parts } from '../parts.ts';
import type { SlackConnection } from '../slack/connect-slack.ts';
import { EVENTS_PATH, type SlackTransport } from '../slack/receiver.ts';
import { createMetrics, type Metrics } from '../web/metrics.ts';
import { createWebHost, type WebHost } from '../web/web-host.ts';
import { startDigests } from './digest-service.ts';
import { startMaintenance } from './maintenance.ts';
import { offeredModels } from './offered-models.ts';
import { type SlackSetup, slackSetup } from './slack-setup.ts';
import { startStudies } from './study-service.ts';

export interface Service {
  port: number;
  /** Takes nothing more, lets what runs come to its end for a while, then leaves the rest to the next start. */
  close: (graceMs?: number) => Promise<void>;
}

/** How long requests that are being judged may still take at a stop. */
const DRAIN_MS = 20_000;
/** How long counts on cards may still take. */
const FLUSH_MS = 3_000;

const observing = (metrics: Metrics, log: Logger): CheckObserver => ({
  judged: (record) => {
    metrics.observer.judged(record);
    const { rubric, method, decision, durationMs } = record.verdict;
    log.info({ verdict: record.id, rubric, method, decision, durationMs }, 'judged');
  },
  ended: (check, outcome, ms) => {
    metrics.observer.ended(check, outcome, ms);
    log.info({ surface: check.surface, outcome, ms }, 'request done with');
  },
  failed: (where, check, thrown) => {
    metrics.observer.failed(where, check, thrown);
    const error = thrown instanceof Error ? thrown.name : 'unknown';
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
    log.error({ surface: check.surface, where, error, code }, 'a request failed');
  },
});

async function connect(
  parts: Parts,
  setup: Exclude<SlackSetup, { kind: 'off' }>,
  host: WebHost,
  metrics: Metrics,
  digests: OpenDigests,
  log: Logger,
): Promise<SlackConnection> {
  const { settings } = parts.env;
  const { connectSlack } = await import('../slack/connect-slack.ts');
  const transport: SlackTransport =
    setup.kind === 'socket'
      ? { kind: 'socket', appToken: setup.appToken }
      : { kind: 'http', signingSecret: setup.signingSecret, web: host.app };
  return connectSlack({
    botToken: setup.botToken,
    apiUrl: settings.SLACK_API_URL,
    transport,
    store: await parts.store(),
    library: parts.library,
    models: offeredModels(parts.env),
    requireModel: parts.requireModel,
    maxCaseChars: settings.JURY_MAX_CASE_CHARS,
    budgetUsd: settings.JURY_DAILY_BUDGET_USD ?? 0,
    pseudonym: await parts.pseudonym(),
    digestSources: digests,
    onVote: metrics.vote,
    onError: () => metrics.error('slack'),
    now: parts.now,
    log,
  });
}

/**
 * Starts every surface that is set up, and says which are not and what each needs.
 * @throws JuryError `config` or `store-unavailable` that says what to mend
 */
export async function startService(parts: Parts, log: Logger): Promise<Service> {
  const { settings } = parts.env;
  const store = await parts.store();
  const metrics = createMetrics();
  const host = createWebHost(
    settings.HOST,
    settings.PORT,
    [{ name: `store (${store.kind})`, check: () => store.ping() }],
    metrics,
  );
  const setup = slackSetup(parts.env);
  const opened = await openDigests(parts, (message) => log.warn(message));
  const slack = setup.kind === 'off' ? null : await connect(parts, setup, host, metrics, opened, log);
  const surfaces = new Map<string, CheckSurface>(slack === null ? [] : [['slack', slack.surface]]);
  const queue = createFairQueue(settings.JURY_CALLS_AT_ONCE);
  const checks = createSpotChecks({
    store,
    library: parts.library,
    ask: parts.ask,
    queue,
    readTrust: createTrust(store, parts.now),
    surfaces,
    defaultModel: settings.JURY_MODEL,
    settings: settings.JURY_SETTINGS,
    requireModel: parts.requireModel,
    timeoutMs: settings.JURY_VERDICT_TIMEOUT_S * 1000,
    now: parts.now,
    observer: observing(metrics, log),
    owner: randomUUID(),
  });
  metrics.gauges(async () => ({ ...queue.depth(), pending: await store.pendingSpotChecks() }));
  await slack?.listen(checks);
  const port = await host.listen().catch(async (thrown) => {
    // An open socket would keep the process alive, and take requests that nobody answers.
    await slack?.stop();
    throw thrown;
  });
  log.info({ host: settings.HOST, port }, 'web: listening, with /healthz, /readyz and /metrics');
  log.info({ store: store.kind }, 'store: ready');
  if (setup.kind === 'off') log.warn(`slack: off; ${setup.needs}`);
  else if (setup.kind === 'socket') log.info('slack: on, in Socket Mode');
  else log.info({ path: EVENTS_PATH }, 'slack: on, over signed HTTP');
  const keeping = startMaintenance({
    checks,
    store,
    retentionDays: settings.JURY_RETENTION_DAYS,
    now: parts.now,
    log,
  });
  const digests = slack === null ? null : startDigests(opened, slack.digests, parts.now, log);
  const studies = slack === null ? null : startStudies(store, slack.studies, parts.now, log);
  return {
    port,
    close: async (graceMs = DRAIN_MS) => {
      await keeping.stop();
      if (digests !== null) await settlesWithin(DRAIN_MS, digests.stop());
      if (studies !== null) await settlesWithin(DRAIN_MS, studies.stop());
      await slack?.stop();
      await host.close();
      await checks.close(graceMs);
      if (slack !== null) await settlesWithin(FLUSH_MS, slack.flush());
    },
  };
}
