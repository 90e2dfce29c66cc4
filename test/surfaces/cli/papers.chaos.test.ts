import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fillSchema } from '../../support/fill-schema.ts';
import { type DoubleRequest, type ModelDouble, startModelDouble } from '../../support/model-double.ts';
import { jury, scratch } from '../../support/run-jury.ts';

/** The commands of docs/papers.md, on small data of the right shape and with an endpoint that answers anything. */
const page = readFileSync(fileURLToPath(new URL('../../../docs/papers.md', import.meta.url)), 'utf8');

/** The commands after a marker of the page, with lines that continue put together. */
function commandsOf(section: string): string[][] {
  const after = page.split(`<!-- commands: ${section} -->\n\n`)[1] ?? '';
  const block = /^(?: {4}.*\n)+/.exec(after)?.[0] ?? '';
  const lines = block
    .replaceAll(/\\\n +/g, '')
    .trimEnd()
    .split('\n');
  return lines.map((line) =>
    line
      .trim()
      .replace(/^npx jury /, '')
      .split(/ +/),
  );
}

/** A number that the text fixes. */
const digest = (text: string): number =>
  [...text].reduce((sum, sign) => Math.imul(sum, 31) + (sign.codePointAt(0) ?? 0), 7) >>> 0;

/** A reply in the form that the prompt shows, where no schema is sent. */
function filledForm(form: unknown, decision: string): unknown {
  if (typeof form === 'object' && form !== null)
    return Object.fromEntries(Object.entries(form).map(([key, part]) => [key, filledForm(part, decision)]));
  if (typeof form !== 'string') return form;
  if (form.includes('pass | fail')) return decision;
  if (form.includes('true')) return true;
  const [, least] = /number from (\d+)/.exec(form) ?? [];
  return least === undefined ? 'because the case says so' : Number(least);
}

function answer({ body, system, user, schema }: DoubleRequest) {
  const seed = digest(body.model + user);
  const decision = seed % 3 === 0 ? 'fail' : 'pass';
  // Worked examples have the same form, filled in.
  const forms = [...system.matchAll(/\n(\{\n[\s\S]*?\n\})\n/g)].map(([, form = '']) => form);
  const form = forms.findLast((text) => text.includes(' | ') || text.includes('number from'));
  const usage = { prompt_tokens: 100, completion_tokens: 20 + (seed % 10) };
  return schema === null && form !== undefined
    ? { json: filledForm(JSON.parse(form), decision), usage }
    : { json: fillSchema(schema, { decision, confidence: 0.8, score: seed % 5 }), usage };
}

const cwd = scratch();
const read = (...path: string[]) => readFileSync(join(cwd, ...path), 'utf8');
const write = (name: string, cases: readonly object[]) =>
  writeFileSync(join(cwd, name), cases.map((one) => JSON.stringify(one)).join('\n'));
/** The values of a column of a CSV file that has no quotes in it. */
function column(text: string, name: string): string[] {
  const [heads = '', ...rows] = text.trimEnd().split('\r\n');
  const at = heads.split(',').indexOf(name);
  if (at < 0) throw new Error(`no column ${name}`);
  return rows.map((row) => row.split(',')[at] ?? '');
}

let double: ModelDouble;
beforeAll(async () => {
  double = await startModelDouble({ answer, record: false });
});
afterAll(() => double.close());

const said = new Map<string, string>();

async function runAll(section: string): Promise<void> {
  const commands = commandsOf(section);
  expect(commands.length).toBeGreaterThan(2);
  const endpoints = ['OPENAI', 'DEEPSEEK', 'MISTRAL', 'OPENROUTER', 'ZHIPU'];
  const env = Object.fromEntries(endpoints.map((name) => [`${name}_BASE_URL`, double.baseUrl]));
  for (const typed of commands) {
    // A hundred users have six hundred cases.
    const args = typed.map((word, at) => (typed[at - 1] === '--users' ? '1' : word));
    const { code, out, err } = await jury(args, { cwd, env });
    expect({ command: args.join(' '), code, err: code === 0 ? '' : err }).toMatchObject({ code: 0 });
    said.set(args.slice(0, 3).join(' '), out);
  }
}

const question = (text: string) => [{ role: 'user', text }];

describe('the commands of docs/papers.md', () => {
  test('contextual understanding', async () => {
    await runAll('contextual');
    const configurations = read('contextual', 'configurations.csv');
    // Thirteen models by eight methods, and four round tables
    expect(column(configurations, 'method')).toHaveLength(13 * 8 + 4);
    // 100 tokens at $10 and 20 to 29 at $40 for a million
    const o3 = column(configurations, 'configuration').indexOf('io openai/o3 t0');
    expect(Number(column(configurations, 'cost usd mean')[o3])).toBeCloseTo(
      (100 * 10 + Number(column(configurations, 'output tokens mean')[o3]) * 40) / 1e6,
      12,
    );
    for (const name of ['f1', 'sequential ms mean', 'tokens mean'])
      expect(column(configurations, name).every((value) => value !== '')).toBe(true);
    expect(new Set(column(read('contextual', 'errors.csv'), 'kind of error')).size).toBe(6);
    expect(read('contextual', 'report.html')).toContain('Habicht et al.');
  });

  test('the study of its data', async () => {
    const ids = read('navigation.jsonl')
      .trimEnd()
      .split('\n')
      .map((line): string => JSON.parse(line).id);
    const rows = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((person) =>
      ids.map(
        (id, at) =>
          `a${person},${id},${4 + (at % 2)},4,${at % 6 === 0 ? 'yes' : 'no'},${at % 6 === 0 ? '' : 'time'}`,
      ),
    );
    writeFileSync(
      join(cwd, 'annotations.csv'),
      ['annotator,case,user_validity,system_validity,correct,error_types', ...rows].join('\n'),
    );
    await runAll('validity');
    expect(said.get('study report s1')).toMatch(/user part +4\.5/);
  });

  test('factual correctness', async () => {
    write(
      'manual.jsonl',
      [0, 1].map((at) => ({
        id: `q${at}`,
        conversation: question(`How do I switch on mode ${at}?`),
        response: 'Press the button.',
        documents: [{ text: 'Press the button once.' }],
        label: { criteria: { relevance: 'pass', consistency: at === 1 ? 'fail' : 'pass' } },
      })),
    );
    await runAll('factual');
    const criteria = read('factual', 'criteria.csv');
    // Five models by five methods by four temperatures by two dimensions
    expect(column(criteria, 'accuracy')).toHaveLength(5 * 5 * 4 * 2);
    expect(new Set(column(criteria, 'temperature'))).toEqual(new Set(['0', '0.2', '0.4', '0.6']));
    expect(column(read('tables', 'criteria.csv'), 'criterion')).toHaveLength(4 * 2);
    expect(column(read('factual', 'configurations.csv'), 'seconds per token').every(Number)).toBe(true);
  });

  test('conversational recommendation', async () => {
    write(
      'crs.jsonl',
      [0, 1, 2, 3, 4, 5, 6, 7].map((at) => ({
        id: `c${at}`,
        rubric: 'core',
        conversation: question(`A calm film, number ${at}, please.`),
        response: 'Take Solaris.',
        closing: 'Thanks, I will.',
        recommendations: [['Solaris', at % 3 === 0 ? 'Stalker' : 'Heat']],
        groundTruth: 'Stalker',
        tags: { system: at % 2 === 0 ? 'BARCOR' : 'KBRD', dataset: at < 4 ? 'ReDial' : 'OpenDialKG' },
        label: {
          score: 10 * at,
          criteria: { coherence: at % 5, novelty: (at * 3) % 5, grammar: (7 - at) % 5 },
        },
      })),
    );
    await runAll('core');
    const means = read('core', 'group-criteria.csv');
    // Three models, their average and the debate; two systems on two datasets; twelve factors
    expect(column(means, 'score sd')).toHaveLength(5 * 4 * 12);
    expect(new Set(column(means, 'tags.system'))).toEqual(new Set(['BARCOR', 'KBRD']));
    expect(column(read('core', 'recall.csv'), 'at')).toHaveLength(4 * 3);
    expect(new Set(column(read('core', 'correlations.csv'), 'configuration')).size).toBe(6);
    expect(new Set(column(read('roles', 'groups.csv'), 'persona')).size).toBe(4);
  });

  test('in-car KPIs', async () => {
    const kpi = (rubric: string) =>
      [0, 1, 2, 3].map((at) => ({
        id: `${rubric}-${at}`,
        rubric,
        conversation: question(`What is function ${at}?`),
        response: 'It keeps the car in its lane.',
        label: { decision: at === 1 ? 'fail' : 'pass' },
      }));
    write('kpis.jsonl', ['follow-up', 'implicit-understanding', 'harmful-user-input'].flatMap(kpi));
    write('harmful.jsonl', kpi('harmful-user-input'));
    await runAll('inca');
    const kpis = read('kpis', 'criteria.csv');
    // Three models and their vote, by three KPIs
    expect(column(kpis, 'kappa')).toHaveLength(4 * 3);
    expect(column(read('kpis', 'groups.csv'), 'rubric')).toHaveLength(4 * 3);
    expect(column(read('personas', 'configurations.csv'), 'run')).toEqual([
      ...['without', 'without', 'without', 'without'],
      ...['with', 'with', 'with', 'with'],
    ]);
    expect(said.get('bench compare without')).toMatch(/panel: none → brand-ambassador/);
  });
});

test('every table and figure of the papers is on the page', () => {
  const [make = ''] = page.split('\n## Where each element lives');
  const [contextual = '', factual = '', core = '', inca = ''] = make.split(/\n### /).slice(1);
  const numbered = (text: string, kind: string): Set<string> => {
    const found = new Set<string>();
    for (const [, list = ''] of text.matchAll(
      new RegExp(`${kind}s? ((?:[A-Z]\\.)?[\\dIV]+(?:(?:, | to | and )(?:[A-Z]\\.)?[\\dIV]+)*)`, 'g'),
    ))
      for (const part of list.split(/, | and /)) {
        const [from = '', to = from] = part.split(' to ');
        const letter = /^[A-Z]\./.exec(from)?.[0] ?? '';
        const number = (name: string) => Number(name.replace(/^[A-Z]\./, ''));
        if (Number.isNaN(number(from))) found.add(from);
        else for (let at = number(from); at <= number(to); at += 1) found.add(`${letter}${at}`);
      }
    return found;
  };
  const upTo = (last: number, letter = '', first = 1) =>
    Array.from({ length: last - first + 1 }, (_, at) => `${letter}${first + at}`);
  const missing = (text: string, kind: string, wanted: readonly string[]) =>
    wanted.filter((one) => !numbered(text, kind).has(one));
  expect([
    missing(contextual, 'Table', [...upTo(4), 'B.5']),
    missing(contextual, 'Figure', [...upTo(9), ...upTo(17, 'A.', 10), ...upTo(30, 'B.', 18)]),
    missing(factual, 'Table', ['I', 'II', 'III', 'IV', 'V']),
    missing(factual, 'Figure', upTo(2)),
    missing(core, 'Table', [...upTo(23), '28']),
    missing(core, 'Figure', upTo(9)),
    missing(inca, 'Table', upTo(3)),
    missing(inca, 'Figure', upTo(4)),
  ]).toEqual([[], [], [], [], [], [], [], []]);
});
