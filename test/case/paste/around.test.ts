import { describe, expect, it } from 'vitest';
import { noteKind } from '../../../src/case/case.ts';
import { caseOf, itemsOf, wholeOf } from './parse.ts';

const PAIR = 'User: find pizza\nSystem: Try Luigi';
const CASE = { conversation: [{ role: 'user', text: 'find pizza' }], response: 'Try Luigi' };
const leftOut = (text: string) => `left out: text that belongs to no turn ("${text}")`;

const remark = (text: string) => `left out: what is said about the response ("${text}")`;

describe('text after the response', () => {
  it.each([
    ['text outside the quote', '> User: find pizza\n> System: Try Luigi\nhm, wrong?', 'hm, wrong?'],
    ['text outside the fence', `\`\`\`\n${PAIR}\n\`\`\`\nhm, wrong?`, 'hm, wrong?'],
    ['text behind the fence', `\`\`\`${PAIR}\`\`\` hm, wrong?`, 'hm, wrong?'],
    [
      'text outside the fence of a turn',
      'User:\n```\nfind pizza\n```\nSystem:\n```\nTry Luigi\n```\nso what?',
      'so what?',
    ],
  ])('is left out, and that is said: %s', (_, text, said) => {
    const parsed = caseOf(text);
    expect(parsed).toEqual({ case: CASE, assumed: [leftOut(said)] });
  });

  it('with the time of the turns around it is left out without saying twice how to use the time', () => {
    const { assumed } = caseOf(
      '[09:14:22] DRIVER> make it 23\n[09:14:23] NLU> conf=0.91\n[09:14:25] CAR> 19 it is',
    );
    expect(assumed).toEqual([
      'left out: the time of each line ("09:14:22", "09:14:25"): add "Time: 09:14" if that was the moment of the request',
      leftOut('[09:14:23] NLU> conf=0.91'),
    ]);
  });

  it('outside the quote stays out when the venue’s data comes between', () => {
    const parsed = caseOf('> User: find pizza\n> System: Try Luigi\nName: Luigi\nRating: 4.6\nhm, wrong?');
    expect(parsed.case.response).toBe('Try Luigi');
    expect(parsed.assumed).toContain(leftOut('hm, wrong?'));
  });

  it('within the same quote belongs to the response, blank lines or not', () => {
    expect(caseOf('> User: a\n> System: b\n\n> c').case.response).toBe('b\n\nc');
  });

  it('continues a response that announces a fence, and may be part of it behind', () => {
    const parsed = caseOf('User: a\nSystem: Here:\n```\n1. Luigi\n```\nShall I start?');
    expect(parsed.case.response).toBe('Here:\n1. Luigi');
    expect(parsed.unsure?.withIt.response).toBe('Here:\n1. Luigi\nShall I start?');
  });
});

describe('a line below the response', () => {
  it.each([
    ['an open comma', 'I recommend Luigi,\nwhich is close.'],
    ['a word that ends no sentence', 'The place is near the\nMarienplatz.'],
    ['a small letter where nothing ended', 'I found a place\nnear you.'],
    ['a colon', 'Here is what I found:\n\nLuigi, 4.3'],
    ['a list', 'Try one of these:\n- Luigi\n\n- Mario'],
    ['numbers', 'Two places:\n1. Luigi\n2. Mario'],
    ['names with values', 'Here is your day:\nMeeting: 10:00\nLunch: 12:30'],
    ['pictures', 'Two ways:\n🚗 by car\n👤 on foot'],
    ['the quote that it began with', '“Try Luigi.\nIs this ok?”'],
  ])('is the response’s where it continues %s', (_, response) => {
    const parsed = caseOf(`User: find pizza\nSystem: ${response}`);
    expect(parsed.unsure).toBeUndefined();
    expect(parsed.case.response).toBe(response.replace(/[“”]/g, ''));
  });

  it('is unsure between it and the data of its place, too', () => {
    const parsed = caseOf(`${PAIR}.\nHave a nice meal there.\nName: Luigi`);
    expect(parsed.case.response).toBe('Try Luigi.');
    expect(parsed.unsure?.text).toBe('Have a nice meal there.');
  });

  it.each([
    'wdyt',
    'Is this ok?',
    'Please judge.',
    'thoughts?',
    'what do you think?',
    'Can someone judge? Thx',
    'Pass or fail?',
    'looks wrong to me',
    'Ist das so richtig?',
    'was meint ihr?',
    'Bitte mal prüfen',
    'wdyt @anna',
    '@jury what do you think?',
    'so what does @Jury say?',
    '<@U123> is that fine?',
    'Comment: that one is closed',
    '^^ that one is closed',
    '_Reviewed by Kim_',
    '👎',
  ])('is a remark where all of it is one: %s', (line) => {
    for (const between of ['\n', '\n\n'])
      expect(caseOf(`${PAIR}${between}${line}`)).toEqual({ case: CASE, assumed: [remark(line)] });
  });

  it.each([
    'I think you should stop soon.',
    'I think the rating is 3.1 in reality',
    'I think this should have been the passenger side.',
    "That's wrong, there is no such place",
    "That's right around the corner.",
    'This should be enough for the trip.',
    'Can someone check the POI filter?',
    'seen on build 2446 as well',
    'i think that is 3.1',
    'imo not good',
    'Thanks for waiting.',
    'I found two more.',
    'Ich finde, das hätte er fragen müssen.',
    'Wir haben noch zwei gefunden.',
    'Or ask @luigi.',
    '-> should be 4.6',
    'Mo 04.03.24, 22:15',
    'Notes: ask again',
    '## Other options',
  ])('may be either: %s', (line) => {
    for (const between of ['\n', '\n\n']) {
      const parsed = caseOf(`${PAIR}${between}${line}`);
      expect(parsed).toEqual({
        case: CASE,
        unsure: { text: line, withIt: { ...CASE, response: `Try Luigi${between}${line}` } },
        assumed: [`left out: text that may be part of the response, or a remark about it ("${line}")`],
      });
    }
  });

  it('is not known below one that is not known, and neither below a remark', () => {
    const parsed = caseOf(`${PAIR}.\nI doubt it,\nwdyt\nand so on`);
    expect(parsed.case.response).toBe('Try Luigi.');
    expect(parsed.unsure?.text).toBe('I doubt it,\nand so on');
  });

  it('is part of an earlier answer, on which nothing rests', () => {
    const parsed = caseOf('User: a\nSystem: b\nOr c?\nUser: d\nSystem: e');
    expect(parsed.case.conversation[1]?.text).toBe('b\nOr c?');
    expect(parsed.unsure).toBeUndefined();
  });

  it('is no part of anything behind what ends a message', () => {
    const parsed = caseOf(`${PAIR}\n\nBest regards\nPriya`);
    expect(parsed.case).toEqual(CASE);
    expect(parsed.unsure).toBeUndefined();
  });

  it('behind the venue’s data may be either', () => {
    const parsed = caseOf(`${PAIR}\n{"name": "Luigi", "rating": 4}\nweird, no?`);
    expect(parsed.case.response).toBe('Try Luigi');
    expect(parsed.unsure?.text).toBe('weird, no?');
  });
});

describe('what was expected', () => {
  it.each([
    ['Expected: Try Mario', 'Try Mario'],
    ['Erwartet: Try Mario', 'Try Mario'],
    ['Expected result:\nTry Mario\nor ask', 'Try Mario\nor ask'],
    ['Soll: Try Mario\n\nseen twice', 'Try Mario'],
  ])('is kept apart from the response: %s', (lines, groundTruth) => {
    const parsed = caseOf(`${PAIR}\n${lines}`);
    expect(parsed.case).toEqual({ ...CASE, groundTruth });
    expect(parsed.assumed[0]).toMatch(/was kept as what was expected, not as part of the answer$/);
  });

  it('does not make a second answer out of what tells of the first', () => {
    const parsed = caseOf(`${PAIR}\nActual: it said Luigi\nExpected: Mario`);
    expect(parsed.case).toEqual({ ...CASE, groundTruth: 'Mario' });
    expect(parsed.assumed).toContain('not used: Actual "it said Luigi"');
  });
});

describe('what a log says beside the turns', () => {
  it.each([
    [`Session: 4711\n${PAIR}`, 'Session "4711"'],
    [
      `User: find pizza\nIntent: FindPlace\nConfidence: 0.93\nSystem: Try Luigi`,
      'Intent "FindPlace", Confidence "0.93"',
    ],
    [`${PAIR}\nStatus: open\nEnvironment: HU 7.1`, 'Status "open", Environment "HU 7.1"'],
  ])('is not used, and that is said: %s', (text, said) => {
    const parsed = caseOf(text);
    expect(parsed.case).toEqual(CASE);
    expect(parsed.assumed).toEqual([`not used: ${said}`]);
  });

  it.each(['Your car:\nStatus: charging\nReady at 10:30', 'Luigi is near.\nStatus: open now\nShall I go?'])(
    'may be text among other lines of an answer: %s',
    (response) => {
      expect(wholeOf(caseOf(`User: find pizza\nSystem: ${response}`))).toBe(response);
    },
  );
});

describe('exchanges between blank lines', () => {
  it.each([
    'User: a\n\nSystem: b\n\nUser: c\n\nSystem: d',
    'User: a\nSystem: b\n\nUser: c\nSystem: d',
    'User: a\nSystem: b?\n\nUser: and c\nSystem: d',
  ])('are one conversation: %s', (text) => {
    const parsed = caseOf(text);
    expect(parsed.case.conversation).toHaveLength(3);
    expect(parsed.assumed).toEqual([]);
  });
});

describe('a moment after the response', () => {
  it.each([
    ['now: 2024-07-01 13:00', { date: '2024-07-01', time: '13:00' }],
    ['jetzt: 01.07.2024, 13 Uhr', { date: '2024-07-01', time: '13:00' }],
  ])('is read: %s', (line, context) => {
    expect(caseOf(`${PAIR}\n${line}`).case).toEqual({ ...CASE, context });
  });

  it('is not made out of a word of the response', () => {
    expect(wholeOf(caseOf('User: a\nSystem: Now: turn left'))).toBe('Now: turn left');
  });
});

describe('no moment', () => {
  it('is said where a venue is judged, and only there', () => {
    expect(caseOf(PAIR).assumed).toEqual([]);
    expect(caseOf(`${PAIR}\nName: Luigi`).assumed).toEqual([
      'Missing: date, time, so opening hours are not judged; add "Date: 2026-03-02" and "Time: 20:35"',
    ]);
  });
});

describe('several labelled cases in one text', () => {
  it.each(['---', '=====', '-----------'])(
    'between lines of %s are a case each, and that is said',
    (rule) => {
      const parsed = itemsOf(`User: a\nSystem: b\nDate: 2024-03-04\n${rule}\nU: c\nS: d\n\n${rule}\n`);
      expect(parsed).toEqual([
        {
          case: {
            conversation: [{ role: 'user', text: 'a' }],
            response: 'b',
            context: { date: '2024-03-04' },
          },
          assumed: ['split into 2 cases at the lines of dashes: this is case 1'],
        },
        {
          case: { conversation: [{ role: 'user', text: 'c' }], response: 'd' },
          assumed: ['split into 2 cases at the lines of dashes: this is case 2'],
        },
      ]);
    },
  );

  it('keep a part without a speaker with the case before it', () => {
    const parsed = itemsOf('User: a\nSystem: b\n---\nName: X\nRating: 4\n---\nUser: c\nSystem: d');
    expect(parsed).toHaveLength(2);
    expect(parsed[0]).toHaveProperty('case.recommendation', { name: 'X', rating: 4 });
  });

  it('are one where a part has one side only', () => {
    const parsed = caseOf('User: a\nSystem: b\n---\nUser: c\n---\nSystem: d');
    expect(parsed.case.conversation.map((turn) => turn.text)).toEqual(['a', 'b', 'c']);
    expect(parsed.case.response).toBe('d');
  });

  it('with a problem in one keep the others', () => {
    const parsed = itemsOf('User: a\nSystem: b\n---\nSystem: c\nUser: d\nSystem:');
    expect(parsed[0]).toHaveProperty('case.response', 'b');
    expect(parsed[1]).toHaveProperty('problem', expect.stringMatching(/^Case 2 of 2: .*response is empty/));
  });
});

describe('the number of a case', () => {
  const two = (first: string, second: string) =>
    `${first}\nUser: a b\nSystem: c d\n\n${second}\nUser: e f\nSystem: g h`;

  it.each([
    ['1)', '2)'],
    ['Case 1:', 'Case 2:'],
    ['#1', '#2'],
    ['### Test case 1', '### Test case 2'],
  ])('parts cases and is not reported: %s', (first, second) => {
    const parsed = itemsOf(two(first, second));
    expect(parsed).toHaveLength(2);
    expect(JSON.stringify(parsed)).not.toContain('left out');
  });

  it('with a title behind it is', () => {
    expect(JSON.stringify(itemsOf(two('Case 1: too warm', 'Case 2: too cold')))).toContain('too warm');
  });
});

describe('what a note is about', () => {
  it('is never recognized by words of the paste', () => {
    const { assumed } = caseOf('User: a b\nSystem: c d\nTitle: my bag was assumed\nScore: 9: assumed; sorry');
    expect(assumed.map(noteKind)).toEqual(['left out']);
  });

  it('is recognized by its first words', () => {
    const { assumed } = caseOf('User: a b\nSystem: c d\nLatency: quite long');
    expect(assumed.map(noteKind)).toEqual(['left out']);
  });
});

describe('what the car reports below an answer', () => {
  it('may be part of the response where no field holds it', () => {
    const parsed = caseOf('User: warmer please\nSystem: Done.\nTemperature: 23');
    expect(parsed.case.response).toBe('Done.');
    expect(parsed.unsure?.text).toBe('Temperature: 23');
  });
});
