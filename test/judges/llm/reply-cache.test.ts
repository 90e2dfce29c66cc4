import { chmod, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAnswerCache } from '../../../src/judges/llm/reply-cache.ts';
import { completionRequest } from '../../support/completion-request.ts';
import { withDouble } from '../../support/with-double.ts';

describe('the answer cache', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jury-cache-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 }));

  const files = async () =>
    (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));

  it('answers the same question again without a call, at no cost', async () => {
    const cache = createAnswerCache(folder);
    const { double, client } = await withDouble(
      { answer: () => ({ fields: { decision: 'fail' } }) },
      { cache },
    );
    const first = await client.complete(completionRequest({ modelId: 'openai/gpt-4o' }));
    await cache.flush();
    const second = await client.complete(completionRequest({ modelId: 'openai/gpt-4o' }));
    expect(first.usage.fromCache).toBe(false);
    expect(second).toMatchObject({
      status: 'answered',
      value: { decision: 'fail' },
      usage: { fromCache: true, costUsd: 0, promptTokens: 0, completionTokens: 0, attempts: 0 },
    });
    expect(double.counts.received).toBe(1);
    expect(await files()).toEqual([expect.stringMatching(/\/([0-9a-f]{2})\/\1[0-9a-f]{62}\.json$/)]);
  });

  it.each([
    ['variant', { variant: 'sample 1 round 0' }],
    ['case', { user: 'Another case.' }],
    ['system', { system: 'You judge strictly.' }],
    ['seed', { seed: 3 }],
    ['model', { modelId: 'openai/other' }],
    ['schema', { schema: { name: 'other', json: completionRequest().schema.json } }],
  ])('asks again where the %s differs', async (_what, over) => {
    const cache = createAnswerCache(folder);
    const { double, client } = await withDouble({}, { cache });
    await client.complete(completionRequest());
    await cache.flush();
    await client.complete(completionRequest(over));
    expect(double.counts.received).toBe(2);
  });

  it('keeps neither sampled nor rejected answers', async () => {
    const cache = createAnswerCache(folder);
    const { client } = await withDouble({ answer: ({ n }) => (n === 1 ? {} : { content: 'no' }) }, { cache });
    await client.complete(completionRequest({ temperature: 0.7 }));
    await client.complete(completionRequest());
    await cache.flush();
    expect(await files()).toEqual([]);
  });

  it('neither keeps nor uses answers of a model that is sent no temperature', async () => {
    const cache = createAnswerCache(folder);
    const { double, client } = await withDouble({}, { cache });
    for (let n = 0; n < 2; n++) {
      const { usage } = await client.complete(completionRequest({ modelId: 'openai/o3' }));
      expect(usage.fromCache).toBe(false);
      await cache.flush();
    }
    expect(double.counts.received).toBe(2);
    expect(await files()).toEqual([]);
  });

  it('keeps no answer that was got by giving the temperature up', async () => {
    const cache = createAnswerCache(folder);
    const { client } = await withDouble({ refuse: { temperature: true } }, { cache });
    expect(await client.complete(completionRequest())).toMatchObject({ usage: { attempts: 2 } });
    await cache.flush();
    expect(await files()).toEqual([]);
  });

  it('uses no earlier answer once the endpoint takes no temperature', async () => {
    const cache = createAnswerCache(folder);
    const { client } = await withDouble(
      {
        answer: ({ n, body }) =>
          n > 1 && body.temperature !== undefined ? { error: 'temperature is not supported' } : {},
      },
      { cache },
    );
    await client.complete(completionRequest());
    await cache.flush();
    expect((await client.complete(completionRequest())).usage.fromCache).toBe(true);
    await client.complete(completionRequest({ user: 'Another case.' }));
    expect(client.capabilitiesOf('openai/double').temperature).toBe(false);
    expect((await client.complete(completionRequest())).usage.fromCache).toBe(false);
  });

  it.each([
    ['damaged', (text: string) => text.slice(0, 20)],
    ['foreign', () => '{"hello":"world"}'],
    ['of another key', (text: string) => text.replace(/"key":"../, '"key":"zz')],
    ['no longer acceptable', (text: string) => text.replace('pass', 'maybe')],
  ])('takes a file that is %s for a miss', async (_what, spoil) => {
    const cache = createAnswerCache(folder);
    const { double, client } = await withDouble({}, { cache });
    await client.complete(completionRequest());
    await cache.flush();
    for (const file of await files()) await writeFile(file, spoil(await readFile(file, 'utf8')));
    expect(await client.complete(completionRequest())).toMatchObject({
      status: 'answered',
      usage: { fromCache: false },
    });
    expect(double.counts.received).toBe(2);
  });

  describe('in its folder', () => {
    const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

    it('may be read by its owner only, also where an earlier version made the folder', async () => {
      await chmod(folder, 0o755);
      const cache = createAnswerCache(folder);
      const { client } = await withDouble({}, { cache });
      await client.complete(completionRequest());
      await cache.flush();
      const [file = ''] = await files();
      expect(await Promise.all([file, dirname(file), folder].map(modeOf))).toEqual(['600', '700', '700']);
    });

    it('deletes answers that are too old', async () => {
      const cache = createAnswerCache(folder, () => {}, { bytes: 1e9, ageMs: 86_400_000 });
      const { client } = await withDouble({}, { cache });
      for (const user of ['old', 'new']) await client.complete(completionRequest({ user }));
      await cache.flush();
      const yesterday = new Date(Date.now() - 90_000_000);
      const [old = '', kept = ''] = await files();
      await utimes(old, yesterday, yesterday);
      await cache.sweep();
      expect(await files()).toEqual([kept]);
    });

    it('holds no more than its size, and lets the oldest go', async () => {
      const cache = createAnswerCache(folder, () => {}, { bytes: 256 * 2_000, ageMs: null });
      const key = (n: number) => `ab${String(n).padStart(62, '0')}`;
      for (let n = 0; n < 64; n++) {
        cache.write(key(n), 'x'.repeat(500));
        await cache.flush();
      }
      const left = (await files()).length;
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThanOrEqual(3 + 16);
      expect([await cache.read(key(0)), (await cache.read(key(63)))?.length]).toEqual([null, 500]);
    });
  });

  it('warns once when it cannot write, and continues', async () => {
    const blocked = join(folder, 'file');
    await writeFile(blocked, '');
    const warnings: string[] = [];
    const cache = createAnswerCache(blocked, (message) => warnings.push(message));
    const { client } = await withDouble({}, { cache });
    for (const user of ['a', 'b'])
      expect(await client.complete(completionRequest({ user }))).toMatchObject({ status: 'answered' });
    await cache.flush();
    expect(warnings).toEqual([expect.stringContaining('answers are not cached')]);
  });
});
