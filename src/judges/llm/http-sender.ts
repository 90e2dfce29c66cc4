import { once } from '../../common/async.ts';
import { startCallTimer } from './call-timer.ts';
import {
  type ChatFailure,
  chatFailure,
  kindOf,
  redact,
  retryAfterOf,
  transportFailure,
} from './chat-failure.ts';
import { type HttpRequest, openHttp } from './http.ts';
import type { Proxies } from './proxies.ts';
import { createAdaptiveLimit } from './rate-limits.ts';
import {
  type Backoff,
  defaultBackoff,
  feedbackOn,
  stopped,
  type Unanswered,
  waitToRetry,
} from './send-with-retry.ts';

export interface HttpSenderOptions {
  /** How messages call the endpoint. */
  address: string;
  /** Takes secrets out of a message. */
  hide: (text: string) => string;
  /** Most requests at a time. */
  concurrency: number;
  /** Time limit of a reply from its first request, retries included, ms. */
  limitMs: number;
  /** Resolves when a request may be sent again. */
  turn: (stop: AbortSignal) => Promise<void>;
  proxies: Proxies;
  backoff?: Partial<Backoff>;
}

/** `latencyMs`: of the request that was answered. `requests`: how many were sent. */
export type SentReply = ({ text: string; latencyMs: number } | Unanswered) & { requests: number };

/** Sends requests with the connections, retries and limits of model calls, to an endpoint that is none. */
export function createHttpSender({
  address,
  hide,
  concurrency,
  limitMs,
  turn,
  proxies,
  ...options
}: HttpSenderOptions) {
  const backoff = { ...defaultBackoff, ...options.backoff };
  const limit = createAdaptiveLimit(concurrency);
  const http = once(() => openHttp(proxies));

  async function sendOnce(
    request: HttpRequest,
    signal: AbortSignal,
  ): Promise<{ text: string; latencyMs: number } | { failure: ChatFailure } | null> {
    // Loaded before the time of the reply is taken.
    const { send } = await http.get();
    const sentAt = performance.now();
    try {
      const { status, headers, text } = await send(request, signal);
      if (status >= 200 && status < 300) return { text, latencyMs: performance.now() - sentAt };
      const message = `${address} answered ${status}${text === '' ? '' : `: ${redact(hide(text), null)}`}`;
      const retryAfterMs = retryAfterOf(headers, Date.now());
      return { failure: chatFailure(kindOf(status, '', []), message, { retryAfterMs }) };
    } catch (thrown) {
      if (signal.aborted) return null;
      const about = { reply: `the reply of ${address}`, address, setting: 'its address', hide };
      return { failure: transportFailure(thrown, about) };
    }
  }

  return {
    /** The reply to one request; an endpoint's failure is an outcome with a reason. */
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
          if ('text' in outcome) return { ...outcome, requests };
          failures += 1;
          const end = await waitToRetry(outcome.failure, failures, { backoff, timer });
          if (end !== null) return { ...end, requests };
        }
      } finally {
        timer.close();
      }
    },
    close: async (): Promise<void> => (await http.made())?.close(),
  };
}
