import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { readLibrary } from '../../../src/prompting/read-library.ts';
import { builtIn, folderWith } from '../../support/built-in.ts';
import { inDataOf, voteOn } from '../../support/data-store.ts';
import {
  type DoubleAnswer,
  type DoubleRequest,
  type ModelDouble,
  startModelDouble,
} from '../../support/model-double.ts';
import { jury, scratch } from '../../support/run-jury.ts';
import { aRecord, aRuling, saturday } from '../../support/store-builders.ts';

let double: ModelDouble | undefined;
afterEach(async () => {
  await double?.close();
  double = undefined;
});

const polite = `
title: Politeness
source: a test
task: Decide whether the assistant stays polite.
criteria: [{ id: tone, title: Tone, rule: The answer never scolds. }]
decide: all
panel: [auditor]
method: io
`;

const why = 'To call somebody a slowcoach is scolding.';
const promotedText = 'Turn left, slowcoach.';

const verdictOn = (id: string, at: number, user: string, response: string) =>
  aRecord({
    id,
    at,
    evalCase: { id, conversation: [{ role: 'user', text: user }], response },
    verdict: {
      rubric: 'polite',
      decision: 'pass',
      criteria: aRecord()
        .verdict.criteria.slice(1, 2)
        .map((one) => ({ ...one, id: 'tone', rationale: 'Nobody is scolded.' })),
    },
  });

/** A verdict that people corrected, and so many labeled ones: what is odd fails. */
async function aWorkspace(heldOut = 24) {
  const cwd = scratch();
  const prompts = folderWith({ 'rubrics/polite.yaml': polite });
  await inDataOf(cwd, async (store) => {
    await store.saveVerdict(verdictOn('v0', saturday, 'Where to?', promotedText));
    await voteOn(store, 'v0', {
      ada: ['disagree', { comment: why }],
      bea: 'disagree',
      cleo: 'disagree',
    });
    for (let n = 1; n <= heldOut; n += 1) {
      const id = `v${n}`;
      await store.saveVerdict(verdictOn(id, saturday + n, `Question number ${n}.`, `Answer number ${n}.`));
      const decision = n % 2 === 1 ? 'fail' : 'pass';
      await store.adjudicate(aRuling({ verdictId: id, right: { kind: 'decision', decision } }));
    }
  });
  return { cwd, prompts };
}

const decide = (decision: string): DoubleAnswer => ({ fields: { decision } });
const rightOf = ({ user }: DoubleRequest): DoubleAnswer =>
  decide(Number(/Answer number (\d+)/.exec(user)?.[1]) % 2 === 1 ? 'fail' : 'pass');
const hasExample = ({ system }: DoubleRequest): boolean => system.includes(why);

async function promote(
  { cwd, prompts }: { cwd: string; prompts: string },
  answer: (request: DoubleRequest) => DoubleAnswer,
  args: readonly string[] = [],
) {
  await double?.close();
  double = await startModelDouble({ answer });
  return jury(['labels', 'promote', 'v0', '--rubric', 'polite', '--method', 'cot-1', ...args], {
    cwd,
    env: {
      JURY_PROMPTS_DIR: prompts,
      JURY_MODEL: 'openai/judge',
      OPENAI_BASE_URL: double.baseUrl,
      OPENAI_API_KEY: 'sk-test',
    },
  });
}

const exemplars = (prompts: string) => readLibrary([builtIn, prompts]).exemplars('polite');
const isUnwritten = (prompts: string) => !existsSync(join(prompts, 'exemplars'));

describe('labels promote', () => {
  test('makes a corrected case the first worked example where held-out labels are met better with it', async () => {
    const place = await aWorkspace();
    const ran = await promote(place, (request) => (hasExample(request) ? rightOf(request) : decide('pass')));
    expect(ran.code).toBe(0);
    expect(ran.err).toContain(
      '24 held-out cases of polite are judged twice, by cot-1 with openai/judge: 48 verdicts.',
    );
    expect(ran.out).toContain('agreement with the labels of 24 held-out cases: 50.0 % before, 100.0 % after');
    // The twelve that fail came right, none came wrong: 2 · (1/2)^12.
    expect(ran.out).toContain('better: 12: v1, v3,');
    expect(ran.out).toContain('p < 0.001');
    expect(exemplars(place.prompts)).toEqual([
      {
        id: 'from-v0',
        case: { conversation: [{ role: 'user', text: 'Where to?' }], response: promotedText },
        reply: {
          criteria: { tone: { rationale: why, decision: 'fail' } },
          rationale: why,
          confidence: 1,
          decision: 'fail',
        },
      },
    ]);
    const written = readFileSync(join(place.prompts, 'exemplars', 'polite.yaml'), 'utf8');
    expect(written).toContain('# Worked examples of the rubric polite, version 1.');
    expect(written).toContain('from verdict v0: fail by majority of 3 votes.');
    expect(written).toContain('50.0 % before, 100.0 % after.');
  });

  test('asks about each held-out case with and without the example, and shows none of them as one', async () => {
    await promote(await aWorkspace(), rightOf);
    const requests = double?.requests ?? [];
    expect(requests).toHaveLength(48);
    expect(requests.filter(hasExample)).toHaveLength(24);
    expect(requests.filter(({ system }) => /number \d+/.test(system))).toEqual([]);
    expect(requests.filter(({ user }) => user.includes('slowcoach'))).toEqual([]);
    expect(requests.filter(({ user }) => user.includes('safety lead'))).toEqual([]);
  });

  test('writes nothing where the agreement falls, and says by how much, exit 1', async () => {
    const place = await aWorkspace();
    const ran = await promote(place, (request) =>
      hasExample(request) && request.user.includes('Answer number 3.') ? decide('pass') : rightOf(request),
    );
    expect(ran.code).toBe(1);
    expect(ran.out).toContain('100.0 % before, 95.8 % after');
    expect(ran.out).toContain('worse:  1: v3');
    expect(ran.out).toContain('Agreement falls. Nothing was written.');
    expect(isUnwritten(place.prompts)).toBe(true);
  });

  test('writes where the agreement stays as it is', async () => {
    const place = await aWorkspace();
    expect((await promote(place, rightOf)).code).toBe(0);
    expect(exemplars(place.prompts)).toHaveLength(1);
  });

  test('writes nothing where judges do not answer, exit 2', async () => {
    const place = await aWorkspace();
    const ran = await promote(place, (request) =>
      request.user.includes('Answer number 7.')
        ? { refusal: 'I would rather not.', content: null }
        : rightOf(request),
    );
    expect(ran.code).toBe(2);
    expect(ran.err).toContain('1 held-out case got no answer, so agreement is unknown');
    expect(isUnwritten(place.prompts)).toBe(true);
  });

  test('keeps the version before, and the second example goes before the first', async () => {
    const place = await aWorkspace();
    await promote(place, rightOf);
    const ran = await promote(place, rightOf, ['--reasoning', 'Names are scolding.', '--json']);
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.out)).toMatchObject({
      verdict: 'v0',
      kind: 'measured',
      change: { cases: 24, before: 1, after: 1, better: [], worse: [], holds: true },
      written: { version: 2 },
    });
    // The same verdict again: its earlier example gives way.
    expect(exemplars(place.prompts).map(({ reply }) => reply.rationale)).toEqual(['Names are scolding.']);
    expect(readdirSync(join(place.prompts, 'exemplars', 'earlier'))).toEqual(['polite.1.yaml']);
  });

  test('writes nothing over examples that were changed while they were measured', async () => {
    const place = await aWorkspace();
    const path = join(place.prompts, 'exemplars', 'polite.yaml');
    const mine = `- id: mine
  case: { conversation: [{ role: user, text: Hello }], response: Go away. }
  reply: { criteria: { tone: { rationale: Rude., decision: fail } }, rationale: Rude., confidence: 1, decision: fail }
`;
    const ran = await promote(place, (request) => {
      mkdirSync(join(place.prompts, 'exemplars'), { recursive: true });
      writeFileSync(path, mine);
      return rightOf(request);
    });
    expect(ran.code).toBe(64);
    expect(ran.err).toContain('The worked examples of "polite" have changed since they were measured.');
    expect(readFileSync(path, 'utf8')).toBe(mine);
  });

  test('measures with a dataset that is named, its own examples left out', async () => {
    const place = await aWorkspace(0);
    const cases = Array.from({ length: 22 }, (_, n) => ({
      id: `d${n}`,
      rubric: 'polite',
      conversation: [{ role: 'user', text: n === 0 ? 'WHERE to?' : `Question ${n}` }],
      response: `Answer number ${n}.`,
      label: { decision: n % 2 === 1 ? 'fail' : 'pass' },
    }));
    const file = join(
      folderWith({ 'set.jsonl': cases.map((one) => JSON.stringify(one)).join('\n') }),
      'set.jsonl',
    );
    const ran = await promote(place, rightOf, ['--held-out', file]);
    expect(ran.code).toBe(0);
    expect(ran.err).toContain('21 held-out cases');
    expect(ran.err).toContain('Left out: 1 with the request or response of an example.');
  });

  test('shows the example and asks no model with --plan', async () => {
    const place = await aWorkspace();
    const ran = await promote(place, rightOf, ['--plan']);
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.out).toContain(`response: ${promotedText}`);
    expect(double?.counts.received).toBe(0);
    expect(isUnwritten(place.prompts)).toBe(true);
  });

  test.each([
    ['the built-in checks', ['--model', 'rules'], '"rules" makes exact checks and reads no worked examples'],
    [
      'a method without examples',
      ['--method', 'io'],
      'Method "io" shows no worked examples. Methods that do: ',
    ],
    [
      'too few labels',
      ['--held-out', '19'],
      'Measuring needs at least 20 labeled cases of the rubric "polite"; there are 19 (left out: 5 beyond the limit of --held-out).',
    ],
    ['another rubric', ['--rubric', 'in-car'], 'it was judged by the rubric "polite", not "in-car"'],
    ['what is no finding', ['--finding', 'tone'], 'write it as criterion=finding: reason'],
    ['votes that are too few', ['--min-votes', '4'], 'its label is open (too few votes)'],
  ])('refuses %s before anybody is asked, exit 64', async (_name, args, problem) => {
    const place = await aWorkspace();
    const ran = await promote(place, rightOf, args);
    expect(ran.code).toBe(64);
    expect(ran.err).toContain(problem);
    expect(double?.counts.received).toBe(0);
    expect(isUnwritten(place.prompts)).toBe(true);
  });

  test('says that it takes a folder of one’s own', async () => {
    const ran = await jury(['labels', 'promote', 'v0', '--rubric', 'navigation', '--model', 'openai/judge']);
    expect(ran.code).toBe(64);
    expect(ran.err).toContain('set JURY_PROMPTS_DIR');
  });
});
