import { describe, expect, test } from 'vitest';
import { importTable } from '../../src/datasets/import-table.ts';
import { readTable } from '../../src/datasets/read-table.ts';
import { contractFormat } from '../support/format.ts';

type Options = Parameters<typeof importTable>[1];

const options: Options = { map: new Map(), maxCaseChars: 32_000, format: contractFormat };
const fromCsv = (lines: string[], over: Partial<Options> = {}) =>
  importTable(readTable(lines.join('\n'), 'csv'), { ...options, ...over });
const fromJson = (value: unknown, over: Partial<Options> = {}) =>
  importTable(readTable(JSON.stringify(value), 'jsonl'), { ...options, ...over });

const user = (text: string) => ({ role: 'user', text });
const system = (text: string) => ({ role: 'system', text });

describe('rows of one conversation', () => {
  test('that are turns become one case, whatever lies between them; the last answer is judged', () => {
    const read = fromCsv([
      'conversation_id,turn,speaker,text,build',
      'c1,2,assistant,Nero is near.,7.0',
      'c2,1,user,Radio on,7.1',
      'c1,1,user,Find a cafe,',
      'c1,3,user,A cheaper one,',
      'c2,2,system,It is on.,7.2',
      'c1,4,assistant,Backwerk is.,7.3',
    ]);
    expect(read.cases).toEqual([
      {
        conversation: [user('Find a cafe'), system('Nero is near.'), user('A cheaper one')],
        response: 'Backwerk is.',
        tags: { group: 'c1' },
      },
      { conversation: [user('Radio on')], response: 'It is on.', tags: { group: 'c2' } },
    ]);
    expect(read.isJoined).toBe(true);
    expect(read.mapping.map(({ column }) => column).sort()).toEqual([
      'build',
      'conversation_id',
      'speaker',
      'text',
      'turn',
    ]);
  });

  test('without an answer, or without a name, are problems; nothing is dropped unsaid', () => {
    const read = fromCsv(['dialog id,role,text', 'c1,user,Hi', ',user,Alone', ',system,Alone too']);
    expect(read.cases).toEqual([]);
    expect(read.problems).toHaveLength(3);
  });

  test('that are exchanges stay cases, each with what was said before', () => {
    const read = fromCsv([
      'session_id,user,system',
      'c1,Find a cafe,Nero is near.',
      'c2,Radio on,It is on.',
      'c1,A cheaper one,Backwerk is.',
    ]);
    expect(read.cases).toMatchObject([
      { conversation: [user('Find a cafe')], response: 'Nero is near.' },
      { conversation: [user('Radio on')] },
      {
        conversation: [user('Find a cafe'), system('Nero is near.'), user('A cheaper one')],
        response: 'Backwerk is.',
      },
    ]);
    expect(read.assumed).toEqual([
      { note: 'session_id: what was said in the rows before stands before the request', rows: 1 },
    ]);
  });

  test('that hold all that was said before stay as they are', () => {
    const messages = (...said: string[]) =>
      said.map((content, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content }));
    const read = fromJson([
      { thread_id: 't', messages: messages('Find a cafe', 'Nero is near.') },
      { thread_id: 't', messages: messages('Find a cafe', 'Nero is near.', 'A cheaper one', 'Backwerk is.') },
    ]);
    expect(read.cases.map(({ conversation }) => conversation.length)).toEqual([1, 3]);
    expect(read.assumed).toEqual([]);
  });

  test('are not joined where the column goes elsewhere', () => {
    const rows = ['session_id,user,system', 'c1,Find a cafe,Nero.', 'c1,Cheaper,Backwerk.'];
    const read = fromCsv(rows, { map: new Map([['session_id', 'tags.session']]) });
    expect(read.cases).toMatchObject([
      { tags: { session: 'c1' } },
      { conversation: [user('Cheaper')], tags: { session: 'c1' } },
    ]);
  });
});

describe('a list of messages', () => {
  const messages = [
    { role: 'system', content: 'You are a car.' },
    { role: 'user', content: 'Navigate home' },
    { role: 'assistant', content: [{ type: 'tool_use', name: 'route' }] },
    { role: 'tool', content: '{"eta": 12}' },
    { role: 'assistant', content: [{ type: 'text', text: 'Routing home.' }] },
  ];

  test.each([
    ['by its name', 'messages', new Map()],
    ['as asked for', 'log', new Map([['log', 'conversation']])],
  ])('is read %s, without instructions and tools', (_, column, map) => {
    const read = fromJson([{ [column]: messages }], { map });
    expect(read.cases).toEqual([{ conversation: [user('Navigate home')], response: 'Routing home.' }]);
    expect(read.assumed.map(({ note }) => note)).toContain(
      `${column}: a message by "system" is left out, read as instructions`,
    );
  });

  test('whose only speaker beside the user is "system" is a conversation with it', () => {
    const read = fromJson([
      {
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'system', content: 'Hello' },
        ],
      },
    ]);
    expect(read.cases).toEqual([{ conversation: [user('Hi')], response: 'Hello' }]);
  });
});

describe('a text', () => {
  test.each([
    'Summarize: The town council met.\n\nNote: it was on Monday\nand on Tuesday',
    'Summarize: the dialog\nUser: hi\nAssistant: hello',
    'Translate: Hund',
  ])('%j begins with no speaker', (text) => {
    expect(fromJson([{ user: text, response: 'Fine.' }]).cases).toEqual([
      { conversation: [user(text)], response: 'Fine.' },
    ]);
  });

  test.each(['MIA: hi\nTOM: hello', 'MIA: hi\nand more\nTOM: hello\nMIA: bye'])(
    '%j has speakers, who are asked about',
    (text) => {
      expect(fromJson([{ user: text, response: 'Fine.' }]).problems[0]?.reason).toContain('--speaker MIA=');
    },
  );
});

describe('what is not read', () => {
  const annotations = { fluency: { individual_human_scores: [3, 4] } };

  test('is named: fields of an export, and what stands beside its list', () => {
    const read = fromJson(
      {
        dataset: 'toy',
        instances: [{ id: 1, instance: { question: 'Why?', answer: 'So.' }, annotations, source: 'wiki' }],
      },
      { map: new Map([['fluency', 'label.score']]) },
    );
    expect(read.cases).toMatchObject([{ conversation: [user('Why?')], response: 'So.' }]);
    const left = read.mapping.filter(({ path }) => path === null).map(({ column }) => column);
    expect(left).toEqual(['dataset', 'source']);
  });

  test('is never a text where the column of the answers is asked for', () => {
    const file = { instances: [{ id: 1, instance: 'The cat sat on the mat.', annotations }] };
    expect(() => fromJson(file)).toThrow('add --map fluency=label.decision');
  });
});
