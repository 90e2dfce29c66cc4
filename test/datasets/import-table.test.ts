import { describe, expect, test } from 'vitest';
import { importTable } from '../../src/datasets/import-table.ts';
import { mapColumns } from '../../src/datasets/map-columns.ts';
import { readTable } from '../../src/datasets/read-table.ts';
import { contractFormat } from '../support/format.ts';
import { library } from './world.ts';

const options = {
  map: new Map<string, string>(),
  maxCaseChars: 32_000,
  format: contractFormat,
};

const fromCsv = (text: string, over: Partial<Parameters<typeof importTable>[1]> = {}) =>
  importTable(readTable(text, 'csv'), { ...options, ...over });
const fromJsonl = (text: string) => importTable(readTable(text, 'jsonl'), options);

const pathsOf = (columns: string[]) =>
  Object.fromEntries(
    mapColumns(columns, new Map(), contractFormat).map(({ column, path }) => [column, path]),
  );

describe('columns', () => {
  test('go where their names say', () => {
    expect(
      pathsOf([
        'id',
        'User Utterance',
        'System Response',
        'rating',
        'cuisine_type',
        'duration_min',
        'Distance (km)',
      ]),
    ).toEqual({
      id: 'id',
      'User Utterance': 'conversation',
      'System Response': 'response',
      rating: 'recommendation.rating',
      cuisine_type: 'recommendation.cuisine',
      duration_min: 'recommendation.durationMin',
      'Distance (km)': 'recommendation.distanceKm',
    });
  });

  test('a column that may mean something else gives way to one that says what it is', () => {
    const made = fromCsv(
      'Name,Venue,Request,Expected,Ground truth,Reply\nt1,Sakura,find sushi,opens it,Sakura is open,Sakura\n',
    );
    expect(made.cases).toMatchObject([
      { recommendation: { name: 'Sakura' }, groundTruth: 'Sakura is open', response: 'Sakura' },
    ]);
    expect(made.mapping.map(({ column, path }) => [column, path])).toEqual([
      ['Name', null],
      ['Venue', 'recommendation.name'],
      ['Request', 'conversation'],
      ['Expected', null],
      ['Ground truth', 'groundTruth'],
      ['Reply', 'response'],
    ]);
    expect(made.mapping[0]?.why).toBe('column "Venue" is recommendation.name already');
  });

  test('a name and a score without a venue beside them are left out: they may be of the test', () => {
    const made = fromCsv('Name,Request,Reply,Score\nheat up,make it 23,set to 19,0\n');
    expect(made.cases).toEqual([
      { conversation: [{ role: 'user', text: 'make it 23' }], response: 'set to 19' },
    ]);
    expect(made.mapping).toMatchObject([
      { column: 'Name', path: null, why: 'no other column is about a venue, so it may name the test' },
      { column: 'Request', path: 'conversation' },
      { column: 'Reply', path: 'response' },
      { column: 'Score', path: null, why: 'it may be label.score or recommendation.rating' },
    ]);
    expect(pathsOf(['Name', 'Cuisine'])).toEqual({
      Name: 'recommendation.name',
      Cuisine: 'recommendation.cuisine',
    });
    const wanted = new Map([['Name', 'recommendation.name']]);
    expect(mapColumns(['Name'], wanted, contractFormat)[0]).toMatchObject({ path: 'recommendation.name' });
  });

  test('the results of an evaluation tool are rows, wherever it wraps them', () => {
    const rows = [
      { vars: { question: 'What is the range?' }, response: { output: '312 km' }, success: true },
      { vars: { question: 'Find a charger' }, response: { output: 'ok' }, success: false },
    ];
    const map = new Map([
      ['vars.question', 'conversation'],
      ['response.output', 'response'],
      ['success', 'label.decision'],
    ]);
    for (const file of [{ results: rows }, { results: { version: 3, results: rows } }])
      expect(importTable(readTable(JSON.stringify(file), 'jsonl'), { ...options, map }).cases).toMatchObject([
        { response: '312 km', label: { decision: 'pass' } },
        { response: 'ok', label: { decision: 'fail' } },
      ]);
  });

  test('an expected answer in words is the ground truth, not a label', () => {
    const made = fromCsv('Request,Expected,Reply,Verdict\nmake it 23,sets 23,set to 19,fail\n');
    expect(made.cases).toMatchObject([{ groundTruth: 'sets 23', label: { decision: 'fail' } }]);
    const mapped = fromCsv('Request,Expected,Reply,Verdict\nmake it 23,sets 23,set to 19,NOK\n', {
      values: ['OK=pass,NOK=fail'],
    });
    expect(mapped.cases).toEqual(made.cases);
    expect(fromCsv('Request,Expected,Reply\nmake it 23,fail,set to 19\n').cases).toMatchObject([
      { label: { decision: 'fail' } },
    ]);
  });

  test('a meaning of several words is offered in quotes', () => {
    const { problems } = fromCsv('Request,Reply,Verdict\nmake it 23,set to 19,not good\n');
    expect(problems[0]?.reason).toContain('add --map-value "not good=pass" or "not good=fail"');
  });

  test('go where their names say, for labels and places', () => {
    expect(
      pathsOf([
        'label',
        'error_type',
        'monday',
        'user_lat',
        'venue_lng',
        'context.date',
        'recommendation_cost',
      ]),
    ).toEqual({
      label: 'label.decision',
      error_type: 'label.errorType',
      monday: 'recommendation.openingHours.monday',
      user_lat: 'context.location.latitude',
      venue_lng: 'recommendation.location.longitude',
      'context.date': 'context.date',
      recommendation_cost: 'recommendation.cost',
    });
  });

  test('whose names may mean two things or nothing are left out with the reason', () => {
    const [latitude, weather] = mapColumns(['latitude', 'weather'], new Map(), contractFormat);
    expect(latitude).toEqual({
      column: 'latitude',
      path: null,
      why: 'it may be context.location.latitude or recommendation.location.latitude',
    });
    expect(weather).toMatchObject({ path: null, why: expect.stringContaining('no case field') });
  });

  test('of the same meaning: the first one counts, unless mapped otherwise', () => {
    expect(mapColumns(['question', 'prompt'], new Map(), contractFormat).map(({ path }) => path)).toEqual([
      'conversation',
      null,
    ]);
    expect(
      mapColumns(['question', 'prompt'], new Map([['prompt', 'conversation']]), contractFormat).map(
        ({ path }) => path,
      ),
    ).toEqual([null, 'conversation']);
  });

  test('cannot be mapped to where no case has anything', () => {
    expect(() => mapColumns(['a'], new Map([['a', 'recommendation.ratng']]), contractFormat)).toThrow(
      /^--map a=recommendation\.ratng: .* Did you mean recommendation\.rating\?/,
    );
    expect(() => mapColumns(['a'], new Map([['a', 'user']]), contractFormat)).toThrow(
      /no field "user"\. Did you mean conversation\?/,
    );
    expect(() => mapColumns(['a'], new Map([['a', 'zzz']]), contractFormat)).toThrow(
      /There are: id, rubric,/,
    );
    expect(() => mapColumns(['a'], new Map([['b', 'response']]), contractFormat)).toThrow(
      /There is no column "b"\. There are: a/,
    );
  });
});

describe('rows of a CSV file', () => {
  test('become cases', () => {
    const { cases, problems } = fromCsv(
      'id;question;answer;date;time;cuisine;menu;rating;duration;opening hours;label;error type\n' +
        'a;"Cheap ""tapas"", please";Try Casa;21.08.2024;19:45;Spanish;Tapas, Paella;4,6;8 min;Mon-Fri 12-22;fail;Time error\n',
    );
    expect(problems).toEqual([]);
    expect(cases).toEqual([
      {
        id: 'a',
        conversation: [{ role: 'user', text: 'Cheap "tapas", please' }],
        response: 'Try Casa',
        context: { date: '2024-08-21', time: '19:45' },
        recommendation: {
          cuisine: 'Spanish',
          menu: ['Tapas', 'Paella'],
          rating: 4.6,
          durationMin: 8,
          openingHours: {
            monday: '12:00-22:00',
            tuesday: '12:00-22:00',
            wednesday: '12:00-22:00',
            thursday: '12:00-22:00',
            friday: '12:00-22:00',
          },
        },
        label: { decision: 'fail', errorType: 'time' },
      },
    ]);
  });

  test('that make no case are named with number and reason, and the good ones stay', () => {
    const { cases, problems } = fromCsv(
      'question,answer,rating,label\n' +
        'Hi,Hello,4,pass\n' +
        'Hi,Hello\n' +
        'Hi,,4,pass\n' +
        'Hi,Hello,many,pass\n' +
        'Hi,Hello,4,perhaps\n' +
        '"Hi\nthere",Hello,4,fail\n' +
        'Hi,Hello,4,maybe\n',
    );
    expect(cases).toHaveLength(2);
    expect(problems).toEqual([
      { where: 'Row 3', reason: 'has 2 cells, the header has 4' },
      { where: 'Row 4', reason: expect.stringContaining('"response" is missing') },
      { where: 'Row 5', reason: expect.stringMatching(/column "rating" must be a rating, found "many"/) },
      { where: 'Row 6', reason: expect.stringMatching(/column "label" must be pass or fail/) },
      {
        where: 'Row 8 (line 9)',
        reason: expect.stringMatching(
          /must be pass or fail, found "maybe": add --map-value maybe=pass or maybe=fail/,
        ),
      },
    ]);
  });

  test('that are longer than a case may be are named and left out', () => {
    const { cases, problems } = fromCsv(`question,answer\nHi,"${'x'.repeat(1_000_000)}"\nHi,Hello`);
    expect(cases).toHaveLength(1);
    expect(problems).toEqual([
      { where: 'Row 2', reason: expect.stringMatching(/1000\d+ characters, the limit .* 32000/) },
    ]);
  });

  test('take the rubric that is given, unless they name one', () => {
    const { cases } = fromCsv('question,answer,rubric\nHi,Hello,\nHi,Hello,in-car', { rubric: 'follow-up' });
    expect(cases.map(({ rubric }) => rubric)).toEqual(['follow-up', 'in-car']);
  });

  test('say what was assumed, and in how many', () => {
    const { assumed } = fromCsv('question,answer,error type\nHi,Hello,Cost error\nHi,Hello,Cost error');
    expect(assumed).toEqual([{ note: 'error type: "Cost error" read as "cost"', rows: 2 }]);
  });

  test('may hold a dialog, whose last system turn is the response', () => {
    const { cases } = fromCsv('conversation\n"User: Hi\nSystem: Hello\nUser: Pizza?\nSystem: Here."');
    expect(cases[0]).toEqual({
      conversation: [
        { role: 'user', text: 'Hi' },
        { role: 'system', text: 'Hello' },
        { role: 'user', text: 'Pizza?' },
      ],
      response: 'Here.',
    });
  });

  test('cannot reach into what objects are made of', () => {
    const { cases } = fromCsv('question,answer,__proto__,constructor\nHi,Hello,x,y');
    expect(cases).toEqual([{ conversation: [{ role: 'user', text: 'Hi' }], response: 'Hello' }]);
  });
});

test('columns of declared fields go where prompt files say, read by their units', () => {
  const table = readTable(
    'question,answer,plugs,charging power,price per kwh,free chargers\n' +
      'Charge,ok,"CCS, Type 2",150 kW,0.59 €/kWh,2\n' +
      'Charge,ok,CCS,fast,0.59,2\n',
    'csv',
  );
  const { assumed, cases, problems } = importTable(table, { ...options, format: library.caseFormat });
  expect(assumed).toEqual([{ note: expect.stringContaining('"0.59" has no unit: read as'), rows: 1 }]);
  expect(cases).toEqual([
    {
      conversation: [{ role: 'user', text: 'Charge' }],
      response: 'ok',
      recommendation: { plugs: ['CCS', 'Type 2'], powerKw: 150, pricePerKwh: 0.59, freePoints: 2 },
    },
  ]);
  expect(problems).toEqual([
    { where: 'Row 3', reason: 'column "charging power" must be charging power, found "fast"' },
  ]);
});

test('labels by criterion stand in a column each, as decisions or scores', () => {
  const head = 'question,answer,label.criteria.consistency,label.criteria.coherence,label.criteria.__proto__';
  const { cases, problems } = fromCsv(`${head}\nHi,Hello,yes,3.5,\nHi,Hello,perhaps,,fail`);
  expect(cases.map(({ label }) => label)).toEqual([{ criteria: { consistency: 'pass', coherence: 3.5 } }]);
  expect(problems).toEqual([
    { where: 'Row 3', reason: expect.stringContaining('"label.criteria.consistency" must be pass or fail') },
  ]);
  expect(Object.getPrototypeOf(cases[0]?.label?.criteria)).toBe(Object.prototype);
});

describe('lines of JSON', () => {
  test('that are cases already come out as they are', () => {
    const one = {
      id: 'x',
      conversation: [{ role: 'user', text: 'Hi' }],
      response: 'Hello',
      context: { date: '2024-01-02', location: { latitude: 52.5, longitude: 13.4 } },
      documents: [{ id: 'd', text: 't' }],
      recommendation: { openingHours: { monday: 'closed' }, menu: ['a'] },
      label: { decision: 'pass' },
    };
    expect(fromJsonl(JSON.stringify(one))).toMatchObject({ cases: [one], problems: [] });
  });

  test('of other keys are mapped, and broken ones named', () => {
    const { cases, problems } = fromJsonl(
      '{"prompt":"Hi","completion":"Hello","correct":true}\nnot json\n[1]\n{"prompt":"Hi","completion":"Bye","correct":false}\n',
    );
    expect(cases.map(({ response, label }) => [response, label?.decision])).toEqual([
      ['Hello', 'pass'],
      ['Bye', 'fail'],
    ]);
    expect(problems).toEqual([
      { where: 'Line 2', reason: expect.stringContaining('is not valid JSON') },
      { where: 'Line 3', reason: 'is not a JSON object' },
    ]);
  });

  test('that are nested without end are named', () => {
    const { problems } = fromJsonl(`{"a":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`);
    expect(problems).toEqual([{ where: 'Line 1', reason: 'is nested more than 64 deep' }]);
  });
});

test('a file without a header is refused', () => {
  expect(() => readTable('', 'csv')).toThrow(/The file is empty/);
  expect(() => readTable('"open', 'csv')).toThrow(/The header \(line 1\) cannot be read/);
});

test('a label that says pass and names an error makes no case; one that says fail does', () => {
  const { cases, problems } = fromCsv(
    'prompt,answer,correct,error_type\nfoo,bar,true,rating\nfoo,bar,false,rating\nfoo,bar,true,\n',
  );
  expect(cases.map(({ label }) => label)).toEqual([
    { decision: 'fail', errorType: 'rating' },
    { decision: 'pass' },
  ]);
  expect(problems).toEqual([
    { where: 'Row 2', reason: 'the label contradicts itself: "pass", but with the error "rating"' },
  ]);
});

test('tags are columns of their own, or one column of JSON', () => {
  const { cases } = fromCsv('question,answer,tags.group,user\nq,a,u1,anna\nq,b,,ben\n', {
    map: new Map([['user', 'tags.user']]),
  });
  expect(cases.map(({ tags }) => tags)).toEqual([{ group: 'u1', user: 'anna' }, { user: 'ben' }]);
  const json = fromJsonl('{"question":"q","answer":"a","tags":{"group":"u1"}}');
  const both = fromCsv('question,answer,tags.user,tags\nq,a,anna,"{""user"":""?"",""group"":""u1""}"\n', {});
  expect(both.cases.map(({ tags }) => tags)).toEqual([{ user: 'anna', group: 'u1' }]);
  expect(json.cases.map(({ tags }) => tags)).toEqual([{ group: 'u1' }]);
});

test('one value where an object is wanted names the parts that it can go to', () => {
  const map = new Map([['toxicity', 'label']]);
  const [problem] = fromCsv('id,user,system,toxicity\n1,hi,hello,0.2\n', { map }).problems;
  expect(problem?.reason).toBe(
    'column "toxicity" holds one value, and "label" has parts: add --map toxicity=label.decision',
  );
  const [tags] = fromCsv('id,user,system,Tags\n1,hi,hello,night\n', {}).problems;
  expect(tags?.reason).toBe('column "Tags" holds one value, and "tags" has parts: add --map Tags=tags.Tags');
  // JSON in a cell is the whole.
  const whole = fromCsv('id,user,system,toxicity\n1,hi,hello,"{""decision"":""fail""}"\n', { map });
  expect(whole.cases[0]?.label).toEqual({ decision: 'fail' });
});
