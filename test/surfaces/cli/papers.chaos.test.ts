import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts';
import { roleOf } from '../../support/core-answers.ts';
import { rowsOfCsv } from '../../support/csv-table.ts';
import { filledReply } from '../../support/filled-reply.ts';
import {
  type DoubleAnswer,
  type DoubleRequest,
  type ModelDouble,
  startModelDouble,
} from '../../support/model-double.ts';
import {
  cohenKappa,
  type Decision,
  deviation,
  effectiveness,
  type Judged,
  kendallOf,
  mean,
  median,
  mode,
  spearmanOf,
  weighted,
} from '../../support/recomputed.ts';
import { jury, scratch } from '../../support/run-jury.ts';

/**
 * The commands of docs/papers.md, on small data of the right shape, with an endpoint whose answers are known. What they print is computed
 * again from these answers by the papers' formulas, and what they ask is counted.
 */
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
const digest = (...parts: (string | number)[]): number => {
  const mixed = [...parts.join('|')].reduce(
    (sum, sign) => Math.imul(sum ^ (sign.codePointAt(0) ?? 0), 0x01000193),
    0x811c9dc5,
  );
  return Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b) >>> 8;
};

/** Right or wrong, for reasons of its own. */
const decisionBy = (...parts: (string | number)[]): Decision =>
  digest(...parts) % 3 === 0 ? 'fail' : 'pass';
const confidenceBy = (...parts: (string | number)[]): number =>
  [0.5, 0.6, 0.75, 0.8, 0.9, 1][digest('sure', ...parts) % 6] ?? 1;

/** A model's name as its endpoint gets it. */
const served = (model: string): string => model.slice(model.indexOf('/') + 1);

/** The same text for the same data, whatever the order of its keys. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

/** How a judge's point of view begins. */
const voiceIn = ({ system }: DoubleRequest): string =>
  (system.split('# Your point of view\n\n')[1] ?? '').replaceAll(/\s+/g, ' ').slice(0, 40);

const usage = { prompt_tokens: 100, completion_tokens: 25 };

/** Set by each paper. */
let answer: (request: DoubleRequest) => Record<string, unknown>;
let double: ModelDouble;
beforeAll(async () => {
  double = await startModelDouble({
    record: false,
    answer: (request): DoubleAnswer => ({ json: filledReply(request, answer(request)), usage }),
  });
});
afterAll(() => double.close());

/** How many printed cells were computed again. */
let cells = 0;

/** @param printed a cell of a CSV file; empty: undefined */
function expectCell(printed: string | undefined, wanted: number | null, what: string): void {
  cells += 1;
  const found = printed === undefined || printed === '' ? null : Number(printed);
  if (found === null || wanted === null) expect([what, found]).toEqual([what, wanted]);
  else expect(Math.abs(found - wanted), `${what}: ${found}, not ${wanted}`).toBeLessThan(1e-9);
}

interface Paper {
  cwd: string;
  said: Map<string, string>;
  write(name: string, cases: readonly object[]): void;
  rows(...path: string[]): Record<string, string>[];
  /** Runs the commands of a section. @returns how many requests the endpoint got @param before called before each command */
  run(section: string, before?: (args: readonly string[]) => Promise<void>): Promise<number>;
}

function paper(): Paper {
  const cwd = scratch();
  const said = new Map<string, string>();
  return {
    cwd,
    said,
    write: (name, cases) =>
      writeFileSync(join(cwd, name), cases.map((one) => JSON.stringify(one)).join('\n')),
    rows: (...path) => rowsOfCsv(readFileSync(join(cwd, ...path), 'utf8')),
    run: async (section, before) => {
      const commands = commandsOf(section);
      expect(commands.length).toBeGreaterThan(2);
      const endpoints = ['OPENAI', 'DEEPSEEK', 'MISTRAL', 'OPENROUTER', 'ZHIPU'];
      const env = Object.fromEntries(endpoints.map((name) => [`${name}_BASE_URL`, double.baseUrl]));
      const already = double.counts.received;
      for (const typed of commands) {
        // A hundred users have six hundred cases.
        const args = typed.map((word, at) => (typed[at - 1] === '--users' ? '3' : word));
        await before?.(args);
        const { code, out, err } = await jury(args, { cwd, env });
        expect({ command: args.join(' '), code, err: code === 0 ? '' : err }).toMatchObject({ code: 0 });
        said.set(args.slice(0, 3).join(' '), out);
      }
      return double.counts.received - already;
    },
  };
}

const question = (text: string) => [{ role: 'user', text }];
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

describe('contextual understanding', () => {
  const study = paper();

  /** The start of each persona's voice, as in its file. */
  const voiceOf = (persona: string): string => {
    const file = fileURLToPath(new URL(`../../../prompts/personas/${persona}.md`, import.meta.url));
    const [, , body = ''] = readFileSync(file, 'utf8').split(/^---$/m);
    return body.trim().replaceAll(/\s+/g, ' ').slice(0, 40);
  };
  const NEUTRAL = 'You judge as a careful, neutral expert f';
  const AGENTS = ['investigator', 'forensic-examiner', 'auditor'].map(voiceOf);

  const said = (model: string, voice: string, key: string) => ({
    decision: decisionBy(served(model), voice, key),
    confidence: confidenceBy(served(model), key),
  });

  /** What a configuration decides on a case, and with how many calls, from what its judges say. */
  function outcomeOf(
    method: string,
    models: readonly string[],
    key: string,
  ): { decided: Decision | null; calls: number } {
    const [model = ''] = models;
    const samples = /^sc-(\d)$/.exec(method)?.[1];
    if (method === 'mab' || method === 'mad') {
      const votes = AGENTS.map((voice) => said(model, voice, key).decision);
      const agree = new Set(votes).size === 1;
      // Nobody changes their mind: three more rounds, unless all agree at once.
      return { decided: mode(votes), calls: method === 'mab' || agree ? 3 : 3 * 4 };
    }
    if (method === 'roundtable') {
      const answers = models.map((one) => said(one, NEUTRAL, key));
      const agree = new Set(answers.map(({ decision }) => decision)).size === 1;
      return {
        decided: agree ? (answers[0]?.decision ?? null) : weighted(answers),
        calls: agree ? 3 : 3 * 4,
      };
    }
    return {
      decided: said(model, NEUTRAL, key).decision,
      calls: samples === undefined ? 1 : Number(samples),
    };
  }

  interface Case {
    id: string;
    recommendation: object;
    label: { decision: Decision; errorType?: string };
  }
  const readCases = (): Case[] =>
    readFileSync(join(study.cwd, 'navigation.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line): Case => JSON.parse(line));

  test('its commands ask what the paper asked, and print what follows from the answers', async () => {
    const temperatures = new Set<unknown>();
    answer = (request) => {
      const [, block = '{}'] =
        /^\[\[[0-9a-f]{24} recommendation\]\]\n([\s\S]*?)\n\[\[\//m.exec(request.user) ?? [];
      if (!/^o[34]|^deepseek-reasoner/.test(request.body.model)) temperatures.add(request.body.temperature);
      return said(`/${request.body.model}`, voiceIn(request), canonical(JSON.parse(block)));
    };
    const received = await study.run('contextual');
    expect([...temperatures]).toEqual([0]);
    const cases = readCases();
    expect(cases).toHaveLength(18);
    const configurations = study.rows('contextual', 'configurations.csv');
    // Thirteen models by eight methods, and four round tables
    expect(configurations).toHaveLength(13 * 8 + 4);
    expect(new Set(configurations.map(({ method }) => method))).toEqual(
      new Set(['io-plain', 'cot-1', 'cot-3', 'cot-5', 'sc-3', 'sc-5', 'mab', 'mad', 'roundtable']),
    );
    const errors = study.rows('contextual', 'errors.csv');
    let needed = 0;
    for (const row of configurations) {
      const { method = '', models = '', configuration = '' } = row;
      const outcomes = cases.map((one) => ({
        ...outcomeOf(method, models.split(' + '), canonical(one.recommendation)),
        truth: one.label.decision,
        kind: one.label.errorType ?? 'no error',
      }));
      needed += sum(outcomes.map(({ calls }) => calls));
      const wanted = effectiveness(outcomes);
      for (const name of ['f1', 'precision', 'recall', 'accuracy'] as const)
        expectCell(row[name], wanted[name], `${configuration} ${name}`);
      expectCell(
        row['tokens mean'],
        125 * mean(outcomes.map(({ calls }) => calls)),
        `${configuration} tokens`,
      );
      for (const error of errors.filter((one) => one.configuration === configuration)) {
        const kind = error['kind of error'] ?? '';
        const own = outcomes.filter((one) => one.kind === kind);
        expectCell(error.accuracy, effectiveness(own).accuracy, `${configuration} ${kind}`);
      }
    }
    expect(errors).toHaveLength(configurations.length * 6);
    // What the methods need by the paper: every sample, and rounds until all agree
    // o3-mini sits at two round tables: its first answer is asked for once.
    expect(received).toBe(needed - 18);
    expect(received).toBeLessThanOrEqual(18 * (13 * (1 + 3 + 3 + 5 + 3 + 3 * 4) + 4 * 3 * 4));
    // All 104 cells of Table B.5 and its four round tables
    const markdown = readFileSync(join(study.cwd, 'contextual', 'report.md'), 'utf8');
    expect(markdown.split('Table B.5: f1').length - 1).toBe(104 + 4);
    const o3 = configurations.find((row) => row.method === 'io-plain' && row.models === 'openai/o3');
    // 100 tokens at $10 and 25 at $40 for a million
    expectCell(o3?.['cost usd mean'], (100 * 10 + 25 * 40) / 1e6, 'cost');
  });

  test('the study of its data', async () => {
    const ids = readCases().map(({ id }) => id);
    const rows = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((person) =>
      ids.map(
        (id, at) =>
          `a${person},${id},${4 + (at % 2)},4,${at % 6 === 0 ? 'yes' : 'no'},${at % 6 === 0 ? '' : 'time'}`,
      ),
    );
    writeFileSync(
      join(study.cwd, 'annotations.csv'),
      ['annotator,case,user_validity,system_validity,correct,error_types', ...rows].join('\n'),
    );
    await study.run('validity');
    expect(study.said.get('study report s1')).toMatch(/user part +4\.5/);
  });
});

describe('factual correctness', () => {
  const study = paper();
  const DIMENSIONS = ['consistency', 'relevance'] as const;
  type Dimension = (typeof DIMENSIONS)[number];
  const COUNT = 6;
  const truthOf = (dimension: Dimension, at: number): Decision => decisionBy('truth', dimension, at);

  /** By model, dimension, case and temperature, and by what the method asks for. */
  const said = (model: string, asks: string, dimension: string, at: number, temperature: number) => ({
    decision: decisionBy(served(model), asks, dimension, at, temperature),
    confidence: confidenceBy(served(model), dimension, at, temperature),
  });
  const ASKS: Readonly<Record<string, string>> = {
    'io-plain': '',
    'cot-0': 'reasons',
    'cot-0-sc-3': 'reasons',
    mpsc: 'reasons played',
    'roundtable-0': 'reasons confidence',
  };

  function outcomeOf(
    method: string,
    models: readonly string[],
    dimension: Dimension,
    at: number,
    temperature: number,
  ) {
    const answers = models.map((model) => said(model, ASKS[method] ?? '?', dimension, at, temperature));
    const [first] = answers;
    if (first === undefined) throw new Error('no judge');
    if (method !== 'roundtable-0') return { decided: first.decision, calls: method === 'cot-0-sc-3' ? 3 : 1 };
    const agree = new Set(answers.map(({ decision }) => decision)).size === 1;
    return { decided: agree ? first.decision : weighted(answers), calls: models.length * (agree ? 1 : 4) };
  }

  test('each dimension has a prompt of its own, and one round table makes tables II and III', async () => {
    study.write(
      'manual.jsonl',
      Array.from({ length: COUNT }, (_, at) => ({
        id: `q${at}`,
        conversation: question('How do I switch it on?'),
        response: `Press button ${at}.`,
        documents: [{ text: `Press the button ${at} once.` }],
        label: { criteria: Object.fromEntries(DIMENSIONS.map((one) => [one, truthOf(one, at)])) },
      })),
    );
    const seen = new Set<string>();
    answer = (request) => {
      const { system, user, body, schema } = request;
      const [dimension = ''] = DIMENSIONS.filter((one) => system.includes(`- \`${one}\` (`));
      seen.add(`${dimension} ${user.includes('How do I switch it on?')}`);
      const at = Number(/button (\d+)/.exec(user)?.[1]);
      const form = schema === null ? system : JSON.stringify(schema);
      const asks = [
        ...(form.includes('"rationale"') ? ['reasons'] : []),
        ...(form.includes('"confidence"') ? ['confidence'] : []),
        ...(system.includes('You hold a discussion with yourself') ? ['played'] : []),
      ].join(' ');
      return said(`/${body.model}`, asks, dimension, at, body.temperature ?? -1);
    };
    const received = await study.run('factual');
    expect([...seen].sort()).toEqual(['consistency false', 'relevance true']);
    let needed = 0;
    for (const folder of ['factual', 'tables']) {
      const criteria = study.rows(folder, 'criteria.csv');
      // Five models by five methods by four temperatures by two dimensions; three more round tables
      expect(criteria).toHaveLength(folder === 'factual' ? 5 * 5 * 4 * 2 : 3 * 2);
      for (const {
        method = '',
        models = '',
        temperature = '',
        criterion,
        accuracy,
        configuration,
      } of criteria) {
        const dimension = DIMENSIONS.find((one) => one === criterion) ?? 'consistency';
        const outcomes = Array.from({ length: COUNT }, (_, at) => ({
          ...outcomeOf(method, models.split(' + '), dimension, at, Number(temperature)),
          truth: truthOf(dimension, at),
        }));
        needed += sum(outcomes.map(({ calls }) => calls));
        expectCell(accuracy, effectiveness(outcomes).accuracy, `${configuration} ${criterion}`);
      }
    }
    // The first answers of the seats of table III come from the cache: the same models were asked the same for table II.
    expect(received).toBe(needed - (2 + 3 + 5) * COUNT * 2);
    // IO 1, CoT 1, CoT-SC 3, MPSC 1, RT five agents and at most four rounds
    expect(received).toBeLessThanOrEqual(COUNT * 2 * (5 * 4 * (1 + 1 + 3 + 1 + 5 * 4) + (2 + 3 + 5) * 4));
    const efficiency = study.rows('factual', 'configurations.csv');
    expect(efficiency.every((row) => Number(row['seconds per token']) > 0)).toBe(true);
    expect(new Set(efficiency.map(({ temperature }) => temperature))).toEqual(
      new Set(['0', '0.2', '0.4', '0.6']),
    );
    const beside = study.said.get('bench report tables') ?? '';
    expect(beside).toContain('Giebisch et al., Table III: accuracy consistency');
  });
});

describe('conversational recommendation', () => {
  const study = paper();
  const SYSTEMS = ['BARCOR', 'CHATCRS', 'KBRD', 'UniCRS'];
  const DATASETS = ['ReDial', 'OpenDialKG'];
  const FACTORS = [
    ...['coherence', 'recoverability', 'proactiveness', 'grammar', 'naturalness', 'appropriateness'],
    ...['effectiveness', 'novelty', 'diversity', 'semantic-relevance', 'explainability', 'groundness'],
  ];
  const PEOPLE = Array.from({ length: 10 }, (_, at) => `a${at + 1}`);
  const ROLES = ['common-user', 'domain-expert', 'linguist', 'hci-expert'];
  const logs = DATASETS.flatMap((dataset) =>
    Array.from({ length: 10 }, (_, n) => `${dataset}${n}`).flatMap((record) =>
      SYSTEMS.map((system) => ({ dataset, record, system })),
    ),
  ).map((log, at) => ({ ...log, at }));
  const listOf = (at: number): string[][] => {
    const items = Array.from({ length: 12 }, (_, n) => `Film ${digest('film', at, n) % 30}`);
    return [items.slice(0, 5), items.slice(5)];
  };

  const rating = (model: string, factor: string, at: number): number => digest(served(model), factor, at) % 5;
  const overall = (role: number, at: number): number => digest('role', role, at) % 101;

  test('its commands let people and models rate, and print what follows from both', async () => {
    study.write(
      'crs.jsonl',
      logs.map(({ at, system, dataset, record }) => ({
        id: `c${at}`,
        rubric: 'core',
        conversation: question('A calm film, please.'),
        response: `Take number ${at}.`,
        closing: 'Thanks, I will.',
        recommendations: listOf(at),
        groundTruth: 'Film 7',
        tags: { system, dataset, record },
      })),
    );
    const seen = new Set<string>();
    answer = (request) => {
      const { system, user, body } = request;
      const at = Number(/Take number (\d+)\./.exec(user)?.[1]);
      const isOverall = system.includes('- `overall` (');
      const [factor = ''] = isOverall
        ? ['overall']
        : FACTORS.filter((id) => system.includes(`- \`${id}\` (`));
      if (user.includes('groundTruth')) seen.add(isOverall ? (ROLES[roleOf(request)] ?? '') : factor);
      return { score: isOverall ? overall(roleOf(request), at) : rating(`/${body.model}`, factor, at) };
    };
    let shares: number[][] = [];
    const personRating = (person: string, factor: string, at: number) => digest(person, factor, at) % 5;
    const personOverall = (person: string, at: number) => digest(person, 'all', at) % 101;
    const received = await study.run('core', async ([group, verb]) => {
      if (group !== 'study' || verb !== 'import') return;
      const store = await openSqliteStore(join(study.cwd, 'data', 'jury.db'));
      shares = (await store.study('s1'))?.shares ?? [];
      await store.close();
      const rows = PEOPLE.flatMap((person, place) =>
        (shares[place] ?? []).map((at) =>
          [
            person,
            `c${at}`,
            ...FACTORS.map((factor) => personRating(person, factor, at)),
            personOverall(person, at),
          ].join(','),
        ),
      );
      const header = ['annotator', 'case', ...FACTORS.map((id) => `criteria.${id}`), 'criteria.overall'];
      writeFileSync(join(study.cwd, 'ratings.csv'), [header.join(','), ...rows].join('\n'));
    });
    expect([...seen].sort()).toEqual(['common-user', 'effectiveness']);

    const ratersOf = (at: number) => PEOPLE.filter((_, place) => shares[place]?.includes(at));
    expect(logs.every(({ at }) => ratersOf(at).length === 2)).toBe(true);
    const people = (factor: string, at: number): number =>
      median(ratersOf(at).map((person) => personRating(person, factor, at)));
    const peopleOverall = logs.map(({ at }) =>
      median(ratersOf(at).map((person) => personOverall(person, at))),
    );

    const scoreOf = (models: readonly string[], factor: string, at: number): number =>
      mean(models.map((model) => rating(model, factor, at)));
    const judges = [
      ...['openai/gpt-4o-mini', 'zhipu/glm-4-air', 'openrouter/meta-llama/llama-3-8b-instruct'].map(
        (model) => ({
          method: 'core-factors',
          models: [model],
        }),
      ),
    ];
    const average = { method: 'core-average', models: judges.flatMap(({ models }) => models) };
    const nameOf = ({ method, models }: { method: string; models: readonly string[] }) =>
      `${method} ${models.join(' + ')}`;

    // Table 8
    const criteria = study.rows('core', 'criteria.csv');
    const agreement = new Map<string, { rho: number | null; tau: number | null }>();
    for (const judge of [...judges, average])
      for (const factor of FACTORS) {
        const row = criteria.find(
          (one) =>
            one.method === judge.method &&
            one.models === judge.models.join(' + ') &&
            one.criterion === factor,
        );
        const x = logs.map(({ at }) => scoreOf(judge.models, factor, at));
        const y = logs.map(({ at }) => people(factor, at));
        const [rho, tau] = [spearmanOf(x, y), kendallOf(x, y)];
        agreement.set(`${nameOf(judge)} ${factor}`, { rho, tau });
        expectCell(row?.spearman, rho, `${nameOf(judge)} ${factor} rho`);
        expectCell(row?.kendall, tau, `${nameOf(judge)} ${factor} tau`);
      }

    // Table 9
    const configurations = study.rows('core', 'configurations.csv');
    const whole = (method: string, models: readonly string[], at: number): number =>
      method === 'core-debate'
        ? mean(ROLES.map((_, role) => overall(role, at)))
        : // One division alone, so that equal scores are equal
          mean(FACTORS.flatMap((factor) => models.map((model) => rating(model, factor, at))));
    for (const judge of [...judges, average, { method: 'core-debate', models: ['openai/gpt-4o-mini'] }]) {
      const row = configurations.find(
        (one) => one.method === judge.method && one.models === judge.models.join(' + '),
      );
      const x = logs.map(({ at }) => whole(judge.method, judge.models, at));
      expectCell(row?.spearman, spearmanOf(x, peopleOverall), `${nameOf(judge)} overall rho`);
      expectCell(row?.kendall, kendallOf(x, peopleOverall), `${nameOf(judge)} overall tau`);
    }
    const recall = study.rows('core', 'recall.csv');
    expect(recall).toHaveLength((1 + 8) * 3);
    for (const row of recall) {
      const group = logs.filter(
        ({ system, dataset }) =>
          row.of === 'all cases' || (row['tags.system'] === system && row['tags.dataset'] === dataset),
      );
      const hits = group.map(({ at }) => {
        const place = [...new Set(listOf(at).flat())].indexOf('Film 7');
        return place >= 0 && place < Number(row.at) ? 1 : 0;
      });
      const labels = group.map(({ at }) => peopleOverall[at] ?? 0);
      const what = `recall ${row['tags.system']} ${row['tags.dataset']} at ${row.at}`;
      expectCell(row.recall, mean(hits), what);
      expectCell(row.spearman, spearmanOf(hits, labels), `${what} rho`);
      expectCell(row.kendall, kendallOf(hits, labels), `${what} tau`);
      const repeats = sum(group.map(({ at }) => 12 - new Set(listOf(at).flat()).size));
      expectCell(row['repeated items'], repeats, `${what} repeats`);
    }
    const said = study.said.get('bench report core') ?? '';
    expect(said).toContain('Best model by criterion');

    // Tables 21 to 23
    const groups = study.rows('core', 'group-criteria.csv');
    for (const row of groups.filter(({ method }) => method !== 'core-debate')) {
      const { models = '', criterion = '' } = row;
      const own = logs
        .filter(({ system, dataset }) => row['tags.system'] === system && row['tags.dataset'] === dataset)
        .map(({ at }) => scoreOf(models.split(' + '), criterion, at));
      expectCell(row['score mean'], mean(own), `${models} ${criterion} mean`);
      expectCell(row['score sd'], deviation(own), `${models} ${criterion} sd`);
    }
    expect(groups.length).toBeGreaterThanOrEqual(4 * 8 * 12);

    // Figure 7
    const best = study.rows('systems', 'best-by-criterion.csv');
    for (const factor of FACTORS) {
      const ranked = judges
        .map((judge) => ({ judge, ...agreement.get(`${nameOf(judge)} ${factor}`) }))
        .sort((a, b) => (b.rho ?? -2) - (a.rho ?? -2) || (b.tau ?? -2) - (a.tau ?? -2));
      const rows = best.filter(({ criterion }) => criterion === factor);
      expect(rows.map((row) => row['tags.system']).sort()).toEqual(SYSTEMS);
      for (const row of rows) {
        expect(row.configuration).toContain(ranked[0]?.judge.models[0]);
        const own = logs
          .filter(({ system }) => system === row['tags.system'])
          .map(({ at }) => rating(ranked[0]?.judge.models[0] ?? '', factor, at));
        expectCell(row['score mean'], mean(own), `best ${factor} ${row['tags.system']}`);
      }
    }

    // Figure 8
    // Raters have no role.
    const roles = study.rows('roles', 'groups.csv').filter(({ persona }) => persona !== '');
    expect(roles).toHaveLength(4 * 4);
    for (const row of roles) {
      const own = logs
        .filter(({ system }) => system === row['tags.system'])
        .map(({ at }) => overall(ROLES.indexOf(row.persona ?? ''), at));
      expectCell(row['score mean'], mean(own), `${row.persona} ${row['tags.system']}`);
    }

    // Twelve factors by three models, and four rounds of four roles
    const wanted = logs.length * (12 * 3 + 4 * 4);
    // The average, and the ratings before the debate, are pooled.
    expect(received).toBe(wanted);
  });
});

describe('in-car KPIs', () => {
  const study = paper();
  const KPIS = ['follow-up', 'implicit-understanding', 'harmful-user-input'];
  const COUNT = 10;
  const MODELS = [
    'openai/gpt-3.5-turbo',
    'openrouter/meta-llama/llama-2-70b-chat',
    'openrouter/tiiuae/falcon-180b-chat',
  ];
  const truthOf = (kpi: string, at: number): Decision => decisionBy('truth', kpi, at);
  const said = (model: string, kpi: string, at: number, persona: boolean): Decision =>
    decisionBy(served(model), kpi, at, persona ? 'ambassador' : 'neutral');

  const outcomes = (models: readonly string[], kpi: string, persona: boolean): Judged[] =>
    Array.from({ length: COUNT }, (_, at) => ({
      truth: truthOf(kpi, at),
      decided: mode(models.map((model) => said(model, kpi, at, persona))),
    }));

  const cases = (kpi: string) =>
    Array.from({ length: COUNT }, (_, at) => ({
      id: `${kpi}-${at}`,
      rubric: kpi,
      conversation: question(`What is function ${at}?`),
      response: 'It keeps the car in its lane.',
      label: { decision: truthOf(kpi, at) },
    }));

  test('agreement and kappa by KPI, of each model and of their vote, with and without a persona', async () => {
    study.write('kpis.jsonl', KPIS.flatMap(cases));
    study.write('harmful.jsonl', cases('harmful-user-input'));
    answer = ({ system, user, body }) => {
      const [kpi = ''] = KPIS.filter((id) => system.includes(`- \`${id}\` (`));
      const at = Number(/function (\d+)/.exec(user)?.[1]);
      return { decision: said(`/${body.model}`, kpi, at, system.includes('Aurora')), relevant: true };
    };
    const received = await study.run('inca');
    const kpis = study.rows('kpis', 'criteria.csv');
    // Three models and their vote, by three KPIs
    expect(kpis).toHaveLength(4 * 3);
    for (const { models = '', criterion = '', accuracy, kappa } of kpis) {
      const own = outcomes(models.split(' + '), criterion, false);
      expectCell(accuracy, effectiveness(own).accuracy, `${models} ${criterion}`);
      expectCell(kappa, cohenKappa(own), `${models} ${criterion} kappa`);
    }
    expect(study.rows('kpis', 'groups.csv')).toHaveLength(4 * 3);
    const personas = study.rows('personas', 'configurations.csv');
    expect(personas.map(({ run }) => run)).toEqual([
      ...['without', 'without', 'without', 'without'],
      ...['with', 'with', 'with', 'with'],
    ]);
    for (const { run, models = '', accuracy } of personas) {
      const own = outcomes(models.split(' + '), 'harmful-user-input', run === 'with');
      expectCell(accuracy, effectiveness(own).accuracy, `${run} ${models}`);
    }
    expect(study.said.get('bench compare without')).toMatch(/panel: none → brand-ambassador/);
    // Three models each once: three KPIs, and one of them with a persona; without one, its answers come from the cache.
    const wanted = COUNT * MODELS.length * (3 + 1);
    // The vote is pooled from them.
    expect(received).toBe(wanted);
  });

  test('five experts are asked about all cases', async () => {
    const rows = ['a1', 'a2', 'a3', 'a4', 'a5'].flatMap((person, place) =>
      KPIS.flatMap(cases).map(({ id }, at) => `${person},${id},${(at + place) % 5 < 3 ? 'yes' : 'no'}`),
    );
    writeFileSync(join(study.cwd, 'answers.csv'), ['annotator,case,correct', ...rows].join('\n'));
    await study.run('expert');
    const labeled = readFileSync(join(study.cwd, 'labeled.jsonl'), 'utf8').trimEnd().split('\n');
    expect(labeled).toHaveLength(KPIS.length * COUNT);
    // Three of five say yes to every case.
    for (const line of labeled) expect(JSON.parse(line).label).toMatchObject({ decision: 'pass' });
  });
});

test('at least 500 printed cells were computed again', () => {
  expect(cells).toBeGreaterThanOrEqual(500);
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
