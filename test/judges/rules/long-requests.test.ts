import { describe, expect, it } from 'vitest';
import { readMeaning } from '../../../src/judges/rules/meaning.ts';
import { findMentions } from '../../../src/judges/rules/mentions.ts';
import { tokenize } from '../../../src/judges/rules/tokens.ts';
import { requestOf, vocabulary } from './reading.ts';
import { aCase, aQuestion, ask, findingOn, persona } from './world.ts';

/** Each just within the 32,000 characters that a case may have. */
const hostile: [string, number][] = [
  ['not ', 7900],
  ['pizza or ', 3500],
  ['4.5 or ', 4500],
  ['not pizza, ', 2900],
  ['no, pizza, ', 2900],
  ['rather than ', 2600],
  ['the hotel ', 3100],
  ['5 km no wait ', 2400],
];

const timed = (run: () => void): number => {
  const start = performance.now();
  run();
  return performance.now() - start;
};

/** The least of several, as a busy machine only ever makes it longer. */
const fastest = (run: () => void): number => Math.min(...[1, 2, 3].map(() => timed(run)));

describe('a request as long as a case may be', () => {
  it.each(hostile)('%j × %i is answered, and not decided', async (words, times) => {
    const evalCase = aCase(words.repeat(times));
    const judgement = await ask(aQuestion(evalCase));
    expect(judgement.status).toBe('unscored');
    expect(judgement.criteria.map(({ decision }) => decision)).toEqual(Array(5).fill('unscored'));
  });

  // What else the machine does can only make a ratio look worse, once.
  it.each(hostile)('%j: reading takes time in proportion to the length', { retry: 4 }, (words, times) => {
    const read = (count: number) => () => {
      const tokens = tokenize(words.repeat(count));
      readMeaning(tokens, findMentions(tokens, vocabulary), vocabulary);
    };
    read(100)();
    const [small, large] = [fastest(read(Math.floor(times / 8))), fastest(read(times))];
    // Eight times as long: 8 if linear, 64 if quadratic. The floor keeps tiny times from deciding.
    expect(large / Math.max(small, 5)).toBeLessThan(32);
  });

  it('is not read beyond 400 words or 60 wishes, and says so', async () => {
    const words = (count: number) => requestOf(`pizza ${'please '.repeat(count - 1)}`).tooLong;
    expect(words(400)).toBeNull();
    expect(words(401)).toContain('(401 words');
    expect(requestOf('pizza '.repeat(60)).tooLong).toBeNull();
    expect(requestOf('pizza '.repeat(61)).tooLong).toContain('(61 wishes');
    const finding = await findingOn('cuisine', aCase(`pizza ${'please '.repeat(400)}`));
    expect(finding).toMatchObject({ decision: 'unscored' });
    expect(finding.rationale).toBe(
      'The request is too long to be read exactly (401 words, at most 400 are read); ask a model.',
    );
  });

  it('is read once for all personas', async () => {
    const evalCase = aCase('pizza');
    let reads = 0;
    const { conversation } = evalCase;
    Object.defineProperty(evalCase, 'conversation', {
      get: () => {
        reads += 1;
        return conversation;
      },
    });
    await ask(aQuestion(evalCase));
    const once = reads;
    await ask(aQuestion(evalCase, { persona: persona('rule') }));
    expect(reads).toBe(once);
  });
});
