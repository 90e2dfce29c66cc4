import { spawn } from 'node:child_process';
import { messageOf, once, type SecretFilter } from '../../common/index.ts';
import {
  type ChatFailure,
  chatFailure,
  kindOf,
  redact,
  retryAfterOf,
  transportFailure,
} from './chat-failure.ts';
import { openHttp } from './http.ts';
import type { Proxies } from './proxies.ts';
import { createAdaptiveLimit, startCallTimer } from './rate-limits.ts';
import {
  type Backoff,
  defaultBackoff,
  feedbackOn,
  stopped,
  type Unanswered,
  waitToRetry,
} from './send-with-retry.ts';
import { type HttpRequest, maxReplyBytes } from './transport.ts';

export interface HttpSenderOptions {
  /** How to refer to the endpoint in messages. */
  address: string;
  secrets: Pick<SecretFilter, 'hide'>;
  /** Maximum concurrent requests. */
  concurrency: number;
  /** Time limit for a reply from its first request, including retries, in ms. */
  limitMs: number;
  /** Resolves when a retry may be sent. */
  turn: (stop: AbortSignal) => Promise<void>;
  proxies: Proxies;
  backoff?: Partial<Backoff>;
}

/** `latencyMs` is that of the answered request; `requests` is how many were sent. */
export type SentReply = ({ text: string; latencyMs: number } | Unanswered) & { requests: number };

/** Sends requests to an endpoint other than a model's, with the same connections, retries and limits as model calls. */
export function createHttpSender({
  address,
  secrets,
  concurrency,
  limitMs,
  turn,
  proxies,
  ...options
}: HttpSenderOptions) {
  const backoff = { ...defaultBackoff, ...options.backoff };
  const limit = createAdaptiveLimit(concurrency);
  const http = once(() => openHttp(proxies, secrets));
  const contact = { made: false };

  async function sendOnce(
    request: HttpRequest,
    signal: AbortSignal,
  ): Promise<{ text: string; latencyMs: number } | { failure: ChatFailure } | null> {
    // Loaded before the clock for the reply starts.
    const { send } = await http.get();
    const sentAt = performance.now();
    try {
      const { status, headers, text } = await send(request, signal);
      if (status >= 200 && status < 300) return { text, latencyMs: performance.now() - sentAt };
      const message = `${address} answered ${status}${text === '' ? '' : `: ${redact(text)}`}`;
      const retryAfterMs = retryAfterOf(headers, Date.now());
      return { failure: chatFailure(kindOf(status, '', []), message, { retryAfterMs }) };
    } catch (thrown) {
      if (signal.aborted) return null;
      const about = { reply: `the reply of ${address}`, address, setting: 'its address' };
      return { failure: transportFailure(thrown, about) };
    }
  }

  return {
    /** Sends one request. A failure of the endpoint is an outcome with a reason. */
    async send(request: HttpRequest, outer: AbortSignal): Promise<SentReply> {
      const timer = startCallTimer(outer, limitMs);
      const { signal } = timer;
      let requests = 0;
      try {
        for (let failures = 0; ; ) {
          const task = async () => {
            if (requests > 0) await turn(signal);
            if (signal.aborted) return null;
            timer.start();
            requests += 1;
            return sendOnce(request, signal);
          };
          const outcome = await limit.run(
            task,
            (result) => {
              if (result === null) return 'unknown';
              return 'text' in result ? 'fine' : feedbackOn(result.failure);
            },
            signal,
          );
          if (outcome === null) return { ...stopped(address, { timer, limitMs }), requests };
          if ('text' in outcome) {
            contact.made = true;
            return { ...outcome, requests };
          }
          failures += 1;
          const end = await waitToRetry(outcome.failure, failures, { backoff, timer, contact });
          if (end !== null) return { ...end, requests };
        }
      } finally {
        timer.close();
      }
    },
    close: async (): Promise<void> => (await http.made())?.close(),
  };
}

/** Maximum characters of standard error to keep for a message. */
const MAX_COMPLAINT = 10_000;

interface CommandOptions {
  limitMs: number;
  signal: AbortSignal;
  /** Removes secrets from the command's output. */
  secrets: Pick<SecretFilter, 'hide'>;
  environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Runs a command to completion and reads its output. Ctrl-C does not reach it; at its time limit, it is killed with all its child processes.
 * @param run a line for the shell, or a program and its arguments
 * @param input written to standard input
 */
export async function runCommand(
  run: string | readonly string[],
  input: string,
  { limitMs, signal, secrets, environment }: CommandOptions,
): Promise<{ text: string; latencyMs: number } | Unanswered> {
  const [program = '', ...words] = typeof run === 'string' ? [run] : run;
  const timer = startCallTimer(signal, limitMs);
  timer.start();
  const error = (message: string): Unanswered => ({ reason: 'error', message });
  const child = spawn(program, words, {
    shell: typeof run === 'string',
    detached: true,
    env: { ...environment },
  });
  const ended = new Promise<string | null>((resolve) => {
    child.on('error', (thrown) => resolve(`cannot be started: ${messageOf(thrown)}`));
    child.on('close', (code, by) =>
      resolve(code === 0 ? null : by === null ? `ended with exit code ${code}` : `was ended by ${by}`),
    );
  });
  const { pid } = child;
  if (pid === undefined) {
    // If no files can be opened, the child has no streams.
    timer.close();
    return error(`the command ${await ended}`);
  }
  const kill = () => {
    // A process that left the group may keep these streams open.
    child.stdout.destroy();
    child.stderr.destroy();
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It has just ended.
    }
  };
  timer.signal.addEventListener('abort', kill, { once: true });
  const printed: Buffer[] = [];
  let size = 0;
  let complaint = '';
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxReplyBytes) kill();
    else printed.push(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    if (complaint.length < MAX_COMPLAINT) complaint += chunk.toString();
  });
  // It may exit without reading its input.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const end = await ended;
  const latencyMs = timer.elapsedMs();
  timer.close();
  if (timer.signal.aborted) return stopped('the command', { timer, limitMs });
  if (size > maxReplyBytes) return error(`the command printed more than ${maxReplyBytes / 1024 / 1024} MB`);
  if (end === null) return { text: secrets.hide(Buffer.concat(printed).toString()).trimEnd(), latencyMs };
  const why = redact(secrets.hide(complaint));
  return error(`the command ${end}${why === '' ? '' : `: ${why}`}`);
}
