import { expect, test } from 'vitest';
import * as z from 'zod';
import { call } from '../../support/page-service.ts';
import { closeAfterEach } from '../../support/resources.ts';
import { runService } from '../../support/run-service.ts';
import { aRecord } from '../../support/store-builders.ts';

closeAfterEach();

const More = z.object({ items: z.array(z.object({ id: z.string() })), waiting: z.int() });

test('a browser that has dealt with thousands of cases still gets the next ones', async () => {
  const jury = await runService({});
  const store = await jury.parts.store();
  for (let n = 0; n < 5; n += 1) {
    const record = aRecord({ id: `v${n}`, at: Date.now() - n });
    await store.saveVerdict({ ...record, source: { ...record.source, message: `m${n}` } });
  }
  const before = Array.from({ length: 3_000 }, () => crypto.randomUUID());
  const body = { blind: 'off', without: [...before, 'v0', 'v1'] };
  const { status, text } = await call(jury.service.port, '/ui/queue', { method: 'POST', body });
  expect(status).toBe(200);
  const { items, waiting } = More.parse(JSON.parse(text));
  expect(items.map(({ id }) => id).sort()).toEqual(['v2', 'v3', 'v4']);
  expect(waiting).toBe(3);
});
