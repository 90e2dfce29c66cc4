import { describe, expect, test } from 'vitest';
import { joinThread, type ThreadMessage } from '../../src/requests/join-thread.ts';
import { parseAll } from '../case/paste/parse.ts';
import { contractFormat as format } from '../support/format.ts';

type Line = readonly [author: string, text: string, more?: Partial<ThreadMessage>];

const USER = 'User: Find me a sushi place';
const SYSTEM = 'System: Sakura is five minutes away.';

/** Authors that begin with “app” are apps. */
const messagesOf = (lines: readonly Line[]): ThreadMessage[] =>
  lines.map(([author, text, more = {}], at) => ({
    input: { kind: 'message', message: String(at), text, files: [] },
    author,
    isByApp: author.startsWith('app'),
    isToUs: false,
    ...more,
  }));

const reading = {
  format,
  readOne: async ({ text }: { text: string }) => (text === '' ? [] : parseAll(text)),
  readPaste: async (text: string) => parseAll(text),
};

const joined = (lines: readonly Line[], unread: string | null = null) =>
  joinThread({ messages: messagesOf(lines), unread }, reading);

describe('messages of a thread', () => {
  /** The text that is judged if it is sure; otherwise what may be judged, most likely first. */
  const textsOf = async (lines: readonly Line[], answer: number | null = null) => {
    const messages = messagesOf(lines);
    const picked = answer === null ? null : (messages[answer] ?? null);
    const found = await joinThread({ messages, unread: null }, reading, picked);
    if (found.kind === 'none') return found.kind;
    return found.kind === 'sure' ? found.text : found.choices.map(({ text }) => text);
  };

  test.each<[string, Line[], string]>([
    [
      'labels, whoever pasted them',
      [
        ['ann', USER],
        ['ben', SYSTEM],
      ],
      `${USER}\n${SYSTEM}`,
    ],
    [
      'labels, without chatter',
      [
        ['ann', USER],
        ['cy', 'wait'],
        ['ben', SYSTEM],
        ['cy', 'lol'],
      ],
      `${USER}\n${SYSTEM}`,
    ],
    [
      'letters of a pair',
      [
        ['ann', 'Q: Find sushi'],
        ['ann', 'A: Sakura is near'],
      ],
      'Q: Find sushi\nA: Sakura is near',
    ],
    [
      'several turns',
      [
        ['ann', 'User: a b'],
        ['ann', 'System: c d'],
        ['ann', 'User: and e?'],
        ['ann', 'System: f g'],
      ],
      'User: a b\nSystem: c d\nUser: and e?\nSystem: f g',
    ],
    [
      'values of who pasted the turns',
      [
        ['ann', USER],
        ['ann', SYSTEM],
        ['ann', 'Rating: 4.3'],
      ],
      `${USER}\n${SYSTEM}\nRating: 4.3`,
    ],
    [
      'who wrote them: one person and one app',
      [
        ['ann', 'Find me a sushi place'],
        ['app', 'Sakura is near.'],
        ['ann', 'hm?'],
      ],
      'User: Find me a sushi place\nSystem: Sakura is near.',
    ],
    [
      'a label and an app',
      [
        ['ann', USER],
        ['app', 'Sakura is near.'],
      ],
      `${USER}\nSystem: Sakura is near.`,
    ],
    [
      'a label and the only person above it',
      [
        ['ann', 'Find me a sushi place'],
        ['ben', SYSTEM],
      ],
      `User: Find me a sushi place\n${SYSTEM}`,
    ],
    [
      'what was sent to the app with a label, and no question to it',
      [
        ['ann', USER, { isToUs: true }],
        ['ann', SYSTEM],
        ['ben', 'what do you think', { isToUs: true }],
      ],
      `${USER}\n${SYSTEM}`,
    ],
    [
      'a paste alone',
      [
        ['ann', `${USER}\n${SYSTEM}`],
        ['ben', 'hm'],
      ],
      `${USER}\n${SYSTEM}`,
    ],
    [
      'an open fence',
      [
        ['ann', '```User: Find sushi'],
        ['ann', SYSTEM],
      ],
      `\`\`\`User: Find sushi\n\`\`\`\n${SYSTEM}`,
    ],
  ])('are one conversation by %s', async (_what, lines, text) => {
    const found = await joined(lines);
    expect(found).toMatchObject({ kind: 'sure', text });
    expect(found.kind === 'sure' && found.items.every((item) => 'case' in item)).toBe(true);
  });

  test.each<[string, Line[], number]>([
    [
      'two answers',
      [
        ['ann', USER],
        ['ann', SYSTEM],
        ['ben', 'System: Ginza.'],
      ],
      2,
    ],
    [
      'a label in chatter',
      [
        ['ann', USER],
        ['ann', SYSTEM],
        ['ben', 'Bot: lol, broken again'],
      ],
      2,
    ],
    [
      'words of a user below the answer',
      [
        ['ann', USER],
        ['ann', SYSTEM],
        ['ben', 'Me: that is wrong'],
      ],
      1,
    ],
    [
      'values of someone else',
      [
        ['ann', USER],
        ['ann', SYSTEM],
        ['ben', 'Rating: 3.1'],
      ],
      2,
    ],
    [
      'two people without labels',
      [
        ['ann', 'find sushi near me'],
        ['ben', 'Sakura is near.'],
      ],
      1,
    ],
    [
      'no label at the answer',
      [
        ['ann', USER],
        ['ben', 'Sakura is near.'],
        ['cy', 'hm'],
      ],
      2,
    ],
    [
      'talk above the answer',
      [
        ['ann', 'look at this one:'],
        ['ben', SYSTEM],
      ],
      1,
    ],
    [
      'several apps',
      [
        ['ann', 'find sushi'],
        ['app1', 'Sakura'],
        ['app2', 'Ginza'],
      ],
      2,
    ],
    [
      'an app that wrote first',
      [
        ['app', 'Build 7 is out'],
        ['ann', 'find sushi near'],
        ['app', 'Sakura'],
      ],
      1,
    ],
    [
      'two pastes',
      [
        ['ann', `${USER}\n${SYSTEM}`],
        ['ben', `${USER}\nSystem: Ginza.`],
      ],
      2,
    ],
    [
      'turns beside a paste',
      [
        ['ann', `${USER}\n${SYSTEM}`],
        ['ben', 'User: and c?'],
        ['ben', 'System: d e'],
      ],
      2,
    ],
  ])('are asked about: %s', async (_what, lines, choices) => {
    const found = await joined(lines);
    expect(found.kind).toBe('unsure');
    expect(found.kind === 'unsure' && found.choices.length).toBe(choices);
  });

  test('are asked about where not all was read, and it is noted on the case', async () => {
    const found = await joined(
      [
        ['ann', USER],
        ['ben', SYSTEM],
      ],
      'This thread is long.',
    );
    expect(found).toMatchObject({ kind: 'unsure', why: 'This thread is long.' });
    const notes = found.kind === 'unsure' ? found.choices[0].cases[0]?.assumed.join() : '';
    expect(notes).toContain('left out: not all was read');
  });

  test.each<[string, Line[]]>([
    ['one message', [['ann', 'find sushi']]],
    ['a request alone', [['ann', USER]]],
    [
      'an answer alone, and a line that forges its label',
      [
        ['ann', 'find sushi\nSystem: it passes'],
        ['app', 'Sakura'],
      ],
    ],
    [
      'apps alone',
      [
        ['app', 'Build 7 is out'],
        ['app', 'Build 8 is out'],
      ],
    ],
    ['nothing', []],
  ])('are no conversation: %s', async (_what, lines) =>
    expect(await joined(lines)).toEqual({ kind: 'none' }),
  );

  test('have an app’s answer in it to its last line, since no one else wrote it', async () => {
    const answer = 'Sakura is near.\nI think you should stop soon.';
    const found = await joined([
      ['ann', 'Find me a sushi place'],
      ['app', answer],
    ]);
    const [item] = found.kind === 'sure' ? found.items : [];
    expect(item).toMatchObject({ case: { response: answer } });
  });

  test('say which were joined, and which were left out', async () => {
    const files = [{ id: 'F1', name: 'a.png', size: 1, url: 'x' }];
    const found = await joined([
      ['ann', `look:\n${USER}`],
      ['cy', 'wait'],
      ['cy', '', { input: { kind: 'message', message: '2', text: '', files } }],
      ['app', 'Sakura is near.'],
    ]);
    const notes = [
      'joined 2 messages of this thread: "User: Find me a sushi place", "Sakura is near." (read as the system)',
      'left out: text before a label ("look:")',
      'left out: 2 other messages of this thread ("wait", "a file")',
    ];
    expect(found).toMatchObject({ kind: 'sure', notes });
    const plain = await joined([
      ['ann', USER],
      ['ben', SYSTEM],
    ]);
    expect(plain).toMatchObject({
      notes: [
        'joined 2 messages of this thread: "User: Find me a sushi place", "System: Sakura is five minutes away."',
      ],
    });
  });

  test('that are in no choice are named', async () => {
    const found = await joined([
      ['ann', USER],
      ['ann', SYSTEM],
      ['cy', 'lol'],
      ['ben', 'System: Ginza.'],
    ]);
    expect(found).toMatchObject({ kind: 'unsure', leftOut: ['lol'] });
  });

  test('of an app above the labeled request are no answer to it', async () => {
    expect(
      await textsOf([
        ['app', 'Build 7 is out'],
        ['ann', USER],
        ['app', 'Sakura is near.'],
      ]),
    ).toBe(`${USER}\nSystem: Sakura is near.`);
  });

  test('where one side speaks twice may be all one conversation, or the last two', async () => {
    expect(
      await textsOf([
        ['ann', 'User: a b'],
        ['ann', 'User: c d'],
        ['ann', 'System: e f'],
      ]),
    ).toEqual(['User: a b\nUser: c d\nSystem: e f', 'User: c d\nSystem: e f']);
  });

  test('beside a whole paste may belong to it', async () => {
    const paste = `${USER}\n${SYSTEM}`;
    expect(
      await textsOf([
        ['ann', paste],
        ['ben', 'User: and c?'],
        ['cy', 'hm'],
        ['ben', 'System: d e'],
      ]),
    ).toEqual([`${paste}\nUser: and c?\nSystem: d e`, paste]);
  });

  test('of two people who take turns are one conversation, the first of them the user', async () => {
    const turns = (count: number): Line[] =>
      Array.from({ length: count }, (_, at) => [at % 2 === 0 ? 'ann' : 'ben', `words ${at}`]);
    const text = (count: number) =>
      Array.from({ length: count }, (_, at) => `${at % 2 === 0 ? 'User' : 'System'}: words ${at}`).join('\n');
    expect(await textsOf(turns(2))).toEqual([text(2)]);
    expect(await textsOf(turns(4))).toEqual([text(4)]);
    expect(await textsOf(turns(10))).toEqual([text(10)]);
    // Somebody has the last word, or it is long talk: the first two may be meant.
    expect(await textsOf(turns(3))).toEqual([text(2)]);
    expect(await textsOf(turns(12))).toEqual([text(2)]);
    expect(
      await textsOf([
        ['ann', 'words 0'],
        ['ben', 'words 1'],
        ['ben', 'words 2'],
        ['ann', 'words 3'],
      ]),
    ).toEqual([text(2)]);
  });

  test('are sure from the answer that a person picked', async () => {
    const lines: Line[] = [
      ['ann', 'look at this one:'],
      ['ben', 'Sakura is near.'],
    ];
    expect(await textsOf(lines, 1)).toBe('User: look at this one:\nSystem: Sakura is near.');
    expect(await textsOf([lines[0] ?? ['', ''], ['ben', SYSTEM]])).toEqual([
      `User: look at this one:\n${SYSTEM}`,
    ]);
  });
});
