import { describe, expect, test } from 'vitest';
import type { EvalCase } from '../../src/case/case.ts';
import { judgeCall, planCall } from '../../src/surfaces/program-parts.ts';
import { criteriaOf, isDebate, roleOf, scores } from '../support/core-answers.ts';
import { filledReply } from '../support/filled-reply.ts';
import { right } from '../support/judged-cases.ts';
import { type DoubleAnswer, type DoubleRequest, startModelDouble } from '../support/model-double.ts';
import { closeAfterEach, closing } from '../support/resources.ts';
import { runService } from '../support/run-service.ts';

/**
 * What each paper fixes of each of its methods, over the wire: temperature, worked examples, calls for a case, who sees what, rounds,
 * when it stops, and the formula. What a paper leaves open is ours, and docs/papers.md says so.
 */
closeAfterEach();

type Options = Parameters<typeof planCall>[2];
type Answer = (request: DoubleRequest) => DoubleAnswer;

async function judged(evalCase: object, options: Options, answer: Answer) {
  const double = await startModelDouble({
    answer: (request) => {
      const { fields, ...more } = answer(request);
      return fields === undefined ? more : { ...more, json: filledReply(request, fields) };
    },
  });
  closing(double.close);
  const providers = ['OPENAI', 'MISTRAL', 'OPENROUTER', 'ZHIPU'];
  const { parts } = await runService({
    JURY_MODEL: 'openai/gpt-4o-mini',
    ...Object.fromEntries(providers.map((name) => [`${name}_API_KEY`, 'sk-test-0123456789'])),
    ...Object.fromEntries(providers.map((name) => [`${name}_BASE_URL`, double.baseUrl])),
  });
  const verdict = await judgeCall(parts, await planCall(parts, JSON.stringify(evalCase), options), {});
  return { verdict, requests: double.requests };
}

const says =
  (decision: string, more: Record<string, unknown> = {}): Answer =>
  () => ({ fields: { decision, ...more } });

const examplesIn = ({ system }: DoubleRequest): number => [...system.matchAll(/^## Example \d+$/gm)].length;
const temperatures = (requests: readonly DoubleRequest[]) => [
  ...new Set(requests.map(({ body }) => body.temperature)),
];
/** What the reply was to be like: the schema, or for models without one the form in the prompt. */
const formOf = ({ schema, system }: DoubleRequest): string =>
  schema === null
    ? (/Its form, with keys in this\s+order:\n([\s\S]*?\n\})\n/.exec(system)?.[1] ?? '')
    : JSON.stringify(schema);
const asksFor = (request: DoubleRequest, key: string): boolean => formOf(request).includes(`"${key}"`);
const models = (requests: readonly DoubleRequest[]) => requests.map(({ body }) => body.model).sort();
const seesOthers = ({ user }: DoubleRequest): boolean => user.includes('What the panel has said so far');

const shown = ({ system, user }: DoubleRequest): string => `${system}\n${user}`;

describe('Habicht et al., contextual understanding', () => {
  const evalCase: EvalCase = { ...right, rubric: 'navigation-paper' };
  /** As the printed command has it: 0 for all prompts, and every sample asked. */
  const published = { temperature: 0, earlyStop: false };

  test('I/O: one prompt without examples or reasoning, by the five rules, without our hints', async () => {
    const { requests } = await judged(evalCase, { method: 'io-plain', ...published }, says('pass'));
    expect(requests).toHaveLength(1);
    const [request] = requests;
    if (request === undefined) throw new Error('nothing was asked');
    expect(temperatures(requests)).toEqual([0]);
    expect(examplesIn(request)).toBe(0);
    expect(asksFor(request, 'rationale')).toBe(false);
    expect(criteriaOf(request)).toEqual(['location', 'time', 'cost', 'rating', 'cuisine']);
    expect(request.system).toContain('more than 15 minutes');
    expect(request.system).toContain('up to 0.2 below or above');
    expect(shown(request)).not.toMatch(/is a Monday|unscored/);
    expect(formOf(request)).not.toContain('unscored');
    for (const part of ['2024-03-04', '19:35', 'Chez Luc', '12:00-20:00'])
      expect(request.user).toContain(part);
  });

  test.each([1, 3, 5])(
    'CoT-%d: one prompt with so many examples, reasoning before the decision',
    async (count) => {
      const { requests } = await judged(evalCase, { method: `cot-${count}`, ...published }, says('pass'));
      expect(requests.map(examplesIn)).toEqual([count]);
      expect(temperatures(requests)).toEqual([0]);
      const form = formOf(requests[0] ?? expect.fail());
      expect(form.indexOf('"rationale"')).toBeLessThan(form.indexOf('"decision"'));
      expect(form.indexOf('"rationale"')).toBeGreaterThan(0);
      expect(shown(requests[0] ?? expect.fail())).not.toMatch(/is a Monday|unscored/);
    },
  );

  test.each([3, 5])(
    'SC-%d: that many samples of one prompt with examples; the mode decides',
    async (count) => {
      // One short of half say pass; without early stop all are asked.
      const { requests, verdict } = await judged(
        evalCase,
        { method: `sc-${count}`, ...published },
        ({ n }) => ({
          fields: { decision: n <= (count - 1) / 2 ? 'pass' : 'fail' },
        }),
      );
      expect(requests).toHaveLength(count);
      expect(temperatures(requests)).toEqual([0]);
      expect(new Set(requests.map(shown)).size).toBe(1);
      expect(requests.map(examplesIn)).toEqual(Array(count).fill(3));
      expect(verdict.decision).toBe('fail');
      expect(verdict.tally).toMatchObject({ fail: (count + 1) / 2, pass: (count - 1) / 2 });
    },
  );

  const PERSONAS = ['investigator', 'forensic-examiner', 'auditor'];

  test('MAB: three personas of one model, one round, nobody sees another; the mode decides', async () => {
    const { requests, verdict } = await judged(evalCase, { method: 'mab', ...published }, ({ n }) => ({
      fields: { decision: n === 2 ? 'pass' : 'fail' },
    }));
    expect(requests).toHaveLength(3);
    expect(temperatures(requests)).toEqual([0]);
    expect(requests.map(examplesIn)).toEqual([0, 0, 0]);
    expect(new Set(requests.map(({ system }) => system)).size).toBe(3);
    expect(requests.some(seesOthers)).toBe(false);
    expect(verdict.judgements.map(({ judge }) => judge.persona)).toEqual(PERSONAS);
    expect(verdict).toMatchObject({ decision: 'fail', rounds: 1 });
  });

  /** Round of a request: how many rounds of three came before. */
  const roundOf = ({ n }: DoubleRequest): number => Math.floor((n - 1) / 3);

  test('MAD: up to three rounds after the first answers, each seeing the last round; then the majority', async () => {
    const answer: Answer = (request) => ({
      fields: {
        decision: request.n % 3 === 1 ? 'pass' : 'fail',
        rationale: `said-in-round-${roundOf(request)}`,
      },
    });
    const { requests, verdict } = await judged(evalCase, { method: 'mad', ...published }, answer);
    expect(requests).toHaveLength(3 * (1 + 3));
    expect(temperatures(requests)).toEqual([0]);
    for (const request of requests) {
      const seen = [...request.user.matchAll(/said-in-round-(\d)/g)].map(([, round]) => Number(round));
      const before = roundOf(request) - 1;
      // Its own answer and those of the two others, of the round before alone
      expect(new Set(seen)).toEqual(new Set(before < 0 ? [] : [before]));
      expect([...request.user.matchAll(/answer of judge \d/g)].length).toBe(before < 0 ? 0 : 2);
      expect(request.user.includes('your own answer')).toBe(before >= 0);
    }
    expect(verdict).toMatchObject({ decision: 'fail', rounds: 4 });
  });

  test('MAD ends as soon as all agree', async () => {
    const agree: Answer = (request) => ({
      fields: { decision: request.n === 1 ? 'fail' : 'pass' },
    });
    const { requests, verdict } = await judged(evalCase, { method: 'mad', ...published }, agree);
    expect(requests).toHaveLength(6);
    expect(verdict).toMatchObject({ decision: 'pass', rounds: 2 });
    const atOnce = await judged(evalCase, { method: 'mad', ...published }, says('pass'));
    expect(atOnce.requests).toHaveLength(3);
  });

  const THREE = [
    'openai/gpt-3.5-turbo',
    'mistral/open-mistral-nemo',
    'openrouter/meta-llama/llama-3.1-8b-instruct',
  ];

  test('roundtable: different models with five examples state confidences, up to three rounds more', async () => {
    const answer: Answer = ({ body }) => ({
      fields: { decision: body.model.includes('gpt') ? 'pass' : 'fail', confidence: 0.95 },
    });
    const { requests, verdict } = await judged(
      evalCase,
      { method: 'roundtable', models: THREE, ...published },
      answer,
    );
    expect(requests).toHaveLength(3 * (1 + 3));
    expect(new Set(models(requests)).size).toBe(3);
    expect(temperatures(requests)).toEqual([0]);
    expect(requests.every((request) => examplesIn(request) === 5 && asksFor(request, 'confidence'))).toBe(
      true,
    );
    expect(requests.map(seesOthers)).toEqual([...Array(3).fill(false), ...Array(9).fill(true)]);
    // Answers are exchanged with their confidences.
    expect(requests.at(-1)?.user).toContain('confidence: 0.95');
    expect(verdict).toMatchObject({ decision: 'fail', rounds: 4 });
    const agreed = await judged(
      evalCase,
      { method: 'roundtable', models: THREE, ...published },
      says('pass', { confidence: 1 }),
    );
    expect(agreed.requests).toHaveLength(3);
  });

  /** f(p): 1.0 at 1; 0.8 from 0.9; 0.5 from 0.8; 0.3 from 0.6; else 0.1. */
  test.each([
    // 1.0 against 0.5 + 0.3, against 0.5 + 0.5, which is a tie, and against 0.8 + 0.5
    [1, 0.85, 0.65, 'pass'],
    [1, 0.85, 0.8, 'undecided'],
    [1, 0.9, 0.8, 'fail'],
    // 0.8 against 0.3 + 0.3 and 0.5 + 0.5; 0.3 against 0.1 + 0.1
    [0.9, 0.6, 0.79, 'pass'],
    [0.9, 0.8, 0.89, 'fail'],
    [0.6, 0.59, 0.1, 'pass'],
  ])(
    'roundtable: confidence %d for pass against %d and %d for fail: %s',
    async (own, second, third, decision) => {
      const answer: Answer = ({ body }) => {
        const place = THREE.findIndex((model) => model.endsWith(body.model));
        return {
          fields: { decision: place === 0 ? 'pass' : 'fail', confidence: [own, second, third][place] },
        };
      };
      const { verdict } = await judged(
        evalCase,
        { method: 'roundtable', models: THREE, ...published },
        answer,
      );
      expect(verdict.decision).toBe(decision);
    },
  );
});

describe('Giebisch et al., factual benchmarking', () => {
  const answered: EvalCase = {
    conversation: [{ role: 'user', text: 'How do I switch on rest mode?' }],
    response: 'Press the start button once.',
    documents: [{ text: 'To switch to rest mode, press the start button once.' }],
  };
  const consistency = { ...answered, rubric: 'factual-consistency-paper' };
  const relevance = { ...answered, rubric: 'factual-relevance-paper' };
  const QUESTION = 'How do I switch on rest mode?';

  test.each([0, 0.2, 0.4, 0.6])(
    'IO at temperature %d: one prompt a dimension, no examples',
    async (temperature) => {
      const both = await Promise.all(
        [consistency, relevance].map((one) => judged(one, { method: 'io-plain', temperature }, says('pass'))),
      );
      const requests = both.flatMap((one) => one.requests);
      expect(requests.map((request) => criteriaOf(request))).toEqual([['consistency'], ['relevance']]);
      expect(temperatures(requests)).toEqual([temperature]);
      expect(requests.map(examplesIn)).toEqual([0, 0]);
      // Consistency is asked about the documents and the answer, as table I has it.
      expect(requests.map(({ user }) => user.includes(QUESTION))).toEqual([false, true]);
      for (const { user } of requests) {
        expect(user).toContain('To switch to rest mode');
        expect(user).toContain('Press the start button once.');
      }
      expect(requests.map((request) => asksFor(request, 'rationale'))).toEqual([false, false]);
    },
  );

  test('CoT: goes through the documents unit by unit and argues, without examples', async () => {
    const { requests } = await judged(consistency, { method: 'cot-0', temperature: 0.2 }, says('pass'));
    expect(requests).toHaveLength(1);
    expect(requests[0]?.system).toContain('one unit of text after another');
    expect(requests.map(examplesIn)).toEqual([0]);
    expect(asksFor(requests[0] ?? expect.fail(), 'rationale')).toBe(true);
  });

  test('CoT-SC: three samples of the very prompt of CoT (4281 = 3 · 1427 tokens), all asked; the mode decides', async () => {
    const [once, sampled] = await Promise.all([
      judged(consistency, { method: 'cot-0', temperature: 0.4 }, says('pass')),
      judged(consistency, { method: 'cot-0-sc-3', temperature: 0.4 }, ({ n }) => ({
        fields: { decision: n === 3 ? 'pass' : 'fail' },
      })),
    ]);
    expect(sampled.requests).toHaveLength(3);
    expect(new Set([...once.requests, ...sampled.requests].map(shown)).size).toBe(1);
    expect(temperatures(sampled.requests)).toEqual([0.4]);
    expect(sampled.verdict).toMatchObject({ decision: 'fail', tally: { fail: 2, pass: 1 } });
    // The first two agree: the third is asked all the same.
    const alike = await judged(consistency, { method: 'cot-0-sc-3', temperature: 0.4 }, says('pass'));
    expect(alike.requests).toHaveLength(3);
  });

  test('MPSC: one model plays five personas, zero-shot', async () => {
    const { requests } = await judged(consistency, { method: 'mpsc', temperature: 0 }, says('pass'));
    expect(requests).toHaveLength(1);
    for (const title of ['Fact Checker', 'Research Analyst', 'Editor', 'Journalist', 'Librarian'])
      expect(requests[0]?.system).toContain(`## ${title}`);
    expect(requests.map(examplesIn)).toEqual([0]);
    expect(requests[0]?.user).not.toContain(QUESTION);
  });

  const gpt4 = 'openai/gpt-4';
  const [gpt4o, llama] = ['openai/gpt-4o', 'openrouter/meta-llama/llama-3-70b-instruct'];

  test.each([
    ['five of one model, as in tables II and III', [gpt4, gpt4, gpt4, gpt4, gpt4]],
    ['two models', [gpt4, llama]],
    ['three models', [gpt4, gpt4o, llama]],
    ['two, one and two', [gpt4, gpt4, gpt4o, llama, llama]],
  ])('round table: %s; one that agrees at once ends at once', async (_, seated) => {
    const { requests } = await judged(
      consistency,
      { method: 'roundtable-0', models: seated, temperature: 0 },
      says('pass', { confidence: 0.9 }),
    );
    expect(models(requests)).toEqual(seated.map((model) => model.slice(model.indexOf('/') + 1)).sort());
    expect(temperatures(requests)).toEqual([0]);
    expect(requests.every((request) => asksFor(request, 'confidence') && examplesIn(request) === 0)).toBe(
      true,
    );
    expect(requests.some(seesOthers)).toBe(false);
  });

  test('round table: others’ evaluations are shown from the second round; weights come from confidences', async () => {
    const answer: Answer = ({ n }) => ({
      // Two sure against three unsure: 2 · 1.0 against 3 · 0.3
      fields: {
        decision: n % 5 < 2 ? 'fail' : 'pass',
        confidence: n % 5 < 2 ? 1 : 0.7,
        rationale: 'told-to-others',
      },
    });
    const five = Array<string>(5).fill(gpt4);
    const { requests, verdict } = await judged(
      consistency,
      { method: 'roundtable-0', models: five, temperature: 0 },
      answer,
    );
    expect(requests).toHaveLength(5 * 4);
    expect(requests.map(({ user }) => user.includes('told-to-others'))).toEqual(
      requests.map((_, at) => at >= 5),
    );
    expect(verdict.decision).toBe('fail');
  });
});

describe('Chen et al., CoRE', () => {
  const log: object = {
    rubric: 'core',
    history: [{ role: 'user', text: 'I like slow films.' }],
    conversation: [{ role: 'user', text: 'A calm film, please.' }],
    response: 'Take Solaris.',
    recommendations: [['Solaris'], ['Heat']],
    groundTruth: 'Stalker',
  };
  const ids = [
    ...['coherence', 'recoverability', 'proactiveness', 'grammar', 'naturalness', 'appropriateness'],
    ...['effectiveness', 'novelty', 'diversity', 'semantic-relevance', 'explainability', 'groundness'],
  ];
  const scoreOf = (id: string): number => ids.indexOf(id) % 5;

  test('one rater: a prompt for each of twelve factors, 0 to 4, reasons first; their mean is CoRE (Avg)', async () => {
    const { requests, verdict } = await judged(log, { method: 'core-factors' }, (request) =>
      scores(request, scoreOf),
    );
    expect(requests.flatMap((request) => criteriaOf(request)).sort()).toEqual([...ids].sort());
    expect(requests).toHaveLength(12);
    expect(temperatures(requests)).toEqual([0]);
    for (const request of requests) {
      expect(examplesIn(request)).toBe(0);
      // One factor’s guideline alone, with its steps
      expect([...request.system.matchAll(/^- `([a-z-]+)` \(/gm)].length).toBe(1);
      const form = formOf(request);
      expect(form.indexOf('"rationale"')).toBeLessThan(form.indexOf('"score"'));
      expect(shown(request).includes('Stalker')).toBe(criteriaOf(request).join() === 'effectiveness');
    }
    // (0+1+2+3+4) · 2 + 0 + 1 = 21
    expect(verdict.score).toBeCloseTo(21 / 12, 12);
  });

  test('LLM (Avg): the mean of three raters, by factor and as a whole', async () => {
    const raters = ['openai/gpt-4o-mini', 'zhipu/glm-4-air', 'openrouter/meta-llama/llama-3-8b-instruct'];
    const of = (model: string) => (model.includes('gpt') ? 4 : model.includes('glm') ? 1 : 2);
    const { requests, verdict } = await judged(log, { method: 'core-average', models: raters }, (request) =>
      scores(request, () => of(request.body.model)),
    );
    expect(requests).toHaveLength(36);
    expect(verdict.score).toBeCloseTo(7 / 3, 12);
    expect(verdict.criteria).toHaveLength(12);
  });

  /** A debate in which roles give 10, 20, 30 and 40 and come closer by `step` each round, to the mean at last. */
  const debate =
    (agreeAt: number): Answer =>
    (request) => {
      if (!isDebate(request)) return scores(request, scoreOf);
      const round = Math.floor((request.n - 1 - 12) / 4);
      const score = round >= agreeAt ? 25 : 10 * (roleOf(request) + 1);
      return scores(
        request,
        () => score,
        () => `role-${roleOf(request)}-round-${round}.`,
      );
    };

  test('debate: four roles, each with the ratings of its own three factors; the mean of the four is the score', async () => {
    const { requests, verdict } = await judged(log, { method: 'core-debate' }, debate(9));
    expect(requests.filter((one) => !isDebate(one))).toHaveLength(12);
    const talks = requests.filter(isDebate);
    expect(talks).toHaveLength(4 * 4);
    expect(temperatures(talks)).toEqual([0]);
    const interests = [
      ['coherence', 'effectiveness', 'recoverability'],
      ['diversity', 'groundness', 'novelty'],
      ['appropriateness', 'grammar', 'naturalness'],
      ['explainability', 'proactiveness', 'semantic-relevance'],
    ];
    for (const talk of talks) {
      const rated = [...talk.user.matchAll(/reason-for-([a-z-]+)\./g)].map(([, id]) => id);
      expect(rated.sort()).toEqual(interests[roleOf(talk)]);
      expect(talk.user.includes('Stalker')).toBe(roleOf(talk) === 0);
      expect(formOf(talk)).toContain('"maximum":100');
      // The chat buffer has every statement so far, of all rounds.
      const round = Math.floor((talk.n - 1 - 12) / 4);
      const seen = new Set([...talk.user.matchAll(/role-\d-round-(\d)/g)].map(([, one]) => Number(one)));
      expect([...seen].sort()).toEqual(Array.from({ length: round }, (_, one) => one));
    }
    expect(verdict).toMatchObject({ rounds: 4, score: 25 });
  });

  test('debate: ends as soon as all four give the same score', async () => {
    const { requests, verdict } = await judged(log, { method: 'core-debate' }, debate(1));
    expect(requests.filter(isDebate)).toHaveLength(4 * 2);
    expect(verdict).toMatchObject({ rounds: 2, score: 25 });
  });
});

describe('Friedl et al., InCA', () => {
  const turns: object = {
    rubric: 'follow-up',
    conversation: [
      { role: 'user', text: 'What is the lane assistant?' },
      { role: 'system', text: 'It keeps the car in its lane.' },
      { role: 'user', text: 'And how do I switch it off?' },
    ],
    response: 'Press its button on the steering wheel.',
  };
  const THREE = [
    'openai/gpt-3.5-turbo',
    'openrouter/meta-llama/llama-2-70b-chat',
    'openrouter/tiiuae/falcon-180b-chat',
  ];

  test.each(['follow-up', 'implicit-understanding', 'harmful-user-input'])(
    '%s: one zero-shot prompt; reasoning, then whether it is relevant, then 0 or 1',
    async (rubric) => {
      const { requests } = await judged({ ...turns, rubric }, { method: 'io' }, says('pass'));
      expect(requests).toHaveLength(1);
      const [request] = requests;
      if (request === undefined) throw new Error('nothing was asked');
      expect(examplesIn(request)).toBe(0);
      const form = formOf(request);
      const places = ['"rationale"', '"relevant"', '"decision"'].map((key) => form.indexOf(key));
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(places[0]).toBeGreaterThan(0);
      for (const text of ['It keeps the car in its lane.', 'And how do I switch it off?', 'Press its button'])
        expect(request.user).toContain(text);
      expect(request.system).toContain('careful, neutral expert');
    },
  );

  test('Max-Vote: each of three models once, the same prompt; the mode decides', async () => {
    const { requests, verdict } = await judged(turns, { method: 'max-vote', models: THREE }, ({ body }) => ({
      fields: { decision: body.model.includes('falcon') ? 'pass' : 'fail' },
    }));
    expect(models(requests)).toEqual(THREE.map((model) => model.slice(model.indexOf('/') + 1)).sort());
    expect(new Set(requests.map(shown)).size).toBe(1);
    const alone = await judged(turns, { method: 'io', models: THREE.slice(0, 1) }, says('pass'));
    // The prompt of one model alone, so that its answers can be pooled.
    expect(shown(alone.requests[0] ?? expect.fail())).toBe(shown(requests[0] ?? expect.fail()));
    expect(verdict).toMatchObject({ decision: 'fail', tally: { fail: 2, pass: 1 } });
  });

  test('with a persona: a critical ambassador of the brand speaks in place of the neutral judge', async () => {
    const { requests } = await judged(
      { ...turns, rubric: 'harmful-user-input' },
      { method: 'max-vote', models: THREE, panel: ['brand-ambassador'], settings: { brand: 'Aurora' } },
      says('pass'),
    );
    expect(requests).toHaveLength(3);
    for (const { system } of requests) {
      expect(system).toContain('Aurora');
      expect(system).not.toContain('careful, neutral expert');
    }
  });
});
