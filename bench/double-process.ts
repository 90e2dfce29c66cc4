import { startModelDouble } from '../test/support/model-double.ts';

/**
 * The model of the overhead benchmark, in a process of its own: every answer after a fixed time, a share of requests
 * refused with 429 and no Retry-After. Tells its parent its address, and whenever asked the request it saw last, when the first one came
 * (ms since the epoch), and the time between the first request and the last answer.
 */
const delayMs = Number(process.argv[2]);
const refusedShare = Number(process.argv[3] ?? 0);
let requests = 0;
let firstAt = 0;
let lastAt = 0;
let last: unknown = null;

const double = await startModelDouble({
  delayMs,
  record: false,
  rateLimit: { share: refusedShare },
  answer: ({ at, body }) => {
    if (requests++ === 0) firstAt = at;
    lastAt = at;
    last = body;
    return { usage: { prompt_tokens: 900, completion_tokens: 90 } };
  },
});
process.send?.({ baseUrl: double.baseUrl });
process.on('message', () => {
  process.send?.({
    requests,
    firstAt: performance.timeOrigin + firstAt,
    spanMs: lastAt + delayMs - firstAt,
    body: last,
  });
  requests = 0;
});
process.on('disconnect', () => process.exit());
