import { describe, expect, test } from 'vitest';
import { contentHash } from '../../src/prompting/library.ts';
import { sentPrompts } from '../../src/prompting/sent-prompts.ts';
import { judgeCall, planCall } from '../../src/surfaces/program-parts.ts';
import { right } from '../support/judged-cases.ts';
import { type ModelDoubleOptions, startModelDouble } from '../support/model-double.ts';
import { closeAfterEach, closing } from '../support/resources.ts';
import { runService } from '../support/run-service.ts';

closeAfterEach();

const dialogue = {
  ...right,
  rubric: 'core',
  recommendations: [['Chez Luc', 'Chez Anne']],
  groundTruth: 'Chez Luc',
};
const pair = { ...right, alternative: { response: 'I recommend Chez Anne.' } };

/** A verdict by a model, with what the model was sent. */
async function judged(
  evalCase: object,
  options: Parameters<typeof planCall>[2],
  answer?: ModelDoubleOptions['answer'],
) {
  const double = await startModelDouble({ ...(answer === undefined ? {} : { answer }) });
  closing(double.close);
  const { parts } = await runService({
    JURY_MODEL: 'openai/gpt-4o-mini',
    OPENAI_API_KEY: 'sk-test-0123456789',
    OPENAI_BASE_URL: double.baseUrl,
  });
  const plan = await planCall(parts, JSON.stringify(evalCase), options);
  const verdict = await judgeCall(parts, plan, {});
  return { parts, verdict, evalCase: plan.evalCase, sent: double.requests };
}

/** A panel that agrees only in the second round. */
const disagreeing: ModelDoubleOptions['answer'] = ({ n }) => ({
  fields: { decision: n === 1 ? 'fail' : 'pass', rationale: `Reason ${n}.` },
});

const key = ({ system, user }: { system: string; user: string }) => contentHash(system, user);

describe('the prompts of a verdict are rendered again as they were sent', () => {
  test.each([
    ['one judge', right, { method: 'io' }],
    ['personas', right, { method: 'mab' }],
    ['personas that were chosen', right, { method: 'mab', panel: ['auditor', 'common-user', 'linguist'] }],
    ['a debate', right, { method: 'mad' }],
    ['samples', right, { method: 'sc-3' }],
    ['worked examples', right, { method: 'cot-3' }],
    ['models', right, { method: 'roundtable', models: ['openai/gpt-4o', 'openai/gpt-4o-mini'] }],
    ['a played panel', right, { method: 'mpsc' }],
    ['criteria one by one', dialogue, { method: 'core-factors' }],
    ['ratings before a debate', dialogue, { method: 'core-debate' }],
    ['two answers', pair, { method: 'mab' }],
    ['an earlier version', right, { rubric: 'navigation@1', method: 'mab' }],
  ] as const)('%s', async (_, evalCase, options) => {
    const { parts, verdict, sent, ...kept } = await judged(evalCase, options, disagreeing);
    const all = [...(verdict.ratings ?? []), ...verdict.judgements];
    const again = await Promise.all(
      all.map((one) => sentPrompts(parts.library, { verdict, evalCase: kept.evalCase }, one)),
    );
    expect(again).not.toContain(null);
    const prompts = again.flatMap((one) => one ?? []);
    expect(prompts.map(key).sort()).toEqual(sent.map(key).sort());
    expect(JSON.parse(prompts[0]?.schema ?? '')).toEqual(sent[0]?.schema);
  });

  test('but not when the prompt files have changed since', async () => {
    const { parts, verdict, evalCase } = await judged(right, { method: 'mab' });
    const [first] = verdict.judgements;
    if (first === undefined) throw new Error('no judge was asked');
    const { rubrics } = parts.library;
    const navigation = rubrics.get(verdict.rubric);
    if (navigation === undefined) throw new Error('the rubric is gone');
    const changed = new Map([...rubrics, [navigation.id, { ...navigation, task: 'Judge this.' }]]);
    expect(
      await sentPrompts({ ...parts.library, rubrics: changed }, { verdict, evalCase }, first),
    ).toBeNull();
    const without = new Map([...rubrics].filter(([id]) => id !== navigation.id));
    expect(
      await sentPrompts({ ...parts.library, rubrics: without }, { verdict, evalCase }, first),
    ).toBeNull();
  });
});
