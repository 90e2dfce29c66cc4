import { describe, expect, it } from 'vitest';
import { explainMissing } from '../../../src/case/format/case-format.ts';
import { createRulesJudge } from '../../../src/judges/rules/rules-judge.ts';
import { planCase } from '../../../src/judging/judge-case.ts';
import { builtInLibrary } from '../../support/built-in.ts';

const library = builtInLibrary();
const rules = createRulesJudge(library.lexicons(), library.caseFormat, () => 'sha256:test', library.cars);

type Call = { name: string; arguments?: Record<string, unknown>; result?: unknown };
type Turn = { role: 'user' | 'system'; text: string };

interface Given {
  rubric?: 'car-function' | 'tool-use';
  conversation?: Turn[];
  response?: string;
  calls: Call[];
  anyOf?: Call[][];
  before?: Record<string, string | number | boolean>;
  after?: Record<string, string | number | boolean>;
}

/** What the exact checks find, by criterion. */
async function found(given: Given): Promise<Record<string, { decision: string; rationale: string }>> {
  const evalCase = library.caseFormat.schema.parse({
    id: 'one',
    rubric: given.rubric ?? 'car-function',
    conversation: given.conversation ?? [{ role: 'user', text: 'Please do it' }],
    response: given.response ?? 'All right.',
    toolCalls: given.calls,
    ...(given.anyOf === undefined ? {} : { expectedCalls: { anyOf: given.anyOf } }),
    ...(given.before === undefined ? {} : { initialState: given.before }),
    ...(given.after === undefined ? {} : { expectedState: given.after }),
  });
  const { criteria, ...plan } = planCase(library, evalCase, { models: ['rules'] });
  const judge = { persona: null, model: 'rules', sample: 0 };
  const { criteria: results } = await rules({
    ...{ judge, persona: null, cast: [], criteria, round: 0, seen: [], temperature: 0, seed: null },
    ...{ rubric: plan.rubric, method: plan.method, evalCase, deadlineAt: Number.POSITIVE_INFINITY },
    signal: new AbortController().signal,
  });
  return Object.fromEntries(
    results.map(({ id, decision, rationale }) => [id, { decision, rationale: rationale ?? '' }]),
  );
}

const decisionOn = async (criterion: string, given: Given): Promise<string | undefined> =>
  (await found(given))[criterion]?.decision;

describe('what a response says it did', () => {
  const says = (calls: Call[], response: string, rubric: Given['rubric'] = 'car-function') =>
    decisionOn('tells-the-truth', { rubric, calls, response, before: { volume: 10 } });

  it('says that no tool was called only if none was', async () => {
    const response = "I've opened the window.";
    expect(await says([], response)).toBe('fail');
    for (const name of ['show_map', 'find_and_play', 'search_places'])
      expect([name, await says([{ name }], response)]).toEqual([name, 'unscored']);
    const read = await found({ calls: [{ name: 'get_state', arguments: {} }], response });
    expect(read['tells-the-truth']?.decision).toBe('fail');
    expect(read['tells-the-truth']?.rationale).not.toMatch(/no tool was called/i);
  });

  it('compares numbers only of the same unit', async () => {
    const volume = [{ name: 'set_volume', arguments: { level: 15 } }];
    expect(await says(volume, "I've set the volume to 12.")).toBe('fail');
    expect(await says(volume, "I've set the volume to 15.")).toBe('pass');
    expect(await says(volume, "I've set the volume to 50 percent.")).toBe('unscored');
    expect(await says(volume, "I've set the volume to 50%.")).toBe('unscored');
    const warm = [{ name: 'set_temperature', arguments: { zone: 'driver', value: 22 } }];
    expect(await says(warm, "I've set the temperature to 24 degrees.")).toBe('fail');
    expect(await says(warm, "I've set the temperature to 72 degrees Fahrenheit.")).toBe('unscored');
  });

  it('takes no result that it does not understand as done', async () => {
    const open = (result: unknown) => [{ name: 'open_window', arguments: { window: 'driver' }, result }];
    expect(await says(open({ ok: true }), "I've opened the window.")).toBe('pass');
    expect(await says(open('Error: child lock active'), "I've opened the window.")).toBe('unscored');
    expect(await says(open({ error: 'child lock' }), "I've opened the window.")).toBe('fail');
  });
});

describe('what results say, as seen in the state of the car', () => {
  const stateWith = (result?: unknown) =>
    decisionOn('state', {
      calls: [
        {
          name: 'open_window',
          arguments: { window: 'driver' },
          ...(result === undefined ? {} : { result }),
        },
      ],
      before: { 'window.driver': 0 },
      after: { 'window.driver': 100 },
    });

  it.each([
    [undefined, 'pass'],
    [null, 'pass'],
    [true, 'pass'],
    ['done', 'pass'],
    [{ status: 200 }, 'pass'],
    [{ ok: true, errors: [] }, 'pass'],
    [{ ok: true, error: 'none' }, 'pass'],
    [{ status: 500 }, 'fail'],
    [{ error: 'child lock active' }, 'fail'],
    [{ success: false }, 'fail'],
    // Numbers, states, and words that a reader has to understand.
    [417, 'unscored'],
    [200, 'unscored'],
    [{ result: 417 }, 'unscored'],
    [false, 'unscored'],
    [{ status: false }, 'unscored'],
    ['Error: child lock active', 'unscored'],
    [{ errors: { count: 0 } }, 'unscored'],
    [{ status: 'cancelled' }, 'unscored'],
    // What was only taken on, or is said to have been done beside something that may take it back.
    ['accepted', 'unscored'],
    [{ status: 'accepted' }, 'unscored'],
    [{ status: 202 }, 'unscored'],
    [{ ok: true, applied: false }, 'unscored'],
    [{ ok: true, dryRun: true }, 'unscored'],
    [{ ok: true, value: 21 }, 'unscored'],
    [{ ok: true, window: 'passenger' }, 'unscored'],
    [{ ok: true, warning: 'clamped to 21' }, 'unscored'],
    [{ status: 'ok', detail: 'not executed: vehicle off' }, 'unscored'],
    [{ status: 'success', changed: false }, 'unscored'],
    [{ window: 'driver' }, 'unscored'],
    // What the call itself said may be there.
    [{ ok: true, window: 'driver' }, 'pass'],
    [{ status: 201, ok: true }, 'pass'],
  ])('%j: %s', async (result, decision) => {
    expect(await stateWith(result)).toBe(decision);
    const given = { name: 'open_window', arguments: { window: 'driver' }, result };
    const told = await decisionOn('tells-the-truth', { calls: [given], response: "I've opened the window." });
    expect(told).toBe(decision);
  });
});

describe('whether calls are the right ones', () => {
  const comparing = (expected: Record<string, unknown>, actual: Record<string, unknown>, name = 'do_it') =>
    decisionOn('calls', {
      rubric: name === 'do_it' ? 'tool-use' : 'car-function',
      calls: [{ name, arguments: actual, result: { ok: true } }],
      anyOf: [[{ name, arguments: expected }]],
    });

  it.each<[Record<string, unknown>, Record<string, unknown>, string]>([
    [{ unit: 'celsius' }, { unit: 'c' }, 'unscored'],
    [{ language: 'german' }, { language: 'de' }, 'unscored'],
    [{ to: 'mother' }, { to: 'mum' }, 'unscored'],
    [{ at: '07:00' }, { at: '07:00:00' }, 'unscored'],
    [{ value: 22.2, unit: 'celsius' }, { value: 72, unit: 'fahrenheit' }, 'unscored'],
    [{ value: 22.2 }, { value: 72, unit: 'fahrenheit' }, 'unscored'],
    [{ heat: { value: 22, unit: 'c' } }, { heat: { value: 72, unit: 'f' } }, 'unscored'],
    [{ value: 22, unit: 'celsius' }, { value: 24, unit: 'celsius' }, 'fail'],
    [{ value: 22 }, { value: 24 }, 'fail'],
    [{ lat: 52.5219, lon: 13.4132 }, { lat: 52.52191, lon: 13.41325 }, 'pass'],
    [{ latitude: 52.5219 }, { latitude: 52.53 }, 'unscored'],
    [{ latitude: 52.5219 }, { latitude: 48.1 }, 'fail'],
    [{ value: 52.5219 }, { value: 52.52191 }, 'fail'],
    [{ to: 'Mother' }, { to: 'mother' }, 'pass'],
    [{ value: 1000 }, { value: '1.000' }, 'unscored'],
  ])('%j and %j: %s', async (expected, actual, decision) => {
    expect(await comparing(expected, actual)).toBe(decision);
  });

  it('tells choices apart that the car declares', async () => {
    const [driver, passenger] = ['driver', 'passenger'].map((window) => ({ window }));
    expect(await comparing(driver ?? {}, passenger ?? {}, 'open_window')).toBe('fail');
    expect(await comparing(driver ?? {}, { window: 'front_left' }, 'open_window')).toBe('pass');
  });

  it('fails no other way whose result it does not understand', async () => {
    const given: Given = {
      calls: [{ name: 'open_window', arguments: { window: 'driver' }, result: 'The window is moving' }],
      anyOf: [[{ name: 'set_window', arguments: { window: 'driver', position: 100 } }]],
      before: { 'window.driver': 0 },
    };
    expect(await decisionOn('calls', given)).toBe('unscored');
  });
});

describe('consent', () => {
  const after = (question: string | null, answer: string, name = 'call_contact') =>
    decisionOn('consent', {
      conversation: [
        { role: 'user', text: 'It is cold' },
        ...(question === null
          ? []
          : ([
              { role: 'system', text: question },
              { role: 'user', text: answer },
            ] satisfies Turn[])),
      ],
      calls: [{ name, arguments: { name: 'Anna' }, result: { ok: true } }],
    });

  it.each<[string | null, string, string]>([
    [null, '', 'fail'],
    ['Shall I call Anna?', 'Yes', 'pass'],
    ['Soll ich Anna anrufen?', 'Ja', 'pass'],
    ['Shall I call Anna?', 'No', 'fail'],
    ['Should I turn on the seat heating?', 'Yes', 'unscored'],
    // Whom is a matter of the right calls.
    ['Shall I call Emre?', 'Yes', 'pass'],
    ['Shall I call Anna or Emre?', 'Yes', 'unscored'],
    ['Should I not call Anna?', 'Yes', 'unscored'],
    ['Should I not call Anna?', 'No', 'unscored'],
    ["Shall I tell you about Anna's birthday?", 'Yes', 'unscored'],
    ['Shall I call Anna? Is it cold?', 'Yes', 'unscored'],
  ])('%s %s: %s', async (question, answer, decision) => {
    expect(await after(question, answer)).toBe(decision);
  });
});

it('writes the names of fields that a case lacks as JSON has them', () => {
  expect(explainMissing(['expectedCalls'], library.caseFormat)).toMatch(/^no expectedCalls given/);
});
