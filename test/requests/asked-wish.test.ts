import { describe, expect, test } from 'vitest';
import { stretchesOf } from '../../src/case/paste/received-text.ts';
import { wishIn, withWishLines } from '../../src/requests/asked-wish.ts';

const methods = new Map([
  ['mad', { title: 'Debate' }],
  ['io', { title: 'One judge' }],
]);
const TURNS = 'User: Where to?\nSystem: To Chez Luc.';

describe('how to judge, in a message', () => {
  test.each([
    ['above', `Method: mad\nModel: openai/gpt-4o-mini\n${TURNS}`],
    ['below', `${TURNS}\n\nMethod: mad\nModel: openai/gpt-4o-mini`],
    ['around, beside the rubric', `method: Debate\n\n${TURNS}\nModels: openai/gpt-4o-mini`],
    ['in bold', `*Method:* mad\n**Model**: openai/gpt-4o-mini\n${TURNS}`],
  ])('is read %s the paste, which stays as it is', (_, text) => {
    expect(wishIn(text, methods)).toMatchObject({
      text: TURNS,
      wish: { method: 'mad', models: ['openai/gpt-4o-mini'] },
      ignored: [],
    });
  });

  test('leaves the line of the rubric to the reader', () => {
    const { text, wish } = wishIn(`Rubric: navigation\nMethod: io\n${TURNS}`, methods);
    expect(text).toBe(`Rubric: navigation\n${TURNS}`);
    expect(wish).toEqual({ method: 'io' });
  });

  test('takes several models, and exact checks', () => {
    expect(wishIn(`Models: rules, openai/gpt-4o\n${TURNS}`, methods).wish).toEqual({
      models: ['rules', 'openai/gpt-4o'],
    });
  });

  test('alone is about what stands above in the thread', () => {
    expect(wishIn('Method: mad', methods)).toMatchObject({ text: '', wish: { method: 'mad' }, ignored: [] });
  });

  test.each([
    ['a turn of a system that is labeled Model', 'User: Hi\nModel: Hello, where to?'],
    ['a turn of a system at the start', 'Model: Hello, where to?\nUser: To Rome\nModel: Here we go.'],
    ['a line between the turns', 'User: How do I cook it?\nMethod: mad\nSystem: Stir it.'],
    ['a line with an unknown method above', 'Method: guess\nUser: A recipe?\nSystem: Pasta.'],
    ['the end of an answer', 'User: How do I call it?\nSystem: At /v1/items.\n\nMethod: GET'],
    ['a line within an answer', 'User: A recipe?\nSystem: Pasta.\nMethod: boil\nServe hot.'],
  ])('is not read from %s', (_, text) => {
    expect(wishIn(text, methods)).toEqual({ text, wish: {}, ignored: [], lines: [] });
  });

  test('says what was not used', () => {
    const text = `Method: mad\nMethod: io\nModel: a/b\nModel: c/d\n${TURNS}`;
    expect(wishIn(text, methods)).toMatchObject({
      text: TURNS,
      wish: { method: 'mad', models: ['a/b'] },
      ignored: ['not used: Method “io”, a second one', 'not used: Model “c/d”, a second one'],
    });
  });

  test('stands in the text as it was received, read as what it sets', () => {
    const text = `Method: Debate\n${TURNS}\n\n*Model:* a/b\nModel: c/d`;
    const asked = wishIn(text, methods);
    const spans = [
      { from: 0, to: 5, is: 'label' as const },
      { from: 6, to: 15, is: 'user' as const },
    ];
    const received = withWishLines({ text: asked.text, spans }, asked.lines);
    expect(received.text).toBe(`Method: Debate\n${TURNS}\n*Model:* a/b\nModel: c/d`);
    expect(
      stretchesOf(received).flatMap(({ is, text: said, path, why }) =>
        is === null || is === 'label' ? [] : [[is, said, path ?? why ?? '']],
      ),
    ).toEqual([
      ['field', 'Debate', 'method'],
      ['user', 'Where to?', ''],
      ['field', 'a/b', 'model'],
      ['left out', 'c/d', 'a second one'],
    ]);
  });
});
