import { once } from 'node:events';
import pino, { type DestinationStream } from 'pino';
import * as z from 'zod';
import { changedWordings, type RunManifest, runChain, type TrialStore } from '../../benchmark/index.ts';
import { JuryError, messageOf, sleep } from '../../common/index.ts';
import { counted, escapedJson, plainLine } from '../../common/text/index.ts';
import { createFirstContact } from '../../judging/index.ts';
import {
  haltReason,
  openRedisTrialStore,
  openTrialQueue,
  type RunWorker,
  type TrialQueue,
} from '../../stores/index.ts';
import type { Parts } from '../index.ts';
import { loadStartService } from '../service/index.ts';
import type { CommandContext } from '../terminal/index.ts';

/** Pino's number for the level "error". */
const ERROR = 50;

const Logged = z
  .object({ level: z.number(), time: z.number(), msg: z.string().default('') })
  .catchall(z.unknown());

/** A log line for people: `09:30:01 request done with (surface: x, ms: 120)`. */
function textLine(json: string): string {
  const { level, time, msg, pid: _pid, hostname: _hostname, ...fields } = Logged.parse(JSON.parse(json));
  const about = Object.entries(fields).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const clock = new Date(time).toTimeString().slice(0, 8);
  const mark = level >= ERROR ? 'ERROR ' : '';
  return plainLine(`${clock} ${mark}${msg}${about.length === 0 ? '' : ` (${about.join(', ')})`}`);
}

const textLog = ({ err }: Pick<CommandContext, 'err'>): DestinationStream => ({
  write: (json) => err(textLine(json)),
});

const jsonLog = ({ errors }: Pick<CommandContext, 'errors'>): DestinationStream => ({
  write: (json) => void errors.write(escapedJson(json)),
});

/** `jury serve`: runs until it is stopped. */
export async function serve(context: CommandContext): Promise<void> {
  const { err, errors, failures, people, stop, watched } = context;
  const reportText = failures.report;
  // Libraries put what they sent into their errors, keys included.
  let hide = (text: string): string => text;
  const hooks = { streamWrite: (line: string) => hide(line) };
  const sayText = (text: string) => reportText(hide(text));
  const sayJson = (text: string) => pino({ hooks }, jsonLog(context)).fatal(text);
  // Settings that cannot be read must be reported as JSON, too.
  if (!watched) failures.report = sayJson;
  const { settings, secrets } = await context.env();
  const { LOG_LEVEL: level, LOG_FORMAT: format = watched ? 'text' : 'json' } = settings;
  hide = secrets.hide;
  failures.report = format === 'text' ? sayText : sayJson;
  const log = pino({ level, hooks }, format === 'text' ? textLog(context) : jsonLog(context));
  const warned: string[] = [];
  const warn = (message: string) => {
    warned.push(message);
    log.warn(message);
  };
  const parts = await context.parts({ cache: false, warn });
  const { startService } = await loadStartService();
  const service = await startService(parts, log, warned);
  // A JSON log holds nothing but JSON, even on a terminal.
  const isLog = people === errors && format === 'json';
  const invitations = [
    ...(service.link === null ? [] : [`Open the console: ${service.link}`]),
    ...service.invitations,
  ];
  if (!isLog) for (const line of invitations) people?.write(`${line}\n`);
  if (watched) err('Press Ctrl-C to stop.');
  if (!stop.aborted) await once(stop, 'abort');
  log.info('stopping');
  await service.close();
}

interface WorkerOptions {
  /** How many trials of each run are judged at once. */
  concurrency: number;
}

/** How often to look for runs that began or ended, ms. */
const LOOK_MS = 500;

/**
 * Ensures that this process asks exactly what the run asks.
 * @throws JuryError `config` saying what is missing or differs
 */
function requireSame(parts: Parts, manifest: RunManifest): void {
  for (const model of new Set(manifest.configurations.flatMap(({ models }) => models)))
    parts.requireModel(model);
  const others = changedWordings(manifest, parts);
  if (others.length > 0)
    throw new JuryError(
      'config',
      `it was started with different prompts for ${others.join('; ')}: give this worker the same version and the same JURY_PROMPTS_DIR`,
    );
}

interface Work {
  parts: Parts;
  store: TrialStore;
  queue: TrialQueue;
  options: WorkerOptions;
}

async function workOn({ parts, store, queue, options }: Work, run: string): Promise<RunWorker> {
  const manifest = await store.readRun(run);
  if (manifest === null) throw new JuryError('bad-input', 'it no longer exists');
  requireSame(parts, manifest);
  const writer = await store.write(run);
  const never = new AbortController().signal;
  const contact = createFirstContact();
  return queue.work(run, options.concurrency, async (key) => {
    const end = await runChain(
      {
        ...parts,
        manifest,
        caseAt: (index) => store.caseAt(run, index),
        readVerdicts: (keys) => store.readVerdicts(run, keys),
        writer,
        contact,
        stop: never,
      },
      key,
    );
    if (end.kind === 'budget' || end.kind === 'refused') await queue.halt(run, haltReason(end));
    // The queue then hands out the trial again a moment later.
    if (end.kind === 'silent') throw new JuryError('endpoint-refused', end.why);
  });
}

/**
 * `jury worker`: judges trials of all active runs, alongside any number of other workers, until it is stopped; then finishes
 * what is under way.
 */
export async function worker(context: CommandContext, options: WorkerOptions): Promise<void> {
  const { err, stop } = context;
  let limited = new Map<string, number>();
  const pace = (provider: string) => (limited.has(provider) ? queue.turn(provider) : 0);
  const parts = await context.parts({ cache: true, pace });
  const { REDIS_URL } = parts.env.settings;
  if (REDIS_URL === undefined)
    throw new JuryError('config', 'Workers share runs through Redis: set REDIS_URL.');
  const queue = await openTrialQueue(REDIS_URL, { warn: err });
  const store = await openRedisTrialStore(REDIS_URL, { warn: err });
  const working = new Map<string, RunWorker>();
  const refused = new Map<string, string>();
  err('Waiting for runs. Ctrl-C finishes what is under way, then stops.');
  try {
    while (!stop.aborted) {
      const active = await queue.active().catch(() => [...working.keys()]);
      limited = await queue.rates().catch(() => limited);
      for (const [run, worker] of working)
        if (!active.includes(run)) {
          working.delete(run);
          await worker.close();
          err(`${run}: done here`);
        }
      for (const run of active.filter((one) => !working.has(one)))
        try {
          working.set(run, await workOn({ parts, store, queue, options }, run));
          refused.delete(run);
          err(`${run}: working, ${counted(options.concurrency, 'trial')} at once`);
        } catch (thrown) {
          const why = messageOf(thrown);
          if (refused.get(run) !== why) err(`${run}: this worker cannot judge it: ${why}`);
          refused.set(run, why);
        }
      await sleep(LOOK_MS, stop);
    }
    await Promise.all([...working.values()].map((worker) => worker.close()));
  } finally {
    await queue.close();
    await store.close();
  }
}
