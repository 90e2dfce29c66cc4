import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { parseInput } from '../../../src/case/paste/parse-input.ts';
import { createRedactor, noRedaction, type Redactor } from '../../../src/case/redact/redactor.ts';
import { shippedFolder } from '../../../src/env.ts';
import { loadCaseFormat } from '../../../src/prompting/case-fields.ts';
import { createPasteReader } from '../../../src/surfaces/service/paste-reader.ts';
import { builtIn } from '../../support/built-in.ts';

const format = loadCaseFormat([builtIn]);
const options = {
  maxCaseChars: 32_000,
  format,
  script: pathToFileURL(shippedFolder('dist/paste-worker.js')),
  promptFolders: [builtIn],
  redactor: noRedaction,
};
const opened: ReturnType<typeof createPasteReader>[] = [];
function reader(more: { deadlineMs?: number; script?: URL; redactor?: Redactor } = {}) {
  const made = createPasteReader({ ...options, ...more });
  opened.push(made);
  return made;
}
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

const long = (word: string) => `User: Find me sushi\nSystem: ${`${word} is near. `.repeat(200).trim()}`;
const problemIn = ([item]: readonly object[]) => (item && 'problem' in item ? String(item.problem) : null);

describe('a long paste', () => {
  test('is read as any other, beside the service', async () => {
    const { read } = reader();
    for (const text of [long('Sakura'), 'User: a\nSystem: b']) {
      const [item] = parseInput(text, options);
      const spans = item !== undefined && 'case' in item ? item.spans : [];
      expect(await read(text, 'ann')).toEqual([{ ...item, received: { text, spans } }]);
    }
  });

  test('that is kept redacted has its parts where they are in what is kept', async () => {
    const { read } = reader({ redactor: createRedactor(['phone']) });
    const [item] = await read('User: Call +49 171 1234567\nSystem: Calling.', 'ann');
    if (item === undefined || !('case' in item)) throw new Error('it was not read');
    expect(item.case.conversation[0]?.text).toBe('Call +49 171 1234567');
    const { text, spans } = item.received ?? { text: '', spans: [] };
    expect(spans.map(({ is, from, to }) => [is, text.slice(from, to)])).toEqual([
      ['label', 'User:'],
      ['user', 'Call [phone number]'],
      ['label', 'System:'],
      ['system', 'Calling.'],
    ]);
  });

  test('that takes too long is refused with what to do, and the next one is read', async () => {
    const endless = new URL(`data:text/javascript,
      import { parentPort } from 'node:worker_threads';
      parentPort.on('message', ({ id, text }) => {
        if (text.includes('endless')) for (;;) ;
        parentPort.postMessage({ id, items: [{ problem: 'read', missing: [], understood: {} }] });
      });
      parentPort.postMessage({ ready: true });`);
    const { read } = reader({ script: endless, deadlineMs: 200 });
    const [first, second] = await Promise.all([read(long('endless'), 'ann'), read(long('short'), 'ann')]);
    expect(problemIn(first)).toContain('shorten it to the turns that matter');
    expect(problemIn(second)).toBe('read');
  });

  test('whose thread dies is refused, and the next one is read', async () => {
    const dying = new URL(`data:text/javascript,
      import { parentPort } from 'node:worker_threads';
      parentPort.on('message', ({ id, text }) => {
        if (text.includes('deadly')) throw new Error('out of memory');
        parentPort.postMessage({ id, items: [] });
      });
      parentPort.postMessage({ ready: true });`);
    const { read } = reader({ script: dying });
    expect(problemIn(await read(long('deadly'), 'ann'))).toContain('could not be read');
    expect(await read(long('short'), 'ann')).toEqual([]);
  });

  test('waits for no more than one of each of those who sent many', async () => {
    const { read } = reader();
    const done: string[] = [];
    const ask = (who: string) => read(long(who), who).then(() => done.push(who));
    await Promise.all([...Array.from({ length: 10 }, () => ask('ann')), ask('ben')]);
    expect(done.indexOf('ben')).toBeLessThanOrEqual(2);
  });

  test('is refused where someone has far too many waiting', async () => {
    const { read } = reader();
    const all = await Promise.all(Array.from({ length: 60 }, () => read(long('Sakura'), 'ann')));
    expect(all.map(problemIn).filter((why) => why?.includes('wait for their answers'))).toHaveLength(10);
  });
});

describe('limits of one case', () => {
  const problemOf = (text: string) => problemIn(parseInput(text, options));

  test('on its lines say what to do', () => {
    expect(problemOf(`User: a\nSystem: b\nRating: ${'a\n'.repeat(15_000)}`)).toMatch(
      /Too many lines: 15,002, the limit for one case is 1,000: paste only the turns that matter/,
    );
  });

  test('grow with the characters that a case may have', () => {
    const text = `User: a\nSystem: b\n${'and more\n'.repeat(3_000)}`;
    expect(problemOf(text)).toContain('Too many lines');
    expect(problemIn(parseInput(text, { ...options, maxCaseChars: 128_000 }))).toBeNull();
  });

  test('are of one case, not of a file of cases', () => {
    const table = `user;system\n${'where is sushi?;Sakura is near\n'.repeat(2_500)}`;
    expect(parseInput(table, options).every((item) => 'case' in item)).toBe(true);
  });
});
