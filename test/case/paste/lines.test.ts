import { describe, expect, it } from 'vitest';
import { caseOf, itemsOf, LIMIT } from './parse.ts';

const PAIR = { conversation: [{ role: 'user', text: 'a' }], response: 'b' };

describe('JSONL', () => {
  const good = JSON.stringify(PAIR);

  it('is one item a line, in order', () => {
    const parsed = itemsOf(`${good}\n${JSON.stringify({ ...PAIR, id: 'two' })}\n\n${good}\n`);
    expect(parsed.map((item) => ('case' in item ? item.case.id : item.problem))).toEqual([
      undefined,
      'two',
      undefined,
    ]);
  });

  it.each([
    ['cut off', `${good}\n{"conversation": [\n${good}`, /^Line 2: not valid JSON/],
    ['no JSON', `${good}\noops\n${good}`, /^Line 2: not valid JSON/],
    ['no object', `${good}\n42\n${good}`, /^Line 2: Not a case/],
    ['no case', `${good}\n{"response":"x"}\n${good}`, /^Line 2: .*"conversation" is missing/],
    [
      'too long',
      `${good}\n${JSON.stringify({ ...PAIR, response: 'x'.repeat(LIMIT) })}\n${good}`,
      /^Line 2: Too long: 32,0\d\d characters/,
    ],
    [
      'nested too deeply',
      `${good}\n{"a":${'['.repeat(1000)}${']'.repeat(1000)}}\n${good}`,
      /^Line 2: .*nested/,
    ],
  ])('with a line that is %s keeps the others', (_, text, message) => {
    const parsed = itemsOf(text);
    expect(parsed).toHaveLength(3);
    expect(parsed[0]).toHaveProperty('case');
    expect(parsed[1]).toHaveProperty('problem', expect.stringMatching(message));
    expect(parsed[2]).toHaveProperty('case');
  });

  it('may be longer as a whole than one case may be', () => {
    const parsed = itemsOf(Array(2000).fill(good).join('\n'));
    expect(parsed).toHaveLength(2000);
    expect(parsed.every((item) => 'case' in item)).toBe(true);
  });

  it('of turns is one case', () => {
    expect(caseOf('{"role":"user","text":"a"}\n{"role":"assistant","text":"b"}').case).toEqual(PAIR);
  });
});

describe('lines of a log', () => {
  it('with a whole exchange each are a case each', () => {
    const parsed = itemsOf(
      '2024-03-04 20:35:01 INFO dialog {"user":"a","assistant":"b"}\n2024-03-04 20:36:01 INFO dialog {"user":"c","assistant":"d"}',
    );
    expect(parsed.map((item) => 'case' in item && item.case.response)).toEqual(['b', 'd']);
    expect(parsed[0]).not.toHaveProperty('case.context');
  });

  it('with one turn each are one case', () => {
    const parsed = caseOf(
      '2024-03-04 20:35:01 INFO {"role":"user","text":"a"}\n2024-03-04 20:35:02 INFO {"role":"assistant","text":"b","latency_ms":900}',
    );
    expect(parsed.case).toEqual({ ...PAIR, latencyMs: 900 });
  });

  it('may hold an object over several lines, with text around it', () => {
    const parsed = caseOf(
      `see this:\n20:35:01 dialog: ${JSON.stringify({ user: 'a', system: 'b' }, null, 2)}\nweird, no?`,
    );
    expect(parsed.case).toEqual(PAIR);
    expect(parsed.assumed.join()).toContain('see this:');
  });

  it('may stand beside labelled context', () => {
    const parsed = caseOf('Date: 2024-03-04\nTime: 20:35\n{"user":"a","system":"b"}');
    expect(parsed.case).toEqual({ ...PAIR, context: { date: '2024-03-04', time: '20:35' } });
  });
});

describe('a JSON list with one object per line', () => {
  const turns = ['system', 'user', 'assistant', 'user', 'assistant'].map(
    (role, at) => `{"role": "${role}", "content": "text ${at}"}`,
  );

  it('is one list, not JSONL', () => {
    const parsed = caseOf(`[\n${turns.join(',\n')}\n]`);
    expect(parsed.case.conversation.map(({ text }) => text)).toEqual(['text 1', 'text 2', 'text 3']);
    expect(parsed.case.response).toBe('text 4');
  });

  it('of cases keeps every case', () => {
    const list = ['a', 'b', 'c', 'd', 'e'].map((id) => JSON.stringify({ ...PAIR, id }));
    expect(itemsOf(`[\n${list.join(',\n')}\n]`)).toHaveLength(5);
  });
});

describe('a label before pairs of a log', () => {
  it.each([
    'ASR: final="find sushi near me" conf=0.93',
    "ASR result: text='find sushi near me' confidence=0.93",
    '[asr] utterance=[find sushi near me]',
  ])('is no label of a turn: %s', (line) => {
    expect(itemsOf(`${line}\nSystem: Okay.`)[0]).toHaveProperty('missing', ['conversation']);
  });

  it.each([
    ['asr: "find sushi near me" (0.93)', 'find sushi near me'],
    ['ASR: "find sushi near me" conf=0.93', 'find sushi near me'],
    ['User: play "Yesterday" by the Beatles', 'play "Yesterday" by the Beatles'],
    ['User: set x=2 and say "done"', 'set x=2 and say "done"'],
  ])('gives what was said where that is in quotes: %s', (line, said) => {
    expect(caseOf(`${line}\nSystem: Okay.`).case.conversation).toEqual([{ role: 'user', text: said }]);
  });
});
