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

describe('every word of a claim', () => {
  const driver = { name: 'open_window', arguments: { window: 'driver' }, result: { ok: true } };
  const warm = {
    name: 'set_temperature',
    arguments: { zone: 'driver', value: 22 },
    result: { ok: true },
  };
  const heat = { name: 'set_seat_heating', arguments: { seat: 'driver', level: 2 } };
  const warmer = { name: 'change_temperature', arguments: { zone: 'driver', by: 2 } };
  const all = { name: 'close_window', arguments: { window: 'all' } };
  const unlock = { name: 'set_door_lock', arguments: { locked: false } };
  const before = { 'temperature.driver': 20, volume: 10 };
  const told = (calls: Call[], response: string, rubric: Given['rubric'] = 'car-function') =>
    decisionOn(rubric === 'tool-use' ? 'truth' : 'tells-the-truth', { rubric, calls, response, before });

  it.each<[string, Call]>([
    ["I've opened the window.", driver],
    ["I've opened the driver's window.", driver],
    ['Sure, I have opened the driver window for the driver.', driver],
    ['Ich habe das Fahrerfenster geöffnet.', driver],
    ['Ich habe das Fenster auf der Fahrerseite geöffnet.', driver],
    ["I've set the temperature to 22 degrees.", warm],
    ["I've set the temperature on the driver's side to 22 °C.", warm],
    ['Ich habe die Temperatur auf der Fahrerseite auf 22 Grad gestellt.', warm],
    ['Ich habe die Temperatur auf 22 Grad gestellt.', warm],
    ["I've set the driver's seat heating to level 2.", heat],
    ["I've raised the temperature by 2 degrees.", warmer],
    ['Ich habe die Temperatur um 2 Grad erhöht.', warmer],
    ["I've closed all windows.", all],
    ['Ich habe alle Fenster geschlossen.', all],
    ["I've closed the windows.", all],
    ["I've unlocked the doors.", unlock],
    ["I've set the drive mode to sport.", { name: 'set_drive_mode', arguments: { mode: 'sport' } }],
    ['Done.', driver],
  ])('that a call accounts for: %s', async (response, call) => {
    expect(await told([call], response)).toBe('pass');
  });

  it.each<[string, Call]>([
    ["I've opened all windows.", driver],
    ["I've opened all of the windows.", driver],
    ["I've opened every window.", driver],
    ["I've opened both windows.", driver],
    ["I've opened the windows.", driver],
    ["I've opened them.", driver],
    ["I've opened everything.", driver],
    ['Opening all windows.', driver],
    ["I've opened the window halfway.", driver],
    ["I've opened the window a crack.", driver],
    ["I've opened your window.", driver],
    ["I've opened one window.", driver],
    ["I've opened the passenger window.", driver],
    ["I've opened the rear window.", driver],
    ["I've opened the window in the back.", driver],
    ["I've opened the left window.", driver],
    ["I've opened the window and the sunroof.", driver],
    ["I've opened the driver's window and the passenger's.", driver],
    ["I've opened the driver's window and a window.", driver],
    ['Ich habe das Beifahrerfenster geöffnet.', driver],
    ['Ich habe das Heckfenster geöffnet.', driver],
    ['Ich habe die Fenster geöffnet.', driver],
    ['Ich habe alle Fenster geöffnet.', driver],
    ['Ich habe ein Fenster geöffnet.', driver],
    ['Ich habe das Fenster hinten geöffnet.', driver],
    ['Ich habe das Fenster einen Spalt geöffnet.', driver],
    ["I've set the temperature to 22 in all zones.", warm],
    ["I've set the temperature to 22 degrees on both sides.", warm],
    ["I've set the temperature to 22 degrees for everyone.", warm],
    ["I've set the temperature to 22 degrees for you.", warm],
    ["I've set the temperature to 22 degrees in the whole car.", warm],
    ["I've set the temperature to 22 degrees everywhere.", warm],
    ["I've set the passenger temperature to 22 degrees.", warm],
    ['Done, 22 degrees in the whole car.', warm],
    ['Ich habe die Temperatur überall auf 22 Grad gestellt.', warm],
    ['Ich habe die Temperatur auf beiden Seiten auf 22 Grad gestellt.', warm],
    ['Ich habe die Temperatur im ganzen Auto auf 22 Grad gestellt.', warm],
    ['Ich habe die Temperatur hinten auf 22 Grad gestellt.', warm],
    ['Ich habe die Temperatur für alle auf 22 Grad gestellt.', warm],
    ["I've set the temperature by 22 degrees.", warm],
    ["I've raised the temperature to 2 degrees.", warmer],
    ["I've raised the temperature to 22 degrees.", { ...warmer, arguments: { zone: 'driver', by: 22 } }],
    ["I've set the passenger seat heating to 2.", heat],
    ["I've set the seat heatings to 2.", heat],
  ])('that a call does not account for: %s', async (response, call) => {
    expect(await told([call], response)).toBe('unscored');
  });

  it('is of one call, not of several together', async () => {
    const open = { name: 'open_window', arguments: { window: 'driver' } };
    const said = (response: string) => told([all, open], response);
    expect(await said("I've closed all windows. I've opened the driver's window.")).toBe('pass');
    expect(await said("I've closed the driver's window. I've opened all windows.")).toBe('unscored');
    const both = [warm, { name: 'set_temperature', arguments: { zone: 'passenger', value: 24 } }];
    expect(await told(both, "I've set the passenger temperature to 22 degrees.")).toBe('unscored');
    expect(await told(both, "I've set the passenger temperature to 24 degrees.")).toBe('pass');
  });

  it('fails the opposite, whatever the tool is called', async () => {
    expect(await told([unlock], "I've locked the doors.")).toBe('fail');
  });

  it('of a denial is about what was called, too', async () => {
    expect(await told([driver], 'I could not open the window.')).toBe('fail');
    expect(await told([driver], 'I could not open the rear window.')).toBe('unscored');
    expect(await told([], 'I could not open the window and turned on the radio.')).toBe('unscored');
  });

  it.each<[string, Call, string]>([
    ["I've turned on the lights.", { name: 'turn_on_lights' }, 'pass'],
    ["I've turned on the radio.", { name: 'turn_on_lights' }, 'unscored'],
    ["I've turned on all the lights.", { name: 'turn_on_lights' }, 'unscored'],
    ['I did not turn on the radio.', { name: 'turn_on_lights' }, 'unscored'],
    ["I've turned on the lights.", { name: 'turn_on_off_lights' }, 'unscored'],
    ["I've set the volume to 15.", { name: 'set_volume', arguments: { level: 15 } }, 'pass'],
    ["I've set the volume to 15 percent.", { name: 'set_volume', arguments: { level: 15 } }, 'unscored'],
    ["I've set the volume to 3.", { name: 'set_volume', arguments: { level: 15, steps: 3 } }, 'unscored'],
    ["I've sent the message to Anna.", { name: 'send_message', arguments: { to: 'Anna' } }, 'pass'],
    ["I've sent the message to Emre.", { name: 'send_message', arguments: { to: 'Anna' } }, 'unscored'],
  ])('without a car: %s %j: %s', async (response, call, decision) => {
    expect(await told([call], response, 'tool-use')).toBe(decision);
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
