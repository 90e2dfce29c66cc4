import { describe, expect, test } from 'vitest';
import { JuryError } from '../../src/common/errors.ts';
import type { ThreadMessage } from '../../src/requests/join-thread.ts';
import {
  isGreeting,
  isQuestion,
  isThanks,
  type MessageSource,
  readMessage,
} from '../../src/requests/read-message.ts';
import type { MessageInput, SpotCheck } from '../../src/requests/spot-check.ts';
import { parseAll } from '../case/paste/parse.ts';
import { contractFormat as format } from '../support/format.ts';
import { aCheck } from '../support/store-builders.ts';

test.each([
  'why did it fail',
  'Was meint der Auditor dazu',
  'was genau passt daran nicht',
  'was kann man da machen',
  'was it closed then',
  'is that right?',
  '?',
])('“%s” asks something', (text) => expect(isQuestion(text)).toBe(true));

test.each(['the answer was wrong', 'it was 23 before', 'was wrong lol', 'thanks, that was quick'])(
  '“%s” asks nothing',
  (text) => expect(isQuestion(text)).toBe(false),
);

test.each(['thanks', 'Danke dir!', 'thank you so much 🙏', 'merci, merci'])('“%s” is thanks', (text) =>
  expect(isThanks(text)).toBe(true),
);

test.each(['thanks, but why?', 'you', 'for all the help', '', 'no thanks'])('“%s” is no thanks', (text) =>
  expect(isThanks(text)).toBe(false),
);

test.each(['hi', 'Hello there!', '', ' ', '??', 'what can you do', 'test'])(
  '“%s” calls for an introduction',
  (text) => expect(isGreeting(text)).toBe(true),
);

test.each(['find sushi near me', 'hi there, can you tell me what this is about?', 'history'])(
  '“%s” calls for none',
  (text) => expect(isGreeting(text)).toBe(false),
);

const USER = 'User: Find me a sushi place';
const SYSTEM = 'System: Sakura is five minutes away.';
const PASTE = `${USER}\n${SYSTEM}`;

const inputOf = (text: string, parts: Partial<MessageInput> = {}): MessageInput => ({
  kind: 'message',
  message: '9',
  text,
  files: [],
  ...parts,
});
const said = (author: string, text: string, message: string): ThreadMessage => ({
  input: inputOf(text, { message }),
  author,
  isByApp: author.startsWith('app'),
  isToUs: false,
});
const fileOf = (name: string) => ({ id: name, name, size: 1, url: name });

interface Place {
  thread?: string | null;
  kind?: SpotCheck['kind'];
  above?: readonly ThreadMessage[] | JuryError;
  isJudged?: boolean;
  files?: Readonly<Record<string, string>>;
}

/** What is read of a message in a place. */
function reading(
  input: MessageInput,
  { thread = null, kind = 'channel', above = [], isJudged = false, files = {} }: Place = {},
) {
  const source: MessageSource = {
    kindOf: () => kind,
    download: async ({ name }) => {
      const text = files[name];
      if (text === undefined) throw new JuryError('bad-input', 'it is gone');
      return new TextEncoder().encode(text);
    },
    above: async () => {
      if (above instanceof JuryError) throw above;
      return { messages: above, unread: null };
    },
    readPaste: async (text) => parseAll(text),
    methods: new Map([['mad', { title: 'Multi-agent debate' }]]),
    format,
  };
  const check = aCheck({ input, thread, requestedBy: 'ann' });
  return readMessage(check, source, new AbortController().signal, isJudged);
}

const responseOf = (found: Awaited<ReturnType<typeof reading>>) =>
  found.kind === 'items'
    ? found.items.map((item) => ('case' in item ? item.case.response : item.problem))
    : found.kind;
const ANSWER = 'Sakura is five minutes away.';
const turns = [said('ben', USER, '1'), said('ben', SYSTEM, '2')];

describe('what is read of a message', () => {
  test('is its own paste, wherever it stands', async () => {
    expect(responseOf(await reading(inputOf(PASTE), { thread: '1', above: turns, isJudged: true }))).toEqual([
      ANSWER,
    ]);
  });

  test('without a paste is what stands above it in its thread', async () => {
    expect(responseOf(await reading(inputOf('judge this'), { thread: '1', above: turns }))).toEqual([ANSWER]);
    const unsure = await reading(inputOf('judge this'), {
      thread: '1',
      above: [...turns, said('cem', 'System: Ginza.', '3')],
    });
    expect(unsure).toMatchObject({ kind: 'unsure', why: 'More than one message may be the answer.' });
    // It begins the thread: there is nothing above it.
    expect(await reading(inputOf('judge this'), { thread: '9', above: turns })).toEqual({
      kind: 'unreadable',
      isShort: true,
    });
    expect(await reading(inputOf('judge this'), { above: turns })).toEqual({
      kind: 'unreadable',
      isShort: true,
    });
  });

  test('is what is wrong with the first message, where nothing above is a conversation', async () => {
    const above = [said('ben', '{"user": "hi"}', '1'), said('cem', 'hm', '2')];
    expect(responseOf(await reading(inputOf('judge this'), { thread: '1', above }))).toEqual([
      expect.stringContaining('response'),
    ]);
  });

  test('is one side of the conversation above it, if it holds one; by itself if that cannot be read', async () => {
    const above = [said('ben', USER, '1')];
    expect(responseOf(await reading(inputOf(SYSTEM), { thread: '1', above }))).toEqual([ANSWER]);
    expect(responseOf(await reading(inputOf(SYSTEM, { quotes: '1' }), { above }))).toEqual([ANSWER]);
    const closed = new JuryError('bad-input', 'I may not read there');
    const alone = await reading(inputOf(SYSTEM), { thread: '1', above: closed });
    expect(alone.kind === 'items' && alone.items.every((item) => 'problem' in item)).toBe(true);
    const away = new JuryError('undelivered', 'the chat is away');
    await expect(reading(inputOf(SYSTEM), { thread: '1', above: away })).rejects.toBe(away);
  });

  test('below a verdict is a question about it, unless it asks to judge again', async () => {
    const judged = { thread: '1', above: turns, isJudged: true };
    expect(await reading(inputOf('closed, surely'), judged)).toEqual({
      kind: 'question',
      asked: 'closed, surely',
    });
    expect(responseOf(await reading(inputOf('please check again'), judged))).toEqual([ANSWER]);
    expect(await reading(inputOf('check why it failed'), judged)).toMatchObject({ kind: 'question' });
  });

  test('without threads is about the verdict if it asks something or quotes it', async () => {
    const judged = { isJudged: true, kind: 'direct' } as const;
    expect(await reading(inputOf('closed, surely'), judged)).toEqual({ kind: 'unreadable', isShort: true });
    expect(await reading(inputOf('why closed'), judged)).toMatchObject({ kind: 'question' });
    expect(await reading(inputOf('closed, surely', { quotes: '1' }), judged)).toMatchObject({
      kind: 'question',
    });
    expect(await reading(inputOf('?'), judged)).toMatchObject({ kind: 'question' });
    expect(await reading(inputOf('why closed'), { kind: 'direct' })).toEqual({
      kind: 'unreadable',
      isShort: true,
    });
    expect(await reading(inputOf('?'), { kind: 'direct' })).toEqual({ kind: 'nothing' });
  });

  test('in a direct chat is talk, and refers to nothing above', async () => {
    const place = { thread: '1', above: turns };
    expect(await reading(inputOf('judge this'), { ...place, kind: 'direct' })).toEqual({
      kind: 'unreadable',
      isShort: true,
    });
    expect(responseOf(await reading(inputOf('judge this'), { ...place, kind: 'group' }))).toEqual([ANSWER]);
  });

  test('is nothing where it only greets, unreadable where it is short, and otherwise a paste without labels', async () => {
    expect(await reading(inputOf('hello'))).toEqual({ kind: 'nothing' });
    expect(await reading(inputOf('the fridge is empty'))).toEqual({ kind: 'unreadable', isShort: true });
    const long = `The fridge is empty, and ${'so '.repeat(30)}on.`;
    expect(responseOf(await reading(inputOf(long)))).toEqual([
      expect.stringContaining('No label says who speaks'),
    ]);
    expect(responseOf(await reading(inputOf('Is the fridge empty\nIt is not')))).toEqual(['It is not']);
  });

  test('is what is wrong with it where it is meant as a case', async () => {
    expect(responseOf(await reading(inputOf('{"user": "hi"}')))).toEqual([
      expect.stringContaining('response'),
    ]);
  });
});

describe('the files of a message', () => {
  const files = {
    'sushi.txt': PASTE,
    'two.jsonl': '{"user":"a b","response":"A."}\n{"user":"c d","response":"C."}',
  };
  const attached = (...names: string[]) => inputOf('', { files: names.map(fileOf) });

  test('are read each, and name the cases that have no id', async () => {
    const found = await reading(attached('sushi.txt', 'two.jsonl'), { files });
    expect(found.kind === 'items' && found.items.map((item) => 'case' in item && item.case.id)).toEqual([
      'sushi',
      'two-1',
      'two-2',
    ]);
  });

  test('that cannot be read say why', async () => {
    expect(responseOf(await reading(attached('photo.png', 'gone.txt'), { files }))).toEqual([
      'photo.png was not read: it is not a .txt, .csv, .json or .jsonl file.',
      'gone.txt was not read: it is gone.',
    ]);
  });

  test('are no more than ten', async () => {
    const many = (count: number) => Array.from({ length: count }, () => 'sushi.txt');
    expect(responseOf(await reading(attached(...many(10)), { files }))).toHaveLength(10);
    expect(responseOf(await reading(attached(...many(11)), { files }))).toEqual([
      'There are 11 files; one request takes 10. Nothing was judged.',
    ]);
  });

  test('stand beside a paste in the text, and not beside a remark', async () => {
    const withText = (text: string) => reading({ ...attached('sushi.txt'), text }, { files });
    expect(responseOf(await withText('User: a b\nSystem: c d'))).toEqual(['c d', ANSWER]);
    expect(responseOf(await withText('what do you think'))).toEqual([ANSWER]);
  });
});
