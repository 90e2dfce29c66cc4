import { describe, expect, it } from 'vitest';
import { caseOf, itemsOf, parseOne, problemOf } from './parse.ts';

const CASE = {
  id: 'u1-time',
  rubric: 'navigation',
  conversation: [{ role: 'user', text: 'Find me a high-end French restaurant' }],
  response: 'I recommend Chez Luc, 1.2 km away',
  context: { date: '2024-03-04', time: '20:35', location: { latitude: 52.53, longitude: 13.41 } },
  recommendation: {
    name: 'Chez Luc',
    menu: ['soup'],
    rating: 4.6,
    openingHours: { monday: '12:00-20:00', tuesday: '12:00-14:30, 18:00-01:00' },
  },
  documents: [{ id: 'm12', text: 'one' }],
  label: { decision: 'fail', errorType: 'time' },
};
const PAIR = { conversation: [{ role: 'user', text: 'a' }], response: 'b' };

describe('a case as the contract has it', () => {
  it.each([
    ['on one line', JSON.stringify(CASE)],
    ['over several lines', JSON.stringify(CASE, null, 2)],
    ['in a code fence', `\`\`\`json\n${JSON.stringify(CASE, null, 2)}\n\`\`\``],
    ['in a list', JSON.stringify([CASE])],
    ['after a byte order mark', `\ufeff${JSON.stringify(CASE)}`],
    ['with entities of Slack', JSON.stringify({ ...CASE }).replaceAll('"', '&quot;')],
  ])('%s is itself, with nothing assumed', (_, text) => {
    expect(parseOne(text)).toEqual({ case: CASE, assumed: [] });
  });

  it('with a venue but no moment says what is not judged', () => {
    const { context: _, ...rest } = CASE;
    expect(parseOne(JSON.stringify(rest))).toEqual({
      case: rest,
      assumed: [
        'Missing: date, time, so opening hours are not judged; add "Date: 2026-03-02" and "Time: 20:35"',
      ],
    });
  });

  it('written in YAML is read as well', () => {
    expect(caseOf('conversation:\n  - role: user\n    text: a\nresponse: b\nlatencyMs: 1800').case).toEqual({
      ...PAIR,
      latencyMs: 1800,
    });
  });

  it.each([
    [
      'an unknown key',
      { ...PAIR, colour: 1 },
      'unknown key "colour" (docs/cases.md lists what a case can have)',
    ],
    ['a misspelled key', { ...PAIR, respons: 'x' }, 'unknown key "respons" (did you mean "response"?)'],
    [
      'an unknown key further down',
      { ...PAIR, recommendation: { opening_hours: {} } },
      'unknown key "recommendation.opening_hours" (did you mean "openingHours"?)',
    ],
    ['an unknown key of a place', { ...PAIR, context: { location: { lat: 1 } } }, '"context.location.lat"'],
    [
      'an unknown day',
      { ...PAIR, recommendation: { openingHours: { mon: 'x' } } },
      '"recommendation.openingHours.mon"',
    ],
    [
      'a wrong type',
      { ...PAIR, recommendation: { rating: '4' } },
      '"recommendation.rating" must be a number, found the text "4"',
    ],
    [
      'a wrong list',
      { ...PAIR, recommendation: { menu: 4 } },
      '"recommendation.menu" must be a list, found 4',
    ],
    [
      'an unknown role',
      { ...PAIR, conversation: [{ role: 'x', text: 'a' }] },
      '"conversation[0].role" must be "user" or "system", found the text "x"',
    ],
    ['an empty text', { ...PAIR, response: ' ' }, '"response" must not be empty'],
    [
      'a wrong date',
      { ...PAIR, context: { date: '2024-13-01' } },
      '"context.date" is not a day of the calendar',
    ],
    ['a number out of range', { ...PAIR, latencyMs: -1 }, '"latencyMs" must be at least 0, found -1'],
    ['half of a character', { ...PAIR, response: '\ud800' }, 'lone surrogate'],
    [
      'half of a character beside a venue in keys of another shape',
      { user: 'a b', system: 'c d', name: '\ud800x', rating: 4.5 },
      '"recommendation.name" contains half of a character',
    ],
    ['a key in other words', { ...PAIR, latency_m: 3 }, 'did you mean "latencyMs"?'],
    [
      'no user',
      { conversation: [{ role: 'system', text: 'a' }], response: 'b' },
      'needs at least one turn with role "user"',
    ],
    ['null', { ...PAIR, context: null }, '"context" must be an object, found null'],
  ])('with %s is a problem that names it', (_, value, message) => {
    expect(problemOf(JSON.stringify(value)).problem).toContain(message);
  });

  it('takes a text as a list of one where a list belongs, and says so', () => {
    const given = { ...PAIR, recommendation: { menu: 'soup' } };
    const parsed = parseOne(JSON.stringify(given));
    expect(parsed).toMatchObject({
      case: { recommendation: { menu: ['soup'] } },
      assumed: expect.arrayContaining(['"recommendation.menu" was read as a list of one']),
    });
  });

  it.each([
    [
      { conversation: 'Find soup', response: 'b' },
      '"conversation" must be a list, found the text "Find soup"',
    ],
    [{ ...PAIR, recommendation: { menu: 'soup, steak' } }, '"recommendation.menu" must be a list'],
  ])('takes no other text as a list: %j', (given, problem) => {
    expect(problemOf(JSON.stringify(given)).problem).toContain(problem);
  });

  it('without a response says which field is missing and how to write it', () => {
    expect(problemOf(JSON.stringify({ conversation: PAIR.conversation }))).toEqual({
      problem: 'The case is not valid: "response" is missing. Add "response": "…".',
      missing: ['response'],
      understood: { conversation: PAIR.conversation },
    });
  });

  it('with thousands of wrong turns tells the first and counts the rest', () => {
    const parsed = problemOf(JSON.stringify({ conversation: Array(400).fill({}), response: 'b' }));
    expect(parsed.problem).toMatch(/; and 79\d more\./);
    expect(parsed.problem.length).toBeLessThan(1000);
  });
});

describe('objects of other shapes', () => {
  it('a request to a model and its answer as a turn, a line each, are one exchange', () => {
    const messages = [{ role: 'user', content: 'Any roadworks?' }];
    const answer = { role: 'assistant', content: [{ type: 'text', text: 'Yes, on the M6.' }] };
    const { case: read } = caseOf(`${JSON.stringify({ model: 'm', messages })}\n${JSON.stringify(answer)}`);
    expect(read).toEqual({
      conversation: [{ role: 'user', text: 'Any roadworks?' }],
      response: 'Yes, on the M6.',
    });
  });

  it.each([
    [{ user: 'a', system: 'b' }],
    [{ user: 'a', response: 'b' }],
    [{ utterance: 'a', response: 'b' }],
    [{ question: 'a', answer: 'b' }],
    [{ query: 'a', reply: 'b' }],
    [{ prompt: 'a', completion: 'b' }],
    [{ input: 'a', output: 'b' }],
    [{ request: 'a', assistant: 'b' }],
    [{ response: 'b', user: 'a' }],
    [{ q: 'a', a: 'b' }],
    [{ user_utterance: 'a', systemResponse: 'b' }],
    [{ request: { utterance: 'a' }, response: { text: 'b' } }],
    [{ data: { user: 'a', system: 'b' } }],
    [
      {
        messages: [
          { role: 'user', content: 'a' },
          { role: 'assistant', content: 'b' },
        ],
      },
    ],
    [
      {
        messages: [
          { role: 'human', content: [{ type: 'text', text: 'a' }] },
          { role: 'bot', content: 'b' },
        ],
      },
    ],
    [{ messages: [{ role: 'user', content: 'a' }], response: 'b' }],
    [
      {
        conversation: [
          { role: 'user', text: 'a' },
          { role: 'system', text: 'b' },
        ],
      },
    ],
    [
      {
        conversation: [
          { speaker: 'Driver', text: 'a' },
          { speaker: 'Car', text: 'b' },
        ],
      },
    ],
    [{ conversation: [{ role: 'human', content: 'a' }], response: 'b' }],
    [{ turns: [{ user: 'a', system: 'b' }] }],
    [
      [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
      ],
    ],
  ])('%j', (value) => {
    const parsed = caseOf(JSON.stringify(value));
    expect(parsed.case).toEqual(PAIR);
    expect(parsed.assumed).not.toEqual([]);
  });

  it('say how every key was read and which were not used', () => {
    const parsed = caseOf(JSON.stringify({ user: 'a', answer: 'b', model: 'gpt', trace_id: 7 }));
    expect(parsed.assumed).toEqual([
      'read "user" as the user\'s turn, "answer" as the system\'s turn, the last turn as the response',
      'not used: model, trace_id',
    ]);
  });

  it('may hold a context and a venue in snake case', () => {
    const parsed = caseOf(
      JSON.stringify({
        user: 'a',
        response: 'b',
        context: { current_gps: { lat: 52.53, lon: 13.41 }, datetime: '2024-03-04T20:35' },
        poi: {
          name: 'Chez Luc',
          cuisine_type: 'French',
          price_level: '€€',
          rating: '4,6',
          distance_km: 1.2,
          duration_min: 6,
          opening_hours: { mon: '12-20', 'sat-sun': 'closed', tuesday: [{ open: '12:00', close: '14:30' }] },
          location: { latitude: 52.54, lng: 13.42, address: 'Torstr. 1' },
        },
      }),
    );
    expect(parsed.case.context).toEqual({
      date: '2024-03-04',
      time: '20:35',
      location: { latitude: 52.53, longitude: 13.41 },
    });
    expect(parsed.case.recommendation).toEqual({
      name: 'Chez Luc',
      cuisine: 'French',
      cost: 'medium',
      rating: 4.6,
      distanceKm: 1.2,
      durationMin: 6,
      openingHours: { monday: '12:00-20:00', saturday: 'closed', sunday: 'closed', tuesday: '12:00-14:30' },
      location: { latitude: 52.54, longitude: 13.42, description: 'Torstr. 1' },
    });
    expect(parsed.assumed).toContain('cost €€ read as medium');
  });

  it('do not take a log’s timestamp for the user’s time', () => {
    const parsed = caseOf(JSON.stringify({ timestamp: '2024-03-04T20:35:00', user: 'a', system: 'b' }));
    expect(parsed.case.context).toBeUndefined();
    expect(parsed.assumed.join()).toContain('not used: timestamp');
  });

  it('may hold documents', () => {
    expect(
      caseOf(JSON.stringify({ question: 'a', answer: 'b', contexts: ['one', 'two'] })).case.documents,
    ).toEqual([{ text: 'one' }, { text: 'two' }]);
  });

  it('may hold the instructions of the system, which are left out', () => {
    const parsed = caseOf(JSON.stringify({ system: 'You are a car.', user: 'a', assistant: 'b' }));
    expect(parsed.case).toEqual(PAIR);
    expect(parsed.assumed).toContain('left out: "system", read as instructions');
  });

  it('may hold what was expected, which is kept apart', () => {
    const parsed = caseOf(JSON.stringify({ case_id: 'u1', input: 'a', expected_output: 'c', actual: 'b' }));
    expect(parsed.case).toEqual({ ...PAIR, id: 'u1', groundTruth: 'c' });
    expect(parsed.assumed[0]).toContain(
      '"expected_output" as the ground truth, "actual" as the system\'s turn',
    );
  });

  it('are a problem where no turn answers', () => {
    const parsed = problemOf(JSON.stringify({ messages: [{ role: 'user', content: 'a' }] }));
    expect(parsed.missing).toEqual(['response']);
    expect(parsed.understood).toEqual({ conversation: [{ role: 'user', text: 'a' }] });
  });

  it('written as Python writes them are read, and that is said', () => {
    const parsed = caseOf("{'user': 'a', 'system': 'b', 'extra': None}");
    expect(parsed.case).toEqual(PAIR);
    expect(parsed.assumed).toContain('the JSON had a small error that was repaired; check the result');
    expect(caseOf("{'user': 'a', 'system': 'McDonald\\'s it is'}").case.response).toBe("McDonald's it is");
  });
});

describe('JSON with mistakes', () => {
  it.each([
    ['a trailing comma', '{"user": "a", "response": "b",}'],
    ['a missing comma', '{"user": "a"\n "response": "b"}'],
    ['single quotes', "{'user': 'a', 'response': 'b'}"],
    ['curly quotes', '{“user”: “a”, “response”: “b”}'],
    ['no quotes', '{user: a, response: b}'],
    ['a bracket too many', '{"user": "a", "response": "b"}}'],
  ])('is repaired, and that is said: %s', (_, text) => {
    const parsed = caseOf(text);
    expect(parsed.case).toEqual(PAIR);
    expect(parsed.assumed[0]).toBe('the JSON had a small error that was repaired; check the result');
  });

  it('keeps every character of its values', () => {
    expect(caseOf('{"user": "say "hi" now", "response": "two\nlines",}').case).toEqual({
      conversation: [{ role: 'user', text: 'say "hi" now' }],
      response: 'two\nlines',
    });
  });

  it.each([
    ['cut off within a text', '{"user": "a", "response": "b', 'cut off'],
    ['cut off between values', '{"user": "a", "response": "b",', 'cut off'],
    [
      'cut off in a list',
      '[{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}',
      'cut off',
    ],
    ['with a comment', '{"user": "a", // driver\n "response": "b"}', 'Fix it'],
    ['with texts to be joined', '{"user": "a", "response": "b" + "c"}', 'Fix it'],
    ['with a wrong escape', '{"user": "a", "response": "b\\q",}', 'Fix it'],
    ['with something left out', '{"messages": [{"role": "user", "content": "a"}, ...]}', 'Fix it'],
  ])('is refused where a repair would guess: %s', (_, text, advice) => {
    expect(problemOf(text).problem).toMatch(/^Not valid JSON: /);
    expect(problemOf(text).problem).toContain(advice);
  });

  it('within a line of JSONL is refused, not repaired', () => {
    const [, second] = itemsOf('{"user": "a", "response": "b"}\n{"user": "a", "response": "b",}');
    expect(second).toHaveProperty('problem', expect.stringMatching(/^Line 2: not valid JSON/));
  });
});

describe('what tools were asked and gave back', () => {
  const results = [
    { type: 'tool_result', tool_use_id: 'a', content: 'ok' },
    { type: 'tool_use', id: 'a', name: 'set_temperature', input: { value: 19 } },
  ];
  it('among the parts of a turn is not taken for words', () => {
    const messages = [
      { role: 'user', content: [{ type: 'text', text: '23 please' }] },
      { role: 'assistant', content: [results[1]] },
      { role: 'user', content: [results[0]] },
      { role: 'assistant', content: [{ type: 'text', text: '19 it is' }] },
    ];
    expect(caseOf(JSON.stringify({ messages })).case).toEqual({
      conversation: [{ role: 'user', text: '23 please' }],
      response: '19 it is',
      toolCalls: [{ name: 'set_temperature', arguments: { value: 19 }, result: 'ok' }],
    });
  });

  it('beside the words of a turn is kept; a result of an unknown call is left out, and that is said', () => {
    const messages = [
      { role: 'user', content: [results[0], { type: 'text', text: '23 please' }] },
      { role: 'assistant', content: [{ type: 'text', text: '19 it is' }, results[1]] },
    ];
    const { case: read, assumed } = caseOf(JSON.stringify({ messages }));
    expect(read).toEqual({
      conversation: [{ role: 'user', text: '23 please' }],
      response: '19 it is',
      toolCalls: [{ name: 'set_temperature', arguments: { value: 19 } }],
    });
    expect(assumed).toContain('not used: messages[0] (the result of an unknown call)');
  });

  it('among the turns is kept with the words that come of it', () => {
    const input = [
      { role: 'user', content: '23 please' },
      { type: 'function_call', name: 'set', arguments: '{}', call_id: 'c' },
      { type: 'function_call_output', call_id: 'c', output: 'ok' },
      { role: 'assistant', content: '19 it is' },
    ];
    expect(caseOf(JSON.stringify({ input })).case).toEqual({
      conversation: [{ role: 'user', text: '23 please' }],
      response: '19 it is',
      toolCalls: [{ name: 'set', arguments: {}, result: 'ok' }],
    });
  });

  it.each([
    [
      'a chat model',
      [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'set', arguments: '{"value":19}' } }],
        },
        { role: 'tool', tool_call_id: 'c', content: '{"ok":true}' },
        { role: 'assistant', content: '19 it is' },
      ],
    ],
    [
      'words before and after the call',
      [
        {
          role: 'assistant',
          content: 'One moment',
          toolCalls: [{ toolName: 'set', args: { value: 19 }, result: { ok: true } }],
        },
        { role: 'assistant', content: '19 it is' },
      ],
    ],
    [
      'one call beside the words',
      [
        {
          role: 'assistant',
          content: '19 it is',
          function_call: { name: 'set', parameters: { value: 19 }, output: { ok: true } },
        },
      ],
    ],
  ])('is read from %s', (_, answers) => {
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
      { role: 'user', content: '23 please' },
      ...answers,
    ];
    const { case: read } = caseOf(JSON.stringify({ messages, expectedCalls: { anyOf: [[]] }, trace: 't1' }));
    expect(read).toMatchObject({
      response: '19 it is',
      toolCalls: [{ name: 'set', arguments: { value: 19 }, result: { ok: true } }],
      expectedCalls: { anyOf: [[]] },
      trace: 't1',
    });
    // The input says what was called, so the turns without calls called nothing.
    expect(read.conversation[1]).toEqual({ role: 'system', text: 'Hello', toolCalls: [] });
  });

  it('without words after it is left out, and nothing is said of the other turns', () => {
    const messages = [
      { role: 'assistant', content: null, tool_calls: [{ function: { name: 'beep', arguments: '' } }] },
      { role: 'user', content: '23 please' },
      { role: 'assistant', content: '19 it is' },
    ];
    const { case: read, assumed } = caseOf(JSON.stringify({ messages }));
    expect(read).toEqual({ conversation: [{ role: 'user', text: '23 please' }], response: '19 it is' });
    expect(assumed).toContain('not used: beep (a call without words after it)');
  });

  it('on lines between turns leaves these one conversation', () => {
    const lines = [
      { role: 'user', content: '23 please' },
      { tool: 'set_temperature', args: { value: 19 } },
      { role: 'assistant', content: '19 it is' },
    ];
    expect(caseOf(lines.map((line) => JSON.stringify(line)).join('\n')).case).toEqual({
      conversation: [{ role: 'user', text: '23 please' }],
      response: '19 it is',
    });
  });
});

it('a table whose only column of a venue is a name is not about a venue', () => {
  const { case: read, assumed } = caseOf('Name,Request,Reply\nheat up,make it 23,set to 19\n');
  expect(read).toEqual({ conversation: [{ role: 'user', text: 'make it 23' }], response: 'set to 19' });
  expect(assumed).toContain('not used: Name');
});

it('a conversation of other turns says who is not known instead of which keys are missing', () => {
  const conversation = [
    { speaker: 'DRIVER', utterance: 'Range?' },
    { speaker: 'IVA', utterance: '312 km' },
  ];
  const { problem, understood } = problemOf(JSON.stringify({ conversation }));
  expect(problem).toContain('There is no response to judge');
  expect(problem).toContain('Not used: conversation[1] (role "IVA")');
  expect(understood).toEqual({ conversation: [{ role: 'user', text: 'Range?' }] });
});

it('times of a log are explained once, however many turns have one', () => {
  const list = [
    { ts: '2026-11-23T09:14:22Z', speaker: 'user', text: 'a b' },
    { ts: '2026-11-23T09:14:25Z', speaker: 'assistant', text: 'c d' },
  ];
  expect(caseOf(JSON.stringify(list)).assumed.at(-1)).toBe(
    'not used: list[0].ts (the log\'s time is not the user\'s: add "Date: 2026-11-23" and "Time: 09:14" if that was the moment of the request), list[1].ts',
  );
});

it('of several times of a log, that of the user’s last turn is offered as the moment of the request', () => {
  const list = ['user', 'assistant', 'user', 'assistant'].map((speaker, at) => ({
    ts: `2026-11-23T09:1${at}:00Z`,
    speaker,
    text: `text ${at}`,
  }));
  expect(caseOf(JSON.stringify(list)).assumed.at(-1)).toBe(
    'not used: list[0].ts, list[1].ts, list[2].ts (the log\'s time is not the user\'s: add "Date: 2026-11-23" and "Time: 09:12" if that was the moment of the request), list[3].ts',
  );
});

describe('what other tools keep beside a conversation is no part of the case', () => {
  const request = 'find an italian place';
  const answer = 'Luigi is 4 minutes away.';
  it.each([
    [
      'the intent of Dialogflow',
      {
        queryResult: {
          queryText: request,
          parameters: { cuisine: 'Italian', rating: 4.5 },
          fulfillmentText: answer,
          intent: { name: 'projects/x/intents/1', displayName: 'restaurant.search' },
        },
      },
    ],
    [
      'the slots of Rasa',
      {
        slots: { cuisine: 'italian', price: 'low', name: 'Luigi' },
        events: [
          { event: 'user', text: request, parse_data: { intent: { name: 'search' } } },
          { event: 'slot', name: 'cuisine', value: 'italian' },
          { event: 'bot', text: answer },
        ],
      },
    ],
    [
      'the scores of Langfuse, and a latency without a unit',
      {
        name: 'voice-turn',
        input: { messages: [{ role: 'user', content: request }] },
        output: { role: 'assistant', content: answer },
        latency: 9.4,
        scores: [{ name: 'rating', value: 2 }],
        metadata: { rating: 3 },
      },
    ],
  ])('%s', (_, value) => {
    expect(caseOf(JSON.stringify(value)).case).toEqual({
      conversation: [{ role: 'user', text: request }],
      response: answer,
    });
  });
});
