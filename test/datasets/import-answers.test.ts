import { describe, expect, test } from 'vitest';
import { importTable } from '../../src/datasets/import-table.ts';
import { refusalLines } from '../../src/datasets/read-cases.ts';
import { readSpeakers } from '../../src/datasets/read-cell.ts';
import { readTable } from '../../src/datasets/read-table.ts';
import { createRandom } from '../../src/statistics/random.ts';
import { krippendorffAlpha, tallyHistogram } from '../../src/statistics/raters/agreement.ts';
import { aRubric } from '../support/builders.ts';
import { contractFormat } from '../support/format.ts';

type Options = Parameters<typeof importTable>[1];

const options: Options = { map: new Map(), maxCaseChars: 32_000, format: contractFormat };
const fromCsv = (text: string, over: Partial<Options> = {}) =>
  importTable(readTable(text, 'csv'), { ...options, ...over });
const fromJson = (value: unknown, over: Partial<Options> = {}) =>
  importTable(readTable(JSON.stringify(value), 'jsonl'), { ...options, ...over });
const decisions = ({ cases }: ReturnType<typeof importTable>) =>
  cases.map(({ id, label }) => [id, label?.decision]);

describe('exports of annotation tools', () => {
  const map = new Map([['verdict', 'label.decision']]);

  test('Label Studio: tasks with the annotations of several people, without those that were skipped', () => {
    const choice = (said: string) => ({
      from_name: 'verdict',
      to_name: 'text',
      type: 'choices',
      value: { choices: [said] },
    });
    const stars = (rating: number) => ({ from_name: 'stars', type: 'rating', value: { rating } });
    const read = fromJson(
      [
        {
          id: 7,
          data: { question: 'Pizza?', answer: 'Da Nino' },
          annotations: [
            { completed_by: 1, result: [choice('pass'), stars(4)] },
            { completed_by: { id: 2, email: 'bea@example.org' }, result: [choice('fail'), stars(1)] },
            { completed_by: 3, result: [choice('pass'), stars(5)] },
            { completed_by: 4, was_cancelled: true, result: [choice('fail')] },
          ],
          predictions: [],
        },
      ],
      { map: new Map([...map, ['stars', 'label.criteria.quality']]) },
    );
    expect(read.problems).toEqual([]);
    expect(read.cases).toEqual([
      {
        id: '7',
        conversation: [{ role: 'user', text: 'Pizza?' }],
        response: 'Da Nino',
        label: { decision: 'pass', criteria: { quality: 4 } },
      },
    ]);
    expect(read.answers).toMatchObject({ annotators: 3, open: 0 });
  });

  const fields = { question: 'Pizza?', answer: 'Da Nino' };
  test.each([
    [
      'by question',
      {
        id: 'r1',
        fields,
        responses: {
          verdict: [
            { value: 'fail', user_id: 'u1' },
            { value: 'fail', user_id: 'u2' },
            { value: 'pass', user_id: 'u3', status: 'discarded' },
          ],
        },
      },
    ],
    [
      'by person',
      {
        id: 'r1',
        fields,
        responses: [
          { user_id: 'u1', status: 'submitted', values: { verdict: { value: 'fail' } } },
          { user_id: 'u2', status: 'submitted', values: { verdict: { value: 'fail' } } },
          { user_id: 'u3', status: 'discarded', values: null },
        ],
      },
    ],
    [
      'flat',
      {
        id: 'r1',
        ...fields,
        'verdict.responses': ['fail', 'fail', 'pass'],
        'verdict.responses.users': ['u1', 'u2', 'u3'],
        'verdict.responses.status': ['submitted', 'submitted', 'draft'],
        'verdict.suggestion': null,
      },
    ],
  ])('Argilla: records %s', (_name, record) => {
    const read = fromJson([record], { map });
    expect(decisions(read)).toEqual([['r1', 'fail']]);
    expect(read.answers).toMatchObject({ annotators: 2, labels: [{ path: 'label.decision', answers: 2 }] });
  });

  test('JUDGE-BENCH: lists of scores by people who are not named', () => {
    const file = {
      dataset: 'Recipes',
      annotations: [{ metric: 'fluency', category: 'graded', worst: 1, best: 7 }],
      instances: [
        {
          id: 1,
          instance: { user_prompt: 'Pizza?', response: 'Da Nino' },
          annotations: { fluency: { mean_human: 4, individual_human_scores: [2, 6, 4] } },
        },
      ],
    };
    const score = new Map([
      ['user_prompt', 'conversation'],
      ['fluency', 'label.score'],
    ]);
    const read = fromJson(file, { map: score });
    expect(read.cases[0]).toMatchObject({ id: '1', label: { score: 4 } });
    expect(read.answers).toMatchObject({
      annotators: 0,
      labels: [{ answers: 3, alpha: { scale: 'ordinal' }, lessThanHalf: null }],
    });
    const named = new Map([...score, ['fluency', 'label.decision']]);
    const yesNo = structuredClone(file);
    Object.assign(yesNo.instances[0]?.annotations ?? {}, {
      fluency: { individual_human_scores: ['pass', 'pass', 'fail'] },
    });
    expect(() => fromJson(yesNo, { map: named, by: 'dawid-skene' })).toThrow(
      /does not say who gave which answer/,
    );
  });

  test('Crowd-Kit: task, worker, label, with the cases in a dataset', () => {
    const cases = new Map(
      ['a', 'b'].map((id) => [
        id,
        { id, conversation: [{ role: 'user' as const, text: 'Hi' }], response: `Hello ${id}` },
      ]),
    );
    const rows = ['a,w1,pass', 'a,w2,pass', 'a,w3,fail', 'b,w1,fail', 'b,w2,pass', 'c,w1,pass'];
    const read = fromCsv(`task,worker,label\n${rows.join('\n')}\n`, { cases });
    expect(decisions(read)).toEqual([['a', 'pass']]);
    expect(read.answers).toMatchObject({ annotators: 3, open: 1 });
    expect(read.problems).toEqual([{ where: 'Row 7', reason: 'names no case of --cases' }]);
    expect(decisions(fromCsv(`task,worker,label\n${rows.join('\n')}\n`, { cases, all: true }))).toEqual([
      ['a', 'pass'],
      ['b', undefined],
    ]);
  });

  test('lists of people beside lists of what they said', () => {
    const read = fromJson({
      id: 'x',
      question: 'Hi',
      answer: 'Hello',
      annotators: undefined,
      annotator: ['ann', 'ben', 'cem'],
      label: ['pass', 'fail', 'fail'],
    });
    expect(decisions(read)).toEqual([['x', 'fail']]);
  });

  test('say which option to add where no column holds answers', () => {
    expect(() => fromCsv('question,answer,worker,safety\nHi,Hello,w1,Yes\n')).toThrow(
      /add --map safety=label\.decision/,
    );
    expect(
      fromCsv('question,answer,worker\nHi,Hello,w1\n', { map: new Map([['worker', '-']]) }).cases,
    ).toHaveLength(1);
  });
});

describe('answers of several people', () => {
  test('have alpha by the kind of the rubric’s scale, as a study gives it', () => {
    const units = [
      [1, 1],
      [2, 4],
    ];
    const rows = units.flatMap((unit, item) =>
      unit.map((one, rater) => `${item},w${rater},Hi,Hello ${item},${one}`),
    );
    const table = `task,worker,question,answer,tone\n${rows.join('\n')}\n`;
    const map = new Map([['tone', 'label.criteria.tone']]);
    const alphaBy = (max: number, used: string | undefined) => {
      const plain = aRubric();
      const criteria = plain.criteria
        .slice(0, 1)
        .map((one) => ({ ...one, id: 'tone', scale: { min: 0, max } }));
      const rubric = { ...plain, criteria };
      const named = used === undefined ? {} : { rubric: used };
      return fromCsv(table, { map, rubrics: new Map([['quality', rubric]]), ...named }).answers?.labels[0]
        ?.alpha;
    };
    // By ranks 1 − (4 − 1) · 2/36, by distances 1 − (4 − 1) · 8/48: as in the test of alphaOf.
    expect(alphaBy(4, 'quality')).toMatchObject({ scale: 'ordinal', value: expect.closeTo(5 / 6, 12) });
    expect(alphaBy(100, 'quality')).toMatchObject({ scale: 'interval', value: expect.closeTo(0.5, 12) });
    expect(alphaBy(100, undefined)).toMatchObject({ scale: 'ordinal' });
  });

  test('settle a label by more than half of those that take a side, which may be less than half of all', () => {
    const rows = [
      'a,w1,pass',
      'a,w2,pass',
      'a,w3,fail',
      'a,w4,unsure',
      'b,w1,fail',
      'b,w2,fail',
      'b,w3,pass',
    ];
    const cases = new Map(
      ['a', 'b'].map((id) => [
        id,
        { id, conversation: [{ role: 'user' as const, text: 'Hi' }], response: `Hello ${id}` },
      ]),
    );
    const read = fromCsv(`task,worker,label\n${rows.join('\n')}\n`, { cases });
    expect(decisions(read)).toEqual([
      ['a', 'pass'],
      ['b', 'fail'],
    ]);
    // Of a's four answers two are the label's, which is not more than half.
    expect(read.answers?.labels).toMatchObject([{ settled: 2, lessThanHalf: 1 }]);
  });

  test('agree as far as the function says, with "unsure" as an answer of its own', () => {
    const random = createRandom(350, 'dices');
    const said = ['No', 'No', 'No', 'Yes', 'Yes', 'Unsure'];
    const units = Array.from({ length: 60 }, (_, item) =>
      Array.from(
        { length: 9 },
        () => said[Math.floor(random.fraction() * 6 * (item % 2 === 0 ? 1 : 0.6))] ?? 'No',
      ),
    );
    const rows = units.flatMap((unit, item) =>
      unit.map((one, rater) => `${item},r${rater},"USER: Hi\nLAMDA: Hello\nUSER: So?",Well ${item},${one}`),
    );
    const read = fromCsv(`item_id,rater_id,context,response,Q_overall\n${rows.join('\n')}\n`, {
      map: new Map([
        ['context', 'conversation'],
        ['Q_overall', 'label.decision'],
      ]),
      values: ['No=pass,Yes=fail'],
      speakers: readSpeakers(['LAMDA=system']),
      all: true,
    });
    const alpha = krippendorffAlpha(tallyHistogram(units, ['No', 'Yes', 'Unsure']), { scale: 'nominal' });
    const found = read.answers?.labels[0]?.alpha;
    expect(alpha.defined && found?.defined && Math.abs(alpha.value - found.value)).toBeLessThan(1e-9);
    expect(found?.interval.defined).toBe(true);
    expect(read.answers?.annotators).toBe(9);
    expect(read.cases).toHaveLength(60);
    expect(read.cases[0]?.conversation).toEqual([
      { role: 'user', text: 'Hi' },
      { role: 'system', text: 'Hello' },
      { role: 'user', text: 'So?' },
    ]);
  });

  test('settle labels by majority, or by how reliable each person is; errors are those that most name', () => {
    // w1 to w3 agree on twelve cases; on the last one two who contradict everybody outvote the third.
    const rows = Array.from({ length: 12 }, (_, n) => {
      const right = n % 2 === 0 ? 'pass' : 'fail';
      const wrong = right === 'pass' ? 'fail' : 'pass';
      return ['w1', 'w2', 'w3']
        .map((who) => `${n},${who},Hi,Hello ${n},${right},${right === 'fail' ? 'time' : ''}`)
        .concat(['w4', 'w5'].map((who) => `${n},${who},Hi,Hello ${n},${wrong},`));
    }).flat();
    const last = ['w1,pass,', 'w4,fail,cost', 'w5,fail,cost'].map((own) => {
      const [who, said, error] = own.split(',');
      return `last,${who},Hi,Bye,${said},${error}`;
    });
    const text = `id,annotator,question,answer,label,error type\n${[...rows, ...last].join('\n')}\n`;
    const labelOf = (read: ReturnType<typeof importTable>, id: string) =>
      read.cases.find((one) => one.id === id)?.label;
    const counted = fromCsv(text);
    expect(labelOf(counted, '1')).toEqual({ decision: 'fail', errorType: 'time' });
    expect(labelOf(counted, 'last')).toEqual({ decision: 'fail', errorType: 'cost' });
    expect(labelOf(fromCsv(text, { by: 'dawid-skene' }), 'last')).toEqual({ decision: 'pass' });
    expect(labelOf(fromCsv(text, { rule: { minVotes: 4, posterior: 0.8 } }), 'last')).toBeUndefined();
  });

  test('of the same person about the same case count once, the last', () => {
    const read = fromCsv('id,annotator,question,answer,label\n1,ann,Hi,Yo,pass\n1,ann,Hi,Yo,fail\n');
    expect(decisions(read)).toEqual([['1', 'fail']]);
    expect(read.answers?.labels[0]?.answers).toBe(1);
  });
});

describe('what a label means', () => {
  test.each(['toxicity', 'label', 'safe'])('is never guessed from 0 and 1 in a column "%s"', (column) => {
    const map = new Map([[column, 'label.decision']]);
    const text = `question,answer,${column}\nHi,Hello,1\nHi,Bye,0\n`;
    expect(() => fromCsv(text, { map })).toThrow(`--map-value ${column}:1=fail,${column}:0=pass`);
    const read = fromCsv(text, { map, values: [`${column}:1=fail`, '0=pass'] });
    expect(read.cases.map(({ label }) => label?.decision)).toEqual(['fail', 'pass']);
  });

  test('is what the options say, for words that are not known', () => {
    const text = 'question,answer,label\nHi,Hello,nok\nHi,Bye,OK\nHi,Ciao,skipped\nHi,Adieu,unsure\n';
    const read = fromCsv(text, { values: ['NOK=fail,skipped=-'] });
    expect(read.cases.map(({ label }) => label)).toEqual([
      { decision: 'fail' },
      { decision: 'pass' },
      undefined,
      undefined,
    ]);
    expect(fromCsv(text).problems[0]?.reason).toMatch(/add --map-value nok=pass or nok=fail$/);
  });

  test('of numbers can be a score, as the refusal says', () => {
    const text = 'question,answer,label\nHi,Hello,70\nHi,Bye,30\n';
    expect(fromCsv(text).problems[0]?.reason).toMatch(/, or --map label=label\.score if it is a score$/);
    const { cases } = fromCsv(text, { map: new Map([['label', 'label.score']]) });
    expect(cases.map(({ label }) => label)).toEqual([{ score: 70 }, { score: 30 }]);
  });

  test.each([
    [['nok'], /write value=meaning/],
    [['nok=maybe'], /A meaning is pass, fail, unsure/],
    [['question:1=fail'], /Column "question" is not read as a label. Add --map question=label.decision\./],
    [['labl:nok=fail'], /There is no column "labl".* Did you mean "label"/],
  ])('cannot be %j', (values, problem) => {
    expect(() => fromCsv('question,answer,label\nHi,Hello,nok\n', { values })).toThrow(problem);
  });
});

describe('lines of a conversation', () => {
  const dialog = (text: string, speakers: string[] = []) => {
    const table = readTable(`conversation,answer\n"${text}",ok\n`, 'csv');
    const { cases, problems } = importTable(table, { ...options, speakers: readSpeakers(speakers) });
    return problems[0]?.reason ?? cases[0]?.conversation.map(({ role, text: said }) => `${role}: ${said}`);
  };

  test('without a speaker belong to the turn before', () => {
    expect(dialog('User: Hi\nand more: this\nat 12:30\nSystem: Hello')).toEqual([
      'user: Hi\nand more: this\nat 12:30',
      'system: Hello',
    ]);
  });

  test('by an unknown speaker are refused with the option to add', () => {
    expect(dialog('User: Hi\nLAMDA: Hello\nUser: So?')).toContain('add --speaker LAMDA=system');
    expect(dialog('Ann: Hi\nBen: Hello')).toContain('add --speaker Ann=system');
    expect(dialog('hello\nUser: Hi')).toContain('begins with a line without a speaker');
    expect(dialog('User: Hi\nLAMDA: Hello\nUser: So?\nNote: it is late', ['lamda=system', 'Note=-'])).toEqual(
      ['user: Hi', 'system: Hello', 'user: So?\nNote: it is late'],
    );
  });

  test('of a text without speakers are one turn', () => {
    expect(dialog('Remind me: buy milk\nat five')).toEqual(['user: Remind me: buy milk\nat five']);
  });
});

describe('tables', () => {
  test('with more columns than anyone reads are refused', () => {
    const wide = Array.from({ length: 200_000 }, (_, n) => `c${n}`).join(',');
    expect(() => readTable(`${wide}\n${wide}\n`, 'csv')).toThrow('200,000 columns; the limit is 2,000');
    const deep = Object.fromEntries(wide.split(',').map((name) => [name, 1]));
    expect(() => readTable(JSON.stringify(deep), 'jsonl')).toThrow('the limit is 2,000');
  });

  test('hold columns for paths into lists that are asked for', () => {
    const read = fromJson([{ turns: [{ said: 'Hi' }, { said: 'Hello' }] }], {
      map: new Map([
        ['turns.0.said', 'conversation'],
        ['turns.1.said', 'response'],
        ['turns', '-'],
      ]),
    });
    expect(read.cases).toEqual([{ conversation: [{ role: 'user', text: 'Hi' }], response: 'Hello' }]);
  });

  test('say why rows are left out once each, with the first of them', () => {
    const problems = Array.from({ length: 70_000 }, (_, n) => ({
      where: `Row ${n}`,
      reason: n < 5 ? 'odd' : 'wrong',
    }));
    expect(refusalLines(problems)).toEqual([
      'Row 0, Row 1, Row 2 and 2 more: odd',
      'Row 5, Row 6, Row 7 and 69,992 more: wrong',
    ]);
    const each = Array.from({ length: 50 }, (_, n) => ({ where: `Row ${n}`, reason: `r${n}` }));
    expect(refusalLines(each)).toHaveLength(21);
    expect(refusalLines(each).at(-1)).toBe('and 30 rows for 30 other reasons');
  });
});
