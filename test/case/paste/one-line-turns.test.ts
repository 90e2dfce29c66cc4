import { describe, expect, test } from 'vitest';
import { caseOf, problemOf } from './parse.ts';

const saidIn = (paste: string) => {
  const { case: read, assumed } = caseOf(paste);
  return { said: [...read.conversation.map(({ text }) => text), read.response], assumed };
};

describe('a paste whose line breaks a client dropped', () => {
  test.each([
    [
      'User: what is the limit? System: 80. User: and in town? System: 50 km/h.',
      ['what is the limit?', '80.', 'and in town?', '50 km/h.'],
    ],
    ['Nutzer: a b Assistent: c Nutzer: d Assistent: e', ['a b', 'c', 'd', 'e']],
  ])('has every turn, and that is said: %s', (line, said) => {
    const read = saidIn(line);
    expect(read.said).toEqual(said);
    expect(read.assumed).toContain('read as 4 turns in one line');
  });

  test('may end with the user, whose last words are named', () => {
    const { said, assumed } = saidIn('User: louder System: Done. User: thanks');
    expect(said).toEqual(['louder', 'Done.']);
    expect(assumed.join()).toContain('left out: 1 turn after');
  });

  test('of two turns is one of the declared formats', () => {
    expect(saidIn('User: find sushi System: Sakura').said).toEqual(['find sushi', 'Sakura']);
  });

  test.each([
    'User: what a System: Restore does System: It restores.',
    'User: a System: b Driver: c System: d',
    'User: what does User: mean System: You.',
  ])('is not judged where its labels do not take turns: %s', (line) => {
    expect(problemOf(line).problem).toContain('write every turn on a line of its own');
  });
});
