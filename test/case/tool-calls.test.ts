import { describe, expect, test } from 'vitest';
import { contentOf, EvalCase } from '../../src/case/case.ts';
import { answersOf, pairOf, swapped } from '../../src/case/pair.ts';
import { caseHash, requestHash, responseHash } from '../../src/case/same-request.ts';
import { callsText, callText, expectedText, stateText } from '../../src/case/tool-calls.ts';

const asked = {
  conversation: [{ role: 'user' as const, text: 'Warmer' }],
  response: 'It is 22 degrees now.',
};
const call = { name: 'set_temperature', arguments: { zone: 'driver', value: 22 }, result: { ok: true } };

/** What is wrong with a case, as lines; empty if nothing is. */
const problems = (more: object): string[] =>
  (EvalCase.safeParse({ ...asked, ...more }).error?.issues ?? []).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );

const nested = (depth: number): unknown =>
  depth === 0 ? 1 : depth % 2 === 0 ? [nested(depth - 1)] : { a: nested(depth - 1) };

describe('tool calls of a case', () => {
  test('belong to a system turn, to the response, or to either answer of a pair', () => {
    const evalCase = {
      ...asked,
      conversation: [
        { role: 'user', text: 'Hello' },
        { role: 'system', text: 'Hi.', toolCalls: [] },
        { role: 'user', text: 'Warmer' },
      ],
      toolCalls: [call, { name: 'beep' }],
      alternative: { response: 'Done.', toolCalls: [call] },
    };
    expect(EvalCase.parse(evalCase)).toEqual(evalCase);
    expect(problems({ conversation: [{ role: 'user', text: 'Hello', toolCalls: [] }] })).toEqual([
      'conversation.0.toolCalls: only goes with the role "system"',
    ]);
  });

  test.each([
    [{ toolCalls: [{ name: '' }] }, 'toolCalls.0.name: must not be empty'],
    [
      { toolCalls: [{ name: 'a', arguments: ['x'] }] },
      'toolCalls.0.arguments: Invalid input: expected object, received array',
    ],
    [{ toolCalls: [{ name: 'a', args: {} }] }, 'toolCalls.0: Unrecognized key: "args"'],
    [
      { toolCalls: [{ name: 'a', arguments: { b: '\ud800' } }] },
      'toolCalls.0.arguments: contains half of a character (a lone surrogate)',
    ],
    [
      { toolCalls: [{ name: 'a', arguments: JSON.parse('{"__proto__":{"b":1}}') }] },
      'toolCalls.0.arguments: must not have a key "__proto__"',
    ],
    [{ toolCalls: [{ name: 'a', result: nested(60) }] }, 'toolCalls.0.result: is nested more than 20 deep'],
    [{ toolCalls: Array(201).fill({ name: 'a' }) }, 'toolCalls: has too many calls: at most 200'],
    [
      { expectedCalls: { anyOf: [] } },
      'expectedCalls.anyOf: needs at least one way; [] is the way of calling nothing',
    ],
    [{ initialState: { speed: Number.POSITIVE_INFINITY } }, 'initialState: must be a finite number'],
  ])('are refused with a reason: %j', (more, problem) => {
    expect(problems(more)).toContain(problem);
  });

  test('may be nested as deep as any real tool is', () => {
    expect(problems({ toolCalls: [{ name: 'a', arguments: { deep: nested(19) }, result: null }] })).toEqual(
      [],
    );
  });

  test('expected calls have ways, tolerances, and calls that may be missing', () => {
    const expectedCalls = {
      anyOf: [
        [
          {
            name: 'set_temperature',
            arguments: { value: 22 },
            tolerance: { value: 0.5 },
            moreArguments: true,
          },
        ],
        [{ name: 'warmer' }, { name: 'beep', optional: true }],
        [],
      ],
      ordered: true,
    };
    expect(problems({ expectedCalls, initialState: { temperature: 20 }, expectedState: {} })).toEqual([]);
  });

  test('are shown a line each', () => {
    expect(callText(call)).toBe('set_temperature(zone: "driver", value: 22)');
    expect(callsText([call, { name: 'beep' }])).toBe(
      'set_temperature(zone: "driver", value: 22) → {"ok":true}\nbeep()',
    );
    expect(callsText([])).toBe('none');
    const beep = { name: 'beep', optional: true };
    expect(expectedText({ anyOf: [[call, beep], []], ordered: true })).toBe(
      'set_temperature(zone: "driver", value: 22), then perhaps beep()\nor no call',
    );
    expect(stateText({ 'window.driver': 0, light: 'on' })).toBe('window.driver: 0\nlight: "on"');
  });
});

describe('a case with tool calls', () => {
  const evalCase: EvalCase = { ...asked, toolCalls: [call], expectedCalls: { anyOf: [[]] }, trace: 't1' };

  test('does not show judges its trace', () => {
    expect(contentOf(evalCase)).not.toHaveProperty('trace');
  });

  test('has its calls with its answer when two answers are compared', () => {
    const pair = pairOf(evalCase, { ...asked, response: 'No.', toolCalls: [] }, ['Old', 'New']);
    expect(answersOf(pair).map(({ toolCalls }) => toolCalls)).toEqual([[call], []]);
    expect(answersOf(swapped(pair)).map(({ toolCalls }) => toolCalls)).toEqual([[], [call]]);
    expect(answersOf(pair).map(({ expectedCalls }) => expectedCalls)).toEqual([
      { anyOf: [[]] },
      { anyOf: [[]] },
    ]);
  });

  test('is another answer if other tools were called, and another request if others are right', () => {
    expect(responseHash({ ...evalCase, toolCalls: [] })).not.toBe(responseHash(evalCase));
    expect(responseHash({ ...evalCase, expectedCalls: undefined })).toBe(responseHash(evalCase));
    expect(requestHash({ ...evalCase, toolCalls: [] })).toBe(requestHash(evalCase));
    expect(requestHash({ ...evalCase, expectedCalls: undefined })).not.toBe(requestHash(evalCase));
    expect(caseHash({ ...evalCase, trace: 't2' })).toBe(caseHash(evalCase));
  });

  test('leaves the hashes of cases without calls as they were', () => {
    // Computed before cases had tool calls.
    expect([requestHash(asked), responseHash(asked), caseHash(asked)]).toEqual([
      'DnCXf4jxvXmTmNmfJYG+lHpohnqgQj3eGDV9ucklRXc=',
      '9jSCSEgclAijqyj9zCAQZKAL+OS9w/gjfxfI3MkAKqA=',
      'KIxUQCM6X4k3MsKa3PlPWBsOwLUn1usneOj2jVuTN8E=',
    ]);
  });
});
