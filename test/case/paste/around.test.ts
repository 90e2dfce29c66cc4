import { describe, expect, it } from 'vitest';
import { noteKind } from '../../../src/case/case.ts';
import { caseOf, parseAll } from './parse.ts';

const PAIR = 'User: find pizza\nSystem: Try Luigi';
const CASE = { conversation: [{ role: 'user', text: 'find pizza' }], response: 'Try Luigi' };
const leftOut = (text: string) => `left out: text that belongs to no turn ("${text}")`;

describe('text after the response', () => {
  it.each([
    ['a paragraph for the app', `${PAIR}\n\n@jury what do you think?`, '@jury what do you think?'],
    ['a line for the app', `${PAIR}\n<@U123> is that fine?`, '<@U123> is that fine?'],
    ['a paragraph that names the app', `${PAIR}\n\nso what\ndoes @Jury say?`, 'so what does @Jury say?'],
    ['all after that', `${PAIR}\n\n@jury ok?\n\nI doubt it.`, '@jury ok? I doubt it.'],
    ['text outside the quote', '> User: find pizza\n> System: Try Luigi\nhm, wrong?', 'hm, wrong?'],
    ['text outside the fence', `\`\`\`\n${PAIR}\n\`\`\`\nhm, wrong?`, 'hm, wrong?'],
    ['text behind the fence', `\`\`\`${PAIR}\`\`\` hm, wrong?`, 'hm, wrong?'],
    [
      'text outside the fence of a turn',
      'User:\n```\nfind pizza\n```\nSystem:\n```\nTry Luigi\n```\nhm?',
      'hm?',
    ],
  ])('is left out, and that is said: %s', (_, text, said) => {
    const parsed = caseOf(text);
    expect(parsed.case).toEqual(CASE);
    expect(parsed.assumed.map((assumption) => assumption.replace('" ', '"'))).toEqual([leftOut(said)]);
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

  it('belongs to a response that holds a fence itself', () => {
    expect(caseOf('User: a\nSystem: Here:\n```\n1. Luigi\n```\nShall I start?').case.response).toBe(
      'Here:\n1. Luigi\nShall I start?',
    );
  });

  it('behind the venue’s data is named, for it may be a remark', () => {
    const parsed = caseOf(`${PAIR}\n{"name": "Luigi", "rating": 4}\nweird, no?`);
    expect(parsed.case.response).toBe('Try Luigi\n\nweird, no?');
    expect(parsed.assumed).toContain('"weird, no?" after the venue\'s data was read as part of the response');
  });

  it('that mentions another person belongs to the response', () => {
    expect(caseOf(`${PAIR}\n\nOr ask @luigi.`).case.response).toBe('Try Luigi\n\nOr ask @luigi.');
  });
});

describe('a paragraph below the response', () => {
  it.each([
    'I think this should have been the passenger side.',
    "That's wrong, there is no such place",
    'Can someone check the POI filter?',
    'Best regards\nPriya',
    'Ich finde, das hätte er fragen müssen.',
    'seen on build 2446 as well',
  ])('is left out where a colleague speaks: %s', (said) => {
    const parsed = caseOf(`${PAIR}\n\n${said}`);
    expect(parsed.case).toEqual(CASE);
    expect(parsed.assumed).toEqual([leftOut(said.replace('\n', ' '))]);
  });

  it.each([
    'I think you will like it there.',
    "That's right around the corner.",
    'This should be enough for the trip.',
    'Thanks for waiting.',
    'I found two more.',
    'Can you check the tire?',
    'What do you think?',
    'Ich finde leider kein anderes.',
    'Wir haben noch zwei gefunden.',
    '## Other options',
  ])('stays where it may be the assistant, and that is said: %s', (said) => {
    const parsed = caseOf(`${PAIR}\n\n${said}`);
    expect(parsed.case).toEqual({ ...CASE, response: `Try Luigi\n\n${said}` });
    expect(parsed.assumed).toEqual([
      `the last paragraph ("${said}") was read as part of the response: remove it if it is a remark`,
    ]);
  });

  it('is not needed for a remark that says what it is', () => {
    expect(caseOf(`${PAIR}\nComment: that one is closed`).case).toEqual(CASE);
    expect(caseOf(`${PAIR}\n^^ that one is closed`).case).toEqual(CASE);
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
    'is text among other lines of an answer: %s',
    (response) => {
      expect(caseOf(`User: find pizza\nSystem: ${response}`).case).toEqual({ ...CASE, response });
    },
  );
});

describe('exchanges between blank lines', () => {
  it.each([
    ['an answer that asks', `${PAIR}?\n\nUser: Luigi\nSystem: On the way.`],
    ['a turn that goes on', `${PAIR}\n\nUser: and the second one\nSystem: On the way.`],
  ])('are one conversation after %s, and that is said', (_, text) => {
    const parsed = caseOf(text);
    expect(parsed.case.conversation).toHaveLength(3);
    expect(parsed.assumed).toEqual(['read as one conversation: put a line "---" between cases of their own']);
  });

  it('are one conversation where blank lines part all turns', () => {
    const parsed = caseOf('User: a\n\nSystem: b\n\nUser: c\n\nSystem: d');
    expect(parsed.case.conversation).toHaveLength(3);
    expect(parsed.assumed).toEqual([]);
  });
});

describe('a moment after the response', () => {
  it.each([
    ['now: 2024-07-01 13:00', { date: '2024-07-01', time: '13:00' }],
    ['jetzt: 01.07.2024, 13 Uhr', { date: '2024-07-01', time: '13:00' }],
    ['Mo 04.03.24, 22:15', { date: '2024-03-04', time: '22:15' }],
    ['2024-03-04 8:15 pm', { date: '2024-03-04', time: '20:15' }],
    ['\n22:15', { time: '22:15' }],
  ])('is read: %s', (line, context) => {
    expect(caseOf(`${PAIR}\n${line}`).case).toEqual({ ...CASE, context });
  });

  it('that no label names is said', () => {
    expect(caseOf(`${PAIR}\n\nMo 04.03.24, 22:15`).assumed).toContain(
      '"Mo 04.03.24, 22:15" was read as the user\'s date and time, not as part of the response',
    );
  });

  it('outside the quote is read as well', () => {
    const parsed = caseOf('> User: find pizza\n> System: Try Luigi\n04.03.2024 22:15');
    expect(parsed.case).toEqual({ ...CASE, context: { date: '2024-03-04', time: '22:15' } });
  });

  it.each([
    ['a list of times', 'The trains are:\n10:15\n11:15'],
    ['a list of dates', 'Free tables\n04.03.2024 18:00\n05.03.2024 19:00'],
    ['what a colon announces', 'It opens at:\n04.03.2024 18:00'],
    ['a word of the response', 'Now: turn left'],
    ['a line within the response', 'Your meeting\nMon 04.03.2024 18:00\nis with Anna.'],
  ])('is not made out of %s', (_, response) => {
    expect(caseOf(`User: a\nSystem: ${response}`).case).toEqual({
      conversation: [{ role: 'user', text: 'a' }],
      response,
    });
  });

  it('that contradicts the one before is not used, and that is said', () => {
    const parsed = caseOf('User: a\nDate: 2024-03-04\nSystem: b\n\nDi 05.03.2024, 22:15');
    expect(parsed.case.context).toEqual({ date: '2024-03-04', time: '22:15' });
    expect(parsed.assumed.join('\n')).toContain('where 2024-03-04 was given first');
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
      const parsed = parseAll(`User: a\nSystem: b\nDate: 2024-03-04\n${rule}\nU: c\nS: d\n\n${rule}\n`);
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
    const parsed = parseAll('User: a\nSystem: b\n---\nName: X\nRating: 4\n---\nUser: c\nSystem: d');
    expect(parsed).toHaveLength(2);
    expect(parsed[0]).toHaveProperty('case.recommendation', { name: 'X', rating: 4 });
  });

  it('are one where a part has one side only', () => {
    const parsed = caseOf('User: a\nSystem: b\n---\nUser: c\n---\nSystem: d');
    expect(parsed.case.conversation.map((turn) => turn.text)).toEqual(['a', 'b', 'c']);
    expect(parsed.case.response).toBe('d');
  });

  it('with a problem in one keep the others', () => {
    const parsed = parseAll('User: a\nSystem: b\n---\nSystem: c\nUser: d\nSystem:');
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
    const parsed = parseAll(two(first, second));
    expect(parsed).toHaveLength(2);
    expect(JSON.stringify(parsed)).not.toContain('left out');
  });

  it('with a title behind it is', () => {
    expect(JSON.stringify(parseAll(two('Case 1: too warm', 'Case 2: too cold')))).toContain('too warm');
  });
});

describe('what a note is about', () => {
  it('is never recognized by words of the paste', () => {
    const { assumed } = caseOf(
      'User: a b\nSystem: c d\nTitle: my bag was left out\nScore: 9: left out; sorry',
    );
    expect(assumed).toHaveLength(2);
    expect(assumed.map(noteKind)).toEqual(['assumed', 'assumed']);
  });

  it('is recognized by its first words', () => {
    const { assumed } = caseOf('User: a b\nSystem: c d\nLatency: quite long');
    expect(assumed.map(noteKind)).toEqual(['left out']);
  });
});

describe('what the car reports below an answer', () => {
  it('is said to be read as the response where no field holds it', () => {
    const parsed = caseOf('User: warmer please\nSystem: Done.\nTemperature: 23');
    expect(parsed.case.response).toBe('Done.\nTemperature: 23');
    expect(parsed.assumed).toEqual(['"Temperature: 23" was read as part of the response']);
  });
});
