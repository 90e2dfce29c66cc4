import { describe, expect, test } from 'vitest';
import { createPace, createTurns } from '../../src/models/pace.ts';
import { completionRequest } from '../support/completion-request.ts';
import { withDouble } from '../support/with-double.ts';

describe('turns', () => {
  test('come at even distances, by provider', () => {
    const turn = createTurns(new Map([['openai', 4]]), () => 1000);
    expect([turn('openai'), turn('openai'), turn('openai')]).toEqual([0, 250, 500]);
    expect([turn('mistral'), turn('mistral')]).toEqual([0, 0]);
  });

  test('are not saved up while nobody asks', () => {
    let now = 0;
    const turn = createTurns(new Map([['openai', 4]]), () => now);
    turn('openai');
    now = 10_000;
    expect([turn('openai'), turn('openai')]).toEqual([0, 250]);
  });
});

describe('a pace', () => {
  test('lets go at once whoever is stopped', async () => {
    const stop = new AbortController();
    const waiting = createPace(() => 3_600_000)('openai', stop.signal);
    stop.abort();
    await expect(waiting).resolves.toBeUndefined();
  });

  test('costs no answer where it cannot be told', async () => {
    const pace = createPace(() => Promise.reject(new Error('away')));
    await expect(pace('openai', new AbortController().signal)).resolves.toBeUndefined();
  });

  test('is asked before every request, retries included', async () => {
    const asked: string[] = [];
    const pace = async (provider: string) => void asked.push(provider);
    const { client } = await withDouble(
      { answer: ({ n }) => (n === 1 ? { status: 503, error: 'busy' } : {}) },
      { pace },
    );
    await client.complete(completionRequest());
    expect(asked).toEqual(['openai', 'openai']);
  });
});
