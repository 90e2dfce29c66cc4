import { describe, expect, it } from 'vitest';
import { caseOf } from './parse.ts';

const turnsOf = (text: string) => {
  const parsed = caseOf(text);
  return {
    said: parsed.case.conversation.map((turn) => turn.text),
    response: parsed.case.response,
    assumed: parsed.assumed,
  };
};

/** Five turns, the first answer marked in one way. */
const transcript = (first: string, label = 'System: ') =>
  `User: a place to eat\n${first}\nUser: something cheaper\n${label}the diner\nUser: thanks`;

describe('a transcript of several turns', () => {
  it('is judged by the last turn of the system, the turns before it stay', () => {
    const { said, response, assumed } = turnsOf(transcript('System: the grill'));
    expect(said).toEqual(['a place to eat', 'the grill', 'something cheaper']);
    expect(response).toBe('the diner');
    expect(assumed).toContain('left out: 1 turn after the one to judge');
  });

  it.each([
    ['>>> before it', transcript('>>> System: the grill')],
    ['>> before it', transcript('>> System: the grill')],
    ['>> close before it', transcript('>>System: the grill')],
    ['[judge] before it', transcript('[judge] System: the grill')],
    ['[judge this] behind it', transcript('System: the grill [judge this]')],
    ['[judge] behind it', transcript('System: the grill [judge]')],
    ['[JUDGE THIS ONE] behind it', transcript('System: the grill [JUDGE THIS ONE]')],
    ['<<< behind it', transcript('System: the grill <<<')],
    ['an arrow behind it', transcript('System: the grill <- judge this')],
    ['an arrow before it', transcript('→ System: the grill')],
    ['an arrow of two signs before it', transcript('-> System: the grill')],
    ['a star before it', transcript('* System: the grill')],
    ['a star before a bold label', transcript('* **System:** the grill', '**System:** ')],
  ])('is judged by the turn with %s, and later turns are left out with a remark', (_, text) => {
    const { said, response, assumed } = turnsOf(text);
    expect(said).toEqual(['a place to eat']);
    expect(response).toBe('the grill');
    expect(assumed).toContain('left out: 3 turns after the one to judge');
  });

  it('says which sign was taken for a mark', () => {
    expect(turnsOf(transcript('→ System: the grill')).assumed).toContain(
      'the turn marked with "→" was taken as the one to judge',
    );
  });

  it.each([
    ['bullets before every turn', '* User: a\n* System: b\n* User: c\n* System: d'],
    ['arrows before the answers', 'User: a\n→ System: b\nUser: c\n→ System: d'],
    ['a quote of the whole', '> User: a\n> System: b\n>> User: c\n> System: d'],
    ['a star before a turn of the user', 'User: a\nSystem: b\n* User: c\nSystem: d'],
  ])('takes %s for no mark', (_, text) => {
    expect(turnsOf(text).response).toBe('d');
  });
});
