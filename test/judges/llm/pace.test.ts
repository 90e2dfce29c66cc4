import { describe, expect, test } from 'vitest';
import { createTurns } from '../../../src/judges/llm/rate-limits.ts';
import { completionRequest } from '../../support/completion-request.ts';
import { withDouble } from '../../support/with-double.ts';

describe('turns', () => {
  test('come at even distances, by provider', () => {
    const turn = createTurns(new Map([['openai', 4]]), () => 1000);
    expect([turn('openai'), turn('openai'), turn('openai')]).toEqual([0, 250, 500]);
    expect([turn('mistral'), turn('mistral')]).toEqual([0, 0]);
  });

  test('are not saved up while there are no requests', () => {
    let now = 0;
    const turn = createTurns(new Map([['openai', 4]]), () => now);
    turn('openai');
    now = 10_000;
    expect([turn('openai'), turn('openai')]).toEqual([0, 250]);
  });
});

describe('a pace', () => {
  test('lets go of a stopped request at once', async () => {
    const { double, client } = await withDouble({}, { pace: () => 3_600_000 });
    const stop = new AbortController();
    const asked = client.complete(completionRequest({ signal: stop.signal }));
    setTimeout(() => stop.abort(), 20);
    expect(await asked).toMatchObject({ reason: 'cancelled', usage: { attempts: 0 } });
    expect(double.counts.received).toBe(0);
  });

  test('makes each request wait for its turn', async () => {
    const waits = [0, 3_600_000];
    const { double, client } = await withDouble({}, { pace: () => waits.shift() ?? 0 });
    const [first, stop] = [client.complete(completionRequest()), new AbortController()];
    const second = client.complete(completionRequest({ signal: stop.signal }));
    const third = client.complete(completionRequest());
    expect([await first, await third]).toMatchObject([{ status: 'answered' }, { status: 'answered' }]);
    stop.abort();
    expect(await second).toMatchObject({ reason: 'cancelled' });
    expect(double.counts.received).toBe(2);
  });

  test('costs no answer where it cannot be kept', async () => {
    const { client } = await withDouble({}, { pace: () => Promise.reject(new Error('away')) });
    expect(await client.complete(completionRequest())).toMatchObject({ status: 'answered' });
  });

  test('is asked before every request, retries included', async () => {
    const asked: string[] = [];
    const pace = async (provider: string) => {
      asked.push(provider);
      return 0;
    };
    const { client } = await withDouble(
      { answer: ({ n }) => (n === 1 ? { status: 503, error: 'busy' } : {}) },
      { pace },
    );
    await client.complete(completionRequest());
    expect(asked).toEqual(['openai', 'openai']);
  });
});
