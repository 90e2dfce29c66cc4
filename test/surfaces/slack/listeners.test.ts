import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { actions, callbacks } from '../../../src/surfaces/slack/ids.ts';
import { handled } from './handled.ts';

const folder = fileURLToPath(new URL('../../../src/surfaces/slack', import.meta.url));
test('what listeners are registered for is exactly what is handled', () => {
  const listeners = readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .filter((text) => /^(export )?function register/m.test(text))
    .join('\n');
  const events = [...listeners.matchAll(/app\.event\('(\w+)'/g)].map(([, name]) => name);
  expect(events.sort()).toEqual(
    Object.keys(handled.events)
      .map((name) => name.replace('message.im', 'message'))
      .sort(),
  );
  const named = (prefix: string) =>
    [
      ...new Set([...listeners.matchAll(new RegExp(`\\b${prefix}\\.(\\w+)`, 'g'))].map(([, name]) => name)),
    ].sort();
  expect(named('actions')).toEqual(Object.keys(actions).sort());
  // Details are only looked at: nothing of that view is submitted.
  expect(named('callbacks')).toEqual(
    Object.keys(callbacks)
      .filter((name) => name !== 'detailsView')
      .sort(),
  );
});
