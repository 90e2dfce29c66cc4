import { describe, expect, it } from 'vitest';
import { findMentions } from '../../../src/judges/rules/match-phrases.ts';
import { readTokens } from '../../../src/judges/rules/read-request.ts';
import { tokenize } from '../../../src/judges/rules/tokens.ts';
import { hostile, requestOf, vocabulary } from './reading.ts';
import { aCase, aQuestion, ask, findingOn, persona } from './world.ts';

describe('a request as long as a case may be', () => {
  it.each(hostile)('%j × %i is answered, and not decided', async (words, times) => {
    const evalCase = aCase(words.repeat(times));
    const judgement = await ask(aQuestion(evalCase));
    expect(judgement.status).toBe('unscored');
    expect(judgement.criteria.map(({ decision }) => decision)).toEqual(Array(5).fill('unscored'));
  });

  it.each(hostile)('%j: its words are looked at in proportion to their number', (words, times) => {
    const looks = (count: number): number => {
      let reads = 0;
      const counted = <T>(list: T[]): T[] =>
        new Proxy(list, {
          get: (target, key) => {
            reads += 1;
            return Reflect.get(target, key);
          },
        });
      const tokens = counted(tokenize(words.repeat(count)));
      readTokens(tokens, counted(findMentions(tokens, vocabulary)), vocabulary);
      return reads;
    };
    // Eight times as long: 8 if linear, 64 if quadratic.
    expect(looks(Math.floor(times / 4)) / looks(Math.floor(times / 32))).toBeLessThan(10);
  });

  it('is looked through once for words about the way', () => {
    let looks = 0;
    const lexicons = new Proxy(vocabulary.lexicons, {
      get: (known, key) => {
        if (key !== 'get') return Reflect.get(known, key);
        return (id: string) => {
          looks += id === 'way' ? 1 : 0;
          return known.get(id);
        };
      },
    });
    const tokens = tokenize('a pizza place near the airport within 20 minutes');
    readTokens(tokens, findMentions(tokens, vocabulary), { ...vocabulary, lexicons });
    expect(looks).toBe(1);
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
