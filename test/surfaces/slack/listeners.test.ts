import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { actions, callbacks } from '../../../src/surfaces/slack/ids.ts';
import { forms } from '../../../src/surfaces/slack/render/form.ts';
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
  const sent = new Set(
    [...listeners.matchAll(/\bforms(?:\.(\w+)|\['([\w-]+)'\])/g)].map(([, word, quoted]) => word ?? quoted),
  );
  expect([...sent].sort()).toEqual(Object.keys(forms).sort());
  expect(Object.values(forms).map(({ callback }) => callback)).toEqual(
    expect.arrayContaining([...handled.views]),
  );
  const called = [...listeners.matchAll(/callback_id: callbacks\.(\w+)/g)].map(([, name]) => name);
  // Details and the menu in them are only looked at: nothing of these views is submitted.
  const [views, details] = [new Set<string>(handled.views), ['detailsView', 'manageView']];
  const others = Object.entries(callbacks).filter(([name, id]) => !details.includes(name) && !views.has(id));
  expect(called.sort()).toEqual(others.map(([name]) => name).sort());
});
