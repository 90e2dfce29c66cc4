import { describe, expect, it } from 'vitest';
import { caseOf, problemOf, wholeOf } from './parse.ts';

describe('one-letter labels', () => {
  it('are text where labels in words come first', () => {
    const parsed = caseOf('User: pick one\nSystem: You have two options.\nA: Luigi\nB: Mario');
    expect(wholeOf(parsed)).toBe('You have two options.\nA: Luigi\nB: Mario');
  });

  it('after a label in words make no turn out of nothing', () => {
    expect(problemOf('System: You have two options.\nA: Luigi\nB: Mario').understood.response).toBe(
      'You have two options.',
    );
    expect(problemOf('A: Luigi\nB: Mario').problem).toContain('No label says who speaks');
  });

  it.each([
    ['U', 'S'],
    ['Q', 'A'],
    ['H', 'A'],
  ])('count as a pair: %s and %s', (user, system) => {
    const parsed = caseOf(`${user}: pick\n${system}: Two options:\nB: Luigi\nC: Mario`);
    expect(parsed.case.conversation).toEqual([{ role: 'user', text: 'pick' }]);
    expect(parsed.case.response).toBe('Two options:\nB: Luigi\nC: Mario');
  });

  it('before labels in words are a remark', () => {
    const parsed = caseOf('Q: is this right?\nUser: a\nSystem: b');
    expect(parsed.case.conversation).toEqual([{ role: 'user', text: 'a' }]);
    expect(parsed.assumed).toEqual(['left out: text before the first label ("Q: is this right?")']);
  });
});

describe('pictures as labels', () => {
  it.each([
    ['👤', '🤖'],
    ['🧑', '🚗'],
    ['👩🏽', '🚘'],
    ['🧑‍💻', '💻'],
    ['🗣️:', '🤖:'],
    ['👤 :', '🚗 :'],
    [':bust_in_silhouette:', ':robot_face:'],
  ])('%s and %s', (user, system) => {
    const parsed = caseOf(`${user} find pizza\n${system} Try Luigi,\nit is close.`);
    expect(parsed.case).toEqual({
      conversation: [{ role: 'user', text: 'find pizza' }],
      response: 'Try Luigi,\nit is close.',
    });
    expect(parsed.assumed).toEqual([]);
  });

  it('are text where labels in words come first', () => {
    const parsed = caseOf('👤 User: go\n🤖 System: Two ways:\n🚗 by car\n👤 on foot');
    expect(parsed.case.response).toBe('Two ways:\n🚗 by car\n👤 on foot');
  });
});

describe('a label after a mention or a greeting', () => {
  it.each([
    ['<@U123>', '<@U123> User: find pizza'],
    ['<@U123>', '&lt;@U123&gt; User: find pizza'],
    ['<@U123|jury>', '<@U123|jury> *User:* find pizza'],
    ['@Jury', '@Jury User: find pizza'],
    ['Hey @Jury,', 'Hey @Jury, User: find pizza'],
    ['Hi all,', 'Hi all, User: find pizza'],
    ['@Jury can you check this?', '@Jury can you check this? User: find pizza'],
    ['<@U123>', '<@U123> ```User: find pizza'],
  ])('is found, and %s is said to be left out', (said, line) => {
    const parsed = caseOf(`${line}\nSystem: Try Luigi`);
    expect(parsed.case).toEqual({
      conversation: [{ role: 'user', text: 'find pizza' }],
      response: 'Try Luigi',
    });
    expect(parsed.assumed).toEqual([`left out: text before the first label ("${said}")`]);
  });

  it('is found for letters too', () => {
    expect(caseOf('<@U123> U: find pizza\nS: Try Luigi').case.response).toBe('Try Luigi');
  });

  it('is not looked for within what was said', () => {
    expect(caseOf('User: a\nSystem: Hi Anna, model: X5').case.response).toBe('Hi Anna, model: X5');
  });
});

describe('the time of a line', () => {
  it.each([
    ['[10:32] User: a\n[10:33] System: b', '"Time: 10:32"'],
    ['10:32 User: a\n10:33 System: b', '"Time: 10:32"'],
    ['2024-03-04 20:35:01 User: a\n2024-03-04 20:35:02 System: b', '"Date: 2024-03-04" and "Time: 20:35"'],
    ['04.03.2024, 20:35 - User: a\n04.03.2024, 20:36 - System: b', '"Date: 2024-03-04" and "Time: 20:35"'],
    ['User  10:32 PM\na\nAssistant  10:33 PM\nb', '"Time: 22:32"'],
  ])('is left out, and how to use it is said: %s', (text, hint) => {
    const parsed = caseOf(text);
    expect(parsed.case).toEqual({ conversation: [{ role: 'user', text: 'a' }], response: 'b' });
    expect(parsed.assumed).toEqual([
      expect.stringMatching(/^left out: the time of each line \(".*", ".*"\): add /),
    ]);
    expect(parsed.assumed[0]).toContain(`add ${hint} if that was the moment of the request`);
  });

  it('in an object or a log is treated alike', () => {
    const hint = 'add "Date: 2024-03-04" and "Time: 20:35" if that was the moment of the request';
    const object = caseOf('{"timestamp":"2024-03-04T20:35:00","user":"a","system":"b"}');
    const log = caseOf('2024-03-04 20:35:01 INFO {"user":"a","system":"b"}');
    const line = caseOf('User: a\nSystem: b\nTimestamp: 2024-03-04 20:35');
    for (const { assumed } of [object, log, line]) expect(assumed.join()).toContain(hint);
  });
});

describe("names in Slack's copy of messages", () => {
  it('are a problem that says who was seen and how to label', () => {
    const parsed = problemOf('Anna  10:32 AM\nfind pizza\nBen  10:33 AM\nTry Luigi');
    expect(parsed.problem).toContain('Speaking: Anna, Ben');
    expect(parsed.problem).toContain('"Anna 10:32 AM" with "User:" or "System:"');
    expect(parsed.understood).toEqual({});
  });

  it.each([
    ['an app', 'Anna  10:32 AM\nfind pizza\nSally  APP  10:33 AM\nTry Luigi', 'Sally'],
    ['a name that says so', 'Anna  10:32 AM\nfind pizza\nCarBot  10:33 AM\nTry Luigi', 'CarBot'],
    ['a label', 'Anna  10:32 AM\nfind pizza\nAssistant  10:33 AM\nTry Luigi', null],
  ])('are who is left beside %s, and that is said', (_, text, system) => {
    const parsed = caseOf(text);
    expect(parsed.case).toEqual({
      conversation: [{ role: 'user', text: 'find pizza' }],
      response: 'Try Luigi',
    });
    expect(parsed.assumed).toContain(
      `read ${system === null ? '' : `"${system}" as the system, `}"Anna" as the user`,
    );
  });

  it('that spoke only after the response are left out, and that is said', () => {
    const parsed = caseOf(
      'Anna  10:32 AM\nfind pizza\nCarBot  10:33 AM\nTry Luigi\nBen  10:40 AM\nthat one is closed',
    );
    expect(parsed.case.response).toBe('Try Luigi');
    expect(parsed.assumed).toContain(
      'left out: a message that belongs to no turn ("Ben 10:40 AM that one is closed")',
    );
  });

  it('end the response', () => {
    const parsed = caseOf('User  10:32 AM\na\nAssistant  10:33 AM\nb\nAnna  10:40 AM\nis that ok?');
    expect(parsed.case.response).toBe('b');
    expect(parsed.assumed.join()).toContain('("Anna 10:40 AM is that ok?")');
  });
});
