import { describe, expect, it } from 'vitest';
import { probeModel } from '../../../src/judges/llm/llm-judge.ts';
import { withDouble } from '../../support/with-double.ts';

const { signal } = new AbortController();

describe('probing a model', () => {
  it('says that it answers, and how it takes the form of its reply', async () => {
    const { double, client } = await withDouble();
    expect(await probeModel('openai/double', client, signal)).toMatchObject({
      ok: true,
      mode: 'json-schema',
    });
    expect(double.counts.received).toBe(1);
  });

  it('says how to mend what does not work', async () => {
    const { client } = await withDouble({ answer: () => ({ status: 401, error: 'bad key' }) });
    const probe = await probeModel('openai/double', client, signal);
    expect(probe).toMatchObject({ ok: false, mode: null });
    expect(probe.message).toContain('set OPENAI_API_KEY to a valid key');
  });
});
