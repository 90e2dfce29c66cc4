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
});
