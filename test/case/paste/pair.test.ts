import { describe, expect, it } from 'vitest';
import { caseOf, itemsOf, parseOne } from './parse.ts';

const answersOf = (text: string) => {
  const { response, alternative, answerNames, conversation } = caseOf(text).case;
  return {
    said: conversation.map((turn) => turn.text),
    response,
    second: alternative?.response,
    answerNames,
  };
};

describe('two answers to one request', () => {
  it.each([
    ['A:', 'B:', ['A', 'B']],
    ['Old:', 'New:', ['Old', 'New']],
    ['Alt:', 'Neu:', ['Alt', 'Neu']],
    ['Answer A:', 'Answer B:', ['Answer A', 'Answer B']],
    ['Antwort A:', 'Antwort B:', ['Antwort A', 'Antwort B']],
    ['**Old:**', '**New:**', ['Old', 'New']],
    ['- old:', '- new:', ['old', 'new']],
  ])('are read below %s and %s, and keep these names', (first, second, answerNames) => {
    expect(answersOf(`User: Set it to 22 degrees\n${first} Yes.\n${second} It is 22 degrees now.`)).toEqual({
      said: ['Set it to 22 degrees'],
      response: 'Yes.',
      second: 'It is 22 degrees now.',
      answerNames,
    });
  });

  it('are A and B in that order, in whichever they stand', () => {
    expect(answersOf('User: Warmer\nNew: Now 22.\nOld: Yes.')).toMatchObject({
      response: 'Yes.',
      second: 'Now 22.',
      answerNames: ['Old', 'New'],
    });
  });

  it('may have several lines, earlier turns and data of their own', () => {
    const { case: read } = caseOf(
      [
        'User: sushi',
        'System: Where?',
        'User: near me',
        'Date: 2024-03-04',
        'A: How about Umi,\nwhich is good?',
        'Name: Umi\nRating: 4.1',
        'B:',
        'Try Sakura.',
        'Name: Sakura\nRating: 4.3',
      ].join('\n'),
    );
    expect(read).toMatchObject({
      conversation: [{ text: 'sushi' }, { text: 'Where?' }, { text: 'near me' }],
      context: { date: '2024-03-04' },
      response: 'How about Umi,\nwhich is good?',
      recommendation: { name: 'Umi', rating: 4.1 },
      alternative: { response: 'Try Sakura.', recommendation: { name: 'Sakura', rating: 4.3 } },
    });
  });

  it('can be several pairs between lines of dashes', () => {
    const one = 'User: Warmer\nA: Yes.\nB: Now 22.';
    const parsed = itemsOf(`${one}\n---\n${one}`);
    expect(parsed).toHaveLength(2);
    for (const each of parsed)
      expect('case' in each && each.case.alternative).toEqual({ response: 'Now 22.' });
  });

  it.each([
    ['options of a question', 'System: Which one?\nUser: you tell me\nA: Umi\nB: Sakura\nSystem: Umi it is.'],
    ['a choice that the user gives', 'User: Which one?\nA: Umi\nB: Sakura\nSystem: Umi.'],
    ['labels of other pairs', 'User: Warmer\nOld: Yes.\nB: Now 22.\nSystem: Done.'],
    ['a dialog of two', 'A: Find me sushi\nB: Try Umi.'],
    ['a label that comes twice', 'User: Warmer\nA: one\nB: two\nA: three\nSystem: Done.'],
  ])('are not %s', (_, text) => {
    for (const parsed of itemsOf(text))
      expect('case' in parsed ? parsed.case.alternative : undefined).toBeUndefined();
  });

  it('with an empty answer say which part is missing', () => {
    expect(parseOne('User: Warmer\nA: Yes.\nB:')).toMatchObject({ missing: ['response'] });
  });

  it('are a case in JSON too', () => {
    const json = {
      conversation: [{ role: 'user', text: 'Warmer' }],
      response: 'Yes.',
      alternative: { response: 'Now 22.', recommendation: { name: 'Umi' } },
      answerNames: ['Old', 'New'],
    };
    expect(caseOf(JSON.stringify(json)).case).toEqual(json);
  });
});

describe('two answers in a table or an object', () => {
  const said = { response: 'Yes.', alternative: { response: 'Now 22.' } };

  it.each([
    ['CSV', 'user,old,new\nWarmer,Yes.,Now 22.'],
    ['Markdown', '| User | old | new |\n|---|---|---|\n| Warmer | Yes. | Now 22. |'],
    ['an object', JSON.stringify({ user: 'Warmer', old: 'Yes.', new: 'Now 22.' })],
  ])('are read from %s', (_, text) => {
    expect(caseOf(text).case).toEqual({
      conversation: [{ role: 'user', text: 'Warmer' }],
      ...said,
      answerNames: ['old', 'new'],
    });
  });

  it('are read from the columns response and alternative', () => {
    expect(caseOf('user,response,alternative\nWarmer,Yes.,Now 22.').case).toMatchObject(said);
  });

  it('are one answer where the other cell is empty', () => {
    expect(caseOf('user,response,alternative\nWarmer,Yes.,').case).not.toHaveProperty('alternative');
  });
});
