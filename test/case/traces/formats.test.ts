import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CaseFormat } from '../../../src/case/format/index.ts';
import { type Parsed, parseInput } from '../../../src/case/paste/parse-input.ts';
import { loadCaseFormat } from '../../../src/prompting/case-fields.ts';
import { builtIn } from '../../support/built-in.ts';

const folder = new URL('../../fixtures/traces/', import.meta.url);

let format: CaseFormat;
beforeAll(() => {
  format = loadCaseFormat([builtIn]);
});

const textOf = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
const parsedText = (text: string): Parsed[] => parseInput(text, { maxCaseChars: 32_000, format });
const parsed = (name: string): Parsed[] => parsedText(textOf(name));
/** When a message of the Bot Framework was written, in the time of the user. */
const LOCAL = /"localTimestamp": ?"[^"]*"/;

/** A conversation in one line, with its id: `S | u: Find food / s: Chez Luc. / u: Open? => Yes.` */
function told(item: Parsed): string {
  if ('problem' in item) return item.problem;
  const { id = '-', conversation, response } = item.case;
  return `${id} | ${conversation.map(({ role, text }) => `${role.slice(0, 1)}: ${text}`).join(' / ')} => ${response}`;
}

const BOTH = 'u: Find food / s: Chez Luc. / u: Open? => Yes.';

describe('what other tools write', () => {
  // The structures are those of the public documentation of each format; "exported-" ones were written by real exporters.
  test.each([
    [
      'genai-interleaved.json',
      ['A | u: Find food / s: Chez Luc. / u: Is it open? => Yes.', 'B | u: Play jazz => Playing jazz.'],
    ],
    // The same words in two traces were said twice.
    ['genai-stateless.json', ['A | u: Next song / s: Okay. / u: Next song => Okay.']],
    ['genai-agent.json', ['A | u: Open the window => Done, it is open.']],
    ['genai-typed.json', ['t1 | u: Find food => Chez Luc.']],
    ['genai-detail-event.json', ['A | u: Find food => Chez Luc.']],
    ['genai-old-azure.json', ['t1 | u: Find food => Chez Luc.']],
    ['genai-old-prompt.json', ['t1 | u: Find food => Chez Luc.']],
    ['oi-chain.json', ['S | u: Find food / s: Chez Luc. / u: Is it open? => Yes, until 22.']],
    ['oi-nested.json', ['S | u: Find food => Chez Luc.']],
    ['oi-raw.json', ['t1 | u: Find food => Chez Luc.']],
    ['oi-agent-tools.json', ['S | u: 21 degrees please => It is 21 now.']],
    ['px.json', ['p1 | u: Find food => Chez Luc.']],
    [
      'exported-openinference.jsonl',
      [
        'sess-1 | u: Find a French place / s: I recommend Chez Luc, 1.2 km away. / u: Is it open? => Yes, Chez Luc is open until 22:00.',
        'sess-2 | u: Make it 21 degrees => It is 21 degrees now.',
      ],
    ],
    [
      'exported-vercel.jsonl',
      [
        'v1 | u: Find a French place / s: I recommend Chez Luc, 1.2 km away. / u: Is it open? => Yes, Chez Luc is open until 22:00.',
        'v2 | u: Make it 21 degrees => It is 21 degrees now.',
      ],
    ],
    ['vercel-chat.json', [`S | ${BOTH}`]],
    ['lf-trace.json', ['S | u: Find food => Chez Luc.']],
    ['lf-observations.jsonl', [`S | ${BOTH}`]],
    ['lf-decorator.json', ['S | u: Find food => Chez Luc.']],
    ['lf.csv', [`S | ${BOTH}`]],
    ['lf-tool.json', ['S | u: 21 degrees => Done.']],
    ['ls-nested.json', ['S | u: Find food / s: Chez Luc. / u: Is it open? => Yes.']],
    ['ls-thread.jsonl', [`T | ${BOTH}`]],
    ['ls-llm.json', ['r1 | u: Find food => Chez Luc.']],
    // A request that failed and was sent again is one.
    ['ls-error.json', ['T | u: Find food => Chez Luc.']],
    // The preview is cut off: the span has all of it.
    ['ml3.json', ['S | u: Find food => Chez Luc.']],
    ['ml-rows.json', [`S | ${BOTH}`]],
    ['rasa.jsonl', ['a | u: Find food => Chez Luc.', 'b | u: Play jazz => Playing.']],
    ['rasa-sql.csv', ['a | u: Find food => Chez Luc.']],
    ['rasa-two-sessions.json', ['a | u: Hi => Hello.', 'a-2 | u: Find food => Chez Luc.']],
    ['cx-pairs.json', ['s | u: Find food => Chez Luc.']],
    ['cx-conv.json', [`c | ${BOTH}`]],
    ['cx-logs.json', ['s | u: Find food => Chez Luc.']],
    ['cx-test.json', [`tc | ${BOTH}`]],
    ['cx-speech.json', ['s | u: find food => Chez Luc.']],
    ['es.json', ['s9 | u: Find food => Chez Luc.']],
    [
      'alexa.json',
      [
        'amzn1.echo-api.session.A | u: FindRestaurantIntent (cuisine: french) / s: Chez Luc is 1.2 km away. / u: OpenNowIntent => Yes, it is open.',
      ],
    ],
    ['cs-dataverse.json', ['c1 | u: Open? => Yes.']],
    ['cs.csv', ['c1 | u: Open? => Yes.']],
    ['bf.json', ['c | u: Open? => Yes.']],
    ['bf-norole.json', ['c | u: Open? => Yes.']],
    ['sl.json', ['1709578800.000100 | u: find food & wine => Chez Luc: menu']],
    ['sl-dm.json', [`- | ${BOTH}`]],
    ['sl-blocks.json', ['1709578800.1 | u: Find food => *Chez Luc* is near.']],
    ['lc.json', ['- | u: Find food => Chez Luc.']],
    ['li.json', ['- | u: Find food => Chez Luc.', '- | u: Open? => Yes.']],
    ['pf.json', ['- | u: Find food => Chez Luc.']],
    ['zd.json', ['- | u: Find food => Chez Luc.']],
    ['ic.json', ['77 | u: Find food => Chez Luc.']],
    ['dc.json', ['c | u: Find food => Chez Luc.']],
    [
      'a.srt',
      [
        '- | u: Hey Mercedes, find me a French restaurant. / s: I found Chez Luc, 1.2 km away. / u: Hey Mercedes, is it open? => Yes, it is open until 22:00.',
      ],
    ],
    ['b.srt', ['- | u: Find me a French restaurant, rated at least 4.5. => I found Chez Luc, 1.2 km away.']],
    ['d.srt', ['- | u: Hey BMW, is Chez Luc open? => Yes, until ten.']],
    [
      'h.srt',
      [
        '- | u: Hey Mercedes, take me to a French restaurant that is open now. => Chez Luc is open until 22:00.',
      ],
    ],
    ['j.vtt', ['- | u: Hey Mercedes, find food. => Chez Luc is near.']],
    ['whisper.json', ['- | u: Hey Mercedes, find food. => Chez Luc is near.']],
  ])('%s becomes the conversations that took place', (name, expected) => {
    expect(parsed(name).map(told)).toEqual(expected);
  });

  test.each([
    ['genai-classifier.json', /two answers in one trace/],
    ['genai-choices.json', /2 answers to choose from/],
    ['genai-nocontent.json', /no messages were recorded .*CAPTURE_MESSAGE_CONTENT/],
    ['rasa-buttons.json', /the last answer has no text/],
    ['sl-two-humans.json', /2 people write in it/],
  ])('%s is refused with the reason', (name, reason) => {
    expect(parsed(name).map(told)).toEqual([expect.stringMatching(reason)]);
  });

  test('calls of tools stand with the answer that they were made for, once, with what they gave back', () => {
    const calls = (name: string) => parsed(name).map((item) => ('case' in item ? item.case.toolCalls : null));
    const degrees = [{ name: 'setTemperature', arguments: { degrees: 21 }, result: { ok: true } }];
    expect(calls('genai-agent.json')).toEqual([
      [{ name: 'open_window', arguments: { which: 'left' }, result: { ok: true } }],
    ]);
    expect(calls('exported-openinference.jsonl')).toEqual([undefined, degrees]);
    expect(calls('exported-vercel.jsonl')).toEqual([undefined, degrees]);
    expect(calls('lf-tool.json')).toEqual([[{ name: 'set', arguments: { t: 21 }, result: { ok: true } }]]);
  });

  test('latency, model, build and language are kept; scores and slots are not', () => {
    const [item] = parsed('lf-trace.json');
    expect(item).toMatchObject({
      case: {
        latencyMs: 2500,
        language: 'en',
        trace: 't1',
        tags: { model: 'gpt-4o', build: '1.0', date: '2024-03-04' },
      },
    });
    expect(item).not.toHaveProperty('case.recommendation');
    expect(item).not.toHaveProperty('case.label');
  });

  test('a moment with an offset is the local one of the user', () => {
    expect(parsed('bf.json')).toMatchObject([{ case: { context: { date: '2024-03-04', time: '20:00' } } }]);
  });

  test('a moment in UTC is not taken for the local one of the user', () => {
    for (const moment of [
      '2024-03-04T19:00:05Z',
      '2024-03-04T19:00:05.1234567Z',
      '2024-03-04T19:00:05+00:00',
    ]) {
      const [item] = parsedText(textOf('bf.json').replace(LOCAL, `"localTimestamp":"${moment}"`));
      expect(item).toHaveProperty('case.response');
      expect(item).not.toHaveProperty('case.context');
    }
  });

  const span = (session: string, at: number, asked: string, answered: string) => ({
    trace_id: `t${at}`,
    span_id: `s${at}`,
    name: 'chat',
    start_time: `2026-03-02T08:00:0${at}Z`,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.conversation.id': session,
      'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: asked }] }],
      'gen_ai.output.messages': [{ role: 'assistant', parts: [{ type: 'text', content: answered }] }],
    },
  });

  test('sessions whose ids only end alike are two conversations', () => {
    const spans = [
      span('car/2026-03-02', 1, 'Open the window', 'Done.'),
      span('bus/2026-03-02', 2, 'Where are we?', 'In Celle.'),
    ];
    expect(parsedText(JSON.stringify(spans)).map(told)).toEqual([
      'car/2026-03-02 | u: Open the window => Done.',
      'bus/2026-03-02 | u: Where are we? => In Celle.',
    ]);
  });

  const pair = (session: string, text: string, answer: string) => ({
    session,
    responseId: text,
    queryResult: { text, responseMessages: [{ text: { text: [answer] } }] },
  });
  const agent = (name: string) => `projects/p/agents/${name}/sessions/s`;

  test.each([
    [
      'stands for the only long one that ends so',
      [agent('a'), 's'],
      ['s | u: Hi / s: Hello. / u: Open? => Yes.'],
    ],
    [
      'is one of its own where it could be two long ones',
      [agent('a'), 's', agent('b')],
      [`${agent('a')} | u: Hi => Hello.`, 's | u: Open? => Yes.', `${agent('b')} | u: Bye => See you.`],
    ],
    [
      'does not name cases that would be called the same',
      [agent('a'), agent('b')],
      [`${agent('a')} | u: Hi => Hello.`, `${agent('b')} | u: Open? => Yes.`],
    ],
    [
      'is not a part of another one',
      [agent('a'), 'other/s'],
      ['s | u: Hi => Hello.', 'other/s | u: Open? => Yes.'],
    ],
  ])('a short id of a session %s', (_, sessions, expected) => {
    const said: [string, string][] = [
      ['Hi', 'Hello.'],
      ['Open?', 'Yes.'],
      ['Bye', 'See you.'],
    ];
    const records = sessions.map((session, at) => pair(session, ...(said[at] ?? ['', ''])));
    expect(parsedText(JSON.stringify(records)).map(told)).toEqual(expected);
  });

  test('of a file that was cut off, whole records are read, and the rest is named', () => {
    const records = [pair('s', 'Hi', 'Hello.'), pair('s', 'Open?', 'Yes.'), pair('s', 'Bye', 'See you.')];
    const text = JSON.stringify(records);
    const inLast = text.indexOf('See you');
    const expected = [
      's | u: Hi / s: Hello. / u: Open? => Yes.',
      expect.stringMatching(/^The end: it is incomplete/),
    ];
    expect(parsedText(text.slice(0, inLast + 3)).map(told)).toEqual(expected);
    // The object around the text is closed, but not the record.
    expect(parsedText(text.slice(0, text.length - 2)).map(told)).toEqual(expected);
    expect(parsedText(text.slice(0, text.length - 1)).map(told)).toEqual([
      's | u: Hi / s: Hello. / u: Open? / s: Yes. / u: Bye => See you.',
      expect.stringMatching(/^The end: it is incomplete/),
    ]);
  });

  test('a text that was not kept is no text', () => {
    const reasons = ['__REDACTED__', '[redacted]', '<REDACTED>', '*****', 'REDACTED'].map((mark) =>
      parsedText(textOf('genai-typed.json').replaceAll('Chez Luc.', mark)).map(told),
    );
    for (const reason of reasons)
      expect(reason).toEqual([expect.stringMatching(/has no text|says nothing after/)]);
    const whole = parsedText(textOf('genai-typed.json').replaceAll('Chez Luc.', 'It was redacted.'));
    expect(whole.map(told)).toEqual(['t1 | u: Find food => It was redacted.']);
  });

  test('each character of the input is in one span of one case at most', () => {
    const name = 'genai-interleaved.json';
    const text = textOf(name);
    const spans = parsed(name).flatMap((item) => ('case' in item ? item.spans : []));
    const seen = new Set<number>();
    for (const { from, to } of spans)
      for (let at = from; at < to; at += 1) {
        expect(seen.has(at)).toBe(false);
        seen.add(at);
      }
    const said = spans.filter(({ is }) => is === 'system').map(({ from, to }) => text.slice(from, to));
    expect(said).toEqual(expect.arrayContaining(['Playing jazz.', 'Yes.', 'Chez Luc.']));
  });
});
