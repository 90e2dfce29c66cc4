import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EvalCase } from '../../../../src/case/case.ts';
import { caseFormat as declaring, Field } from '../../../../src/case/format/case-format.ts';
import { parseInput } from '../../../../src/case/paste/parse-input.ts';
import type { Understood } from '../../../../src/case/paste/problems.ts';
import { askForm, opened, readAsked, readAskForm } from '../../../../src/surfaces/forms/ask-form.ts';
import { readTurns, writeTurns } from '../../../../src/surfaces/forms/case-values.ts';
import { type Form, withHidden } from '../../../../src/surfaces/forms/form.ts';
import { forms, formView, readAbout, readFormState } from '../../../../src/surfaces/slack/render/form.ts';
import { aCase, withDeclared } from '../../../support/builders.ts';
import { builtInLibrary } from '../../../support/built-in.ts';
import { filledForm, inputsOf } from '../../../support/fill-form.ts';
import { words } from '../../../support/format.ts';
import { repeated } from '../../../support/repeated.ts';
import { textsIn, viewProblems } from '../../../support/slack-limits.ts';
import { hostile } from './hostile.ts';

const library = builtInLibrary();
const { rubrics, caseFormat: format } = library;
const choices = { ...library, models: ['rules', 'openai/gpt-4o-mini'] };

const dataOf = (understood: Understood, wish = {}) => askForm({ understood, wish, rubrics, choices, format });
const formFor = (understood: Understood, wish = {}) =>
  formView(forms.ask, { draft: 'd1' }, dataOf(understood, wish));

/** What comes back when a form is submitted with these answers. */
const submitted = (understood: Understood, wish: object, answers = {}) => {
  const state = readFormState(filledForm(formFor(understood, wish), answers));
  return readAskForm(withHidden(dataOf(understood, wish), state), understood, rubrics, format);
};

const navigation = { rubric: 'navigation' };
const spoken = { case_conversation: 'Find me sushi', case_response: 'Sakura is near.' };

describe('the form', () => {
  test.each([...rubrics.keys()])('for %s is one that Slack takes', (rubric) => {
    expect(viewProblems(formFor(aCase(), { rubric }))).toEqual([]);
  });

  test('asks for what the rubric needs or looks at', () => {
    expect(inputsOf(formFor({}, navigation))).toEqual([
      'wish_rubric',
      'case_conversation',
      'case_response',
      'case_context_date',
      'case_context_time',
      'case_context_location',
      'case_recommendation',
      'wish_models',
    ]);
    expect(inputsOf(formFor({}, { rubric: 'factual-correctness' }))).toContain('case_documents');
    expect(inputsOf(formFor({}, { rubric: 'low-latency' }))).toContain('case_latencyMs');
  });

  test('asks for little without a rubric, and for whatever the draft holds', () => {
    expect(inputsOf(formFor({}))).not.toContain('case_recommendation');
    expect(inputsOf(formFor({ groundTruth: 'Alien' }))).toContain('case_groundTruth');
  });

  test('keeps both answers of a pair with their names and data, and lets people change either', () => {
    const pair: EvalCase = {
      ...aCase(),
      alternative: { response: 'Umi is near.', recommendation: { name: 'Umi' } },
      answerNames: ['Old', 'New'],
    };
    expect(inputsOf(formFor(pair, navigation))).toContain('case_alternative_response');
    expect(inputsOf(formFor(aCase(), navigation))).not.toContain('case_alternative_response');
    expect(submitted(pair, navigation)).toMatchObject({ evalCase: pair });
    expect(submitted(pair, navigation, { case_alternative_response: 'Umi is far.' })).toMatchObject({
      evalCase: { ...pair, alternative: { response: 'Umi is far.', recommendation: { name: 'Umi' } } },
    });
  });

  test('has a date picker, a time picker and a number, not only text', () => {
    const form = JSON.stringify([formFor(aCase(), navigation), formFor({}, { rubric: 'low-latency' })]);
    expect(form).toContain('"initial_date":"2024-03-04"');
    expect(form).toContain('"initial_time":"19:50"');
    expect(form).toContain('number_input');
  });

  test('says which criterion is lost without a field', () => {
    expect(textsIn(formFor({}, navigation)).join('\n')).toContain('Without it there is no verdict on: Time.');
  });

  test('tells at once when another rubric is chosen', () => {
    expect(formFor({}).blocks[0]).toMatchObject({
      dispatch_action: true,
      element: { action_id: 'form_rubric' },
    });
  });

  test('keeps only the id of the draft', () => {
    expect(readAbout(forms.ask, { private_metadata: formFor(aCase()).private_metadata ?? '' })).toEqual({
      draft: 'd1',
    });
  });

  test('begins with the channel’s defaults', () => {
    const wish = {
      rubric: 'navigation',
      method: 'mad',
      models: ['openai/gpt-4o-mini'],
      panel: ['auditor', 'editor'],
    };
    expect(submitted(aCase(), wish)).toMatchObject({ wish });
  });

  test('takes the rubric that the case names, and none where there is no such rubric', () => {
    expect(submitted(aCase({ rubric: 'navigation' }), {})).toMatchObject({ wish: navigation });
    expect(submitted(aCase(), { rubric: 'gone', method: 'gone' })).toMatchObject({ wish: {} });
  });

  test('leaves out of the wish what is left as it comes', () => {
    expect(submitted(aCase(), {})).toMatchObject({ wish: {} });
  });
});

describe('the short form', () => {
  const short = (paste: string, wish = {}) =>
    askForm({ understood: {}, paste, wish, rubrics, choices, format });
  const reading = {
    readPaste: async (pasted: string) => parseInput(pasted, { maxCaseChars: 32_000, format }),
    format,
    methods: new Map([['mad', { title: 'Debate' }]]),
    who: 'U1',
  };
  const read = (form: Form, paste: string, answers = {}) => {
    const state = readFormState(filledForm(formView(forms.ask, { draft: 'd1' }, form), answers));
    return readAsked(withHidden(form, state), { understood: {}, paste }, rubrics, reading);
  };
  const text = 'User: Find me sushi\nSystem: Sakura is near.';

  test('is a paste, a rubric and models; method and panel are under Advanced', () => {
    const view = formView(forms.ask, { draft: 'd1' }, short(''));
    expect(inputsOf(view)).toEqual(['paste', 'wish_rubric', 'wish_models']);
    expect(JSON.stringify(view.blocks.at(-1))).toContain('"action_id":"form_advanced"');
    expect(viewProblems(view)).toEqual([]);
    const all = formView(forms.ask, { draft: 'd1' }, { ...short(''), expanded: true });
    expect(inputsOf(all)).toEqual(['paste', 'wish_rubric', 'wish_models', 'wish_method', 'wish_panel']);
    expect(JSON.stringify(all.blocks)).not.toContain('form_advanced');
  });

  test('becomes the cases of the paste, with what is assumed, and keeps the defaults that it hides', async () => {
    const wish = { method: 'mad', panel: ['auditor', 'editor'] };
    expect(await read(short(text, wish), text)).toMatchObject({
      cases: [{ evalCase: { response: 'Sakura is near.' }, assumed: [] }],
      wish,
    });
    const two = '{"conversation":[{"role":"user","text":"a"}],"response":"b"}\n'.repeat(2);
    expect(await read(short(''), '', { paste: two })).toMatchObject({
      cases: [{ evalCase: { response: 'b' } }, {}],
    });
  });

  test('takes an unchanged paste to the letter, even one that is longer than an input', async () => {
    const long = `User: hi\nSystem: ${'a long answer '.repeat(400).trim()}`;
    expect(inputsOf(formView(forms.ask, { draft: 'd1' }, short(long)))).not.toContain('paste');
    expect(await read(short(long), long)).toMatchObject({
      cases: [{ evalCase: { response: long.slice(17) } }],
    });
  });

  test('says at the paste what is wrong with it', async () => {
    expect(await read(short(''), '')).toEqual({ errors: { paste: expect.stringContaining('Paste what') } });
    expect(await read(short(''), '', { paste: 'User: hi' })).toEqual({
      errors: { paste: expect.stringContaining('There is no response') },
    });
  });

  test('opens as fields where the paste was read whole, and keeps any other text as it is', async () => {
    const open = (paste: string, typed = paste) =>
      opened({ understood: {}, paste }, { paste: typed }, reading);
    expect(await open('', text)).toMatchObject({
      paste: undefined,
      understood: { response: 'Sakura is near.' },
    });
    expect(await open('')).toEqual({ paste: undefined, understood: {} });
    for (const other of ['User: hi', 'hello', `${text}\nfoo: bar\n\n${text}`])
      expect([undefined, other]).toContain((await open(other)).paste);
    expect((await open('User: hi')).paste).toBe('User: hi');
  });
});

describe('a case that is judged again', () => {
  const again = (understood: Understood, wish: object) =>
    askForm({ understood, wish, rubrics, choices, format, again: true });

  test('is asked for its rubric, models and method; its own fields are under Advanced and stay as they were', () => {
    const wish = { rubric: 'navigation', method: 'mad' };
    const form = again(aCase(), wish);
    const view = formView(forms.ask, { draft: 'd1' }, form);
    expect(inputsOf(view)).toEqual(['wish_rubric', 'wish_models', 'wish_method']);
    const state = readFormState(filledForm(view, { wish_method: 'mab' }));
    expect(readAskForm(withHidden(form, state), aCase(), rubrics, format)).toEqual({
      evalCase: aCase(),
      wish: { rubric: 'navigation', method: 'mab' },
    });
  });

  test('is asked at once for what another rubric needs', () => {
    expect(
      inputsOf(formView(forms.ask, { draft: 'd1' }, again(aCase(), { rubric: 'factual-correctness' }))),
    ).toContain('case_documents');
  });
});

describe('a submitted form', () => {
  test('is a case', () => {
    const answers = {
      ...spoken,
      case_context_date: '2024-03-04',
      case_context_time: '20:35',
      case_context_location: 'Prenzlauer Berg, Berlin (52.53, 13.41)',
      case_recommendation: 'Name: Sakura\nCuisine: Japanese\nRating: 4.3\nMonday: 12:00-22:00',
    };
    expect(submitted({}, navigation, answers)).toEqual({
      wish: navigation,
      evalCase: {
        conversation: [{ role: 'user', text: 'Find me sushi' }],
        response: 'Sakura is near.',
        context: {
          date: '2024-03-04',
          time: '20:35',
          location: { latitude: 52.53, longitude: 13.41, description: 'Prenzlauer Berg, Berlin' },
        },
        recommendation: {
          name: 'Sakura',
          cuisine: 'Japanese',
          rating: 4.3,
          openingHours: { monday: '12:00-22:00' },
        },
      },
    });
  });

  test('takes several turns, documents, lists and numbers', () => {
    const conversation = 'User: Hi\nSystem: Hello\nUser: How much air?';
    expect(
      submitted(
        {},
        { rubric: 'factual-correctness' },
        {
          case_conversation: conversation,
          case_response: '2.4 bar',
          case_documents: 'Document m1: 2.4 bar\n\nDocument m2: 2.6 bar',
        },
      ),
    ).toMatchObject({
      evalCase: {
        conversation: [{ text: 'Hi' }, { role: 'system', text: 'Hello' }, { text: 'How much air?' }],
        documents: [
          { id: 'm1', text: '2.4 bar' },
          { id: 'm2', text: '2.6 bar' },
        ],
      },
    });
    expect(submitted({}, { rubric: 'low-latency' }, { ...spoken, case_latencyMs: '1800' })).toMatchObject({
      evalCase: { latencyMs: 1800 },
    });
    const held = aCase({ recommendations: [['a']], documents: [{ text: 'b' }] });
    expect(
      submitted(held, {}, { case_recommendations: 'Alien; Heat\nUp', case_documents: 'All in one' }),
    ).toMatchObject({
      evalCase: { recommendations: [['Alien', 'Heat'], ['Up']], documents: [{ text: 'All in one' }] },
    });
  });

  test('takes a recommendation as JSON', () => {
    expect(
      submitted({}, navigation, { ...spoken, case_recommendation: '{"name": "Sakura", "rating": 4.3}' }),
    ).toMatchObject({ evalCase: { recommendation: { name: 'Sakura', rating: 4.3 } } });
  });

  test.each<[string, object, string, RegExp]>([
    [
      'a recommendation of no known field',
      { ...spoken, case_recommendation: 'foo bar' },
      'case_recommendation',
      /could not be read|Not understood/,
    ],
    [
      'a line that is not understood',
      { ...spoken, case_recommendation: 'Name: Sakura\nfoo: bar' },
      'case_recommendation',
      /Not understood: .*foo: bar/,
    ],
    [
      'a recommendation that brings turns of its own',
      { ...spoken, case_recommendation: 'Name: a\nUser: b\nSystem: c' },
      'case_recommendation',
      /could not be read|Not understood|more than one/,
    ],
    ['a missing recommendation', spoken, 'case_recommendation', /This rubric needs it/],
    [
      'a blank response',
      { ...spoken, case_response: ' ', case_recommendation: 'Name: a' },
      'case_response',
      /response/,
    ],
    [
      'a conversation of the system alone',
      { ...spoken, case_conversation: 'System: hi', case_recommendation: 'Name: a' },
      'case_conversation',
      /role "user"/,
    ],
  ])('with %s says so at the field', (_what, answers, block, message) => {
    expect(submitted({}, navigation, answers)).toMatchObject({
      errors: { [block]: expect.stringMatching(message) },
    });
  });

  test('that was not changed is the pasted case to the letter', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const said = text.toWellFormed();
        const pasted: EvalCase = aCase({
          id: 'mine',
          conversation: [
            { role: 'user', text: said },
            { role: 'system', text: `System: ${said}` },
            { role: 'user', text: `a\nUser: ${said}` },
          ],
          response: said,
          recommendation: { name: said },
          documents: [{ id: 'd', text: said }, { text: said }],
          history: [{ role: 'system', text: said }],
          recommendations: [[said, said]],
          latencyMs: 5,
          groundTruth: said,
        });
        expect(submitted(pasted, navigation)).toEqual({ evalCase: pasted, wish: navigation });
      }),
      { numRuns: repeated(100) },
    );
  });

  test('that comes back escaped and with other line ends is known to be unchanged', () => {
    const pasted = aCase({ response: 'Tom & Jerry <b>\nis near' });
    const state = JSON.stringify(filledForm(formFor(pasted, navigation)))
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('\\n', '\\r\\n');
    expect(readAskForm(readFormState(JSON.parse(state)), pasted, rubrics, format)).toMatchObject({
      evalCase: pasted,
    });
  });

  test('keeps a paste that is longer than an input, and shows that it does', () => {
    const response = 'a long answer '.repeat(400).trim();
    const form = formFor(aCase({ response }), navigation);
    expect(inputsOf(form)).not.toContain('case_response');
    expect(textsIn(form).join('\n')).toContain('kept as it was pasted, 5,599 characters');
    expect(viewProblems(form)).toEqual([]);
    expect(submitted(aCase({ response }), navigation)).toMatchObject({ evalCase: { response } });
  });

  test('can empty a field that the paste gave', () => {
    const result = submitted(aCase(), navigation, { case_context_date: null, case_context_time: null });
    expect('evalCase' in result && result.evalCase.context).toBeUndefined();
  });

  test('of a draft that was understood in part needs only the rest', () => {
    const [parsed] = parseInput('{"user": "Find me sushi", "recommendation": {"name": "Sakura"}}', {
      maxCaseChars: 1000,
      format,
    });
    if (parsed === undefined || !('problem' in parsed))
      throw new Error('this paste was expected to be a problem');
    expect(submitted(parsed.understood, navigation, { case_response: 'Sakura is near.' })).toMatchObject({
      evalCase: { conversation: [{ text: 'Find me sushi' }], recommendation: { name: 'Sakura' } },
    });
  });
});

const car = { rubric: 'car-function' };
const charging = { rubric: 'charging-station' };
const action = { device: ['window'], operation: ['open'], value: 50, result: 'done', alsoChanged: [] };

/** What the input of a block id begins with. */
const initial = (understood: Understood, wish: object, block: string) =>
  Object.values(filledForm(formFor(understood, wish)).values[block] ?? {})[0]?.value;

describe('declared fields', () => {
  test('are asked for where the rubric needs or looks at them, the needed ones as required', () => {
    const form = formFor({}, car);
    expect(inputsOf(form).slice(3, -1)).toEqual([
      'case_action_device',
      'case_action_operation',
      'case_action_target',
      'case_action_value',
      'case_action_result',
      'case_action_alsoChanged',
    ]);
    const optional = (id: string) => form.blocks.find(({ block_id }) => block_id === id);
    expect(optional('case_action_device')).toMatchObject({ optional: false, label: { text: 'Device' } });
    expect(optional('case_action_target')).toMatchObject({ optional: true });
    expect(textsIn(form).join('\n')).toContain('Without it there is no verdict on: Side effects.');
  });

  test('of the situation have inputs of their own, those of a recommendation are named as its lines', () => {
    const form = formFor({}, charging);
    expect(inputsOf(form)).toEqual(
      expect.arrayContaining(['case_context_carPlug', 'case_context_rangeKm', 'case_recommendation']),
    );
    expect(inputsOf(form).join()).not.toContain('case_recommendation_');
    const texts = textsIn(form).join('\n');
    expect(texts).toContain('This rubric looks at: ');
    for (const line of ['Opening hours', 'Duration', 'Plug types', 'Charging power', 'Amenities'])
      expect(texts).toContain(line);
  });

  test('are asked for as well where only the draft holds them', () => {
    const held = withDeclared(aCase(), { action: { device: ['radio'] } });
    expect(inputsOf(formFor(held, navigation))).toContain('case_action_device');
  });

  test('show what the draft holds as one would type it', () => {
    const held = withDeclared(aCase(), { action: { ...action, device: ['window', 'roof, front'] } });
    expect(initial(held, car, 'case_action_device')).toBe('window; roof, front');
    expect(initial(held, car, 'case_action_alsoChanged')).toBe('none');
    expect(initial(held, car, 'case_action_value')).toBe('50');
  });

  test('are read as lines of a paste are, units and all', () => {
    const answers = {
      ...spoken,
      case_action_device: 'window, sunroof',
      case_action_value: '50 %',
      case_action_alsoChanged: 'none',
    };
    expect(submitted({}, car, answers)).toMatchObject({
      evalCase: { action: { device: ['window', 'sunroof'], value: 50, alsoChanged: [] } },
    });
    const station = {
      ...spoken,
      case_context_carPlug: 'CCS',
      case_context_rangeKm: '10 miles',
      case_recommendation: 'Name: Ionity\nPlugs: CCS, Type 2\nPrice: 59 ct/kWh\nFree points: 2',
    };
    // 10 miles of 1.609344 km, to four digits
    expect(submitted({}, charging, station)).toEqual({
      wish: charging,
      evalCase: {
        conversation: [{ role: 'user', text: 'Find me sushi' }],
        response: 'Sakura is near.',
        context: { carPlug: 'CCS', rangeKm: 16.0934 },
        recommendation: { name: 'Ionity', plugs: ['CCS', 'Type 2'], pricePerKwh: 0.59, freePoints: 2 },
      },
    });
  });

  test.each<[string, object, object, string, RegExp]>([
    ['a number that is none', car, { case_action_value: 'half' }, 'case_action_value', /A number/],
    ['a missing device', car, { case_action_device: null }, 'case_action_device', /This rubric needs it/],
    ['a number below the least', charging, { case_context_rangeKm: '-3' }, 'case_context_rangeKm', />=0/],
    [
      'a line that is not understood',
      charging,
      { case_recommendation: 'Name: Ionity\nCharging power: plenty' },
      'case_recommendation',
      /Not understood: .*power/i,
    ],
    [
      'a line that belongs to the situation',
      charging,
      { case_recommendation: 'Name: Ionity\nCar plug: CCS' },
      'case_recommendation',
      /of context/,
    ],
  ])('tell at the field of %s', (_what, wish, answers, block, message) => {
    const given = wish === car ? { case_action_device: 'window' } : { case_recommendation: 'Name: Ionity' };
    expect(submitted({}, wish, { ...spoken, ...given, ...answers })).toMatchObject({
      errors: { [block]: expect.stringMatching(message) },
    });
  });

  test('that were not changed are the pasted ones, of every type, with any text', () => {
    const own = (name: string, type: string) =>
      Field.parse({
        name,
        of: 'stay',
        title: name,
        type,
        ...(type === 'number' ? { units: { km: 1 } } : {}),
      });
    const types = ['text', 'number', 'list', 'boolean', 'place', 'hours'];
    const ownFormat = declaring(
      types.map((type) => own(`one${type}`, type)),
      words,
    );
    fc.assert(
      fc.property(
        hostile,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        (text, number, flag) => {
          const said = text.toWellFormed();
          const stay = {
            onetext: said,
            onenumber: number,
            onelist: [said, `${said}, ${said}; none`],
            oneboolean: flag,
            oneplace: { description: said, latitude: 1, longitude: 2 },
            onehours: { monday: said },
          };
          const pasted = withDeclared(aCase(), { stay });
          const form = formView(
            forms.ask,
            { draft: 'd' },
            askForm({ understood: pasted, wish: {}, rubrics, choices, format: ownFormat }),
          );
          expect(readAskForm(readFormState(filledForm(form)), pasted, rubrics, ownFormat)).toEqual({
            evalCase: pasted,
            wish: {},
          });
        },
      ),
      { numRuns: repeated(100) },
    );
  });

  test('that are declared no more are left out, and the form says so', () => {
    const kept = withDeclared(aCase(), { action, stay: { nights: 3 } });
    const form = formFor(kept, car);
    expect(textsIn(form).join('\n')).toContain('no longer declared: stay');
    const { evalCase } = Object(submitted(kept, car));
    expect(evalCase).toEqual(withDeclared(aCase(), { action }));
  });

  test('for which a form has no room are kept as they were pasted, and the form says how many', () => {
    const fields = Array.from({ length: 200 }, (_, n) =>
      Field.parse({ name: `f${n}`, of: 'stay', title: `field ${n}`, type: 'number' }),
    );
    const ownFormat = declaring(fields, words);
    const stay = Object.fromEntries(fields.map(({ name }, n) => [name, n]));
    const pasted = withDeclared(aCase(), { stay });
    const form = formView(
      forms.ask,
      { draft: 'd' },
      askForm({ understood: pasted, wish: {}, rubrics, choices, format: ownFormat }),
    );
    expect(viewProblems(form)).toEqual([]);
    expect(textsIn(form).join('\n')).toMatch(/\d+ more fields do not fit here/);
    const changed = filledForm(form, { case_stay_f0: '7' });
    expect(readAskForm(readFormState(changed), pasted, rubrics, ownFormat)).toMatchObject({
      evalCase: { stay: { ...stay, f0: 7 } },
    });
  });
});

describe('turns as text', () => {
  test('are read back as they were', () => {
    const line = fc.oneof(
      fc.constantFrom('User: x', 'system : y', '  User: z', 'a', ''),
      fc.string().map((text) => text.replaceAll(/[\r\n]/g, '')),
    );
    const turn = fc.record({
      role: fc.constantFrom('user' as const, 'system' as const),
      text: fc.array(line, { minLength: 1 }).map((lines) => `x${lines.join('\n')}`.trimEnd()),
    });
    fc.assert(
      fc.property(fc.array(turn, { minLength: 1 }), (turns) => {
        expect(readTurns(writeTurns(turns))).toEqual(turns);
      }),
    );
  });

  test('without a label are the user’s', () => {
    expect(readTurns('Find me\nsushi')).toEqual([{ role: 'user', text: 'Find me\nsushi' }]);
  });
});
